//! A hash map in insertion order, as an object of the heap.
//!
//! Entries lie in parallel arrays in the order they were made. A map with more than a few entries
//! has an index: a table of entry positions, open-addressed by hash. Small maps are searched entry
//! by entry, so compiled code can look into the search.
//!
//! Invariants: entries `0..used` have numbers that grow, shifted left by two, with their state at
//! the end: a removed entry has neither key nor value, a retired one has its key, and no other
//! entry has the same. None before `first` is alive. There is an index if and only if there is room
//! for more than `SMALL` entries; it has twice as many places as there is room, names every entry
//! that has a key, with whether it is retired, and no place is reused before the next rebuild, so
//! searches end. `cursor` is a guess. Source: the compact dictionaries of PyPy and CPython
//! (Hettinger, 2012).

use super::key::{Key, KeyObject};
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
/// A place of the index that has never been used, and one whose entry was removed. Entry `n` is
/// `2 * n + 2`, and one more while it is retired: a search that has found the key needs nothing
/// else.
const FREE: u32 = 0;
const DEAD: u32 = 1;
/// The states of entries, in the lowest bits of their numbers; those that are alive are odd.
const REMOVED: usize = 0;
const ALIVE: usize = 1;
const RETIRED: usize = 2;
const STATE: usize = 3;
/// As many bits is a number shifted to make room for the state.
const SHIFT: u32 = 2;
/// What a search answers if there is no entry with the key. The position `n` of a retired entry is
/// `RETIRED_AT - n`.
const NOWHERE: i64 = -1;
const RETIRED_AT: i64 = -2;

/// A hash map that remembers the order of its entries, on the heap.
///
/// Methods take `&self`, and maps are passed around as `Gc<Map<K, V>>`. What looks for a key takes
/// constant time on average, what may add an entry amortised. Replacing a value keeps the entry's
/// place; a key that was removed and comes again is a new entry, at the end.
///
/// In compiled code a look-up is a call, which is made once for the same key as long as no entry is
/// made or removed: before a loop if the loop only replaces values. A map that compiled code makes
/// and does not give away, with keys that it knows, costs nothing there: its values become
/// variables.
///
/// Entries have numbers that grow with each new one and never come again, by which a map is walked,
/// also while it changes: whatever is removed, added or moved, an entry keeps its number.
/// [`Map::entry_of`] gives that of a key.
///
/// The place of a removed entry is used again when a new entry needs more room than there is: then
/// the map moves the others together. A walk that calls for the next number notices nothing; one
/// that calls for the next *key* needs [`Map::retire`].
///
/// ```
/// # use verdigris::{HeapOptions, Map, prelude::*};
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
    first: Cell<usize>,
    cursor: Cell<usize>,
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
            first: Cell::new(0),
            cursor: Cell::new(0),
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
    /// Right for maps that mostly have the same keys in the same order where the guest program
    /// names one, as the variables of a function: once the place is known, the value need not be in
    /// memory while compiled code runs.
    #[inline]
    pub fn get_promoted(&self, key: K) -> Option<V> {
        self.value_in(promote(self.position(key)))
    }

    /// Whether there is an entry with this key.
    #[inline]
    pub fn contains(&self, key: K) -> bool {
        self.position(key) >= 0
    }

    /// Gives a key a value. Returns the previous one.
    pub fn insert(&self, key: K, value: V) -> Option<V> {
        self.put(self.position(key), key, value)
    }

    /// As [`Map::insert`]; compiled code promotes the place where the key's entry is, as
    /// [`Map::get_promoted`] does.
    pub fn insert_promoted(&self, key: K, value: V) -> Option<V> {
        self.put(promote(self.position(key)), key, value)
    }

    /// The value of a key; if it has none, it gets this one. With one search.
    ///
    /// ```
    /// # use verdigris::{HeapOptions, Map, prelude::*};
    /// # verdigris::rt::with_heap(HeapOptions::default(), || {
    /// let map = Map::new();
    /// assert_eq!(map.get_or_insert(7, 1.5), 1.5);
    /// assert_eq!(map.get_or_insert(7, 2.5), 1.5);
    /// # });
    /// ```
    pub fn get_or_insert(&self, key: K, value: V) -> V {
        self.value_or_add(self.position(key), key, value)
    }

    /// As [`Map::get_or_insert`]; compiled code promotes the place where the key's entry is, as
    /// [`Map::get_promoted`] does.
    pub fn get_or_insert_promoted(&self, key: K, value: V) -> V {
        self.value_or_add(promote(self.position(key)), key, value)
    }

    fn value_or_add(&self, at: i64, key: K, value: V) -> V {
        if at >= 0 {
            return self.values.get()[at as usize].get();
        }
        self.add(at, key, value);
        value
    }

    /// The number of a key's entry, by which its value can be read and replaced without another
    /// search.
    pub fn entry_of(&self, key: K) -> Option<usize> {
        self.number_at(self.position(key))
    }

    /// As [`Map::entry_of`]; compiled code promotes the place where the key's entry is, as
    /// [`Map::get_promoted`] does.
    pub fn entry_of_promoted(&self, key: K) -> Option<usize> {
        self.number_at(promote(self.position(key)))
    }

    /// The number of a key's entry; if it has none, it gets one with this value. With one search:
    ///
    /// ```
    /// # use verdigris::{HeapOptions, Map, prelude::*};
    /// # verdigris::rt::with_heap(HeapOptions::default(), || {
    /// let counts = Map::new();
    /// for key in [7, 3, 7] {
    ///     let number = counts.entry_or_insert(key, 0);
    ///     counts.set_value_at(number, counts.value_at(number) + 1);
    /// }
    /// assert_eq!((counts.get(7), counts.get(3)), (Some(2), Some(1)));
    /// # });
    /// ```
    pub fn entry_or_insert(&self, key: K, value: V) -> usize {
        let at = self.position(key);
        match self.number_at(at) {
            Some(number) => number,
            None => self.add(at, key, value),
        }
    }

    /// The number of the entry that a key has, or had when it was retired: see [`Map::retire`].
    pub fn entry_or_retired(&self, key: K) -> Option<usize> {
        let at = self.position(key);
        self.number_at(if at <= RETIRED_AT {
            RETIRED_AT - at
        } else {
            at
        })
    }

    /// The number of the entry at a position. If its number is not its position, it will be looked
    /// for there.
    fn number_at(&self, at: i64) -> Option<usize> {
        if at < 0 {
            return None;
        }
        let at = at as usize;
        let number = self.numbers.get()[at].get() >> SHIFT;
        if number != at {
            self.cursor.set(at);
        }
        Some(number)
    }

    fn value_in(&self, at: i64) -> Option<V> {
        if at < 0 {
            return None;
        }
        Some(self.values.get()[at as usize].get())
    }

    fn put(&self, at: i64, key: K, value: V) -> Option<V> {
        if at < 0 {
            self.add(at, key, value);
            return None;
        }
        let values = self.values.get();
        let old = values[at as usize].get();
        values[at as usize].set(value);
        Some(old)
    }

    /// Gives a key an entry that has none, or its retired one. Returns its number.
    fn add(&self, at: i64, key: K, value: V) -> usize {
        if at == NOWHERE {
            return self.append(key, value);
        }
        let at = (RETIRED_AT - at) as usize;
        let numbers = self.numbers.get();
        let number = numbers[at].get() >> SHIFT;
        numbers[at].set((number << SHIFT) + ALIVE);
        if !self.index.get().is_empty() {
            self.relink(at, entered(at, false));
        }
        self.values.get()[at].set(value);
        self.live.set(self.live.get() + 1);
        if at < self.first.get() {
            self.first.set(at);
        }
        number
    }

    /// Removes the entry of a key. Returns its value. Nothing of the entry is kept alive.
    pub fn remove(&self, key: K) -> Option<V> {
        let at = self.position(key);
        if at < 0 {
            return None;
        }
        let at = at as usize;
        let old = self.values.get()[at].get();
        if !self.index.get().is_empty() {
            self.relink(at, DEAD);
        }
        self.keys.get()[at].clear();
        self.bury(at, REMOVED);
        Some(old)
    }

    /// Removes the entry of a key, but leaves the key in its place. Returns the value.
    ///
    /// For languages that walk tables by key, as Lua's `next(table, key)` does, and allow that
    /// entries are removed meanwhile: the key that the walk is at may be one of them.
    /// [`Map::entry_or_retired`] gives the number of a retired entry. To everything else it is not
    /// there, but that its key, when it comes again, gets back its place and its number.
    ///
    /// A retired key is kept alive, and its place is used, until the next time that a new entry
    /// needs more room than there is, or [`Map::compact`] or [`Map::clear`] is called; so there are
    /// never more of them than the map has room for.
    ///
    /// ```
    /// # use verdigris::{HeapOptions, Map, prelude::*};
    /// # verdigris::rt::with_heap(HeapOptions::default(), || {
    /// /// The entry behind a key's, or the first one; `Err` if the key is not known.
    /// fn next(map: Gc<Map<i64, i64>>, key: Option<i64>) -> Result<Option<(i64, i64)>, i64> {
    ///     let from = match key {
    ///         None => 0,
    ///         Some(key) => map.entry_or_retired(key).ok_or(key)? + 1,
    ///     };
    ///     Ok(map.entry_from(from).map(|n| (map.key_at(n), map.value_at(n))))
    /// }
    /// let map = Map::new();
    /// (1..=3).for_each(|n| { map.insert(n, n * n); });
    /// let (mut key, mut sum) = (None, 0);
    /// while let Ok(Some((at, value))) = next(map, key) {
    ///     map.retire(at);
    ///     sum += value;
    ///     key = Some(at);
    /// }
    /// assert_eq!((sum, map.len()), (14, 0));
    /// assert_eq!(next(map, Some(9)), Err(9));
    /// # });
    /// ```
    pub fn retire(&self, key: K) -> Option<V> {
        let at = self.position(key);
        if at < 0 {
            return None;
        }
        let at = at as usize;
        let old = self.values.get()[at].get();
        if !self.index.get().is_empty() {
            self.relink(at, entered(at, true));
        }
        self.bury(at, RETIRED);
        Some(old)
    }

    /// Takes the value from an entry that is alive.
    fn bury(&self, at: usize, state: usize) {
        let numbers = self.numbers.get();
        numbers[at].set(numbers[at].get() - ALIVE + state);
        self.values.get()[at].clear();
        self.live.set(self.live.get() - 1);
        if at == self.first.get() {
            self.first.set(at + 1);
        }
    }

    /// Forgets retired keys, and gives back memory that the entries do not need, in time in
    /// proportion to the entries. Numbers stay as they are.
    ///
    /// It need not be called: the map does the same when a new entry needs more room than there is.
    pub fn compact(&self) {
        self.rebuild();
    }

    /// Removes all entries, in constant time. Numbers go on where they were.
    #[opaque]
    pub fn clear(&self) {
        // All or nothing, if the heap is used up.
        let (keys, values) = (
            GcArray::vacant(FIRST_CAPACITY),
            GcArray::vacant(FIRST_CAPACITY),
        );
        let (numbers, index) = (GcArray::new(FIRST_CAPACITY, 0), GcArray::new(0, FREE));
        self.keys.set(keys);
        self.values.set(values);
        self.numbers.set(numbers);
        self.index.set(index);
        self.live.set(0);
        self.used.set(0);
        self.first.set(0);
    }

    /// The number of the first entry whose number is at least this one.
    ///
    /// In constant time, without a call in compiled code, if no entry has been removed, and if this
    /// is the entry behind the one that was looked at last: each step of a walk. Where entries have
    /// been removed in between and their places are not yet used again, a call skips them, in time
    /// in proportion to those in a row. A number out of order takes time that grows with the
    /// logarithm of the number of entries, if some have been removed.
    pub fn entry_from(&self, number: usize) -> Option<usize> {
        let (numbers, used) = (self.numbers.get(), self.used.get());
        if number < used && numbers[number].get() == (number << SHIFT) + ALIVE {
            return Some(number);
        }
        if number >= self.next_number.get() {
            return None;
        }
        let at = self.seek_near(number);
        if at < 0 {
            return None;
        }
        Some(numbers[at as usize].get() >> SHIFT)
    }

    /// The key of the entry with this number. In as much time as [`Map::entry_from`]; so do the two
    /// below.
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
    // What it writes is all in the new list.
    #[opaque(writes())]
    pub fn keys(&self) -> Gc<List<K>> {
        let list = List::with_capacity(self.live.get());
        for n in 0..self.used.get() {
            if self.numbers.get()[n].get() & STATE == ALIVE {
                list.push(self.keys.get()[n].get());
            }
        }
        list
    }

    /// Keys and values in order; for native code only; in traced code go through the numbers of
    /// entries, as in `while let Some(n) = map.entry_from(from)` with `map.key_at(n)` and
    /// `map.value_at(n)`, and then from `n + 1`. Entries that are added while it runs are among
    /// them, those that are removed before it gets to them are not.
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
        let (numbers, used) = (self.numbers.get(), self.used.get());
        if number < used && numbers[number].get() == (number << SHIFT) + ALIVE {
            return number;
        }
        let at = self.seek_near(number);
        if at < 0 || numbers[at as usize].get() >> SHIFT != number {
            fail_entry(number);
        }
        at as usize
    }

    /// As `seek`, without a call if it is the entry at the cursor or the one behind it, as in a
    /// walk.
    fn seek_near(&self, number: usize) -> i64 {
        let (numbers, used) = (self.numbers.get(), self.used.get());
        let at = self.cursor.get();
        if at < used {
            let here = numbers[at].get();
            if here & ALIVE == ALIVE && here >> SHIFT == number {
                return at as i64;
            }
            if here >> SHIFT < number && at + 1 < used {
                let next = numbers[at + 1].get();
                if next & ALIVE == ALIVE && next >> SHIFT >= number {
                    self.cursor.set(at + 1);
                    return at as i64 + 1;
                }
            }
        }
        let found = self.seek(number);
        let at = if found < 0 { used } else { found as usize };
        self.cursor.set(at);
        // All that was skipped is dead; if it began at the first entry, later searches need not
        // skip it again.
        let first = self.first.get();
        if first < used && numbers[first].get() >> SHIFT >= number {
            self.first.set(at);
        }
        found
    }

    /// The position of the first live entry whose number is at least this one, or -1.
    #[doc(hidden)]
    #[readonly(used, first, numbers)]
    pub fn seek(&self, number: usize) -> i64 {
        let (numbers, used) = (self.numbers.get(), self.used.get());
        let (mut low, mut high) = (self.first.get(), used);
        if number < used && numbers[number].get() >> SHIFT == number {
            // Nothing before it has been moved.
            low = low.max(number);
            high = low;
        }
        while low < high {
            let middle = (low + high) / 2;
            if numbers[middle].get() >> SHIFT < number {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        for n in low..used {
            if numbers[n].get() & ALIVE == ALIVE {
                return n as i64;
            }
        }
        -1
    }

    /// The position of a key's entry; of one that is not alive, see `NOWHERE`. In a map that need
    /// not exist the search is looked into.
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
            let state = numbers[n].get() & STATE;
            if state != REMOVED && keys[n].get().same(key) {
                return found(n, state == ALIVE);
            }
        }
        NOWHERE
    }

    /// The position of a key's entry, as `position`.
    #[doc(hidden)]
    #[readonly(used, numbers, keys, index)]
    pub fn find(&self, key: K) -> i64 {
        let index = self.index.get();
        if index.is_empty() {
            return self.scan(key);
        }
        let keys = self.keys.get();
        let mask = index.len() - 1;
        let mut at = spread(key.hash()) & mask;
        loop {
            match index[at].get() {
                FREE => return NOWHERE,
                DEAD => {}
                word => {
                    let n = (word >> 1) as usize - 1;
                    if keys[n].get().same(key) {
                        return found(n, word & 1 == 0);
                    }
                }
            }
            at = (at + 1) & mask;
        }
    }

    /// Adds an entry for a key that has none. Returns its number.
    fn append(&self, key: K, value: V) -> usize {
        if self.used.get() >= self.keys.get().len() {
            self.grow();
        }
        let n = self.used.get();
        self.keys.get()[n].set(key);
        self.values.get()[n].set(value);
        let number = self.next_number.get();
        self.numbers.get()[n].set((number << SHIFT) + ALIVE);
        self.next_number.set(number + 1);
        self.used.set(n + 1);
        self.live.set(self.live.get() + 1);
        if !self.index.get().is_empty() {
            self.link(n);
        }
        number
    }

    /// Makes room for an entry. Nothing is called for a small map that compiled code does not have
    /// to make.
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
        // As `rebuild` does, so that the same entries are forgotten at the same time.
        let capacity = if FIRST_CAPACITY * 2 < self.live.get() * 3 + 2 {
            SMALL
        } else {
            FIRST_CAPACITY
        };
        let keys: GcArray<Slot<K>, MapKeys> = GcArray::vacant(capacity);
        let values: GcArray<Slot<V>, MapValues> = GcArray::vacant(capacity);
        let numbers: GcArray<Cell<usize>, MapNumbers> = GcArray::new(capacity, 0);
        let mut live = 0;
        for n in 0..used {
            let number = self.numbers.get()[n].get();
            if number & STATE == ALIVE {
                keys[live].set(self.keys.get()[n].get());
                values[live].set(self.values.get()[n].get());
                numbers[live].set(number);
                live += 1;
            }
        }
        self.keys.set(keys);
        self.values.set(values);
        self.numbers.set(numbers);
        self.used.set(live);
        self.first.set(0);
    }

    /// Moves the live entries to new arrays with room for at least one more, and makes an index if
    /// there are many.
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
        assert!(capacity < u32::MAX as usize / 4, "capacity overflow");
        let keys = GcArray::vacant(capacity);
        let values = GcArray::vacant(capacity);
        let numbers: GcArray<Cell<usize>, MapNumbers> = GcArray::new(capacity, 0);
        let index = GcArray::new(if capacity > SMALL { capacity * 2 } else { 0 }, FREE);
        let mut live = 0;
        for n in 0..used {
            let number = old_numbers[n].get();
            if number & STATE == ALIVE {
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
        self.first.set(0);
    }

    /// Enters an entry into the index.
    #[doc(hidden)]
    #[opaque]
    pub fn link(&self, entry: usize) {
        let key = self.keys.get()[entry].get();
        enter(self.index.get(), entry, key.hash());
    }

    /// Replaces what the index has for an entry that it names.
    #[doc(hidden)]
    #[opaque]
    pub fn relink(&self, entry: usize, word: u32) {
        let index = self.index.get();
        let key = self.keys.get()[entry].get();
        let mask = index.len() - 1;
        let mut at = spread(key.hash()) & mask;
        while index[at].get() | 1 != entered(entry, true) {
            at = (at + 1) & mask;
        }
        index[at].set(word);
    }
}

/// What a search answers that has found an entry with the key.
fn found(at: usize, is_alive: bool) -> i64 {
    if is_alive {
        at as i64
    } else {
        RETIRED_AT - at as i64
    }
}

/// Maps are the same key if they are one map, whatever is in them.
impl<K: Key, V: Stored> KeyObject for Map<K, V> {}

/// What the index has for an entry.
fn entered(entry: usize, is_retired: bool) -> u32 {
    entry as u32 * 2 + 2 + is_retired as u32
}

/// Puts an entry into the first free place from its hash on.
fn enter(index: GcArray<Cell<u32>, MapIndex>, entry: usize, hash: u64) {
    let mask = index.len() - 1;
    let mut at = spread(hash) & mask;
    while index[at].get() != FREE {
        at = (at + 1) & mask;
    }
    index[at].set(entered(entry, false));
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
