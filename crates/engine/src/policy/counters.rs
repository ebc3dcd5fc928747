//! Counters of passes and calls by place. Source: RPython's `jitcounter`, with a table that counts
//! down so that native code compares with a constant.
//!
//! Native code counts down 16-bit slots, selected by the hash of the greens; [`Counters::tick`]
//! counts when a slot has run out. Invariants: a slot of 0 always goes to the slow path (it has
//! compiled code) and never decays; slot 1 goes there once; any other value is decremented
//! natively. A slot above the start value belongs to a place that was given up.

use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use verdigris_heap::{COUNTER_SLOTS, EntryKind};

/// Slots in a table, a power of two: 16 KiB, in which a thousand loops rarely meet.
const SLOTS: usize = COUNTER_SLOTS;

/// The slot value of a place that was given up: the most passes until the slow path.
pub(crate) const SILENT: u16 = u16::MAX;

/// The tables of counters, by [`EntryKind`].
pub(crate) struct Counters {
    tables: [Table; 2],
    /// The collections when they last decayed.
    collections: Cell<u64>,
}

impl Counters {
    /// Counters for loops that are hot after `threshold` passes and functions that are after
    /// `function_threshold` calls; they lose `decay` thousandths now and then.
    pub(crate) fn new(threshold: u32, function_threshold: u32, decay: u32) -> Counters {
        Counters {
            tables: [threshold, function_threshold].map(|n| Table::new(n, decay)),
            collections: Cell::new(0),
        }
    }

    /// The tables, for native code.
    pub(crate) fn as_ptrs(&self) -> [*mut u16; 2] {
        [0, 1].map(|n| self.tables[n].as_ptr())
    }

    /// What native code does at a pass: true if its slot has run out.
    pub(crate) fn pass(&self, pass: EntryKind, hash: u64) -> bool {
        self.tables[pass as usize].pass(hash)
    }

    /// Passes until a loop or function is hot.
    pub(crate) fn threshold(&self, pass: EntryKind) -> u32 {
        self.tables[pass as usize].threshold
    }

    /// Passes that are left until the place is looked at; none where compiled code is.
    pub(crate) fn left(&self, pass: EntryKind, hash: u64) -> u32 {
        self.tables[pass as usize].left(hash)
    }

    /// The passes, so far, of loops and functions that are not hot, as far as they are remembered.
    pub(crate) fn counted(&self) -> u64 {
        self.tables.iter().map(Table::counted).sum()
    }

    /// Counts a pass that found its slot run out. True if the loop or function is hot; counting
    /// starts over then.
    pub(crate) fn tick(&self, pass: EntryKind, hash: u64) -> bool {
        self.tables[pass as usize].tick(hash)
    }

    /// Compiled code exists for this hash: always go to the slow path.
    pub(crate) fn hold(&self, hash: u64) {
        self.tables.iter().for_each(|table| table.hold(hash));
    }

    /// There is no compiled code for this hash any more: counts from the start, unless other code
    /// shares the slot.
    pub(crate) fn release(&self, hash: u64) {
        self.tables.iter().for_each(|table| table.release(hash));
    }

    /// Starts counting over, unless compiled code shares the slot.
    pub(crate) fn rearm(&self, hash: u64) {
        self.tables.iter().for_each(|table| table.rearm(hash));
    }

    /// The code was given up: stay away as long as possible, unless compiled code shares the slot.
    pub(crate) fn silence(&self, hash: u64) {
        self.tables.iter().for_each(|table| table.silence(hash));
    }

    /// It takes so many more passes until it is hot, unless compiled code shares the slot.
    pub(crate) fn delay(&self, hash: u64, passes: u32) {
        self.tables
            .iter()
            .for_each(|table| table.delay(hash, passes));
    }

    /// The function is hot at its next call.
    pub(crate) fn hurry(&self, hash: u64) {
        self.tables[EntryKind::Function as usize].hurry(hash);
    }

    /// The place is hot when it is next passed, in whichever way.
    pub(crate) fn hurry_both(&self, hash: u64) {
        self.tables.iter().for_each(|table| table.hurry(hash));
    }

    /// Makes all loops and functions that are not hot yet forget a share of their passes, `times`
    /// over.
    fn decay(&self, times: u32) {
        self.tables.iter().for_each(|table| table.decay(times));
    }

    /// Decays once for each collection since the last call.
    pub(crate) fn decay_for(&self, collections: u64) {
        let before = self.collections.replace(collections);
        self.decay(collections.saturating_sub(before).min(1000) as u32);
    }
}

/// A table of counters.
struct Table {
    slots: Box<[Cell<u16>]>,
    threshold: u32,
    /// The share that a decay leaves.
    keep: f64,
    /// Passes still missing when a slot has run out, for thresholds that exceed a slot.
    missing: RefCell<FxHashMap<usize, u32>>,
    /// The number of places with compiled code by slot.
    held: RefCell<FxHashMap<usize, u32>>,
    /// Passes counted by full hash, for loops that share the slot of compiled code.
    shared: RefCell<FxHashMap<u64, u32>>,
}

impl Table {
    /// Counters for loops that are hot after `threshold` passes and lose `decay` thousandths now
    /// and then.
    fn new(threshold: u32, decay: u32) -> Table {
        let start = Cell::new(threshold.min(u32::from(u16::MAX)) as u16);
        Table {
            slots: vec![start; SLOTS].into_boxed_slice(),
            threshold,
            keep: 1.0 - f64::from(decay) / 1000.0,
            missing: RefCell::default(),
            held: RefCell::default(),
            shared: RefCell::default(),
        }
    }

    /// The table, for native code.
    fn as_ptr(&self) -> *mut u16 {
        self.slots.as_ptr() as *mut u16
    }

    /// What native code does at a pass: true if its slot has run out.
    fn pass(&self, hash: u64) -> bool {
        let slot = &self.slots[self.index(hash)];
        if slot.get() > 1 {
            slot.set(slot.get() - 1);
            return false;
        }
        true
    }

    fn index(&self, hash: u64) -> usize {
        hash as usize & (SLOTS - 1)
    }

    /// The start value of a slot.
    fn start(&self) -> u16 {
        self.threshold.min(u32::from(u16::MAX)) as u16
    }

    /// Passes that are left until the slot runs out for good.
    fn left(&self, hash: u64) -> u32 {
        let index = self.index(hash);
        let first_round = self.threshold - u32::from(self.start());
        let slot = self.slots[index].get();
        // Nothing is missing behind a slot that is held or silent.
        let missing = match slot == 0 || slot > self.start() {
            true => 0,
            false => *self.missing.borrow().get(&index).unwrap_or(&first_round),
        };
        missing.saturating_add(slot.into())
    }

    /// The passes that slots which have not run out have counted.
    fn counted(&self) -> u64 {
        let start = self.start();
        let slots = self.slots.iter().map(Cell::get);
        let counting = slots.filter(|slot| (1..start).contains(slot));
        counting.map(|slot| u64::from(start - slot)).sum()
    }

    /// Counts a pass that found its slot run out. True if the loop is hot; counting starts over
    /// then.
    fn tick(&self, hash: u64) -> bool {
        let index = self.index(hash);
        let hot = match self.slots[index].get() {
            0 => self.tick_shared(hash),
            _ => self.tick_slot(index),
        };
        if hot {
            self.decay(1);
        }
        hot
    }

    /// A pass of a loop that shares a slot with compiled code.
    fn tick_shared(&self, hash: u64) -> bool {
        let mut shared = self.shared.borrow_mut();
        let count = shared.entry(hash).or_insert(0);
        *count += 1;
        let hot = *count >= self.threshold;
        if hot {
            shared.remove(&hash);
        }
        hot
    }

    /// A pass that used up the slot: with a large threshold, only a part of it.
    fn tick_slot(&self, index: usize) -> bool {
        let slot = &self.slots[index];
        let mut missing = self.missing.borrow_mut();
        let first_round = self.threshold - u32::from(self.start());
        let left = missing.remove(&index).unwrap_or(first_round);
        if left == 0 {
            slot.set(self.start());
            return true;
        }
        let round = left.min(u32::from(u16::MAX) - 1);
        missing.insert(index, left - round);
        slot.set(round as u16);
        false
    }

    /// There is compiled code for this hash now: always go to the slow path.
    fn hold(&self, hash: u64) {
        let index = self.index(hash);
        *self.held.borrow_mut().entry(index).or_insert(0) += 1;
        self.slots[index].set(0);
    }

    /// There is no compiled code for this hash any more: counts from the start, unless other code
    /// shares the slot.
    fn release(&self, hash: u64) {
        let index = self.index(hash);
        let mut held = self.held.borrow_mut();
        let count = held.get_mut(&index).expect("what is released was held");
        *count -= 1;
        if *count == 0 {
            held.remove(&index);
            self.missing.borrow_mut().remove(&index);
            self.slots[index].set(self.start());
        }
    }

    /// Starts counting over, unless compiled code shares the slot.
    fn rearm(&self, hash: u64) {
        self.set_unless_held(hash, self.start());
    }

    /// The loop was given up: stay away as long as possible, unless compiled code shares the slot.
    fn silence(&self, hash: u64) {
        self.set_unless_held(hash, SILENT);
    }

    /// It takes so many more passes until it is hot, unless compiled code shares the slot.
    fn delay(&self, hash: u64, passes: u32) {
        let index = self.index(hash);
        if self.slots[index].get() != 0 {
            let mut missing = self.missing.borrow_mut();
            let first_round = self.threshold - u32::from(self.start());
            let left = missing.entry(index).or_insert(first_round);
            *left = left.saturating_add(passes);
        }
    }

    /// The next pass makes it hot, unless compiled code shares the slot.
    fn hurry(&self, hash: u64) {
        self.missing.borrow_mut().insert(self.index(hash), 0);
        self.set_unless_held(hash, 1);
    }

    fn set_unless_held(&self, hash: u64, value: u16) {
        let slot = &self.slots[self.index(hash)];
        if slot.get() != 0 {
            slot.set(value);
        }
    }

    /// Makes all loops that are not hot yet forget a share of their passes, `times` over: loops
    /// that are rarely passed never get hot, and do not get hot together with others.
    fn decay(&self, times: u32) {
        let keep = self.keep.powi(times.min(1000) as i32);
        if keep == 1.0 {
            return;
        }
        let start = self.start();
        for slot in &self.slots {
            let value = slot.get();
            if (1..start).contains(&value) {
                let passed = f64::from(start - value) * keep;
                slot.set(start - passed as u16);
            }
        }
        self.shared.borrow_mut().retain(|_, count| {
            *count = (f64::from(*count) * keep) as u32;
            *count > 0
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Passes until the loop is hot.
    fn passes_until_hot(counters: &Table, hash: u64) -> u32 {
        (1..)
            .find(|_| counters.pass(hash) && counters.tick(hash))
            .unwrap()
    }

    #[test]
    fn a_loop_is_hot_exactly_at_the_threshold() {
        for threshold in [1, 2, 7, 1039, 65_534, 65_535, 65_536, 65_537, 200_000] {
            let counters = Table::new(threshold, 0);
            assert_eq!(passes_until_hot(&counters, 5), threshold);
            assert_eq!(passes_until_hot(&counters, 5), threshold, "again");
        }
    }

    #[test]
    fn a_loop_that_shares_the_slot_of_compiled_code_gets_hot_too() {
        let counters = Table::new(100, 0);
        counters.hold(5);
        assert_eq!(passes_until_hot(&counters, 5 + SLOTS as u64), 100);
        counters.rearm(5 + SLOTS as u64);
        counters.silence(5 + SLOTS as u64);
        assert!(counters.pass(5), "compiled code is still found");
    }

    #[test]
    fn a_loop_whose_code_was_freed_gets_hot_again() {
        let counters = Table::new(100, 0);
        counters.hold(5);
        counters.hold(5 + SLOTS as u64);
        counters.release(5);
        assert!(counters.pass(5), "the other loop's code is found");
        counters.release(5 + SLOTS as u64);
        assert_eq!(passes_until_hot(&counters, 5), 100);
    }

    #[test]
    fn what_was_given_up_stays_away_and_does_not_decay() {
        let counters = Table::new(10, 1000);
        counters.silence(5);
        counters.decay(1);
        assert!((1..u32::from(SILENT)).all(|_| !counters.pass(5)));
        assert!(counters.pass(5));
    }

    #[test]
    fn passes_are_forgotten_with_time() {
        let counters = Table::new(1000, 40);
        assert!((0..900).all(|_| !counters.pass(5)));
        counters.decay(10);
        let left = passes_until_hot(&counters, 5);
        assert!((395..=405).contains(&left), "{left}");
    }

    #[test]
    fn one_hot_loop_does_not_drag_the_next_along() {
        let counters = Table::new(1000, 100);
        assert!((0..999).all(|_| !counters.pass(5)));
        assert_eq!(passes_until_hot(&counters, 6), 1000);
        assert_eq!(passes_until_hot(&counters, 5), 101);
    }

    #[test]
    fn passes_that_are_left_and_counted() {
        for threshold in [100, 60_000] {
            let counters = Table::new(threshold, 0);
            counters.delay(5, 70_000);
            assert_eq!(counters.left(5), threshold + 70_000);
            assert!((0..30).all(|_| !counters.pass(5)));
            assert_eq!(counters.left(5), threshold + 70_000 - 30);
            assert_eq!(counters.counted(), 30);
            counters.silence(5);
            assert!(!counters.pass(5));
            assert_eq!(counters.left(5), u32::from(SILENT) - 1);
            counters.hold(5);
            assert_eq!((counters.left(5), counters.counted()), (0, 0));
        }
    }

    #[test]
    fn getting_hot_can_be_put_off() {
        for threshold in [1, 100, 200_000] {
            let counters = Table::new(threshold, 0);
            counters.delay(5, 70_000);
            assert_eq!(passes_until_hot(&counters, 5), threshold + 70_000);
            assert_eq!(passes_until_hot(&counters, 5), threshold, "once");
        }
    }

    #[test]
    fn a_function_can_be_hot_at_once() {
        for threshold in [1, 100, 200_000] {
            let counters = Table::new(threshold, 0);
            counters.hurry(5);
            assert_eq!(passes_until_hot(&counters, 5), 1);
            assert_eq!(
                passes_until_hot(&counters, 5),
                threshold,
                "from then on as ever"
            );
        }
    }
}
