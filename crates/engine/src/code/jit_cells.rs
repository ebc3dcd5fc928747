//! What is known of each loop of the guest program that was hot. In: green values, compared word by
//! word. Out: a [`Cell`] with its compiled code or the number of failed attempts. Invariant: the
//! objects among the green values are pinned by the cell, so that an address means the same loop as
//! long as the cell lives. A cell that is forgotten is cold: its loop may get hot again. All code
//! is given and taken here, so that the short ways to it ([`crate::code::entry_cache`]) are right.
//! Source: the "jit cells" of RPython's warmstate.

use crate::code::entry_cache::{Way, Ways};
use crate::code::roots::Pins;
use crate::code::trees::{InUse, TreeId};
use crate::observe::stats::Maker;
use cranelift_entity::entity_impl;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use verdigris_backend::Entry;
use verdigris_heap::{Tier, hash_greens};
use verdigris_trace::TargetId;

/// A loop of the guest program. Never reused in a VM.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct CellId(u32);
entity_impl!(CellId, "cell");

/// Compiled code for a loop.
#[derive(Clone)]
pub(crate) struct Code {
    /// Where traces jump to.
    pub(crate) target: TargetId,
    /// Where the interpreter enters.
    pub(crate) entry: Rc<dyn Entry>,
    /// Which compiler has made it.
    pub(crate) maker: Maker,
    /// What it is freed with.
    pub(crate) tree: TreeId,
    pub(crate) in_use: Rc<InUse>,
    /// If it is threaded code: where the record of the place is, which it takes in front of the
    /// reds.
    pub(crate) record: Option<Rc<std::cell::Cell<u64>>>,
}

impl Code {
    /// Whether it is threaded code.
    pub(crate) fn is_threaded(&self) -> bool {
        self.record.is_some()
    }

    /// The address of what calls with the reds alone can call; 0 if there is nothing.
    pub(crate) fn callee_address(&self) -> usize {
        match self.is_threaded() {
            true => 0,
            false => self.entry.address(),
        }
    }
}

/// What is known of one loop.
#[derive(Default)]
pub(crate) struct Cell {
    code: Option<Code>,
    /// Code that native code does not enter at the moment.
    resting: Option<Code>,
    /// How often code has rested since the place last went over to another tier.
    pub(crate) rests: u32,
    /// Whether its code is made by partial evaluation, since tracing did not suit it.
    pub(crate) settled: bool,
    /// Attempts that were given up.
    pub(crate) aborts: u32,
    /// Versions beside the first that were recorded, or tried to.
    pub(crate) retraces: u32,
    /// Code that was invalidated.
    pub(crate) invalidations: u32,
    /// Whether its code keeps nothing across calls, because too often other code has taken what was
    /// kept.
    pub(crate) open: bool,
    /// Whether it is not tried again.
    pub(crate) blocked: bool,
    /// Whether native code does not enter threaded code there any more.
    pub(crate) unthreaded: bool,
    /// Whether calls that begin here are never inlined.
    pub(crate) alone: bool,
    /// Which compiler may make its code, if that has been asked.
    pub(crate) tier: Option<Tier>,
    /// Whether a trace that starts here is under way.
    pub(crate) tracing: bool,
    /// The generation in which it was last looked at.
    pub(crate) used: u64,
    key: Rc<[u64]>,
    /// The objects among its greens.
    pins: Option<Pins>,
}

/// The loops by their green values.
#[derive(Default)]
pub(crate) struct Cells {
    by_key: FxHashMap<Rc<[u64]>, CellId>,
    cells: FxHashMap<CellId, Cell>,
    ways: Ways<Code>,
    next: u32,
}

/// Code that a place has no more.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dropped {
    None,
    Entered,
    Resting,
}

impl Cell {
    /// The code that native code enters.
    pub(crate) fn code(&self) -> Option<&Code> {
        self.code.as_ref()
    }

    /// The code that other code can jump to.
    pub(crate) fn code_to_jump_to(&self) -> Option<&Code> {
        let code = self.code.as_ref().or(self.resting.as_ref());
        code.filter(|code| !code.is_threaded())
    }
}

impl Cells {
    /// The cell for these greens, if they were ever hot.
    pub(crate) fn find(&self, greens: &[u64]) -> Option<CellId> {
        self.by_key.get(greens).copied()
    }

    /// Adds a cell for greens that have none, and what keeps the objects among them alive.
    pub(crate) fn add(&mut self, greens: &[u64], pins: Option<Pins>) -> CellId {
        let id = CellId(self.next);
        self.next += 1;
        let key: Rc<[u64]> = greens.into();
        let before = self.by_key.insert(key.clone(), id);
        assert!(before.is_none(), "a loop has one cell");
        let cell = Cell {
            key,
            pins,
            ..Cell::default()
        };
        self.cells.insert(id, cell);
        id
    }

    /// Gives a loop code, or takes it away. Answers what it had.
    pub(crate) fn set_code(&mut self, id: CellId, code: Option<Code>) -> Option<Code> {
        let cell = self.cells.get_mut(&id).expect("a cell in use lives");
        self.ways.forget(hash_greens(&cell.key), &cell.key);
        if code.is_some() {
            // What rests is not entered again.
            cell.resting = None;
        }
        let before = std::mem::replace(&mut cell.code, code);
        if let Some(before) = &before {
            // An entry by the short way does not look at the cell.
            cell.used = cell.used.max(before.in_use.generation());
        }
        before
    }

    /// Takes the code of a place away, also if it rests, if it is the one that is meant. Says which
    /// it was.
    pub(crate) fn drop_code(&mut self, id: CellId, is_meant: impl Fn(&Code) -> bool) -> Dropped {
        let cell = &mut self[id];
        if cell.code.as_ref().is_some_and(&is_meant) {
            self.set_code(id, None);
            return Dropped::Entered;
        }
        match cell.resting.take_if(|code| is_meant(code)) {
            Some(_) => Dropped::Resting,
            None => Dropped::None,
        }
    }

    /// Takes the threaded code of all places away, also where it rests. Answers the hashes of those
    /// that had it for native code to enter.
    pub(crate) fn drop_threaded(&mut self) -> Vec<u64> {
        let ids: Vec<CellId> = self.cells.keys().copied().collect();
        let mut entered = ids;
        entered.retain(|&id| self.drop_code(id, Code::is_threaded) == Dropped::Entered);
        let hashes = entered.iter().map(|&id| hash_greens(&self[id].key));
        hashes.collect()
    }

    /// The code of a place rests.
    pub(crate) fn rest(&mut self, id: CellId) {
        let code = self.set_code(id, None);
        self[id].resting = code;
    }

    /// The code of a place is entered again. Answers it, if there is any.
    pub(crate) fn wake(&mut self, id: CellId) -> Option<Code> {
        let code = self[id].resting.take()?;
        self.set_code(id, Some(code.clone()));
        Some(code)
    }

    /// The short way to the code for these greens.
    #[inline]
    pub(crate) fn way(&self, hash: u64, greens: &[u64]) -> Option<Rc<Way<Code>>> {
        self.ways.find(hash, greens)
    }

    /// From now on there is a short way to the code of a loop, which has some.
    pub(crate) fn add_way(&mut self, hash: u64, id: CellId) -> Option<Rc<Way<Code>>> {
        let cell = self.cells.get(&id)?;
        let code = cell.code.clone()?;
        Some(self.ways.add(hash, Rc::clone(&cell.key), code))
    }

    /// Forgets the cells without code that the engine has not looked at since this generation,
    /// unless a trace starts there.
    pub(crate) fn forget_before(&mut self, generation: u64) {
        self.cells.retain(|_, cell| {
            let keep = cell.code.is_some()
                || cell.resting.is_some()
                || cell.tracing
                || cell.used >= generation;
            if !keep {
                self.by_key.remove(&cell.key);
            }
            keep
        });
    }

    /// How many cells there are, and how many objects they keep alive.
    pub(crate) fn count(&self) -> (usize, usize) {
        let pins = self.cells.values().filter_map(|cell| cell.pins.as_ref());
        (self.cells.len(), pins.map(Pins::len).sum())
    }

    /// The code for these greens, if there is any.
    pub(crate) fn code(&self, greens: &[u64]) -> Option<&Code> {
        self[self.find(greens)?].code.as_ref()
    }

    /// The green values of a cell.
    pub(crate) fn greens(&self, id: CellId) -> &[u64] {
        &self[id].key
    }
}

impl std::ops::Index<CellId> for Cells {
    type Output = Cell;
    fn index(&self, id: CellId) -> &Cell {
        self.cells.get(&id).expect("a cell in use is not forgotten")
    }
}

impl std::ops::IndexMut<CellId> for Cells {
    fn index_mut(&mut self, id: CellId) -> &mut Cell {
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
        let mut cells = Cells::default();
        let one = cells.add(&[1, 2], None);
        let other = cells.add(&[2, 1], None);
        assert_eq!(cells.find(&[1, 2]), Some(one));
        assert_eq!(cells.find(&[2, 1]), Some(other));
        assert_eq!(cells.find(&[1]), None);
        assert!(cells.code(&[1, 2]).is_none());
    }

    #[test]
    fn cells_without_code_are_forgotten_with_time() {
        let mut cells = Cells::default();
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
}
