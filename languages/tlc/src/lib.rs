//! TLC, the toy language with cons cells of the 2009 paper on JIT generation, on Verdigris.
//!
//! In: a program as text or binary. Out: what it prints and its result. [`asm`], [`disasm`] and
//! [`image`] are the tools; [`interp`] is the interpreter, which is translated into a JIT at build
//! time; [`machine`] puts them together. Invariant: the JIT changes how fast a program runs,
//! nothing else.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

verdigris::include_jit!();

pub mod arith;
pub mod asm;
pub mod disasm;
pub mod fault;
pub mod image;
pub mod interp;
pub mod list;
pub mod machine;
pub mod object;
pub mod opcode;
pub mod output;
pub mod trap;
