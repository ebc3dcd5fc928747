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

mod code;
mod compile;
mod engine;
mod errors;
mod observe;
mod params;
mod policy;
mod program;
mod run;
mod threaded_code;
mod vm;

pub use compile::aot::NotCompiledError;
pub use compile::backends::BackendKind;
pub use errors::VmError;
pub use observe::hooks::{AbortedEvent, CompiledEvent, Hooks, InvalidatedEvent, SharedHooks};
pub use observe::log::LogError;
pub use observe::profile::Profiling;
pub use observe::stats::{
    AbortStats, CodeStats, CollectorStats, CompilerStats, GuardFailures, JitSeconds, LiveStats,
    OpCounts, SpecialisedStats, Stats, TierStats,
};
pub use observe::stats_text::StatsForm;
pub use observe::trace_text::{KeptTrace, TraceText};
pub use params::{Allowance, Compiler, JitParams, LazyArms, Options, ParamError};
pub use program::{Portal, Program, ProgramParts};
pub use run::exhaustion::{ExhaustedError, protect};
pub use run::interrupt::InterruptHandle;
pub use verdigris_backend::BackendError;
pub use verdigris_heap::{HeapOptions, StackExhausted, Stress, Tier};
pub use verdigris_opt::Passes;
pub use vm::{StoppedError, Vm, check_stack, enter_portal, take_sample};
