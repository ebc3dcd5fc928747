//! Entries of a guest's tables that do not keep alive what they refer to: by their values, by their
//! keys, or by both. An entry with a weak key is an ephemeron: its value counts as reachable only
//! if the table and the key are.
//!
//! During a collection that may remove entries, the arrays of these entries are hidden from marking
//! by a bit in their headers: marking reaches them and does not look into them. What is in them is
//! looked at here, again and again until nothing more is reached. In every other collection they
//! are ordinary arrays, so that entries are removed only where the guest expects it.
//!
//! Source: "Ephemerons: A New Finalization Mechanism" (Hayes, 1997); the order in which entries are
//! removed and finalizers are queued is that of Lua 5.4 (reference manual, section 2.5).

use crate::collector::{CollectScope, Survivors};
use crate::fields::cell::Cell;
use crate::layout::descr::{Header, bits};
use crate::layout::stored::Stored;
use crate::layout::word::Word;
use crate::objects::array::GcArray;
use crate::objects::gc::{Gc, GcClass};
use crate::roots::table::WeakTableList;
use std::collections::HashSet;

/// Which side of an entry keeps nothing alive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Weakness {
    /// The value goes with its object; the key stays.
    Values,
    /// The entry goes with the key's object. Until then the value is kept alive, as long as the
    /// table and the key are.
    Keys,
    /// The entry goes with either of its objects.
    Both,
}

/// A class of tables whose entries can be weak. The functions are called by the collector: they
/// make no objects and no handles, and they run no code of the guest.
pub trait HasWeakEntries: GcClass {
    /// What keys and values are.
    type Item: Stored;
    /// Adds the entries of a table that are weak now. Each array belongs to this table alone, or is
    /// empty.
    fn weak_entries(table: Gc<Self>, entries: &mut WeakEntries<Self::Item>);
    /// Whether an entry goes with the object that a key or value refers to. Others, such as strings
    /// of a guest for which they are values, are kept alive.
    fn is_object(item: Self::Item) -> bool;
    /// What removed keys and values are replaced by. It refers to nothing.
    fn nothing() -> Self::Item;
    /// Entries of this table have been removed.
    fn removed(table: Gc<Self>);
}

/// An array of keys or values.
type ItemsOf<V> = GcArray<Cell<V>>;

/// The weak entries of a table, as [`HasWeakEntries::weak_entries`] adds them.
pub struct WeakEntries<V: Stored> {
    table: u64,
    found: Vec<Entries<V>>,
}

impl<V: Stored> WeakEntries<V> {
    /// Values without keys that could die.
    pub fn add_values<K: 'static>(&mut self, values: GcArray<Cell<V>, K>) {
        self.add(None, erased(values), Weakness::Values);
    }

    /// As many pairs as both arrays have items.
    pub fn add_pairs<K: 'static, L: 'static>(
        &mut self,
        keys: GcArray<Cell<V>, K>,
        values: GcArray<Cell<V>, L>,
        weakness: Weakness,
    ) {
        self.add(Some(erased(keys)), erased(values), weakness);
    }

    fn add(&mut self, keys: Option<ItemsOf<V>>, values: ItemsOf<V>, weakness: Weakness) {
        // Empty arrays may be those of many tables.
        let keys = keys.filter(|keys| !keys.is_empty());
        if !values.is_empty() {
            self.found.push(Entries {
                table: self.table,
                keys,
                values,
                weakness,
                state: State::Waiting,
                open: Vec::new(),
                has_changed: false,
            });
        }
    }
}

/// The array as one with the plain tag: to look at its items, which is all that is done here, the
/// tag is of no use.
fn erased<V: Stored, K: 'static>(array: GcArray<Cell<V>, K>) -> ItemsOf<V> {
    // SAFETY: arrays with different tags have the same layout.
    unsafe { GcArray::from_word(array.to_word()) }
}

/// How far marking is with some entries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// Their table has not been reached.
    Waiting,
    /// It has been.
    Reached,
    /// It has not been, but one of their arrays: they are not weak this time.
    Strong,
}

/// Some entries of one table.
struct Entries<V: Stored> {
    table: u64,
    keys: Option<ItemsOf<V>>,
    values: ItemsOf<V>,
    weakness: Weakness,
    state: State,
    /// The entries with keys that have not been reached.
    open: Vec<usize>,
    has_changed: bool,
}

/// Calls `f` for each object that a key or value refers to.
fn each_object<V: Stored>(item: &Cell<V>, mut f: impl FnMut(u64)) {
    let item = (&raw const *item).cast_mut().cast::<u8>();
    for place in V::REFS {
        // SAFETY: a value of this type is in the cell.
        if let Some(place) = unsafe { place.find(item) } {
            // SAFETY: as above: a reference, or null.
            let object = unsafe { place.cast::<u64>().read() };
            if object != 0 {
                f(object);
            }
        }
    }
}

/// Whether all objects that a key or value refers to have been reached.
fn is_reached<V: Stored>(item: &Cell<V>, survivors: &dyn Survivors) -> bool {
    let mut reached = true;
    each_object(item, |object| reached &= survivors.is_live(object));
    reached
}

/// Keeps what a key or value refers to; whether that had not been reached.
fn keep<V: Stored>(item: &Cell<V>, survivors: &mut dyn Survivors) -> bool {
    let mut is_new = false;
    each_object(item, |object| {
        if !survivors.is_live(object) {
            survivors.keep(object);
            is_new = true;
        }
    });
    is_new
}

/// Hides an array from marking, or shows it again.
fn set_hidden<V: Stored>(array: ItemsOf<V>, is_hidden: bool) {
    let header = std::ptr::with_exposed_provenance_mut::<Header>(array.to_word() as usize);
    // SAFETY: every object starts with a header; nothing has been freed yet.
    unsafe {
        match is_hidden {
            true => (*header).bits |= bits::HIDDEN,
            false => (*header).bits &= !bits::HIDDEN,
        }
    }
}

impl<V: Stored> Entries<V> {
    fn arrays(&self) -> impl Iterator<Item = ItemsOf<V>> + use<V> {
        self.keys.into_iter().chain([self.values])
    }

    fn hide(&self) {
        self.hidden_arrays()
            .for_each(|array| set_hidden(array, true));
    }

    /// The keys of entries that go with their values alone are ordinary ones.
    fn hidden_arrays(&self) -> impl Iterator<Item = ItemsOf<V>> + use<V> {
        let keys = match self.weakness {
            Weakness::Values => None,
            _ => self.keys,
        };
        keys.into_iter().chain([self.values])
    }

    fn len(&self) -> usize {
        let values = self.values.len();
        self.keys.map_or(values, |keys| keys.len().min(values))
    }

    /// Keeps what these entries keep alive, as far as it is known what has been reached; whether
    /// that had not been reached.
    fn reach<H: HasWeakEntries<Item = V>>(&mut self, survivors: &mut dyn Survivors) -> bool {
        match self.state {
            State::Waiting if survivors.is_live(self.table) => {
                self.state = State::Reached;
                if self.weakness == Weakness::Keys {
                    self.open = (0..self.len()).collect();
                    return self.reach_open::<H>(survivors);
                }
                // What is not to be removed is kept, whatever becomes of the rest of its entry.
                let mut is_new = false;
                for array in self.hidden_arrays() {
                    for item in array.as_slice() {
                        if !H::is_object(item.get()) {
                            is_new |= keep(item, survivors);
                        }
                    }
                }
                is_new
            }
            State::Waiting => {
                let word = |array: ItemsOf<V>| array.to_word();
                if !self.arrays().any(|array| survivors.is_live(word(array))) {
                    return false;
                }
                self.state = State::Strong;
                let arrays = self.arrays();
                arrays.fold(false, |is_new, array| {
                    let items = array.as_slice().iter();
                    items.fold(is_new, |is_new, item| keep(item, survivors) | is_new)
                })
            }
            State::Reached => self.reach_open::<H>(survivors),
            State::Strong => false,
        }
    }

    /// The same for entries with weak keys. One may lead to the next: they are looked at in the
    /// order in which they were added, and the next time from the last.
    fn reach_open<H: HasWeakEntries<Item = V>>(&mut self, survivors: &mut dyn Survivors) -> bool {
        let (keys, values) = (self.keys, self.values);
        let mut is_new = false;
        self.open.retain(|&n| {
            let key = keys.as_ref().map(|keys| &keys[n]);
            if let Some(key) = key
                && H::is_object(key.get())
                && !is_reached(key, survivors)
            {
                return true;
            }
            is_new |= key.is_some_and(|key| keep(key, survivors));
            is_new |= keep(&values[n], survivors);
            false
        });
        self.open.reverse();
        is_new
    }

    /// Removes the values whose objects have not been reached.
    fn clear_values<H: HasWeakEntries<Item = V>>(&mut self, survivors: &dyn Survivors) {
        if self.state == State::Reached && self.weakness != Weakness::Keys {
            for value in self.values.as_slice() {
                if H::is_object(value.get()) && !is_reached(value, survivors) {
                    value.set(H::nothing());
                    self.has_changed = true;
                }
            }
        }
    }

    /// Removes the entries whose keys' objects have not been reached.
    fn clear_keys<H: HasWeakEntries<Item = V>>(&mut self, survivors: &dyn Survivors) {
        let Some(keys) = self.keys else { return };
        if self.state == State::Reached && self.weakness != Weakness::Values {
            for (key, value) in keys.as_slice().iter().zip(self.values.as_slice()) {
                if H::is_object(key.get()) && !is_reached(key, survivors) {
                    key.set(H::nothing());
                    value.set(H::nothing());
                    self.has_changed = true;
                }
            }
        }
    }
}

/// The tables of one class.
pub(super) struct TablesOf<H: HasWeakEntries> {
    tables: Vec<u64>,
    known: HashSet<u64>,
    /// How many of these have survived a collection since they were added.
    old: usize,
    /// Their entries, during a collection that may remove some.
    entries: Vec<Entries<H::Item>>,
}

impl<H: HasWeakEntries> Default for TablesOf<H> {
    fn default() -> Self {
        TablesOf {
            tables: Vec::new(),
            known: HashSet::new(),
            old: 0,
            entries: Vec::new(),
        }
    }
}

fn table_at<H: HasWeakEntries>(word: u64) -> Gc<H> {
    // SAFETY: the word of a table of this class, which has not been freed yet.
    unsafe { Gc::from_word(word) }
}

impl<H: HasWeakEntries> WeakTableList for TablesOf<H> {
    fn hide(&mut self) {
        let mut entries = WeakEntries {
            table: 0,
            found: std::mem::take(&mut self.entries),
        };
        for &table in &self.tables {
            entries.table = table;
            H::weak_entries(table_at(table), &mut entries);
        }
        self.entries = entries.found;
        self.entries.iter().for_each(Entries::hide);
    }

    fn reach(&mut self, survivors: &mut dyn Survivors) -> bool {
        let entries = self.entries.iter_mut();
        entries.fold(false, |is_new, entries| {
            entries.reach::<H>(survivors) | is_new
        })
    }

    fn clear_values(&mut self, survivors: &dyn Survivors) {
        for entries in &mut self.entries {
            entries.clear_values::<H>(survivors);
        }
    }

    fn clear_keys(&mut self, survivors: &dyn Survivors) {
        for entries in &mut self.entries {
            entries.clear_keys::<H>(survivors);
        }
    }

    fn finish(&mut self, survivors: &dyn Survivors, scope: CollectScope) {
        for entries in &self.entries {
            let arrays = entries.hidden_arrays();
            arrays.for_each(|array| set_hidden(array, false));
        }
        for entries in self.entries.drain(..).filter(|e| e.has_changed) {
            H::removed(table_at(entries.table));
        }
        let from = match scope {
            CollectScope::Young => self.old,
            CollectScope::All => 0,
        };
        let dead = |table: &mut u64| !survivors.is_live(*table);
        for table in self.tables.extract_if(from.., dead) {
            self.known.remove(&table);
        }
        self.old = self.tables.len();
    }

    fn add(&mut self, table: u64) {
        if self.known.insert(table) {
            self.tables.push(table);
        }
    }

    fn is_empty(&self) -> bool {
        self.tables.is_empty()
    }
}
