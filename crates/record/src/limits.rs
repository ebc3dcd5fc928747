//! Limits and options of one trace. Exceeding a limit ends the trace with an
//! [`AbortReason`](crate::AbortReason).

/// Limits and options of one trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TraceLimits {
    /// Recorded operations.
    pub trace_limit: usize,
    /// Whether a trace that is longer ends at the next merge point with a `leave`, from where
    /// another one goes on, unless an inlined call makes it long.
    pub cut_traces: bool,
    /// Executed instructions: bounds loops that fold away and so record nothing.
    pub step_limit: usize,
    /// Frames: bounds recursion of traced functions.
    pub depth_limit: usize,
    /// Values that a guard needs, over all its frames.
    pub live_limit: usize,
    /// Whether operations that rely on hints are repeated, and their results compared.
    pub check_hints: bool,
    /// Whether the heap cache leaves out what the trace already has. Never with `check_hints`.
    pub heap_cache: bool,
    /// Whether objects may have been made in front of the trace without a check for the end of
    /// memory.
    pub has_made_objects: bool,
    /// Whether the promotion that a bridge starts at is left out: what follows is recorded for any
    /// value.
    pub generalise: bool,
    /// Whether promotions that the author asks for are recorded. Without them the trace holds for
    /// more values, and knows less.
    pub promote: bool,
    /// Whether calls of guest functions are inlined. If not, the trace calls their code.
    pub inline: bool,
    /// Whether loops have a guard that an interrupt makes fail.
    pub interruptible: bool,
    /// Whether to fill [`Snapshots::origins`](verdigris_trace::Snapshots).
    pub keep_origins: bool,
    /// Whether to fill [`Snapshots::activations`](verdigris_trace::Snapshots).
    pub keep_activations: bool,
}

impl Default for TraceLimits {
    fn default() -> TraceLimits {
        TraceLimits {
            trace_limit: 2000,
            cut_traces: false,
            step_limit: 300_000,
            depth_limit: 256,
            live_limit: 1000,
            check_hints: false,
            heap_cache: true,
            has_made_objects: false,
            generalise: false,
            promote: true,
            inline: true,
            interruptible: false,
            keep_origins: false,
            keep_activations: false,
        }
    }
}
