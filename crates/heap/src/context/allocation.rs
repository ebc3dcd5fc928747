//! Allocation and collection in a context.

use crate::collector::options::Stress;
use crate::collector::{Bound, Bump, CollectScope, HeapStats, RootVisitor};
use crate::context::activations::Activations;
use crate::context::{Context, native_stack};
use crate::detector;
use crate::layout::descr::Header;
use crate::memory::reserve;
use crate::roots::table::RootTable;
use std::ptr::null_mut;
use std::rc::Rc;
use verdigris_ops::FnInfo;

/// Allocations per collection under [`Stress::Sparse`]: no power of two, so that in a loop each
/// allocation has its turn.
const SPARSE: u32 = 7;

impl Context {
    /// Frees what nothing refers to.
    ///
    /// # Panics
    /// In stress mode, if a field is found to refer to something that is no object of this heap.
    #[inline(never)]
    pub fn collect(&mut self) {
        self.collect_quietly(CollectScope::All);
        if let Some(message) = self.take_bad_reference() {
            panic!("{message}")
        }
    }

    /// The same. Removes the entries of weak tables whose objects die.
    ///
    /// # Panics
    /// As [`Context::collect`].
    #[inline(never)]
    pub fn collect_and_remove(&mut self) {
        {
            let _own = detector::own();
            self.roots.hide_weak_entries();
        }
        self.collect();
    }

    #[inline(never)]
    pub(crate) fn collect_quietly(&mut self, scope: CollectScope) {
        let _own = detector::own();
        self.signals.set_collecting(true);
        native_stack::with_spilled_registers(&mut |top| self.collect_from(top, scope));
        self.signals.set_collecting(false);
    }

    /// Frees what nothing refers to of what has been allocated since the last collection, whatever
    /// it was. Takes time for what of that is live, for the registers of guest frames, and for
    /// where references have been stored, but not for the rest of the heap.
    ///
    /// # Panics
    /// As [`Context::collect`].
    #[inline(never)]
    pub fn collect_young(&mut self) {
        self.collect_quietly(CollectScope::Young);
        if let Some(message) = self.take_bad_reference() {
            panic!("{message}")
        }
    }

    /// The message about a bad reference that stress mode has found, once.
    pub(crate) fn take_bad_reference(&mut self) -> Option<String> {
        self.heap.take_bad_reference()
    }

    /// The heap's counters.
    pub fn heap_stats(&self) -> HeapStats {
        self.heap.stats(self.bump())
    }

    /// Whether the word is the address of an object of this heap.
    pub fn is_object(&self, word: u64) -> bool {
        usize::try_from(word).is_ok_and(|address| self.heap.is_object(address))
    }

    /// The object with this cell in it, if it was there at the last collection.
    pub(crate) fn old_object_at(&self, cell: usize) -> Option<*mut u8> {
        self.heap.old_object_at(cell)
    }

    /// Whether a call of this function is one of those whose accesses are checked.
    pub(crate) fn counts_as_checked(&mut self, info: &FnInfo) -> bool {
        self.checked_calls.count(info)
    }

    pub(crate) fn roots(&self) -> &Rc<RootTable> {
        &self.roots
    }

    fn bump(&self) -> Bump {
        Bump {
            cursor: self.cursor,
            limit: self.limit,
        }
    }

    fn set_bump(&mut self, bump: Bump) {
        self.cursor = bump.cursor;
        self.limit = bump.limit;
    }

    /// Collects with everything above `top` on the native stack as roots.
    fn collect_from(&mut self, top: *const u64, scope: CollectScope) {
        let mut bump = self.bump();
        let native = self.stack.base.range(top);
        let (shadow, pins, roots) = (&self.shadow, &self.pins, &self.roots);
        let (exits, results) = (&self.exits, &self.results);
        let coroutines = &self.coroutines;
        let activations = self.activations.as_deref().map(Activations::words);
        let mut visit = |visitor: &mut dyn RootVisitor, scope: CollectScope| {
            // SAFETY: the ranges are readable memory.
            unsafe {
                visitor.words(native.start, native.end);
                let shadow = shadow.words();
                visitor.words(shadow.start, shadow.end);
                let exits = exits.as_ptr_range();
                visitor.words(exits.start, exits.end);
                let results = results.as_ptr_range();
                visitor.words(results.start, results.end);
                if let Some(activations) = &activations {
                    visitor.words(activations.start, activations.end);
                }
                coroutines.visit(visitor, scope);
            }
            match scope {
                CollectScope::Young => pins.young.iter().for_each(|word| visitor.word(word)),
                CollectScope::All => pins.counts.keys().for_each(|&word| visitor.word(word)),
            }
            roots.visit(visitor);
        };
        let mut dead = Vec::new();
        (self.heap).collect(scope, &mut bump, &mut visit, &mut |survivors| {
            dead = roots.settle(survivors, scope);
        });
        self.coroutines.settle(&dead, scope);
        self.set_bump(bump);
        self.pins.young.clear();
        if scope == CollectScope::All {
            let has_memory = reserve::renew_reserve() && self.heap.has_spare_again();
            if self.is_exhausted() && has_memory && !self.heap.is_at_limit() {
                self.set_exhausted(false);
            }
        }
    }

    /// Collects if it is time to before this many bytes are allocated; returns what was collected.
    pub(crate) fn collect_if_due(&mut self, size: usize) -> Option<CollectScope> {
        let due = match self.stress {
            Stress::Off => self.heap.due(size),
            Stress::All | Stress::Young => true,
            Stress::Sparse => {
                self.counted += 1;
                self.counted.is_multiple_of(SPARSE) || self.heap.due(size)
            }
        };
        let mut scope = due.then(|| self.heap.scope())?;
        if scope == CollectScope::All && !self.stress.is_on() && self.roots.waits_for_removal() {
            scope = CollectScope::Young;
        }
        self.collect_quietly(scope);
        Some(scope)
    }

    /// Allocates by the book: collects if it is time, and at the limit. Null if there is no room
    /// even then and the limit holds, if the system has no memory, if this is not the stack that
    /// the context is entered on, or if stress mode has found a bad reference: the caller
    /// may not unwind, and [`HeapExhausted::raise`](crate::HeapExhausted::raise) knows why.
    pub(crate) fn allocate(&mut self, size: usize, word: i32, bound: Bound) -> *mut u8 {
        let _own = detector::own();
        if self.stack.base.is_left() {
            self.heap
                .fail_next_allocation(native_stack::SWITCHED.to_owned());
            return null_mut();
        }
        if reserve::is_news() && !self.finds_memory() && bound == Bound::Limit {
            return null_mut();
        }
        let mut collected = self.collect_if_due(size);
        if bound == Bound::None && self.is_exhausted() {
            // It would be collected in vain each time.
            collected = Some(CollectScope::All);
        }
        loop {
            if self.heap.has_bad_reference() {
                return null_mut();
            }
            let object = self.take(size, word, Bound::Limit);
            if !object.is_null() {
                return object;
            }
            if collected == Some(CollectScope::All) {
                break;
            }
            self.collect_quietly(CollectScope::All);
            collected = Some(CollectScope::All);
        }
        if bound == Bound::Limit {
            return null_mut();
        }
        self.set_exhausted(true);
        self.take(size, word, bound)
    }

    /// The system has refused memory: whether it does not any more, once the garbage is gone. If
    /// it does, that is told once, as the exhaustion of the heap.
    #[cold]
    #[inline(never)]
    fn finds_memory(&mut self) -> bool {
        if reserve::renew_reserve() {
            return true;
        }
        // This tries again.
        self.collect_quietly(CollectScope::All);
        let found = !reserve::is_news();
        if !found {
            reserve::is_told();
            self.set_exhausted(true);
        }
        found
    }

    /// Takes memory for an object and writes its header; null if there is none.
    fn take(&mut self, size: usize, word: i32, bound: Bound) -> *mut u8 {
        let mut bump = self.bump();
        let object = self.heap.allocate(&mut bump, size, bound);
        self.set_bump(bump);
        let Some((object, bits)) = object else {
            return null_mut();
        };
        // SAFETY: fresh memory of at least a header's size.
        unsafe { object.cast::<Header>().write(Header { class: word, bits }) };
        object.as_ptr()
    }
}
