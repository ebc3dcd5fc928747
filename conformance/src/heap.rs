//! Functions over objects on the heap: classes, `Cell`s, arrays, references that may be missing.
//! In: two integers. Out: one. Many of the objects die where they are made, so that a trace never
//! makes them; others escape into a `Cell`.

use verdigris::prelude::*;

#[gc]
pub struct Pair {
    a: i64,
    b: i64,
}

#[gc]
pub struct Counter {
    count: Cell<i64>,
}

#[gc]
pub struct Node {
    value: i64,
    next: Option<Gc<Node>>,
}

#[gc]
pub struct Ring {
    value: Cell<i64>,
    next: Cell<Option<Gc<Ring>>>,
}

#[gc]
pub struct Mixed {
    byte: Cell<u8>,
    small: Cell<i16>,
    flag: Cell<bool>,
    float: Cell<f64>,
    word: u32,
    pair: Gc<Pair>,
    items: GcArray<Cell<i64>>,
}

#[value]
#[derive(Clone, Copy, PartialEq)]
pub enum Value {
    Nil,
    Int(i64),
    Float(f64),
    Pair(Gc<Pair>),
}

#[gc]
pub struct Slots {
    first: Cell<Value>,
    second: Cell<Value>,
}

pub struct Left;
pub struct Right;

impl Pair {
    fn new(a: i64, b: i64) -> Gc<Pair> {
        Gc::new(Pair { a, b })
    }

    fn sum(&self) -> i64 {
        self.a.wrapping_add(self.b)
    }

    fn swapped(&self) -> Gc<Pair> {
        Pair::new(self.b, self.a)
    }
}

impl Counter {
    fn new(count: i64) -> Gc<Counter> {
        Gc::new(Counter {
            count: Cell::new(count),
        })
    }

    fn add(&self, by: i64) -> i64 {
        let new = self.count.get().wrapping_add(by);
        self.count.set(new);
        new
    }
}

fn cons(value: i64, next: Option<Gc<Node>>) -> Option<Gc<Node>> {
    Some(Gc::new(Node { value, next }))
}

fn three(a: i64, b: i64) -> Option<Gc<Node>> {
    cons(a, cons(b, cons(a ^ b, None)))
}

fn mixed(a: i64, b: i64) -> Gc<Mixed> {
    Gc::new(Mixed {
        byte: Cell::new(a as u8),
        small: Cell::new(b as i16),
        flag: Cell::new(a < b),
        float: Cell::new(a as f64),
        word: b as u32,
        pair: Pair::new(a, b),
        items: GcArray::new(3, a),
    })
}

fn value(a: i64) -> Value {
    match a & 3 {
        0 => Value::Nil,
        1 => Value::Int(a),
        2 => Value::Float(a as f64 / 2.0),
        _ => Value::Pair(Pair::new(a, a >> 1)),
    }
}

fn code(v: Value) -> i64 {
    match v {
        Value::Nil => -1,
        Value::Int(i) => i,
        Value::Float(f) => f as i64,
        Value::Pair(p) => p.sum(),
    }
}

/// Keeps an object from being taken apart.
#[opaque]
pub fn keep(counter: Gc<Counter>) -> Gc<Counter> {
    counter
}

/// Adds to a counter behind the back of the JIT.
#[opaque]
pub fn disturb(counter: Gc<Counter>, by: i64) {
    counter
        .count
        .set(counter.count.get().wrapping_mul(3).wrapping_add(by));
}

/// A sum of items that is not looked into.
#[opaque]
pub fn total(items: GcArray<Cell<i64>>) -> i64 {
    items
        .as_slice()
        .iter()
        .fold(0, |sum, cell| sum ^ cell.get().rotate_left(3))
}

pub fn immutable_fields(a: i64, b: i64) -> i64 {
    let p = Pair::new(a, b);
    p.a.wrapping_mul(3).wrapping_sub(p.b)
}

pub fn methods_of_classes(a: i64, b: i64) -> i64 {
    let p = Pair::new(a, b).swapped();
    p.sum() ^ p.a
}

pub fn chained_objects(a: i64, b: i64) -> i64 {
    Pair::new(Pair::new(a, b).sum(), Pair::new(b, 1).sum())
        .swapped()
        .b
}

pub fn cells_are_changed(a: i64, b: i64) -> i64 {
    let c = Counter::new(a);
    c.count.set(c.count.get() ^ b);
    c.add(1).wrapping_add(c.count.get())
}

pub fn cells_are_replaced(a: i64, b: i64) -> i64 {
    let c = Counter::new(a);
    let old = c.count.replace(b);
    old.wrapping_sub(c.count.get().wrapping_mul(2))
}

pub fn aliases_see_changes(a: i64, b: i64) -> i64 {
    let c = Counter::new(a);
    let d = c;
    d.add(b);
    c.add(1);
    d.count.get()
}

pub fn one_of_two_cells(a: i64, b: i64) -> i64 {
    let (c, d) = (Counter::new(a), Counter::new(b));
    let e = if a < b { c } else { d };
    e.add(5);
    c.count.get().wrapping_mul(7).wrapping_add(d.count.get())
}

pub fn identity(a: i64, b: i64) -> i64 {
    let (p, q) = (Pair::new(a, b), Pair::new(a, b));
    let r = if a > b { p } else { q };
    Gc::ptr_eq(p, q) as i64 + 2 * Gc::ptr_eq(r, p) as i64 + 4 * Gc::ptr_eq(r, q) as i64
}

pub fn escaping_objects(a: i64, b: i64) -> i64 {
    let c = keep(Counter::new(a));
    c.add(b)
}

pub fn identity_of_what_escaped(a: i64, b: i64) -> i64 {
    let c = Counter::new(a);
    let d = if a < b { keep(c) } else { Counter::new(a) };
    Gc::ptr_eq(c, d) as i64
}

pub fn changes_behind_the_back(a: i64, b: i64) -> i64 {
    let c = Counter::new(a);
    c.add(2);
    disturb(c, b);
    c.add(1)
}

pub fn stores_before_a_call(a: i64, b: i64) -> i64 {
    let c = keep(Counter::new(0));
    c.count.set(a);
    c.count.set(b);
    let before = c.count.get();
    disturb(c, a);
    before ^ c.count.get()
}

pub fn missing_references(a: i64, b: i64) -> i64 {
    let p = if a < b { Some(Pair::new(a, b)) } else { None };
    match p {
        Some(p) => p.sum(),
        None => -1,
    }
}

pub fn references_that_are_there(a: i64, b: i64) -> i64 {
    let p = if a & 1 == 0 {
        Some(Pair::new(a, b))
    } else {
        None
    };
    let q = p.unwrap_or(Pair::new(b, 2));
    p.is_some() as i64 + q.sum()
}

pub fn question_on_references(a: i64, b: i64) -> i64 {
    fn second(list: Option<Gc<Node>>) -> Option<i64> {
        Some(list?.next?.value)
    }
    let list = if a > 0 { three(a, b) } else { cons(a, None) };
    match second(list) {
        Some(n) => n,
        None => 0,
    }
}

pub fn immutable_lists(a: i64, b: i64) -> i64 {
    let Some(first) = three(a, b) else { return 0 };
    let Some(second) = first.next else { return 1 };
    first.value.wrapping_sub(second.value)
}

#[unroll_safe]
pub fn lists_are_walked(a: i64, b: i64) -> i64 {
    let mut list = three(a, b);
    let mut sum = 0i64;
    while let Some(node) = list {
        sum = sum.wrapping_mul(5).wrapping_add(node.value);
        list = node.next;
    }
    sum
}

#[unroll_safe]
pub fn lists_are_built_in_loops(a: i64, b: i64) -> i64 {
    let mut list = None;
    let mut n = 0;
    while n < (a & 7) {
        list = cons(b ^ n, list);
        n += 1;
    }
    let mut sum = 0i64;
    while let Some(node) = list {
        sum = sum.wrapping_add(node.value);
        list = node.next;
    }
    sum
}

#[unroll_safe]
pub fn cycles(a: i64, b: i64) -> i64 {
    let first = Gc::new(Ring {
        value: Cell::new(a),
        next: Cell::new(None),
    });
    let second = Gc::new(Ring {
        value: Cell::new(b),
        next: Cell::new(Some(first)),
    });
    first.next.set(Some(second));
    let mut at = first;
    let mut n = 0;
    while n < 5 {
        at.value.set(at.value.get().wrapping_add(n));
        if let Some(next) = at.next.get() {
            at = next;
        }
        n += 1;
    }
    first.value.get() ^ second.value.get()
}

pub fn narrow_cells(a: i64, b: i64) -> i64 {
    let m = mixed(a, b);
    m.byte.set(m.byte.get().wrapping_add(200));
    m.small.set(m.small.get().wrapping_mul(3));
    m.byte.get() as i64 * 100_000 + m.small.get() as i64
}

pub fn bool_cells(a: i64, b: i64) -> i64 {
    let m = mixed(a, b);
    m.flag.set(!m.flag.get() & (b > 0));
    if m.flag.get() { a } else { m.word as i64 }
}

pub fn float_cells(a: i64, b: i64) -> i64 {
    let m = mixed(a, b);
    m.float.set(m.float.get() * 0.5 + b as f64);
    m.float.get() as i64
}

pub fn objects_in_objects(a: i64, b: i64) -> i64 {
    let m = mixed(a, b);
    m.pair.sum().wrapping_add(m.items[2].get())
}

pub fn arrays(a: i64, b: i64) -> i64 {
    let items = GcArray::<Cell<i64>>::new(4, a);
    items[1].set(b);
    items[3].set(items[1].get() ^ items[0].get());
    items[3].get().wrapping_add(items.len() as i64)
}

pub fn array_indices(a: i64, b: i64) -> i64 {
    let items = GcArray::<Cell<i64>>::new(8, b);
    let at = (a & 7) as usize;
    items[at].set(a);
    items[(b & 7) as usize].get()
}

pub fn index_out_of_range(a: i64, b: i64) -> i64 {
    let items = GcArray::<Cell<i64>>::new(5, b);
    items[(a & 7) as usize].get()
}

pub fn store_out_of_range(a: i64, b: i64) -> i64 {
    let items = GcArray::<Cell<i64>>::new(6, b);
    items[(a & 7) as usize].set(a);
    items[0].get()
}

pub fn plain_items(a: i64, b: i64) -> i64 {
    let items = GcArray::<i64>::new(3, a);
    items[0].wrapping_add(items[(b & 1) as usize])
}

pub fn byte_arrays(a: i64, b: i64) -> i64 {
    let bytes = GcArray::<Cell<u8>>::new(4, a as u8);
    bytes[2].set(b as u8);
    let word = bytes[2].get() as i64;
    word * 256 + bytes[3].get() as i64
}

pub fn float_arrays(a: i64, b: i64) -> i64 {
    let floats = GcArray::<Cell<f64>>::new(3, a as f64);
    floats[1].set(floats[0].get() / 4.0);
    (floats[1].get() + (b & 0xFFF) as f64) as i64
}

pub fn arrays_of_references(a: i64, b: i64) -> i64 {
    let pairs = GcArray::<Cell<Option<Gc<Pair>>>>::new(3, None);
    pairs[(a & 1) as usize].set(Some(Pair::new(a, b)));
    match pairs[0].get() {
        Some(p) => p.sum(),
        None => b,
    }
}

pub fn lengths_by_argument(a: i64, b: i64) -> i64 {
    let items = GcArray::<Cell<i64>>::new((a & 15) as usize, b);
    items.len() as i64
}

pub fn tagged_arrays(a: i64, b: i64) -> i64 {
    let left = GcArray::<Cell<i64>, Left>::new(2, a);
    let right = GcArray::<Cell<i64>, Right>::new(2, b);
    left[0].set(1);
    right[0].set(2);
    left[0].get() * 10 + right[0].get() + left[1].get().wrapping_sub(right[1].get())
}

pub fn arrays_are_summed_elsewhere(a: i64, b: i64) -> i64 {
    let items = GcArray::<Cell<i64>>::new(3, a);
    items[1].set(b);
    let first = total(items);
    items[2].set(first);
    total(items)
}

#[unroll_safe]
pub fn arrays_in_loops(a: i64, b: i64) -> i64 {
    let items = GcArray::<Cell<i64>>::new(6, a);
    for n in 1..6 {
        items[n].set(items[n - 1].get().wrapping_mul(3) ^ b);
    }
    items[5].get()
}

#[unroll_safe]
pub fn sorting(a: i64, b: i64) -> i64 {
    let items = GcArray::<Cell<i64>>::new(4, 0);
    for n in 0..4 {
        items[n].set((a >> (n * 3)) ^ b.wrapping_mul(n as i64));
    }
    for end in 1..4 {
        let mut at = end;
        while at > 0 && items[at - 1].get() > items[at].get() {
            let upper = items[at].replace(items[at - 1].get());
            items[at - 1].set(upper);
            at -= 1;
        }
    }
    items[1].get().wrapping_sub(items[2].get())
}

pub fn values_in_cells(a: i64, b: i64) -> i64 {
    let s = Gc::new(Slots {
        first: Cell::new(value(a)),
        second: Cell::new(Value::Nil),
    });
    s.second.set(value(b));
    code(s.first.get())
        .wrapping_mul(3)
        .wrapping_add(code(s.second.get()))
}

pub fn values_are_exchanged(a: i64, b: i64) -> i64 {
    let s = Gc::new(Slots {
        first: Cell::new(value(a)),
        second: Cell::new(value(b)),
    });
    let old = s.first.replace(s.second.get());
    s.second.set(old);
    code(s.first.get()).wrapping_sub(code(s.second.get()))
}

pub fn values_in_arrays(a: i64, b: i64) -> i64 {
    let items = GcArray::<Cell<Value>>::new(4, Value::Nil);
    items[(a & 3) as usize].set(value(b));
    items[(b & 3) as usize].set(value(a));
    code(items[0].get()).wrapping_add(code(items[3].get()))
}

pub fn values_compare_by_identity(a: i64, b: i64) -> i64 {
    let p = Pair::new(a, b);
    let x = Value::Pair(p);
    let y = if a > b { Value::Pair(p) } else { value(b) };
    (x == y) as i64 + 2 * (y == Value::Nil) as i64
}

pub fn objects_in_tuples(a: i64, b: i64) -> i64 {
    let t = (Pair::new(a, 1), Some(Counter::new(b)), a < b);
    match t {
        (p, Some(c), true) => c.add(p.a),
        (p, _, _) => p.sum(),
    }
}

pub fn objects_in_results(a: i64, b: i64) -> i64 {
    fn find(a: i64, b: i64) -> Result<Gc<Pair>, Gc<Counter>> {
        if a < b {
            Ok(Pair::new(a, b))
        } else {
            Err(Counter::new(b))
        }
    }
    match find(a, b) {
        Ok(p) => p.sum(),
        Err(c) => c.add(1),
    }
}

#[unroll_safe]
pub fn objects_carried_by_loops(a: i64, b: i64) -> i64 {
    let mut p = Pair::new(a, b);
    let mut n = 0;
    while n < 6 {
        p = Pair::new(p.b, p.sum());
        n += 1;
    }
    p.a
}

#[unroll_safe]
pub fn accumulators(a: i64, b: i64) -> i64 {
    let c = Counter::new(0);
    let mut n = a & 7;
    while n > 0 {
        c.add(b ^ n);
        n -= 1;
    }
    c.count.get()
}

pub fn stores_on_one_side(a: i64, b: i64) -> i64 {
    let c = Counter::new(a);
    if b > 3 {
        c.count.set(b);
    } else if b < 0 {
        keep(c);
    }
    c.count.get()
}

// What follows is written by `cargo run -p conformance-tables`.

/// The functions, in the order of their numbers.
#[rustfmt::skip]
pub const CASES: &[&str] = &[
    "immutable_fields",
    "methods_of_classes",
    "chained_objects",
    "cells_are_changed",
    "cells_are_replaced",
    "aliases_see_changes",
    "one_of_two_cells",
    "identity",
    "escaping_objects",
    "identity_of_what_escaped",
    "changes_behind_the_back",
    "stores_before_a_call",
    "missing_references",
    "references_that_are_there",
    "question_on_references",
    "immutable_lists",
    "lists_are_walked",
    "lists_are_built_in_loops",
    "cycles",
    "narrow_cells",
    "bool_cells",
    "float_cells",
    "objects_in_objects",
    "arrays",
    "array_indices",
    "index_out_of_range",
    "store_out_of_range",
    "plain_items",
    "byte_arrays",
    "float_arrays",
    "arrays_of_references",
    "lengths_by_argument",
    "tagged_arrays",
    "arrays_are_summed_elsewhere",
    "arrays_in_loops",
    "sorting",
    "values_in_cells",
    "values_are_exchanged",
    "values_in_arrays",
    "values_compare_by_identity",
    "objects_in_tuples",
    "objects_in_results",
    "objects_carried_by_loops",
    "accumulators",
    "stores_on_one_side",
];

/// Function number `case` of two numbers.
#[rustfmt::skip]
pub fn run(case: i64, a: i64, b: i64) -> i64 {
    match case {
        0 => immutable_fields(a, b),
        1 => methods_of_classes(a, b),
        2 => chained_objects(a, b),
        3 => cells_are_changed(a, b),
        4 => cells_are_replaced(a, b),
        5 => aliases_see_changes(a, b),
        6 => one_of_two_cells(a, b),
        7 => identity(a, b),
        8 => escaping_objects(a, b),
        9 => identity_of_what_escaped(a, b),
        10 => changes_behind_the_back(a, b),
        11 => stores_before_a_call(a, b),
        12 => missing_references(a, b),
        13 => references_that_are_there(a, b),
        14 => question_on_references(a, b),
        15 => immutable_lists(a, b),
        16 => lists_are_walked(a, b),
        17 => lists_are_built_in_loops(a, b),
        18 => cycles(a, b),
        19 => narrow_cells(a, b),
        20 => bool_cells(a, b),
        21 => float_cells(a, b),
        22 => objects_in_objects(a, b),
        23 => arrays(a, b),
        24 => array_indices(a, b),
        25 => index_out_of_range(a, b),
        26 => store_out_of_range(a, b),
        27 => plain_items(a, b),
        28 => byte_arrays(a, b),
        29 => float_arrays(a, b),
        30 => arrays_of_references(a, b),
        31 => lengths_by_argument(a, b),
        32 => tagged_arrays(a, b),
        33 => arrays_are_summed_elsewhere(a, b),
        34 => arrays_in_loops(a, b),
        35 => sorting(a, b),
        36 => values_in_cells(a, b),
        37 => values_are_exchanged(a, b),
        38 => values_in_arrays(a, b),
        39 => values_compare_by_identity(a, b),
        40 => objects_in_tuples(a, b),
        41 => objects_in_results(a, b),
        42 => objects_carried_by_loops(a, b),
        43 => accumulators(a, b),
        44 => stores_on_one_side(a, b),
        _ => panic!("there is no such function"),
    }
}
