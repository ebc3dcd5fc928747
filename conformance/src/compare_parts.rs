//! Which methods of its parts a comparison calls: the parts have each method of the traits, and
//! write down that it has been called. In: two integers. Out: one.

use std::cmp::Ordering;
use verdigris::prelude::*;

#[gc]
pub struct Log {
    calls: Cell<i64>,
}

/// A number of which each method says something of its own.
#[derive(Clone, Copy)]
pub struct Odd {
    n: i64,
    log: Gc<Log>,
}

impl Odd {
    fn note(self, what: i64) {
        let calls = self.log.calls.get();
        self.log
            .calls
            .set(calls.wrapping_mul(31).wrapping_add(what));
    }
}

impl PartialEq for Odd {
    fn eq(&self, other: &Odd) -> bool {
        self.note(1);
        self.n == other.n
    }
    fn ne(&self, other: &Odd) -> bool {
        self.note(2);
        self.n > other.n
    }
}

impl Eq for Odd {}

impl PartialOrd for Odd {
    fn partial_cmp(&self, other: &Odd) -> Option<Ordering> {
        self.note(3);
        if self.n == 3 {
            return None;
        }
        self.n.partial_cmp(&other.n)
    }
    fn lt(&self, other: &Odd) -> bool {
        self.note(4);
        self.n < other.n + 1
    }
    fn le(&self, other: &Odd) -> bool {
        self.note(5);
        self.n & 1 == 0 || other.n > 0
    }
    fn gt(&self, other: &Odd) -> bool {
        self.note(6);
        self.n > other.n + 1
    }
    fn ge(&self, other: &Odd) -> bool {
        self.note(7);
        self.n ^ other.n > 1
    }
}

impl Ord for Odd {
    fn cmp(&self, other: &Odd) -> Ordering {
        self.note(8);
        self.n.cmp(&other.n).reverse()
    }
    fn max(self, other: Odd) -> Odd {
        self.note(9);
        if self.n > 1 { self } else { other }
    }
    fn min(self, other: Odd) -> Odd {
        self.note(10);
        if self.n < 2 { self } else { other }
    }
}

fn odd(n: i64, log: Gc<Log>) -> Odd {
    Odd { n: n & 3, log }
}

fn new_log() -> Gc<Log> {
    Gc::new(Log {
        calls: Cell::new(1),
    })
}

/// All comparisons of two values, and what has been called.
fn all<T: Ord + Copy>(x: T, y: T, log: Gc<Log>) -> i64 {
    let (same, other) = (x == y, x != y);
    let (less, most) = (x < y, x <= y);
    let (more, least) = (x > y, x >= y);
    let bit = |holds: bool, n: i64| (holds as i64) << n;
    let mut found = bit(same, 0) | bit(other, 1) | bit(less, 2) | bit(most, 3);
    found |= bit(more, 4) | bit(least, 5);
    log.calls.set(log.calls.get() ^ 5);
    let order = x.partial_cmp(&y).map_or(7, |order| order as i64);
    let total = x.cmp(&y) as i64;
    let max = x.max(y) == y;
    let min = x.min(y) == y;
    found = found * 8 + order;
    found = found * 8 + total;
    found = found * 4 + max as i64 * 2 + min as i64;
    found.wrapping_mul(10007) ^ log.calls.get()
}

pub fn of_one(a: i64, b: i64) -> i64 {
    let log = new_log();
    all(odd(a, log), odd(b, log), log) ^ all((odd(a, log),), (odd(b, log),), log)
}

pub fn of_pairs(a: i64, b: i64) -> i64 {
    let log = new_log();
    let (x, y) = (
        (odd(a, log), odd(a >> 2, log)),
        (odd(b, log), odd(b >> 2, log)),
    );
    all(x, y, log)
}

pub fn of_triples(a: i64, b: i64) -> i64 {
    let log = new_log();
    let x = (a & 1, odd(a, log), odd(a >> 2, log));
    let y = (b & 1, odd(b, log), odd(b >> 2, log));
    all(x, y, log)
}

pub fn of_nested_tuples(a: i64, b: i64) -> i64 {
    let log = new_log();
    let inner = |n: i64| (odd(n, log), odd(n >> 2, log));
    let first = all((inner(a), odd(1, log)), (inner(b), odd(2, log)), log);
    let second = all((odd(1, log), inner(a)), (odd(1, log), inner(b)), log);
    first ^ second.wrapping_mul(3)
}

pub fn of_options(a: i64, b: i64) -> i64 {
    let log = new_log();
    let maybe = |n: i64| if n & 4 == 0 { Some(odd(n, log)) } else { None };
    let first = all(maybe(a), maybe(b), log);
    let pair = |n: i64| (maybe(n), odd(n >> 3, log));
    first ^ all(pair(a), pair(b), log).wrapping_mul(3)
}

pub fn of_results(a: i64, b: i64) -> i64 {
    let log = new_log();
    let result = |n: i64| -> Result<Odd, Odd> {
        if n & 4 == 0 {
            Ok(odd(n, log))
        } else {
            Err(odd(n, log))
        }
    };
    all(result(a), result(b), log)
}

pub fn of_arrays(a: i64, b: i64) -> i64 {
    let log = new_log();
    let array = |n: i64| [odd(n, log), odd(n >> 2, log)];
    all(array(a), array(b), log)
}

pub fn of_arrays_of_pairs(a: i64, b: i64) -> i64 {
    let log = new_log();
    let pairs = |n: i64| [(odd(n, log), odd(n >> 2, log))];
    all(pairs(a), pairs(b), log)
}

pub fn of_arrays_in_pairs(a: i64, b: i64) -> i64 {
    let log = new_log();
    let array = |n: i64| [odd(n, log), odd(n >> 2, log)];
    all((array(a), odd(1, log)), (array(b), odd(2, log)), log)
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct One(Odd);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Two {
    first: Odd,
    second: (Odd, Odd),
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Some3 {
    Pair(Odd, Odd),
    Single(Odd),
    Nothing,
}

pub fn of_derived_structs(a: i64, b: i64) -> i64 {
    let log = new_log();
    let first = all(One(odd(a, log)), One(odd(b, log)), log);
    let two = |n: i64| Two {
        first: odd(n, log),
        second: (odd(n >> 2, log), odd(n >> 4, log)),
    };
    first ^ all(two(a), two(b), log).wrapping_mul(3)
}

pub fn of_derived_enums(a: i64, b: i64) -> i64 {
    let log = new_log();
    let some = |n: i64| match n & 12 {
        0 => Some3::Single(odd(n, log)),
        4 => Some3::Nothing,
        _ => Some3::Pair(odd(n, log), odd(n >> 4, log)),
    };
    let pair = |n: i64| (One(odd(n, log)), odd(n >> 2, log));
    all(some(a), some(b), log) ^ all(pair(a), pair(b), log).wrapping_mul(3)
}

/// Two of these are never different, and seldom the same.
#[derive(Clone, Copy, Debug)]
pub struct Blurred(pub i64);

impl PartialEq for Blurred {
    fn eq(&self, other: &Blurred) -> bool {
        (self.0 ^ other.0) & 3 == 0
    }
    fn ne(&self, _: &Blurred) -> bool {
        false
    }
}

pub fn of_asserts(a: i64, b: i64) -> i64 {
    let (x, y) = (Blurred(a), Blurred(b));
    assert_ne!(x, y);
    a ^ b.wrapping_mul(3)
}

// What follows is written by `cargo run -p conformance-tables`.

/// The functions, in the order of their numbers.
#[rustfmt::skip]
pub const CASES: &[&str] = &[
    "of_one",
    "of_pairs",
    "of_triples",
    "of_nested_tuples",
    "of_options",
    "of_results",
    "of_arrays",
    "of_arrays_of_pairs",
    "of_arrays_in_pairs",
    "of_derived_structs",
    "of_derived_enums",
    "of_asserts",
];

/// Function number `case` of two numbers.
#[rustfmt::skip]
pub fn run(case: i64, a: i64, b: i64) -> i64 {
    match case {
        0 => of_one(a, b),
        1 => of_pairs(a, b),
        2 => of_triples(a, b),
        3 => of_nested_tuples(a, b),
        4 => of_options(a, b),
        5 => of_results(a, b),
        6 => of_arrays(a, b),
        7 => of_arrays_of_pairs(a, b),
        8 => of_arrays_in_pairs(a, b),
        9 => of_derived_structs(a, b),
        10 => of_derived_enums(a, b),
        11 => of_asserts(a, b),
        _ => panic!("there is no such function"),
    }
}
