//! The recipes of the book, as one small dynamic language. In: functions, as Rust data, and a
//! number. Out: the result as text. [`program`] has what a program in memory is, [`interp`] the
//! interpreter; each other module is one recipe. Invariant: the JIT changes how long a program
//! takes, and nothing else.

#![forbid(unsafe_code)]

verdigris::include_jit!();

pub mod arith;
pub mod closures;
pub mod embedding;
pub mod faults;
pub mod generators;
pub mod interp;
pub mod program;
pub mod shapes;
pub mod text;
