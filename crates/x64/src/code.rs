//! Compiled code, its guards and its labels. Code refers only to things that its [`Unit`] keeps
//! alive, or that live as long as the backend.

use crate::locations::{Loc, ValueLoc};
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};
use verdigris_backend::arena::{CodeBlock, serialise};
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

/// Code that was compiled together, with its guards.
pub(crate) struct Unit {
    pub(crate) piece: CodeBlock,
    /// Bytes of its frame below the frame pointer.
    pub(crate) frame: u32,
    /// In the order of their stubs.
    pub(crate) guards: Box<[GuardPatch]>,
    pub(crate) fails: Box<[FailArg]>,
    pub(crate) words: Box<[u64]>,
    /// Words that make guards fail once; the code refers to them by address.
    _forced: Vec<Rc<Cell<u32>>>,
    registry: Rc<Registry>,
}

/// All units by address.
#[derive(Default)]
pub(crate) struct Registry(RefCell<BTreeMap<usize, Weak<Unit>>>);

impl Registry {
    /// The guard whose stub ends at this address.
    pub(crate) fn guard(&self, end: usize) -> Option<(Rc<Unit>, usize)> {
        let units = self.0.borrow();
        let (&start, unit) = units.range(..end).next_back()?;
        let unit = unit.upgrade()?;
        let offset = (end - start) as u32;
        let guard = unit.guards.binary_search_by_key(&offset, |s| s.end).ok()?;
        Some((unit, guard))
    }
}

impl Unit {
    pub(crate) fn new(
        piece: CodeBlock,
        frame: u32,
        table: &mut GuardTable,
        registry: &Rc<Registry>,
    ) -> Rc<Unit> {
        let unit = Rc::new(Unit {
            piece,
            frame,
            guards: std::mem::take(&mut table.guards).into(),
            fails: table.fails.as_slice().into(),
            words: table.words.as_slice().into(),
            _forced: std::mem::take(&mut table.forced),
            registry: Rc::clone(registry),
        });
        let mut units = registry.0.borrow_mut();
        units.insert(unit.piece.address(), Rc::downgrade(&unit));
        drop(units);
        unit
    }

    /// The fail arguments of a guard.
    pub(crate) fn fails_of(&self, guard: &GuardPatch) -> &[FailArg] {
        &self.fails[guard.first as usize..][..guard.len as usize]
    }

    pub(crate) fn place(&self, fail: FailArg) -> ValueLoc {
        fail.place(&self.words)
    }

    /// The last four bytes of a stub that leads to this address, or nothing if it is too far away.
    pub(crate) fn distance(&self, guard: usize, address: usize) -> Option<i32> {
        let end = self.piece.address() + self.guards[guard].end as usize;
        i32::try_from(address as i64 - end as i64).ok()
    }

    /// Sends a guard somewhere else, by a jump or a call.
    fn redirect(&self, guard: usize, opcode: u8, distance: i32) {
        let mut bytes = [opcode; 5];
        bytes[1..].copy_from_slice(&distance.to_le_bytes());
        let end = self.guards[guard].end as usize;
        self.piece.write(end - bytes.len(), &bytes);
        serialise();
    }

    /// Sends a guard to a bridge so far away. Returns the bridge that it replaces.
    pub(crate) fn attach(&self, guard: usize, bridge: Rc<Unit>, distance: i32) -> Option<Rc<Unit>> {
        self.redirect(guard, 0xE9, distance);
        self.guards[guard].bridge.replace(Some(bridge))
    }

    /// Sends a guard to the handler, which is so far away. Returns the bridge that it had.
    pub(crate) fn detach(&self, guard: usize, distance: i32) -> Option<Rc<Unit>> {
        let bridge = self.guards[guard].bridge.take()?;
        self.redirect(guard, 0xE8, distance);
        Some(bridge)
    }

    /// Makes a `guard_not_invalidated` fail.
    pub(crate) fn invalidate(&self, guard: usize) {
        if let Some(at) = self.guards[guard].invalid {
            self.piece.write(at as usize, &[1]);
        }
    }
}

impl Drop for Unit {
    fn drop(&mut self) {
        self.registry.0.borrow_mut().remove(&self.piece.address());
    }
}

/// A compiled label.
pub(crate) struct LabelCode {
    pub(crate) unit: Rc<Unit>,
    /// Where it is in the unit.
    pub(crate) offset: u32,
    /// Where it takes its parameters; nowhere if it does not use one.
    pub(crate) contract: Box<[Loc]>,
    /// The types of the parameters.
    pub(crate) types: Box<[Ty]>,
    /// The code by which Rust enters it, once it has been asked for.
    pub(crate) entry: OnceCell<CodeBlock>,
}

impl LabelCode {
    pub(crate) fn address(&self) -> usize {
        self.unit.piece.address() + self.offset as usize
    }
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
