//! What a trace is made for, and why none was. In: nothing. Out: the places where traces start and
//! where their code belongs, and the reasons for giving one up. Invariant: a place is named by
//! identities that are never used again in a VM.

use crate::code::jit_cells::JitCellId;
use verdigris_trace::{GuardId, TargetId};

/// What code is compiled for.
#[derive(Clone, Copy)]
pub(crate) enum TraceTarget {
    /// The header where a loop has closed: the one whose state the guest program is in.
    Loop,
    /// A header from which the trace leads elsewhere.
    Header(JitCellId, u64),
    /// Another version of the loop with this entry label, for what the entry's versions do not
    /// take.
    Version(TargetId),
    /// A guard.
    Bridge(GuardId),
    /// What places of the guest program share.
    Stencil,
}

/// What to do with a trace that leads to a loop of which no version takes what it brings.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum OnStateMismatch {
    /// Record another version of the loop first, if it may have one.
    Retrace,
    /// Go through an entry. The guest program has gone on since the trace was recorded.
    UseEntry,
}

impl TraceTarget {
    /// Where a trace belongs that does not close a loop of its own.
    pub(crate) fn of(origin: TraceOrigin) -> TraceTarget {
        match origin {
            TraceOrigin::Header(cell, hash) => TraceTarget::Header(cell, hash),
            TraceOrigin::Guard(guard) => TraceTarget::Bridge(guard),
        }
    }
}

/// Why a trace was not compiled.
pub(crate) struct Failed {
    /// For statistics.
    pub(crate) reason: &'static str,
    /// For people.
    pub(crate) detail: String,
}

impl Failed {
    /// The optimiser is in use further out.
    pub(crate) fn busy() -> Failed {
        Failed {
            reason: "busy",
            detail: "an elidable function ran the portal while the optimiser called it".to_string(),
        }
    }

    /// What the trace assumed was not so any more.
    pub(crate) fn invalidated() -> Failed {
        Failed {
            reason: INVALIDATED,
            detail: "a quasi-immutable field was written while the trace was made".to_string(),
        }
    }
}

/// The reason that is no fault of the place where the trace starts.
pub(crate) const INVALIDATED: &str = "invalidated";

/// Where a trace starts.
#[derive(Clone, Copy)]
pub(crate) enum TraceOrigin {
    /// A header; the hash of its greens.
    Header(JitCellId, u64),
    /// A guard.
    Guard(GuardId),
}

impl TraceOrigin {
    /// The guard, if it is one.
    pub(crate) fn guard(self) -> Option<GuardId> {
        match self {
            TraceOrigin::Header(..) => None,
            TraceOrigin::Guard(guard) => Some(guard),
        }
    }
}
