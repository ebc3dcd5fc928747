//! When to collect, and whether everything. Between two collections 4 MB are allocated at least,
//! and more below a deep stack; after a collection of everything the heap may grow in proportion to
//! what is live. Memory that was in use lately is kept for when it is needed again: a program that
//! builds something up and drops it, again and again, would else get each page from the system anew
//! every time, which takes longer than everything else that is done with it.

use crate::collector::CollectScope;

/// The least that is allocated between two collections.
const MIN_YOUNG: usize = 4 << 20;
/// The least that becomes old between two collections of everything.
const MIN_OLD: usize = 4 << 20;
/// As much becomes old in proportion to what was live after the last collection of everything, in
/// halves. With two, as much as was live, marking took half as long again for a program that keeps
/// 20 MB; with four the heap grows by a fifth more.
const HALVES: usize = 3;
/// A collection after fewer bytes was requested by the program: nothing is learned from it.
const LITTLE: usize = MIN_YOUNG / 4;

/// The allocation behaviour of a program, as measured.
pub(crate) struct Pacing {
    /// Bytes handed out since the last collection, and when to collect.
    allocated: usize,
    trigger: usize,
    /// Bytes that have become old since the last collection of everything, and when to collect
    /// everything.
    aged: usize,
    old_trigger: usize,
    /// The least trigger for what had to be searched for roots at the last collection.
    least: usize,
    /// Of 256 bytes allocated, how many survived the last collection of the young generation.
    survival: usize,
    /// Bytes in blocks and of large objects when they were most, lately.
    most: [usize; 2],
}

impl Default for Pacing {
    fn default() -> Pacing {
        Pacing {
            allocated: 0,
            trigger: MIN_YOUNG,
            aged: 0,
            old_trigger: MIN_OLD,
            least: MIN_YOUNG,
            survival: 0,
            most: [0; 2],
        }
    }
}

impl Pacing {
    /// Counts bytes that are handed out.
    pub(crate) fn allocate(&mut self, bytes: usize) {
        self.allocated += bytes;
    }

    /// Whether it is time to collect before this many bytes more are handed out.
    pub(crate) fn is_due(&self, bytes: usize) -> bool {
        self.allocated.saturating_add(bytes) > self.trigger
    }

    /// Whether so much is old, or will be after a collection of the young generation, that
    /// everything should be collected.
    pub(crate) fn wants_everything(&self) -> bool {
        self.aged + self.allocated / 256 * self.survival >= self.old_trigger
    }

    /// Learns how many bytes are in use in blocks, and of large objects, when a collection of
    /// everything begins.
    pub(crate) fn filled(&mut self, blocks: usize, large: usize) {
        for (most, now) in self.most.iter_mut().zip([blocks, large]) {
            // After four collections a sixteenth is left of what is not needed any more.
            *most = now.max(*most / 2);
        }
    }

    /// Bytes of free blocks, and of free memory for large objects, that will be needed soon.
    pub(crate) fn reserve(&self) -> [usize; 2] {
        let least = self.old_trigger.saturating_mul(2);
        self.most.map(|most| most.max(least))
    }

    /// Bytes allocated since the last collection.
    pub(crate) fn allocated(&self) -> usize {
        self.allocated
    }

    /// Learns that a collection begins which had to search this many bytes for roots. As much is
    /// allocated at least before the next one, or a deep stack would be searched all the time.
    pub(crate) fn searched(&mut self, bytes: usize) {
        self.least = MIN_YOUNG.max(bytes);
    }

    /// Learns from a collection that this many bytes have survived.
    pub(crate) fn collected(&mut self, scope: CollectScope, survived: usize) {
        match scope {
            CollectScope::All => {
                self.aged = 0;
                // What survived a while ago says less and less; else it would never be tried
                // again whether the young die young.
                self.survival /= 2;
                self.old_trigger = MIN_OLD.max(survived.saturating_mul(HALVES) / 2);
            }
            CollectScope::Young => {
                self.aged += survived;
                if self.allocated >= LITTLE {
                    self.survival = survived.saturating_mul(256) / self.allocated;
                }
            }
        }
        if self.allocated >= LITTLE {
            // Where much survives, it may die soon if it is given more time.
            self.trigger = match self.survival {
                96.. => self.trigger.saturating_mul(2),
                24.. => self.trigger,
                _ => self.trigger / 2,
            };
        }
        self.trigger = self.trigger.min(self.old_trigger).max(self.least);
        self.allocated = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MB: usize = 1 << 20;

    /// A collection when it is time, of which a part in a hundred survives.
    fn young(pacing: &mut Pacing, percent: usize) {
        let bytes = pacing.trigger;
        assert!(!pacing.is_due(bytes) && pacing.is_due(bytes + 1));
        pacing.allocate(bytes);
        pacing.collected(CollectScope::Young, bytes / 100 * percent);
    }

    #[test]
    fn the_young_get_more_time_while_they_survive() {
        let mut pacing = Pacing::default();
        pacing.collected(CollectScope::All, 40 * MB);
        let mut triggers = Vec::new();
        for percent in [50, 50, 20, 5, 5, 5] {
            young(&mut pacing, percent);
            triggers.push(pacing.trigger / MB);
        }
        assert_eq!(triggers, [8, 16, 16, 8, 4, 4]);
        pacing.collected(CollectScope::All, 4 * MB);
        for _ in 0..5 {
            young(&mut pacing, 90);
        }
        assert_eq!(pacing.trigger, 6 * MB, "no more than what may become old");
    }

    #[test]
    fn below_a_deep_stack_the_young_get_more_time() {
        let mut pacing = Pacing::default();
        pacing.collected(CollectScope::All, 40 * MB);
        let mut triggers = Vec::new();
        for searched in [1, 40, 10] {
            pacing.searched(searched * MB);
            young(&mut pacing, 5);
            triggers.push(pacing.trigger / MB);
        }
        assert_eq!(triggers, [4, 40, 20]);
        pacing.searched(MB);
        young(&mut pacing, 5);
        assert_eq!(pacing.trigger, 10 * MB, "and less and less when it is not");
    }

    #[test]
    fn everything_is_collected_when_as_much_has_become_old_as_may() {
        let mut pacing = Pacing::default();
        pacing.collected(CollectScope::All, 20 * MB);
        let mut old = Vec::new();
        loop {
            let bytes = pacing.trigger;
            pacing.allocate(bytes);
            if pacing.wants_everything() {
                break;
            }
            pacing.collected(CollectScope::Young, bytes / 2);
            old.push(pacing.aged / MB);
        }
        assert_eq!(
            old,
            [2, 6, 14, 29],
            "the next time it would be more than 30"
        );
        assert_eq!(pacing.reserve(), [60 * MB; 2]);
        pacing.collected(CollectScope::All, MB);
        assert!(!pacing.wants_everything());
    }

    #[test]
    fn memory_that_was_in_use_lately_is_kept_for_a_while() {
        let mut pacing = Pacing::default();
        let mut kept = Vec::new();
        for (blocks, large) in [(100, 0), (10, 20), (10, 0), (60, 0), (10, 0)] {
            pacing.filled(blocks * MB, large * MB);
            pacing.collected(CollectScope::All, MB);
            kept.push(pacing.reserve().map(|bytes| bytes / MB));
        }
        assert_eq!(kept, [[100, 8], [50, 20], [25, 10], [60, 8], [30, 8]]);
        for _ in 0..10 {
            pacing.filled(MB, MB);
        }
        assert_eq!(
            pacing.reserve(),
            [8 * MB; 2],
            "what it had in the beginning"
        );
    }

    #[test]
    fn collections_that_somebody_asks_for_change_nothing() {
        let mut pacing = Pacing::default();
        pacing.collected(CollectScope::All, 100 * MB);
        for _ in 0..100 {
            pacing.allocate(1000);
            pacing.collected(CollectScope::Young, 1000);
        }
        assert_eq!((pacing.trigger, pacing.survival), (MIN_YOUNG, 0));
        assert_eq!(pacing.aged, 100_000);
    }
}
