//! What is known of each loop of the guest program that was ever hot. In: green values, compared word by word. Out: a
//! [`Cell`] with its compiled code or the number of failed attempts. Invariant: the objects among the green values are
//! pinned by whoever adds a cell, so that an address means the same loop as long as the cell lives.
//! Source: the "jit cells" of RPython's warmstate.

use cranelift_entity::{PrimaryMap, SecondaryMap, entity_impl};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use verdigris_backend::Entry;
use verdigris_trace::TargetId;

/// A loop of the guest program.
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
}

/// What is known of one loop.
#[derive(Clone, Default)]
pub(crate) struct Cell {
    /// Its code.
    pub(crate) code: Option<Code>,
    /// Attempts that were given up.
    pub(crate) aborts: u32,
    /// Versions beside the first that were recorded, or tried to.
    pub(crate) retraces: u32,
    /// Whether it is not tried again.
    pub(crate) blocked: bool,
    /// Whether calls that begin here are never inlined.
    pub(crate) alone: bool,
    /// Whether a trace that starts here is under way.
    pub(crate) tracing: bool,
}

/// The loops by their green values.
#[derive(Default)]
pub(crate) struct Cells {
    by_key: FxHashMap<Rc<[u64]>, CellId>,
    keys: PrimaryMap<CellId, Rc<[u64]>>,
    cells: SecondaryMap<CellId, Cell>,
}

impl Cells {
    /// The cell for these greens, if they were ever hot.
    pub(crate) fn find(&self, greens: &[u64]) -> Option<CellId> {
        self.by_key.get(greens).copied()
    }

    /// Adds a cell for greens that have none.
    pub(crate) fn add(&mut self, greens: &[u64]) -> CellId {
        let key: Rc<[u64]> = greens.into();
        let id = self.keys.push(key.clone());
        let before = self.by_key.insert(key, id);
        assert!(before.is_none(), "a loop has one cell");
        id
    }

    /// The code for these greens, if there is any.
    pub(crate) fn code(&self, greens: &[u64]) -> Option<&Code> {
        self.cells[self.find(greens)?].code.as_ref()
    }

    /// The green values of a cell.
    pub(crate) fn greens(&self, id: CellId) -> &[u64] {
        &self.keys[id]
    }
}

impl std::ops::Index<CellId> for Cells {
    type Output = Cell;
    fn index(&self, id: CellId) -> &Cell {
        &self.cells[id]
    }
}

impl std::ops::IndexMut<CellId> for Cells {
    fn index_mut(&mut self, id: CellId) -> &mut Cell {
        &mut self.cells[id]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_compared_word_by_word() {
        let mut cells = Cells::default();
        let one = cells.add(&[1, 2]);
        let other = cells.add(&[2, 1]);
        assert_eq!(cells.find(&[1, 2]), Some(one));
        assert_eq!(cells.find(&[2, 1]), Some(other));
        assert_eq!(cells.find(&[1]), None);
        assert!(cells.code(&[1, 2]).is_none());
    }
}
