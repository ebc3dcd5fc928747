//! TLA, the small stack language of the 2022 paper on two levels of compilation, on Verdigris.
//!
//! In: a program as text. Out: its result, or the fault it ends with. [`asm`] reads the text,
//! [`verify`] says what is wrong with it; [`interp`] is the interpreter, which is translated into a
//! JIT at build time; [`level`] says which compiler makes which code; [`machine`] puts them
//! together. Invariant: the JIT changes how fast a program runs, nothing else. How deep calls may
//! go is part of what it must not change.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

verdigris::include_jit!();

pub mod arith;
pub mod asm;
pub mod fault;
pub mod image;
pub mod interp;
pub mod level;
pub mod machine;
pub mod object;
pub mod opcode;
pub mod verify;
