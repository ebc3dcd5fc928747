//! How a trace ends, and what the engine gets of it.
//!
//! The program goes on while it is traced, so every [`TraceEnd`] has a state to continue from.

use crate::state::pins::Pins;
use std::any::Any;
use verdigris_report::AbortReason;
use verdigris_resume::FrameStack;
use verdigris_trace::{RecordedTrace, TargetId};

/// The tracer's questions to the engine.
pub trait Targets {
    /// The compiled loop for these greens, to end the trace with a jump to it.
    fn lookup(&self, greens: &[u64]) -> Option<TargetId>;

    /// The compiled code for these greens, if a trace that was cut goes on there.
    fn segment(&self, _greens: &[u64]) -> Option<TargetId> {
        None
    }

    /// Whether the loop header with these greens, met twice inside a trace, must not become a loop
    /// of its own: the engine has given up on it.
    fn blocked(&self, _greens: &[u64]) -> bool {
        false
    }

    /// Whether a call of the portal is inlined whose first merge point has these greens, while
    /// `depth` activations that began with them already are.
    fn inlines(&self, _greens: &[u64], depth: usize) -> bool {
        depth < 7
    }

    /// Whether a trace may go on through a loop header with these greens that has no code.
    fn traces(&self, _greens: &[u64]) -> bool {
        true
    }

    /// Makes a call of native code, whose time is not the tracer's.
    fn call_native(&self, call: &mut dyn FnMut()) {
        call();
    }
}

/// A recorded trace and how it ended.
pub struct Recorded {
    /// The trace. Unfinished, and of interest for logs only, unless the end is a loop, a jump, a
    /// cut or a finish.
    pub trace: RecordedTrace,
    /// How it ended.
    pub end: TraceEnd,
    /// Keeps the objects of the trace and the end alive until the trace's owner does.
    pub pins: Pins,
}

/// How a trace ended.
pub enum TraceEnd {
    /// It is a loop: its inputs are the reds of a merge point, and it ends in a `close`, back to
    /// there.
    Loop {
        /// The greens of the loop, and the reds with which the program continues there.
        state: Vec<u64>,
        /// The merge point is not the one that tracing started from but an inner one, met twice;
        /// what was recorded before it has been cut off. Always so in a bridge, which then is no
        /// bridge but a loop of its own.
        cut: bool,
    },
    /// It ends in a `jump` to a compiled loop.
    JumpTo {
        /// The loop.
        target: TargetId,
        /// The greens and reds with which the program continues there.
        state: Vec<u64>,
    },
    /// It is too long, and ends in a `leave` at a merge point, where another trace may start.
    Cut {
        /// The greens and reds of that merge point.
        state: Vec<u64>,
    },
    /// It ends in `finish`: the portal has returned a value of these words.
    Finish(Vec<u64>),
    /// A residual call has panicked: the payload, to be resumed.
    Panicked(Box<dyn Any + Send>),
    /// Nothing to compile; the blackhole interpreter continues from the frames.
    Aborted {
        /// Why.
        reason: AbortReason,
        /// Where the program is.
        frames: FrameStack,
        /// The first greens of the inlined activation that made the trace too long.
        culprit: Option<Vec<u64>>,
    },
    /// The heap limit was reached: the program is in front of an allocation.
    Exhausted,
    /// The system has no memory for the objects of the guard: stores of the program are lost.
    Lost,
}

/// The end of a trace, before the trace is cut and renamed.
pub(crate) enum Halt {
    /// The `jump` back is recorded; the index of the inner header to cut at, if it is not the
    /// start.
    Close {
        state: Vec<u64>,
        header: Option<usize>,
    },
    /// The `jump` to a compiled loop is recorded.
    Jump {
        target: TargetId,
        state: Vec<u64>,
    },
    /// The `finish` is recorded.
    Finish(Vec<u64>),
    /// The `leave` is recorded.
    Cut {
        state: Vec<u64>,
    },
    Panicked(Box<dyn Any + Send>),
    Abort(AbortReason),
    Exhausted,
    Lost,
}
