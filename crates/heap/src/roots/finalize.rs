//! Finalizers, as queues of objects that nothing refers to any more. The collector runs no code of
//! the user: a dead object waits in the queue, with everything it refers to, until the program
//! takes it.

use crate::context::current::current_roots;
use crate::detector;
use crate::layout::word::Word;
use crate::roots::table::{RootTable, Watched, assert_ref};
use std::marker::PhantomData;
use std::rc::Rc;

/// A queue of objects that have become unreachable: what `__gc`, `__del__` or `finalize` of a guest
/// language are made of.
///
/// [`FinalQueue::watch`] asks to be told of an object's end. A collection that finds the object
/// unreachable puts it into the queue instead of freeing it; [`FinalQueue::next`] hands it out,
/// once. The collector never calls into the interpreter, so the interpreter asks for the next one
/// where its language allows finalizers to run: in an opaque function at a back edge, say.
///
/// ```text
/// let queue = FinalQueue::new();
/// queue.watch(file);
/// ..
/// while let Some(file) = queue.next() { close(file) }
/// ```
pub struct FinalQueue<R: Word> {
    table: Rc<RootTable>,
    slot: usize,
    referent: PhantomData<fn() -> R>,
}

impl<R: Word> FinalQueue<R> {
    /// An empty queue of the current VM's heap.
    ///
    /// # Panics
    /// If no VM is entered on this thread.
    #[allow(clippy::new_without_default)]
    pub fn new() -> FinalQueue<R> {
        FinalQueue::with(Watched::default())
    }

    /// The same, but that of objects which die together the one that was watched last comes first:
    /// it may need the others.
    ///
    /// # Panics
    /// If no VM is entered on this thread.
    pub fn last_first() -> FinalQueue<R> {
        FinalQueue::with(Watched::last_first())
    }

    fn with(watched: Watched) -> FinalQueue<R> {
        const { assert_ref::<R>("`FinalQueue` watches heap objects") };
        let _own = detector::own();
        let table = current_roots();
        let slot = table.queues.borrow_mut().add(watched);
        FinalQueue {
            table,
            slot,
            referent: PhantomData,
        }
    }

    /// Puts the object into this queue once when nothing refers to it any more. Watching it twice
    /// puts it there twice.
    ///
    /// # Panics
    /// If the VM has been dropped.
    pub fn watch(&self, reference: R) {
        self.table.check_open("FinalQueue");
        let word = reference.to_word();
        if word != 0 {
            let _own = detector::own();
            self.table.queues.borrow_mut()[self.slot].alive.push(word);
        }
    }

    /// The next object that has died. It is an ordinary object again, and may be watched again.
    ///
    /// # Panics
    /// If the VM has been dropped.
    pub fn next(&self) -> Option<R> {
        self.table.check_open("FinalQueue");
        let word = self.table.queues.borrow_mut()[self.slot]
            .ready
            .pop_front()?;
        // SAFETY: the word of an `R` whose object has been kept.
        Some(unsafe { R::from_word(word) })
    }

    /// Puts all objects that are watched into the queue, as if nothing referred to them any more:
    /// the program ends.
    ///
    /// # Panics
    /// If the VM has been dropped.
    pub fn end(&self) {
        self.table.check_open("FinalQueue");
        let _own = detector::own();
        self.table.queues.borrow_mut()[self.slot].take_all();
    }

    /// How many objects are waiting to be taken.
    pub fn ready(&self) -> usize {
        self.table.queues.borrow()[self.slot].ready.len()
    }
}

impl<R: Word> Drop for FinalQueue<R> {
    fn drop(&mut self) {
        let _own = detector::own();
        self.table.queues.borrow_mut().remove(self.slot);
    }
}
