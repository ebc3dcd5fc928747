//! Leaving compiled code: rebuilds the interpreter's frames at a guard ([`rebuild`]) and executes
//! jitcode from there ([`blackhole`]) until the native interpreter can take over.
//!
//! Invariants: registers lie on the context's shadow stack, where the collector finds what they
//! refer to; calls of the interpreter's functions use neither the host's stack nor its recursion.
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
