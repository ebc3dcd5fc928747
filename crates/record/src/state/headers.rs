//! The loop headers of the guest program that a trace has passed.

use verdigris_jitcode::{Insn, Unit};
use verdigris_trace::{Arg, ValRef};

/// A loop header met inside the trace.
pub(crate) struct Header {
    pub greens: Vec<u64>,
    /// The reds from there on.
    pub reds: Vec<ValRef>,
    /// How many operations, snapshots and values came before it.
    pub ops: usize,
    pub snapshots: usize,
    pub values: usize,
}

/// The loop headers of a trace.
#[derive(Default)]
pub(crate) struct Headers {
    /// The greens that the trace starts with, if it starts at a merge point.
    pub start: Option<Vec<u64>>,
    /// Headers met since.
    pub met: Vec<Header>,
    /// The values of those headers' reds, and their old names.
    pub renamed: Vec<(ValRef, Arg)>,
    /// The next merge point is a loop's header.
    pub pending: bool,
    /// Every merge point is a loop's header.
    pub always: bool,
    /// The trace is at the merge point that it starts with.
    pub starting: bool,
}

/// The role of a merge point in the trace.
pub(crate) enum Arrival {
    /// Where it starts.
    Start,
    /// The header of a loop.
    Header,
    /// Neither.
    Passing,
}

impl Headers {
    /// Knows of no loop yet.
    pub fn new(unit: &Unit) -> Headers {
        let portal = &unit.portal().insns;
        let always = !portal.iter().any(|insn| matches!(insn, Insn::LoopHeader));
        Headers {
            always,
            ..Headers::default()
        }
    }

    pub fn arrive(&mut self) -> Arrival {
        let starting = std::mem::take(&mut self.starting);
        let pending = std::mem::take(&mut self.pending);
        match (starting, pending || self.always) {
            (true, _) => Arrival::Start,
            (false, true) => Arrival::Header,
            (false, false) => Arrival::Passing,
        }
    }
}
