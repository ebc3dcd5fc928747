//! What happens when compiled code is left in the middle of the interpreter: the frames of the
//! interpreter are rebuilt, and the blackhole interpreter executes jitcode until the native
//! interpreter can take over.
//!
//! In: a guard's [`Resume`](verdigris_trace::Resume) and the exit buffer. Out: a [`FrameStack`]
//! ([`rebuild`]), then the state at the next merge point, a result, or a panic ([`blackhole`]).
//! Invariants: register files lie on the context's shadow stack, where the collector finds what
//! they refer to; neither the host's stack nor the host's recursion is used for calls of the
//! interpreter's functions.
//!
//! Source: RPython's `resume.py` and `blackhole.py`; "Allocation Removal by Partial Evaluation in a
//! Tracing JIT" (2011), section 4.

#![warn(clippy::undocumented_unsafe_blocks)]

mod blackhole;
mod frames;
mod panics;
mod rebuild;

pub use blackhole::{MAX_ARGS, NativeCalls, Stop, blackhole, class_case};
pub use frames::{FrameStack, JitFrame, Scratch};
pub use panics::raise;
pub use rebuild::{
    RebuiltObjects, flush, frames_fit, push_frames, rebuild, rebuild_taken, take_kept,
};
