//! Whether a path goes on behind an instruction.

use crate::limits::LeaveReason;
use crate::state::path::Path;
use std::ops::ControlFlow;

/// Whether a path goes on.
pub(crate) type Flow = ControlFlow<PathEnd, Path>;

/// How a path stops.
pub(crate) enum PathEnd {
    /// It leaves at the instruction where it is.
    Leave(Path, LeaveReason),
    /// A guard in it cannot hold.
    Dead(Path),
    /// It has ended, or waits at a merge point.
    Done,
}
