//! Recordings of what the JIT decided, which make the same code again without the guest program.
//!
//! In: what optimiser and backend are given, and what they ask of the running program, while it
//! runs ([`Recorder`]). Out: a text file; and from the file alone ([`Recording`]) the same traces
//! and the same machine code, or what is different ([`replay()`]). Invariants: everything that
//! optimiser and backend learn comes through their arguments, the trait
//! [`Host`](verdigris_opt::Host) and the trait [`Callees`](verdigris_backend::Callees), which are
//! recorded; what the optimiser keeps from one trace to the next it comes to again, since all
//! traces are replayed in their order. Addresses of objects and functions are names here: nothing
//! is ever read there.

#![forbid(unsafe_code)]

mod answers;
mod asked;
mod file;
mod listings;
mod pieces;
mod questions;
mod recorder;
mod replay;
mod report;

pub use asked::{AskedCallees, AskedHost};
pub use file::{BadRecording, Recording};
pub use pieces::{Kind, Outcome};
pub use recorder::{Given, Recorder, Setting};
pub use replay::{Settings, nothing_to_specialise, replay};
pub use report::Report;
