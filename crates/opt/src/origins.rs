//! Where the operations of written code come from.
//!
//! In: the steps that whoever writes a strand says that he is about to do
//! ([`OpenSection::step`](crate::OpenSection::step)), and operations that a section emits meanwhile. Out:
//! [`BuilderInput`], for each section what it was given, and for each operation that is left of it the
//! step. Invariants: nothing is kept unless somebody has asked
//! ([`Optimiser::keep_inputs`](crate::Optimiser::keep_inputs)); an operation that was put off comes
//! from the step at which it was done.

use crate::section::Section;
use verdigris_trace::{OptimisedOp, RecordedTrace, TargetId};

/// A step of whoever writes a strand: the interpreter's instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuilderStep {
    /// The function, as snapshots name it.
    pub code: u32,
    /// The instruction.
    pub pc: u32,
    /// How many operations the strand's trace had before.
    pub ops: u32,
}

/// What a section was given.
#[derive(Clone, Debug)]
pub struct BuilderInput {
    /// The section's label; none at the start of a bridge.
    pub label: Option<TargetId>,
    /// The operations, without the jump or exit at the end.
    pub trace: RecordedTrace,
    /// What was done, in its order.
    pub steps: Vec<BuilderStep>,
    /// For each operation of the finished section, in their order and without the label, the place
    /// of its step. None at the start, before the first step.
    pub origins: Vec<Option<u32>>,
}

/// For each operation that a section has emitted, how many operations it had been given (of a
/// recorded trace: the place of the one at hand), and how many steps had been done; nothing is kept
/// if nobody has asked.
#[derive(Clone, Default)]
pub(crate) struct Origins {
    kept: Option<Vec<(u32, u32)>>,
    /// How many steps have been done.
    steps: u32,
}

impl Origins {
    /// From now on they are kept, if somebody has asked.
    pub fn keep(&mut self, asked: bool) {
        self.kept = asked.then(Vec::new);
    }

    /// From now on they are kept.
    pub fn start(&mut self) {
        self.kept.get_or_insert_default();
    }

    /// A step begins.
    pub fn step(&mut self) {
        self.steps += 1;
    }

    /// A section of so many operations has emitted the last of them for an operation.
    pub fn note(&mut self, emitted: usize, given: usize) {
        if let Some(kept) = &mut self.kept {
            kept.resize(emitted, (given as u32, self.steps));
        }
    }

    /// An operation has been put in front of one that had been emitted.
    pub fn insert(&mut self, at: usize) {
        if let Some(kept) = &mut self.kept {
            let same = kept.get(at).copied().unwrap_or_default();
            kept.insert(at.min(kept.len()), same);
        }
    }

    /// Adds for each of so many emitted operations the place of the recorded one that it was
    /// emitted for. What stands behind the last of them leads to where the trace goes on.
    pub fn recorded(mut self, emitted: usize, out: &mut Vec<Option<u32>>) {
        if let Some(kept) = &mut self.kept {
            let end = kept.last().copied().unwrap_or_default();
            kept.resize(emitted, end);
            out.extend(kept.iter().map(|(given, _)| Some(*given)));
        }
    }

    /// The step of each operation: the last that had been done when it was emitted, and had begun
    /// when what it was emitted for was given.
    pub fn steps(self, steps: &[BuilderStep]) -> Vec<Option<u32>> {
        let step = |(given, done): (u32, u32)| {
            let behind = steps[..done as usize].partition_point(|step| step.ops <= given);
            behind.checked_sub(1).map(|n| n as u32)
        };
        self.kept.into_iter().flatten().map(step).collect()
    }
}

impl Section {
    /// Keeps those of the emitted operations for which this holds.
    pub fn retain(&mut self, mut keep: impl FnMut(OptimisedOp<'_>) -> bool) {
        let Some(origins) = &mut self.origins.kept else {
            return self.out.retain(keep);
        };
        let mut kept = Vec::with_capacity(origins.len());
        self.out.retain(|op| {
            kept.push(keep(op));
            kept[kept.len() - 1]
        });
        let mut kept = kept.into_iter();
        origins.retain(|_| kept.next().unwrap_or(false));
    }
}
