//! A direct-mapped cache of entries from native code into compiled code, by greens and their hash.
//!
//! Invariant: an entry leads to the code that its place has: [`crate::code::jit_cells`] removes it
//! when the place gets other code or loses it, so a hit needs no check. Places that share a slot
//! evict each other, and are found by [`crate::code::jit_cells::JitCells::find`].

use std::rc::Rc;

/// Slots, a power of two: few places are entered from native code often, and this takes 4 KB.
const SLOTS: usize = 512;

/// The code of a place.
pub(crate) struct CachedEntry<C> {
    greens: Rc<[u64]>,
    pub(crate) code: C,
}

impl<C> CachedEntry<C> {
    /// Compares word by word: there are few, and a call of `memcmp` would cost more than the rest
    /// of [`EntryCache::find`].
    #[inline]
    fn is_of(&self, greens: &[u64]) -> bool {
        let mut pairs = self.greens.iter().zip(greens);
        self.greens.len() == greens.len() && pairs.all(|(a, b)| a == b)
    }
}

/// The cache.
pub(crate) struct EntryCache<C>(Box<[Option<Rc<CachedEntry<C>>>]>);

impl<C> Default for EntryCache<C> {
    fn default() -> EntryCache<C> {
        EntryCache((0..SLOTS).map(|_| None).collect())
    }
}

impl<C> EntryCache<C> {
    fn slot(hash: u64) -> usize {
        hash as usize & (SLOTS - 1)
    }

    /// The entry for these greens. Its code stays alive with the result, even if the entry is
    /// removed.
    #[inline]
    pub(crate) fn find(&self, hash: u64, greens: &[u64]) -> Option<Rc<CachedEntry<C>>> {
        self.entry(hash, greens).cloned()
    }

    /// The code for these greens, by reference.
    #[inline]
    pub(crate) fn code(&self, hash: u64, greens: &[u64]) -> Option<&C> {
        self.entry(hash, greens).map(|way| &way.code)
    }

    #[inline]
    fn entry(&self, hash: u64, greens: &[u64]) -> Option<&Rc<CachedEntry<C>>> {
        let way = self.0[Self::slot(hash)].as_ref()?;
        way.is_of(greens).then_some(way)
    }

    /// Adds an entry.
    pub(crate) fn add(&mut self, hash: u64, greens: Rc<[u64]>, code: C) -> Rc<CachedEntry<C>> {
        let way = Rc::new(CachedEntry { greens, code });
        self.0[Self::slot(hash)] = Some(Rc::clone(&way));
        way
    }

    /// Removes the entry for these greens, if there is one.
    pub(crate) fn forget(&mut self, hash: u64, greens: &[u64]) {
        let slot = &mut self.0[Self::slot(hash)];
        if slot.as_ref().is_some_and(|way| way.is_of(greens)) {
            *slot = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_leads_to_what_its_greens_have_until_it_is_forgotten() {
        let mut ways = EntryCache::default();
        let greens: Rc<[u64]> = Rc::new([7, 8]);
        let kept = ways.add(5, Rc::clone(&greens), "first");
        let found = |ways: &EntryCache<&'static str>, hash, greens: &[u64]| {
            ways.find(hash, greens).map(|way| way.code)
        };
        assert_eq!(found(&ways, 5, &[7, 8]), Some("first"));
        assert_eq!(found(&ways, 5, &[8, 7]), None);
        assert_eq!(found(&ways, 5, &[7]), None);
        assert_eq!(found(&ways, 6, &[7, 8]), None);
        // Others that share the slot remove only their own entry.
        ways.forget(5, &[8, 7]);
        assert_eq!(found(&ways, 5, &[7, 8]), Some("first"));
        ways.forget(5, &[7, 8]);
        assert_eq!(found(&ways, 5, &[7, 8]), None);
        assert_eq!(kept.code, "first", "whoever runs it has it");
    }

    #[test]
    fn who_shares_a_slot_is_pushed_out() {
        let mut ways = EntryCache::default();
        ways.add(5, Rc::new([1]), 1);
        ways.add(5 + SLOTS as u64, Rc::new([2]), 2);
        assert!(ways.find(5, &[1]).is_none());
        assert_eq!(
            ways.find(5 + SLOTS as u64, &[2]).map(|way| way.code),
            Some(2)
        );
    }
}
