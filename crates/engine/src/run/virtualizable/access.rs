//! What suspended code keeps to itself. In: accesses to virtualizable places while compiled code
//! waits for a call that it has made. Out: a heap that holds at the place what compiled code knows
//! of it. Reading costs the code nothing: what is real is copied to the place, by a table that was
//! made with the code ([`crate::run::virtualizable::copy_tables`]), and stays known. Writing, and
//! reading what has not been made, takes everything that this code keeps: the objects are made, the
//! delayed stores done, and the code is left behind its call, with the objects that are there
//! already.
//!
//! Invariants: an object that several pieces of suspended code might keep is kept by one of them,
//! since code that uses it reclaims it first. What has been taken from a record is rooted until its
//! code is left. Source: RPython's `force_virtualizable_if_necessary` and `guard_not_forced`.

#![allow(unsafe_code)]

use crate::code::guard_info::GuardSite;
use crate::code::roots::Pins;
use crate::compile::attempt::Place;
use crate::engine::Engine;
use crate::run::virtualizable::copy_tables::{Copies, Store};
use crate::run::virtualizable::owners::Taken;
use std::ops::Range;
use std::rc::Rc;
use verdigris_heap::{Access, Context, HeapExhausted, Suspended, detector, object_end, store_word};
use verdigris_resume::take_kept;
use verdigris_trace::GuardId;

/// So many records, the innermost, are looked through one by one; whose objects the others keep is
/// listed. Most accesses are to what the caller keeps.
const NEAR: usize = 2;

/// What a record says, with the guard that explains it.
struct Kept<'a> {
    site: Rc<GuardSite>,
    words: &'a [u64],
}

impl Kept<'_> {
    /// The objects of which virtualizable places are kept.
    fn objects(&self) -> impl Iterator<Item = u64> + '_ {
        self.site.kept().copies.objects(self.words)
    }
}

/// Makes memory hold what a record with these words keeps of these bytes, unless that takes an
/// object that has not been made. The words lie in the record, where the collector sees them.
///
/// # Safety
/// The record is in use.
unsafe fn look(copies: &Copies, words: &[u64], bytes: &Range<u64>) -> Look {
    let mut last = None;
    for (n, base) in copies.objects_at(words, bytes) {
        let found = copies.values_in(n, bytes.start.saturating_sub(base)..bytes.end - base);
        if !copies.are_real(&found) {
            return Look::Unmade;
        }
        if last.replace((base, found)).is_some() {
            // Under two names: their stores come one after the other.
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

/// What has come of a look at some bytes.
#[derive(PartialEq)]
enum Look {
    /// Nothing is kept of them.
    Elsewhere,
    /// Memory holds there what is true.
    Shown,
    /// They lead to an object that has not been made.
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

/// Code is about to access a virtualizable place: what [`Context::claim`] calls.
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
                match look(&kept.site.kept().copies, kept.words, &bytes) {
                    Look::Elsewhere => Ok(()),
                    Look::Shown => {
                        engine.meter.note(|s| s.looks += 1);
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
    /// Copies to memory what the innermost records keep of these bytes. False if it may be kept by
    /// another one, or has not been made.
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
                    let keepers = &mut *self.keepers.borrow_mut();
                    let site = keepers.site(&self.guards, guard);
                    let words = Suspended::words(record, site.kept().args.len());
                    match look(&site.kept().copies, words, bytes) {
                        Look::Elsewhere => {}
                        Look::Shown => {
                            self.meter.note(|s| s.looks += 1);
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

    /// The record that keeps the object with this address in it, unless that has been taken.
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
        self.keepers.borrow().keeper(address)
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

    /// Makes sure that the objects of all records from this one outwards are known. `listed` is the
    /// innermost listed one of those inside it, if there is any.
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
            self.keepers.borrow_mut().forget_behind(listed);
            for record in new.into_iter().rev() {
                (*record).state |= Suspended::LISTED;
                let kept = match (*record).state & Suspended::TAKEN {
                    0 => self.kept_by(record).objects().collect(),
                    _ => Vec::new(),
                };
                let keepers = &mut *self.keepers.borrow_mut();
                for &object in &kept {
                    let end = object_end(object);
                    keepers.objects.insert(object, (end, record));
                }
                keepers.records.push((record, kept));
            }
        }
    }

    /// What a record says.
    ///
    /// # Safety
    /// The record is in use as long as the result.
    unsafe fn kept_by<'a>(&self, record: *mut Suspended) -> Kept<'a> {
        // SAFETY: the caller's promise: compiled code has written as many words as its guard keeps.
        unsafe {
            let guard = GuardId::from_u32((*record).guard as u32);
            let site = Rc::clone(self.keepers.borrow_mut().site(&self.guards, guard));
            let words = Suspended::words(record, site.kept().args.len());
            Kept { site, words }
        }
    }

    /// Takes what all records keep.
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

    /// Takes what is kept: makes the objects and does the delayed stores.
    ///
    /// # Safety
    /// The record is in use, and says this.
    unsafe fn take_kept(
        &self,
        record: *mut Suspended,
        kept: &Kept<'_>,
    ) -> Result<(), HeapExhausted> {
        let site = &kept.site;
        let mut exit = vec![0; site.types.len()];
        for (&arg, &word) in site.kept().args.iter().zip(kept.words) {
            exit[usize::from(arg)] = word;
        }
        // SAFETY: the caller's promise.
        let made = unsafe { take_kept(self.ctx, &self.linked.unit, &site.resume, &exit) }?;
        let pins = self.pinned(made.iter().copied().flatten());
        let keepers = &mut *self.keepers.borrow_mut();
        let listed = keepers.records.iter_mut().rev().find(|(r, _)| *r == record);
        let objects = listed.map_or(Vec::new(), |(_, objects)| std::mem::take(objects));
        for object in objects {
            keepers.objects.remove(&object);
        }
        let number = keepers.add(Taken { made, _pins: pins });
        // SAFETY: as above.
        unsafe { (*record).state |= Suspended::TAKEN | number << Suspended::TICKET };
        self.meter.note(|s| s.forced += 1);
        Ok(())
    }

    /// What a guard's trace kept has been taken, for the `count`-th time: if that is often, the
    /// loop is compiled anew and keeps nothing across calls; then nothing need be taken.
    pub(crate) fn note_taken(&self, site: &GuardSite, count: u32) {
        if count != self.params.trace_eagerness {
            return;
        }
        let targets = match self.trees.borrow().get(site.tree) {
            Some(tree) => {
                let cell = self.cells.borrow().find(&tree.greens);
                if let Some(cell) = cell {
                    self.cells.borrow_mut()[cell].open = true;
                }
                self.cool(tree);
                tree.targets.clone()
            }
            None => return,
        };
        self.trees.borrow_mut().abandon(site.tree);
        self.forget_targets(&targets);
    }

    /// Whether a trace for this place may keep virtualizable places across calls.
    pub(crate) fn may_keep(&self, place: Place, state: &[u64]) -> bool {
        let (cells, trees) = (self.cells.borrow(), self.trees.borrow());
        let of_greens = |greens: &[u64]| cells.find(greens);
        let of_tree = |tree| trees.get(tree).and_then(|tree| of_greens(&tree.greens));
        let cell = match place {
            Place::Bridge(guard) => of_tree(self.guards.borrow()[guard].home.tree),
            Place::Version(of) => trees.of_target(of).and_then(of_tree),
            Place::Header(cell, _) => Some(cell),
            Place::Loop => of_greens(self.greens(state)),
            Place::Stencil => return false,
        };
        cell.is_none_or(|cell| !cells[cell].open)
    }

    fn pinned(&self, words: impl Iterator<Item = u64>) -> Pins {
        // SAFETY: the context outlives the engine.
        let mut pins = unsafe { Pins::new(self.ctx) };
        words.for_each(|word| pins.add(word));
        pins
    }

    /// What has been taken from the code that has just left at a guard, if it has: to be asked
    /// once, right behind the exit.
    pub(crate) fn taken(&self) -> Option<Taken> {
        // SAFETY: the context is current.
        let state = unsafe { std::mem::take(&mut (*self.ctx).resumed) };
        if state & Suspended::TAKEN == 0 {
            return None;
        }
        let number = (state >> Suspended::TICKET) as usize;
        self.keepers.borrow_mut().taken[number].take()
    }
}
