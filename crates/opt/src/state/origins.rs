//! Where emitted operations come from: the recorded operation, or the builder's step.
//!
//! Nothing is kept unless it was asked for ([`Optimiser::keep_inputs`](crate::Optimiser)). A
//! delayed operation comes from the step at which it was done.

use verdigris_trace::{RecordedTrace, TargetId};

/// A step of the code that builds a section: an instruction of the interpreter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuilderStep {
    /// The function, as snapshots name it.
    pub code: u32,
    /// The instruction.
    pub pc: u32,
    /// How many operations the section's trace had before the step.
    pub ops: u32,
}

/// The input of a built section.
#[derive(Clone, Debug)]
pub struct BuilderInput {
    /// The section's label. `None` at the start of a bridge.
    pub label: Option<TargetId>,
    /// The operations, without the jump or exit at the end.
    pub trace: RecordedTrace,
    /// The steps, in order.
    pub steps: Vec<BuilderStep>,
    /// For each operation of the finished section but the label, its index in `steps`. `None`
    /// before the first step.
    pub origins: Vec<Option<u32>>,
}

/// For each operation that a section has emitted, how many operations it had been given (for a
/// recorded trace: the index of the current one), and how many steps had been done.
#[derive(Clone, Default)]
pub(crate) struct Origins {
    kept: Option<Vec<(u32, u32)>>,
    /// How many steps have been done.
    steps: u32,
}

impl Origins {
    /// Origins that are kept if `keep`.
    pub fn new(keep: bool) -> Origins {
        Origins {
            kept: keep.then(Vec::new),
            steps: 0,
        }
    }

    /// Whether they are kept.
    pub fn is_kept(&self) -> bool {
        self.kept.is_some()
    }

    /// Keeps them from now on.
    pub fn start(&mut self) {
        self.kept.get_or_insert_default();
    }

    /// A step begins.
    pub fn step(&mut self) {
        self.steps += 1;
    }

    /// Records the origin of the last of `emitted` operations.
    pub fn record(&mut self, emitted: usize, given: usize) {
        if let Some(kept) = &mut self.kept {
            kept.resize(emitted, (given as u32, self.steps));
        }
    }

    /// An operation has been inserted in front of an emitted one.
    pub fn insert(&mut self, at: usize) {
        if let Some(kept) = &mut self.kept {
            let same = kept.get(at).copied().unwrap_or_default();
            kept.insert(at.min(kept.len()), same);
        }
    }

    /// Keeps the origins of the operations whose flag is set.
    pub fn retain(&mut self, flags: &[bool]) {
        if let Some(kept) = &mut self.kept {
            let mut flags = flags.iter();
            kept.retain(|_| flags.next().is_some_and(|&keep| keep));
        }
    }

    /// Appends the recorded operation of each emitted one. What stands behind the last of them
    /// belongs to the trace's end.
    pub fn recorded(mut self, emitted: usize, out: &mut Vec<Option<u32>>) {
        if let Some(kept) = &mut self.kept {
            let end = kept.last().copied().unwrap_or_default();
            kept.resize(emitted, end);
            out.extend(kept.iter().map(|(given, _)| Some(*given)));
        }
    }

    /// The step of each operation: the last step that had been done when it was emitted, and had
    /// begun when its input operation was given.
    pub fn steps(self, steps: &[BuilderStep]) -> Vec<Option<u32>> {
        let step = |(given, done): (u32, u32)| {
            let behind = steps[..done as usize].partition_point(|step| step.ops <= given);
            behind.checked_sub(1).map(|n| n as u32)
        };
        self.kept.into_iter().flatten().map(step).collect()
    }
}
