//! Weak references: they do not keep their objects alive, and say so when these are gone. In: a
//! reference. Out: a handle for use outside the heap ([`Weak`]), and associations from one heap
//! object to another ([`weak_attach`]), of which the weak references of guest languages are made.
//!
//! Invariant: between two collections every target in the table is an object that the last
//! collection has kept, or that was allocated since.

use crate::collector::{Scope, Survivors};
use crate::noted::Noted;
use crate::root::RootTable;
use crate::slab::Slab;
use crate::{Gc, GcClass, GcRef, Word, detector};
use std::collections::HashMap;
use std::fmt;
use std::marker::PhantomData;
use std::rc::Rc;

/// The weak references of one heap; a target that is gone is 0.
#[derive(Default)]
pub(crate) struct WeakTable {
    handles: Slab<u64>,
    /// By the address of the object that holds the reference: objects never move.
    attached: HashMap<u64, u64>,
    /// The handles made, and the objects that references were attached to, since the last
    /// collection: all others have old objects.
    young_handles: Noted<usize>,
    young_holders: Noted<u64>,
}

impl WeakTable {
    /// Clears references to objects that marking has not reached.
    pub(crate) fn clear_dead(&mut self, survivors: &mut dyn Survivors, scope: Scope) {
        let clear = |target: &mut u64| {
            if *target != 0 && !survivors.is_live(*target) {
                *target = 0;
            }
        };
        match scope {
            Scope::All => (self.handles.iter_mut())
                .chain(self.attached.values_mut())
                .for_each(clear),
            Scope::Young => {
                for slot in self.young_handles.iter() {
                    self.handles.get_mut(slot).map(clear);
                }
                for holder in self.young_holders.iter() {
                    self.attached.get_mut(&holder).map(clear);
                }
            }
        }
        self.young_handles.clear();
    }

    /// Forgets what dead objects held.
    pub(crate) fn forget_dead_holders(&mut self, survivors: &mut dyn Survivors, scope: Scope) {
        let young = std::mem::take(&mut self.young_holders);
        match scope {
            Scope::All => self.attached.retain(|&holder, _| survivors.is_live(holder)),
            Scope::Young => {
                for holder in young.iter().filter(|&holder| !survivors.is_live(holder)) {
                    self.attached.remove(&holder);
                }
            }
        }
    }

    /// A handle on an object.
    fn add(&mut self, word: u64) -> usize {
        let slot = self.handles.add(word);
        self.young_handles.add(slot);
        slot
    }

    fn attach(&mut self, holder: u64, target: u64) {
        self.attached.insert(holder, target);
        self.young_holders.add(holder);
    }
}

/// A handle on a reference that does not keep its object alive, to be kept where the collector does
/// not look.
///
/// An object is gone for its weak references as soon as nothing else refers to it, even if a
/// [`FinalQueue`](crate::FinalQueue) brings it back.
///
/// ```compile_fail,E0277
/// # use verdigris_heap::{Gc, Weak, gc_class};
/// # struct Foo { x: i64 } gc_class! { Foo { x: i64 } }
/// fn send<T: Send>(_: T) {}
/// fn wrong(weak: Weak<Gc<Foo>>) { send(weak) }
/// ```
pub struct Weak<R: GcRef> {
    table: Rc<RootTable>,
    slot: usize,
    referent: PhantomData<fn() -> R>,
}

impl<R: GcRef> Weak<R> {
    /// A weak reference to an object of the current VM's heap.
    ///
    /// # Panics
    /// If no VM is entered on this thread.
    pub fn new(reference: R) -> Weak<R> {
        let _own = detector::own();
        let table = RootTable::current();
        let slot = table.weak.borrow_mut().add(reference.to_word());
        Weak {
            table,
            slot,
            referent: PhantomData,
        }
    }

    /// The reference, unless its object is gone.
    ///
    /// # Panics
    /// If the VM has been dropped.
    pub fn get(&self) -> Option<R> {
        self.table.check_open("Weak");
        reference(self.table.weak.borrow().handles[self.slot])
    }
}

impl<R: GcRef> Clone for Weak<R> {
    fn clone(&self) -> Self {
        let _own = detector::own();
        let weak = &mut self.table.weak.borrow_mut();
        let word = weak.handles[self.slot];
        Weak {
            table: self.table.clone(),
            slot: weak.add(word),
            referent: PhantomData,
        }
    }
}

impl<R: GcRef> Drop for Weak<R> {
    fn drop(&mut self) {
        let _own = detector::own();
        self.table.weak.borrow_mut().handles.remove(self.slot);
    }
}

impl<R: GcRef + fmt::Debug> fmt::Debug for Weak<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Weak").field(&self.get()).finish()
    }
}

fn reference<R: GcRef>(word: u64) -> Option<R> {
    // SAFETY: the word is that of an `R` whose object is alive, or 0.
    (word != 0).then(|| unsafe { R::from_word(word) })
}

/// A class whose objects can hold a weak reference beside their fields.
pub trait WeakHolder: GcClass {
    /// What it refers to.
    type Target: GcRef;
}

/// Lets a heap object hold a weak reference, in the place of the one it held before. It is
/// forgotten with the holder.
///
/// # Panics
/// If no VM is entered on this thread.
pub fn weak_attach<H: WeakHolder>(holder: Gc<H>, target: H::Target) {
    let _own = detector::own();
    let table = RootTable::current();
    let mut weak = table.weak.borrow_mut();
    weak.attach(holder.to_word(), target.to_word());
}

/// What [`weak_attach`] has attached to an object, unless that is gone.
///
/// # Panics
/// If no VM is entered on this thread.
pub fn weak_attached<H: WeakHolder>(holder: Gc<H>) -> Option<H::Target> {
    let table = RootTable::current();
    let found = table.weak.borrow().attached.get(&holder.to_word()).copied();
    // What is attached to an object of this class is a `Target`: the class has one.
    found.and_then(reference)
}
