//! The state of the specialiser, and its work list of paths.

use crate::limits::{LeaveReason, SpecialiseLimits};
use crate::state::history::{PendingJoins, SpecialiserHistory};
use crate::state::meetings::Meetings;
use crate::state::merge_places::MergePlaces;
use crate::state::path::Path;
use crate::threaded::Joins;
use crate::threaded::StencilContext;
use rustc_hash::FxHashMap;
use verdigris_jitcode::Unit;
use verdigris_ops::FieldId;
use verdigris_opt::{Optimised, TraceBuilder};

/// Specialised code.
pub struct Specialised {
    /// The code. Its entry takes the reds of the merge point.
    pub optimised: Optimised,
    /// How often paths ended in exits, by reason.
    pub left: Vec<(LeaveReason, u32)>,
    /// Why nothing was compiled: the first instruction is left to the interpreter.
    pub(crate) at_once: Option<LeaveReason>,
    /// How many operations the optimiser was given.
    pub operations: usize,
}

/// The state of the specialiser.
pub(crate) struct Specialiser<'a> {
    pub unit: &'a Unit,
    pub history: &'a mut SpecialiserHistory,
    pub builder: TraceBuilder<'a>,
    /// Joins that become visible to other code when this code is done.
    pub pending: PendingJoins,
    pub limits: SpecialiseLimits,
    /// Set while a stencil is made.
    pub stencil: Option<StencilContext>,
    /// A new arm has been recorded.
    pub learnt: bool,
    /// The program's quasi-immutable fields.
    pub quasi: Vec<FieldId>,
    /// The work list: paths that go on; the last is next.
    pub paths: Vec<Path>,
    /// The places that paths have come to.
    pub places: MergePlaces,
    /// Where paths may meet within an instruction of the guest program.
    pub meetings: Meetings,
    /// How many paths have come to each such place.
    pub passed: FxHashMap<u64, usize>,
    /// The paths of a stencil that wait for each other.
    pub joins: Joins,
    pub left: Vec<(LeaveReason, u32)>,
    /// Why the first path left at its first instruction, if it did.
    pub at_once: Option<LeaveReason>,
    pub operations: usize,
    /// The number of splits so far.
    pub split: usize,
}

impl<'a> Specialiser<'a> {
    pub fn new(
        unit: &'a Unit,
        history: &'a mut SpecialiserHistory,
        builder: TraceBuilder<'a>,
        limits: SpecialiseLimits,
    ) -> Specialiser<'a> {
        Specialiser {
            unit,
            history,
            builder,
            pending: PendingJoins::default(),
            limits,
            stencil: None,
            learnt: false,
            quasi: unit.descrs.quasi_fields(),
            paths: Vec::new(),
            places: MergePlaces::new(unit),
            meetings: Meetings::default(),
            passed: FxHashMap::default(),
            joins: Joins::default(),
            left: Vec::new(),
            at_once: None,
            operations: 0,
            split: 0,
        }
    }

    /// Follows a path, and all that it splits into, to their ends.
    pub fn run(mut self, path: Path) -> Specialised {
        self.paths.push(path);
        self.run_all()
    }

    /// Follows the paths of the work list.
    pub fn run_all(mut self) -> Specialised {
        loop {
            match self.paths.pop() {
                Some(path) => self.follow(path),
                None if self.meet() || self.join() => {}
                None => break,
            }
        }
        self.history.publish(self.pending);
        Specialised {
            left: self.left,
            at_once: self.at_once,
            operations: self.operations,
            optimised: self.builder.done(),
        }
    }
}
