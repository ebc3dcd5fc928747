//! The shadow stack: memory for the register files of the tracer and of the blackhole interpreter. In: requests in last-in,
//! first-out order. Out: zeroed words that the collector scans. Invariant: memory is reserved when first used, and touched only as
//! far as it is used.

use std::ops::Range;
use std::ptr::null_mut;

/// Words reserved (16 MB of address space).
const WORDS: usize = 2 << 20;
/// Bytes behind them that cannot be accessed.
const GUARD: usize = 64 << 10;

/// The shadow stack of a context.
pub(crate) struct ShadowStack {
    base: *mut u64,
    used: usize,
}

impl ShadowStack {
    pub(crate) fn new() -> ShadowStack {
        ShadowStack {
            base: null_mut(),
            used: 0,
        }
    }

    pub(crate) fn alloc(&mut self, words: usize) -> *mut u64 {
        if self.base.is_null() {
            self.base = reserve();
        }
        assert!(words <= WORDS - self.used, "stack overflow in traced code");
        // SAFETY: within the reserved memory, as just checked.
        unsafe {
            let memory = self.base.add(self.used);
            memory.write_bytes(0, words);
            self.used += words;
            memory
        }
    }

    pub(crate) fn mark(&self) -> usize {
        self.used
    }

    pub(crate) fn release(&mut self, mark: usize) {
        assert!(
            mark <= self.used,
            "the shadow stack is released out of order"
        );
        self.used = mark;
    }

    /// The words in use.
    pub(crate) fn words(&self) -> Range<*const u64> {
        let base = self.base.cast_const();
        base..base.wrapping_add(self.used)
    }
}

impl Drop for ShadowStack {
    fn drop(&mut self) {
        if !self.base.is_null() {
            // SAFETY: the mapping that `reserve` made.
            unsafe { libc::munmap(self.base.cast(), WORDS * 8 + GUARD) };
        }
    }
}

fn reserve() -> *mut u64 {
    // SAFETY: a new private mapping; its end is then protected.
    unsafe {
        let memory = libc::mmap(
            null_mut(),
            WORDS * 8 + GUARD,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANON | libc::MAP_NORESERVE,
            -1,
            0,
        );
        assert!(
            memory != libc::MAP_FAILED,
            "the system refuses address space for the shadow stack"
        );
        libc::mprotect(memory.wrapping_byte_add(WORDS * 8), GUARD, libc::PROT_NONE);
        memory.cast()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_zero_again_when_reused() {
        let mut stack = ShadowStack::new();
        assert!(stack.words().is_empty());
        let first = stack.alloc(3);
        let mark = stack.mark();
        let second = stack.alloc(2);
        assert_eq!(second, first.wrapping_add(3));
        // SAFETY: two words were given.
        unsafe { second.write(7) };
        stack.release(mark);
        // SAFETY: as above.
        unsafe { assert_eq!(stack.alloc(2).read(), 0) };
        assert_eq!(stack.words().end, second.wrapping_add(2).cast_const());
    }

    #[test]
    #[should_panic(expected = "stack overflow in traced code")]
    fn overflow_is_a_panic() {
        let mut stack = ShadowStack::new();
        stack.alloc(1);
        stack.alloc(WORDS);
    }

    #[test]
    #[should_panic(expected = "out of order")]
    fn release_goes_down_only() {
        ShadowStack::new().release(1);
    }
}
