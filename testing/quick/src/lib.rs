//! The tests that are nearest to a change. In: which files differ from a commit, and what cargo
//! says of the workspace. Out: a [`plan::Plan`], which names test targets in the order of their
//! distance from the change, as many as a budget of seconds has room for, and those that are left
//! out. Invariant: nothing here runs a test or changes a file but [`run`] and
//! [`times::Times::write`].

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod changes;
pub mod plan;
pub mod run;
pub mod times;
pub mod workspace;

pub use changes::{Change, changed_files};
pub use plan::Plan;
pub use times::Times;
pub use workspace::{Package, Suite, Workspace};

use std::io::Write;

/// Writes a line to standard output. A reader that has closed the pipe has read enough.
pub fn say(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}
