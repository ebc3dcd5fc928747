//! The jobs of a recording: each request to the optimiser with its input and outcome. A job without
//! an outcome is one whose optimiser or backend did not come back.

use crate::outcome::JobOutcome;
use crate::queries::{Answer, Query};
use rustc_hash::FxHashMap;
use verdigris_ops::ClassId;
use verdigris_specialise::{Lazy, OptRequestKind};
use verdigris_trace::{GuardId, RecordedTrace, TargetId};

/// A request as the file names it: its kind, with a label or guard.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JobRequest {
    pub kind: OptRequestKind,
    number: u32,
}

impl JobRequest {
    /// Reads `loop`, `bridge 7` and so on.
    pub(crate) fn parse(text: &str) -> Option<JobRequest> {
        let (name, number) = text.split_once(' ').unwrap_or((text, ""));
        let kind = OptRequestKind::ALL.into_iter().find(|k| k.name() == name)?;
        let has_number = kind.has_guard() || kind == OptRequestKind::Version;
        let number = if has_number { number.parse().ok()? } else { 0 };
        Some(JobRequest { kind, number })
    }

    /// The guard that it continues.
    pub(crate) fn guard(self) -> Option<GuardId> {
        (self.kind.has_guard()).then(|| GuardId::from_u32(self.number))
    }

    /// The entry of the loop that it makes a version of.
    pub(crate) fn entry(self) -> TargetId {
        TargetId::from_u32(self.number)
    }
}

/// A job as it was recorded.
#[derive(Clone, Debug, Default)]
pub(crate) struct Job {
    /// The line where it begins.
    pub line: usize,
    pub number: u32,
    pub title: String,
    pub labels: u32,
    pub trace: Option<RecordedTrace>,
    /// Objects that the trace mentions, in the order of their numbers, with their classes.
    pub objects: Vec<(u64, Option<ClassId>)>,
    pub arrival: Option<Vec<u64>>,
    pub greens: Vec<u64>,
    pub words: Vec<u64>,
    pub compared: u32,
    pub generalise: bool,
    pub lazy: Option<Lazy>,
    pub interruptible: bool,
    pub operations: usize,
    pub ways: usize,
    pub instruction: u32,
    pub answers: FxHashMap<Query, Answer>,
    pub optimised: Option<RecordedOutput>,
    pub outcome: Option<JobOutcome>,
}

/// The optimiser's output as it was recorded.
#[derive(Clone, Debug, Default)]
pub(crate) struct RecordedOutput {
    pub text: String,
    /// The first label that it did not need.
    pub labels: u32,
    /// The first of its guards, and the one behind its last.
    pub guards: (u32, u32),
}
