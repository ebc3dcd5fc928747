//! The interface between a context and its collector. In: allocation requests that the fast path
//! could not serve, and roots. Out: zeroed memory. Invariant: objects do not move, so roots are
//! visited, never updated.

pub(crate) mod dedup_list;
mod heap_check;
mod large;
pub(crate) mod mark;
pub(crate) mod mark_region;
pub(crate) mod options;
mod pacing;

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
    /// Who allocates cannot say so: the object may lie beyond it.
    None,
}

/// What a collection may free.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Objects allocated since the last collection. All others are taken to be reachable.
    Young,
    /// Everything.
    All,
}

/// What a collector does with roots.
pub trait RootVisitor {
    /// A word that may be the address of an object or of a place in it.
    fn word(&mut self, word: u64);

    /// The same for each word of a piece of memory.
    ///
    /// # Safety
    /// The memory is readable and the bounds are aligned.
    unsafe fn words(&mut self, start: *const u64, end: *const u64);
}

/// What marking has reached.
pub trait Survivors {
    /// Whether the object with this address has been reached.
    fn is_live(&self, object: u64) -> bool;

    /// Keeps the object with this address, and what it refers to.
    fn keep(&mut self, object: u64);
}

/// What a heap has done so far.
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
    pub(crate) fn paused(&mut self, scope: Scope, nanos: u64) {
        let (count, longest) = match scope {
            Scope::Young => (&mut self.young_collections, &mut self.max_young_pause_nanos),
            Scope::All => (&mut self.collections, &mut self.max_pause_nanos),
        };
        *count += 1;
        *longest = nanos.max(*longest);
        self.pause_nanos += nanos;
    }
}
