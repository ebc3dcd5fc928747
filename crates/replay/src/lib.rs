//! Recordings of the JIT's decisions, from which the same code can be made without the guest
//! program.
//!
//! A [`Recorder`] writes the requests to the optimiser, and the queries of optimiser and backend
//! about the running program, to a text file. From the file alone, [`replay()`] makes the same
//! traces and the same machine code, or reports what is different. Everything that optimiser and
//! backend learn comes through their arguments and the traits [`Host`](verdigris_opt::Host) and
//! [`Callees`](verdigris_backend::Callees), which are recorded; the optimiser's own state is
//! rebuilt because all requests are replayed in order. Addresses are only names: nothing is read
//! there.

#![forbid(unsafe_code)]

mod outcome;
mod queries;
mod recorder;
mod recording_host;
#[cfg(feature = "replay")]
mod replay;

pub use outcome::JobOutcome;
pub use recorder::{JobName, Recorder, RecordingSettings};
pub use recording_host::{RecordingCallees, RecordingHost};
#[cfg(feature = "replay")]
pub use replay::{BadRecording, Recording, ReplayReport, ReplaySettings, replay};
