//! Binding times: which values follow from the position in the guest program (green) and which do
//! not (red).
//!
//! In: the typed program and its annotated flow graphs. Out: the colour of every value of every
//! function, for each combination of its arguments' colours ([`Analysis`]); complaints about
//! demands that cannot be met ([`findings`]); and the source, coloured ([`Report`]). Invariants: a
//! value that is not red follows from greens, constants and promoted values by operations that can
//! be folded; a colour never depends on the order in which functions are looked at.
//!
//! Sources: "How to not write virtual machines for dynamic languages" (2007), section 2.1, and
//! "Automatic generation of JIT compilers for dynamic languages in .NET" (2009), section 3.2.

#![forbid(unsafe_code)]

mod chain;
mod colour;
mod control;
mod demand;
mod findings;
mod flow;
mod html;
mod origin;
mod report;
mod results;
mod solve;
mod spec;
mod steps;
mod text;
mod views;

use cranelift_entity::PrimaryMap;
use verdigris_front::tast::{FuncId, TypedProgram};
use verdigris_graph::{Annotated, BlockId, Val};
use verdigris_ops::Descrs;

pub use chain::Link;
pub use colour::Colour;
pub use findings::{findings, red_dispatch};
pub use report::{Paint, Report, Shade};
pub use results::Range;
pub use text::Style;

/// What the colours are computed from.
#[derive(Clone, Copy)]
pub struct Input<'a> {
    /// The typed program.
    pub source: &'a TypedProgram,
    /// The descriptors that the graphs name.
    pub descrs: &'a Descrs,
    /// The graphs of the typed program's functions.
    pub graphs: &'a PrimaryMap<FuncId, Annotated>,
}

/// The colours of a program.
pub struct Analysis<'a> {
    pub(crate) input: Input<'a>,
    pub(crate) flows: PrimaryMap<FuncId, flow::Flow>,
    pub(crate) solution: solve::Solution,
}

impl Analysis<'_> {
    /// What the analysis has cost: how often it has looked at a block, after the last demand was
    /// met.
    pub fn steps(&self) -> usize {
        self.solution.steps
    }

    /// What a call of a traced function passes.
    pub(crate) fn call_args(&self, caller: solve::SpecId, block: BlockId, op: usize) -> Vec<Val> {
        let func = self.solution.specs[caller].func;
        let args = self.flows[func].call_args(&self.input.graphs[func].graph, block, op);
        args.collect()
    }
}

/// Colours a program.
pub fn analyse(input: Input<'_>) -> Analysis<'_> {
    let mut flows: PrimaryMap<FuncId, flow::Flow> =
        input.graphs.values().map(flow::Flow::new).collect();
    views::add(&input, &mut flows);
    for (func, flow) in &mut flows {
        flow.settle(input.descrs, &input.graphs[func].graph);
    }
    let mut forced = solve::Forced::default();
    loop {
        let solution = solve::solve(&input, &flows, &forced);
        let analysis = Analysis {
            input,
            flows,
            solution,
        };
        let before = forced.len();
        demand::collect(&analysis, &mut forced);
        if forced.len() == before {
            return analysis;
        }
        flows = analysis.flows;
    }
}
