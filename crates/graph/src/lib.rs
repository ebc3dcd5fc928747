//! Flow graphs: the SSA form of every function that the JIT can look into.
//!
//! [`build`] makes them from the typed program, clean and in canonical numbering, for the lowering
//! to jitcode and for binding times. Every check that Rust makes (bounds, division, `unwrap`) is a
//! branch to a block that panics; every narrow integer is kept extended to 64 bits.
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

pub use build::{Built, OpSource, build, build_annotated, build_numbered};
pub use clean::clean;
pub use flow::{Dominators, Edge, Predecessors, defined};
pub use ir::{
    Block, BlockId, Graph, GraphConst, GraphDescr, GraphOp, GraphProgram, Pos, Target, Term, Val,
    ValueId,
};
pub use source::{Annotated, SourceMark, SourceNotes};
pub use table::{Control, GraphDescrKind, GraphOpcode, OpPosition, ResultKind};
pub use text::{parse, print, print_op, print_program, print_term, print_val};
pub use verify::{GraphVerifyError, verify};
