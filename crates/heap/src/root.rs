//! References from outside the heap. In: a reference. Out: a handle that keeps its object alive
//! wherever the handle is. Invariant: a handle outlives its heap safely: it panics when used then.

use crate::collector::{RootVisitor, Scope, Survivors};
use crate::context::current_or_panic;
use crate::finalize::Watched;
use crate::slab::Slab;
use crate::weak::WeakTable;
use crate::{Word, detector};
use std::cell::{Cell, RefCell};
use std::fmt;
use std::marker::PhantomData;
use std::rc::Rc;
use verdigris_ops::Ty;

/// What all handles of one heap refer to: it lives as long as any of them.
pub(crate) struct RootTable {
    slots: RefCell<Slab<u64>>,
    pub(crate) vecs: RefCell<Slab<Vec<u64>>>,
    pub(crate) weak: RefCell<WeakTable>,
    pub(crate) queues: RefCell<Slab<Watched>>,
    open: Cell<bool>,
}

impl RootTable {
    pub(crate) fn new() -> Rc<RootTable> {
        Rc::new(RootTable {
            slots: RefCell::default(),
            vecs: RefCell::default(),
            weak: RefCell::default(),
            queues: RefCell::default(),
            open: Cell::new(true),
        })
    }

    /// The table of the current VM.
    ///
    /// # Panics
    /// If no VM is entered on this thread, or if it is on another stack: whoever makes a handle
    /// there has references where the collector does not look.
    pub(crate) fn current() -> Rc<RootTable> {
        // SAFETY: the current context is alive, and nobody uses it at the same time.
        unsafe {
            let ctx = &mut *current_or_panic();
            ctx.check_runs_here();
            ctx.roots().clone()
        }
    }

    /// The heap is gone.
    pub(crate) fn close(&self) {
        self.open.set(false);
    }

    pub(crate) fn visit(&self, visitor: &mut dyn RootVisitor) {
        let mut visit = |words: &[u64]| words.iter().for_each(|&w| visitor.word(w));
        self.slots.borrow().iter().for_each(|w| visit(&[*w]));
        self.vecs.borrow().iter().for_each(|words| visit(words));
        let queues = self.queues.borrow();
        queues.iter().for_each(|q| visit(q.ready.as_slices().0));
        queues.iter().for_each(|q| visit(q.ready.as_slices().1));
    }

    /// Marking is done: weak references to what was not reached are cleared, then watched objects
    /// that were not reached are queued and kept, with everything they refer to.
    pub(crate) fn settle(&self, survivors: &mut dyn Survivors, scope: Scope) {
        self.weak.borrow_mut().clear_dead(survivors, scope);
        for queue in self.queues.borrow_mut().iter_mut() {
            queue.take_dead(survivors, scope);
        }
        self.weak.borrow_mut().forget_dead_holders(survivors, scope);
    }

    /// # Panics
    /// If the heap is gone.
    pub(crate) fn check_open(&self, what: &str) {
        assert!(
            self.open.get(),
            "a `{what}` is used after its VM was dropped"
        );
    }
}

/// The assertion that handles are for references.
pub(crate) const fn assert_ref<R: Word>(message: &str) {
    if !matches!(R::KIND.ty, Ty::Ref) {
        panic!("{}", message)
    }
}

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
        let table = RootTable::current();
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
