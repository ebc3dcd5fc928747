//! Where traces start and where their code belongs, and the reasons for giving one up.

use crate::code::jit_cells::JitCellId;
use verdigris_opt::OptError;
use verdigris_report::{AbortReason, CodeKind};
use verdigris_specialise::OptRequestError;
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

    /// The kind of its code in reports.
    pub(crate) fn code_kind(self) -> CodeKind {
        match self {
            TraceTarget::Loop => CodeKind::Loop,
            TraceTarget::Version(_) => CodeKind::Version,
            TraceTarget::Header(..) => CodeKind::Entry,
            TraceTarget::Bridge(_) => CodeKind::Bridge,
            TraceTarget::Stencil => CodeKind::Instruction,
        }
    }

    /// The guard that a bridge continues.
    pub(crate) fn guard(self) -> Option<GuardId> {
        match self {
            TraceTarget::Bridge(guard) => Some(guard),
            _ => None,
        }
    }
}

/// Why a trace was not compiled.
pub(crate) struct Failed {
    pub(crate) reason: AbortReason,
    /// The reason in words.
    pub(crate) detail: String,
}

impl From<AbortReason> for Failed {
    fn from(reason: AbortReason) -> Failed {
        Failed {
            reason,
            detail: reason.advice().to_string(),
        }
    }
}

impl From<OptRequestError> for Failed {
    fn from(error: OptRequestError) -> Failed {
        let reason = match error {
            OptRequestError::Optimiser(OptError::PromotesNew) => {
                return AbortReason::PromotesNew.into();
            }
            OptRequestError::Optimiser(OptError::Contradiction) => AbortReason::Optimiser,
            OptRequestError::NothingToSpecialise(_) => AbortReason::NothingToSpecialise,
        };
        let detail = error.to_string();
        Failed { reason, detail }
    }
}

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
