//! The heap's limit, and what a program may take beyond it while it handles the exhaustion.

use crate::collector::Bound;
use crate::memory::chunk::BLOCK;

/// Bytes beyond the limit for code that handles the exhaustion of the heap.
const HANDLING: usize = 256 << 10;

/// The limit of a heap.
pub(super) struct HeapLimit {
    bytes: usize,
    /// Bytes that may be taken beyond the limit, since the exhaustion has been handled.
    overdraft: usize,
    /// How often it was handled since a collection has found room within the limit.
    exhaustions: u32,
    /// Whether the limit holds for what is being allocated.
    pub(super) bound: Bound,
    /// The last collection of everything left less than 3 % of the limit for new objects: going on
    /// would mean to collect all the time.
    is_reached: bool,
}

impl HeapLimit {
    pub(super) fn new(bytes: usize) -> HeapLimit {
        HeapLimit {
            bytes,
            overdraft: 0,
            exhaustions: 0,
            bound: Bound::Limit,
            is_reached: false,
        }
    }

    /// Whether `size` bytes may be allocated beside those in use.
    pub(super) fn allows(&self, used: usize, size: usize) -> bool {
        let bytes = used.checked_add(size);
        let limit = self.bytes.saturating_add(self.overdraft);
        self.bound == Bound::None || bytes.is_some_and(|bytes| bytes <= limit)
    }

    pub(super) fn is_reached(&self) -> bool {
        self.is_reached
    }

    /// Whether the program goes on after an exhaustion, and no collection has found room since.
    pub(super) fn is_overdrawn(&self) -> bool {
        self.exhaustions > 0
    }

    /// Allows an overdraft for handling the exhaustion, until a collection finds room within the
    /// limit. Halves it each time before that: words on the stack may keep what was dropped alive a
    /// little longer, but a program that frees nothing must terminate.
    pub(super) fn allow_handling(&mut self) {
        let more = HANDLING.checked_shr(self.exhaustions).unwrap_or(0);
        self.overdraft = match self.exhaustions {
            0 => more,
            _ => self.overdraft + more,
        };
        self.exhaustions = self.exhaustions.saturating_add(1);
        self.is_reached &= more == 0;
    }

    /// Finds out how much room a collection of everything has left of the bytes in use, `in_holes`
    /// of which are in holes. What lies beyond the limit counts as taken.
    pub(super) fn collected(&mut self, used: usize, in_holes: usize) {
        let taken = used.saturating_sub(in_holes);
        let least = self.bytes / 32;
        // As much as there is for handling; in small heaps, what is a lot for them.
        let again = least.max(HANDLING.min(self.bytes / 8));
        if taken.saturating_add(again) <= self.bytes {
            self.exhaustions = 0;
        }
        if self.exhaustions > 0 {
            // The least room of a large heap would be more than there is for this.
            let limit = self.bytes.saturating_add(self.overdraft);
            self.is_reached = taken.saturating_add(least.min(BLOCK)) > limit;
            return;
        }
        self.is_reached = taken.saturating_add(least) > self.bytes;
        if self.overdraft > 0 {
            // Holes are no room for objects that are larger, so that it comes to an end little by
            // little.
            let beyond = (used + 2 * BLOCK).saturating_sub(self.bytes);
            self.overdraft = beyond.min(HANDLING);
        }
    }
}
