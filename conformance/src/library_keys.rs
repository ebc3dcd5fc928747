//! Keys of several words in maps of the library. In: two integers. Out: one, in which every entry
//! counts.

use verdigris::{Key, Map, Str, prelude::*};

#[opaque]
fn text(n: i64) -> Gc<Str> {
    Str::new(if n & 1 == 0 { "even" } else { "odd" })
}

#[value]
#[derive(Clone, Copy, PartialEq)]
pub enum Value {
    Nil,
    Int(i64),
    Float(f64),
    Text(Gc<Str>),
}

impl Key for Value {
    fn hash(self) -> u64 {
        match self {
            Value::Nil => 1,
            Value::Int(n) => n as u64 & 3,
            Value::Float(x) => x.to_bits(),
            Value::Text(text) => text.hash(),
        }
    }
    fn same(self, other: Self) -> bool {
        match (self, other) {
            (Value::Nil, Value::Nil) => true,
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Float(a), Value::Float(b)) => a == b,
            (Value::Text(a), Value::Text(b)) => a.same(b),
            _ => false,
        }
    }
}

fn value(kind: i64, n: i64) -> Value {
    match kind & 3 {
        0 => Value::Nil,
        1 => Value::Int(n),
        2 => Value::Float(n as f64),
        _ => Value::Text(text(n)),
    }
}

fn keyed(map: Gc<Map<Value, i64>>, a: i64, b: i64) -> i64 {
    let old = map.insert(value(a, b), a).unwrap_or(-1);
    map.insert(value(b, a), 7);
    let found = map.get(value(a >> 2, b)).unwrap_or(-2);
    let gone = map.remove(value(b, a)).unwrap_or(-3);
    let there = map.contains(value(a, b)) as i64;
    old.wrapping_mul(3)
        .wrapping_add(found)
        .wrapping_mul(3)
        .wrapping_add(gone + there)
        .wrapping_mul(3)
        .wrapping_add(map.len() as i64)
}

#[opaque]
fn kept(len: i64) -> Gc<Map<Value, i64>> {
    let map = Map::new();
    for n in 0..len {
        map.insert(value(n, n / 2), n);
    }
    map
}

pub fn own_keys_of_values(a: i64, b: i64) -> i64 {
    keyed(Map::new(), a, b)
}

pub fn kept_keys_of_values(a: i64, b: i64) -> i64 {
    keyed(kept(a & 31), a, b)
}

pub fn constant_keys_of_values(a: i64, b: i64) -> i64 {
    let map: Gc<Map<Value, i64>> = Map::new();
    map.insert(Value::Int(1), a);
    map.insert(Value::Nil, b);
    map.insert(Value::Int(1), a ^ b);
    map.get(Value::Int(1))
        .unwrap_or(0)
        .wrapping_sub(map.get(Value::Nil).unwrap_or(0))
}

#[unroll_safe]
pub fn walked_keys_of_values(a: i64, b: i64) -> i64 {
    let map = kept(a & 15);
    map.insert(value(b, 100), 5);
    let (mut all, mut from) = (0i64, 0);
    while let Some(number) = map.entry_from(from) {
        let key = match map.key_at(number) {
            Value::Nil => 1,
            Value::Int(n) => n,
            Value::Float(x) => x as i64,
            Value::Text(text) => text.len() as i64,
        };
        all = all.wrapping_mul(31).wrapping_add(key);
        from = number + 1;
    }
    let keys = map.keys();
    let last = keys.pop();
    all.wrapping_add(keys.len() as i64 + last.is_some() as i64)
}

// What follows is written by `cargo run -p conformance-tables`.

/// The functions, in the order of their numbers.
#[rustfmt::skip]
pub const CASES: &[&str] = &[
    "own_keys_of_values",
    "kept_keys_of_values",
    "constant_keys_of_values",
    "walked_keys_of_values",
];

/// Function number `case` of two numbers.
#[rustfmt::skip]
pub fn run(case: i64, a: i64, b: i64) -> i64 {
    match case {
        0 => own_keys_of_values(a, b),
        1 => kept_keys_of_values(a, b),
        2 => constant_keys_of_values(a, b),
        3 => walked_keys_of_values(a, b),
        _ => panic!("there is no such function"),
    }
}
