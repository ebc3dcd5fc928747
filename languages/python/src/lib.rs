//! Python 3 on Verdigris.
//!
//! In: a program as text. Out: what it prints. [`mod@compile`] makes [`bytecode`], and [`load`]
//! takes that to the [`heap`], whose types are the object model; [`run`] has the interpreter, which
//! is translated into a JIT at build time, and the library; what needs no function of a program is
//! in [`plain`], and what is written in Python in [`library`]; [`machine`] puts them together.
//! Invariant: the JIT changes how fast a program runs, nothing else.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

verdigris::include_jit!();

pub mod bytecode;
pub mod clock;
pub mod compile;
pub mod ended;
pub mod heap;
pub mod library;
pub mod load;
pub mod machine;
pub mod output;
pub mod plain;
pub mod run;
pub mod session;
pub mod setup;
pub mod stdlib;
