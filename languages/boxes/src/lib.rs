//! The boxed numbers of the paper on allocation removal, on Verdigris.
//!
//! In: a number. Out: the result of the paper's function `f`, or the traces of its loop as the
//! paper's figures show them. [`boxed`] is the interpreter, which is translated into a JIT at build
//! time; [`machine`] runs it; [`figures`] prints what the JIT makes of it; [`number`] reads and
//! prints numbers. Invariant: the JIT changes how fast `f` is, nothing else.
//!
//! Source: "Allocation Removal by Partial Evaluation in a Tracing JIT" (2011), section 2 and
//! figures 1, 2 and 4.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

verdigris::include_jit!();

pub mod boxed;
pub mod figures;
pub mod machine;
pub mod number;
