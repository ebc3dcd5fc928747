//! What stress mode checks at a collection, and how often.

use crate::collector::heap_check::{Leftovers, check_heap, check_marked, kept_elsewhere};
use crate::collector::held::Held;
use crate::collector::mark::{Candidates, Marker};
use crate::collector::options::Stress;
use crate::collector::{CollectScope, RootVisitor, Survivors};
use crate::detector;

/// In young-stress mode every Nth collection is of everything.
pub(super) const YOUNG_IN_A_ROW: u64 = 40;
/// How many collections there are from one check of the whole heap to the next in stress mode.
const CHECK_EVERY: u64 = 16;
/// A heap with fewer objects can be checked at every collection of the young generation.
const FEW: u64 = 500;
/// The checks of a heap.
pub(super) struct StressChecks {
    pub(super) mode: Stress,
    /// What they have found, until the next allocation says it.
    pub(super) bad_reference: Option<String>,
    /// Words on Rust's own heap that only look like references.
    leftovers: Leftovers,
}

/// What a collection begins with.
#[derive(Default)]
pub(super) struct Roots {
    pub(super) found: Vec<*mut u8>,
    /// Those that count only if others are reached.
    pub(super) held: Held,
    /// All roots, if the marks are to be checked.
    pub(super) all: Option<Vec<*mut u8>>,
    /// The objects that Rust's own heap refers to: no roots, but if one of them is not reached,
    /// that is a mistake.
    pub(super) elsewhere: Vec<*mut u8>,
}

impl StressChecks {
    pub(super) fn new(mode: Stress) -> StressChecks {
        StressChecks {
            mode,
            bad_reference: None,
            leftovers: Leftovers::default(),
        }
    }

    pub(super) fn is_on(&self) -> bool {
        self.mode.is_on()
    }

    /// Before marking: checks the heap if it is time, and finds what is to be checked behind it.
    pub(super) fn check_before(
        &mut self,
        candidates: &mut Candidates<'_>,
        roots: &mut dyn FnMut(&mut dyn RootVisitor, CollectScope),
        found: &mut Roots,
        collections: u64,
        objects: u64,
    ) {
        candidates.widen();
        // What looks like a reference to an object, but was there before it, is known if each
        // allocation collects.
        if detector::is_installed() && self.mode != Stress::Sparse {
            found.elsewhere = self.leftovers.mentioned(candidates);
        }
        let every = match self.mode {
            // A reference that was missed leads to memory that is free from then on, which says
            // less of why.
            Stress::Young if objects < FEW => 1,
            _ => CHECK_EVERY,
        };
        if !collections.is_multiple_of(every) {
            return;
        }
        roots(candidates, CollectScope::All);
        let everything = std::mem::take(&mut candidates.found);
        // SAFETY: the objects have been resolved by start bits, which are still there.
        match unsafe { check_heap(candidates, &everything) } {
            None => found.all = Some(everything),
            bad => self.report(bad),
        }
    }

    /// Behind marking, before anything is freed.
    pub(super) fn check_marks(&mut self, roots: &Roots, marker: &Marker) {
        if let Some(all) = &roots.all {
            // SAFETY: nothing has been freed yet.
            self.report(unsafe { check_marked(all, marker) });
        }
        let is_dead = |object: &&*mut u8| !marker.is_live(object.addr() as u64);
        if let Some(&object) = roots.elsewhere.iter().find(is_dead) {
            // SAFETY: nothing has been freed yet.
            self.report(Some(unsafe { kept_elsewhere(object) }));
        }
    }

    /// Keeps the first message.
    fn report(&mut self, message: Option<String>) {
        self.bad_reference = self.bad_reference.take().or(message);
    }
}
