//! The engine: decides when to trace, optimise, compile and deoptimise, and owns what results.
//!
//! In: a translated interpreter ([`Program`]), parameters ([`Options`]), and the passes of its
//! loops. Out: a [`Vm`] in which the interpreter's hot loops run as compiled code, [`Stats`], and
//! logs. Every other stage is a function of its input; this crate is the only one that holds state
//! across traces.
//!
//! Invariants: nothing is borrowed while guest code runs, so that the engine can be entered again
//! from any call; every attempt that fails is counted and eventually given up, so that what cannot
//! be compiled costs nothing. Source: RPython's warmstate and compile modules.

#![warn(clippy::undocumented_unsafe_blocks)]

mod ahead;
mod attach;
mod callees;
mod choice;
mod code_gc;
mod compile;
mod compile_log;
mod deopt;
mod enter;
mod errors;
mod exhaustion;
mod explain;
mod given;
mod hint_check;
mod hooks;
mod host;
mod inspect;
mod interrupt;
mod invalidate;
mod location;
mod log;
mod meter;
mod origins;
mod params;
mod profile;
mod program;
mod recording;
mod room;
mod select;
mod shuffle;
mod specialising;
mod stack;
mod state;
mod stats;
mod stats_text;
mod stencils;
mod suspended;
mod threads;
mod tiers;
mod touched;
mod trace_text;
mod tracing;
mod vm;

pub use ahead::NotCompiledError;
pub use errors::VmError;
pub use exhaustion::{ExhaustedError, protect};
pub use hooks::{AbortedEvent, CompiledEvent, Hooks, InvalidatedEvent, SharedHooks};
pub use interrupt::InterruptHandle;
pub use log::LogError;
pub use params::{Allowance, Compiler, JitParams, LazyArms, Options, ParamError};
pub use profile::Profiling;
pub use program::{Portal, Program, ProgramParts};
pub use select::BackendKind;
pub use stats::{
    AbortStats, CodeStats, CollectorStats, CompilerStats, GuardFailures, JitSeconds, LiveStats,
    OpCounts, SpecialisedStats, Stats, TierStats,
};
pub use stats_text::StatsForm;
pub use trace_text::{KeptTrace, TraceText};
pub use verdigris_heap::{HeapOptions, StackExhausted, Stress, Tier};
pub use vm::{StoppedError, Vm, check_stack, enter_portal, take_sample};
