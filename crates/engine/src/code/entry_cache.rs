//! The short way from native code into compiled code. In: green values, with their hash. Out: the
//! code that they have, if it was entered before. Invariant: a way leads to the code that its loop
//! has: when a loop gets other code or loses it, its way is forgotten ([`crate::code::jit_cells`]),
//! so a way that is found need not be checked.
//!
//! The table is direct-mapped, beside the counters and by the same hash: loops that share a slot
//! push each other out, and find their code by the longer way
//! ([`crate::code::jit_cells::Cells::find`]).

use std::rc::Rc;

/// Slots, a power of two: few loops are entered from native code often, and so many are 4 KB.
const SLOTS: usize = 512;

/// Code that was entered, and where.
pub(crate) struct Way<C> {
    greens: Rc<[u64]>,
    pub(crate) code: C,
}

impl<C> Way<C> {
    /// Word by word: there are few, and calling `memcmp` would cost more than all else that
    /// [`Ways::find`] does.
    #[inline]
    fn is_of(&self, greens: &[u64]) -> bool {
        let mut pairs = self.greens.iter().zip(greens);
        self.greens.len() == greens.len() && pairs.all(|(a, b)| a == b)
    }
}

/// The ways that are known.
pub(crate) struct Ways<C>(Box<[Option<Rc<Way<C>>>]>);

impl<C> Default for Ways<C> {
    fn default() -> Ways<C> {
        Ways((0..SLOTS).map(|_| None).collect())
    }
}

impl<C> Ways<C> {
    fn slot(hash: u64) -> usize {
        hash as usize & (SLOTS - 1)
    }

    /// The way that these greens have. What it leads to stays while the caller has the result, even
    /// if it is forgotten meanwhile.
    #[inline]
    pub(crate) fn find(&self, hash: u64, greens: &[u64]) -> Option<Rc<Way<C>>> {
        self.way(hash, greens).cloned()
    }

    /// What is known of these greens.
    #[inline]
    pub(crate) fn code(&self, hash: u64, greens: &[u64]) -> Option<&C> {
        self.way(hash, greens).map(|way| &way.code)
    }

    #[inline]
    fn way(&self, hash: u64, greens: &[u64]) -> Option<&Rc<Way<C>>> {
        let way = self.0[Self::slot(hash)].as_ref()?;
        way.is_of(greens).then_some(way)
    }

    /// These greens have this code.
    pub(crate) fn add(&mut self, hash: u64, greens: Rc<[u64]>, code: C) -> Rc<Way<C>> {
        let way = Rc::new(Way { greens, code });
        self.0[Self::slot(hash)] = Some(Rc::clone(&way));
        way
    }

    /// These greens have other code from now on, or none.
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
        let mut ways = Ways::default();
        let greens: Rc<[u64]> = Rc::new([7, 8]);
        let kept = ways.add(5, Rc::clone(&greens), "first");
        let found = |ways: &Ways<&'static str>, hash, greens: &[u64]| {
            ways.find(hash, greens).map(|way| way.code)
        };
        assert_eq!(found(&ways, 5, &[7, 8]), Some("first"));
        assert_eq!(found(&ways, 5, &[8, 7]), None);
        assert_eq!(found(&ways, 5, &[7]), None);
        assert_eq!(found(&ways, 6, &[7, 8]), None);
        // Others that share the slot forget their own way only.
        ways.forget(5, &[8, 7]);
        assert_eq!(found(&ways, 5, &[7, 8]), Some("first"));
        ways.forget(5, &[7, 8]);
        assert_eq!(found(&ways, 5, &[7, 8]), None);
        assert_eq!(kept.code, "first", "whoever runs it has it");
    }

    #[test]
    fn who_shares_a_slot_is_pushed_out() {
        let mut ways = Ways::default();
        ways.add(5, Rc::new([1]), 1);
        ways.add(5 + SLOTS as u64, Rc::new([2]), 2);
        assert!(ways.find(5, &[1]).is_none());
        assert_eq!(
            ways.find(5 + SLOTS as u64, &[2]).map(|way| way.code),
            Some(2)
        );
    }
}
