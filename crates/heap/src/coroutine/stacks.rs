//! Native stacks for coroutines, handed out again when a coroutine has ended.
//!
//! Addresses are reserved for many stacks at a time, and memory comes when it is touched: a
//! suspended coroutine costs the pages that it has used. At the low end of each stack lies a guard
//! that cannot be accessed. Where the system has light guards, all stacks are one mapping, so that
//! there can be any number of them; elsewhere its limit of mappings is theirs.
//!
//! Invariant: a stack that is handed out has its guard.

use corosensei::stack::{Stack, StackPointer};
use std::cell::{Cell, RefCell};
use std::ffi::c_int;
use std::ops::Range;
use std::rc::Rc;

/// Bytes of addresses for a stack, unless the options say otherwise.
pub const DEFAULT_STACK: usize = 8 << 20;
/// The smallest stack: there is room for what runs between two looks at the limit.
const MIN_STACK: usize = 128 << 10;
/// Bytes at the low end of a stack that cannot be accessed.
const GUARD: usize = 64 << 10;
/// Stacks for which addresses are reserved at a time.
const STACKS: usize = 64;
/// What one page of the system's tables describes.
const TABLE: usize = 2 << 20;
/// Spare stacks that keep the memory they have touched.
const WARM: usize = 64;
/// Bytes at the top of a spare stack that stay in memory.
const KEPT: usize = 32 << 10;
/// How often stacks are given back before the memory below that is given up: most never touch it.
const TRIMMED: u32 = 32;
/// `MADV_GUARD_INSTALL`, which Linux has since 6.13.
const GUARD_INSTALL: c_int = 102;

/// The stacks of one heap.
pub(crate) struct StackPool {
    /// Bytes of each, with the guard.
    size: Cell<usize>,
    /// The mappings, each with its length.
    mapped: RefCell<Vec<(*mut u8, usize)>>,
    /// Where the next stacks lie that have never been used.
    fresh: Cell<(usize, usize)>,
    /// The highest addresses of stacks of this size that are not in use; the last is next.
    spare: RefCell<Vec<usize>>,
    given_back: Cell<u32>,
}

/// A stack in use; it goes back to its pool when it is dropped.
pub(crate) struct CoroutineStack {
    high: usize,
    size: usize,
    pool: Rc<StackPool>,
}

impl CoroutineStack {
    /// The addresses that can be used.
    pub(crate) fn usable(&self) -> Range<usize> {
        self.high - self.size + GUARD..self.high
    }
}

// SAFETY: the pool has made the memory and put a guard at its low end, and both stay as long as the
// pool, which this keeps.
unsafe impl Stack for CoroutineStack {
    fn base(&self) -> StackPointer {
        StackPointer::new(self.high).expect("nothing is mapped at address 0")
    }

    fn limit(&self) -> StackPointer {
        StackPointer::new(self.high - self.size).expect("nothing is mapped at address 0")
    }
}

impl Drop for CoroutineStack {
    fn drop(&mut self) {
        self.pool.give_back(self.high, self.size);
    }
}

impl StackPool {
    /// No stacks yet.
    pub(crate) fn new() -> Rc<StackPool> {
        Rc::new(StackPool {
            size: Cell::new(DEFAULT_STACK + GUARD),
            mapped: RefCell::default(),
            fresh: Cell::new((0, 0)),
            spare: RefCell::default(),
            given_back: Cell::new(0),
        })
    }

    /// Stacks that are made from now on have this many bytes.
    pub(crate) fn set_size(&self, bytes: usize) {
        let size = bytes.max(MIN_STACK).saturating_add(GUARD);
        let size = size.min(1 << 40).next_multiple_of(GUARD);
        if self.size.replace(size) != size {
            self.fresh.set((0, 0));
            self.spare.borrow_mut().clear();
        }
    }

    /// A stack; none if the system refuses one.
    pub(crate) fn take(self: &Rc<StackPool>) -> Option<CoroutineStack> {
        let size = self.size.get();
        let spare = self.spare.borrow_mut().pop();
        let high = spare.or_else(|| self.make(size))?;
        Some(CoroutineStack {
            high,
            size,
            pool: Rc::clone(self),
        })
    }

    /// The highest address of a new stack.
    #[cold]
    fn make(&self, size: usize) -> Option<usize> {
        if self.fresh.get().0 == self.fresh.get().1 {
            self.fresh.set(self.map(size)?);
        }
        let (low, end) = self.fresh.get();
        if !install_guard(low) {
            return None;
        }
        self.fresh.set((low + size, end));
        Some(low + size)
    }

    /// Reserves addresses for more stacks.
    fn map(&self, size: usize) -> Option<(usize, usize)> {
        let len = size * STACKS + TABLE;
        // SAFETY: a new private mapping.
        let memory = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                len,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANON | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        if memory == libc::MAP_FAILED {
            return None;
        }
        #[cfg(any(target_os = "linux", target_os = "android"))]
        // SAFETY: the mapping from above. A refusal only costs memory.
        unsafe {
            libc::madvise(memory, len, libc::MADV_NOHUGEPAGE);
        }
        self.mapped.borrow_mut().push((memory.cast(), len));
        // The top of a stack and the guard of the next share a page of the system's tables.
        let first = memory.expose_provenance() & !(TABLE - 1);
        let first = match first + TABLE / 2 {
            middle if middle >= memory.addr() => middle,
            middle => middle + TABLE,
        };
        Some((first, first + size * STACKS))
    }

    fn give_back(&self, high: usize, size: usize) {
        let mut spare = self.spare.borrow_mut();
        let count = self.given_back.get().wrapping_add(1);
        self.given_back.set(count);
        let is_current = size == self.size.get();
        if !is_current || spare.len() >= WARM {
            forget(high - size + GUARD..high);
        } else if count.is_multiple_of(TRIMMED) {
            forget(high - size + GUARD..high - KEPT);
        }
        if is_current {
            spare.push(high);
        }
    }
}

impl Drop for StackPool {
    fn drop(&mut self) {
        for &(memory, len) in self.mapped.borrow().iter() {
            // SAFETY: a mapping of this pool, of which no stack is in use: each keeps the pool.
            unsafe { libc::munmap(memory.cast(), len) };
        }
    }
}

/// Makes the low end of a stack inaccessible. False if the system refuses.
fn install_guard(low: usize) -> bool {
    let low = std::ptr::with_exposed_provenance_mut(low);
    // SAFETY: the low end of a stack that is not in use, in a mapping of the pool. What the first
    // call means, systems that do not know it refuse.
    unsafe {
        cfg!(any(target_os = "linux", target_os = "android"))
            && libc::madvise(low, GUARD, GUARD_INSTALL) == 0
            || libc::mprotect(low, GUARD, libc::PROT_NONE) == 0
    }
}

/// Gives the memory of a stack that is not in use back to the system.
fn forget(range: Range<usize>) {
    let low = std::ptr::with_exposed_provenance_mut(range.start);
    // SAFETY: memory of a mapping of the pool that nothing uses.
    unsafe { libc::madvise(low, range.end - range.start, libc::MADV_DONTNEED) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stacks_are_used_again() {
        let pool = StackPool::new();
        let first = pool.take().expect("a stack");
        let usable = first.usable();
        assert_eq!(usable.end - usable.start, DEFAULT_STACK);
        let second = pool.take().expect("a stack");
        assert!(second.usable().start >= usable.end || second.usable().end <= usable.start);
        drop(first);
        assert_eq!(pool.take().expect("a stack").usable(), usable);
    }

    #[test]
    fn a_new_size_is_that_of_new_stacks() {
        let pool = StackPool::new();
        let old = pool.take().expect("a stack");
        pool.set_size(1);
        drop(old);
        let new = pool.take().expect("a stack").usable();
        assert_eq!(new.end - new.start, MIN_STACK);
    }

    #[test]
    fn memory_that_was_given_up_is_zero() {
        let pool = StackPool::new();
        let stack = pool.take().expect("a stack");
        let at: *mut u64 = std::ptr::with_exposed_provenance_mut(stack.usable().end - 8);
        // SAFETY: a word of the stack, which nothing else uses.
        unsafe {
            at.write(7);
            forget(stack.usable());
            assert_eq!(at.read(), 0);
        }
    }
}
