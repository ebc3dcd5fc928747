//! A section that is being built, and the labels between sections.

use crate::labels::shape::LabelShape;
use crate::section::Section;
use crate::state::origins::BuilderStep;
use std::rc::Rc;
use verdigris_trace::{Arg, Const, RecordedTrace, TargetId};

/// A section that is being built, and the operations that lead to its end.
pub struct OpenSection {
    /// The section's operations. Push more here; guards with snapshots of the frames.
    pub trace: RecordedTrace,
    pub(super) section: Section,
    /// `None` at the start of a bridge.
    pub(super) label: Option<TargetId>,
    /// How many operations of the trace have been optimised.
    pub(super) advanced: usize,
    /// The steps so far, if they are kept.
    pub(super) steps: Option<Vec<BuilderStep>>,
    /// A number for the position in the guest program. Guards hand it to the code behind them,
    /// which knows its position by nothing else.
    pub place: Option<u32>,
}

impl OpenSection {
    /// The constant that a value is known to be.
    pub fn constant(&self, value: Arg) -> Option<Const> {
        match value {
            Arg::Const(c) => Some(c),
            Arg::Ref(v) => self.section.nodes.as_const(self.section.node_of(v)?),
        }
    }

    /// Whether a value is an object that has not been allocated.
    pub fn is_virtual(&self, value: Arg) -> bool {
        let node = value.as_ref().and_then(|v| self.section.node_of(v));
        node.is_some_and(|n| self.section.nodes.as_virtual(n).is_some())
    }

    /// Starts a step: operations pushed from here on come from this instruction of the interpreter.
    pub fn step(&mut self, code: u32, pc: u32) {
        if let Some(steps) = &mut self.steps {
            let ops = self.trace.ops().len() as u32;
            steps.push(BuilderStep { code, pc, ops });
            self.section.code.origins.step();
        }
    }

    /// How many operations of the trace have been optimised.
    pub fn advanced(&self) -> usize {
        self.advanced
    }
}

/// A label that several sections may jump to.
#[derive(Clone, Debug)]
pub struct Label {
    pub(crate) target: TargetId,
    /// The assumptions of the code behind the label.
    pub shape: Rc<LabelShape>,
}

impl Label {
    /// The label's number in traces.
    pub fn target(&self) -> TargetId {
        self.target
    }
}

/// The result of a split.
pub enum Split {
    /// The test is known to hold.
    Holds,
    /// The test is known to fail.
    Fails,
    /// The split section goes on where the test holds, and this one where it fails.
    Side(Box<OpenSection>),
}

/// A guard of the section cannot hold: the section has ended with an exit in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended;
