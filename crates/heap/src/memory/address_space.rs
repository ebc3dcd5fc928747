//! Address space for all heaps of the process, and its cards: a byte for every 512 bytes, which
//! says whether a reference has been stored there.
//!
//! A barrier knows only the address of the cell that was written, and cells are outside of heaps
//! too. So all heaps take their memory from one range of addresses, reserved once and never given
//! back. Within the range the card is found with a comparison, a shift and an addition, whichever
//! heap it belongs to.
//!
//! Invariants: a chunk belongs to one heap, and its cards with it, so that threads share only the
//! list of what is free; what has been given back is zero when it is taken again, and so are its
//! cards. A process forks between two changes of the list: in the child, the thread that was making
//! one would never end it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering::Relaxed, Ordering::Release};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// Bytes of a chunk, and its alignment.
pub(crate) const CHUNK: usize = 1 << 20;
/// Bytes of a card.
pub(crate) const CARD: usize = 1 << CARD_SHIFT;
/// What an address is shifted by to find its card.
pub const CARD_SHIFT: u32 = 9;
/// Cards of a chunk.
pub(crate) const CHUNK_CARDS: usize = CHUNK / CARD;
/// Bytes of addresses to reserve, and the least that will do: where addresses are limited, less is
/// tried.
const RESERVED: usize = 1 << 40;
const LEAST: usize = 1 << 28;
/// A multiple of the system's pages: they have 4 KB with x86-64, and 4, 16 or 64 KB with aarch64.
const PAGE: usize = if cfg!(target_arch = "x86_64") {
    16 << 10
} else {
    64 << 10
};
/// Bytes of cards that are made usable at a time: a multiple of every page size.
const CARD_STEP: usize = 64 << 10;

/// The range, for the barrier. Nothing until a heap needs memory.
static START: AtomicUsize = AtomicUsize::new(0);
static SIZE: AtomicUsize = AtomicUsize::new(0);
/// The card of the first address.
static CARDS: AtomicPtr<u8> = AtomicPtr::new(null_mut());

/// The chunks that are not taken.
static FREE: OnceLock<Option<Mutex<Free>>> = OnceLock::new();

thread_local! {
    /// While the process divides: the list, which no other thread is changing then.
    static HELD: RefCell<Option<MutexGuard<'static, Free>>> = const { RefCell::new(None) };
}

/// The write barrier: called behind every store of a reference to a cell, wherever the cell is.
#[inline(always)]
pub fn barrier(address: *const u8) {
    let offset = address.addr().wrapping_sub(START.load(Relaxed));
    if offset < SIZE.load(Relaxed) {
        // SAFETY: every address in the range has a card, which can be written if memory can be
        // there that was written. Only the thread whose heap it is touches it.
        unsafe { CARDS.load(Relaxed).add(offset >> CARD_SHIFT).write(1) }
    }
}

/// Where the card of address 0 would be: that of another one is this many bytes further, as the
/// address shifted by [`CARD_SHIFT`] says. For compiled code, which knows that what it writes is in
/// a heap.
pub(crate) fn card_of_zero() -> *mut u8 {
    reserve();
    let first = START.load(Relaxed) >> CARD_SHIFT;
    CARDS.load(Relaxed).wrapping_sub(first)
}

/// Whether an address is in the range.
#[inline(always)]
pub(crate) fn contains(address: usize) -> bool {
    address.wrapping_sub(START.load(Relaxed)) < SIZE.load(Relaxed)
}

/// The range.
pub(crate) fn range() -> Range<usize> {
    let start = START.load(Relaxed);
    start..start + SIZE.load(Relaxed)
}

/// The card of an address. Those of the memory behind it follow.
///
/// # Panics
/// In debug builds, if the address is not in the range.
#[inline(always)]
pub(crate) fn card_at(address: usize) -> *mut u8 {
    debug_assert!(contains(address));
    let offset = address.wrapping_sub(START.load(Relaxed));
    CARDS.load(Relaxed).wrapping_add(offset >> CARD_SHIFT)
}

/// Reserves the range if that has not been done. Returns whether there is one.
pub(crate) fn reserve() -> bool {
    free().is_some()
}

/// Zeroed memory of this many chunks, aligned to chunks; none if the system has no memory, or the
/// range is used up.
pub(crate) fn take(chunks: usize) -> Option<*mut u8> {
    let mut free = lock(free()?);
    let at = free.take(chunks)?;
    let start = std::ptr::with_exposed_provenance_mut(START.load(Relaxed) + at * CHUNK);
    if !make_usable(start, chunks * CHUNK) || !make_cards_usable(start, chunks) {
        free.give_back(at, chunks);
        return None;
    }
    Some(start)
}

/// Gives the memory of this many chunks back.
///
/// # Safety
/// They have been taken, and nothing refers to them any more.
pub(crate) unsafe fn give_back(start: *mut u8, chunks: usize) {
    let Some(free) = free() else {
        return;
    };
    // SAFETY: the cards of chunks that the caller owns.
    unsafe { card_at(start.addr()).write_bytes(0, chunks * CHUNK_CARDS) };
    // SAFETY: memory that the caller gives up.
    if unsafe { map(start, chunks * CHUNK, libc::PROT_NONE) } {
        let at = (start.addr() - START.load(Relaxed)) / CHUNK;
        lock(free).give_back(at, chunks);
    }
    // Else the system cannot describe another hole: the addresses are lost, and nothing else.
}

/// Makes memory zero, as far as possible by giving it back to the system.
///
/// # Safety
/// The memory is a part of what has been taken, and nothing in it is needed.
pub(crate) unsafe fn wipe(start: *mut u8, bytes: usize) {
    let end = start.addr() + bytes;
    let from = start.map_addr(|a| a.next_multiple_of(PAGE).min(end));
    let pages = (end - from.addr()) & !(PAGE - 1);
    let rest = from.wrapping_add(pages);
    let usable = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: the caller's promise.
    unsafe {
        start.write_bytes(0, from.addr() - start.addr());
        if pages > 0 && !map(from, pages, usable) {
            from.write_bytes(0, pages);
        }
        rest.write_bytes(0, end - rest.addr());
    }
}

/// Maps fresh memory in the place of what is there. Returns whether that was possible.
///
/// # Safety
/// The memory is in the range, and nothing in it is needed.
unsafe fn map(start: *mut u8, bytes: usize, protection: i32) -> bool {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANON | libc::MAP_NORESERVE | libc::MAP_FIXED;
    // SAFETY: the caller's promise.
    unsafe { libc::mmap(start.cast(), bytes, protection, flags, -1, 0) != libc::MAP_FAILED }
}

fn make_usable(start: *mut u8, bytes: usize) -> bool {
    let usable = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: in the range, or in its cards; nothing is lost by it.
    unsafe { libc::mprotect(start.cast(), bytes, usable) == 0 }
}

fn make_cards_usable(start: *mut u8, chunks: usize) -> bool {
    let first = CARDS.load(Relaxed).addr();
    let from = card_at(start.addr()).addr() - first;
    let to = (from + chunks * CHUNK_CARDS).next_multiple_of(CARD_STEP);
    let from = from & !(CARD_STEP - 1);
    make_usable(CARDS.load(Relaxed).wrapping_add(from), to - from)
}

fn lock(free: &Mutex<Free>) -> MutexGuard<'_, Free> {
    free.lock().unwrap_or_else(PoisonError::into_inner)
}

fn free() -> Option<&'static Mutex<Free>> {
    FREE.get_or_init(|| {
        let mut size = RESERVED;
        while size >= LEAST {
            if let Some(start) = reserve_aligned(size) {
                match reserve_bytes((size / CARD).next_multiple_of(CARD_STEP)) {
                    Some(cards) => {
                        CARDS.store(cards, Relaxed);
                        START.store(start.expose_provenance(), Relaxed);
                        SIZE.store(size, Release);
                        hold_while_forking();
                        return Some(Mutex::new(Free::new(size / CHUNK)));
                    }
                    // SAFETY: just mapped, and not shared yet.
                    None => unsafe { libc::munmap(start.cast(), size) },
                };
            }
            size /= 2;
        }
        None
    })
    .as_ref()
}

/// From now on the list is held when the process forks.
fn hold_while_forking() {
    // A thread that ends may fork as well; then the list is not held.
    extern "C" fn before() {
        if let Some(free) = free() {
            let _ = HELD.try_with(|held| *held.borrow_mut() = Some(lock(free)));
        }
    }
    extern "C" fn after() {
        let _ = HELD.try_with(|held| *held.borrow_mut() = None);
    }
    // SAFETY: the handlers are functions that never go away. Without memory for the list of
    // handlers, forking is what it was.
    unsafe { libc::pthread_atfork(Some(before), Some(after), Some(after)) };
}

/// Addresses without memory, aligned to chunks.
fn reserve_aligned(size: usize) -> Option<*mut u8> {
    let wide = reserve_bytes(size + CHUNK)?;
    let start = wide.map_addr(|a| a.next_multiple_of(CHUNK));
    let before = start.addr() - wide.addr();
    // SAFETY: unmaps what lies outside of the aligned part.
    unsafe {
        if before > 0 {
            libc::munmap(wide.cast(), before);
        }
        libc::munmap(start.wrapping_add(size).cast(), CHUNK - before);
    }
    Some(start)
}

fn reserve_bytes(size: usize) -> Option<*mut u8> {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANON | libc::MAP_NORESERVE;
    // SAFETY: a new mapping, wherever the system likes.
    let start = unsafe { libc::mmap(null_mut(), size, libc::PROT_NONE, flags, -1, 0) };
    (start != libc::MAP_FAILED).then_some(start.cast())
}

/// The free chunks, by number.
struct Free {
    /// From here on none has ever been taken.
    fresh: usize,
    end: usize,
    /// What was given back: runs by their first chunk, none next to another.
    runs: BTreeMap<usize, usize>,
}

impl Free {
    fn new(end: usize) -> Free {
        Free {
            fresh: 0,
            end,
            runs: BTreeMap::new(),
        }
    }

    /// Takes the first run of so many.
    fn take(&mut self, chunks: usize) -> Option<usize> {
        let fits = self.runs.iter().find(|&(_, &len)| len >= chunks);
        if let Some((&at, &len)) = fits {
            self.runs.remove(&at);
            if len > chunks {
                self.runs.insert(at + chunks, len - chunks);
            }
            return Some(at);
        }
        let at = self.fresh;
        let end = at.checked_add(chunks)?;
        if end > self.end {
            return None;
        }
        self.fresh = end;
        Some(at)
    }

    fn give_back(&mut self, at: usize, chunks: usize) {
        let (mut at, mut len) = (at, chunks);
        if let Some(behind) = self.runs.remove(&(at + len)) {
            len += behind;
        }
        if let Some((&before, &n)) = self.runs.range(..at).next_back()
            && before + n == at
        {
            self.runs.remove(&before);
            (at, len) = (before, n + len);
        }
        match at + len == self.fresh {
            true => self.fresh = at,
            false => drop(self.runs.insert(at, len)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn runs_are_taken_joined_and_taken_again() {
        let mut free = Free::new(10);
        assert_eq!([2, 3, 1].map(|n| free.take(n)), [Some(0), Some(2), Some(5)]);
        free.give_back(2, 3);
        assert_eq!(free.take(4), Some(6));
        assert_eq!(free.take(1), Some(2));
        assert_eq!(free.take(3), None);
        free.give_back(2, 1);
        assert_eq!(free.take(3), Some(2));
        free.give_back(0, 2);
        free.give_back(5, 1);
        free.give_back(2, 3);
        assert_eq!(free.runs, BTreeMap::from([(0, 6)]));
        free.give_back(6, 4);
        assert_eq!((free.fresh, free.runs.len()), (0, 0));
        assert_eq!(free.take(11), None);
        assert_eq!(free.take(usize::MAX), None);
        assert_eq!(free.take(10), Some(0));
    }

    #[test]
    fn memory_and_cards_are_zero_whenever_they_are_taken() {
        for _ in 0..3 {
            let start = take(3).expect("there is memory");
            assert_eq!(start.addr() % CHUNK, 0);
            for at in [0, 8, CARD - 8, 2 * CHUNK, 3 * CHUNK - 8] {
                let word = start.wrapping_add(at).cast::<u64>();
                // SAFETY: within what was taken.
                unsafe {
                    assert_eq!(word.read(), 0);
                    word.write(7);
                }
                barrier(word.cast());
            }
            let dirty = |n: usize| {
                // SAFETY: cards of what was taken.
                unsafe { card_at(start.addr() + n * CARD).read() }
            };
            let marked: Vec<usize> = (0..3 * CHUNK_CARDS).filter(|&n| dirty(n) != 0).collect();
            assert_eq!(marked, [0, 2 * CHUNK_CARDS, 3 * CHUNK_CARDS - 1]);
            assert_eq!(
                card_of_zero()
                    .addr()
                    .wrapping_add(start.addr() >> CARD_SHIFT),
                card_at(start.addr()).addr()
            );
            // SAFETY: nothing refers to it.
            unsafe { give_back(start, 3) };
        }
    }

    #[test]
    fn a_child_has_memory_whatever_other_threads_were_doing() {
        let is_done = AtomicBool::new(false);
        let once = || {
            let start = take(1).expect("there is memory");
            // SAFETY: nothing refers to it.
            unsafe { give_back(start, 1) };
        };
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !is_done.load(Relaxed) {
                    once();
                }
            });
            for _ in 0..200 {
                // SAFETY: the child takes memory and ends.
                let child = unsafe { libc::fork() };
                assert!(child >= 0, "the system makes another process");
                if child == 0 {
                    once();
                    // SAFETY: nothing of this process is needed any more.
                    unsafe { libc::_exit(0) };
                }
                let mut status = 0;
                // SAFETY: a child of this process, and a place for its status.
                assert_eq!(unsafe { libc::waitpid(child, &mut status, 0) }, child);
                assert_eq!(status, 0);
            }
            is_done.store(true, Relaxed);
        });
    }

    #[test]
    fn what_is_wiped_is_zero() {
        let start = take(1).expect("there is memory");
        // SAFETY: within what was taken.
        unsafe {
            for (from, bytes) in [(64 << 10, 64 << 10), (5000, 100), (5000, 60_000)] {
                start.wrapping_add(from - 1).write_bytes(1, bytes + 2);
                wipe(start.wrapping_add(from), bytes);
                assert!((0..bytes).all(|n| start.wrapping_add(from + n).read() == 0));
                assert_eq!(start.wrapping_add(from - 1).read(), 1);
                assert_eq!(start.wrapping_add(from + bytes).read(), 1);
            }
            give_back(start, 1);
        }
    }

    #[test]
    fn a_cell_outside_of_all_heaps_has_no_card() {
        assert!(reserve());
        let local = 0u64;
        barrier((&raw const local).cast());
        barrier(std::ptr::null());
        barrier(std::ptr::without_provenance(usize::MAX));
        assert!(!contains((&raw const local).addr()));
    }
}
