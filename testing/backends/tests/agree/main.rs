//! Traces on all backends, with the same exits, words and effects on the heap.

mod calls;
mod control;
mod heap;
mod holes;
mod ops;
mod portal;
mod random;
mod threaded_code;
