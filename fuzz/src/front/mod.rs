//! Campaigns for the translator. [`mutations`] breaks the sources of interpreters, which it has to
//! translate or to refuse; [`functions`] makes up functions of the subset, of which rustc's code
//! and jitcode have to mean the same, and [`callees`] their calls.

pub mod callees;
pub mod edits;
pub mod functions;
pub mod mutations;

pub use functions::Functions;
pub use mutations::Mutations;
