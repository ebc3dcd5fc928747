//! How a trace ends, and what the engine gets of it.
//!
//! The program goes on while it is traced, so every [`TraceEnd`] has a state to continue from.

use crate::state::pins::Pins;
use std::any::Any;
use std::fmt;
use verdigris_resume::FrameStack;
use verdigris_trace::{RecordedTrace, TargetId};

/// The tracer's questions to the engine.
pub trait Targets {
    /// The compiled loop for these greens, to end the trace with a jump to it.
    fn lookup(&self, greens: &[u64]) -> Option<TargetId>;

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
}

/// A recorded trace and how it ended.
pub struct Recorded {
    /// The trace. Unfinished, and of interest for logs only, unless the end is a loop, a jump or a
    /// finish.
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
    Panicked(Box<dyn Any + Send>),
    Abort(AbortReason),
    Exhausted,
    Lost,
}

/// Why nothing was compiled, in the whole system.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum AbortReason {
    /// More than [`TraceLimits::trace_limit`](crate::TraceLimits) operations.
    TraceTooLong,
    /// More than [`TraceLimits::step_limit`](crate::TraceLimits) instructions.
    TooManySteps,
    /// More than [`TraceLimits::depth_limit`](crate::TraceLimits) frames.
    TooDeep,
    /// More than [`TraceLimits::live_limit`](crate::TraceLimits) values live at a guard.
    TooManyLiveValues,
    /// The traced code is about to panic.
    PanicInTracedCode,
    /// An object has a class that its `#[object]` enum does not list.
    ClassNotInEnum,
    /// The optimiser found that the trace contradicts itself: it would always leave at one of its
    /// guards.
    Contradiction,
    /// The native stack or the shadow stack has no room for a trace. The place is not given up.
    TooLittleStack,
    /// The trace has come to a loop that the engine does not want traced.
    NotToBeTraced,
    /// The backend cannot compile the trace; its message.
    Backend(String),
}

impl AbortReason {
    /// The kind of reason, for counting.
    pub fn name(&self) -> &'static str {
        match self {
            AbortReason::TraceTooLong => "trace too long",
            AbortReason::TooManySteps => "too many steps",
            AbortReason::TooDeep => "calls too deep",
            AbortReason::TooManyLiveValues => "too many live values",
            AbortReason::PanicInTracedCode => "panic in traced code",
            AbortReason::ClassNotInEnum => "class not in the enum",
            AbortReason::Contradiction => "contradiction",
            AbortReason::TooLittleStack => "too little stack",
            AbortReason::NotToBeTraced => "not to be traced",
            AbortReason::Backend(_) => "backend",
        }
    }
}

impl fmt::Display for AbortReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            AbortReason::TraceTooLong => {
                "the trace is too long: raise `trace_limit`, or mark large functions that it runs through `#[opaque]`"
            }
            AbortReason::TooManySteps => {
                "a loop on constants runs too long while tracing: mark the function with the loop `#[opaque]` or `#[elidable]`"
            }
            AbortReason::TooDeep => {
                "traced functions call each other too deeply: mark the recursive function `#[opaque]`"
            }
            AbortReason::TooManyLiveValues => {
                "too many variables are alive at one place of the trace: mark the functions with most of them `#[opaque]`"
            }
            AbortReason::PanicInTracedCode => "the interpreter panicked while it was traced",
            AbortReason::ClassNotInEnum => {
                "an object has a class that its `#[object]` enum does not list: the object has been freed while it was in use"
            }
            AbortReason::Contradiction => "the trace contradicts itself and would never run to its end",
            AbortReason::TooLittleStack => {
                "too little is left of the native stack to trace and compile on: run the VM on a thread with a larger stack"
            }
            AbortReason::NotToBeTraced => {
                "the trace leads to a loop that is not to be traced, as the function says that `#[portal(tier = ..)]` names"
            }
            AbortReason::Backend(message) => return f.write_str(message),
        })
    }
}
