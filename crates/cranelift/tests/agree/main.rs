//! The Cranelift backend against the oracle: the same traces on both, with the same exits, words and effects on the heap.

mod calls;
mod control;
mod heap;
mod ops;
mod portal;
mod random;
mod support;
mod world;
