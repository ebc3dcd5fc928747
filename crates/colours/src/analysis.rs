//! The colours of a program.

use crate::input::ColourInput;
use crate::solver::flow::Flow;
use crate::solver::solve::Solution;
use crate::solver::spec::SpecId;
use cranelift_entity::PrimaryMap;
use verdigris_front::tast::FuncId;
use verdigris_graph::{BlockId, Val};

/// The colours of a program.
pub struct Analysis<'a> {
    pub(crate) input: ColourInput<'a>,
    pub(crate) flows: PrimaryMap<FuncId, Flow>,
    pub(crate) solution: Solution,
}

impl Analysis<'_> {
    /// The cost of the analysis: block visits of the last fixpoint.
    pub fn steps(&self) -> usize {
        self.solution.steps
    }

    /// The arguments of a call of a traced function.
    pub(crate) fn call_args(&self, caller: SpecId, block: BlockId, op: usize) -> Vec<Val> {
        let func = self.solution.specs[caller].func;
        let args = self.flows[func].call_args(&self.input.graphs[func].graph, block, op);
        args.collect()
    }
}
