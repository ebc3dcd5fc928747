//! What the translator writes for rustc to compile, and what it tells the running program.
//!
//! In: the tables. Out: functions, declarations and places. Invariant: everything is named by a
//! path from the crate root.

pub(crate) mod declared;
pub(crate) mod pointers;
pub(crate) mod signatures;
pub(crate) mod source_locations;
pub(crate) mod support;
pub(crate) mod targets;
