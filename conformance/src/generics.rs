//! Generic functions and types, each used with several types. In: two integers. Out: one.

use verdigris::{List, Word, prelude::*};

#[derive(Clone, Copy, PartialEq)]
pub struct Pair<A, B = A> {
    first: A,
    second: B,
}

impl<A: Copy, B: Copy> Pair<A, B> {
    const PARTS: i64 = 2;
    fn new(first: A, second: B) -> Self {
        Self { first, second }
    }
    fn swap(self) -> Pair<B, A> {
        Pair {
            first: self.second,
            second: self.first,
        }
    }
    fn with<C>(self, second: C) -> Pair<A, C> {
        Pair {
            first: self.first,
            second,
        }
    }
    fn first(&self) -> A {
        self.first
    }
}

impl Pair<i64, bool> {
    fn only(self) -> i64 {
        if self.second { self.first } else { -self.first }
    }
}

impl Pair<i64, i64> {
    fn only(self) -> i64 {
        self.first - self.second
    }
}

#[derive(Clone, Copy, PartialEq)]
pub enum Maybe<T> {
    No,
    Yes(T),
    Both { left: T, right: T },
}

impl<T: Copy> Maybe<T> {
    fn or(self, other: T) -> T {
        match self {
            Self::No => other,
            Maybe::Yes(value) => value,
            Maybe::Both { left, .. } => left,
        }
    }
    fn nothing() -> Self {
        Self::No
    }
    fn wrap(self) -> Maybe<Maybe<T>> {
        Maybe::Yes(self)
    }
}

pub type Twice<T> = Pair<T, T>;
pub type Numbers = Twice<i64>;

pub struct Wrap<T>(T);

#[gc]
pub struct Node<T: Word> {
    value: T,
    seen: Cell<T>,
    next: Cell<Option<Gc<Node<T>>>>,
}

impl<T: Word> Node<T> {
    fn cons(value: T, next: Option<Gc<Node<T>>>) -> Gc<Node<T>> {
        Gc::new(Node {
            value,
            seen: Cell::new(value),
            next: Cell::new(next),
        })
    }
    fn next_or(&self, other: T) -> T {
        match self.next.get() {
            Some(next) => next.value,
            None => other,
        }
    }
    fn see(&self, value: T) -> T {
        self.seen.replace(value)
    }
}

fn id<T>(value: T) -> T {
    value
}

fn pick<A, B>(first: bool, a: A, b: B, other: A) -> (A, B) {
    if first { (a, b) } else { (other, b) }
}

fn none<T>() -> Option<T> {
    None
}

fn value_of<T: Word>(node: Gc<Node<T>>) -> T {
    node.value
}

fn half<T>(pair: (T, T), left: bool) -> T {
    if left { pair.0 } else { pair.1 }
}

fn as_result<T, E>(ok: bool, value: T, error: E) -> Result<T, E> {
    if ok { Ok(value) } else { Err(error) }
}

#[elidable]
fn mixed(a: i64, b: i64) -> i64 {
    a.wrapping_mul(31).wrapping_add(b)
}

pub fn identity(a: i64, b: i64) -> i64 {
    id(a).wrapping_add(id::<i64>(b))
}

pub fn identity_of_others(a: i64, b: i64) -> i64 {
    let flag = id(a < b);
    let float = id(2.5);
    if flag && float > 1.0 {
        id(1)
    } else {
        id((a, b)).0
    }
}

pub fn two_parameters(a: i64, b: i64) -> i64 {
    let (x, y) = pick(a > b, a, 1.5, b);
    if y > 1.0 { x } else { 0 }
}

pub fn types_from_results(a: i64, b: i64) -> i64 {
    let missing: Option<i64> = none();
    let other = none::<bool>();
    match (missing, other) {
        (None, None) => a ^ b,
        _ => 0,
    }
}

pub fn types_found_later(a: i64, b: i64) -> i64 {
    let mut best = none();
    if a > b {
        best = Some(a);
    }
    best.unwrap_or(b)
}

pub fn instances_of_structs(a: i64, b: i64) -> i64 {
    let pair = Pair::new(a, b < 0);
    let swapped = pair.swap();
    if swapped.first {
        swapped.second
    } else {
        pair.first()
    }
}

pub fn impls_of_instances(a: i64, b: i64) -> i64 {
    Pair::new(a, b > 3)
        .only()
        .wrapping_add(Pair::new(a, b).only())
}

pub fn parameters_of_methods(a: i64, b: i64) -> i64 {
    let pair = Pair::new(a, b).with(true).with((b, a));
    pair.second.0.wrapping_sub(pair.first)
}

pub fn default_parameters(a: i64, b: i64) -> i64 {
    let pair: Pair<i64> = Pair {
        first: a,
        second: b,
    };
    let numbers: Numbers = pair;
    numbers.first.wrapping_mul(numbers.second)
}

pub fn constants_of_instances(a: i64, b: i64) -> i64 {
    a.wrapping_mul(Pair::<i64, bool>::PARTS).wrapping_add(b)
}

pub fn equality_of_instances(a: i64, b: i64) -> i64 {
    let same = Pair::new(a, a == b) == Pair::new(b, true);
    let yes = Maybe::Yes(a) != Maybe::Yes(b);
    same as i64 + yes as i64 * 2
}

pub fn instances_of_enums(a: i64, b: i64) -> i64 {
    let value = if a > b { Maybe::Yes(a) } else { Maybe::No };
    value.or(b)
}

pub fn variants_with_names(a: i64, b: i64) -> i64 {
    let both = Maybe::Both { left: a, right: b };
    match both {
        Maybe::Both { left, right } if left > right => right,
        Maybe::Both { left, .. } => left,
        Maybe::Yes(_) | Maybe::No => 0,
    }
}

pub fn variants_without_fields(a: i64, b: i64) -> i64 {
    let mut value = Maybe::nothing();
    if a < 0 {
        value = Maybe::Yes(a);
    }
    let flag = Maybe::<bool>::No;
    if flag.or(b > 0) { value.or(b) } else { -1 }
}

pub fn nested_instances(a: i64, b: i64) -> i64 {
    let inner = if b > 0 { Maybe::Yes(a) } else { Maybe::No };
    match inner.wrap() {
        Maybe::Yes(Maybe::Yes(value)) => value,
        Maybe::Yes(_) => b,
        _ => 7,
    }
}

pub fn tuple_structs(a: i64, b: i64) -> i64 {
    let Wrap(x) = Wrap(a);
    let Wrap((y, flag)) = Wrap((b, a > 0));
    if flag { x.wrapping_add(y) } else { Wrap(x).0 }
}

pub fn options_and_results(a: i64, b: i64) -> i64 {
    match as_result(a > b, a, b as u8) {
        Ok(value) => value,
        Err(byte) => byte as i64,
    }
}

pub fn tuples(a: i64, b: i64) -> i64 {
    half((a, b), a < b).wrapping_add(half((1, 2), b < 0))
}

pub fn classes(a: i64, b: i64) -> i64 {
    let last = Node::cons(b, None);
    let first = Node::cons(a, Some(last));
    first.next_or(3).wrapping_sub(last.next_or(5))
}

pub fn classes_of_floats(a: i64, b: i64) -> i64 {
    let node = Node::cons(a as f64, None);
    let sum = node.value + Node::cons(b as f64, Some(node)).next_or(0.0);
    sum as i64
}

pub fn cells_of_classes(a: i64, b: i64) -> i64 {
    let node = Node::cons(a, None);
    let old = node.see(b);
    node.next.set(Some(node));
    old.wrapping_add(node.seen.get())
        .wrapping_add(node.next_or(0))
}

pub fn functions_of_classes(a: i64, b: i64) -> i64 {
    let flag = Node::cons(a > b, None);
    if value_of(flag) {
        value_of(Node::cons(a, None))
    } else {
        b
    }
}

pub fn classes_in_classes(a: i64, b: i64) -> i64 {
    let inner = Node::cons(a, None);
    let outer = Node::cons(inner, None);
    let other = Node::cons(Node::cons(b, None), Some(outer));
    other.next_or(inner).value.wrapping_mul(other.value.value)
}

pub fn literals_of_classes(a: i64, b: i64) -> i64 {
    let node: Gc<Node<u8>> = Gc::new(Node {
        value: a as u8,
        seen: Cell::new(b as u8),
        next: Cell::new(None),
    });
    node.value as i64 * 256 + node.seen.get() as i64
}

pub fn calls_between_instances(a: i64, b: i64) -> i64 {
    mixed(id(a), half((b, a), true))
}

pub fn lists(a: i64, b: i64) -> i64 {
    let list = List::new();
    list.push(a);
    list.push(b);
    list.push(a ^ b);
    list.set(0, 3);
    let last = list.pop().unwrap_or(0);
    last.wrapping_add(list.at(0))
        .wrapping_mul(list.len() as i64)
}

pub fn lists_of_references(a: i64, b: i64) -> i64 {
    let list = List::new();
    list.push(Node::cons(a, None));
    list.push(Node::cons(b, list.last()));
    match list.pop() {
        Some(node) => node.next_or(0),
        None => 0,
    }
}

pub fn lists_out_of_bounds(a: i64, b: i64) -> i64 {
    let list = List::new();
    list.push(a);
    list.at((b & 1) as usize)
}

// What follows is written by `cargo run -p conformance-tables`.

/// The functions, in the order of their numbers.
#[rustfmt::skip]
pub const CASES: &[&str] = &[
    "identity",
    "identity_of_others",
    "two_parameters",
    "types_from_results",
    "types_found_later",
    "instances_of_structs",
    "impls_of_instances",
    "parameters_of_methods",
    "default_parameters",
    "constants_of_instances",
    "equality_of_instances",
    "instances_of_enums",
    "variants_with_names",
    "variants_without_fields",
    "nested_instances",
    "tuple_structs",
    "options_and_results",
    "tuples",
    "classes",
    "classes_of_floats",
    "cells_of_classes",
    "functions_of_classes",
    "classes_in_classes",
    "literals_of_classes",
    "calls_between_instances",
    "lists",
    "lists_of_references",
    "lists_out_of_bounds",
];

/// Function number `case` of two numbers.
#[rustfmt::skip]
pub fn run(case: i64, a: i64, b: i64) -> i64 {
    match case {
        0 => identity(a, b),
        1 => identity_of_others(a, b),
        2 => two_parameters(a, b),
        3 => types_from_results(a, b),
        4 => types_found_later(a, b),
        5 => instances_of_structs(a, b),
        6 => impls_of_instances(a, b),
        7 => parameters_of_methods(a, b),
        8 => default_parameters(a, b),
        9 => constants_of_instances(a, b),
        10 => equality_of_instances(a, b),
        11 => instances_of_enums(a, b),
        12 => variants_with_names(a, b),
        13 => variants_without_fields(a, b),
        14 => nested_instances(a, b),
        15 => tuple_structs(a, b),
        16 => options_and_results(a, b),
        17 => tuples(a, b),
        18 => classes(a, b),
        19 => classes_of_floats(a, b),
        20 => cells_of_classes(a, b),
        21 => functions_of_classes(a, b),
        22 => classes_in_classes(a, b),
        23 => literals_of_classes(a, b),
        24 => calls_between_instances(a, b),
        25 => lists(a, b),
        26 => lists_of_references(a, b),
        27 => lists_out_of_bounds(a, b),
        _ => panic!("there is no such function"),
    }
}
