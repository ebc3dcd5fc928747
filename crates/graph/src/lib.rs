//! Flow graphs: the SSA form of every function that the JIT can look into.
//!
//! In: the typed program of `verdigris-front`. Out: a [`Program`] of [`Graph`]s, clean and in
//! canonical numbering, for the lowering to jitcode and for analyses (binding times). Every check
//! that Rust makes (bounds, division, `unwrap`) is a branch to a block that panics; every narrow
//! integer is kept extended to 64 bits.
//!
//! Invariants ([`verify()`] checks them): SSA with block parameters, typed operands, and a merge
//! point behind which only its own greens and reds are known. The text form ([`print_program`],
//! [`parse`]) holds everything.

#![forbid(unsafe_code)]

mod build;
mod clean;
mod flow;
mod ir;
mod source;
mod table;
mod text;
mod verify;

pub use build::{Built, Origin, build, build_annotated, build_numbered};
pub use clean::clean;
pub use flow::{Dominators, Edge, Predecessors, defined};
pub use ir::{
    Block, BlockId, Const, Descr, Graph, Op, PanicKind, Pos, Program, Target, Term, Val, ValueId,
};
pub use source::{Annotated, Mark, Notes};
pub use table::{Control, Gives, Names, Opcode, Place};
pub use text::{ParseError, parse, print, print_op, print_program, print_term, print_val};
pub use verify::{VerifyError, verify};
