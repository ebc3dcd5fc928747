//! Large objects: each in a piece of memory of its own. In: sizes. Out: zeroed memory, and the object that an address belongs to.
//! Invariant: between sorting and the next allocation the list is in the order of addresses.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::collections::VecDeque;
use std::ptr::NonNull;

/// Bytes of freed large objects kept poisoned in stress mode before they go back to the system.
const QUARANTINE: usize = 16 << 20;

/// A large object.
#[derive(Debug)]
struct Large {
    address: NonNull<u8>,
    size: usize,
}

impl Large {
    fn layout(size: usize) -> Layout {
        // Requests beyond half the address space never get here: the heap limit is checked first, and lengths are bounded.
        Layout::from_size_align(size, 16).expect("the size of a large object is bounded")
    }

    fn map(size: usize) -> Option<Large> {
        // SAFETY: the size is not 0.
        let address = unsafe { alloc_zeroed(Large::layout(size)) };
        NonNull::new(address).map(|address| Large { address, size })
    }
}

impl Drop for Large {
    fn drop(&mut self) {
        // SAFETY: allocated with the same layout in `map`.
        unsafe { dealloc(self.address.as_ptr(), Large::layout(self.size)) };
    }
}

/// The large objects of a heap.
#[derive(Default)]
pub(crate) struct LargeSpace {
    objects: Vec<Large>,
    bytes: usize,
    quarantine: VecDeque<Large>,
    quarantined: usize,
}

impl LargeSpace {
    pub(crate) fn alloc(&mut self, size: usize) -> Option<NonNull<u8>> {
        let large = Large::map(size)?;
        let address = large.address;
        self.bytes += size;
        self.objects.push(large);
        Some(address)
    }

    pub(crate) fn len(&self) -> usize {
        self.objects.len()
    }

    /// Bytes of all objects.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Prepares for [`LargeSpace::resolve`].
    pub(crate) fn sort(&mut self) {
        self.objects.sort_unstable_by_key(|l| l.address);
    }

    /// The object with this address in it.
    pub(crate) fn resolve(&self, address: usize) -> Option<*mut u8> {
        let index = self
            .objects
            .partition_point(|l| l.address.as_ptr().addr() <= address)
            .checked_sub(1)?;
        let large = &self.objects[index];
        let start = large.address.as_ptr();
        (address < start.addr() + large.size).then_some(start)
    }

    /// Frees the objects that are not live; with a poison, overwrites them and keeps them for a while.
    pub(crate) fn sweep(&mut self, mut live: impl FnMut(*mut u8) -> bool, poison: Option<u64>) {
        for large in std::mem::take(&mut self.objects) {
            if live(large.address.as_ptr()) {
                self.objects.push(large);
                continue;
            }
            self.bytes -= large.size;
            if let Some(poison) = poison {
                self.keep_poisoned(large, poison);
            }
        }
    }

    fn keep_poisoned(&mut self, large: Large, poison: u64) {
        let words = large.address.as_ptr().cast::<u64>();
        for i in 0..large.size / 8 {
            // SAFETY: within the object, which is 16-aligned and not given back yet.
            unsafe { words.add(i).write(poison) };
        }
        self.quarantined += large.size;
        self.quarantine.push_back(large);
        while self.quarantined > QUARANTINE {
            let Some(oldest) = self.quarantine.pop_front() else {
                return;
            };
            self.quarantined -= oldest.size;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resolve_and_sweep() {
        let mut space = LargeSpace::default();
        let objects: Vec<_> = [20_000, 40_000, 100_000]
            .map(|size| (space.alloc(size).unwrap().as_ptr(), size))
            .to_vec();
        space.sort();
        assert_eq!(space.bytes(), 160_000);
        for &(object, size) in &objects {
            for inside in [0, 1, size / 2, size - 1] {
                assert_eq!(space.resolve(object.addr() + inside), Some(object));
            }
            assert_ne!(space.resolve(object.addr() + size), Some(object));
            assert_ne!(space.resolve(object.addr() - 1), Some(object));
        }
        let dead = objects[1].0;
        space.sweep(|o| o != dead, Some(0xDEAD));
        assert_eq!((space.len(), space.bytes()), (2, 120_000));
        // SAFETY: poisoned memory is kept for a while.
        unsafe { assert_eq!(dead.cast::<u64>().read(), 0xDEAD) };
        assert_eq!(space.resolve(dead.addr()), None);
    }

    #[test]
    fn the_quarantine_is_bounded() {
        let mut space = LargeSpace::default();
        for _ in 0..40 {
            space.alloc(1 << 20).unwrap();
            space.sweep(|_| false, Some(1));
        }
        assert!(space.quarantined <= QUARANTINE);
        assert_eq!(space.quarantine.len(), QUARANTINE >> 20);
    }
}
