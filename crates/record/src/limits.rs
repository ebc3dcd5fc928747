//! How far a trace may go, what it has in it beside what was executed, and how much of it is
//! checked. In: parameters of the engine. Out: [`TraceLimits`]. Invariant: every limit ends in an
//! [`AbortReason`](crate::AbortReason) with a state to continue from.

/// How far a trace may go, and whether it can be interrupted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TraceLimits {
    /// Recorded operations.
    pub trace_limit: usize,
    /// Executed instructions: bounds loops that fold away and so record nothing.
    pub step_limit: usize,
    /// Frames: bounds recursion of traced functions.
    pub depth_limit: usize,
    /// Values that a guard needs, over all its frames.
    pub live_limit: usize,
    /// Whether what hints promise is recorded again and again, and compared (`check_hints`).
    pub check_hints: bool,
    /// Whether what the trace has already is left out (by the heap cache). With `check_hints` it
    /// never is.
    pub heap_cache: bool,
    /// Whether objects may have been made in front of where the trace starts, for which nobody has
    /// looked whether there is memory.
    pub has_made_objects: bool,
    /// Whether loops have a guard that an interrupt makes fail.
    pub interruptible: bool,
    /// Whether the trace says where its operations come from
    /// ([`Snapshots::origins`](verdigris_trace::Snapshots)).
    pub keep_origins: bool,
    /// Whether it says in how many activations of the portal they are
    /// ([`Snapshots::activations`](verdigris_trace::Snapshots)).
    pub keep_activations: bool,
}

impl Default for TraceLimits {
    fn default() -> TraceLimits {
        TraceLimits {
            trace_limit: 6000,
            step_limit: 300_000,
            depth_limit: 256,
            live_limit: 1000,
            check_hints: false,
            heap_cache: true,
            has_made_objects: false,
            interruptible: false,
            keep_origins: false,
            keep_activations: false,
        }
    }
}
