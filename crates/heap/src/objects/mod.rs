//! Objects: their allocation, and the thin pointers to structs and arrays.

pub(crate) mod alloc;
pub(crate) mod array;
pub(crate) mod gc;
