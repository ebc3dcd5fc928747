//! The trace: a linear list of operations with guards, in static single assignment form.
//!
//! A [`RecordedTrace`] is made by the tracer: its guards have a [`Snapshot`] of the interpreter's
//! frames. An [`OptimisedTrace`] is made by the optimiser and compiled by the backends: its guards
//! have an [`Exit`] with [`Resume`] data, the frames in terms of the values that survive.
//!
//! Invariants ([`verify`] checks them): an operation's arguments are constants, inputs, or results
//! of earlier operations (within a section: see [`label`](Opcode::Label)); types match the tables;
//! every guard has its own exit; the last operation is `jump` or `finish`.

#![forbid(unsafe_code)]

mod constants;
mod descr;
mod exits;
mod frames;
mod numbers;
mod op;
mod region;
mod resume;
mod revive;
mod snapshots;
mod table;
mod text;
mod trace;
mod value;
mod verify;

pub use descr::Descr;
pub use exits::{Exit, ExitId, ExitTable, Exits};
pub use frames::{ResumeFrame, ResumeFrames};
pub use numbers::{NumberReader, Numbers};
pub use op::{Definitions, OpArgs, Operation, Operations, OptimisedOp, OptimisedOps, RecordedOp};
pub use resume::{ItemWord, PendingStore, Resume, Src, VirtualInfo, VirtualKind};
pub use revive::{Revived, VirtualMaker, make_virtuals, revive};
pub use snapshots::{OpOrigin, Snapshot, SnapshotId, Snapshots};
pub use table::{ArgShape, GuardParam, OnFailure, OpRefers, Opcode};
pub use text::{
    TraceForm, TraceParseError, parse, parse_descrs, parse_with, print, print_descrs,
    print_section, print_with,
};
pub use trace::{OptimisedTrace, RecordedTrace, Trace};
pub use value::{Arg, Const, GuardId, TargetId, ValRef};
pub use verify::{TraceVerifyError, verify};
