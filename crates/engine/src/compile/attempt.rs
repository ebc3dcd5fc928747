//! What a trace is made for, and why none was. In: nothing. Out: the places where traces start and
//! where their code belongs, and the reasons for giving one up. Invariant: a place is named by
//! identities that are never used again in a VM.

use crate::code::jit_cells::CellId;
use verdigris_trace::{GuardId, TargetId};

/// What code is compiled for.
#[derive(Clone, Copy)]
pub(crate) enum Place {
    /// The header where a loop has closed: the one whose state the guest program is in.
    Loop,
    /// A header from which the trace leads elsewhere.
    Header(CellId, u64),
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
pub(crate) enum Misfit {
    /// Say so, if the loop may have another version.
    Report,
    /// Go through an entry. The guest program has gone on since the trace was recorded.
    Accept,
}

impl Place {
    /// Where a trace belongs that does not close a loop of its own.
    pub(crate) fn of(site: Site) -> Place {
        match site {
            Site::Header(cell, hash) => Place::Header(cell, hash),
            Site::Guard(guard) => Place::Bridge(guard),
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
pub(crate) enum Site {
    /// A header; the hash of its greens.
    Header(CellId, u64),
    /// A guard.
    Guard(GuardId),
}
