//! What the optimiser asks of its surroundings, and what it answers.

use crate::bounds::{Needs, Range};
use crate::remarks::Remark;
use crate::virtual_state::{Sid, VirtualState};
use std::rc::Rc;
use verdigris_ops::{ClassId, DataOp, FieldId, FnId};
use verdigris_trace::{Descr, OptimisedTrace, TargetId};

/// Services for folding on constants.
pub trait Host {
    /// Executes a `getfield`, `getitem` or `arraylen` on a constant, non-null object.
    fn load(&mut self, op: DataOp, args: &[u64], descr: Descr) -> u64;
    /// Whether the trace may assume that a quasi-immutable field of a constant, non-null object
    /// keeps holding what [`Host::load`] gives: then its code is invalidated when the field is
    /// written, also if that happens before it is compiled.
    fn assume(&mut self, _object: u64, _field: FieldId) -> bool {
        false
    }
    /// Whether virtualizable places are kept across calls that may look at them. Otherwise they are
    /// stored in front of these calls, and unknown behind them.
    fn keeps_virtualizables(&self) -> bool {
        true
    }
    /// Calls an elidable function, for the words of its result; `None` if it panicked (the panic is
    /// dropped: the trace keeps the call).
    fn call(&mut self, function: FnId, args: &[u64]) -> Option<Vec<u64>>;
    /// Whether code that is written, and not recorded, may go on at the place with these greens, to
    /// which the guest program calls or jumps back.
    fn may_specialise(&mut self, _greens: &[u64]) -> bool {
        true
    }
    /// The class of a constant, non-null object.
    fn class_of(&self, object: u64) -> Option<ClassId>;
}

/// What is known of a guard's fail arguments where the guard stands. Opaque: the optimiser gives it
/// with a guard and wants it back for a bridge from that guard.
#[derive(Clone, Debug, Default)]
pub struct GuardKnowledge {
    pub(crate) known: Option<Rc<Known>>,
    /// In code that is written: where the guest program is, as [`OpenSection::place`](crate::OpenSection).
    pub(crate) place: Option<u32>,
    /// Objects may have been made on the way there, since it was last looked whether there is
    /// memory for them.
    pub(crate) has_made_objects: bool,
}

/// What [`GuardKnowledge`] are.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    /// The state at the guard: its parameters are the fail arguments.
    pub state: VirtualState,
    /// For each fact of the state, the fact of the section's label that it comes from. As what
    /// follows, only of use until it is decided what the label demands.
    pub sources: Vec<Option<u32>>,
    /// What is known of integers only if bounds hold that the section's label assumes.
    pub assumed: Vec<(Sid, Range)>,
}

/// An optimised trace.
#[derive(Clone, Debug)]
pub struct Optimised {
    /// The trace.
    pub trace: OptimisedTrace,
    /// The label at its start, which takes the recorded trace's inputs. `None` for bridges.
    pub entry: Option<TargetId>,
    /// All labels in it.
    pub targets: Vec<TargetId>,
    /// For each guard of the trace, in order, what a bridge from it may assume.
    pub guard_knowledge: Vec<GuardKnowledge>,
    /// The quasi-immutable fields that keep holding what they hold, or the trace is invalid; with
    /// their objects.
    pub assumptions: Vec<(u64, FieldId)>,
    /// For each operation the place of the recorded one that it was emitted for; none for labels.
    /// Empty unless the recorded trace says where its operations come from.
    pub origins: Vec<Option<u32>>,
    /// What could not be kept out of memory.
    pub remarks: Vec<Remark>,
    /// The loop that the trace leads to, if it has specialised bodies of which none takes what the
    /// trace brings without a look into arrays.
    pub missed_loop: Option<TargetId>,
}

/// Why a trace could not be optimised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptError {
    /// A guard is known to fail: the trace describes an execution that cannot happen.
    Contradiction,
}

impl std::fmt::Display for OptError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            OptError::Contradiction => f.write_str("the trace contains a guard that always fails"),
        }
    }
}

impl std::error::Error for OptError {}

impl GuardKnowledge {
    /// Whether objects may have been made on the way there that lie beyond the heap's limit: then
    /// what goes on there has to look for that before it leads back, though it makes none itself.
    pub fn has_made_objects(&self) -> bool {
        self.has_made_objects
    }

    /// Drops what comes from facts and bounds that the section's label does not demand after all: a
    /// jump to it need not satisfy them, so they need not hold at the guard.
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
