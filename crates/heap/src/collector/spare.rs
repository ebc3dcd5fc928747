//! Chunks that are kept for when the system refuses memory.
//!
//! One is for allocations that cannot fail: those of compiled code, and of rebuilding frames. One
//! is for code that handles the exhaustion of the heap, which gets it once for each time.

use crate::memory::chunk::Chunk;

/// What is kept.
#[derive(Default)]
pub(super) struct SpareChunks {
    unfailing: Spare,
    handling: Spare,
    /// The exhaustion of the heap is being handled, and nothing was taken for that yet.
    is_handled: bool,
}

#[derive(Default)]
struct Spare {
    chunk: Option<Chunk>,
    /// It was needed, and there is none since.
    is_used: bool,
}

impl Spare {
    fn fill(&mut self) {
        if self.chunk.is_none() {
            self.chunk = Chunk::map();
            self.is_used &= self.chunk.is_none();
        }
    }

    fn take(&mut self) -> Option<Chunk> {
        self.is_used |= self.chunk.is_some();
        self.chunk.take()
    }
}

impl SpareChunks {
    /// Keeps what the system gives: it has just given a chunk.
    pub(super) fn fill(&mut self) {
        self.unfailing.fill();
        self.handling.fill();
    }

    /// Gets what was used again: by now the sweep has given back what it could.
    pub(super) fn renew(&mut self) {
        for spare in [&mut self.unfailing, &mut self.handling] {
            if spare.is_used {
                spare.fill();
            }
        }
    }

    /// The chunk for an allocation that cannot fail.
    pub(super) fn take_unfailing(&mut self) -> Option<Chunk> {
        self.unfailing.take()
    }

    /// The chunk for code that handles the exhaustion of the heap, if that is what runs.
    pub(super) fn take_for_handling(&mut self) -> Option<Chunk> {
        match std::mem::take(&mut self.is_handled) {
            true => self.handling.take(),
            false => None,
        }
    }

    /// From now on, the exhaustion of the heap is handled.
    pub(super) fn allow_handling(&mut self) {
        self.is_handled = true;
    }

    /// Whether an allocation that cannot fail would find memory where the system refuses it, or the
    /// system has not refused any.
    pub(super) fn is_unfailing(&self) -> bool {
        !self.unfailing.is_used
    }

    /// Whether one was used and is still missing.
    pub(super) fn is_lacking(&self) -> bool {
        self.unfailing.is_used || self.handling.is_used
    }

    /// All there are.
    pub(super) fn chunks(&self) -> impl Iterator<Item = Chunk> {
        self.unfailing.chunk.into_iter().chain(self.handling.chunk)
    }
}
