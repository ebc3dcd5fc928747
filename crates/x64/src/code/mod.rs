//! Compiled code, with what its guards need to know. Code refers only to things that its [`Unit`]
//! keeps alive, or that live as long as the backend.

pub(crate) mod guard_table;

use crate::code::guard_table::{FailArg, GuardPatch, GuardTable};
use crate::locations::{Loc, ValueLoc};
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};
use verdigris_backend::arena::{CodeBlock, serialise};
use verdigris_ops::Ty;

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
