//! Containers and what is in them. In: containers, keys and indices. Out: items. Invariant: what
//! hashes and compares keys may be the program's.

pub mod algebra;
pub mod build;
pub mod bytes;
pub mod hash;
pub mod iterate;
pub mod keys;
pub mod more_iterators;
pub mod slice;
pub mod subscript;
pub mod unpack;
