//! The tracer: executes jitcode with concrete values and records what it does.
//!
//! A trace starts at a merge point ([`trace_loop`]) or at a guard that has failed
//! ([`trace_bridge`]). Invariants: the program goes on while it is traced, so whatever ends a trace
//! leaves a state to continue from; a recorded constant holds for every execution that passes the
//! guards before it; nothing of the engine is borrowed while a residual call runs.
//!
//! A register has a word (in a [`FrameStack`](verdigris_resume::FrameStack)) and a trace value
//! beside it. An operation on constants alone is folded and leaves no trace, which is how the
//! interpreter's dispatch vanishes.
//!
//! Source: "Tracing the Meta-Level: PyPy's Tracing JIT Compiler" (2009); RPython's `pyjitpl.py`.

#![warn(clippy::undocumented_unsafe_blocks)]

mod end;
mod finish;
mod limits;
mod state;
mod step;
mod trace_bridge;
mod trace_loop;

pub use end::{Recorded, Targets, TraceEnd};
pub use limits::TraceLimits;
pub use state::pins::Pins;
pub use trace_bridge::trace_bridge;
pub use trace_loop::trace_loop;
pub use verdigris_report::AbortReason;
