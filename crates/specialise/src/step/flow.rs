//! Whether a path goes on behind an instruction.

use crate::limits::LeaveReason;
use crate::state::path::Path;
use std::ops::ControlFlow;

/// Whether a way goes on.
pub(crate) type Flow = ControlFlow<PathEnd, Path>;

/// How a way stops.
pub(crate) enum PathEnd {
    /// It leaves at the instruction where it is.
    Leave(Path, LeaveReason),
    /// A guard in it cannot hold: it has left there.
    Dead(Path),
    /// It is done with: it has ended, or waits at a merge point.
    Done,
}
