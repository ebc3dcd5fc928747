//! Quasi-immutable fields: read and written in objects that are new, that other code knows, and
//! that are written behind the JIT's back. In: two integers. Out: one.

use verdigris::prelude::*;

#[gc]
pub struct Leaf {
    pub number: Quasi<i64>,
}

#[value]
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Mode {
    Plain,
    Scaled(f64),
    Shifted { by: i64, back: bool },
}

#[gc]
pub struct Settings {
    pub version: Quasi<i64>,
    pub narrow: Quasi<u8>,
    pub on: Quasi<bool>,
    pub factor: Quasi<f64>,
    pub leaf: Quasi<Gc<Leaf>>,
    pub other: Quasi<Option<Gc<Settings>>>,
    pub mode: Quasi<Mode>,
    pub pair: Quasi<(i64, f64)>,
    pub result: Quasi<Result<i64, bool>>,
}

fn settings(a: i64, b: i64) -> Gc<Settings> {
    let leaf = Gc::new(Leaf {
        number: Quasi::new(a),
    });
    Gc::new(Settings {
        version: Quasi::new(b),
        narrow: Quasi::new(a as u8),
        on: Quasi::new(a > b),
        factor: Quasi::new(0.5),
        leaf: Quasi::new(leaf),
        other: Quasi::new(None),
        mode: Quasi::new(Mode::Plain),
        pair: Quasi::new((a, b as f64)),
        result: Quasi::new(Ok(a)),
    })
}

#[opaque]
fn keep(settings: Gc<Settings>) -> Gc<Settings> {
    settings
}

#[opaque]
fn change(settings: Gc<Settings>, to: i64) {
    settings.version.set(to);
    settings.mode.set(Mode::Shifted {
        by: to,
        back: to > 3,
    });
    settings.result.set(Err(to < 0));
}

fn by_mode(mode: Mode, x: i64) -> i64 {
    match mode {
        Mode::Plain => x,
        Mode::Scaled(by) => (x as f64 * by) as i64,
        Mode::Shifted { by, back: true } => x.wrapping_sub(by),
        Mode::Shifted { by, .. } => x.wrapping_add(by),
    }
}

pub fn get_in_a_new_object(a: i64, b: i64) -> i64 {
    let s = settings(a, b);
    let sum = s.version.get().wrapping_add(s.leaf.get().number.get());
    sum.wrapping_add(i64::from(s.narrow.get()))
        .wrapping_add(i64::from(s.on.get()))
}

pub fn set_in_a_new_object(a: i64, b: i64) -> i64 {
    let s = settings(a, b);
    s.version.set(a);
    s.narrow.set(b as u8);
    s.on.set(!s.on.get());
    s.factor.set(s.factor.get() * 3.0);
    s.leaf.get().number.set(7);
    let sum = s.version.get().wrapping_add(i64::from(s.narrow.get()));
    let scaled = (s.factor.get() * 4.0) as i64 + s.leaf.get().number.get();
    sum.wrapping_add(scaled).wrapping_add(i64::from(s.on.get()))
}

pub fn set_in_a_known_object(a: i64, b: i64) -> i64 {
    let s = keep(settings(a, b));
    s.version.set(s.version.get().wrapping_add(1));
    s.other.set(Some(s));
    match s.other.get() {
        Some(other) => other.version.get().wrapping_mul(2),
        None => 0,
    }
}

pub fn replaced(a: i64, b: i64) -> i64 {
    let s = keep(settings(a, b));
    let old = s.version.replace(5);
    let (x, y) = s.pair.replace((b, 1.5));
    let again = s.version.replace(6);
    old.wrapping_add(x)
        .wrapping_add(y as i64)
        .wrapping_add(again)
        .wrapping_add(s.pair.get().0)
}

pub fn values_of_several_words(a: i64, b: i64) -> i64 {
    let s = settings(a, b);
    s.mode.set(match a & 3 {
        0 => Mode::Plain,
        1 => Mode::Scaled(2.5),
        2 => Mode::Shifted { by: b, back: true },
        _ => Mode::Shifted { by: 9, back: false },
    });
    let first = by_mode(s.mode.get(), b);
    let s = keep(s);
    first.wrapping_add(by_mode(s.mode.get(), a))
}

pub fn changed_by_a_call(a: i64, b: i64) -> i64 {
    let s = settings(a, b);
    let before = by_mode(s.mode.get(), a).wrapping_add(s.version.get());
    change(s, b);
    let after = by_mode(s.mode.get(), a).wrapping_add(s.version.get());
    let result = match s.result.get() {
        Ok(x) => x,
        Err(negative) => i64::from(negative),
    };
    before
        .wrapping_mul(3)
        .wrapping_add(after)
        .wrapping_add(result)
}

// What follows is written by `cargo run -p conformance-tables`.

/// The functions, in the order of their numbers.
#[rustfmt::skip]
pub const CASES: &[&str] = &[
    "get_in_a_new_object",
    "set_in_a_new_object",
    "set_in_a_known_object",
    "replaced",
    "values_of_several_words",
    "changed_by_a_call",
];

/// Function number `case` of two numbers.
#[rustfmt::skip]
pub fn run(case: i64, a: i64, b: i64) -> i64 {
    match case {
        0 => get_in_a_new_object(a, b),
        1 => set_in_a_new_object(a, b),
        2 => set_in_a_known_object(a, b),
        3 => replaced(a, b),
        4 => values_of_several_words(a, b),
        5 => changed_by_a_call(a, b),
        _ => panic!("there is no such function"),
    }
}
