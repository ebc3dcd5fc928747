//! The input of the analysis.

use cranelift_entity::PrimaryMap;
use verdigris_front::tast::{FuncId, TypedProgram};
use verdigris_graph::Annotated;
use verdigris_ops::Descrs;

/// A program to analyse.
#[derive(Clone, Copy)]
pub struct ColourInput<'a> {
    /// The typed program.
    pub source: &'a TypedProgram,
    /// The descriptors that the graphs name.
    pub descrs: &'a Descrs,
    /// The graphs of the typed program's functions.
    pub graphs: &'a PrimaryMap<FuncId, Annotated>,
}
