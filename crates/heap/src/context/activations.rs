//! The running activations of the portal, for a profile: addresses in their frames, outermost
//! first, with their greens, which are roots of the collector.
//!
//! Noting one takes little more than the stores. Nothing is noted at an activation's end: an entry
//! is thrown away when a frame above it is noted, and the reader of the list does the same with
//! what it has read before.

use std::cell::Cell;
use std::ops::Range;

/// The address of the entry in front of all others: no frame lies above it.
const OUTERMOST: u64 = u64::MAX;

/// How many activations there is room for at first.
const ROOM: usize = 1 << 10;

/// The activations that were noted since they were taken last, outermost first: a word with the
/// address of each, and the words of its greens.
#[derive(Debug)]
pub struct Activations {
    /// The words of each.
    stride: usize,
    /// The last one.
    last: Cell<*mut u64>,
    /// The last one that there is room for.
    end: Cell<*mut u64>,
    /// The memory, which a box has given up.
    memory: Cell<*mut [u64]>,
    /// Where noted calls are counted; null if they are not.
    counters: *mut u16,
}

impl Activations {
    /// None yet, of a portal with this many words of greens, whose calls native code counts in
    /// `counters` if these are not null.
    pub fn new(greens: usize, counters: *mut u16) -> Activations {
        let stride = 1 + greens;
        let activations = Activations {
            stride,
            last: Cell::new(std::ptr::null_mut()),
            end: Cell::new(std::ptr::null_mut()),
            memory: Cell::new(Box::into_raw(Box::default())),
            counters,
        };
        activations.put_in(&[OUTERMOST], ROOM);
        activations
    }

    /// Puts these words into new memory, with room for this many activations.
    fn put_in(&self, words: &[u64], room: usize) {
        let mut memory = vec![0; room * self.stride];
        memory[..words.len()].copy_from_slice(words);
        let memory = Box::into_raw(memory.into_boxed_slice());
        self.free(self.memory.replace(memory));
        let first = memory.cast::<u64>();
        let last = words.len().saturating_sub(1) / self.stride;
        self.last.set(first.wrapping_add(last * self.stride));
        self.end.set(first.wrapping_add((room - 1) * self.stride));
    }

    fn free(&self, memory: *mut [u64]) {
        // SAFETY: a box has given it up, and nothing else refers to it.
        drop(unsafe { Box::from_raw(memory) });
    }

    /// Notes that an activation with its frame around this address has come to its first merge
    /// point, and those have ended that lie below, unless there is no more room
    /// ([`Activations::grow`]). Returns where to count the call.
    ///
    /// # Safety
    /// The portal has this many words of greens, and `store` writes them.
    #[inline(always)]
    pub(crate) unsafe fn note(
        &self,
        frame: usize,
        greens: usize,
        store: impl FnOnce(*mut u64),
    ) -> Option<*mut u16> {
        let stride = 1 + greens;
        debug_assert_eq!(stride, self.stride);
        let mut last = self.last.get();
        // SAFETY: these are entries, and no frame lies above the first one. There is room for one
        // more behind each but the last one that there is room for.
        unsafe {
            while *last <= frame as u64 {
                last = last.sub(stride);
            }
            if last == self.end.get() {
                return None;
            }
            last = last.add(stride);
            *last = frame as u64;
            store(last.add(1));
        }
        self.last.set(last);
        Some(self.counters)
    }

    /// Makes room for more than there is room for now.
    pub(crate) fn grow(&self) {
        // SAFETY: all of the memory has been written, and nothing writes to it meanwhile.
        let memory = unsafe { &*self.memory.get() };
        let Range { start, end } = self.words();
        let used = memory
            .len()
            .min(self.stride + (end.addr() - start.addr()) / size_of::<u64>());
        self.put_in(&memory[..used], 2 * memory.len() / self.stride);
    }

    /// Moves all of them to the end of a list, the words of each behind one another.
    #[inline]
    pub fn take(&self, words: &mut Vec<u64>) {
        let Range { start, end } = self.words();
        let len = (end.addr() - start.addr()) / size_of::<u64>();
        if len > 0 {
            // SAFETY: these words have been written, and nothing writes to them meanwhile.
            words.extend_from_slice(unsafe { std::slice::from_raw_parts(start, len) });
            self.clear();
        }
    }

    /// Forgets all that have not been taken.
    pub fn clear(&self) {
        self.last.set(self.memory.get().cast());
    }

    /// The words of all that have not been taken.
    pub(crate) fn words(&self) -> Range<*const u64> {
        let first = self.memory.get().cast::<u64>();
        let behind = |entry: *mut u64| entry.wrapping_add(self.stride).cast_const();
        behind(first)..behind(self.last.get())
    }
}

impl Drop for Activations {
    fn drop(&mut self) {
        self.free(self.memory.get());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(activations: &Activations, frame: usize, green: u64) {
        // SAFETY: there is one green.
        let note = || unsafe { activations.note(frame, 1, |words| *words = green) };
        let counters = note().or_else(|| {
            activations.grow();
            note()
        });
        assert!(counters.is_some_and(<*mut u16>::is_null));
    }

    fn taken(activations: &Activations) -> Vec<u64> {
        let mut words = Vec::new();
        activations.take(&mut words);
        words
    }

    #[test]
    fn those_below_a_new_one_have_ended() {
        let activations = Activations::new(1, std::ptr::null_mut());
        assert_eq!(taken(&activations), []);
        for (frame, green) in [(900, 1), (800, 2), (700, 3), (800, 4), (750, 5)] {
            note(&activations, frame, green);
        }
        assert_eq!(taken(&activations), [900, 1, 800, 4, 750, 5]);
        // Those that were taken before are outside of these, or have ended.
        note(&activations, 750, 6);
        note(&activations, 880, 7);
        assert_eq!(taken(&activations), [880, 7]);
        assert_eq!(taken(&activations), []);
    }

    #[test]
    fn there_is_room_for_any_number() {
        let activations = Activations::new(1, std::ptr::null_mut());
        let all = 10 * ROOM;
        (0..all).for_each(|n| note(&activations, 8 * (all - n), n as u64));
        let words = taken(&activations);
        assert_eq!(words.len(), 2 * all);
        let expected = (0..all).flat_map(|n| [8 * (all - n) as u64, n as u64]);
        assert!(words.into_iter().eq(expected));
    }
}
