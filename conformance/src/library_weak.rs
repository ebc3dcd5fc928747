//! Weak references of the library, to objects that are alive. In: two integers. Out: one. When an
//! object is gone only the collector knows: `examples/collections` has a loop for that.

use verdigris::{List, Map, WeakRef, prelude::*};

#[gc]
pub struct Node {
    value: i64,
    mutable: Cell<i64>,
}

#[gc]
pub struct Nil {}

#[object(Obj)]
pub enum ObjKind {
    Node(Gc<Node>),
    Nil(Gc<Nil>),
}

#[opaque]
fn node(value: i64) -> Gc<Node> {
    Gc::new(Node {
        value,
        mutable: Cell::new(value),
    })
}

pub fn alive(a: i64, b: i64) -> i64 {
    let node = node(a);
    let weak = WeakRef::new(node);
    let found = match weak.get() {
        Some(found) => found.value,
        None => b,
    };
    found.wrapping_mul(3).wrapping_add(node.mutable.get())
}

pub fn to_an_object_of_the_trace(a: i64, b: i64) -> i64 {
    let node = Gc::new(Node {
        value: a,
        mutable: Cell::new(b),
    });
    let weak = WeakRef::new(node);
    node.mutable.set(b ^ 5);
    let same = weak.get().is_some_and(|found| Gc::ptr_eq(found, node));
    let seen = weak.get().map_or(0, |found| found.mutable.get());
    seen.wrapping_add(same as i64).wrapping_add(node.value)
}

pub fn changes_are_seen(a: i64, b: i64) -> i64 {
    let node = node(a);
    let weak = WeakRef::new(node);
    let before = weak.get().map_or(0, |found| found.mutable.get());
    if let Some(found) = weak.get() {
        found.mutable.set(b);
    }
    before.wrapping_sub(node.mutable.get())
}

pub fn to_objects(a: i64, b: i64) -> i64 {
    let object = match a & 1 {
        0 => Obj::from(node(b)),
        _ => Obj::from(Gc::new(Nil {})),
    };
    let weak = WeakRef::new(object);
    let found = match weak.get() {
        Some(found) => weigh(found),
        None => -1,
    };
    found.wrapping_add(weigh(object))
}

fn weigh(object: Obj) -> i64 {
    match object.kind() {
        ObjKind::Node(node) => node.value,
        ObjKind::Nil(_) => 17,
    }
}

pub fn in_lists_and_maps(a: i64, b: i64) -> i64 {
    let (x, y) = (node(a), node(b));
    let list = List::new();
    list.push(WeakRef::new(x));
    let map = Map::new();
    map.insert(a, WeakRef::new(y));
    map.insert(b, list.at(0));
    let first = list.pop().and_then(|weak| weak.get());
    let second = map.get(a).and_then(|weak| weak.get());
    let values = (first.map_or(1, |n| n.value), second.map_or(2, |n| n.value));
    values
        .0
        .wrapping_mul(5)
        .wrapping_add(values.1)
        .wrapping_add(x.value ^ y.value)
}

// What follows is written by `cargo run -p conformance-tables`.

/// The functions, in the order of their numbers.
#[rustfmt::skip]
pub const CASES: &[&str] = &[
    "alive",
    "to_an_object_of_the_trace",
    "changes_are_seen",
    "to_objects",
    "in_lists_and_maps",
];

/// Function number `case` of two numbers.
#[rustfmt::skip]
pub fn run(case: i64, a: i64, b: i64) -> i64 {
    match case {
        0 => alive(a, b),
        1 => to_an_object_of_the_trace(a, b),
        2 => changes_are_seen(a, b),
        3 => to_objects(a, b),
        4 => in_lists_and_maps(a, b),
        _ => panic!("there is no such function"),
    }
}
