//! What the checker knows of the standard library and of our macros.
//!
//! In: calls of methods, functions and macros that are none of the crate. Out: expressions.
//! Invariant: each means what rustc's does.

pub(crate) mod exact;
pub(crate) mod macros;
pub(crate) mod message;
pub(crate) mod numbers;
pub(crate) mod option;
pub(crate) mod option_methods;
pub(crate) mod policies;
pub(crate) mod scalar;
pub(crate) mod table;
