//! The table of what the handles outside a heap refer to. Between two collections every weak target
//! in it is an object that the last collection has kept, or that was allocated since.

use crate::collector::dedup_list::DedupList;
use crate::collector::{CollectScope, RootVisitor, Survivors};
use crate::layout::word::Word;
use crate::roots::slab::Slab;
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;
use verdigris_ops::Ty;

/// The table that all handles of one heap refer to: it lives as long as any of them.
pub(crate) struct RootTable {
    pub(super) slots: RefCell<Slab<u64>>,
    pub(super) vecs: RefCell<Slab<Vec<u64>>>,
    pub(super) weak: RefCell<WeakTable>,
    pub(super) queues: RefCell<Slab<Watched>>,
    pub(super) weak_tables: RefCell<Slab<Box<dyn WeakTableList>>>,
    /// Whether it is time for a collection that removes weak entries.
    pub(super) is_removal_due: Cell<bool>,
    open: Cell<bool>,
}

impl RootTable {
    pub(crate) fn new() -> Rc<RootTable> {
        Rc::new(RootTable {
            slots: RefCell::default(),
            vecs: RefCell::default(),
            weak: RefCell::default(),
            queues: RefCell::default(),
            weak_tables: RefCell::default(),
            is_removal_due: Cell::new(false),
            open: Cell::new(true),
        })
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

    /// Whether to wait with a collection of everything, until the interpreter asks for one that
    /// removes weak entries. It is asked to once: if it does not, everything is collected without
    /// removing any.
    pub(crate) fn waits_for_removal(&self) -> bool {
        let has_tables = self
            .weak_tables
            .borrow()
            .iter()
            .any(|list| !list.is_empty());
        has_tables && !self.is_removal_due.replace(true)
    }

    /// Before marking in a collection that removes weak entries.
    pub(crate) fn hide_weak_entries(&self) {
        self.is_removal_due.set(false);
        for list in self.weak_tables.borrow_mut().iter_mut() {
            list.hide();
        }
    }

    /// Marking is done: weak references to what was not reached are cleared, then watched objects
    /// that were not reached are queued and kept, with everything they refer to. Keys of weak
    /// entries that are kept by that stay. Returns the keys of holders that nothing refers to any
    /// more; what their memory refers to is kept.
    pub(crate) fn settle(&self, survivors: &mut dyn Survivors, scope: CollectScope) -> Vec<usize> {
        self.reach_more(survivors);
        self.weak.borrow_mut().clear_dead(survivors, scope);
        self.clear_values(survivors);
        for queue in self.queues.borrow_mut().iter_mut() {
            queue.take_dead(survivors, scope);
        }
        self.reach_more(survivors);
        let dead = survivors.keep_held();
        self.reach_more(survivors);
        // Those of tables that have been reached since.
        self.clear_values(survivors);
        for list in self.weak_tables.borrow_mut().iter_mut() {
            list.clear_keys(survivors);
            list.finish(survivors, scope);
        }
        self.weak.borrow_mut().forget_dead_holders(survivors, scope);
        dead
    }

    /// Keeps what weak entries and the memory of holders lead to, until there is no more.
    fn reach_more(&self, survivors: &mut dyn Survivors) {
        let mut lists = self.weak_tables.borrow_mut();
        loop {
            survivors.reach_held();
            let mut is_new = false;
            for list in lists.iter_mut() {
                is_new |= list.reach(survivors);
            }
            if !is_new {
                return;
            }
        }
    }

    fn clear_values(&self, survivors: &dyn Survivors) {
        for list in self.weak_tables.borrow_mut().iter_mut() {
            list.clear_values(survivors);
        }
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

/// Tables of any class, for the collector.
pub(crate) trait WeakTableList {
    /// Marking begins: hides the arrays of weak entries.
    fn hide(&mut self);
    /// Keeps what entries keep alive; whether that had not been reached.
    fn reach(&mut self, survivors: &mut dyn Survivors) -> bool;
    /// Removes the values whose objects have not been reached.
    fn clear_values(&mut self, survivors: &dyn Survivors);
    /// Removes the entries whose keys' objects have not been reached.
    fn clear_keys(&mut self, survivors: &dyn Survivors);
    /// Marking has ended: shows the arrays again, and forgets tables that have not been reached.
    fn finish(&mut self, survivors: &dyn Survivors, scope: CollectScope);
    /// Adds the object with this address, unless it is there.
    fn add(&mut self, table: u64);
    /// Whether there are no tables.
    fn is_empty(&self) -> bool;
}

/// The weak references of one heap; a target that is gone is 0.
#[derive(Default)]
pub(crate) struct WeakTable {
    pub(super) handles: Slab<u64>,
    /// By the address of the object that holds the reference: objects never move.
    pub(super) attached: HashMap<u64, u64>,
    /// The handles made, and the objects that references were attached to, since the last
    /// collection: all others have old objects.
    young_handles: DedupList<usize>,
    young_holders: DedupList<u64>,
}

impl WeakTable {
    /// Clears references to objects that marking has not reached.
    pub(crate) fn clear_dead(&mut self, survivors: &mut dyn Survivors, scope: CollectScope) {
        let clear = |target: &mut u64| {
            if *target != 0 && !survivors.is_live(*target) {
                *target = 0;
            }
        };
        match scope {
            CollectScope::All => (self.handles.iter_mut())
                .chain(self.attached.values_mut())
                .for_each(clear),
            CollectScope::Young => {
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
    pub(crate) fn forget_dead_holders(
        &mut self,
        survivors: &mut dyn Survivors,
        scope: CollectScope,
    ) {
        let young = std::mem::take(&mut self.young_holders);
        match scope {
            CollectScope::All => self.attached.retain(|&holder, _| survivors.is_live(holder)),
            CollectScope::Young => {
                for holder in young.iter().filter(|&holder| !survivors.is_live(holder)) {
                    self.attached.remove(&holder);
                }
            }
        }
    }

    /// A handle on an object.
    pub(super) fn add(&mut self, word: u64) -> usize {
        let slot = self.handles.add(word);
        self.young_handles.add(slot);
        slot
    }

    pub(super) fn attach(&mut self, holder: u64, target: u64) {
        self.attached.insert(holder, target);
        self.young_holders.add(holder);
    }
}

/// The objects of one queue.
#[derive(Default)]
pub(crate) struct Watched {
    /// Whether of those that die together the last one watched comes first.
    last_first: bool,
    pub(super) alive: Vec<u64>,
    /// How many of these have survived a collection since they were watched.
    old: usize,
    /// Died and not taken yet: these are roots.
    pub(super) ready: VecDeque<u64>,
}

impl Watched {
    /// No objects, of which the last one watched will come first.
    pub(super) fn last_first() -> Watched {
        Watched {
            last_first: true,
            ..Watched::default()
        }
    }

    /// Moves the objects that marking has not reached to `ready` and marks them.
    pub(crate) fn take_dead(&mut self, survivors: &mut dyn Survivors, scope: CollectScope) {
        let first = self.ready.len();
        // First all, then marking: objects that refer to each other die together.
        let ready = &mut self.ready;
        let from = match scope {
            CollectScope::Young => self.old,
            CollectScope::All => 0,
        };
        ready.extend(
            self.alive
                .extract_if(from.., |word| !survivors.is_live(*word)),
        );
        self.old = self.alive.len();
        if self.last_first {
            self.ready.make_contiguous()[first..].reverse();
        }
        for &word in self.ready.range(first..) {
            survivors.keep(word);
        }
    }

    /// Moves all objects to `ready`.
    pub(super) fn take_all(&mut self) {
        if self.last_first {
            self.alive.reverse();
        }
        self.ready.extend(self.alive.drain(..));
        self.old = 0;
    }
}

/// Asserts that a handle is for references.
pub(crate) const fn assert_ref<R: Word>(message: &str) {
    if !matches!(R::KIND.ty, Ty::Ref) {
        panic!("{}", message)
    }
}
