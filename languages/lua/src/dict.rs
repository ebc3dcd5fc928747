//! The dictionary of a table: keys that are neither items nor fields. In: keys. Out: entries by
//! their numbers. Invariants: entries are in the order in which they were added, and keep their
//! numbers until one is added and there is no room, so that walking over them while values are
//! replaced or removed works, each step in constant time; an entry whose value is nil has gone.

use crate::string::{self, LuaStr};
use crate::value::Value;
use verdigris::{advice, prelude::*, readonly};

/// The tag of the arrays of keys.
pub struct InKeys;
/// The tag of the arrays of values.
pub struct InEntries;
/// The tag of the arrays from hashes to entries.
pub struct InIndex;

/// A dictionary.
#[gc]
pub struct Dict {
    /// The keys.
    pub keys: Cell<GcArray<Cell<Value>, InKeys>>,
    /// The values.
    pub values: Cell<GcArray<Cell<Value>, InEntries>>,
    /// From hashes to entries: 0, or the upper half of the hash and in the lower half the number of
    /// the entry and 1.
    pub index: Cell<GcArray<Cell<u64>, InIndex>>,
    /// How many entries there are, those that have gone included.
    pub used: Cell<usize>,
    /// How many keys were integers from 1 on, which may become items.
    pub ints: Cell<usize>,
    /// Whether the values of strings are globals.
    pub of_globals: bool,
}

/// A dictionary without entries.
pub fn new(of_globals: bool) -> Gc<Dict> {
    Gc::new(Dict {
        keys: Cell::new(GcArray::new(0, Value::Nil)),
        values: Cell::new(GcArray::new(0, Value::Nil)),
        index: Cell::new(GcArray::new(2, 0)),
        used: Cell::new(0),
        ints: Cell::new(0),
        of_globals,
    })
}

/// A number that is equal for equal keys. Objects never move, so their address is one.
#[inline]
fn hash(key: Value) -> u64 {
    let word = match key {
        Value::Int(i) => i as u64,
        Value::Str(s) => return string::hash(s),
        // Its lower half is mostly zero, and would stay so in the product.
        Value::Float(f) => f.to_bits() ^ f.to_bits() >> 32,
        Value::Bool(b) => u64::from(b) + 1,
        Value::Table(t) => verdigris::Word::to_word(t) >> 3,
        Value::Function(f) => verdigris::Word::to_word(f) >> 3,
        Value::Native(n) => verdigris::Word::to_word(n) >> 3,
        Value::Thread(t) => verdigris::Word::to_word(t) >> 3,
        Value::File(f) => verdigris::Word::to_word(f) >> 3,
        Value::Host(h) => verdigris::Word::to_word(h) >> 3,
        _ => 0,
    };
    let product = word.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    product ^ (product >> 32)
}

/// Whether two keys are the same, of which one is no string. Floats that are integers are integers
/// here.
#[inline]
fn same(a: Value, b: Value) -> bool {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => a == b,
        (Value::Float(a), Value::Float(b)) => a == b,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Table(a), Value::Table(b)) => Gc::ptr_eq(a, b),
        (Value::Function(a), Value::Function(b)) => Gc::ptr_eq(a, b),
        (Value::Native(a), Value::Native(b)) => Gc::ptr_eq(a, b),
        (Value::Thread(a), Value::Thread(b)) => Gc::ptr_eq(a, b),
        (Value::File(a), Value::File(b)) => Gc::ptr_eq(a, b),
        (Value::Host(a), Value::Host(b)) => Gc::ptr_eq(a, b),
        _ => false,
    }
}

/// The number of a key's entry, or -1.
#[advice(
    "this table has become a dictionary, since its keys are computed or too many: use names, or a list"
)]
#[readonly]
pub fn find(dict: Gc<Dict>, key: Value) -> i64 {
    if let Value::Str(name) = key {
        return find_string(dict, name);
    }
    let index = dict.index.get();
    let keys = dict.keys.get();
    let mask = index.len() - 1;
    let hash = hash(key);
    let mut at = hash as usize & mask;
    loop {
        let word = index[at].get();
        if word == 0 {
            return -1;
        }
        let number = entry(word);
        // Hashes that differ save the look at the key.
        if word >> 32 == hash >> 32 && same(keys[number].get(), key) {
            return number as i64;
        }
        at = (at + 1) & mask;
    }
}

/// The number of an integer's entry, or -1. For what can be no item, the first entry is looked at
/// without a hash: where indices begin with 0, it is the one.
#[inline]
pub fn find_int(dict: Gc<Dict>, key: i64) -> i64 {
    let keys = dict.keys.get();
    if key < 1
        && !keys.is_empty()
        && let Value::Int(first) = keys[0].get()
        && first == key
    {
        return 0;
    }
    find(dict, Value::Int(key))
}

/// The number of a string's entry, or -1.
#[advice(
    "this table has become a dictionary, since its keys are computed or too many: use names, or a list"
)]
#[readonly]
#[inline]
pub fn find_string(dict: Gc<Dict>, name: Gc<LuaStr>) -> i64 {
    let index = dict.index.get();
    let keys = dict.keys.get();
    let mask = index.len() - 1;
    let hash = string::hash(name);
    let mut at = hash as usize & mask;
    loop {
        let word = index[at].get();
        if word == 0 {
            return -1;
        }
        let number = entry(word);
        if word >> 32 == hash >> 32
            && let Value::Str(known) = keys[number].get()
            && (Gc::ptr_eq(known, name) || string::same_outside(known, name))
        {
            return number as i64;
        }
        at = (at + 1) & mask;
    }
}

/// Adds an entry for a key that has none, for native code.
pub fn insert(dict: Gc<Dict>, key: Value, value: Value) {
    if dict.used.get() >= dict.keys.get().len() {
        grow(dict);
    }
    if matches!(key, Value::Int(1..)) {
        dict.ints.set(dict.ints.get() + 1);
    }
    let number = dict.used.get();
    dict.keys.get()[number].set(key);
    dict.values.get()[number].set(value);
    dict.used.set(number + 1);
    link(dict.index.get(), number, key);
}

/// The number of the entry that a word of the index names.
#[inline]
fn entry(word: u64) -> usize {
    (word as u32 - 1) as usize
}

fn link(index: GcArray<Cell<u64>, InIndex>, number: usize, key: Value) {
    let mask = index.len() - 1;
    let hash = hash(key);
    let mut at = hash as usize & mask;
    while index[at].get() != 0 {
        at = (at + 1) & mask;
    }
    index[at].set(hash >> 32 << 32 | (number as u64 + 1));
}

/// Whether an entry has gone.
fn gone(value: Value) -> bool {
    match value {
        Value::Nil => true,
        // An entry for a global stays although the global is nil: code may refer to it.
        _ => false,
    }
}

/// Whether there is no room for another entry.
pub fn is_full(dict: Gc<Dict>) -> bool {
    dict.used.get() >= dict.keys.get().len()
}

/// Leaves out the entries that have gone.
pub fn tidy(dict: Gc<Dict>) {
    grow(dict);
}

/// Leaves out the entries that have gone, and makes room for more.
fn grow(dict: Gc<Dict>) {
    let (old_keys, old_values, used) = (dict.keys.get(), dict.values.get(), dict.used.get());
    let mut live = 0;
    for n in 0..used {
        if !gone(old_values[n].get()) {
            live += 1;
        }
    }
    let mut capacity = 4;
    while capacity < live + live / 2 + 1 {
        capacity *= 2;
    }
    assert!(capacity < 1 << 31, "a table of more than 2^31 entries");
    let keys: GcArray<Cell<Value>, InKeys> = GcArray::new(capacity, Value::Nil);
    let values: GcArray<Cell<Value>, InEntries> = GcArray::new(capacity, Value::Nil);
    let index = GcArray::new(capacity * 2, 0);
    let mut count = 0;
    let mut ints = 0;
    for n in 0..used {
        let value = old_values[n].get();
        if gone(value) {
            continue;
        }
        let key: Value = old_keys[n].get();
        if matches!(key, Value::Int(1..)) {
            ints += 1;
        }
        keys[count].set(key);
        values[count].set(value);
        link(index, count, key);
        count += 1;
    }
    dict.ints.set(ints);
    dict.keys.set(keys);
    dict.values.set(values);
    dict.index.set(index);
    dict.used.set(count);
}
