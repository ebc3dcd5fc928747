//! What bridges may assume at a guard, and the label facts that it comes from.

use super::label::{Sid, VirtualState};
use super::node::NodeId;
use super::pure_table::PureKey;
use crate::bounds::{Needs, Range};
use std::rc::Rc;
use verdigris_ops::HeapSlot;

/// What is known of a guard's fail arguments where the guard stands. Opaque: the optimiser returns
/// it with a guard and takes it back for a bridge from that guard.
#[derive(Clone, Debug, Default)]
pub struct GuardKnowledge {
    pub(crate) known: Option<Rc<KnownState>>,
    /// In built code: where the guest program is, as [`OpenSection::place`](crate::OpenSection).
    pub(crate) place: Option<u32>,
    /// Objects may have been allocated before the guard since memory was last checked.
    pub(crate) has_made_objects: bool,
}

/// The state at a guard.
#[derive(Clone, Debug)]
pub(crate) struct KnownState {
    /// Its parameters are the fail arguments.
    pub state: VirtualState,
    /// For each fact of the state, the fact of the section's label that it comes from. Like
    /// `assumed`, only used until it is decided what the label demands.
    pub sources: Vec<Option<u32>>,
    /// Ranges of integers that hold only under bounds that the section's label assumes.
    pub assumed: Vec<(Sid, Range)>,
}

impl GuardKnowledge {
    /// Whether objects may have been allocated before the guard, perhaps beyond the heap's limit:
    /// then the code behind it must check memory before a loop, even if it allocates nothing.
    pub fn has_made_objects(&self) -> bool {
        self.has_made_objects
    }

    /// Drops what follows from facts and bounds that the section's label does not demand after all:
    /// a jump to the label need not satisfy them.
    pub(crate) fn retain(&mut self, demanded: &[bool], bounds: Needs) {
        let Some(known) = &mut self.known else { return };
        let known = Rc::make_mut(known);
        for (s, range) in known.assumed.drain(..) {
            if range.needs.are_among(bounds) {
                known.state.set_bound(s, range.assumed);
            }
        }
        let keep = |source: &Option<u32>| source.is_none_or(|fact| demanded[fact as usize]);
        let flags: Vec<bool> = known.sources.iter().map(keep).collect();
        known.state.retain_facts(&flags);
        known.sources.retain(keep);
    }
}

/// The subject of a fact.
#[derive(Clone, Debug)]
pub(crate) enum FactKey {
    /// The contents of a slot of an object.
    Slot(HeapSlot, NodeId),
    /// The result of an operation.
    Result(PureKey),
}

/// The facts that a section's label demands.
#[derive(Clone, Default)]
pub(crate) struct LabelFacts {
    /// Their subjects.
    pub keys: Vec<FactKey>,
    /// Which have been used.
    pub used: Vec<bool>,
}

impl LabelFacts {
    /// Marks a fact as used.
    pub fn rely_on(&mut self, fact: Option<u32>) {
        if let Some(fact) = fact {
            self.used[fact as usize] = true;
        }
    }
}
