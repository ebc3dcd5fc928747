//! The second compiler: partial evaluation of the interpreter for one place of the guest program.
//!
//! In: the greens of a merge point. Out: code for everything that the guest program does from
//! there, as far as the greens say, as sections of the optimiser ([`TraceBuilder`]). Nothing is executed:
//! an operation on constants folds, any other is residual; where a branch depends on a red, both
//! sides are compiled, and where ways meet at a merge point with the same greens, they go on
//! together. Invariants: a way stands where the interpreter would, with the values of its
//! registers; what cannot be compiled, or had better wait until it is needed, is an exit with the
//! frames of the interpreter.
//!
//! Beside code for a place there is code for an instruction, which all places share that have it
//! ([`stencil()`]).
//!
//! Source: "Get Your Own Just-In-Time Specializing Compiler For Free" (2007), sections 2.1 to 2.6;
//! "Automatic Generation of JIT Compilers for Dynamic Languages in .NET" (2009), sections 3 and 4.
//! There the generating extension is made when the interpreter is translated, out of its flow
//! graphs; here it is this interpreter of jitcode, whose greens are constants.

#![forbid(unsafe_code)]

mod compile;
mod failed_guard;
mod limits;
pub mod observe;
mod portal;
mod sabotage;
mod specialiser;
mod state;
mod step;
mod threaded;

pub use compile::{specialise, specialise_from};
pub use failed_guard::FailedGuard;
pub use limits::{Lazy, LeaveReason, SpecialiseLimits};
pub use sabotage::Sabotage;
pub use specialiser::Specialised;
pub use state::history::SpecialiserHistory;
pub use threaded::{
    Choice, DecodeInput, DecodeTest, Decoded, Decoder, GREENS, Green, Stencil, StencilContext,
    entrance, learn, stencil, without_code,
};
