//! A small class-based language on Verdigris, with the three object models of the 2011 paper on
//! runtime feedback.
//!
//! In: a program as text. Out: what it prints. [`lexer`], [`parser`] and [`compile`] make an
//! [`image`] of bytecode; [`interp`] is the interpreter, which is translated into a JIT at build
//! time; [`model`] is what attributes and methods are, in three stages; [`machine`] puts them
//! together and [`figures`] shows what the JIT makes of each stage. Invariant: neither the stage
//! nor the JIT changes anything but how fast a program runs.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

verdigris::include_jit!();

pub mod arith;
pub mod ast;
pub mod compile;
pub mod dict;
pub mod disasm;
pub mod fault;
pub mod figures;
pub mod image;
pub mod interp;
pub mod lexer;
pub mod machine;
pub mod model;
pub mod object;
pub mod opcode;
pub mod output;
pub mod parser;
pub mod trap;
