//! The memory of large objects: runs of pages. Free runs next to each other are joined, unless one
//! of them is known to be zero and the other is not.

use crate::memory::address_space::{self, CARD, CHUNK};
use std::collections::BTreeMap;

/// What sizes are rounded up to: a multiple of a card.
const PAGE: usize = 4 << 10;

const _: () = assert!(CHUNK.is_multiple_of(PAGE) && PAGE.is_multiple_of(CARD));

/// Free pages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Run {
    bytes: usize,
    /// They may hold something else than zeros.
    dirty: bool,
}

/// Pages of one heap.
#[derive(Default)]
pub(crate) struct Pages {
    /// The chunks that they are in, as runs: where they start, and how many there are.
    chunks: Vec<(*mut u8, usize)>,
    /// By their address.
    free: BTreeMap<*mut u8, Run>,
}

impl Pages {
    /// Zeroed memory for this many bytes.
    pub(crate) fn take(&mut self, size: usize) -> Option<*mut u8> {
        let bytes = self.make_room(size)?;
        let (&start, &run) = self.free.iter().find(|(_, run)| run.bytes >= bytes)?;
        self.free.remove(&start);
        if run.bytes > bytes {
            let rest = Run {
                bytes: run.bytes - bytes,
                ..run
            };
            self.free.insert(start.wrapping_add(bytes), rest);
        }
        if run.dirty {
            // SAFETY: free pages.
            unsafe { start.write_bytes(0, size) };
        }
        Some(start)
    }

    /// Makes sure that there are free pages in a row for this many bytes; gives these, rounded up.
    pub(crate) fn make_room(&mut self, size: usize) -> Option<usize> {
        let bytes = size.checked_next_multiple_of(PAGE)?;
        if !self.free.values().any(|run| run.bytes >= bytes) {
            self.add_chunks(bytes.div_ceil(CHUNK))?;
        }
        Some(bytes)
    }

    /// Frees memory.
    ///
    /// # Safety
    /// It was taken with this size, and nothing refers to it any more.
    pub(crate) unsafe fn give_back(&mut self, start: *mut u8, size: usize) {
        let bytes = size.next_multiple_of(PAGE);
        self.add(start, Run { bytes, dirty: true });
    }

    /// Gives free memory back to the system but for this many bytes.
    pub(crate) fn trim(&mut self, keep: usize) {
        let mut kept = 0;
        let mut zero = Vec::new();
        for (start, run) in std::mem::take(&mut self.free) {
            if run.dirty && kept + run.bytes <= keep {
                kept += run.bytes;
                self.add(start, run);
                continue;
            }
            if run.dirty {
                // SAFETY: free pages.
                unsafe { address_space::wipe(start, run.bytes) };
            }
            zero.push((start, run.bytes));
        }
        for (start, bytes) in zero {
            let dirty = false;
            self.add(start, Run { bytes, dirty });
        }
        self.give_chunks_back();
    }

    /// Forgets where references have been stored in all of the memory.
    pub(crate) fn clear_cards(&mut self) {
        for &(start, chunks) in &self.chunks {
            // SAFETY: the cards of chunks of this heap.
            unsafe {
                address_space::card_at(start.addr())
                    .write_bytes(0, chunks * address_space::CHUNK_CARDS)
            };
        }
    }

    fn add_chunks(&mut self, chunks: usize) -> Option<()> {
        let start = address_space::take(chunks)?;
        self.chunks.push((start, chunks));
        let bytes = chunks * CHUNK;
        let dirty = false;
        self.add(start, Run { bytes, dirty });
        Some(())
    }

    /// Adds free pages, joined with those next to them.
    fn add(&mut self, mut start: *mut u8, mut run: Run) {
        let behind = start.wrapping_add(run.bytes);
        if let Some(&next) = self.free.get(&behind)
            && next.dirty == run.dirty
        {
            self.free.remove(&behind);
            run.bytes += next.bytes;
        }
        if let Some((&before, &previous)) = self.free.range(..start).next_back()
            && before.wrapping_add(previous.bytes) == start
            && previous.dirty == run.dirty
        {
            self.free.remove(&before);
            run.bytes += previous.bytes;
            start = before;
        }
        self.free.insert(start, run);
    }

    /// Gives the chunks back that are free as a whole, and known to be zero.
    fn give_chunks_back(&mut self) {
        let dirty = false;
        for (start, chunks) in std::mem::take(&mut self.chunks) {
            let bytes = chunks * CHUNK;
            let run = self.free.range(..=start).next_back();
            let Some((&from, &run)) = run.filter(|&(&from, run)| {
                !run.dirty && from.wrapping_add(run.bytes) >= start.wrapping_add(bytes)
            }) else {
                self.chunks.push((start, chunks));
                continue;
            };
            self.free.remove(&from);
            let before = start.addr() - from.addr();
            let behind = run.bytes - before - bytes;
            for (start, bytes) in [(from, before), (start.wrapping_add(bytes), behind)] {
                if bytes > 0 {
                    self.add(start, Run { bytes, dirty });
                }
            }
            // SAFETY: no object lies in them.
            unsafe { address_space::give_back(start, chunks) };
        }
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        for &(start, chunks) in &self.chunks {
            // SAFETY: the heap is gone, and its objects with it.
            unsafe { address_space::give_back(start, chunks) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The free runs of a heap: kilobytes, and whether they are dirty.
    fn free(pages: &Pages) -> Vec<(usize, bool)> {
        pages
            .free
            .values()
            .map(|r| (r.bytes >> 10, r.dirty))
            .collect()
    }

    #[test]
    fn pages_are_taken_from_the_first_run_that_is_long_enough_and_are_zero() {
        let mut pages = Pages::default();
        let sizes = [20_000, 16 << 10, 500_000];
        let starts = sizes.map(|size| pages.take(size).expect("there is memory"));
        assert_eq!(
            starts.map(|s| s.addr() - starts[0].addr()),
            [0, 20 << 10, 36 << 10]
        );
        assert_eq!(free(&pages), [(1024 - 36 - 492, false)]);
        // SAFETY: memory that was taken, and is given up.
        unsafe {
            starts[2].write_bytes(7, 500_000);
            pages.give_back(starts[2], 500_000);
            pages.give_back(starts[0], 20_000);
            assert_eq!(free(&pages), [(20, true), (492, true), (496, false)]);
            let again = pages.take(100_000).expect("there is memory");
            assert_eq!(again, starts[2]);
            assert!((0..100_000).all(|n| again.wrapping_add(n).read() == 0));
            pages.give_back(again, 100_000);
            pages.give_back(starts[1], 16 << 10);
        }
        assert_eq!(free(&pages), [(528, true), (496, false)]);
    }

    #[test]
    fn what_is_trimmed_is_zero_or_gone() {
        let mut pages = Pages::default();
        let [a, b] = [3 << 20, 1000].map(|size| pages.take(size).expect("there is memory"));
        // SAFETY: memory that was taken, and is given up.
        unsafe {
            a.write_bytes(7, 3 << 20);
            pages.give_back(a, 3 << 20);
            pages.trim(4 << 20);
            // The chunk of `b` may lie in front of it.
            assert!(free(&pages).contains(&(3072, true)));
            pages.trim(0);
            assert_eq!(pages.chunks.len(), 1);
            b.write(1);
            pages.give_back(b, 1000);
            pages.trim(0);
            assert!(pages.chunks.is_empty() && pages.free.is_empty());
        }
    }
}
