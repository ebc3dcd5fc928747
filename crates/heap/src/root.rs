//! References from outside the heap. In: a reference. Out: a handle that keeps its object alive wherever the handle is.
//! Invariant: a handle outlives its heap safely: it panics when used then.

use crate::Word;
use crate::collector::RootVisitor;
use crate::context::current_or_panic;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::marker::PhantomData;
use std::rc::Rc;
use verdigris_ops::Ty;

/// The slots of all handles of one heap.
pub(crate) struct RootTable {
    slots: RefCell<Vec<u64>>,
    free: RefCell<Vec<usize>>,
    open: Cell<bool>,
}

impl RootTable {
    pub(crate) fn new() -> Rc<RootTable> {
        Rc::new(RootTable {
            slots: RefCell::default(),
            free: RefCell::default(),
            open: Cell::new(true),
        })
    }

    /// The heap is gone.
    pub(crate) fn close(&self) {
        self.open.set(false);
    }

    pub(crate) fn visit(&self, visitor: &mut dyn RootVisitor) {
        self.slots.borrow().iter().for_each(|&w| visitor.word(w));
    }

    fn add(&self, word: u64) -> usize {
        let mut slots = self.slots.borrow_mut();
        match self.free.borrow_mut().pop() {
            Some(slot) => {
                slots[slot] = word;
                slot
            }
            None => {
                slots.push(word);
                slots.len() - 1
            }
        }
    }

    fn remove(&self, slot: usize) {
        self.slots.borrow_mut()[slot] = 0;
        self.free.borrow_mut().push(slot);
    }

    fn check_open(&self) {
        assert!(self.open.get(), "a `Root` is used after its VM was dropped");
    }
}

/// A handle on a reference (`Root<Gc<Foo>>`, `Root<GcArray<i64>>`, `Root<Obj>`, or an `Option` of one), to be kept where the
/// collector does not look: in a `Vec`, a `HashMap`, a struct on the malloc heap, across two `Vm::enter`.
pub struct Root<R: Word> {
    table: Rc<RootTable>,
    slot: usize,
    referent: PhantomData<R>,
}

impl<R: Word> Root<R> {
    /// Roots a reference in the current VM's heap.
    ///
    /// # Panics
    /// If no VM is entered on this thread.
    pub fn new(reference: R) -> Root<R> {
        const {
            assert!(
                matches!(R::KIND.ty, Ty::Ref),
                "`Root` holds references to heap objects"
            )
        };
        // SAFETY: the current context is alive.
        let table = unsafe { (*current_or_panic()).roots().clone() };
        Root {
            slot: table.add(reference.to_word()),
            table,
            referent: PhantomData,
        }
    }

    /// The reference.
    ///
    /// # Panics
    /// If the VM has been dropped.
    pub fn get(&self) -> R {
        self.table.check_open();
        // SAFETY: the slot holds the word of an `R`, and the object is alive since the slot is visited.
        unsafe { R::from_word(self.table.slots.borrow()[self.slot]) }
    }

    /// Replaces the reference.
    ///
    /// # Panics
    /// If the VM has been dropped.
    pub fn set(&self, reference: R) {
        self.table.check_open();
        self.table.slots.borrow_mut()[self.slot] = reference.to_word();
    }
}

impl<R: Word> Clone for Root<R> {
    fn clone(&self) -> Self {
        let word = self.table.slots.borrow()[self.slot];
        Root {
            slot: self.table.add(word),
            table: self.table.clone(),
            referent: PhantomData,
        }
    }
}

impl<R: Word> Drop for Root<R> {
    fn drop(&mut self) {
        self.table.remove(self.slot);
    }
}

impl<R: Word + fmt::Debug> fmt::Debug for Root<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Root").field(&self.get()).finish()
    }
}
