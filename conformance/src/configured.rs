//! Conditional compilation of parts of items and expressions, and macros that stand for text. In:
//! two integers. Out: one.

#![allow(
    clippy::non_minimal_cfg,
    reason = "conditions that always hold are what is tested"
)]

use verdigris::prelude::*;

#[derive(Clone, Copy)]
struct Pair {
    first: i64,
    #[cfg(all())]
    second: i64,
    #[cfg(any())]
    third: Absent,
}

fn pair(a: i64, b: i64) -> Pair {
    Pair {
        first: a,
        #[cfg(all())]
        second: b,
        #[cfg(any())]
        third: Absent,
    }
}

pub fn fields(a: i64, b: i64) -> i64 {
    let Pair {
        first,
        #[cfg(all())]
        second,
        #[cfg(any())]
        third,
    } = pair(a, b);
    first.wrapping_mul(3) ^ second
}

fn sum(
    a: i64,
    #[cfg(any())] absent: Absent,
    #[cfg_attr(all(), cfg(all()))] b: i64,
    #[cfg_attr(all(), cfg(any()))] other: Absent,
) -> i64 {
    a.wrapping_add(b)
}

impl Pair {
    fn mix(self, #[cfg(any())] absent: Absent, other: i64) -> i64 {
        self.first ^ other
    }
}

pub fn parameters(a: i64, b: i64) -> i64 {
    let called = sum(
        a,
        #[cfg(any())]
        Absent,
        b,
    );
    called
        ^ pair(a, b).mix(
            #[cfg(any())]
            Absent,
            #[cfg(all())]
            5,
        )
}

pub fn arms(a: i64, b: i64) -> i64 {
    match a & 3 {
        #[cfg(any())]
        0 => absent(),
        #[cfg(all())]
        0 => b,
        #[cfg(any())]
        Absent => 3,
        1 => 7,
        _ => a,
    }
}

pub fn statements(a: i64, b: i64) -> i64 {
    let mut x = a;
    #[cfg(any())]
    let x = Absent;
    #[cfg(any())]
    {
        x = absent();
    }
    #[cfg(all())]
    {
        x ^= b;
    }
    #[cfg(any())]
    absent!();
    #[cfg(not(all()))]
    return absent();
    x
}

#[gc]
struct Counter {
    count: Cell<i64>,
}

#[opaque]
fn length(text: &str) -> i64 {
    text.len() as i64
}

pub fn texts(a: i64, b: i64) -> i64 {
    let joined = length(concat!("a", 1, true, 'c', -2.5, "\n"));
    let quoted = length(stringify!(a + b * 2));
    let counter = Gc::new(Counter {
        #[cfg(any())]
        absent: Absent,
        count: Cell::new(joined),
    });
    counter.count.get() * a.wrapping_shr(3) + quoted * (b & 3)
}

pub fn constant_blocks(a: i64, b: i64) -> i64 {
    let limit = const {
        let base = 40;
        base + 2
    };
    if a > limit { b } else { a ^ const { 1 << 5 } }
}

// What follows is written by `cargo run -p conformance-tables`.

/// The functions, in the order of their numbers.
#[rustfmt::skip]
pub const CASES: &[&str] = &[
    "fields",
    "parameters",
    "arms",
    "statements",
    "texts",
    "constant_blocks",
];

/// Function number `case` of two numbers.
#[rustfmt::skip]
pub fn run(case: i64, a: i64, b: i64) -> i64 {
    match case {
        0 => fields(a, b),
        1 => parameters(a, b),
        2 => arms(a, b),
        3 => statements(a, b),
        4 => texts(a, b),
        5 => constant_blocks(a, b),
        _ => panic!("there is no such function"),
    }
}
