//! An allocator that goes on for a while where the system refuses memory.
//!
//! Most of Rust's collections cannot say that there is no memory: the process would be aborted. So
//! some blocks are kept that nothing uses. Where the system refuses a request they are given back
//! one by one until it is granted, and memory is *low* until they are there again. Then the
//! collector ends guest code with [`HeapExhausted`](crate::HeapExhausted), and the engine frees
//! compiled code and makes no more.
//!
//! Invariant: a block of the reserve belongs to the slot that it is in, or to who has taken it out.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

/// The blocks that are kept: together ten times what a whole run of `testing/faults` takes.
const BLOCKS: usize = 8;

/// A block. The system hands out as many bytes as pages of their own, which it takes back at once.
/// No other request is for exactly this many, so these can be told from others.
const BLOCK: Layout = match Layout::from_size_align((2 << 20) - 48, 16) {
    Ok(layout) => layout,
    Err(_) => unreachable!(),
};

static RESERVE: [AtomicPtr<u8>; BLOCKS] = [const { AtomicPtr::new(null_mut()) }; BLOCKS];

/// Whether the program has this allocator.
static IS_INSTALLED: AtomicBool = AtomicBool::new(false);

/// Whether blocks of the reserve may be missing.
static IS_LOW: AtomicBool = AtomicBool::new(false);

/// Whether a block has been given back, and no guest program has been told.
static IS_NEWS: AtomicBool = AtomicBool::new(false);

/// A global allocator with a reserve: with it a program whose system refuses memory
/// (`ulimit -v`, a container) ends with an error of the guest program, which can be caught, where
/// it would be aborted.
///
/// ```
/// #[global_allocator]
/// static ALLOCATOR: verdigris_heap::ReservingAllocator = verdigris_heap::ReservingAllocator::new();
/// # fn main() {}
/// ```
///
/// Single requests of more than the reserve, which is 16 megabytes, are refused as before: what may
/// be so large belongs to the heap ([`ByteBuffer`](crate::ByteBuffer),
/// [`GcArray`](crate::GcArray)) or is asked for with `try_reserve`. Code of yours that may run for
/// long without an allocation in the heap, such as a parser, can ask [`memory_is_low`].
#[derive(Clone, Copy, Debug, Default)]
pub struct ReservingAllocator<A = System>(A);

impl ReservingAllocator {
    /// The system's allocator, with a reserve.
    pub const fn new() -> ReservingAllocator {
        ReservingAllocator(System)
    }
}

impl<A: GlobalAlloc> ReservingAllocator<A> {
    /// Another allocator, with a reserve.
    pub const fn around(allocator: A) -> ReservingAllocator<A> {
        ReservingAllocator(allocator)
    }

    /// A request is granted, or not.
    #[inline]
    fn answered(&self, layout: Layout, block: *mut u8, again: impl Fn() -> *mut u8) -> *mut u8 {
        if !IS_INSTALLED.load(Ordering::Relaxed) {
            IS_INSTALLED.store(true, Ordering::Relaxed);
        }
        match block.is_null() && layout != BLOCK {
            true => self.refused(again),
            false => block,
        }
    }

    /// The system refuses memory: it gets some back until it does not. Null if all is gone.
    #[cold]
    #[inline(never)]
    fn refused(&self, again: impl Fn() -> *mut u8) -> *mut u8 {
        for slot in &RESERVE {
            let kept = slot.swap(null_mut(), Ordering::AcqRel);
            if kept.is_null() {
                continue;
            }
            IS_LOW.store(true, Ordering::Release);
            IS_NEWS.store(true, Ordering::Release);
            // SAFETY: the block came from this allocator with this layout, and no slot has it.
            unsafe { self.0.dealloc(kept, BLOCK) };
            let block = again();
            if !block.is_null() {
                return block;
            }
        }
        null_mut()
    }
}

// SAFETY: all blocks are the other allocator's.
unsafe impl<A: GlobalAlloc> GlobalAlloc for ReservingAllocator<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the same promise.
        let ask = || unsafe { self.0.alloc(layout) };
        self.answered(layout, ask(), ask)
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the same promise.
        let ask = || unsafe { self.0.alloc_zeroed(layout) };
        self.answered(layout, ask(), ask)
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the same promise; a block that could not grow is as it was.
        let ask = || unsafe { self.0.realloc(block, layout, size) };
        self.answered(layout, ask(), ask)
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the same promise.
        unsafe { self.0.dealloc(block, layout) }
    }
}

/// Whether the system has refused memory, and there is still too little for the reserve of
/// [`ReservingAllocator`]. Code that is about to ask for much more should end in an error. Costs a
/// load where memory is not low.
#[inline]
pub fn memory_is_low() -> bool {
    IS_LOW.load(Ordering::Relaxed) && !renew_reserve()
}

/// Whether memory has been refused since the last [`is_told`].
#[inline]
pub(crate) fn is_news() -> bool {
    IS_NEWS.load(Ordering::Relaxed)
}

/// What was refused becomes an error of the guest program that runs now.
pub(crate) fn is_told() {
    IS_NEWS.store(false, Ordering::Relaxed);
}

/// Fills the reserve. Whether it is full, as far as there is to be one.
pub(crate) fn renew_reserve() -> bool {
    if !IS_INSTALLED.load(Ordering::Relaxed) {
        return true;
    }
    // What is given back meanwhile counts.
    IS_LOW.store(false, Ordering::Release);
    for slot in &RESERVE {
        if !slot.load(Ordering::Relaxed).is_null() {
            continue;
        }
        // SAFETY: the layout has a size.
        let block = unsafe { std::alloc::alloc(BLOCK) };
        if block.is_null() {
            IS_LOW.store(true, Ordering::Relaxed);
            return false;
        }
        let before = slot.compare_exchange(null_mut(), block, Ordering::AcqRel, Ordering::Relaxed);
        if before.is_err() {
            // SAFETY: the block has just been made with this layout.
            unsafe { std::alloc::dealloc(block, BLOCK) };
        }
    }
    is_told();
    true
}
