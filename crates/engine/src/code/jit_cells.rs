//! Cells: what is known of each place of the guest program that was ever hot.
//!
//! Invariants: the objects among a cell's greens are pinned, so that an address means the same
//! place as long as the cell lives; code is set and removed here alone, so that the entry cache is
//! right. A forgotten cell is cold: its place may get hot again. Source: the "jit cells" of
//! RPython's warmstate.

use crate::code::entry_cache::{CachedEntry, EntryCache};
use crate::code::roots::Pins;
use crate::code::trees::{InUse, TreeId};
use cranelift_entity::entity_impl;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use verdigris_backend::Entry;
use verdigris_heap::{Tier, hash_greens};
use verdigris_report::CompilerKind;
use verdigris_trace::TargetId;

/// A place of the guest program. Never reused in a VM.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct JitCellId(u32);
entity_impl!(JitCellId, "cell");

/// The compiled code of a place.
#[derive(Clone)]
pub(crate) struct Code {
    /// The label that traces jump to.
    pub(crate) target: TargetId,
    /// The entry for native code.
    pub(crate) entry: Rc<dyn Entry>,
    pub(crate) compiler: CompilerKind,
    /// The tree that it is freed with.
    pub(crate) tree: TreeId,
    pub(crate) in_use: Rc<InUse>,
    /// For threaded code: the address of the place's record, which it takes in front of the reds.
    pub(crate) record: Option<Rc<std::cell::Cell<u64>>>,
}

impl Code {
    pub(crate) fn is_threaded(&self) -> bool {
        self.record.is_some()
    }

    /// The address for calls that pass the reds alone; 0 if there is none.
    pub(crate) fn callee_address(&self) -> usize {
        match self.is_threaded() {
            true => 0,
            false => self.entry.address(),
        }
    }
}

/// A place of the guest program that was hot.
#[derive(Default)]
pub(crate) struct JitCell {
    code: Option<Code>,
    /// Code whose entry is suspended.
    suspended: Option<Code>,
    /// Suspensions since the place last changed its compiler.
    pub(crate) suspensions: u32,
    /// Whether a trace was cut there, so that its code is joined in passing.
    pub(crate) is_segment: bool,
    /// Whether the specialiser makes its code, since tracing did not suit it.
    pub(crate) is_specialised: bool,
    /// Attempts that were given up.
    pub(crate) aborts: u32,
    /// Other versions that were recorded, or tried.
    pub(crate) retraces: u32,
    /// Invalidations of its code.
    pub(crate) invalidations: u32,
    /// How often its code was evicted, for want of room or for its age.
    pub(crate) evictions: u32,
    /// Whether its code keeps no virtualizable places across calls, since other code took them too
    /// often.
    pub(crate) keeps_nothing: bool,
    /// Whether nothing is compiled any more.
    pub(crate) blocked: bool,
    /// Whether native code does not enter threaded code there any more.
    pub(crate) unthreaded: bool,
    /// Whether calls that begin here are never inlined.
    pub(crate) never_inlined: bool,
    /// The answer of the author's `tier` function, if it has been asked.
    pub(crate) tier: Option<Tier>,
    /// Whether an attempt that starts here is under way.
    pub(crate) tracing: bool,
    /// The generation of its last use.
    pub(crate) used: u64,
    key: Rc<[u64]>,
    /// The objects among its greens.
    pins: Option<Pins>,
}

/// The cells by greens.
#[derive(Default)]
pub(crate) struct JitCells {
    by_key: FxHashMap<Rc<[u64]>, JitCellId>,
    cells: FxHashMap<JitCellId, JitCell>,
    entries: EntryCache<Code>,
    next: u32,
}

/// Where code was that has been removed from a place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dropped {
    None,
    Entered,
    Suspended,
}

/// Evictions that make a place wait longer.
const MAX_EVICTIONS: u32 = 16;

impl JitCell {
    /// Records an eviction, and returns how many times longer than at first the place takes to get
    /// hot again: twice as long each time. Otherwise places that do not fit together would be
    /// compiled in turn at each entry.
    pub(crate) fn evict(&mut self) -> u32 {
        self.evictions = MAX_EVICTIONS.min(self.evictions + 1);
        1 << self.evictions
    }

    /// The generations for which the evictions are remembered.
    fn remembered(&self) -> u64 {
        (1 << self.evictions) - 1
    }

    /// The code that native code enters.
    pub(crate) fn code(&self) -> Option<&Code> {
        self.code.as_ref()
    }

    /// The code that other code can jump to.
    pub(crate) fn code_to_jump_to(&self) -> Option<&Code> {
        let code = self.code.as_ref().or(self.suspended.as_ref());
        code.filter(|code| !code.is_threaded())
    }
}

impl JitCells {
    /// The cell for these greens, if there is one.
    pub(crate) fn find(&self, greens: &[u64]) -> Option<JitCellId> {
        self.by_key.get(greens).copied()
    }

    /// Adds a cell for greens that have none, with pins for their objects.
    pub(crate) fn add(&mut self, greens: &[u64], pins: Option<Pins>) -> JitCellId {
        let id = JitCellId(self.next);
        self.next += 1;
        let key: Rc<[u64]> = greens.into();
        let before = self.by_key.insert(key.clone(), id);
        assert!(before.is_none(), "a loop has one cell");
        let cell = JitCell {
            key,
            pins,
            ..JitCell::default()
        };
        self.cells.insert(id, cell);
        id
    }

    /// Sets or removes the code of a place. Returns the code before.
    pub(crate) fn set_code(&mut self, id: JitCellId, code: Option<Code>) -> Option<Code> {
        let cell = self.cells.get_mut(&id).expect("a cell in use lives");
        self.entries.forget(hash_greens(&cell.key), &cell.key);
        if code.is_some() {
            // Suspended code is not entered again.
            cell.suspended = None;
        }
        let before = std::mem::replace(&mut cell.code, code);
        if let Some(before) = &before {
            // An entry through the cache does not touch the cell.
            cell.used = cell.used.max(before.in_use.generation());
        }
        before
    }

    /// Removes the code of a place, suspended or not, if `is_meant` holds. Returns where it was.
    pub(crate) fn drop_code(&mut self, id: JitCellId, is_meant: impl Fn(&Code) -> bool) -> Dropped {
        let cell = &mut self[id];
        if cell.code.as_ref().is_some_and(&is_meant) {
            self.set_code(id, None);
            return Dropped::Entered;
        }
        match cell.suspended.take_if(|code| is_meant(code)) {
            Some(_) => Dropped::Suspended,
            None => Dropped::None,
        }
    }

    /// Removes all threaded code. Returns the hashes of places where native code entered it.
    pub(crate) fn drop_threaded(&mut self) -> Vec<u64> {
        let ids: Vec<JitCellId> = self.cells.keys().copied().collect();
        let mut entered = ids;
        entered.retain(|&id| self.drop_code(id, Code::is_threaded) == Dropped::Entered);
        let hashes = entered.iter().map(|&id| hash_greens(&self[id].key));
        hashes.collect()
    }

    /// Suspends the entry of a place's code.
    pub(crate) fn suspend(&mut self, id: JitCellId) {
        let code = self.set_code(id, None);
        self[id].suspended = code;
    }

    /// Ends the suspension. Returns the code, if there is any.
    pub(crate) fn resume(&mut self, id: JitCellId) -> Option<Code> {
        let code = self[id].suspended.take()?;
        self.set_code(id, Some(code.clone()));
        Some(code)
    }

    /// The cached entry for these greens.
    #[inline]
    pub(crate) fn cached_entry(&self, hash: u64, greens: &[u64]) -> Option<Rc<CachedEntry<Code>>> {
        self.entries.find(hash, greens)
    }

    /// Adds the code of a place, if it has some, to the cache.
    pub(crate) fn cache_entry(
        &mut self,
        hash: u64,
        id: JitCellId,
    ) -> Option<Rc<CachedEntry<Code>>> {
        let cell = self.cells.get(&id)?;
        let code = cell.code.clone()?;
        Some(self.entries.add(hash, Rc::clone(&cell.key), code))
    }

    /// Forgets cells without code that were last used before this generation, or longer ago if
    /// their code was evicted, unless an attempt is under way there.
    pub(crate) fn forget_before(&mut self, generation: u64) {
        self.retain(|cell| cell.used + cell.remembered() >= generation);
    }

    /// Forgets all cells without code, unless an attempt is under way there.
    pub(crate) fn forget_cold(&mut self) {
        self.retain(|_| false);
    }

    /// Forgets cells without code for which `keeps` does not hold, unless an attempt is under way
    /// there.
    fn retain(&mut self, keeps: impl Fn(&JitCell) -> bool) {
        self.cells.retain(|_, cell| {
            let has_code = cell.code.is_some() || cell.suspended.is_some();
            let keep = has_code || cell.tracing || keeps(cell);
            if !keep {
                self.by_key.remove(&cell.key);
            }
            keep
        });
    }

    /// The number of cells, and of objects that they keep alive.
    pub(crate) fn count(&self) -> (usize, usize) {
        let pins = self.cells.values().filter_map(|cell| cell.pins.as_ref());
        (self.cells.len(), pins.map(Pins::len).sum())
    }

    /// The code for these greens, if there is any.
    pub(crate) fn code(&self, greens: &[u64]) -> Option<&Code> {
        self[self.find(greens)?].code.as_ref()
    }

    /// The greens of a cell.
    pub(crate) fn greens(&self, id: JitCellId) -> &[u64] {
        &self[id].key
    }
}

impl std::ops::Index<JitCellId> for JitCells {
    type Output = JitCell;
    fn index(&self, id: JitCellId) -> &JitCell {
        self.cells.get(&id).expect("a cell in use is not forgotten")
    }
}

impl std::ops::IndexMut<JitCellId> for JitCells {
    fn index_mut(&mut self, id: JitCellId) -> &mut JitCell {
        self.cells
            .get_mut(&id)
            .expect("a cell in use is not forgotten")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_compared_word_by_word() {
        let mut cells = JitCells::default();
        let one = cells.add(&[1, 2], None);
        let other = cells.add(&[2, 1], None);
        assert_eq!(cells.find(&[1, 2]), Some(one));
        assert_eq!(cells.find(&[2, 1]), Some(other));
        assert_eq!(cells.find(&[1]), None);
        assert!(cells.code(&[1, 2]).is_none());
    }

    #[test]
    fn cells_without_code_are_forgotten_with_time() {
        let mut cells = JitCells::default();
        let [old, traced, new] = [1, 2, 3].map(|key| cells.add(&[key], None));
        cells[new].used = 7;
        cells[traced].tracing = true;
        cells.forget_before(7);
        assert_eq!(cells.find(&[1]), None);
        assert_eq!(
            (cells.find(&[2]), cells.find(&[3])),
            (Some(traced), Some(new))
        );
        assert_ne!(cells.add(&[1], None), old);
    }

    #[test]
    fn cells_without_code_can_be_forgotten_at_once() {
        let mut cells = JitCells::default();
        let [evicted, traced] = [1, 2].map(|key| cells.add(&[key], None));
        cells[evicted].evict();
        cells[traced].tracing = true;
        cells.forget_cold();
        assert_eq!((cells.find(&[1]), cells.find(&[2])), (None, Some(traced)));
    }

    #[test]
    fn evictions_are_remembered_the_longer_the_more_there_were() {
        let mut cells = JitCells::default();
        let [once, twice] = [1, 2].map(|key| cells.add(&[key], None));
        assert_eq!([once, twice, twice].map(|id| cells[id].evict()), [2, 2, 4]);
        cells.forget_before(2);
        assert_eq!((cells.find(&[1]), cells.find(&[2])), (None, Some(twice)));
        cells.forget_before(4);
        assert_eq!(cells.find(&[2]), None);
    }
}
