//! What a compilation leaves behind. In: code in memory, and what its guards need to know. Out:
//! guards that can be sent to bridges, labels that can be jumped to. Invariant: code refers only to
//! things that its [`Unit`] keeps alive, or that live as long as the backend.

use crate::values::{Loc, Place};
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};
use verdigris_backend::arena::{CodeBlock, serialise};
use verdigris_ops::Ty;
use verdigris_trace::{GuardId, ValRef};

/// Where a fail argument is, and its type: a location, the index of a known word, or a word of the
/// record, in one word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Fail(u32);

const KNOWN: u32 = 1 << 31;
const HOLE: u32 = 1 << 30;
const TYPE: u32 = 28;
const REST: u32 = (1 << TYPE) - 1;

impl Fail {
    pub(crate) fn at(loc: Loc, ty: Ty) -> Fail {
        Fail(u32::from(loc.0) | (ty as u32) << TYPE)
    }

    pub(crate) fn known(index: usize, ty: Ty) -> Fail {
        Fail(KNOWN | index as u32 | (ty as u32) << TYPE)
    }

    pub(crate) fn hole(word: u16, ty: Ty) -> Fail {
        Fail(HOLE | u32::from(word) | (ty as u32) << TYPE)
    }

    /// The word of the record that it is, if it is one.
    pub(crate) fn as_hole(self) -> Option<usize> {
        (self.0 & HOLE != 0).then_some((self.0 & REST) as usize)
    }

    pub(crate) fn ty(self) -> Ty {
        Ty::ALL[(self.0 >> TYPE & 3) as usize]
    }
}

/// A guard in compiled code.
pub(crate) struct Site {
    pub(crate) id: GuardId,
    /// The end of its stub, which ends with a call of the handler or a jump to a bridge.
    pub(crate) end: u32,
    /// Where its fail arguments begin among the unit's.
    pub(crate) first: u32,
    pub(crate) len: u32,
    /// Where the record is that some of them are in.
    pub(crate) record: Option<Loc>,
    /// The word of data that makes a `guard_not_invalidated` fail; its offset in the code.
    pub(crate) invalid: Option<u32>,
    pub(crate) bridge: RefCell<Option<Rc<Unit>>>,
}

/// Code that was compiled together, with its guards.
pub(crate) struct Unit {
    pub(crate) piece: CodeBlock,
    /// Bytes below the frame pointer while this code runs.
    pub(crate) frame: u32,
    /// In the order of their stubs.
    pub(crate) sites: Box<[Site]>,
    pub(crate) fails: Box<[Fail]>,
    pub(crate) words: Box<[u64]>,
    /// Words that make guards fail once, which the code names by address.
    _forced: Vec<Rc<Cell<u32>>>,
    registry: Rc<Registry>,
}

/// The units by address.
#[derive(Default)]
pub(crate) struct Registry(RefCell<BTreeMap<usize, Weak<Unit>>>);

impl Registry {
    /// The guard whose stub ends at this address.
    pub(crate) fn site(&self, end: usize) -> Option<(Rc<Unit>, usize)> {
        let units = self.0.borrow();
        let (&start, unit) = units.range(..end).next_back()?;
        let unit = unit.upgrade()?;
        let offset = (end - start) as u32;
        let site = unit.sites.binary_search_by_key(&offset, |s| s.end).ok()?;
        Some((unit, site))
    }
}

impl Unit {
    pub(crate) fn new(
        piece: CodeBlock,
        frame: u32,
        noted: &mut Sites,
        registry: &Rc<Registry>,
    ) -> Rc<Unit> {
        let unit = Rc::new(Unit {
            piece,
            frame,
            sites: std::mem::take(&mut noted.sites).into(),
            fails: noted.fails.as_slice().into(),
            words: noted.words.as_slice().into(),
            _forced: std::mem::take(&mut noted.forced),
            registry: Rc::clone(registry),
        });
        let mut units = registry.0.borrow_mut();
        units.insert(unit.piece.address(), Rc::downgrade(&unit));
        drop(units);
        unit
    }

    /// The fail arguments of a guard.
    pub(crate) fn fails_of(&self, site: &Site) -> &[Fail] {
        &self.fails[site.first as usize..][..site.len as usize]
    }

    pub(crate) fn place(&self, fail: Fail) -> Place {
        match fail.0 & KNOWN {
            0 => Place::At(Loc(fail.0 as u16)),
            _ => Place::Const(self.words[(fail.0 & REST) as usize]),
        }
    }

    /// The word in the last four bytes of a stub that leads to this address.
    ///
    /// # Errors
    /// If it is too far away.
    pub(crate) fn distance(&self, site: usize, address: usize) -> Option<i32> {
        let end = self.piece.address() + self.sites[site].end as usize;
        i32::try_from(address as i64 - end as i64).ok()
    }

    /// Sends a guard somewhere else, by a jump or a call.
    fn redirect(&self, site: usize, opcode: u8, distance: i32) {
        let mut bytes = [opcode; 5];
        bytes[1..].copy_from_slice(&distance.to_le_bytes());
        let end = self.sites[site].end as usize;
        self.piece.write(end - bytes.len(), &bytes);
        serialise();
    }

    /// Sends a guard to a bridge so far away. Answers the bridge that it replaces.
    pub(crate) fn attach(&self, site: usize, bridge: Rc<Unit>, distance: i32) -> Option<Rc<Unit>> {
        self.redirect(site, 0xE9, distance);
        self.sites[site].bridge.replace(Some(bridge))
    }

    /// Lets a guard leave again through the handler so far away. Answers the bridge that it had.
    pub(crate) fn detach(&self, site: usize, distance: i32) -> Option<Rc<Unit>> {
        let bridge = self.sites[site].bridge.take()?;
        self.redirect(site, 0xE8, distance);
        Some(bridge)
    }

    /// From now on a `guard_not_invalidated` fails.
    pub(crate) fn invalidate(&self, site: usize) {
        if let Some(at) = self.sites[site].invalid {
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
    /// Where it expects its parameters; nowhere if it does not use one.
    pub(crate) contract: Box<[Loc]>,
    /// The types of the parameters.
    pub(crate) types: Box<[Ty]>,
    /// The code through which Rust enters it, once that has been asked for.
    pub(crate) entry: OnceCell<CodeBlock>,
}

impl LabelCode {
    pub(crate) fn address(&self) -> usize {
        self.unit.piece.address() + self.offset as usize
    }
}

/// What is noted of guards while code is made.
#[derive(Default)]
pub(crate) struct Sites {
    pub(crate) sites: Vec<Site>,
    pub(crate) fails: Vec<Fail>,
    pub(crate) words: Vec<u64>,
    pub(crate) forced: Vec<Rc<Cell<u32>>>,
}

impl Sites {
    pub(crate) fn clear(&mut self) {
        self.sites.clear();
        self.fails.clear();
        self.words.clear();
        self.forced.clear();
    }

    /// Adds a fail argument that is in the record.
    pub(crate) fn add_hole(&mut self, word: u16, ty: Ty) {
        self.fails.push(Fail::hole(word, ty));
    }

    /// Adds a fail argument to the guard that is being noted.
    pub(crate) fn add(&mut self, place: Place, ty: Ty) {
        let fail = match place {
            Place::At(loc) => Fail::at(loc, ty),
            Place::Const(word) => {
                self.words.push(word);
                Fail::known(self.words.len() - 1, ty)
            }
        };
        self.fails.push(fail);
    }
}

/// A value that a failing guard says the content of.
pub(crate) type KnownIfFails = (ValRef, Place);
