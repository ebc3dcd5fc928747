//! What names mean, and how items are written.
//!
//! In: the items of the crate. Out: what a path leads to; and paths and names for messages and the
//! glue. Invariant: a name that rustc might read differently is refused.

pub(crate) mod macro_paths;
pub(crate) mod resolve;
pub(crate) mod unknown_attributes;
pub(crate) mod written;
