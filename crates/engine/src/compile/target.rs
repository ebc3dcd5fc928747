//! Where traces start and where their code belongs, and the reasons for giving one up.

use crate::code::jit_cells::JitCellId;
use verdigris_trace::{GuardId, TargetId};

/// What a trace is compiled for.
#[derive(Clone, Copy)]
pub(crate) enum TraceTarget {
    /// The header where a loop has closed: the one of the guest program's state.
    Loop,
    /// A header from which the trace leads elsewhere; the hash of its greens.
    Header(JitCellId, u64),
    /// Another version of the loop with this entry label.
    Version(TargetId),
    /// A guard.
    Bridge(GuardId),
    /// An instruction of threaded code, which many places share.
    Stencil,
}

/// What to do with a trace that leads to a loop whose versions all need another state.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum OnStateMismatch {
    /// Record another version of the loop first, if it may have one.
    Retrace,
    /// Jump to the loop's entry. The guest program has run on since the trace was recorded.
    UseEntry,
}

impl TraceTarget {
    /// The target of a trace that closes no loop of its own.
    pub(crate) fn of(origin: TraceOrigin) -> TraceTarget {
        match origin {
            TraceOrigin::Header(cell, hash) => TraceTarget::Header(cell, hash),
            TraceOrigin::Guard(guard) => TraceTarget::Bridge(guard),
        }
    }
}

/// Why a trace was not compiled.
pub(crate) struct Failed {
    /// The reason in statistics.
    pub(crate) reason: &'static str,
    /// The reason in words.
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

    /// An assumption of the trace was wrong already.
    pub(crate) fn invalidated() -> Failed {
        Failed {
            reason: INVALIDATED,
            detail: "a quasi-immutable field was written while the trace was made".to_string(),
        }
    }
}

/// The reason that does not count against the place where the trace starts.
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
