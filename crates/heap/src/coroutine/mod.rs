//! Coroutines: code of the guest that runs on a native stack of its own, and may be left and
//! entered again from within any number of calls.
//!
//! [`stacks`] has the memory, [`table`] who there is and what the collector looks at, [`switch`]
//! goes from one stack to another, [`handle`] is what users see.

pub(crate) mod handle;
pub(crate) mod stacks;
pub(crate) mod switch;
pub(crate) mod table;
