//! Guards that have been emitted: what bridges may assume, what they test, and their exits.

use super::exit_builder::ExitBuilder;
use super::knowledge::GuardKnowledge;
use super::node::NodeId;
use crate::bounds::IntBound;
use verdigris_ops::ClassId;
use verdigris_trace::{Const, Descr, Opcode, RecordedOp, SnapshotId};

/// Tests that are remembered; the oldest go first.
const MAX_TESTS: usize = 16;

/// A guard to be emitted, without its arguments.
#[derive(Clone, Copy)]
pub(crate) struct Guard {
    pub opcode: Opcode,
    pub descr: Descr,
    /// The frames where it fails.
    pub snapshot: SnapshotId,
}

impl Guard {
    /// A recorded guard.
    pub fn of(op: RecordedOp<'_>) -> Guard {
        Guard {
            opcode: op.opcode(),
            descr: op.descr(),
            snapshot: op.snapshot().expect("it is a guard"),
        }
    }
}

/// The outcome of a guard before it is emitted.
pub(crate) enum GuardOutcome {
    Holds,
    Fails,
    Unknown,
}

/// The test of a guard on a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum GuardTest {
    /// Its class.
    Class(ClassId),
    /// That it is this constant.
    Value(Const),
    /// That it is in this interval.
    Within(IntBound),
    /// That it is not this integer.
    Not(i64),
    /// That it is less than another, as signed numbers.
    Less(NodeId),
}

/// A guard that has been emitted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TestedGuard {
    /// Its number among the section's guards.
    pub guard: u32,
    pub subject: NodeId,
    pub test: GuardTest,
}

/// The guards of a section.
#[derive(Clone, Default)]
pub(crate) struct GuardTable {
    /// For each emitted guard, what a bridge from it may assume.
    pub knowledge: Vec<GuardKnowledge>,
    /// The tests of the last guards, which may be made to do the work of later ones.
    pub tests: Vec<TestedGuard>,
    /// Describes the next guard's exit.
    pub exits: ExitBuilder,
    /// Where the guest program is: see [`GuardKnowledge`].
    pub place: Option<u32>,
}

impl GuardTable {
    /// Remembers what the last emitted guard tests.
    pub fn remember_test(&mut self, subject: NodeId, test: GuardTest) {
        if self.tests.len() == MAX_TESTS {
            self.tests.remove(0);
        }
        let guard = self.knowledge.len() as u32 - 1;
        self.tests.push(TestedGuard {
            guard,
            subject,
            test,
        });
    }
}
