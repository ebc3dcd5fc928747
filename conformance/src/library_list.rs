//! Lists of the library: every method, on lists that compiled code makes and keeps to itself
//! (`own_`), and on lists that exist (`kept_`), which a called function has made. In: two integers.
//! Out: one, in which every item counts.

use verdigris::{List, Order, prelude::*};

#[gc]
pub struct Boxed {
    value: i64,
}

#[value]
#[derive(Clone, Copy, PartialEq)]
pub enum Num {
    Nil,
    Int(i64),
    Float(f64),
    Boxed(Gc<Boxed>),
}

impl Order for Num {
    fn precedes(self, other: Self) -> bool {
        // By the tens only, so that it shows whether equal items stay in order.
        weight(self) / 10 < weight(other) / 10
    }
}

fn boxed(value: i64) -> Gc<Boxed> {
    Gc::new(Boxed { value })
}

fn num(n: i64) -> Num {
    match n & 3 {
        0 => Num::Nil,
        1 => Num::Int(n),
        2 => Num::Float(n as f64 * 0.5),
        _ => Num::Boxed(boxed(n)),
    }
}

fn weight(num: Num) -> i64 {
    match num {
        Num::Nil => -1,
        Num::Int(n) => n,
        Num::Float(f) => f as i64,
        Num::Boxed(b) => b.value.wrapping_add(1),
    }
}

/// A number that is small enough for an index or a length.
fn small(n: i64) -> usize {
    (n & 7) as usize
}

/// A list that compiled code makes.
#[unroll_safe]
fn own(len: usize, first: i64) -> Gc<List<i64>> {
    let list = List::new();
    let mut n = 0;
    while n < len {
        list.push(first.wrapping_mul(n as i64 * 7 + 1));
        n += 1;
    }
    list
}

/// The same list, made by a called function.
#[opaque]
fn kept(len: usize, first: i64) -> Gc<List<i64>> {
    own(len, first)
}

/// A number that depends on every item, on their order and on the length.
#[unroll_safe]
fn digest(list: Gc<List<i64>>) -> i64 {
    let mut all = list.len() as i64;
    let mut n = 0;
    while n < list.len() {
        all = all.wrapping_mul(31).wrapping_add(list.at(n));
        n += 1;
    }
    all
}

pub fn own_new(a: i64, b: i64) -> i64 {
    let list: Gc<List<i64>> = List::new();
    let empty = list.is_empty() as i64 * 2 + list.pop().is_none() as i64;
    list.push(a);
    empty + list.is_empty() as i64 * 8 + b.wrapping_mul(digest(list))
}

pub fn own_push_and_pop(a: i64, b: i64) -> i64 {
    pushed_and_popped(own(small(a), b), b)
}

pub fn kept_push_and_pop(a: i64, b: i64) -> i64 {
    pushed_and_popped(kept(small(a), b), b)
}

fn pushed_and_popped(list: Gc<List<i64>>, b: i64) -> i64 {
    list.push(b);
    list.push(3);
    let last = list.pop().unwrap_or(0);
    let before = list.pop().unwrap_or(0);
    let first = list.pop().unwrap_or(100);
    last.wrapping_mul(before)
        .wrapping_add(first)
        .wrapping_add(digest(list))
}

/// Growth from every capacity up to some, several times.
#[unroll_safe]
fn grown(list: Gc<List<i64>>, b: i64) -> i64 {
    let mut n = 0;
    while n < 13 {
        list.push(b ^ n);
        n += 1;
    }
    assert!(list.capacity() >= list.len());
    digest(list)
}

pub fn own_growth(a: i64, b: i64) -> i64 {
    grown(own(small(a) & 3, 5), b)
}

pub fn kept_growth(a: i64, b: i64) -> i64 {
    grown(kept(small(a), 5), b)
}

pub fn with_capacity(a: i64, b: i64) -> i64 {
    let list = List::with_capacity(small(a));
    let room = list.capacity() as i64;
    list.push(b);
    list.push(a);
    room.wrapping_add(digest(list))
}

pub fn capacity_without_end(a: i64, b: i64) -> i64 {
    let capacity = if b & 3 == 3 { usize::MAX / 2 } else { small(a) };
    let list: Gc<List<i64>> = List::with_capacity(capacity);
    list.capacity() as i64
}

pub fn filled(a: i64, b: i64) -> i64 {
    let list = List::filled(small(a), b);
    list.push(1);
    digest(list)
}

pub fn filled_with_values(a: i64, b: i64) -> i64 {
    let list = List::filled(small(a), num(b));
    list.push(num(a));
    weights(list)
}

pub fn from_array(a: i64, b: i64) -> i64 {
    let array: GcArray<Cell<i64>> = GcArray::new(small(a), b);
    if small(a) > 2 {
        array[1].set(a);
    }
    let list = List::from_array(array);
    list.push(2);
    digest(list)
}

fn ends(list: Gc<List<i64>>) -> i64 {
    let last = match list.last() {
        Some(item) => item.wrapping_mul(3),
        None => -5,
    };
    let first = match list.get(0) {
        Some(item) => item.wrapping_mul(5),
        None => -7,
    };
    last.wrapping_add(first)
}

pub fn own_ends(a: i64, b: i64) -> i64 {
    ends(own(small(a), b))
}

pub fn kept_ends(a: i64, b: i64) -> i64 {
    ends(kept(small(a), b))
}

pub fn own_get(a: i64, b: i64) -> i64 {
    own(5, a).get(small(b)).unwrap_or(-1)
}

pub fn kept_get(a: i64, b: i64) -> i64 {
    kept(5, a).get(small(b)).unwrap_or(-1)
}

pub fn get_far_out(a: i64, b: i64) -> i64 {
    kept(5, a).get(b as usize).unwrap_or(-1)
}

pub fn own_at(a: i64, b: i64) -> i64 {
    own(6, a).at(small(b))
}

pub fn kept_at(a: i64, b: i64) -> i64 {
    kept(6, a).at(small(b))
}

pub fn at_far_out(a: i64, b: i64) -> i64 {
    kept(100, a).at(b as usize)
}

pub fn at_behind_the_end_but_in_the_array(a: i64, b: i64) -> i64 {
    let list = kept(4, a);
    list.pop();
    list.at(small(b))
}

pub fn own_set(a: i64, b: i64) -> i64 {
    let list = own(6, a);
    list.set(small(b), 77);
    digest(list)
}

pub fn kept_set(a: i64, b: i64) -> i64 {
    let list = kept(6, a);
    list.set(small(b), 77);
    digest(list)
}

pub fn set_behind_the_end(a: i64, b: i64) -> i64 {
    let list = kept(small(a), b);
    list.set(3, 1);
    digest(list)
}

pub fn own_swap(a: i64, b: i64) -> i64 {
    let list = own(6, 3);
    list.swap(small(a), small(b));
    digest(list)
}

pub fn kept_swap(a: i64, b: i64) -> i64 {
    let list = kept(6, 3);
    list.swap(small(a), small(b));
    digest(list)
}

pub fn own_insert(a: i64, b: i64) -> i64 {
    let list = own(5, a);
    list.insert(small(b), 11);
    digest(list)
}

pub fn kept_insert(a: i64, b: i64) -> i64 {
    let list = kept(small(a), 3);
    list.insert(small(b), 11);
    list.insert(0, 12);
    digest(list)
}

pub fn insert_into_an_empty_one(a: i64, b: i64) -> i64 {
    let list = List::new();
    list.insert(small(b) & 1, a);
    digest(list)
}

pub fn own_remove(a: i64, b: i64) -> i64 {
    let list = own(5, a);
    let gone = list.remove(small(b));
    digest(list).wrapping_sub(gone)
}

pub fn kept_remove(a: i64, b: i64) -> i64 {
    let list = kept(small(a), 3);
    let gone = list.remove(small(b));
    digest(list).wrapping_sub(gone)
}

pub fn truncate(a: i64, b: i64) -> i64 {
    let list = kept(small(a), 3);
    list.truncate(small(b));
    list.push(b);
    digest(list)
}

pub fn clear(a: i64, b: i64) -> i64 {
    let (mine, other) = (own(small(a), b), kept(small(b), a));
    mine.clear();
    other.clear();
    mine.push(a);
    other.push(b);
    digest(mine).wrapping_mul(3).wrapping_add(digest(other))
}

pub fn extend(a: i64, b: i64) -> i64 {
    let (mine, other) = (own(small(a), 3), kept(small(b), 5));
    mine.extend(other);
    other.extend(mine);
    digest(mine).wrapping_mul(3).wrapping_add(digest(other))
}

pub fn extend_by_itself(a: i64, b: i64) -> i64 {
    let list = own(small(a), b);
    list.extend(list);
    digest(list)
}

pub fn slice(a: i64, b: i64) -> i64 {
    let list = own(6, 3);
    let part = list.slice(small(a), small(b));
    part.push(1);
    digest(part).wrapping_add(digest(list))
}

pub fn slice_to_no_end(a: i64, b: i64) -> i64 {
    digest(kept(6, 3).slice(small(a), b as usize))
}

pub fn reverse(a: i64, b: i64) -> i64 {
    let list = own(small(a), b);
    list.reverse();
    digest(list)
}

pub fn reserve(a: i64, b: i64) -> i64 {
    let list = own(small(a), b);
    list.reserve(small(b));
    let enough = list.capacity() >= small(a) + small(b);
    digest(list).wrapping_add(enough as i64)
}

pub fn reserve_without_end(a: i64, b: i64) -> i64 {
    let list = kept(small(a), b);
    list.reserve(if b & 3 == 3 { usize::MAX } else { 1 });
    digest(list)
}

pub fn contains(a: i64, b: i64) -> i64 {
    let list = own(4, a);
    list.contains(b) as i64
        + list.contains(a) as i64 * 2
        + list.contains(a.wrapping_mul(8)) as i64 * 4
}

pub fn sort(a: i64, b: i64) -> i64 {
    let list = own(small(a), b);
    list.push(a);
    list.push(-3);
    list.sort();
    let once = digest(list);
    list.sort();
    once.wrapping_mul(3).wrapping_add(digest(list))
}

pub fn sort_values(a: i64, b: i64) -> i64 {
    let list = List::new();
    list.push(num(a & 63));
    list.push(num(b & 63));
    list.push(num(17));
    list.push(num((a ^ b) & 63));
    list.sort();
    weights(list)
}

pub fn sort_floats(a: i64, b: i64) -> i64 {
    let list: Gc<List<f64>> = List::new();
    list.push(a as f64);
    list.push(-0.0);
    list.push(b as f64 / 3.0);
    list.push(0.0);
    list.sort();
    list.at(0).to_bits() as i64 ^ list.at(1).to_bits() as i64
}

#[unroll_safe]
fn weights(list: Gc<List<Num>>) -> i64 {
    let mut all = 0i64;
    let mut n = 0;
    while n < list.len() {
        all = all.wrapping_mul(31).wrapping_add(weight(list.at(n)));
        n += 1;
    }
    all
}

#[opaque]
fn kept_nums(len: usize, first: i64) -> Gc<List<Num>> {
    let list = List::new();
    for n in 0..len as i64 {
        list.push(num(first.wrapping_add(n)));
    }
    list
}

fn with_values(list: Gc<List<Num>>, a: i64, b: i64) -> i64 {
    list.push(num(a));
    list.set(0, num(b));
    list.insert(1, num(a ^ b));
    list.push(Num::Nil);
    list.swap(0, 1);
    let gone = weight(list.remove(0));
    let last = list.pop().map_or(5, weight);
    weights(list).wrapping_sub(gone).wrapping_mul(last)
}

pub fn own_values(a: i64, b: i64) -> i64 {
    with_values(List::new(), a, b)
}

pub fn kept_values(a: i64, b: i64) -> i64 {
    with_values(kept_nums(small(a), b), a, b)
}

pub fn values_in_bulk(a: i64, b: i64) -> i64 {
    let list = kept_nums(small(a), b);
    list.extend(list);
    list.reverse();
    let part = list.slice(0, list.len() / 2);
    list.truncate(1);
    weights(list).wrapping_add(weights(part))
}

pub fn references(a: i64, b: i64) -> i64 {
    let list = List::new();
    list.push(boxed(a));
    list.push(boxed(b));
    let first = list.at(0);
    list.push(first);
    list.swap(0, 1);
    let same = Gc::ptr_eq(list.at(1), list.at(2)) && list.contains(first);
    list.remove(1);
    let last = list.pop().map_or(0, |b| b.value);
    last.wrapping_mul(2).wrapping_add(same as i64) ^ list.at(0).value
}

pub fn references_or_none(a: i64, b: i64) -> i64 {
    let list: Gc<List<Option<Gc<Boxed>>>> = List::new();
    list.push(None);
    list.push(if a & 1 == 0 { Some(boxed(a)) } else { None });
    list.push(Some(boxed(b)));
    list.reverse();
    let first = list.at(0).map_or(1, |b| b.value);
    let second = list.at(1).map_or(2, |b| b.value);
    let third = match list.pop() {
        Some(Some(_)) => 4,
        Some(None) => 8,
        None => 16,
    };
    first.wrapping_mul(3).wrapping_add(second) ^ third
}

pub fn narrow_items(a: i64, b: i64) -> i64 {
    let bytes: Gc<List<u8>> = List::new();
    bytes.push(a as u8);
    bytes.push(b as u8);
    let halves: Gc<List<i16>> = List::with_capacity(1);
    halves.push(a as i16);
    halves.push(b as i16);
    let bits: Gc<List<bool>> = List::new();
    bits.push(a > b);
    bits.push(a == b);
    let chars: Gc<List<char>> = List::new();
    chars.push(if a & 1 == 0 { 'x' } else { '\u{1F600}' });
    let byte = bytes.at(0).wrapping_add(bytes.at(1)) as i64;
    let half = halves.at(0).wrapping_mul(halves.at(1)) as i64;
    let bit = bits.at(0) as i64 + bits.at(1) as i64 * 2;
    byte.wrapping_mul(half).wrapping_add(bit) ^ chars.at(0) as i64
}

pub fn float_items(a: i64, b: i64) -> i64 {
    let list: Gc<List<f64>> = List::filled(2, a as f64);
    list.set(1, b as f64 * 0.5);
    list.push(list.at(0) + list.at(1));
    list.pop().map_or(0, |x| x.to_bits() as i64)
}

pub fn lists_of_lists(a: i64, b: i64) -> i64 {
    let lists = List::new();
    lists.push(own(small(a), b));
    lists.push(kept(small(b), a));
    lists.push(lists.at(0));
    lists.at(2).push(7);
    digest(lists.at(0)).wrapping_sub(digest(lists.at(1)))
}

pub fn two_names_for_one_list(a: i64, b: i64) -> i64 {
    let list = kept(small(a), b);
    let same = itself(list);
    list.push(a);
    same.push(b);
    list.set(0, 9);
    same.pop();
    digest(list).wrapping_add(same.len() as i64)
}

#[opaque]
fn itself(list: Gc<List<i64>>) -> Gc<List<i64>> {
    list
}

pub fn escape_half_way(a: i64, b: i64) -> i64 {
    let list = own(small(a), b);
    list.push(a);
    let same = if b & 1 == 0 { itself(list) } else { list };
    same.push(b);
    digest(list)
}

// What follows is written by `cargo run -p conformance-tables`.

/// The functions, in the order of their numbers.
#[rustfmt::skip]
pub const CASES: &[&str] = &[
    "own_new",
    "own_push_and_pop",
    "kept_push_and_pop",
    "own_growth",
    "kept_growth",
    "with_capacity",
    "capacity_without_end",
    "filled",
    "filled_with_values",
    "from_array",
    "own_ends",
    "kept_ends",
    "own_get",
    "kept_get",
    "get_far_out",
    "own_at",
    "kept_at",
    "at_far_out",
    "at_behind_the_end_but_in_the_array",
    "own_set",
    "kept_set",
    "set_behind_the_end",
    "own_swap",
    "kept_swap",
    "own_insert",
    "kept_insert",
    "insert_into_an_empty_one",
    "own_remove",
    "kept_remove",
    "truncate",
    "clear",
    "extend",
    "extend_by_itself",
    "slice",
    "slice_to_no_end",
    "reverse",
    "reserve",
    "reserve_without_end",
    "contains",
    "sort",
    "sort_values",
    "sort_floats",
    "own_values",
    "kept_values",
    "values_in_bulk",
    "references",
    "references_or_none",
    "narrow_items",
    "float_items",
    "lists_of_lists",
    "two_names_for_one_list",
    "escape_half_way",
];

/// Function number `case` of two numbers.
#[rustfmt::skip]
pub fn run(case: i64, a: i64, b: i64) -> i64 {
    match case {
        0 => own_new(a, b),
        1 => own_push_and_pop(a, b),
        2 => kept_push_and_pop(a, b),
        3 => own_growth(a, b),
        4 => kept_growth(a, b),
        5 => with_capacity(a, b),
        6 => capacity_without_end(a, b),
        7 => filled(a, b),
        8 => filled_with_values(a, b),
        9 => from_array(a, b),
        10 => own_ends(a, b),
        11 => kept_ends(a, b),
        12 => own_get(a, b),
        13 => kept_get(a, b),
        14 => get_far_out(a, b),
        15 => own_at(a, b),
        16 => kept_at(a, b),
        17 => at_far_out(a, b),
        18 => at_behind_the_end_but_in_the_array(a, b),
        19 => own_set(a, b),
        20 => kept_set(a, b),
        21 => set_behind_the_end(a, b),
        22 => own_swap(a, b),
        23 => kept_swap(a, b),
        24 => own_insert(a, b),
        25 => kept_insert(a, b),
        26 => insert_into_an_empty_one(a, b),
        27 => own_remove(a, b),
        28 => kept_remove(a, b),
        29 => truncate(a, b),
        30 => clear(a, b),
        31 => extend(a, b),
        32 => extend_by_itself(a, b),
        33 => slice(a, b),
        34 => slice_to_no_end(a, b),
        35 => reverse(a, b),
        36 => reserve(a, b),
        37 => reserve_without_end(a, b),
        38 => contains(a, b),
        39 => sort(a, b),
        40 => sort_values(a, b),
        41 => sort_floats(a, b),
        42 => own_values(a, b),
        43 => kept_values(a, b),
        44 => values_in_bulk(a, b),
        45 => references(a, b),
        46 => references_or_none(a, b),
        47 => narrow_items(a, b),
        48 => float_items(a, b),
        49 => lists_of_lists(a, b),
        50 => two_names_for_one_list(a, b),
        51 => escape_half_way(a, b),
        _ => panic!("there is no such function"),
    }
}
