//! Handles that keep their objects alive outside the heap. A handle that outlives its heap panics
//! when used.

use crate::context::current::current_roots;
use crate::detector;
use crate::layout::word::Word;
use crate::roots::table::{RootTable, assert_ref};
use std::fmt;
use std::marker::PhantomData;
use std::rc::Rc;

/// A handle on a reference (`Root<Gc<Foo>>`, `Root<GcArray<i64>>`, `Root<Obj>`, or an `Option` of
/// one), to be kept where the collector does not look: in a `Vec`, a `HashMap`, a struct on the
/// malloc heap, across two `Vm::enter`.
///
/// Numbers need no root:
/// ```compile_fail,E0080
/// let root = verdigris_heap::Root::new(5i64);
/// ```
/// It stays on the thread of its VM:
/// ```compile_fail,E0277
/// # use verdigris_heap::{Gc, Root, gc_class};
/// # struct Foo { x: i64 } gc_class! { Foo { x: i64 } }
/// fn send<T: Send>(_: T) {}
/// fn wrong(root: Root<Gc<Foo>>) { send(root) }
/// ```
pub struct Root<R: Word> {
    table: Rc<RootTable>,
    slot: usize,
    referent: PhantomData<fn() -> R>,
}

impl<R: Word> Root<R> {
    /// Roots a reference in the current VM's heap.
    ///
    /// # Panics
    /// If no VM is entered on this thread.
    pub fn new(reference: R) -> Root<R> {
        const { assert_ref::<R>("`Root` holds references to heap objects") };
        let _own = detector::own();
        let table = current_roots();
        let slot = table.slots.borrow_mut().add(reference.to_word());
        Root {
            slot,
            table,
            referent: PhantomData,
        }
    }

    /// The reference.
    ///
    /// # Panics
    /// If the VM has been dropped.
    pub fn get(&self) -> R {
        self.table.check_open("Root");
        // SAFETY: the slot holds the word of an `R`, and the object is alive since the slot is
        // visited.
        unsafe { R::from_word(self.table.slots.borrow()[self.slot]) }
    }

    /// Replaces the reference.
    ///
    /// # Panics
    /// If the VM has been dropped.
    pub fn set(&self, reference: R) {
        self.table.check_open("Root");
        self.table.slots.borrow_mut()[self.slot] = reference.to_word();
    }
}

impl<R: Word> Clone for Root<R> {
    fn clone(&self) -> Self {
        let _own = detector::own();
        let mut slots = self.table.slots.borrow_mut();
        let word = slots[self.slot];
        Root {
            slot: slots.add(word),
            table: self.table.clone(),
            referent: PhantomData,
        }
    }
}

impl<R: Word> Drop for Root<R> {
    fn drop(&mut self) {
        let _own = detector::own();
        self.table.slots.borrow_mut().remove(self.slot);
    }
}

impl<R: Word + fmt::Debug> fmt::Debug for Root<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Root").field(&self.get()).finish()
    }
}
