//! The engine: decides when to trace, optimise, compile and deoptimise, and owns what results.
//!
//! In: a translated interpreter ([`Program`]), parameters ([`Options`]), and the passes of its loops. Out: a [`Vm`] in which
//! the interpreter's hot loops run as compiled code, [`Stats`], and logs. Every other stage is a function of its input;
//! this crate is the only one that holds state across traces.
//!
//! Invariants: nothing is borrowed while guest code runs, so that the engine can be entered again from any call; every
//! attempt that fails is counted and eventually given up, so that what cannot be compiled costs nothing. Source: RPython's
//! warmstate and compile modules.

#![warn(clippy::undocumented_unsafe_blocks)]

mod attach;
mod callees;
pub(crate) mod code_gc;
mod compile;
mod deopt;
mod enter;
mod errors;
mod exhaustion;
pub(crate) mod hint_check;
mod hooks;
mod host;
mod inspect;
mod interrupt;
mod invalidate;
mod log;
mod params;
mod program;
mod room;
mod select;
mod stack;
pub(crate) mod state;
mod stats;
mod suspended;
mod touched;
pub(crate) mod trace_text;
mod tracing;
mod vm;

pub use crate::errors::VmError;
pub use crate::exhaustion::Exhausted;
pub use crate::exhaustion::protect;
pub use crate::hooks::Aborted;
pub use crate::hooks::Compiled;
pub use crate::hooks::Hooks;
pub use crate::hooks::Invalidated;
pub use crate::hooks::SharedHooks;
pub use crate::interrupt::InterruptHandle;
pub use crate::log::LogError;
pub use crate::params::JitParams;
pub use crate::params::Options;
pub use crate::params::ParamError;
pub use crate::program::Portal;
pub use crate::program::Program;
pub use crate::program::ProgramParts;
pub use crate::select::BackendKind;
pub use crate::stats::Alive;
pub use crate::stats::GuardFailures;
pub use crate::stats::HeapFigures;
pub use crate::stats::OpCounts;
pub use crate::stats::Seconds;
pub use crate::stats::Stats;
pub use crate::trace_text::KeptTrace;
pub use crate::trace_text::TraceText;
pub use crate::vm::Stopped;
pub use crate::vm::Vm;
pub use crate::vm::check_stack;
pub use crate::vm::enter_portal;
pub use verdigris_heap::StackExhausted;
pub use verdigris_heap::{HeapOptions, Stress};
