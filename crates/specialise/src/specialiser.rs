//! The state of the specialiser, and its work list of paths.

use crate::limits::{LeaveReason, SpecialiseLimits};
use crate::state::history::{PendingJoins, SpecialiserHistory};
use crate::state::merge_places::MergePlaces;
use crate::state::path::Path;
use crate::threaded::Joins;
use crate::threaded::StencilContext;
use verdigris_jitcode::Unit;
use verdigris_ops::FieldId;
use verdigris_opt::{Optimised, TraceBuilder};

/// What was made of the guest program.
pub struct Specialised {
    /// The code. Its entry takes the reds of the merge point.
    pub optimised: Optimised,
    /// How often it was left to the interpreter what follows, and why.
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
    /// If it makes stencils.
    pub threading: Option<StencilContext>,
    /// An arm has been taken where code was left.
    pub learnt: bool,
    /// The program's quasi-immutable fields.
    pub quasi: Vec<FieldId>,
    /// Ways that go on; the last is next.
    pub ways: Vec<Path>,
    /// The merge points that ways have come to.
    pub places: MergePlaces,
    /// The ways of a stencil that wait for each other.
    pub joins: Joins,
    pub left: Vec<(LeaveReason, u32)>,
    /// Why the first way left at its first instruction, if it did.
    pub at_once: Option<LeaveReason>,
    pub operations: usize,
    /// How many ways there have been.
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
            threading: None,
            learnt: false,
            quasi: unit.descrs.quasi_fields(),
            ways: Vec::new(),
            places: MergePlaces::new(unit),
            joins: Joins::default(),
            left: Vec::new(),
            at_once: None,
            operations: 0,
            split: 0,
        }
    }

    /// Follows a way, and all that it splits into, to their ends.
    pub fn run(mut self, way: Path) -> Specialised {
        self.ways.push(way);
        self.run_all()
    }

    /// Follows the ways that there are.
    pub fn run_all(mut self) -> Specialised {
        loop {
            match self.ways.pop() {
                Some(way) => self.follow(way),
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
