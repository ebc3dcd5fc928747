//! The optimiser's interface to its caller.

use crate::state::knowledge::GuardKnowledge;
use crate::state::remarks::Remark;
use verdigris_ops::{ClassId, DataOp, FieldId, FnId};
use verdigris_trace::{Descr, OptimisedTrace, TargetId};

/// Services for folding constants.
pub trait Host {
    /// Executes a `getfield`, `getitem` or `arraylen` on a constant, non-null object.
    fn load(&mut self, op: DataOp, args: &[u64], descr: Descr) -> u64;
    /// Whether the trace may assume that a quasi-immutable field of a constant, non-null object
    /// keeps the value that [`Host::load`] returns. If so, its code is invalidated when the field
    /// is written, even before it is compiled.
    fn assume(&mut self, _object: u64, _field: FieldId) -> bool {
        false
    }
    /// Whether virtualizable slots are kept across calls that may access them. Otherwise they are
    /// stored in front of these calls, and unknown behind them.
    fn keeps_virtualizables(&self) -> bool {
        true
    }
    /// Calls an elidable function and returns the words of its results. `None` if it panicked: the
    /// trace keeps the call.
    fn call(&mut self, function: FnId, args: &[u64]) -> Option<Vec<u64>>;
    /// Whether a word is the address of an object.
    fn is_object(&mut self, word: u64) -> bool;
    /// Whether a built trace may continue at the merge point with these greens, which the guest
    /// program calls or jumps back to.
    fn may_specialise(&mut self, _greens: &[u64]) -> bool {
        true
    }
    /// The class of a constant, non-null object.
    fn class_of(&self, object: u64) -> Option<ClassId>;
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
    /// What a bridge from each guard of the trace may assume, in order.
    pub guard_knowledge: Vec<GuardKnowledge>,
    /// The quasi-immutable fields that must not change, or the trace is invalid; with their
    /// objects.
    pub assumptions: Vec<(u64, FieldId)>,
    /// For each operation, the index of the recorded one that it was emitted for; `None` for
    /// labels. Empty unless the recorded trace says where its operations come from.
    pub origins: Vec<Option<u32>>,
    /// Missed optimisations.
    pub remarks: Vec<Remark>,
    /// The loop that the trace leads to, if none of its specialised bodies takes the trace's values
    /// without a look into arrays.
    pub missed_loop: Option<TargetId>,
}

/// Why a trace could not be optimised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptError {
    /// A guard is known to fail: the trace describes an execution that cannot happen.
    Contradiction,
    /// A promotion is of an object that the trace itself has made, so that it is another one
    /// whenever the code runs.
    PromotesNew,
}

impl std::fmt::Display for OptError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            OptError::Contradiction => f.write_str("the trace contains a guard that always fails"),
            OptError::PromotesNew => f.write_str("the trace promotes an object that it has made"),
        }
    }
}

impl std::error::Error for OptError {}
