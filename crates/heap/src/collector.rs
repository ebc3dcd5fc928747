//! The interface between a context and its collector. In: allocation requests that the fast path could not serve, and roots.
//! Out: zeroed memory. Invariant: objects do not move, so roots are visited, never updated.

use std::ptr::NonNull;

/// The hole that the fast path allocates in.
#[derive(Clone, Copy, Debug)]
pub struct Bump {
    /// Where the next object goes.
    pub cursor: *mut u8,
    /// The end of the hole.
    pub limit: *mut u8,
}

/// A collector. Contexts know theirs statically, so that this costs nothing.
pub trait Collector {
    /// Whether it is time to collect before allocating `size` bytes.
    fn due(&self, size: usize) -> bool;

    /// Zeroed memory for an object of `size` bytes, and the bits for its header. `None` if the limit forbids it: the context then
    /// collects and asks once more.
    fn allocate(&mut self, bump: &mut Bump, size: usize) -> Option<(NonNull<u8>, u32)>;

    /// Frees what cannot be reached from what `roots` visits; between marking and freeing, `settle` learns what has been
    /// reached and may keep more. All other threads of the heap, if there are any, are stopped.
    fn collect(
        &mut self,
        bump: &mut Bump,
        roots: &mut dyn FnMut(&mut dyn RootVisitor),
        settle: &mut dyn FnMut(&mut dyn Survivors),
    );

    /// What the collector has done so far.
    fn stats(&self, bump: Bump) -> HeapStats;
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
    /// Collections.
    pub collections: u64,
    /// Bytes of all objects ever allocated.
    pub bytes_allocated: u64,
    /// Bytes of the objects that survived the last collection.
    pub live_bytes: u64,
    /// Objects that survived the last collection.
    pub live_objects: u64,
    /// Bytes of blocks and large objects in use, which the limit bounds.
    pub heap_bytes: u64,
    /// Large objects in use.
    pub large_objects: u64,
    /// Time spent in collections.
    pub pause_nanos: u64,
    /// The longest collection.
    pub max_pause_nanos: u64,
}

/// The write barrier: called behind every store of a reference to a cell, wherever the cell is. Empty as long as the
/// collector has no generations.
#[inline(always)]
pub fn barrier(_address: *const u8) {}
