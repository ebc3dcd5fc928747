//! A queue of samples between the signal handler, or another thread, and the VM. Putting a sample
//! in takes neither memory nor a lock; samples without room are counted.
//!
//! There is one producer and one consumer, on one thread or on two, maybe at the same time.

use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};

/// The most words of a sample's stack: its top.
pub const STACK_WORDS: usize = 2048;

/// The words of a sample beside its stack.
pub(crate) const HEAD: usize = 7;

/// The number of samples that can wait.
pub(crate) const SLOTS: usize = 32;

struct Slot {
    head: [AtomicU64; HEAD],
    /// The number of samples that found no room behind this one.
    missed: AtomicU32,
    len: AtomicUsize,
    stack: Box<[AtomicU64]>,
}

/// The samples that wait.
pub(crate) struct Ring {
    slots: Box<[Slot]>,
    /// How many have been put in.
    put: AtomicUsize,
    /// How many have been taken out.
    taken: AtomicUsize,
}

impl Ring {
    pub(crate) fn new() -> Ring {
        let slot = |_| Slot {
            head: Default::default(),
            missed: AtomicU32::new(0),
            len: AtomicUsize::new(0),
            stack: (0..STACK_WORDS).map(|_| AtomicU64::new(0)).collect(),
        };
        Ring {
            slots: (0..SLOTS).map(slot).collect(),
            put: AtomicUsize::new(0),
            taken: AtomicUsize::new(0),
        }
    }

    /// Puts a sample in: its head, and the words of the stack from its top on, as many as there is
    /// room for.
    pub(crate) fn put(&self, head: [u64; HEAD], stack: impl Iterator<Item = u64>) {
        let put = self.put.load(Ordering::Relaxed);
        if put - self.taken.load(Ordering::Acquire) == SLOTS {
            let last = &self.slots[(put - 1) % SLOTS];
            last.missed.fetch_add(1, Ordering::Relaxed);
            return;
        }
        let slot = &self.slots[put % SLOTS];
        for (to, word) in slot.head.iter().zip(head) {
            to.store(word, Ordering::Relaxed);
        }
        slot.missed.store(0, Ordering::Relaxed);
        let mut len = 0;
        for (to, word) in slot.stack.iter().zip(stack) {
            to.store(word, Ordering::Relaxed);
            len += 1;
        }
        slot.len.store(len, Ordering::Relaxed);
        self.put.store(put + 1, Ordering::Release);
    }

    /// Takes a sample out: its head, how many found no room behind it, and its stack in `words`.
    pub(crate) fn take(&self, words: &mut Vec<u64>) -> Option<([u64; HEAD], u32)> {
        let taken = self.taken.load(Ordering::Relaxed);
        if taken == self.put.load(Ordering::Acquire) {
            return None;
        }
        let slot = &self.slots[taken % SLOTS];
        let load = |word: &AtomicU64| word.load(Ordering::Relaxed);
        let head = std::array::from_fn(|n| load(&slot.head[n]));
        let missed = slot.missed.load(Ordering::Relaxed);
        words.clear();
        let len = slot.len.load(Ordering::Relaxed);
        words.extend(slot.stack[..len].iter().map(load));
        self.taken.store(taken + 1, Ordering::Release);
        Some((head, missed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_come_out_as_they_went_in_and_the_last_one_stands_for_what_had_no_room() {
        let ring = Ring::new();
        let mut words = Vec::new();
        for round in 0..3u64 {
            for n in 0..SLOTS as u64 + 5 {
                ring.put([round, n, 0, 0, 0, 0, 0], n..n + 3);
            }
            for n in 0..SLOTS as u64 {
                let (head, missed) = ring.take(&mut words).expect("a sample waits");
                assert_eq!(head, [round, n, 0, 0, 0, 0, 0]);
                assert_eq!(words, [n, n + 1, n + 2]);
                assert_eq!(missed, if n + 1 == SLOTS as u64 { 5 } else { 0 });
            }
            assert!(ring.take(&mut words).is_none());
        }
        ring.put([0; HEAD], 0..);
        assert!(ring.take(&mut words).is_some());
        assert_eq!(words.len(), STACK_WORDS);
    }
}
