//! Identity hashes, and keys by identity. In: two integers. Out: one that does not depend on where
//! the objects are.

use verdigris::{library::prelude::*, prelude::*};

/// A key by identity.
#[gc]
pub struct Node {
    value: i64,
    mutable: Cell<i64>,
}

impl KeyObject for Node {}

#[gc]
pub struct Nil {}

#[object(Obj)]
pub enum ObjKind {
    Node(Gc<Node>),
    Nil(Gc<Nil>),
}

/// An object is the key, whatever class it has.
impl Key for Obj {
    fn hash(self) -> u64 {
        identity_hash(self)
    }
    fn same(self, other: Self) -> bool {
        self == other
    }
}

/// A value of a dynamic language, with parts that are compared by identity.
#[value]
#[derive(Clone, Copy)]
pub enum Value {
    Nil,
    Int(i64),
    Node(Gc<Node>),
    Table(Gc<Map<i64, i64>>),
}

impl Key for Value {
    fn hash(self) -> u64 {
        match self {
            Value::Nil => 0,
            Value::Int(n) => n.hash(),
            Value::Node(node) => node.hash(),
            Value::Table(table) => identity_hash(table),
        }
    }
    fn same(self, other: Self) -> bool {
        match (self, other) {
            (Value::Nil, Value::Nil) => true,
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Node(a), Value::Node(b)) => a == b,
            (Value::Table(a), Value::Table(b)) => a == b,
            _ => false,
        }
    }
}

/// An array that is a key by identity.
#[value]
#[derive(Clone, Copy)]
pub struct Items(GcArray<Cell<i64>>);

impl Key for Items {
    fn hash(self) -> u64 {
        identity_hash(self.0)
    }
    fn same(self, other: Self) -> bool {
        self.0 == other.0
    }
}

fn own(value: i64) -> Gc<Node> {
    Gc::new(Node {
        value,
        mutable: Cell::new(value),
    })
}

#[opaque]
fn kept(value: i64) -> Gc<Node> {
    own(value)
}

/// Three bits about two numbers.
fn compared(a: u64, b: u64, c: u64) -> i64 {
    (a == b) as i64 + (b == c) as i64 * 2 + (a == c) as i64 * 4
}

pub fn of_objects_of_the_trace(a: i64, b: i64) -> i64 {
    let (x, y) = (own(a), own(b));
    let first = identity_hash(x);
    x.mutable.set(b);
    compared(first, identity_hash(x), identity_hash(y)).wrapping_add(x.mutable.get())
}

pub fn of_objects_that_exist(a: i64, b: i64) -> i64 {
    let (x, y) = (kept(a), kept(b));
    let z = if a & 1 == 0 { x } else { y };
    compared(identity_hash(x), identity_hash(y), identity_hash(z))
}

pub fn of_arrays_and_collections(a: i64, b: i64) -> i64 {
    let array: GcArray<Cell<i64>> = GcArray::new((a & 7) as usize, b);
    let other: GcArray<Cell<i64>> = GcArray::new((a & 7) as usize, b);
    let arrays = compared(
        identity_hash(array),
        identity_hash(other),
        identity_hash(array),
    );
    let (list, map): (Gc<List<i64>>, Gc<Map<i64, i64>>) = (List::new(), Map::new());
    (a ^ b) * 64
        + arrays * 8
        + compared(identity_hash(list), identity_hash(map), identity_hash(list))
}

pub fn of_object_types(a: i64, b: i64) -> i64 {
    let node = kept(a);
    let object = match b & 1 {
        0 => Obj::from(node),
        _ => Obj::from(Gc::new(Nil {})),
    };
    compared(
        identity_hash(node),
        identity_hash(object),
        identity_hash(Obj::from(node)),
    )
}

pub fn of_a_promoted_object(a: i64, b: i64) -> i64 {
    let node = promote(kept(a));
    let same = identity_hash(node) == identity_hash(kept(b));
    (identity_hash(node) == identity_hash(node)) as i64 + same as i64 * 2 + a * 4
}

/// The lowest bits of the hashes of a few objects are not all the same.
#[unroll_safe]
pub fn lowest_bits_are_mixed(a: i64, b: i64) -> i64 {
    let (mut ones, mut n) = (0, 0);
    while n < 40 {
        ones += identity_hash(kept(a)) & 1;
        n += 1;
    }
    (ones > 0 && ones < 40) as i64 + (b & 3)
}

pub fn known_secret(a: i64, b: i64) -> i64 {
    let secret = HashSecret::of(a as u64, 5);
    secret.hash(b as u64) as i64
}

pub fn constant_of_a_known_secret(a: i64, b: i64) -> i64 {
    let secret = HashSecret::of(3, 5);
    (secret.hash(7) as i64).wrapping_add(a ^ b)
}

pub fn secret_of_objects(a: i64, b: i64) -> i64 {
    let (x, y) = (kept(a), kept(b));
    let (secret, other) = (HashSecret::random(), HashSecret::random());
    let same = compared(
        secret.identity_hash(x),
        secret.identity_hash(y),
        secret.identity_hash(x),
    );
    (a ^ b) * 16 + same * 2 + (other.identity_hash(x) == secret.identity_hash(x)) as i64
}

/// What a map of nodes gives for some that are in it and some that are not.
fn keyed(map: Gc<Map<Gc<Node>, i64>>, a: i64, b: i64) -> i64 {
    let (x, y) = (kept(a), kept(a));
    map.insert(x, b);
    map.insert(y, 3);
    map.insert(x, a ^ b);
    let found = map
        .get(x)
        .unwrap_or(-1)
        .wrapping_sub(map.get(y).unwrap_or(-2));
    let none = map.get(own(a)).unwrap_or(-5);
    let gone = map.remove(y).unwrap_or(-3);
    found
        .wrapping_mul(3)
        .wrapping_add(none)
        .wrapping_mul(3)
        .wrapping_add(gone + map.len() as i64)
}

#[opaque]
fn map(len: i64) -> Gc<Map<Gc<Node>, i64>> {
    let map = Map::new();
    for n in 0..len {
        map.insert(own(n), n);
    }
    map
}

pub fn own_keys_by_identity(a: i64, b: i64) -> i64 {
    keyed(Map::new(), a, b)
}

pub fn kept_keys_by_identity(a: i64, b: i64) -> i64 {
    keyed(map(a & 31), a, b)
}

pub fn objects_as_keys(a: i64, b: i64) -> i64 {
    let (node, nil) = (kept(a), Gc::new(Nil {}));
    let map = Map::new();
    map.insert(Obj::from(node), a);
    map.insert(Obj::from(nil), b);
    let found = map.get(Obj::from(node)).unwrap_or(-1);
    let other = map.get(Obj::from(nil)).unwrap_or(-2);
    let none = map.get(Obj::from(kept(b))).unwrap_or(-3);
    found.wrapping_mul(3).wrapping_sub(other) ^ none
}

pub fn arrays_as_keys(a: i64, b: i64) -> i64 {
    let array: GcArray<Cell<i64>> = GcArray::new(2, a);
    let other: GcArray<Cell<i64>> = GcArray::new(2, a);
    let map = Map::new();
    map.insert(Items(array), a);
    map.insert(Items(other), b);
    array[0].set(b);
    map.get(Items(array))
        .unwrap_or(-1)
        .wrapping_sub(map.get(Items(other)).unwrap_or(-2))
}

pub fn collections_as_keys(a: i64, b: i64) -> i64 {
    let (list, other): (Gc<List<i64>>, Gc<List<i64>>) = (List::new(), List::new());
    let map = Map::new();
    map.insert(list, a);
    list.push(b);
    map.get(list).unwrap_or(-1) ^ map.get(other).unwrap_or(-2)
}

#[opaque]
fn values(node: Gc<Node>, table: Gc<Map<i64, i64>>, len: i64) -> Gc<Map<Value, i64>> {
    let map = Map::new();
    for n in 0..len {
        map.insert(Value::Int(n), n);
        map.insert(Value::Node(own(n)), -n);
    }
    map.insert(Value::Node(node), 100);
    map.insert(Value::Table(table), 200);
    map
}

pub fn values_as_keys(a: i64, b: i64) -> i64 {
    let (node, table) = (kept(a), Map::new());
    table.insert(b, a);
    let map = values(node, table, a & 15);
    let key = match b & 3 {
        0 => Value::Nil,
        1 => Value::Int(b & 31),
        2 => Value::Node(node),
        _ => Value::Table(table),
    };
    let found = map.get(key).unwrap_or(-1);
    let nothing = map.get(Value::Node(kept(a))).unwrap_or(-2);
    let number = map.get_or_insert(key, a);
    map.retire(Value::Node(node));
    let gone = map
        .entry_or_retired(Value::Node(node))
        .map_or(-3, |n| n as i64);
    found
        .wrapping_mul(5)
        .wrapping_add(nothing)
        .wrapping_mul(5)
        .wrapping_add(number ^ gone)
}

// What follows is written by `cargo run -p conformance-tables`.

/// The functions, in the order of their numbers.
#[rustfmt::skip]
pub const CASES: &[&str] = &[
    "of_objects_of_the_trace",
    "of_objects_that_exist",
    "of_arrays_and_collections",
    "of_object_types",
    "of_a_promoted_object",
    "lowest_bits_are_mixed",
    "known_secret",
    "constant_of_a_known_secret",
    "secret_of_objects",
    "own_keys_by_identity",
    "kept_keys_by_identity",
    "objects_as_keys",
    "arrays_as_keys",
    "collections_as_keys",
    "values_as_keys",
];

/// Function number `case` of two numbers.
#[rustfmt::skip]
pub fn run(case: i64, a: i64, b: i64) -> i64 {
    match case {
        0 => of_objects_of_the_trace(a, b),
        1 => of_objects_that_exist(a, b),
        2 => of_arrays_and_collections(a, b),
        3 => of_object_types(a, b),
        4 => of_a_promoted_object(a, b),
        5 => lowest_bits_are_mixed(a, b),
        6 => known_secret(a, b),
        7 => constant_of_a_known_secret(a, b),
        8 => secret_of_objects(a, b),
        9 => own_keys_by_identity(a, b),
        10 => kept_keys_by_identity(a, b),
        11 => objects_as_keys(a, b),
        12 => arrays_as_keys(a, b),
        13 => collections_as_keys(a, b),
        14 => values_as_keys(a, b),
        _ => panic!("there is no such function"),
    }
}
