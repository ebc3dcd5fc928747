//! The second compiler: partial evaluation of the interpreter for one position in the guest
//! program, given by the greens of a merge point.
//!
//! Nothing is executed: an operation on constants folds, any other is residual. Where a branch
//! depends on a red, both sides are compiled; paths that meet at a merge point with the same greens
//! are joined, and so are those within an instruction where there are many. The code goes as
//! sections to the optimiser ([`TraceBuilder`](verdigris_opt::TraceBuilder)). Invariants: a path
//! stands where the interpreter would, with the values of its registers; what cannot be compiled,
//! or is not compiled until it is needed, is an exit with the frames of the interpreter.
//!
//! The threaded tier ([`stencil()`]) compiles one instruction of the guest program instead, for all
//! positions that have it.
//!
//! Source: "Get Your Own Just-In-Time Specializing Compiler For Free" (2007), sections 2.1 to 2.6;
//! "Automatic Generation of JIT Compilers for Dynamic Languages in .NET" (2009), sections 3 and 4.
//! There a generating extension is derived from the interpreter's flow graphs at translation time;
//! here it is this interpreter of jitcode.

#![forbid(unsafe_code)]

mod compile;
mod failed_guard;
mod limits;
pub mod observe;
mod portal;
mod request;
mod sabotage;
mod specialiser;
mod state;
mod step;
mod threaded;

pub use compile::{specialise, specialise_from};
pub use failed_guard::FailedGuard;
pub use limits::{Lazy, LeaveReason, SpecialiseLimits};
pub use request::{OptAnswer, OptRequest, OptRequestError, OptRequestKind};
pub use sabotage::Sabotage;
pub use specialiser::Specialised;
pub use state::history::SpecialiserHistory;
pub use threaded::{
    Choice, DecodeInput, DecodeTest, Decoded, Decoder, GREENS, Green, Stencil, StencilContext,
    entrance, learn, stencil, without_code,
};
