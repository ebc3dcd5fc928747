//! What a VM reports of a run, as data: the vocabulary that statistics, explanations, profiles and
//! the JSON form of the log share. Nothing here knows the engine, so any process can read it.

#![forbid(unsafe_code)]

mod abort;
mod kinds;
mod log;
mod named;
mod similar;
mod source_pos;
mod stats;
mod stats_text;
mod terminal;
pub mod units;

pub use abort::AbortReason;
pub use kinds::{Activity, CallKind, ChangeKind, CodeKind, CompilerKind, WhyInterpreted};
pub use log::{
    JitcodeFunction, JitcodeInsn, LogBody, LogEntry, LogOp, LogRow, LogStage, LogStep, TraceHead,
    TraceOrigins,
};
pub use similar::{did_you_mean, similar};
pub use source_pos::SourcePos;
pub use stats::{
    AbortStats, CodeStats, CollectorStats, CompilerStats, GuardFailures, JitSeconds, LiveStats,
    OpCounts, SpecialisedStats, Stats, TierStats,
};
pub use stats_text::StatsForm;
pub use terminal::{Terminal, TextStyle};
