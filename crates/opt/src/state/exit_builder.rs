//! The frames of the last guard's exit, from which the next one is built: outer frames that did not
//! change are kept.

use super::node::NodeId;
use super::numbering::Numbering;
use verdigris_trace::{ResumeFrames, SnapshotId, ValRef};

/// Builds the exits of one guard after the other.
#[derive(Clone, Default)]
pub(crate) struct ExitBuilder {
    /// The fail arguments.
    pub values: Numbering<ValRef>,
    /// The objects to be allocated.
    pub virtuals: Numbering<NodeId>,
    pub frames: ResumeFrames,
    /// The frames of the last guard, outermost first.
    pub chain: Vec<DescribedFrame>,
    /// The nodes of the fail arguments.
    pub fail_nodes: Vec<NodeId>,
    /// Scratch numbering for the guard's knowledge.
    pub nodes: Numbering<NodeId>,
    /// The frames of the current guard, innermost first.
    pub stack: Vec<SnapshotId>,
}

/// A frame of the last guard.
#[derive(Clone, Copy)]
pub(crate) struct DescribedFrame {
    pub snapshot: SnapshotId,
    /// How many fail arguments there are in it and the frames outside of it.
    pub values: usize,
    /// The same for virtuals.
    pub virtuals: usize,
}

impl ExitBuilder {
    /// Forgets the last guard: values of the recorded trace are others from here on.
    pub fn clear(&mut self) {
        self.keep(0);
    }

    /// Forgets all but the outermost frames.
    pub fn keep(&mut self, frames: usize) {
        self.chain.truncate(frames);
        self.frames.truncate(frames);
        let (values, virtuals) = match self.chain.last() {
            Some(last) => (last.values, last.virtuals),
            None => (0, 0),
        };
        self.values.truncate(values);
        self.fail_nodes.truncate(values);
        self.virtuals.truncate(virtuals);
    }
}
