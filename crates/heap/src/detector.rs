//! The detector of references on Rust's own heap: a global allocator that knows the words of all
//! blocks which a thread has requested and not given back.
//!
//! In stress mode the collector looks through these words for objects that it is about to free: one
//! that only they refer to is a mistake, which it reports by the object's class.
//!
//! Invariants: a block's words were zero when it was handed out, so that nothing is found in it
//! that was left by an earlier block; blocks that are given back are in no list; what the VM
//! allocates for itself ([`own`]) never was in one, since its tables mention objects that they do
//! not keep alive: weak references, constants of code that is freed with them, the work of the
//! collector.
//!
//! A block belongs to the thread that has requested it, and is given back by any: each list has a
//! lock. Objects belong to one thread, so only that thread's blocks can mention them.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::{Cell, UnsafeCell};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// A global allocator for tests: the system's, which also knows what lies on Rust's heap.
///
/// ```text
/// #[global_allocator]
/// static DETECTOR: verdigris::Detector = verdigris::Detector;
/// ```
///
/// With the parameter `stress=1` or `stress=young`, an object that is about to be freed, and that a
/// `Vec`, a `Box` or anything else on Rust's heap refers to, is a panic which names the object's
/// class. Words are taken for references by what they look like: an item that has been popped off a
/// `Vec` of references is reported, if nothing has overwritten it. What was there before the object
/// was, is not: values are moved with all their bytes, also those that mean nothing and hold what
/// the stack held. What is in a `static`, a `thread_local!` or on a foreign stack is not seen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Detector;

/// In front of each block.
#[repr(C)]
struct Head {
    previous: *mut Head,
    next: *mut Head,
    /// Bytes of the block.
    size: usize,
    /// The number of the list that the block is in, or [`NO_LIST`].
    list: u32,
    /// The thread that has asked for it.
    thread: u32,
}

const HEAD: usize = size_of::<Head>();
/// The number of lists: threads with different remainders do not wait for each other.
const LISTS: usize = 64;
const NO_LIST: u32 = u32::MAX;

/// The blocks of the threads with one remainder.
struct List {
    locked: AtomicBool,
    first: UnsafeCell<*mut Head>,
}

// SAFETY: `first`, and the links of the blocks in the list, are touched by the one alone who has
// locked it.
unsafe impl Sync for List {}

static BLOCKS: [List; LISTS] = [const {
    List {
        locked: AtomicBool::new(false),
        first: UnsafeCell::new(null_mut()),
    }
}; LISTS];

/// Whether the program has this allocator.
static INSTALLED: AtomicBool = AtomicBool::new(false);
static THREADS: AtomicU32 = AtomicU32::new(1);

thread_local! {
    /// The number of this thread; 0 if it has none yet.
    static THREAD: Cell<u32> = const { Cell::new(0) };
    /// Whether what is allocated is the VM's own.
    static OWN: Cell<bool> = const { Cell::new(false) };
}

fn this_thread() -> u32 {
    let known = THREAD.get();
    if known != 0 {
        return known;
    }
    let new = THREADS.fetch_add(1, Ordering::Relaxed).max(1);
    THREAD.set(new);
    new
}

/// Until the value is dropped, it is known whose the memory is that this thread asks for.
pub struct Whose(Option<bool>);

impl Whose {
    #[inline]
    fn set(own: bool) -> Whose {
        Whose(INSTALLED.load(Ordering::Relaxed).then(|| OWN.replace(own)))
    }
}

impl Drop for Whose {
    #[inline]
    fn drop(&mut self) {
        if let Some(before) = self.0 {
            OWN.set(before);
        }
    }
}

/// From here on memory is the VM's own. It costs a load where there is no detector.
#[inline]
pub fn own() -> Whose {
    Whose::set(true)
}

/// From here on memory is that of the interpreter and its functions.
#[inline]
pub fn guests() -> Whose {
    Whose::set(false)
}

/// The lock of a list.
struct Locked(&'static List);

impl Locked {
    fn new(list: u32) -> Locked {
        let list = &BLOCKS[list as usize % LISTS];
        while list.locked.swap(true, Ordering::Acquire) {
            std::thread::yield_now();
        }
        Locked(list)
    }

    fn first(&mut self) -> &mut *mut Head {
        // SAFETY: the list is locked.
        unsafe { &mut *self.0.first.get() }
    }
}

impl Drop for Locked {
    fn drop(&mut self) {
        self.0.locked.store(false, Ordering::Release);
    }
}

/// The layout of a block with its head, and how far behind the start the block is.
fn with_head(layout: Layout) -> Option<(Layout, usize)> {
    let align = layout.align().max(align_of::<Head>());
    let at = HEAD.next_multiple_of(align);
    let size = layout.size().checked_add(at)?;
    Some((Layout::from_size_align(size, align).ok()?, at))
}

/// The head of a block.
fn head_of(block: *mut u8) -> *mut Head {
    block.wrapping_sub(HEAD).cast()
}

/// Enters a block into the list of this thread.
///
/// # Safety
/// The head lies in front of a block of the caller's that is in no list.
unsafe fn link(head: *mut Head, size: usize) {
    let thread = this_thread();
    // What a panic's message needs is in part kept for the next one: tables for backtraces, of many
    // megabytes.
    let own = OWN.get() || std::thread::panicking();
    let list = if own { NO_LIST } else { thread % LISTS as u32 };
    let mut new = Head {
        previous: null_mut(),
        next: null_mut(),
        size,
        list,
        thread,
    };
    // SAFETY: the caller's promise; a first block of a locked list is alive.
    unsafe {
        if own {
            head.write(new);
            return;
        }
        let mut locked = Locked::new(list);
        new.next = *locked.first();
        head.write(new);
        if let Some(next) = (*head).next.as_mut() {
            next.previous = head;
        }
        *locked.first() = head;
    }
}

/// Takes a block out of its list.
///
/// # Safety
/// The head is that of a block which is given back.
unsafe fn unlink(head: *mut Head) {
    // SAFETY: the caller's promise; `list` never changes, and neighbours in a locked list are
    // alive.
    unsafe {
        if (*head).list == NO_LIST {
            return;
        }
        let mut locked = Locked::new((*head).list);
        let (previous, next) = ((*head).previous, (*head).next);
        match previous.as_mut() {
            Some(previous) => previous.next = next,
            None => *locked.first() = next,
        }
        if let Some(next) = next.as_mut() {
            next.previous = previous;
        }
    }
}

// SAFETY: blocks are parts of blocks of the system's allocator with the alignment asked for, behind
// their heads.
unsafe impl GlobalAlloc for Detector {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the same promise.
        unsafe { self.alloc_zeroed(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        INSTALLED.store(true, Ordering::Relaxed);
        let Some((whole, at)) = with_head(layout) else {
            return null_mut();
        };
        // SAFETY: the layout has at least a head's size, and the head lies in front of the block.
        unsafe {
            let start = System.alloc_zeroed(whole);
            if start.is_null() {
                return null_mut();
            }
            let block = start.add(at);
            link(head_of(block), layout.size());
            block
        }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        let Some((whole, at)) = with_head(layout) else {
            return;
        };
        // SAFETY: the block is one of these, and its layout the same.
        unsafe {
            unlink(head_of(block));
            System.dealloc(block.sub(at), whole);
        }
    }
}

/// Whether the program's allocator is the detector.
pub(crate) fn is_installed() -> bool {
    INSTALLED.load(Ordering::Relaxed)
}

/// Calls a function for each word of the blocks of this thread, with the word's address. What
/// memory it asks for must be the VM's [`own`].
pub(crate) fn each_word(mut look: impl FnMut(usize, u64)) {
    let thread = this_thread();
    let mut locked = Locked::new(thread % LISTS as u32);
    let mut head = *locked.first();
    // SAFETY: blocks in a locked list are alive, and their words readable. Volatile, since their
    // owners may not know.
    unsafe {
        while let Some(block) = head.as_ref() {
            if block.thread == thread {
                let start = head.cast::<u8>().add(HEAD);
                let end = start.wrapping_add(block.size);
                let mut at = start.map_addr(|a| a.next_multiple_of(8));
                while at.wrapping_add(8) <= end {
                    look(at.addr(), at.cast::<u64>().read_volatile());
                    at = at.wrapping_add(8);
                }
            }
            head = block.next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words() -> Vec<u64> {
        // The vector is the test's own, and is not asked for more while words are looked at.
        let mut found = Vec::with_capacity(1 << 16);
        each_word(|_, word| {
            if word >> 32 == 0x5EC2_E700 && found.len() < found.capacity() {
                found.push(word);
            }
        });
        found
    }

    fn block(layout: Layout, word: u64) -> *mut u8 {
        // SAFETY: the layout has room for a word.
        unsafe {
            let block = Detector.alloc(layout);
            assert_eq!(block.addr() % layout.align(), 0);
            assert_eq!(block.cast::<u64>().read(), 0);
            block.cast::<u64>().write(word);
            block
        }
    }

    const SECRET: u64 = 0x5EC2_E700_0000_0000;

    #[test]
    fn what_is_alive_is_looked_at() {
        let layouts = [(8, 8), (100, 1), (64, 64), (4096, 4096)]
            .map(|(size, align)| Layout::from_size_align(size, align).unwrap());
        let blocks: Vec<_> = (1..)
            .zip(layouts)
            .map(|(n, layout)| (block(layout, SECRET + n), layout))
            .collect();
        let mut found = words();
        found.sort_unstable();
        assert_eq!(found, [1, 2, 3, 4].map(|n| SECRET + n));
        // SAFETY: these blocks, in another order.
        unsafe {
            for n in [1, 3] {
                Detector.dealloc(blocks[n].0, blocks[n].1);
            }
        }
        let mut found = words();
        found.sort_unstable();
        assert_eq!(found, [1, 3].map(|n| SECRET + n));
        // SAFETY: the others.
        unsafe {
            for n in [0, 2] {
                Detector.dealloc(blocks[n].0, blocks[n].1);
            }
        }
        assert!(words().is_empty());
    }

    #[test]
    fn what_grows_is_still_there_and_new_memory_is_zero() {
        let layout = Layout::from_size_align(64, 8).unwrap();
        let old = block(layout, SECRET + 7);
        // SAFETY: the block, with its layout.
        unsafe {
            let new = Detector.realloc(old, layout, 1 << 16);
            assert_eq!(words(), [SECRET + 7]);
            let bytes = std::slice::from_raw_parts(new.add(64), (1 << 16) - 64);
            assert!(bytes.iter().all(|byte| *byte == 0));
            Detector.dealloc(new, Layout::from_size_align(1 << 16, 8).unwrap());
        }
    }

    #[test]
    fn what_is_the_vms_own_is_not() {
        let layout = Layout::new::<u64>();
        // SAFETY: the blocks from above, with their layout.
        let free = |block| unsafe { Detector.dealloc(block, layout) };
        let first = block(layout, SECRET + 1);
        let hidden = {
            let _own = own();
            let hidden = block(layout, SECRET + 2);
            let _guests = guests();
            let seen = block(layout, SECRET + 3);
            assert_eq!(words(), [SECRET + 3, SECRET + 1]);
            free(seen);
            hidden
        };
        assert_eq!(words(), [SECRET + 1]);
        free(hidden);
        free(first);
        assert!(words().is_empty());
    }

    #[test]
    fn other_threads_have_their_own() {
        let layout = Layout::new::<u64>();
        let mine = block(layout, SECRET + 5);
        let address = mine.expose_provenance();
        let other = std::thread::spawn(move || {
            assert!(words().is_empty());
            // SAFETY: the block, which the other thread has not given back.
            unsafe { Detector.dealloc(std::ptr::with_exposed_provenance_mut(address), layout) };
            block(layout, SECRET + 6).expose_provenance()
        });
        let other = other.join().unwrap();
        assert!(words().is_empty());
        // SAFETY: the other thread's block, which it has given away.
        unsafe { Detector.dealloc(std::ptr::with_exposed_provenance_mut(other), layout) };
    }
}
