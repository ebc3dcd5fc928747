//! What generated code names. In: the expansions of the attributes, and the file that the build script writes.
//! Out: the types and functions of the crates below. Invariant: nothing here is for users, and everything here can be
//! called from a crate that forbids unsafe code.

mod count;
pub mod scalars;

pub use count::count_operation;
#[cfg(feature = "count")]
pub use count::operations;

pub use verdigris_engine::{Portal, Program, ProgramParts, enter_portal};
pub use verdigris_heap::{Entered, RawWord, Start, Words, can_enter, enter_function, hash_greens};
pub use verdigris_library::rt::*;
pub use verdigris_macros::mistakes;
