//! Large objects, each in pages of its own. Between [`LargeSpace::sort`] and the next allocation
//! the lists are in the order of addresses; an object is young until it has survived a collection.

use crate::collector::CollectScope;
use crate::memory::address_space::{CARD, CHUNK};
use crate::memory::chunk::dirty_cards;
use crate::memory::pages::Pages;
use std::collections::VecDeque;
use std::ptr::NonNull;

/// Bytes of freed large objects kept poisoned in stress mode before their memory is used again.
const QUARANTINE: usize = 16 << 20;

/// A large object.
#[derive(Clone, Copy, Debug)]
struct Large {
    address: NonNull<u8>,
    size: usize,
}

impl Large {
    fn start(&self) -> *mut u8 {
        self.address.as_ptr()
    }
}

/// The large objects of a heap.
#[derive(Default)]
pub(crate) struct LargeSpace {
    pages: Pages,
    old: Vec<Large>,
    young: Vec<Large>,
    bytes: usize,
    quarantine: VecDeque<Large>,
    quarantined: usize,
}

impl LargeSpace {
    /// Zeroed memory.
    pub(crate) fn alloc(&mut self, size: usize) -> Option<NonNull<u8>> {
        let address = NonNull::new(self.pages.take(size)?)?;
        self.bytes += size;
        self.young.push(Large { address, size });
        Some(address)
    }

    /// Makes sure that there is memory for this many bytes. False if the system has none.
    pub(crate) fn make_room(&mut self, size: usize) -> bool {
        self.pages.make_room(size).is_some()
    }

    pub(crate) fn len(&self) -> usize {
        self.old.len() + self.young.len()
    }

    /// Bytes of all objects.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Prepares for [`LargeSpace::resolve`].
    pub(crate) fn sort(&mut self) {
        self.young.sort_unstable_by_key(|l| l.address);
    }

    /// The object of the scope with this address in it.
    pub(crate) fn resolve(&self, address: usize, scope: CollectScope) -> Option<*mut u8> {
        let old = (scope == CollectScope::All).then_some(&self.old);
        old.into_iter().chain([&self.young]).find_map(|list| {
            let index = list.partition_point(|l| l.start().addr() <= address);
            let large = &list[index.checked_sub(1)?];
            (address < large.start().addr() + large.size).then_some(large.start())
        })
    }

    /// Whether an object starts at this address.
    pub(crate) fn starts_at(&self, address: usize) -> bool {
        let mut all = self.old.iter().chain(&self.young);
        all.any(|large| large.start().addr() == address)
    }

    /// The object with this address in it, if it survived the last collection.
    pub(crate) fn old_at(&self, address: usize) -> Option<*mut u8> {
        let mut old = self.old.iter().map(|l| (l.start(), l.size));
        let found =
            old.find(|(start, size)| (start.addr()..start.addr() + size).contains(&address));
        found.map(|(start, _)| start)
    }

    /// The objects in which references have been stored that survived the last collection, with the
    /// starts of the 512 bytes where.
    pub(crate) fn dirty_cards(&self) -> impl Iterator<Item = (*mut u8, *mut u8)> {
        self.old.iter().flat_map(|large| {
            let cards = dirty_cards(large.start(), large.size.div_ceil(CARD));
            cards.map(|card| (large.start(), card))
        })
    }

    /// Calls a function for each object: it makes them young.
    pub(crate) fn unmark(&self, unmark: impl Fn(*mut u8)) {
        let all = self.old.iter().chain(&self.young);
        all.for_each(|large| unmark(large.start()));
    }

    /// Forgets where references have been stored.
    pub(crate) fn clear_cards(&mut self) {
        self.pages.clear_cards();
    }

    /// Frees those objects in the scope that are not live; with a poison, overwrites them and keeps
    /// them for a while. Of the memory that is free then, `keep` bytes are not given back to the
    /// system.
    pub(crate) fn sweep(
        &mut self,
        scope: CollectScope,
        mut live: impl FnMut(*mut u8) -> bool,
        poison: Option<u64>,
        keep: usize,
    ) {
        let mut candidates = std::mem::take(&mut self.young);
        if scope == CollectScope::All {
            candidates.append(&mut self.old);
        }
        for large in candidates {
            if live(large.start()) {
                self.old.push(large);
                continue;
            }
            self.bytes -= large.size;
            match poison {
                Some(poison) => self.keep_poisoned(large, poison),
                None => self.free(large),
            }
        }
        self.old.sort_by_key(|l| l.address);
        if scope == CollectScope::All {
            self.pages.trim(keep);
        }
    }

    fn free(&mut self, large: Large) {
        // SAFETY: nothing refers to it.
        unsafe { self.pages.give_back(large.start(), large.size) };
    }

    fn keep_poisoned(&mut self, large: Large, poison: u64) {
        let words = large.start().cast::<u64>();
        for i in 0..large.size / 8 {
            // SAFETY: within the object, which is aligned to pages and not given back yet.
            unsafe { words.add(i).write(poison) };
        }
        self.quarantined += large.size;
        self.quarantine.push_back(large);
        while self.quarantined > QUARANTINE {
            let Some(oldest) = self.quarantine.pop_front() else {
                return;
            };
            self.quarantined -= oldest.size;
            self.free(oldest);
        }
    }
}

// Objects of one heap lie in chunks that no other heap uses.
const _: () = assert!(CHUNK.is_multiple_of(CARD));

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::address_space::barrier;

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
                assert_eq!(
                    space.resolve(object.addr() + inside, CollectScope::All),
                    Some(object)
                );
            }
            assert_ne!(
                space.resolve(object.addr() + size, CollectScope::All),
                Some(object)
            );
            assert_ne!(
                space.resolve(object.addr() - 1, CollectScope::All),
                Some(object)
            );
        }
        let dead = objects[1].0;
        space.sweep(CollectScope::Young, |o| o != dead, Some(0xDEAD), 0);
        assert_eq!((space.len(), space.bytes()), (2, 120_000));
        // SAFETY: poisoned memory is kept for a while.
        unsafe { assert_eq!(dead.cast::<u64>().read(), 0xDEAD) };
        assert_eq!(space.resolve(dead.addr(), CollectScope::All), None);
        let young = space.alloc(30_000).unwrap().as_ptr();
        space.sort();
        let of_the_young = |object: *mut u8| space.resolve(object.addr(), CollectScope::Young);
        assert_eq!(of_the_young(young), Some(young));
        assert_eq!(of_the_young(objects[2].0), None);
        space.sweep(CollectScope::Young, |_| false, None, 0);
        assert_eq!((space.len(), space.bytes()), (2, 120_000));
        space.sort();
        assert_eq!(space.resolve(young.addr(), CollectScope::All), None);
        assert_eq!(
            space.resolve(objects[2].0.addr(), CollectScope::All),
            Some(objects[2].0)
        );
        space.sweep(CollectScope::All, |_| false, None, 0);
        assert_eq!((space.len(), space.bytes()), (0, 0));
    }

    #[test]
    fn only_old_objects_are_remembered_for_what_is_stored_in_them() {
        let mut space = LargeSpace::default();
        let object = space.alloc(40_000).unwrap().as_ptr();
        let place = object.wrapping_add(1030);
        barrier(place);
        assert_eq!(space.dirty_cards().next(), None);
        space.sweep(CollectScope::Young, |_| true, None, 0);
        let dirty: Vec<_> = space.dirty_cards().collect();
        assert_eq!(dirty, [(object, object.wrapping_add(1024))]);
        space.clear_cards();
        assert_eq!(space.dirty_cards().next(), None);
    }

    #[test]
    fn the_quarantine_is_bounded() {
        let mut space = LargeSpace::default();
        for _ in 0..40 {
            space.alloc(1 << 20).unwrap();
            space.sweep(CollectScope::All, |_| false, Some(1), 0);
        }
        assert!(space.quarantined <= QUARANTINE);
        assert_eq!(space.quarantine.len(), QUARANTINE >> 20);
    }
}
