//! The engine: decides what to trace, compile, enter and free.
//!
//! It runs a translated interpreter ([`Program`]) in a [`Vm`], whose hot loops become compiled
//! code. Every other stage is a function of its input; this crate alone keeps state across traces.
//!
//! Invariants: nothing is borrowed while guest code runs, so that any call may enter the engine
//! again; every attempt that fails is counted and eventually given up. Source: RPython's warmstate
//! and compile modules.

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
pub use observe::trace_text::{KeptTrace, TraceText};
pub use params::{Allowance, Compiler, JitParams, LazyArms, Options, ParamError, Profiling};
pub use program::{Portal, Program, ProgramParts};
pub use run::exhaustion::{ExhaustedError, protect};
pub use run::interrupt::InterruptHandle;
pub use run::reports::RunReports;
pub use verdigris_backend::BackendError;
pub use verdigris_heap::{HeapOptions, StackExhausted, Stress, Tier};
pub use verdigris_opt::Passes;
pub use verdigris_report::{
    AbortReason, AbortStats, CodeKind, CodeStats, CollectorStats, CompilerKind, CompilerStats,
    GuardFailures, JitSeconds, LiveStats, OpCounts, SourcePos, SpecialisedStats, Stats, StatsForm,
    TierStats,
};
pub use vm::{
    StoppedError, Vm, check_stack, enter_portal, interpret_within, is_within_code, stack_room,
    take_sample,
};
