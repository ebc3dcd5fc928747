//! Compiled programs. In, out: texts with their places, code as Rust data, and code as text.
//! Invariant: nothing here knows of a heap.

pub mod code;
pub mod dis;
pub mod opcode;
pub mod source;
