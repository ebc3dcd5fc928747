//! Accesses to virtualizable places that suspended code keeps to itself.
//!
//! While compiled code waits for a call, other code may read such a place: the value is copied
//! there, by a table made with the code ([`crate::run::virtualizable::copy_tables`]), and the code
//! keeps it. If other code writes, or reads a value that has not been made, everything that the
//! suspended code keeps is taken: objects are made, delayed stores done, and the code is left
//! behind its call.
//!
//! Invariants: an object that several suspended activations might keep is kept by one of them,
//! since code that uses it claims it first. Objects taken from a record are rooted until its code
//! is left. Source: RPython's `force_virtualizable_if_necessary` and `guard_not_forced`.

#![allow(unsafe_code)]

use crate::code::guard_info::GuardInfo;
use crate::code::roots::Pins;
use crate::compile::target::TraceTarget;
use crate::engine::Engine;
use crate::run::virtualizable::copy_tables::{CopyTable, Store};
use crate::run::virtualizable::owners::Taken;
use std::ops::Range;
use std::rc::Rc;
use verdigris_heap::{Access, Context, HeapExhausted, Suspended, detector, object_end, store_word};
use verdigris_resume::take_kept;
use verdigris_trace::GuardId;

/// The innermost records that are searched one by one; the objects of the others are listed. Most
/// accesses are to places that the caller keeps.
const NEAR: usize = 2;

/// The words of a record, with the guard that describes them.
struct Kept<'a> {
    info: Rc<GuardInfo>,
    words: &'a [u64],
}

impl Kept<'_> {
    /// The objects with kept places.
    fn objects(&self) -> impl Iterator<Item = u64> + '_ {
        self.info.kept().copies.objects(self.words)
    }
}

/// Stores to memory the kept values of these bytes, unless that takes an object that has not been
/// made. The words lie in the record, where the collector sees them.
///
/// # Safety
/// The record is in use.
unsafe fn look(copies: &CopyTable, words: &[u64], bytes: &Range<u64>) -> Look {
    let mut last = None;
    for (n, base) in copies.objects_at(words, bytes) {
        let found = copies.values_in(n, bytes.start.saturating_sub(base)..bytes.end - base);
        if !copies.are_real(&found) {
            return Look::Unmade;
        }
        if last.replace((base, found)).is_some() {
            // One object under two names: all stores, in order.
            let stores = copies.all_stores(words).into_iter();
            // SAFETY: the caller's promise.
            stores.for_each(|store| unsafe { done(store) });
            return Look::Shown;
        }
    }
    let Some((base, found)) = last else {
        return Look::Elsewhere;
    };
    // SAFETY: the caller's promise.
    copies.each_store(found, base, words, |store| unsafe { done(store) });
    Look::Shown
}

/// The result of a look at some bytes.
#[derive(PartialEq)]
enum Look {
    /// None of them is kept.
    Elsewhere,
    /// Memory is up to date.
    Shown,
    /// A kept value refers to an object that has not been made.
    Unmade,
}

/// Does a store.
///
/// # Safety
/// It is to a live object.
unsafe fn done(store: Store) {
    // SAFETY: the caller's promise.
    unsafe { store_word(store.address, store.layout, store.ty, store.word) }
}

/// Called by [`Context::claim`] when code is about to access a virtualizable place.
///
/// # Errors
/// If objects have to be made and the heap limit is reached.
///
/// # Safety
/// `ctx` is the current context and has an engine, of which nothing is borrowed.
pub(crate) unsafe fn claim(
    ctx: *mut Context,
    address: u64,
    access: Access,
) -> Result<(), HeapExhausted> {
    // SAFETY: the caller's promise; the engine lives as long as its context is current.
    let engine = unsafe { &*(*ctx).engine.cast::<Engine>() };
    let _own = detector::own();
    // SAFETY: the records that a current context leads to are in use.
    unsafe {
        match access {
            Access::Everything => return engine.take_everything(),
            Access::Read(size) if engine.look_near(&(address..address + size)) => return Ok(()),
            Access::Read(_) | Access::Claim => {}
        }
        let Some(record) = engine.keeper(address) else {
            return Ok(());
        };
        let kept = engine.kept_by(record);
        match access {
            Access::Read(size) => {
                let bytes = address..address + size;
                match look(&kept.info.kept().copies, kept.words, &bytes) {
                    Look::Elsewhere => Ok(()),
                    Look::Shown => {
                        engine.observers.count(|s| s.looks += 1);
                        Ok(())
                    }
                    Look::Unmade => engine.take_kept(record, &kept),
                }
            }
            Access::Claim | Access::Everything => engine.take_kept(record, &kept),
        }
    }
}

impl Engine {
    /// Stores to memory what the innermost records keep of these bytes. False if another record may
    /// keep them, or an object has not been made.
    ///
    /// # Safety
    /// The context is current.
    unsafe fn look_near(&self, bytes: &Range<u64>) -> bool {
        // SAFETY: the records that the context leads to are in use.
        unsafe {
            let mut record = (*self.ctx).suspended;
            for _ in 0..NEAR {
                if record.is_null() {
                    return true;
                }
                if (*record).state & Suspended::TAKEN == 0 {
                    let guard = GuardId::from_u32((*record).guard as u32);
                    let keepers = &mut *self.run.suspended.borrow_mut();
                    let info = keepers.info(&self.code.guards, guard);
                    let words = Suspended::words(record, info.kept().args.len());
                    match look(&info.kept().copies, words, bytes) {
                        Look::Elsewhere => {}
                        Look::Shown => {
                            self.observers.count(|s| s.looks += 1);
                            return true;
                        }
                        Look::Unmade => return false,
                    }
                }
                record = (*record).outer;
            }
            record.is_null()
        }
    }

    /// The record that keeps the object around this address, unless that has been taken.
    ///
    /// # Safety
    /// The context is current.
    unsafe fn keeper(&self, address: u64) -> Option<*mut Suspended> {
        // SAFETY: the records that the context leads to are in use.
        unsafe {
            let mut record = (*self.ctx).suspended;
            let mut listed: *mut Suspended = std::ptr::null_mut();
            for _ in 0..NEAR {
                if record.is_null() {
                    return None;
                }
                let state = (*record).state;
                if state & Suspended::TAKEN == 0 && self.keeps(record, address) {
                    return Some(record);
                }
                if state & Suspended::LISTED != 0 && listed.is_null() {
                    listed = record;
                }
                record = (*record).outer;
            }
            if record.is_null() {
                return None;
            }
            self.list_records(listed, record);
        }
        self.run.suspended.borrow().keeper(address)
    }

    /// # Safety
    /// The record is in use.
    unsafe fn keeps(&self, record: *mut Suspended, address: u64) -> bool {
        // SAFETY: the caller's promise; what is kept is alive.
        unsafe {
            let kept = self.kept_by(record);
            let mut objects = kept.objects();
            objects.any(|object| object <= address && address < object_end(object))
        }
    }

    /// Lists the objects of all records from this one outwards. `listed` is the innermost listed
    /// one inside it, if there is any.
    ///
    /// # Safety
    /// The records are in use.
    unsafe fn list_records(&self, mut listed: *mut Suspended, mut record: *mut Suspended) {
        // SAFETY: the caller's promise.
        unsafe {
            let mut new = Vec::new();
            while listed.is_null() && !record.is_null() {
                match (*record).state & Suspended::LISTED {
                    0 => new.push(record),
                    _ => listed = record,
                }
                record = (*record).outer;
            }
            self.run.suspended.borrow_mut().forget_behind(listed);
            for record in new.into_iter().rev() {
                (*record).state |= Suspended::LISTED;
                let kept = match (*record).state & Suspended::TAKEN {
                    0 => self.kept_by(record).objects().collect(),
                    _ => Vec::new(),
                };
                let keepers = &mut *self.run.suspended.borrow_mut();
                for &object in &kept {
                    let end = object_end(object);
                    keepers.objects.insert(object, (end, record));
                }
                keepers.records.push((record, kept));
            }
        }
    }

    /// The kept words of a record.
    ///
    /// # Safety
    /// The record is in use as long as the result.
    unsafe fn kept_by<'a>(&self, record: *mut Suspended) -> Kept<'a> {
        // SAFETY: the caller's promise: compiled code has written as many words as its guard keeps.
        unsafe {
            let guard = GuardId::from_u32((*record).guard as u32);
            let info = Rc::clone(
                self.run
                    .suspended
                    .borrow_mut()
                    .info(&self.code.guards, guard),
            );
            let words = Suspended::words(record, info.kept().args.len());
            Kept { info, words }
        }
    }

    /// Takes the kept places of all records.
    ///
    /// # Safety
    /// The context is current.
    unsafe fn take_everything(&self) -> Result<(), HeapExhausted> {
        // SAFETY: the records that the context leads to are in use.
        unsafe {
            let mut record = (*self.ctx).suspended;
            while !record.is_null() {
                if (*record).state & Suspended::TAKEN == 0 {
                    self.take_kept(record, &self.kept_by(record))?;
                }
                record = (*record).outer;
            }
        }
        Ok(())
    }

    /// Takes the kept places of a record: makes the objects and does the delayed stores.
    ///
    /// # Safety
    /// The record is in use, and says this.
    unsafe fn take_kept(
        &self,
        record: *mut Suspended,
        kept: &Kept<'_>,
    ) -> Result<(), HeapExhausted> {
        let info = &kept.info;
        let mut exit = vec![0; info.types.len()];
        for (&arg, &word) in info.kept().args.iter().zip(kept.words) {
            exit[usize::from(arg)] = word;
        }
        // SAFETY: the caller's promise.
        let made = unsafe { take_kept(self.ctx, &self.program.unit, &info.resume, &exit) }?;
        let pins = self.pinned(made.iter().copied().flatten());
        let keepers = &mut *self.run.suspended.borrow_mut();
        let listed = keepers.records.iter_mut().rev().find(|(r, _)| *r == record);
        let objects = listed.map_or(Vec::new(), |(_, objects)| std::mem::take(objects));
        for object in objects {
            keepers.objects.remove(&object);
        }
        let number = keepers.add(Taken { made, _pins: pins });
        // SAFETY: as above.
        unsafe { (*record).state |= Suspended::TAKEN | number << Suspended::TICKET };
        self.observers.count(|s| s.forced += 1);
        Ok(())
    }

    /// The kept places of a guard's trace have been taken, for the `count`-th time. If that is
    /// often, the loop is compiled again and keeps nothing across calls.
    pub(crate) fn note_taken(&self, info: &GuardInfo, count: u32) {
        if count != self.params.trace_eagerness {
            return;
        }
        let targets = match self.code.trees.borrow().get(info.tree) {
            Some(tree) => {
                let cell = self.code.cells.borrow().find(&tree.greens);
                if let Some(cell) = cell {
                    self.code.cells.borrow_mut()[cell].keeps_nothing = true;
                }
                self.code.detach(tree, None);
                tree.targets.clone()
            }
            None => return,
        };
        self.code.trees.borrow_mut().abandon(info.tree);
        self.forget_targets(&targets);
    }

    /// Whether a trace for this target may keep virtualizable places across calls.
    pub(crate) fn may_keep(&self, target: TraceTarget, state: &[u64]) -> bool {
        let (cells, trees) = (self.code.cells.borrow(), self.code.trees.borrow());
        let of_greens = |greens: &[u64]| cells.find(greens);
        let of_tree = |tree| trees.get(tree).and_then(|tree| of_greens(&tree.greens));
        let cell = match target {
            TraceTarget::Bridge(guard) => of_tree(self.code.guards.borrow()[guard].home.tree),
            TraceTarget::Version(of) => trees.of_target(of).and_then(of_tree),
            TraceTarget::Header(cell, _) => Some(cell),
            TraceTarget::Loop => of_greens(self.greens(state)),
            TraceTarget::Stencil => return false,
        };
        cell.is_none_or(|cell| !cells[cell].keeps_nothing)
    }

    fn pinned(&self, words: impl Iterator<Item = u64>) -> Pins {
        // SAFETY: the context outlives the engine.
        let mut pins = unsafe { Pins::new(self.ctx) };
        words.for_each(|word| pins.add(word));
        pins
    }

    /// The objects that have been taken from the code that has just left at a guard, if any. Call
    /// it once, right behind the exit.
    pub(crate) fn taken(&self) -> Option<Taken> {
        // SAFETY: the context is current.
        let state = unsafe { std::mem::take(&mut (*self.ctx).resumed) };
        if state & Suspended::TAKEN == 0 {
            return None;
        }
        let number = (state >> Suspended::TICKET) as usize;
        self.run.suspended.borrow_mut().taken[number].take()
    }
}
