//! Functions over objects whose class is found out: the thin pointers of `#[object]`. In: two
//! integers. Out: one.

use verdigris::prelude::*;

#[gc]
pub struct Int {
    value: i64,
}

#[gc]
pub struct Float {
    value: f64,
}

#[gc]
pub struct Text {
    length: Cell<i64>,
}

#[gc]
pub struct Nil {}

#[gc]
pub struct Link {
    head: Obj,
    tail: Cell<Option<Obj>>,
}

#[object(Obj)]
pub enum Kind {
    Int(Gc<Int>),
    Float(Gc<Float>),
    Text(Gc<Text>),
    Nil(Gc<Nil>),
    Link(Gc<Link>),
}

impl Obj {
    fn int(value: i64) -> Obj {
        Obj::from(Gc::new(Int { value }))
    }

    fn add(self, other: Obj) -> Obj {
        match self.kind() {
            Kind::Int(x) => match other.kind() {
                Kind::Int(y) => Obj::int(x.value.wrapping_add(y.value)),
                Kind::Float(y) => float(x.value as f64 + y.value),
                _ => self,
            },
            Kind::Float(x) => match other.kind() {
                Kind::Int(y) => float(x.value + y.value as f64),
                Kind::Float(y) => float(x.value + y.value),
                _ => other,
            },
            _ => Obj::from(Gc::new(Nil {})),
        }
    }

    fn truth(self) -> bool {
        match self.kind() {
            Kind::Int(i) => i.value != 0,
            Kind::Nil(_) => false,
            _ => true,
        }
    }
}

fn float(value: f64) -> Obj {
    Obj::from(Gc::new(Float { value }))
}

fn object(a: i64) -> Obj {
    match a & 3 {
        0 => Obj::int(a),
        1 => float(a as f64 / 2.0),
        2 => Obj::from(Gc::new(Text {
            length: Cell::new(a),
        })),
        _ => Obj::from(Gc::new(Nil {})),
    }
}

fn code(o: Obj) -> i64 {
    match o.kind() {
        Kind::Int(i) => i.value,
        Kind::Float(f) => f.value as i64,
        Kind::Text(t) => t.length.get().wrapping_neg(),
        Kind::Nil(_) => 77,
        Kind::Link(l) => match l.head.kind() {
            Kind::Int(i) => i.value ^ 1,
            _ => 78,
        },
    }
}

fn link(head: Obj, tail: Option<Obj>) -> Obj {
    Obj::from(Gc::new(Link {
        head,
        tail: Cell::new(tail),
    }))
}

/// An object that the JIT knows nothing of.
#[opaque]
pub fn unknown(a: i64) -> Obj {
    object(a)
}

/// What is said of an object elsewhere.
#[opaque]
pub fn weigh(o: Obj) -> i64 {
    code(o).wrapping_mul(3)
}

pub fn classes_are_found_out(a: i64, b: i64) -> i64 {
    code(object(a)).wrapping_sub(code(object(b)))
}

pub fn classes_of_unknown_objects(a: i64, b: i64) -> i64 {
    code(unknown(a)).wrapping_add(code(unknown(b)))
}

pub fn mixed_sums(a: i64, b: i64) -> i64 {
    code(object(a).add(object(b)))
}

pub fn sums_of_unknown_objects(a: i64, b: i64) -> i64 {
    code(unknown(a).add(object(b)).add(Obj::int(1)))
}

pub fn truth_values(a: i64, b: i64) -> i64 {
    let (x, y) = (object(a), object(b));
    x.truth() as i64 + 2 * (x.truth() && y.truth()) as i64 + 4 * (!y.truth()) as i64
}

pub fn one_class_of_many(a: i64, b: i64) -> i64 {
    if let Kind::Int(i) = object(a).kind() {
        return i.value ^ b;
    }
    match object(b).kind() {
        Kind::Text(t) => {
            t.length.set(t.length.get() + 1);
            t.length.get()
        }
        _ => 3,
    }
}

pub fn let_else_on_classes(a: i64, b: i64) -> i64 {
    let Kind::Float(f) = object(a).kind() else {
        return b;
    };
    (f.value * 4.0) as i64
}

pub fn several_classes_in_an_arm(a: i64, b: i64) -> i64 {
    match object(a).kind() {
        Kind::Nil(_) | Kind::Link(_) => 1,
        Kind::Text(t) if t.length.get() > b => 2,
        Kind::Text(_) | Kind::Float(_) => 3,
        Kind::Int(i) => i.value,
    }
}

pub fn identity_of_objects(a: i64, b: i64) -> i64 {
    let (x, y) = (object(a), object(a));
    let z = if a < b { x } else { y };
    Obj::ptr_eq(x, y) as i64 + 2 * Obj::ptr_eq(x, z) as i64
}

pub fn objects_in_links(a: i64, b: i64) -> i64 {
    code(link(object(a), None)).wrapping_add(b & 1)
}

#[unroll_safe]
pub fn chains_of_objects(a: i64, b: i64) -> i64 {
    let mut at = Some(link(object(a), Some(link(Obj::int(b), None))));
    let mut sum = 0i64;
    while let Some(o) = at {
        at = match o.kind() {
            Kind::Link(l) => {
                sum = sum.wrapping_mul(3).wrapping_add(code(l.head));
                l.tail.get()
            }
            _ => None,
        };
    }
    sum
}

pub fn tails_are_changed(a: i64, b: i64) -> i64 {
    let first = Gc::new(Link {
        head: Obj::int(a),
        tail: Cell::new(None),
    });
    first.tail.set(Some(object(b)));
    match first.tail.get() {
        Some(o) => code(o),
        None => 0,
    }
}

pub fn objects_leave(a: i64, b: i64) -> i64 {
    weigh(object(a)).wrapping_add(weigh(Obj::int(b)))
}

#[unroll_safe]
pub fn boxed_loops(a: i64, b: i64) -> i64 {
    let mut sum = Obj::int(a);
    let mut n = 0;
    while n < 5 {
        sum = sum.add(if n == 3 { object(b) } else { Obj::int(n) });
        n += 1;
    }
    code(sum)
}

pub fn promoted_objects(a: i64, b: i64) -> i64 {
    let kind = promote(a & 1);
    if kind == 0 {
        code(object(b))
    } else {
        code(Obj::int(b)) ^ 1
    }
}

// What follows is written by `cargo run -p conformance-tables`.

/// The functions, in the order of their numbers.
#[rustfmt::skip]
pub const CASES: &[&str] = &[
    "classes_are_found_out",
    "classes_of_unknown_objects",
    "mixed_sums",
    "sums_of_unknown_objects",
    "truth_values",
    "one_class_of_many",
    "let_else_on_classes",
    "several_classes_in_an_arm",
    "identity_of_objects",
    "objects_in_links",
    "chains_of_objects",
    "tails_are_changed",
    "objects_leave",
    "boxed_loops",
    "promoted_objects",
];

/// Function number `case` of two numbers.
#[rustfmt::skip]
pub fn run(case: i64, a: i64, b: i64) -> i64 {
    match case {
        0 => classes_are_found_out(a, b),
        1 => classes_of_unknown_objects(a, b),
        2 => mixed_sums(a, b),
        3 => sums_of_unknown_objects(a, b),
        4 => truth_values(a, b),
        5 => one_class_of_many(a, b),
        6 => let_else_on_classes(a, b),
        7 => several_classes_in_an_arm(a, b),
        8 => identity_of_objects(a, b),
        9 => objects_in_links(a, b),
        10 => chains_of_objects(a, b),
        11 => tails_are_changed(a, b),
        12 => objects_leave(a, b),
        13 => boxed_loops(a, b),
        14 => promoted_objects(a, b),
        _ => panic!("there is no such function"),
    }
}
