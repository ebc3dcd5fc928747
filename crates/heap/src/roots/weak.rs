//! Weak references: handles for use outside the heap ([`Weak`]), and associations from one heap
//! object to another ([`weak_attach`]), of which the weak references of guest languages are made.

use crate::context::current::current_roots;
use crate::detector;
use crate::layout::word::GcRef;
use crate::layout::word::Word;
use crate::objects::gc::{Gc, GcClass};
use crate::roots::table::RootTable;
use std::fmt;
use std::marker::PhantomData;
use std::rc::Rc;

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
        let table = current_roots();
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
    let table = current_roots();
    let mut weak = table.weak.borrow_mut();
    weak.attach(holder.to_word(), target.to_word());
}

/// What [`weak_attach`] has attached to an object, unless that is gone.
///
/// # Panics
/// If no VM is entered on this thread.
pub fn weak_attached<H: WeakHolder>(holder: Gc<H>) -> Option<H::Target> {
    let table = current_roots();
    let found = table.weak.borrow().attached.get(&holder.to_word()).copied();
    // What is attached to an object of this class is a `Target`: the class has one.
    found.and_then(reference)
}
