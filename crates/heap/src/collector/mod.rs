//! The interface of the collector, and what it has counted. Objects do not move, so roots are
//! visited, never updated. [`mark_region`] collects, [`pacing`] says when.

pub(crate) mod dedup_list;
mod heap_check;
pub(crate) mod held;
mod large;
mod limit;
pub(crate) mod mark;
pub(crate) mod mark_region;
pub(crate) mod options;
mod pacing;
mod spare;
mod stress_checks;
mod sweep;

/// The hole that the fast path allocates in.
#[derive(Clone, Copy, Debug)]
pub struct Bump {
    /// Where the next object goes.
    pub cursor: *mut u8,
    /// The end of the hole.
    pub limit: *mut u8,
}

/// Whether the heap's limit holds for an allocation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    /// It does.
    Limit,
    /// The caller cannot fail, so the object may lie beyond the limit.
    None,
}

/// What a collection may free.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CollectScope {
    /// Objects allocated since the last collection. All others are taken to be reachable.
    Young,
    /// Everything.
    All,
}

/// Visits the roots of a heap.
pub trait RootVisitor {
    /// A word that may be the address of an object or of a place in it.
    fn word(&mut self, word: u64);

    /// The same for each word of a piece of memory.
    ///
    /// # Safety
    /// The memory is readable and the bounds are aligned.
    unsafe fn words(&mut self, start: *const u64, end: *const u64);

    /// The same for memory that counts only if the object with the address `holder` is reached. The
    /// key says whose it is.
    ///
    /// # Safety
    /// As for [`RootVisitor::words`]; the holder is an object of the heap.
    unsafe fn held_words(&mut self, key: usize, holder: u64, start: *const u64, end: *const u64);
}

/// The objects that marking has reached.
pub trait Survivors {
    /// Whether the object with this address has been reached.
    fn is_live(&self, object: u64) -> bool;

    /// Keeps the object with this address, and what it refers to.
    fn keep(&mut self, object: u64);

    /// Keeps what the memory of those holders refers to that have been reached
    /// ([`RootVisitor::held_words`]).
    fn reach_held(&mut self);

    /// Keeps what the memory of all others refers to. Returns its keys.
    fn keep_held(&mut self) -> Vec<usize>;
}

/// Counters of a heap.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct HeapStats {
    /// Collections of everything.
    pub collections: u64,
    /// Collections of what had been allocated since the last one.
    pub young_collections: u64,
    /// Bytes of all objects ever allocated.
    pub bytes_allocated: u64,
    /// Bytes of the objects that survived the last collection of everything, and of those that have
    /// survived one since.
    pub live_bytes: u64,
    /// Such objects.
    pub live_objects: u64,
    /// Bytes of blocks and large objects in use, which the limit bounds.
    pub heap_bytes: u64,
    /// Large objects in use.
    pub large_objects: u64,
    /// Time spent in collections.
    pub pause_nanos: u64,
    /// The longest collection of everything.
    pub max_pause_nanos: u64,
    /// The longest of the others.
    pub max_young_pause_nanos: u64,
}

impl HeapStats {
    /// Counts a collection that took so long.
    pub(crate) fn paused(&mut self, scope: CollectScope, nanos: u64) {
        let (count, longest) = match scope {
            CollectScope::Young => (&mut self.young_collections, &mut self.max_young_pause_nanos),
            CollectScope::All => (&mut self.collections, &mut self.max_pause_nanos),
        };
        *count += 1;
        *longest = nanos.max(*longest);
        self.pause_nanos += nanos;
    }
}
