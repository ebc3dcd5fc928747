//! The results of translating and colouring an interpreter.

use verdigris_colours::ColourReport;
use verdigris_front::Diagnostics;
use verdigris_front::tast;
use verdigris_graph as graph;
use verdigris_jitcode::Unit;

/// A translated interpreter.
#[derive(Clone, Debug)]
pub struct Translation {
    /// The jitcode.
    pub unit: Unit,
    /// The flow graphs.
    pub graphs: graph::GraphProgram,
    /// For each class, the Rust expression of type `fn() -> &'static ClassDescr`.
    pub class_glue: Vec<String>,
    /// For each called function, the Rust path of type `fn() -> FnDescr`.
    pub fn_glue: Vec<String>,
    /// The path of what tells the portal from others.
    pub portal_glue: String,
    /// The types that the attribute macros describe: the path of their text, and what it should be.
    pub types: Vec<(String, String)>,
    /// Where functions and fields are declared, by their names in the jitcode.
    pub places: Vec<(String, String)>,
    /// What functions say to the author of a guest program, by their names in the jitcode.
    pub advice: Vec<(String, String)>,
    /// Functions that the glue declares.
    pub supports: Vec<tast::Support>,
    pub own_probes: Vec<(String, String)>,
    /// The source files, relative to the crate.
    pub files: Vec<String>,
    /// Why it makes no sense to specialise the interpreter, if it does not: the way on which red
    /// gets into the choice of the instruction.
    pub red_dispatch: Option<String>,
    /// Advice that does not keep the translator from its work.
    pub warnings: Diagnostics,
}

/// The source of an interpreter with the colours of its values.
#[derive(Clone, Debug)]
pub struct Coloured {
    /// The source.
    pub report: ColourReport,
    /// Mistakes and advice about the colours.
    pub findings: Diagnostics,
}
