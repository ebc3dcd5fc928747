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

mod callees;
mod cells;
mod compile;
mod copies;
mod counters;
mod deopt;
mod engine;
mod enter;
mod exhaustion;
mod guards;
mod hooks;
mod host;
mod inspect;
mod interrupt;
mod invalidate;
mod kept;
mod lies;
mod log;
mod packed;
mod params;
mod program;
mod promotions;
mod room;
mod roots;
mod select;
mod sites;
mod stack;
mod stats;
mod suspended;
mod tidy;
mod touched;
mod tracing;
mod trees;
mod vm;
mod ways;

pub use exhaustion::{Exhausted, protect};
pub use hooks::{Aborted, Compiled, Hooks, Invalidated, SharedHooks};
pub use interrupt::InterruptHandle;
pub use kept::{KeptTrace, TraceText};
pub use log::LogError;
pub use params::{JitParams, Options, ParamError};
pub use program::{Portal, Program, ProgramParts};
pub use select::BackendKind;
pub use stats::{Alive, GuardFailures, HeapFigures, OpCounts, Seconds, Stats};
pub use verdigris_heap::StackExhausted;
pub use verdigris_heap::{HeapOptions, Stress};
pub use vm::{Stopped, Vm, VmError, check_stack, enter_portal};
