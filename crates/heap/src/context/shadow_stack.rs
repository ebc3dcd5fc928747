//! The shadow stack: memory for the register files of the tracer and of the blackhole interpreter,
//! which the collector scans.
//!
//! Addresses are reserved when first used; memory is requested as far as it is used and [`RESERVE`]
//! beyond. Past its limit the stack is *full*: no guest code is called any more, but what is under
//! way can be done to its end and finds the guest's objects exact. If the system refuses even the
//! reserve, nothing is traced.
//!
//! ```text
//! 0 ....... activations of guest code ....... limit ..... frames ..... end - LAST .. exits .. end
//!            callers of guest code check `is_full`            `alloc_frame` raises         `alloc`
//! ```

use crate::context::native_stack::thread_size;
use crate::context::payloads::StackExhausted;
use std::ops::Range;
use std::ptr::null_mut;

/// Words behind the limit: for the frames of one guard that fails, or of one section in the oracle,
/// and for what is called there and is not guest code.
const RESERVE: usize = 2 << 20;
/// Words at the end of the reserve that no frame gets: for the values of a failing guard and the
/// objects made for it, so that delayed stores can always be done. A guard has at most 1024 values
/// and 65,536 objects.
const LAST: usize = 1 << 18;
/// The fewest words in front of the limit, 32 MB of addresses: the oracle has its values here.
const MIN_LIMIT: usize = 4 << 20;
/// The most, 2 GB of addresses.
const MAX_LIMIT: usize = 256 << 20;
/// Words by which the usable part grows: whole pages.
const STEP: usize = 128 << 10;
/// Bytes behind all of them that cannot be accessed.
const GUARD: usize = 64 << 10;

/// The shadow stack of a context.
pub(crate) struct ShadowStack {
    base: *mut u64,
    used: usize,
    /// Where it is full.
    limit: usize,
    /// The words that can be accessed: always a [`RESERVE`] more than are in front of the limit or
    /// used there.
    usable: usize,
    /// The words that there can be.
    len: usize,
    /// The bytes of the mapping.
    mapped: usize,
    /// The bytes of the native stack beside it; 0 for the thread's.
    beside: usize,
}

/// A shadow stack at an address of its own: stacks change places without being moved.
pub(crate) type OwnedShadow = Box<ShadowStack>;

impl ShadowStack {
    pub(crate) fn new() -> ShadowStack {
        ShadowStack::on(0)
    }

    /// One beside a native stack of so many bytes; 0 for the thread's.
    pub(crate) fn on(beside: usize) -> ShadowStack {
        ShadowStack {
            beside,
            base: null_mut(),
            used: 0,
            limit: MIN_LIMIT,
            usable: 0,
            len: 0,
            mapped: 0,
        }
    }

    /// Whether addresses have been reserved.
    #[inline]
    pub(crate) fn has_memory(&self) -> bool {
        !self.base.is_null()
    }

    /// Whether no guest code may be called any more.
    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        self.used > self.limit
    }

    /// Whether this many words of frames can be had.
    #[inline]
    pub(crate) fn fits(&mut self, words: usize) -> bool {
        self.make_usable(words);
        words <= self.usable.saturating_sub(LAST).saturating_sub(self.used)
    }

    /// Words for a frame.
    ///
    /// Panics with [`StackExhausted`] if there are none left.
    #[inline]
    pub(crate) fn alloc_frame(&mut self, words: usize) -> *mut u64 {
        if !self.fits(words) {
            StackExhausted::raise();
        }
        self.take(words)
    }

    /// Words that are given back before guest code is called, or whose owner calls it only if the
    /// stack is not full.
    ///
    /// Panics with [`StackExhausted`] if there are none left, which takes more than a reserve for
    /// one guard.
    #[inline]
    pub(crate) fn alloc(&mut self, words: usize) -> *mut u64 {
        self.make_usable(words);
        if words > self.usable - self.used {
            StackExhausted::raise();
        }
        self.take(words)
    }

    #[inline]
    fn take(&mut self, words: usize) -> *mut u64 {
        // SAFETY: both callers have found that this many words are left of those that can be
        // accessed.
        unsafe {
            let memory = self.base.add(self.used);
            memory.write_bytes(0, words);
            self.used += words;
            memory
        }
    }

    /// Sees to it that so many words can be accessed and a reserve behind them, as far as there are
    /// addresses. If the system refuses that, the stack is full from here on, and has its reserve
    /// all the same.
    #[inline]
    fn make_usable(&mut self, words: usize) {
        if self.used.saturating_add(words).saturating_add(RESERVE) > self.usable
            && self.usable < self.len
            || self.base.is_null()
        {
            self.grow(words);
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, words: usize) {
        if self.base.is_null() {
            self.start();
        }
        if self.base.is_null() {
            return;
        }
        let wanted = self.used.saturating_add(words.min(self.len)) + RESERVE + STEP;
        let wanted = wanted.next_multiple_of(STEP).min(self.len);
        if make_accessible(self.base, self.usable, wanted) {
            self.usable = wanted;
        } else {
            self.limit = self.usable - RESERVE;
            self.len = self.usable;
        }
    }

    /// Gets addresses, and the reserve. Without them there is no stack, and every request fails.
    #[cold]
    fn start(&mut self) {
        let native = match self.beside {
            0 => thread_size(),
            bytes => bytes,
        };
        let Some((base, limit)) = reserve(limit_for(native)) else {
            return;
        };
        if !make_accessible(base, 0, RESERVE) {
            // SAFETY: the mapping that `reserve` made, of which no word is in use.
            unsafe { libc::munmap(base.cast(), bytes_for(limit)) };
            return;
        }
        self.base = base;
        self.limit = limit;
        self.usable = RESERVE;
        self.len = limit + RESERVE;
        self.mapped = bytes_for(limit);
    }

    #[inline]
    pub(crate) fn mark(&self) -> usize {
        self.used
    }

    #[inline]
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
            unsafe { libc::munmap(self.base.cast(), self.mapped) };
        }
    }
}

/// The limit on a thread with a stack of so many bytes: what a level of recursion takes here is of
/// the size of what it takes there.
fn limit_for(stack: usize) -> usize {
    let words = stack.saturating_mul(2) / size_of::<u64>();
    words.clamp(MIN_LIMIT, MAX_LIMIT).next_multiple_of(STEP)
}

/// The bytes of the mapping for this limit.
fn bytes_for(limit: usize) -> usize {
    (limit + RESERVE) * size_of::<u64>() + GUARD
}

/// Addresses for a stack with this limit, or with a smaller one if the system does not have so
/// many. None can be accessed yet.
fn reserve(mut limit: usize) -> Option<(*mut u64, usize)> {
    loop {
        // SAFETY: a new private mapping.
        let memory = unsafe {
            libc::mmap(
                null_mut(),
                bytes_for(limit),
                libc::PROT_NONE,
                libc::MAP_PRIVATE | libc::MAP_ANON | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        if memory != libc::MAP_FAILED {
            return Some((memory.cast(), limit));
        }
        if limit <= STEP {
            return None;
        }
        limit = (limit / 2).next_multiple_of(STEP);
    }
}

/// Makes the words between these two accessible. False if the system refuses.
fn make_accessible(base: *mut u64, from: usize, to: usize) -> bool {
    // SAFETY: both are within the mapping that starts at `base`, of which no word behind `from` is
    // in use.
    let error = unsafe {
        libc::mprotect(
            base.wrapping_add(from).cast(),
            (to - from) * size_of::<u64>(),
            libc::PROT_READ | libc::PROT_WRITE,
        )
    };
    error == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn memory_is_zero_again_when_reused() {
        let mut stack = ShadowStack::new();
        assert!(stack.words().is_empty());
        let first = stack.alloc_frame(3);
        let mark = stack.mark();
        let second = stack.alloc(2);
        assert_eq!(second, first.wrapping_add(3));
        // SAFETY: two words were given.
        unsafe { second.write(7) };
        stack.release(mark);
        // SAFETY: as above.
        unsafe { assert_eq!(stack.alloc_frame(2).read(), 0) };
        assert_eq!(stack.words().end, second.wrapping_add(2).cast_const());
    }

    /// Whether a request is refused, with the payload that says why.
    fn is_refused(request: impl FnOnce() -> *mut u64) -> bool {
        let result = catch_unwind(AssertUnwindSafe(request));
        result.is_err_and(|payload| payload.is::<StackExhausted>())
    }

    /// Fills the stack up to its limit with frames of this many words.
    fn fill(stack: &mut ShadowStack, words: usize) {
        while !stack.is_full() {
            assert!(!is_refused(|| stack.alloc_frame(words)));
        }
    }

    #[test]
    fn what_is_under_way_when_the_stack_is_full_is_done_to_its_end() {
        let mut stack = ShadowStack::new();
        fill(&mut stack, 50_000);
        assert!(stack.used >= MIN_LIMIT);
        let full = stack.mark();
        assert!(!is_refused(|| stack.alloc_frame(RESERVE / 2)));
        assert!(is_refused(|| stack.alloc_frame(RESERVE / 2)));
        // However much frames have taken, there are words for values and objects.
        while stack.fits(1000) {
            stack.alloc_frame(1000);
        }
        assert!(is_refused(|| stack.alloc_frame(1000)));
        let last = stack.alloc(LAST);
        // SAFETY: this many words were given.
        unsafe { assert_eq!(last.add(LAST - 1).read(), 0) };
        assert!(is_refused(|| stack.alloc(1000)));
        stack.release(full);
        assert!(stack.is_full() && stack.fits(1000));
        stack.release(0);
        assert!(!stack.is_full());
    }

    #[test]
    fn a_frame_that_does_not_fit_at_all_is_refused() {
        let mut stack = ShadowStack::new();
        assert!(is_refused(|| stack.alloc_frame(MAX_LIMIT * 2)));
        assert!(is_refused(|| stack.alloc(usize::MAX)));
        assert_eq!(stack.mark(), 0);
        stack.alloc_frame(1);
    }

    #[test]
    fn a_large_native_stack_has_a_large_shadow() {
        assert_eq!(limit_for(64 << 10), MIN_LIMIT);
        assert_eq!(limit_for(1 << 30), MAX_LIMIT);
        let limit = || {
            let mut stack = ShadowStack::new();
            stack.alloc_frame(1);
            stack.limit
        };
        let on = |size| {
            let thread = std::thread::Builder::new().stack_size(size);
            thread.spawn(limit).expect("a thread").join()
        };
        assert_eq!(on(1 << 20).expect("a limit"), MIN_LIMIT);
        assert!(on(64 << 20).expect("a limit") >= 4 * MIN_LIMIT);
    }

    #[test]
    fn a_stack_that_gets_no_more_memory_is_full_and_has_its_reserve() {
        let mut stack = ShadowStack::new();
        stack.alloc_frame(STEP / 2);
        let limit = stack.limit;
        // At the lowest addresses nothing is mapped, so the system refuses the next step.
        let (base, usable) = (stack.base, stack.usable);
        stack.base = std::ptr::without_provenance_mut(0x10000);
        stack.grow(STEP);
        stack.base = base;
        assert_eq!(stack.usable, usable);
        assert!(stack.limit < limit);
        fill(&mut stack, 1000);
        assert!(!is_refused(|| stack.alloc_frame(RESERVE / 2)));
        assert!(!is_refused(|| stack.alloc(LAST)));
        assert!(is_refused(|| stack.alloc_frame(RESERVE / 2)));
    }

    #[test]
    #[should_panic(expected = "out of order")]
    fn release_goes_down_only() {
        ShadowStack::new().release(1);
    }
}
