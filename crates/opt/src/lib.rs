//! The trace optimiser.
//!
//! [`Optimiser`] turns a [`RecordedTrace`](verdigris_trace::RecordedTrace), whose guards have
//! snapshots, into an equivalent trace whose guards carry resume data ([`Optimised`]). A loop
//! becomes `label entry ... label body ... jump body`: the entry runs the first iterations, and the
//! body is specialised to the state that they leave. A bridge becomes straight-line code that jumps
//! to the most specialised label whose state it satisfies. [`TraceBuilder`] builds such traces
//! without a recording.
//!
//! One forward pass (`section`) goes over abstract values (`state`); each concern is a file of
//! `passes`. `labels` joins sections, `finish` makes them a trace.
//!
//! Invariant: results, heap effects, and the interpreter's state at every exit are those of the
//! recorded trace; the trace interpreter is the judge.
//!
//! Sources: "Allocation Removal by Partial Evaluation in a Tracing JIT" (2011), sections 4 to 6;
//! "Loop-Aware Optimizations in PyPy's Tracing JIT" (2012) for peeling.

#![forbid(unsafe_code)]

mod bounds;
mod build;
mod builder_sabotage;
mod finish;
mod host;
mod labels;
mod optimiser;
mod passes;
mod report;
mod rules;
mod sabotage;
mod section;
mod state;

pub use build::open_section::{Ended, Label, OpenSection, Split};
pub use build::trace_builder::TraceBuilder;
pub use builder_sabotage::Sabotage as BuilderSabotage;
pub use host::{Host, OptError, Optimised};
pub use labels::shape::LabelShape;
pub use labels::split::SplitTest;
pub use optimiser::Optimiser;
pub use passes::Passes;
pub use report::residual::{
    EscapeReason, Residual, ResidualAllocation, ResidualCall, ResidualEscape, ResidualGuard,
    ResidualStore, StoreObserver,
};
pub use sabotage::Sabotage;
pub use state::contents::MAX_WORDS as MAX_VIRTUAL_WORDS;
pub use state::knowledge::GuardKnowledge;
pub use state::origins::{BuilderInput, BuilderStep};
pub use state::remarks::{MissedOptimisation, Remark};
