//! The optimiser's model of the heap: known contents of slots, and delayed stores.
//!
//! Invariant: for every known entry, the slot holds the entry's value once the delayed stores have
//! been done in the order of `delayed`.

use super::node::NodeId;
use super::variable_items::VariableItems;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use verdigris_ops::{ClassId, FieldId, HeapSlot};

/// Once the guards of a section have listed this many words, fewer values may be delayed. Otherwise
/// the cost would grow with the square of a trace's length.
const LISTED: usize = 16_384;

/// Delayed values up to that point. Most loops store nothing.
const MOST: usize = 512;

/// Delayed values beyond that point.
const LEAST: usize = 24;

/// Delayed values in virtualizable slots beyond that point: a frame with all its variables should
/// fit.
const LEAST_KEPT: usize = 128;

/// Delayed values in late slots: consecutive stores to one slot become one.
const LATE: usize = 8;

/// How many values may be delayed at once.
#[derive(Clone, Copy)]
pub(crate) struct DelayLimits {
    /// In slots that other code may look at: before and after guards have listed much.
    seen: [usize; 2],
    /// The same for virtualizable slots.
    kept: [usize; 2],
    /// In late slots.
    pub late: usize,
}

impl DelayLimits {
    /// The defaults, or a fixed limit for tests.
    pub fn new(fixed: Option<u32>) -> DelayLimits {
        match fixed.map(|most| most as usize) {
            None => DelayLimits {
                seen: [MOST, LEAST],
                kept: [MOST, LEAST_KEPT],
                late: LATE,
            },
            Some(most) => DelayLimits {
                seen: [most; 2],
                kept: [most; 2],
                late: most / 2,
            },
        }
    }
}

/// The target of a store, over all objects.
#[derive(Clone, Copy)]
pub(crate) enum Written {
    Field(FieldId),
    /// Items of an array class.
    Items(ClassId),
}

/// Knowledge of a slot of an object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub base: NodeId,
    pub value: NodeId,
    /// The store has been delayed.
    pub delayed: bool,
    /// The slot holds the value once all delayed stores are done. False for a delayed store that a
    /// younger one to a possible alias may overwrite.
    pub known: bool,
    /// The label's fact that it comes from.
    pub fact: Option<u32>,
}

impl Entry {
    /// The slot holds this value in memory.
    pub fn stored(base: NodeId, value: NodeId, fact: Option<u32>) -> Entry {
        Entry {
            base,
            value,
            delayed: false,
            known: true,
            fact,
        }
    }

    /// The store of this value is delayed.
    pub fn delayed(base: NodeId, value: NodeId) -> Entry {
        Entry {
            delayed: true,
            ..Entry::stored(base, value, None)
        }
    }
}

/// A word whose store is delayed.
#[derive(Clone, Copy)]
pub(crate) struct DelayedWord {
    pub slot: HeapSlot,
    /// The slot of the whole value that it is a word of.
    pub whole: HeapSlot,
    pub base: NodeId,
}

/// Known contents of slots, and delayed stores.
#[derive(Clone, Default)]
pub(crate) struct HeapTable {
    entries: FxHashMap<HeapSlot, SmallVec<[Entry; 2]>>,
    /// Oldest first; the words of one value are neighbours.
    delayed: Vec<DelayedWord>,
    /// Items at indices that are not constant.
    pub variable_items: VariableItems,
    /// The words other than constants that the section's guards list as delayed stores.
    listed: usize,
}

impl HeapTable {
    /// Delayed stores, oldest first, as slot, object and value.
    pub fn delayed(&self) -> impl ExactSizeIterator<Item = (HeapSlot, NodeId, NodeId)> + '_ {
        (self.delayed.iter()).map(|word| (word.slot, word.base, self.delayed_value(word)))
    }

    /// The delayed words, oldest first.
    pub fn delayed_words(&self) -> &[DelayedWord] {
        &self.delayed
    }

    /// All entries in a stable order.
    pub fn entries(&self) -> Vec<(HeapSlot, Entry)> {
        let mut all: Vec<_> = self
            .entries
            .iter()
            .flat_map(|(&slot, list)| list.iter().map(move |&e| (slot, e)))
            .collect();
        all.sort_by_key(|(slot, e)| (*slot, e.base));
        all
    }

    /// The entry for a slot of the object for which `is_base` holds, if its value is known.
    pub fn find(&self, slot: HeapSlot, is_base: impl Fn(NodeId) -> bool) -> Option<Entry> {
        let list = self.entries.get(&slot)?;
        list.iter().find(|e| e.known && is_base(e.base)).copied()
    }

    /// Adds an entry that is not delayed.
    pub fn add(&mut self, slot: HeapSlot, entry: Entry) {
        debug_assert!(!entry.delayed);
        self.entries.entry(slot).or_default().push(entry);
    }

    /// Forgets slots that may have changed. None of them has a delayed store.
    pub fn forget(&mut self, changed: impl Fn(HeapSlot) -> bool) {
        debug_assert!(!self.delayed.iter().any(|w| changed(w.slot)));
        self.entries.retain(|&slot, _| !changed(slot));
        self.variable_items
            .forget(|class| changed(HeapSlot::Item(class, 0)));
    }

    /// Keeps the entries for which `keep` holds of slot and object, and all delayed ones.
    pub fn retain(&mut self, keep: impl Fn(HeapSlot, NodeId) -> bool) {
        for (&slot, list) in &mut self.entries {
            list.retain(|e| e.delayed || keep(slot, e.base));
        }
    }

    /// Keeps the entries of one slot for which `keep` holds of the object.
    pub fn retain_at(&mut self, slot: HeapSlot, keep: impl Fn(NodeId) -> bool) {
        if let Some(list) = self.entries.get_mut(&slot) {
            list.retain(|e| keep(e.base));
        }
    }

    /// The slots of an array class that have entries, in order.
    pub fn slots_of_array(&self, class: ClassId) -> Vec<HeapSlot> {
        let is_item = |p: &HeapSlot| matches!(p, HeapSlot::Item(c, _) if *c == class);
        let mut slots: Vec<HeapSlot> = self.entries.keys().copied().filter(is_item).collect();
        slots.sort();
        slots
    }

    /// Adds the youngest delayed store, given which objects are its own and which may alias it.
    ///
    /// It overwrites an older delayed store to the same slot. Other objects' entries for the slot
    /// become unknown, but their delayed stores stay in the list, before this one.
    pub fn delay(
        &mut self,
        word: DelayedWord,
        value: NodeId,
        same: impl Fn(NodeId) -> bool,
        may_alias: impl Fn(NodeId) -> bool,
    ) {
        self.delayed
            .retain(|w| w.slot != word.slot || !same(w.base));
        let list = self.entries.entry(word.slot).or_default();
        list.retain(|e| !same(e.base) && (e.delayed || !may_alias(e.base)));
        for e in list.iter_mut() {
            e.known &= !may_alias(e.base);
        }
        self.gather(word.whole, same, may_alias);
        self.push_delayed(word, value);
    }

    /// Appends a delayed store.
    pub fn push_delayed(&mut self, word: DelayedWord, value: NodeId) {
        self.delayed.push(word);
        let list = self.entries.entry(word.slot).or_default();
        list.push(Entry::delayed(word.base, value));
    }

    /// Moves the delayed words of an object's value behind all others, as far as no possible alias
    /// stands between.
    fn gather(
        &mut self,
        whole: HeapSlot,
        same: impl Fn(NodeId) -> bool,
        may_alias: impl Fn(NodeId) -> bool,
    ) {
        let is_other = |w: &DelayedWord| w.whole == whole && !same(w.base) && may_alias(w.base);
        let behind = self.delayed.iter().rposition(is_other);
        let from = behind.map_or(0, |n| n + 1);
        let is_one = |w: &DelayedWord| w.whole == whole && same(w.base);
        let Some(first) = self.delayed[from..].iter().position(is_one) else {
            return;
        };
        let (words, others): (Vec<DelayedWord>, Vec<DelayedWord>) =
            self.delayed.drain(from + first..).partition(is_one);
        self.delayed.extend(others);
        self.delayed.extend(words);
    }

    /// The value of a delayed store.
    pub fn delayed_value(&self, word: &DelayedWord) -> NodeId {
        let entry = self.entries[&word.slot]
            .iter()
            .find(|e| e.base == word.base && e.delayed);
        entry.expect("a delayed store has an entry").value
    }

    /// Removes a delayed store that is being done, and returns its value.
    pub fn complete(&mut self, word: &DelayedWord) -> NodeId {
        let at = self
            .delayed
            .iter()
            .position(|w| (w.slot, w.base) == (word.slot, word.base));
        self.delayed.remove(at.expect("it is delayed"));
        let list = self.entries.get_mut(&word.slot).expect("has an entry");
        let entry = list.iter_mut().find(|e| e.base == word.base && e.delayed);
        let entry = entry.expect("a delayed store has an entry");
        entry.delayed = false;
        let value = entry.value;
        list.retain(|e| e.known || e.delayed);
        value
    }

    /// A guard lists this many more words other than constants.
    pub fn count_listed(&mut self, words: usize) {
        self.listed += words;
    }

    /// How many values may be delayed now, in virtualizable slots or in others.
    pub fn limit(&self, limits: DelayLimits, virtualizable: bool) -> usize {
        let stage = usize::from(self.listed >= LISTED);
        match virtualizable {
            true => limits.kept[stage],
            false => limits.seen[stage],
        }
    }
}
