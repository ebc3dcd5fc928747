//! Why a guest program is slow: ranks what a VM reports of a run ([`Report`]), with advice, as text
//! or JSON. Nothing here knows the engine, so another process can render a report later.

#![forbid(unsafe_code)]

mod advice;
mod model;
mod rank;
mod render;

pub use advice::Topic;
pub use model::{
    AbortReport, AllocationSite, CallSite, CodeChange, CodeReport, EscapeCause, Findings,
    GuardReport, InterpretedPlace, LeadsTo, LostState, NestedEntries, PromotionReport, Report,
    StoreSite,
};
pub use rank::{Finding, rank};
pub use render::{Render, ReportForm};
pub use verdigris_report::{
    AbortReason, Activity, CallKind, ChangeKind, CodeKind, CompilerKind, SourcePos, Terminal,
    WhyInterpreted,
};
