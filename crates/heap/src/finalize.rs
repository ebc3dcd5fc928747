//! Finalizers, as queues: objects that nothing refers to any more, handed to whoever has asked for
//! them. In: objects to watch. Out: those that died, alive again. Invariant: the collector runs no
//! code of the user: what it finds waits in the queue, with everything it refers to, until the
//! program takes it at a time of its choosing.

use crate::collector::{Scope, Survivors};
use crate::root::{RootTable, assert_ref};
use crate::{Word, detector};
use std::collections::VecDeque;
use std::marker::PhantomData;
use std::rc::Rc;

/// The objects of one queue.
#[derive(Default)]
pub(crate) struct Watched {
    alive: Vec<u64>,
    /// So many of these have survived a collection since they were watched.
    old: usize,
    /// Died and not taken yet: these are roots.
    pub(crate) ready: VecDeque<u64>,
}

impl Watched {
    /// Moves the objects that marking has not reached to `ready` and marks them, in the order in
    /// which they were watched.
    pub(crate) fn take_dead(&mut self, survivors: &mut dyn Survivors, scope: Scope) {
        let first = self.ready.len();
        // First all, then marking: objects that refer to each other die together.
        let ready = &mut self.ready;
        let from = match scope {
            Scope::Young => self.old,
            Scope::All => 0,
        };
        ready.extend(
            self.alive
                .extract_if(from.., |word| !survivors.is_live(*word)),
        );
        self.old = self.alive.len();
        for &word in self.ready.range(first..) {
            survivors.keep(word);
        }
    }
}

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
        const { assert_ref::<R>("`FinalQueue` watches heap objects") };
        let _own = detector::own();
        let table = RootTable::current();
        let slot = table.queues.borrow_mut().add(Watched::default());
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
