//! Dicts and sets. In: keys with their hashes. Out: entries by their numbers. Invariants: entries
//! are in the order in which they were added, and keep their numbers until one is added and there
//! is no room; an entry whose key is `Unbound` has gone; a set is a dict whose values are `None`.
//!
//! Comparing keys may call functions of the program. What is found without such a call is found
//! here, in one call that only reads; where one is needed, the search says so, and
//! [`crate::run::items::keys`] makes it.

use crate::heap::value::{Tuple, Value};
use verdigris::{prelude::*, readonly};

/// The tag of the arrays of keys.
pub struct InKeys;
/// The tag of the arrays of values.
pub struct InEntries;
/// The tag of the arrays of hashes.
pub struct InHashes;
/// The tag of the arrays from hashes to entries.
pub struct InIndex;

/// A dict.
#[gc]
pub struct Dict {
    /// The keys.
    pub keys: Cell<GcArray<Cell<Value>, InKeys>>,
    /// The values.
    pub values: Cell<GcArray<Cell<Value>, InEntries>>,
    /// The hashes of the keys.
    pub hashes: Cell<GcArray<Cell<i64>, InHashes>>,
    /// From hashes to entries: 0, or the number of the entry and 1.
    pub index: Cell<GcArray<Cell<u32>, InIndex>>,
    /// How many entries there are, those that have gone included.
    pub used: Cell<usize>,
    /// How many have not.
    pub live: Cell<usize>,
}

/// There is no such key.
pub const MISSING: i64 = -1;
/// Only a function of the program can tell.
pub const ASK: i64 = -2;

/// A dict without entries.
#[opaque]
pub fn new() -> Gc<Dict> {
    Gc::new(Dict {
        keys: Cell::new(GcArray::new(0, Value::Unbound)),
        values: Cell::new(GcArray::new(0, Value::Unbound)),
        hashes: Cell::new(GcArray::new(0, 0)),
        index: Cell::new(GcArray::new(2, 0)),
        used: Cell::new(0),
        live: Cell::new(0),
    })
}

/// Spreads a hash over the index.
#[inline]
fn spread(hash: i64) -> usize {
    let product = (hash as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (product >> 32) as usize
}

/// Whether two keys are the same: 0, 1, or 2 if only a function of the program can tell.
#[inline]
pub fn same(a: Value, b: Value) -> u8 {
    match (a, b) {
        (Value::Str(a), Value::Str(b)) => (Gc::ptr_eq(a, b) || a.data.same(b.data)) as u8,
        (Value::Int(a), Value::Int(b)) => (a == b) as u8,
        _ => same_others(a, b),
    }
}

fn same_others(a: Value, b: Value) -> u8 {
    match (a, b) {
        (Value::Int(a), Value::Bool(b)) | (Value::Bool(b), Value::Int(a)) => {
            (a == i64::from(b)) as u8
        }
        (Value::Bool(a), Value::Bool(b)) => (a == b) as u8,
        // One that is no number is the same key as itself.
        (Value::Float(a), Value::Float(b)) => (a == b || a.to_bits() == b.to_bits()) as u8,
        (Value::Int(a), Value::Float(b)) | (Value::Float(b), Value::Int(a)) => {
            crate::heap::exact::int_equals_float(a, b) as u8
        }
        (Value::Float(a), Value::Bool(b)) | (Value::Bool(b), Value::Float(a)) => {
            (a == f64::from(u8::from(b))) as u8
        }
        (Value::Instance(_), _) | (_, Value::Instance(_)) => ask(a, b),
        (Value::Bytes(a), Value::Bytes(b)) => a.same(b) as u8,
        (Value::Tuple(x), Value::Tuple(y)) => same_tuples(x, y, 0),
        (Value::Complex(_), _) | (_, Value::Complex(_)) => ask(a, b),
        (Value::FrozenSet(_), _) | (_, Value::FrozenSet(_)) => ask(a, b),
        (Value::Big(_), _) | (_, Value::Big(_)) => ask(a, b),
        (Value::Method(_), Value::Method(_)) | (Value::Range(_), Value::Range(_)) => ask(a, b),
        _ => (a == b) as u8,
    }
}

/// Within how many tuples that are items of tuples keys are compared here.
const MAX_NESTING: usize = 16;

/// The same of tuples: they are if all items are.
fn same_tuples(a: Tuple, b: Tuple, nesting: usize) -> u8 {
    if a.len() != b.len() {
        return 0;
    }
    if nesting > MAX_NESTING {
        return 2;
    }
    for n in 0..a.len() {
        let found = match (a[n].get(), b[n].get()) {
            (Value::Tuple(x), Value::Tuple(y)) => same_tuples(x, y, nesting + 1),
            (x, y) => same(x, y),
        };
        if found != 1 {
            return found;
        }
    }
    1
}

fn ask(a: Value, b: Value) -> u8 {
    if a == b { 1 } else { 2 }
}

/// The number of a key's entry, [`MISSING`], or [`ASK`].
#[readonly]
pub fn find(dict: Gc<Dict>, key: Value, hash: i64) -> i64 {
    let index = dict.index.get();
    let (keys, hashes) = (dict.keys.get(), dict.hashes.get());
    let mask = index.len() - 1;
    let mut at = spread(hash) & mask;
    loop {
        let word = index[at].get();
        if word == 0 {
            return MISSING;
        }
        let number = word as usize - 1;
        if hashes[number].get() == hash {
            let known = keys[number].get();
            if !known.is_unbound() {
                match same(known, key) {
                    0 => {}
                    1 => return number as i64,
                    _ => return ASK,
                }
            }
        }
        at = (at + 1) & mask;
    }
}

/// The value of a key that is a text; `Unbound` if it is not there.
pub fn find_text(dict: Gc<Dict>, key: &str) -> Value {
    let key = crate::heap::value::new_text(key);
    let hash = crate::heap::hashing::of_text(key.data);
    match find(dict, Value::Str(key), hash) {
        found @ 0.. => dict.values.get()[found as usize].get(),
        _ => Value::Unbound,
    }
}

/// The entries that may have a key of this hash are those of the steps 0, 1, .. until [`MISSING`].
/// One that has gone may be among them.
pub fn candidate(dict: Gc<Dict>, hash: i64, step: usize) -> i64 {
    let index = dict.index.get();
    let mask = index.len() - 1;
    i64::from(index[(spread(hash) + step) & mask].get()) - 1
}

/// Adds an entry for a key that has none.
#[opaque]
pub fn add(dict: Gc<Dict>, key: Value, hash: i64, value: Value) {
    if dict.used.get() >= dict.keys.get().len() {
        grow(dict);
    }
    let number = dict.used.get();
    dict.keys.get()[number].set(key);
    dict.values.get()[number].set(value);
    dict.hashes.get()[number].set(hash);
    dict.used.set(number + 1);
    dict.live.set(dict.live.get() + 1);
    link(dict.index.get(), number, hash);
}

fn link(index: GcArray<Cell<u32>, InIndex>, number: usize, hash: i64) {
    let mask = index.len() - 1;
    let mut at = spread(hash) & mask;
    while index[at].get() != 0 {
        at = (at + 1) & mask;
    }
    index[at].set(number as u32 + 1);
}

/// Removes an entry. Its value.
#[opaque]
pub fn remove(dict: Gc<Dict>, number: usize) -> Value {
    dict.keys.get()[number].set(Value::Unbound);
    let value = dict.values.get()[number].replace(Value::Unbound);
    dict.live.set(dict.live.get() - 1);
    if dict.live.get() == 0 {
        clear(dict);
    }
    value
}

/// Removes all entries.
#[opaque]
pub fn clear(dict: Gc<Dict>) {
    dict.keys.set(GcArray::new(0, Value::Unbound));
    dict.values.set(GcArray::new(0, Value::Unbound));
    dict.hashes.set(GcArray::new(0, 0));
    dict.index.set(GcArray::new(2, 0));
    dict.used.set(0);
    dict.live.set(0);
}

/// Leaves out the entries that have gone, and makes room for more.
fn grow(dict: Gc<Dict>) {
    let (old_keys, old_values) = (dict.keys.get(), dict.values.get());
    let (old_hashes, used) = (dict.hashes.get(), dict.used.get());
    let mut capacity = 4;
    while capacity < dict.live.get() + dict.live.get() / 2 + 1 {
        capacity *= 2;
    }
    assert!(capacity < 1 << 30, "a dict of more than 2^30 entries");
    let keys: GcArray<Cell<Value>, InKeys> = GcArray::new(capacity, Value::Unbound);
    let values: GcArray<Cell<Value>, InEntries> = GcArray::new(capacity, Value::Unbound);
    let hashes: GcArray<Cell<i64>, InHashes> = GcArray::new(capacity, 0);
    let index = GcArray::new(capacity * 2, 0);
    let mut count = 0;
    for n in 0..used {
        let key = old_keys[n].get();
        if key.is_unbound() {
            continue;
        }
        keys[count].set(key);
        values[count].set(old_values[n].get());
        hashes[count].set(old_hashes[n].get());
        link(index, count, old_hashes[n].get());
        count += 1;
    }
    dict.keys.set(keys);
    dict.values.set(values);
    dict.hashes.set(hashes);
    dict.index.set(index);
    dict.used.set(count);
}

/// The number of the first entry from this one on that has not gone; how many entries there are if
/// there is none.
#[readonly]
pub fn next(dict: Gc<Dict>, from: usize) -> usize {
    let (keys, used) = (dict.keys.get(), dict.used.get());
    let mut number = from;
    while number < used && keys[number].get().is_unbound() {
        number += 1;
    }
    number.min(used)
}

/// A copy.
#[opaque]
pub fn copy(dict: Gc<Dict>) -> Gc<Dict> {
    let made = Gc::new(Dict {
        keys: Cell::new(dict.keys.get()),
        values: Cell::new(dict.values.get()),
        hashes: Cell::new(dict.hashes.get()),
        index: Cell::new(dict.index.get()),
        used: Cell::new(dict.used.get()),
        live: Cell::new(dict.live.get()),
    });
    // The arrays are those of the other until this gives it its own.
    grow(made);
    made
}
