//! A hash map in insertion order. In: keys and values. Out: [`Map`], an object of the heap.
//!
//! Entries lie in parallel arrays in the order they were made. A map with more than a few entries has an index: a table of
//! entry positions, open-addressed by hash. Small maps are searched entry by entry, so compiled code can look into the search.
//!
//! Invariants: entries `0..used` have numbers that grow, shifted left by one, with a 1 at the end if they are alive; dead entries
//! keep nothing alive. There is an index if and only if there is room for more than `SMALL` entries; it has twice as many
//! places as there is room, names every live entry, and no place is reused before the next rebuild, so searches end.
//! Source: the compact dictionaries of PyPy and CPython (Hettinger, 2012).

use super::key::Key;
use super::list::List;
use verdigris::rt::Slot;
use verdigris::{
    Cell, Gc, GcArray, Stored, gc, is_constant, is_virtual, opaque, promote, readonly, unroll_safe,
};

/// The tags of a map's arrays: each kind is different from all others.
pub struct MapKeys;
/// See [`MapKeys`].
pub struct MapValues;
/// See [`MapKeys`].
pub struct MapNumbers;
/// See [`MapKeys`].
pub struct MapIndex;

/// As many entries are searched one by one.
const SMALL: usize = 8;
/// The room of a new map.
const FIRST_CAPACITY: usize = 4;
/// A place of the index that has never been used, and one whose entry is dead. Entry `n` is `n + 2`.
const FREE: u32 = 0;
const DEAD: u32 = 1;

/// A hash map that remembers the order of its entries, on the heap.
///
/// Methods take `&self`, and maps are passed around as `Gc<Map<K, V>>`. `get`, `insert`, `remove` and `contains` take constant
/// time on average, `insert` amortised. Replacing a value keeps the entry's place; a key that was removed and comes again
/// is a new entry, at the end.
///
/// In compiled code a look-up is a call, which is made once for the same key as long as no entry is made or removed: before a
/// loop if the loop only replaces values. A map that compiled code makes and does not give away, with keys that it knows,
/// costs nothing there: its values become variables.
///
/// Entries have numbers that grow with each new one and never come again, by which a map is walked, also while it changes:
///
/// ```
/// # use verdigris::{HeapOptions, prelude::*};
/// # verdigris::rt::with_heap(HeapOptions::default(), || {
/// let map = Map::new();
/// map.insert(7, 1.5);
/// map.insert(3, 2.5);
/// assert_eq!(map.get(3), Some(2.5));
/// assert_eq!(map.insert(7, 0.5), Some(1.5));
///
/// let (mut sum, mut from) = (0.0, 0);
/// while let Some(number) = map.entry_from(from) {
///     sum += map.value_at(number);
///     map.remove(3);
///     from = number + 1;
/// }
/// assert_eq!(sum, 0.5);
/// # });
/// ```
#[gc]
pub struct Map<K: Key, V: Stored> {
    live: Cell<usize>,
    used: Cell<usize>,
    next_number: Cell<usize>,
    keys: Cell<GcArray<Slot<K>, MapKeys>>,
    values: Cell<GcArray<Slot<V>, MapValues>>,
    numbers: Cell<GcArray<Cell<usize>, MapNumbers>>,
    index: Cell<GcArray<Cell<u32>, MapIndex>>,
}

impl<K: Key, V: Stored> Map<K, V> {
    /// An empty map.
    ///
    /// # Panics
    /// At the heap limit, as [`GcArray::new`]. So does everything that adds an entry.
    #[allow(clippy::new_ret_no_self)]
    pub fn new() -> Gc<Map<K, V>> {
        Gc::new(Map {
            live: Cell::new(0),
            used: Cell::new(0),
            next_number: Cell::new(0),
            keys: Cell::new(GcArray::vacant(FIRST_CAPACITY)),
            values: Cell::new(GcArray::vacant(FIRST_CAPACITY)),
            numbers: Cell::new(GcArray::new(FIRST_CAPACITY, 0)),
            index: Cell::new(GcArray::new(0, FREE)),
        })
    }

    /// The number of entries.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.live.get()
    }

    /// Whether there are none.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.live.get() == 0
    }

    /// The value of a key.
    #[inline]
    pub fn get(&self, key: K) -> Option<V> {
        self.value_in(self.position(key))
    }

    /// As [`Map::get`]; compiled code promotes the place where the key's entry is.
    ///
    /// Right for maps that mostly have the same keys in the same order where the guest program names one, as the variables of
    /// a function: once the place is known, the value need not be in memory while compiled code runs.
    #[inline]
    pub fn get_promoted(&self, key: K) -> Option<V> {
        self.value_in(promote(self.position(key)))
    }

    /// Whether there is an entry with this key.
    #[inline]
    pub fn contains(&self, key: K) -> bool {
        self.position(key) >= 0
    }

    /// Gives a key a value. Answers the one that it had.
    pub fn insert(&self, key: K, value: V) -> Option<V> {
        self.put(self.position(key), key, value)
    }

    /// As [`Map::insert`]; compiled code promotes the place where the key's entry is, as [`Map::get_promoted`] does.
    pub fn insert_promoted(&self, key: K, value: V) -> Option<V> {
        self.put(promote(self.position(key)), key, value)
    }

    fn value_in(&self, at: i64) -> Option<V> {
        if at < 0 {
            return None;
        }
        Some(self.values.get()[at as usize].get())
    }

    fn put(&self, at: i64, key: K, value: V) -> Option<V> {
        if at < 0 {
            self.append(key, value);
            return None;
        }
        let values = self.values.get();
        let old = values[at as usize].get();
        values[at as usize].set(value);
        Some(old)
    }

    /// Removes the entry of a key. Answers its value.
    pub fn remove(&self, key: K) -> Option<V> {
        let at = self.position(key);
        if at < 0 {
            return None;
        }
        let at = at as usize;
        let old = self.values.get()[at].get();
        if self.index.get().len() > 0 {
            self.unlink(at);
        }
        let numbers = self.numbers.get();
        numbers[at].set(numbers[at].get() & !1);
        self.keys.get()[at].clear();
        self.values.get()[at].clear();
        self.live.set(self.live.get() - 1);
        Some(old)
    }

    /// Removes all entries, in constant time. Numbers go on where they were.
    #[opaque]
    pub fn clear(&self) {
        self.keys.set(GcArray::vacant(FIRST_CAPACITY));
        self.values.set(GcArray::vacant(FIRST_CAPACITY));
        self.numbers.set(GcArray::new(FIRST_CAPACITY, 0));
        self.index.set(GcArray::new(0, FREE));
        self.live.set(0);
        self.used.set(0);
    }

    /// The number of the first entry whose number is at least this one. In constant time if no entry before it has been removed,
    /// else in time that grows with the logarithm of the number of entries, plus the removed ones in a row.
    pub fn entry_from(&self, number: usize) -> Option<usize> {
        if number < self.used.get() && self.numbers.get()[number].get() == number * 2 + 1 {
            return Some(number);
        }
        let at = self.seek(number);
        if at < 0 {
            return None;
        }
        Some(self.numbers.get()[at as usize].get() >> 1)
    }

    /// The key of the entry with this number. In as much time as [`Map::entry_from`]; so do the two below.
    ///
    /// # Panics
    /// If there is none: `no entry has the number 5`.
    pub fn key_at(&self, number: usize) -> K {
        self.keys.get()[self.place_of(number)].get()
    }

    /// The value of the entry with this number.
    ///
    /// # Panics
    /// As [`Map::key_at`].
    pub fn value_at(&self, number: usize) -> V {
        self.values.get()[self.place_of(number)].get()
    }

    /// Replaces the value of the entry with this number.
    ///
    /// # Panics
    /// As [`Map::key_at`].
    pub fn set_value_at(&self, number: usize, value: V) {
        self.values.get()[self.place_of(number)].set(value);
    }

    /// The keys in order, as a new list, in time in proportion to the entries.
    #[opaque]
    pub fn keys(&self) -> Gc<List<K>> {
        let list = List::with_capacity(self.live.get());
        for n in 0..self.used.get() {
            if self.numbers.get()[n].get() & 1 == 1 {
                list.push(self.keys.get()[n].get());
            }
        }
        list
    }

    /// Keys and values in order; for native code only. Entries that are added while it runs are among them, those that
    /// are removed before it gets to them are not.
    pub fn iter(&self) -> impl Iterator<Item = (K, V)> {
        let mut from = 0;
        std::iter::from_fn(move || {
            let number = self.entry_from(from)?;
            from = number + 1;
            Some((self.key_at(number), self.value_at(number)))
        })
    }

    /// Where in the arrays a live entry lies.
    fn place_of(&self, number: usize) -> usize {
        if number < self.used.get() && self.numbers.get()[number].get() == number * 2 + 1 {
            return number;
        }
        let at = self.seek(number);
        if at < 0 || self.numbers.get()[at as usize].get() >> 1 != number {
            fail_entry(number);
        }
        at as usize
    }

    /// The position of the first live entry whose number is at least this one, or -1.
    #[doc(hidden)]
    #[readonly(used, numbers)]
    pub fn seek(&self, number: usize) -> i64 {
        let (numbers, used) = (self.numbers.get(), self.used.get());
        let (mut low, mut high) = (0, used);
        while low < high {
            let middle = (low + high) / 2;
            if numbers[middle].get() >> 1 < number {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        for n in low..used {
            if numbers[n].get() & 1 == 1 {
                return n as i64;
            }
        }
        -1
    }

    /// The position of a key's entry, or -1. In a map that need not exist the search is looked into.
    fn position(&self, key: K) -> i64 {
        if is_virtual(self) && is_constant(self.used.get()) && is_constant(key) {
            self.scan(key)
        } else {
            self.find(key)
        }
    }

    /// The search without an index.
    #[unroll_safe]
    fn scan(&self, key: K) -> i64 {
        let (keys, numbers) = (self.keys.get(), self.numbers.get());
        for n in 0..self.used.get() {
            if numbers[n].get() & 1 == 1 && keys[n].get().same(key) {
                return n as i64;
            }
        }
        -1
    }

    /// The position of a key's entry, or -1.
    #[doc(hidden)]
    #[readonly(used, numbers, keys, index)]
    pub fn find(&self, key: K) -> i64 {
        let index = self.index.get();
        if index.len() == 0 {
            return self.scan(key);
        }
        let keys = self.keys.get();
        let mask = index.len() - 1;
        let mut at = spread(key.hash()) & mask;
        loop {
            match index[at].get() {
                FREE => return -1,
                DEAD => {}
                entry => {
                    let n = entry as usize - 2;
                    if keys[n].get().same(key) {
                        return n as i64;
                    }
                }
            }
            at = (at + 1) & mask;
        }
    }

    /// Adds an entry for a key that has none.
    fn append(&self, key: K, value: V) {
        if self.used.get() >= self.keys.get().len() {
            self.grow();
        }
        let n = self.used.get();
        self.keys.get()[n].set(key);
        self.values.get()[n].set(value);
        let number = self.next_number.get();
        self.numbers.get()[n].set(number * 2 + 1);
        self.next_number.set(number + 1);
        self.used.set(n + 1);
        self.live.set(self.live.get() + 1);
        if self.index.get().len() > 0 {
            self.link(n);
        }
    }

    /// Makes room for an entry. Nothing is called for a small map that compiled code does not have to make.
    fn grow(&self) {
        let used = self.used.get();
        if is_virtual(self) && is_constant(used) && used * 2 <= SMALL {
            self.grow_inside();
        } else {
            self.rebuild();
        }
    }

    #[unroll_safe]
    fn grow_inside(&self) {
        let used = self.used.get();
        let keys: GcArray<Slot<K>, MapKeys> = GcArray::vacant(SMALL);
        let values: GcArray<Slot<V>, MapValues> = GcArray::vacant(SMALL);
        let numbers: GcArray<Cell<usize>, MapNumbers> = GcArray::new(SMALL, 0);
        for n in 0..used {
            let number = self.numbers.get()[n].get();
            numbers[n].set(number);
            // A dead entry has no key.
            if number & 1 == 1 {
                keys[n].set(self.keys.get()[n].get());
                values[n].set(self.values.get()[n].get());
            }
        }
        self.keys.set(keys);
        self.values.set(values);
        self.numbers.set(numbers);
    }

    /// Moves the live entries to new arrays with room for at least one more, and makes an index if there are many.
    #[doc(hidden)]
    #[opaque]
    pub fn rebuild(&self) {
        let (old_keys, old_values) = (self.keys.get(), self.values.get());
        let (old_numbers, used) = (self.numbers.get(), self.used.get());
        let mut capacity = FIRST_CAPACITY;
        // At least a third is free afterwards, so that the next rebuild is far.
        while capacity * 2 < self.live.get() * 3 + 2 {
            capacity *= 2;
        }
        assert!(capacity < u32::MAX as usize / 2, "capacity overflow");
        let keys = GcArray::vacant(capacity);
        let values = GcArray::vacant(capacity);
        let numbers: GcArray<Cell<usize>, MapNumbers> = GcArray::new(capacity, 0);
        let index = GcArray::new(if capacity > SMALL { capacity * 2 } else { 0 }, FREE);
        let mut live = 0;
        for n in 0..used {
            let number = old_numbers[n].get();
            if number & 1 == 1 {
                let key: K = old_keys[n].get();
                keys[live].set(key);
                values[live].set(old_values[n].get());
                numbers[live].set(number);
                if capacity > SMALL {
                    enter(index, live, key.hash());
                }
                live += 1;
            }
        }
        self.keys.set(keys);
        self.values.set(values);
        self.numbers.set(numbers);
        self.index.set(index);
        self.used.set(live);
    }

    /// Enters an entry into the index.
    #[doc(hidden)]
    #[opaque]
    pub fn link(&self, entry: usize) {
        let key = self.keys.get()[entry].get();
        enter(self.index.get(), entry, key.hash());
    }

    /// Marks an entry as dead in the index.
    #[doc(hidden)]
    #[opaque]
    pub fn unlink(&self, entry: usize) {
        let index = self.index.get();
        let key = self.keys.get()[entry].get();
        let mask = index.len() - 1;
        let mut at = spread(key.hash()) & mask;
        while index[at].get() as usize != entry + 2 {
            at = (at + 1) & mask;
        }
        index[at].set(DEAD);
    }
}

/// Puts an entry into the first free place from its hash on.
fn enter(index: GcArray<Cell<u32>, MapIndex>, entry: usize, hash: u64) {
    let mask = index.len() - 1;
    let mut at = spread(hash) & mask;
    while index[at].get() != FREE {
        at = (at + 1) & mask;
    }
    index[at].set(entry as u32 + 2);
}

/// Lets every bit of a hash decide about the lowest ones.
fn spread(hash: u64) -> usize {
    let product = hash.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (product ^ (product >> 32)) as usize
}

/// The panic of a number that is no entry's.
#[doc(hidden)]
#[opaque]
pub fn fail_entry(number: usize) {
    panic!("no entry has the number {number}")
}
