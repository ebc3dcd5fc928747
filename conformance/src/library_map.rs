//! Maps of the library: every method, on maps that compiled code makes and keeps to itself
//! (`own_`), and on maps that exist (`kept_`), which a called function has made; with keys of all
//! kinds, collisions, and walks while the map changes. In: two integers. Out: one, in which every
//! entry counts.

use verdigris::{KeyObject, Map, prelude::*};

/// A key whose hash is poor: keys with the same last bit collide.
#[gc]
pub struct Name {
    letter: i64,
}

impl KeyObject for Name {
    fn key_hash(key: Gc<Name>) -> u64 {
        (key.letter & 1) as u64
    }
    fn key_same(a: Gc<Name>, b: Gc<Name>) -> bool {
        a.letter == b.letter
    }
}

#[value]
#[derive(Clone, Copy, PartialEq)]
pub enum Num {
    Nil,
    Int(i64),
    Float(f64),
    Named(Gc<Name>),
}

fn name(letter: i64) -> Gc<Name> {
    Gc::new(Name { letter })
}

/// A number that is small enough to count entries.
fn small(n: i64) -> i64 {
    n & 15
}

/// A map from the first `len` numbers, spread out, to others.
#[unroll_safe]
fn own(len: i64, factor: i64) -> Gc<Map<i64, i64>> {
    let map = Map::new();
    let mut n = 0;
    while n < len {
        map.insert(n * 3, factor.wrapping_mul(n).wrapping_add(1));
        n += 1;
    }
    map
}

/// The same map, made by a called function.
#[opaque]
fn kept(len: i64, factor: i64) -> Gc<Map<i64, i64>> {
    own(len, factor)
}

/// A number that depends on every entry and on their order.
#[unroll_safe]
fn digest(map: Gc<Map<i64, i64>>) -> i64 {
    let mut all = map.len() as i64;
    let mut from = 0;
    while let Some(number) = map.entry_from(from) {
        all = all.wrapping_mul(31).wrapping_add(map.key_at(number));
        all = all.wrapping_mul(31).wrapping_add(map.value_at(number));
        from = number + 1;
    }
    all
}

pub fn own_new(a: i64, b: i64) -> i64 {
    let map: Gc<Map<i64, i64>> = Map::new();
    let nothing = map.get(a).is_none() as i64 + map.entry_from(0).is_none() as i64 * 2;
    let empty = map.is_empty() as i64 * 4 + map.remove(b).is_none() as i64 * 8;
    map.insert(a, b);
    nothing + empty + map.is_empty() as i64 * 16 + digest(map)
}

pub fn own_constant_keys(a: i64, b: i64) -> i64 {
    let map = Map::new();
    map.insert(1, a);
    map.insert(2, b);
    map.insert(1, map.get(2).unwrap_or(0) ^ a);
    map.insert(9, 5);
    digest(map)
}

pub fn own_more_constant_keys_than_small(a: i64, b: i64) -> i64 {
    digest(own(12, a)).wrapping_add(own(12, b).get(27).unwrap_or(-1))
}

fn got(map: Gc<Map<i64, i64>>, key: i64) -> i64 {
    match map.get(key) {
        Some(value) => value.wrapping_mul(2),
        None => -1,
    }
}

pub fn own_get(a: i64, b: i64) -> i64 {
    got(own(6, a), small(b))
}

pub fn kept_get(a: i64, b: i64) -> i64 {
    got(kept(small(a), 5), b)
}

pub fn get_promoted(a: i64, b: i64) -> i64 {
    let map = kept(small(a), 5);
    let found = map.get_promoted(3).unwrap_or(-1);
    found.wrapping_add(map.get_promoted(small(b)).unwrap_or(-2))
}

pub fn own_insert(a: i64, b: i64) -> i64 {
    let map = own(3, 5);
    let old = map.insert(small(a), b).unwrap_or(-1);
    let again = map.insert(small(b), a).unwrap_or(-2);
    digest(map).wrapping_add(old).wrapping_sub(again)
}

pub fn kept_insert(a: i64, b: i64) -> i64 {
    let map = kept(small(a), 5);
    let old = map.insert(b, 70).unwrap_or(-1);
    let again = map.insert(small(b), 80).unwrap_or(-2);
    digest(map).wrapping_add(old).wrapping_sub(again)
}

pub fn insert_promoted(a: i64, b: i64) -> i64 {
    let map = kept(small(a), 5);
    let old = map.insert_promoted(6, b).unwrap_or(-1);
    let new = map.insert_promoted(b, 8).unwrap_or(-2);
    digest(map).wrapping_add(old).wrapping_sub(new)
}

#[unroll_safe]
fn grown(map: Gc<Map<i64, i64>>, key: i64) -> i64 {
    let mut n = 0;
    while n < 20 {
        map.insert(key.wrapping_add(n * n), n);
        n += 1;
    }
    digest(map)
}

pub fn own_growth(a: i64, b: i64) -> i64 {
    grown(own(small(a) & 3, 5), b)
}

pub fn kept_growth(a: i64, b: i64) -> i64 {
    grown(kept(small(a), 5), b)
}

pub fn contains(a: i64, b: i64) -> i64 {
    let map = kept(small(a), 5);
    map.contains(b) as i64 + map.contains(small(b)) as i64 * 2 + own(3, a).contains(3) as i64 * 4
}

fn without(map: Gc<Map<i64, i64>>, a: i64, b: i64) -> i64 {
    let old = map.remove(a).unwrap_or(-1);
    let other = map.remove(b).unwrap_or(-2);
    // A key that comes again is a new entry.
    map.insert(0, 5);
    digest(map).wrapping_add(old).wrapping_sub(other)
}

pub fn own_remove(a: i64, b: i64) -> i64 {
    without(own(4, 7), small(a), small(b))
}

pub fn kept_remove(a: i64, b: i64) -> i64 {
    without(kept(small(a), 7), small(b), 0)
}

/// Removing and inserting by turns: dead entries are moved out of the way.
#[unroll_safe]
pub fn turns(a: i64, b: i64) -> i64 {
    let map = kept(small(a), 5);
    let mut n = 0;
    while n < 12 {
        map.remove(n * 3);
        map.insert(b.wrapping_add(n), n);
        n += 1;
    }
    digest(map)
}

pub fn clear(a: i64, b: i64) -> i64 {
    let (mine, other) = (own(small(a), 5), kept(small(b), 5));
    mine.clear();
    other.clear();
    let nothing = mine.contains(3) | other.contains(3);
    mine.insert(a, 1);
    other.insert(b, 2);
    digest(mine)
        .wrapping_sub(digest(other))
        .wrapping_add(nothing as i64)
}

pub fn entry_from(a: i64, b: i64) -> i64 {
    let map = kept(small(a), 5);
    map.remove(0);
    map.remove(9);
    let near = map.entry_from(small(b) as usize).map_or(-1, |n| n as i64);
    near.wrapping_mul(5) + map.entry_from(b as usize).map_or(-1, |n| n as i64)
}

pub fn key_of_no_entry(a: i64, b: i64) -> i64 {
    let map = kept(small(a), 5);
    map.remove(3);
    map.key_at(small(b) as usize)
}

pub fn value_of_no_entry(a: i64, b: i64) -> i64 {
    own(4, a).value_at((b & 7) as usize)
}

pub fn set_value(a: i64, b: i64) -> i64 {
    let map = kept(small(a), 5);
    map.remove(0);
    map.set_value_at(small(b) as usize, 99);
    digest(map)
}

pub fn keys(a: i64, b: i64) -> i64 {
    let map = kept(small(a), 5);
    map.insert(b, 1);
    let keys = map.keys();
    let last = keys.pop().unwrap_or(-1);
    last.wrapping_mul(3) + keys.len() as i64
}

/// A walk that removes what is behind it, before it and where it is.
#[unroll_safe]
pub fn removal_while_walking(a: i64, b: i64) -> i64 {
    let map = kept(small(a), 5);
    let (mut all, mut from) = (0i64, 0);
    while let Some(number) = map.entry_from(from) {
        let key = map.key_at(number);
        all = all.wrapping_mul(31).wrapping_add(key);
        map.remove(key + 3 * ((b & 3) - 1));
        from = number + 1;
    }
    all.wrapping_add(digest(map))
}

fn counted(map: Gc<Map<i64, i64>>, a: i64, b: i64) -> i64 {
    let first = map.get_or_insert(a, b);
    let second = map.get_or_insert(b, 7);
    let number = map.entry_or_insert(6, 1);
    map.set_value_at(number, map.value_at(number).wrapping_add(b));
    let again = map.entry_or_insert(a, 2) as i64;
    digest(map)
        .wrapping_add(first)
        .wrapping_mul(3)
        .wrapping_add(second ^ again)
}

pub fn own_get_or_insert(a: i64, b: i64) -> i64 {
    counted(own(3, 5), small(a), b)
}

pub fn kept_get_or_insert(a: i64, b: i64) -> i64 {
    counted(kept(small(a), 5), small(b), a)
}

pub fn own_constant_get_or_insert(a: i64, b: i64) -> i64 {
    let map = Map::new();
    let first = map.get_or_insert(3, a);
    let second = map.get_or_insert(3, b);
    map.get_or_insert(4, b);
    digest(map).wrapping_add(first).wrapping_sub(second)
}

pub fn get_or_insert_promoted(a: i64, b: i64) -> i64 {
    let map = kept(small(a), 5);
    let found = map.get_or_insert_promoted(9, b);
    let new = map.get_or_insert_promoted(b, a);
    digest(map).wrapping_add(found).wrapping_sub(new)
}

fn numbered(number: Option<usize>) -> i64 {
    match number {
        Some(number) => number as i64,
        None => -1,
    }
}

pub fn own_entry_of(a: i64, b: i64) -> i64 {
    let map = own(4, a);
    let found = numbered(map.entry_of(small(b)));
    map.remove(3);
    found.wrapping_mul(7) + numbered(map.entry_of(9)) * 5 + numbered(map.entry_or_retired(3))
}

pub fn kept_entry_of(a: i64, b: i64) -> i64 {
    let map = kept(small(a), 5);
    map.remove(0);
    map.compact();
    let found = numbered(map.entry_of(small(b))) * 20 + numbered(map.entry_of_promoted(12));
    match map.entry_of(6) {
        Some(number) => found + map.key_at(number) * 1000 + map.value_at(number),
        None => found,
    }
}

/// What is retired, what is found of it, what comes again, and when all is forgotten.
fn retired(map: Gc<Map<i64, i64>>, a: i64, b: i64) -> i64 {
    let old = map.retire(a).unwrap_or(-1);
    let other = map.retire(b).unwrap_or(-2);
    let there = map.contains(a) as i64 + map.get(b).is_some() as i64 * 2;
    let nothing = map.remove(a).unwrap_or(-3) + map.retire(b).unwrap_or(-4);
    let numbers = numbered(map.entry_or_retired(a)) * 20 + numbered(map.entry_or_retired(b));
    let gone = digest(map);
    map.insert(b, 77);
    let again = digest(map);
    map.compact();
    let forgotten = numbered(map.entry_or_retired(a)) * 20 + numbered(map.entry_or_retired(b));
    old.wrapping_add(other)
        .wrapping_mul(31)
        .wrapping_add(there * 8 + nothing)
        .wrapping_mul(31)
        .wrapping_add(numbers)
        .wrapping_mul(31)
        .wrapping_add(gone ^ again)
        .wrapping_mul(31)
        .wrapping_add(forgotten)
}

pub fn own_retire(a: i64, b: i64) -> i64 {
    retired(own(4, 7), small(a), small(b))
}

pub fn kept_retire(a: i64, b: i64) -> i64 {
    retired(kept(small(a), 7), small(b), small(a ^ b))
}

/// Retired keys of a map that compiled code makes move to its larger arrays.
pub fn own_retire_and_grow(a: i64, b: i64) -> i64 {
    let map = own(4, 7);
    map.retire(6);
    map.remove(3);
    map.insert(50, a);
    map.insert(51, b);
    let number = numbered(map.entry_or_retired(6));
    map.insert(6, a ^ b);
    digest(map).wrapping_add(number)
}

/// What a guest's `next(table, key)` is; of the last key, and of what is none, a number that is no
/// key.
fn next(map: Gc<Map<i64, i64>>, key: Option<i64>) -> i64 {
    let from = match key {
        None => 0,
        Some(key) => match map.entry_or_retired(key) {
            Some(number) => number + 1,
            None => return -20,
        },
    };
    match map.entry_from(from) {
        Some(number) => map.key_at(number),
        None => -10,
    }
}

/// A walk by keys that retires what it meets, and other entries.
#[unroll_safe]
pub fn walk_by_key(a: i64, b: i64) -> i64 {
    let map = kept(small(a), 5);
    if b & 8 != 0 {
        map.remove(3);
        map.compact();
    }
    let (mut all, mut key) = (0i64, None);
    loop {
        let at = next(map, key);
        if at < 0 {
            break all.wrapping_add(digest(map)).wrapping_add(at);
        }
        all = all.wrapping_mul(31).wrapping_add(at);
        if b & 1 != 0 {
            map.retire(at);
        }
        if b & 2 != 0 {
            map.retire(at + 3);
        }
        if b & 4 != 0 {
            map.retire(at - 3);
        }
        key = Some(at);
    }
}

/// Walks of a map whose numbers are not the positions: in turns, and with another walk in between.
#[unroll_safe]
pub fn walks_after_compaction(a: i64, b: i64) -> i64 {
    let map = kept(small(a), 5);
    map.remove(small(b));
    map.remove(6);
    map.remove(21);
    map.compact();
    let (mut all, mut from) = (0i64, 0);
    while let Some(number) = map.entry_from(from) {
        all = all.wrapping_mul(31).wrapping_add(map.key_at(number));
        if b & 16 != 0 {
            all = all.wrapping_add(numbered(map.entry_from(0)));
        }
        if b & 32 != 0 {
            map.remove(map.key_at(number));
        }
        all = all.wrapping_add(numbered(map.entry_of(12)));
        from = number + 1;
    }
    all.wrapping_add(digest(map))
}

/// The oldest entry is removed again and again.
#[unroll_safe]
pub fn queue(a: i64, b: i64) -> i64 {
    let map = kept(small(a), 5);
    let (mut all, mut n) = (0i64, 0);
    while n < 30 {
        if let Some(number) = map.entry_from(0) {
            let key = map.key_at(number);
            let gone = if b & 1 == 0 {
                map.remove(key)
            } else {
                map.retire(key)
            };
            all = all.wrapping_mul(31).wrapping_add(gone.unwrap_or(-1));
        }
        if n < small(b) {
            map.insert(n + 1000, n);
        }
        n += 1;
    }
    all.wrapping_add(digest(map))
}

/// A walk that removes and inserts: the arrays are rebuilt under it.
#[unroll_safe]
pub fn growth_while_walking(a: i64, b: i64) -> i64 {
    let map = kept(small(a), 5);
    let (mut all, mut from) = (0i64, 0);
    while let Some(number) = map.entry_from(from) {
        let key = map.key_at(number);
        all = all.wrapping_mul(31).wrapping_add(map.value_at(number));
        if key < 30 {
            map.remove(key);
            map.insert(100 + key, b & 7);
            map.insert(200 + key, 1);
        }
        map.set_value_at(map.entry_from(number + 1).unwrap_or(number), key);
        from = number + 1;
        if number > 40 {
            break;
        }
    }
    all
}

#[opaque]
fn kept_names(len: i64) -> Gc<Map<Gc<Name>, Num>> {
    let map = Map::new();
    for n in 0..len {
        map.insert(name(n * 2), Num::Int(n));
    }
    map
}

fn weight(num: Num) -> i64 {
    match num {
        Num::Nil => -1,
        Num::Int(n) => n,
        Num::Float(f) => f as i64,
        Num::Named(name) => name.letter.wrapping_mul(3),
    }
}

/// All keys of the map have one hash, and its values are of several words.
fn collided(map: Gc<Map<Gc<Name>, Num>>, a: i64, b: i64) -> i64 {
    let old = map
        .insert(name(a & 31), Num::Float(b as f64))
        .map_or(50, weight);
    let gone = map.remove(name(b & 31)).map_or(60, weight);
    map.insert(name(b), Num::Named(name(a)));
    map.insert(name(1), Num::Nil);
    let found = map.get(name(a & 31)).map_or(70, weight);
    let other = map.get(name(b)).map_or(80, weight);
    old.wrapping_mul(3)
        .wrapping_add(gone)
        .wrapping_mul(3)
        .wrapping_add(found ^ other)
        .wrapping_add(map.len() as i64)
}

pub fn own_collisions(a: i64, b: i64) -> i64 {
    collided(Map::new(), a, b)
}

pub fn kept_collisions(a: i64, b: i64) -> i64 {
    collided(kept_names(small(a)), a, b)
}

pub fn integers_that_collide(a: i64, b: i64) -> i64 {
    let map = kept(small(a), 5);
    map.insert(b << 40, 1);
    map.insert(b << 50, 2);
    map.insert(b << 60, 3);
    digest(map).wrapping_add(got(map, b << 50))
}

pub fn keys_of_all_widths(a: i64, b: i64) -> i64 {
    let bytes: Gc<Map<u8, i64>> = Map::new();
    bytes.insert(a as u8, 1);
    let shorts: Gc<Map<i16, i64>> = Map::new();
    shorts.insert(a as i16, 2);
    let ints: Gc<Map<u32, i64>> = Map::new();
    ints.insert(a as u32, 3);
    let sizes: Gc<Map<usize, i64>> = Map::new();
    sizes.insert(a as usize, 4);
    let found = bytes.get(b as u8).unwrap_or(0) * 1000 + shorts.get(b as i16).unwrap_or(0) * 100;
    found + ints.get(b as u32).unwrap_or(0) * 10 + sizes.get(b as usize).unwrap_or(0)
}

pub fn keys_of_other_types(a: i64, b: i64) -> i64 {
    let bits: Gc<Map<bool, i64>> = Map::new();
    bits.insert(a > 3, b);
    bits.insert(b > 3, 5);
    let chars: Gc<Map<char, Option<Gc<Name>>>> = Map::new();
    chars.insert(if a & 1 == 0 { 'x' } else { 'ü' }, Some(name(b)));
    chars.insert('z', None);
    let named = match chars.get('x') {
        Some(Some(name)) => name.letter,
        Some(None) => 7,
        None => chars.contains('ü') as i64,
    };
    bits.get(true)
        .unwrap_or(1)
        .wrapping_mul(3)
        .wrapping_add(named)
        ^ bits.len() as i64
}

pub fn floats_as_values(a: i64, b: i64) -> i64 {
    let map: Gc<Map<i64, f64>> = Map::new();
    map.insert(a, 0.5);
    map.insert(b, a as f64);
    map.get(a).unwrap_or(1.5).to_bits() as i64
}

#[opaque]
fn itself(map: Gc<Map<i64, i64>>) -> Gc<Map<i64, i64>> {
    map
}

pub fn two_names_for_one_map(a: i64, b: i64) -> i64 {
    let map = kept(small(a), 5);
    let same = itself(map);
    map.insert(3, b);
    let before = got(same, 3);
    same.insert(3, 1);
    same.remove(b);
    before.wrapping_add(got(map, 3)).wrapping_add(digest(map))
}

pub fn escape_half_way(a: i64, b: i64) -> i64 {
    let map = own(3, a);
    let same = if b & 1 == 0 { itself(map) } else { map };
    same.insert(3, b);
    same.insert(4, b);
    digest(map)
}

/// The same look-up again and again, with changes between that it must see.
pub fn looked_up_again(a: i64, b: i64) -> i64 {
    let map = kept(small(a), 5);
    let first = got(map, 6);
    map.insert(6, b);
    let second = got(map, 6);
    map.remove(6);
    let third = got(map, 6);
    map.insert(b, 4);
    let fourth = got(map, 6);
    map.clear();
    first
        .wrapping_add(second)
        .wrapping_mul(3)
        .wrapping_add(third * 5 + fourth)
        ^ got(map, 6)
}

// What follows is written by `cargo run -p conformance-tables`.

/// The functions, in the order of their numbers.
#[rustfmt::skip]
pub const CASES: &[&str] = &[
    "own_new",
    "own_constant_keys",
    "own_more_constant_keys_than_small",
    "own_get",
    "kept_get",
    "get_promoted",
    "own_insert",
    "kept_insert",
    "insert_promoted",
    "own_growth",
    "kept_growth",
    "contains",
    "own_remove",
    "kept_remove",
    "turns",
    "clear",
    "entry_from",
    "key_of_no_entry",
    "value_of_no_entry",
    "set_value",
    "keys",
    "removal_while_walking",
    "own_get_or_insert",
    "kept_get_or_insert",
    "own_constant_get_or_insert",
    "get_or_insert_promoted",
    "own_entry_of",
    "kept_entry_of",
    "own_retire",
    "kept_retire",
    "own_retire_and_grow",
    "walk_by_key",
    "walks_after_compaction",
    "queue",
    "growth_while_walking",
    "own_collisions",
    "kept_collisions",
    "integers_that_collide",
    "keys_of_all_widths",
    "keys_of_other_types",
    "floats_as_values",
    "two_names_for_one_map",
    "escape_half_way",
    "looked_up_again",
];

/// Function number `case` of two numbers.
#[rustfmt::skip]
pub fn run(case: i64, a: i64, b: i64) -> i64 {
    match case {
        0 => own_new(a, b),
        1 => own_constant_keys(a, b),
        2 => own_more_constant_keys_than_small(a, b),
        3 => own_get(a, b),
        4 => kept_get(a, b),
        5 => get_promoted(a, b),
        6 => own_insert(a, b),
        7 => kept_insert(a, b),
        8 => insert_promoted(a, b),
        9 => own_growth(a, b),
        10 => kept_growth(a, b),
        11 => contains(a, b),
        12 => own_remove(a, b),
        13 => kept_remove(a, b),
        14 => turns(a, b),
        15 => clear(a, b),
        16 => entry_from(a, b),
        17 => key_of_no_entry(a, b),
        18 => value_of_no_entry(a, b),
        19 => set_value(a, b),
        20 => keys(a, b),
        21 => removal_while_walking(a, b),
        22 => own_get_or_insert(a, b),
        23 => kept_get_or_insert(a, b),
        24 => own_constant_get_or_insert(a, b),
        25 => get_or_insert_promoted(a, b),
        26 => own_entry_of(a, b),
        27 => kept_entry_of(a, b),
        28 => own_retire(a, b),
        29 => kept_retire(a, b),
        30 => own_retire_and_grow(a, b),
        31 => walk_by_key(a, b),
        32 => walks_after_compaction(a, b),
        33 => queue(a, b),
        34 => growth_while_walking(a, b),
        35 => own_collisions(a, b),
        36 => kept_collisions(a, b),
        37 => integers_that_collide(a, b),
        38 => keys_of_all_widths(a, b),
        39 => keys_of_other_types(a, b),
        40 => floats_as_values(a, b),
        41 => two_names_for_one_map(a, b),
        42 => escape_half_way(a, b),
        43 => looked_up_again(a, b),
        _ => panic!("there is no such function"),
    }
}
