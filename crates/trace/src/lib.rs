//! The trace: a linear list of operations with guards, in static single assignment form.
//!
//! In: what the tracer recorded. Out: what the optimiser rewrites and the backends compile. Both forms are a
//! [`Trace`]; they differ in what a guard carries: a recorded guard points to a [`Snapshot`] of the interpreter's frames,
//! an optimised guard has a [`Resume`] (the frames in terms of the values that survive) and `fail_args`.
//!
//! Invariants ([`verify`] checks them): an operation's arguments are constants, inputs, or results of earlier operations
//! (within a section: see [`Op::Label`](Opcode::Label)); types match the tables; every guard has resume information; the
//! last operation is `jump` or `finish`.

#![forbid(unsafe_code)]

mod resume;
mod table;
mod text;
mod trace;
mod verify;

pub use resume::{
    FrameSnap, ItemWord, PendingStore, Resume, ResumeFrame, Snapshot, SnapshotId, Src, VirtualInfo,
    VirtualKind,
};
pub use table::{Failing, Opcode, Param, Refers, Shape};
pub use text::{ParseError, parse, parse_descrs, parse_with, print, print_descrs, print_with};
pub use trace::{Const, Descr, GuardId, Op, TargetId, Trace, Val, ValRef};
pub use verify::{VerifyError, verify};
