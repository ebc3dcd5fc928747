//! Guards in compiled code: how each leaves, and where its fail arguments are.

use crate::code::Unit;
use crate::locations::{Loc, ValueLoc};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use verdigris_ops::Ty;
use verdigris_trace::GuardId;

/// A fail argument and its type, packed: a location, the index of a known word, or a word of the
/// record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FailArg(u32);

const KNOWN: u32 = 1 << 31;
const HOLE: u32 = 1 << 30;
const TYPE: u32 = 28;
const REST: u32 = (1 << TYPE) - 1;

impl FailArg {
    pub(crate) fn at(loc: Loc, ty: Ty) -> FailArg {
        FailArg(u32::from(loc.0) | (ty as u32) << TYPE)
    }

    pub(crate) fn known(index: usize, ty: Ty) -> FailArg {
        FailArg(KNOWN | index as u32 | (ty as u32) << TYPE)
    }

    pub(crate) fn hole(word: u16, ty: Ty) -> FailArg {
        FailArg(HOLE | u32::from(word) | (ty as u32) << TYPE)
    }

    /// Its word of the record, if it is one.
    pub(crate) fn as_hole(self) -> Option<usize> {
        (self.0 & HOLE != 0).then_some((self.0 & REST) as usize)
    }

    /// Where it is, unless it is in the record. `words` are the unit's known words.
    pub(crate) fn place(self, words: &[u64]) -> ValueLoc {
        match self.0 & KNOWN {
            0 => ValueLoc::At(Loc(self.0 as u16)),
            _ => ValueLoc::Const(words[(self.0 & REST) as usize]),
        }
    }

    pub(crate) fn ty(self) -> Ty {
        Ty::ALL[(self.0 >> TYPE & 3) as usize]
    }
}

/// A guard in compiled code, which a bridge patches.
pub(crate) struct GuardPatch {
    pub(crate) id: GuardId,
    /// The end of its stub, which ends with a call of the handler or a jump to a bridge.
    pub(crate) end: u32,
    /// Where its fail arguments begin among the unit's.
    pub(crate) first: u32,
    pub(crate) len: u32,
    /// Where the record with some of them is.
    pub(crate) record: Option<Loc>,
    /// The offset of the word that makes a `guard_not_invalidated` fail: among the data until the
    /// code is finished, then in the code.
    pub(crate) invalid: Option<u32>,
    pub(crate) bridge: RefCell<Option<Rc<Unit>>>,
}

/// The guards of code that is being compiled.
#[derive(Default)]
pub(crate) struct GuardTable {
    pub(crate) guards: Vec<GuardPatch>,
    pub(crate) fails: Vec<FailArg>,
    pub(crate) words: Vec<u64>,
    pub(crate) forced: Vec<Rc<Cell<u32>>>,
}

impl GuardTable {
    pub(crate) fn clear(&mut self) {
        self.guards.clear();
        self.fails.clear();
        self.words.clear();
        self.forced.clear();
    }

    /// Adds a fail argument in the record to the guard that is being added.
    pub(crate) fn add_hole(&mut self, word: u16, ty: Ty) {
        self.fails.push(FailArg::hole(word, ty));
    }

    /// Adds a fail argument to the guard that is being added.
    pub(crate) fn add_value(&mut self, place: ValueLoc, ty: Ty) {
        let fail = match place {
            ValueLoc::At(loc) => FailArg::at(loc, ty),
            ValueLoc::Const(word) => {
                self.words.push(word);
                FailArg::known(self.words.len() - 1, ty)
            }
        };
        self.fails.push(fail);
    }
}
