//! The work of a pass over a function, as a flat list in the order of blocks and operations.
//! Operations whose results are always known are left out.

use super::folds::{Folds, folds};
use std::ops::Range;
use verdigris_front::tast::FuncId;
use verdigris_graph::{BlockId, Graph, GraphDescr, Val, ValueId};
use verdigris_ops::Descrs;

/// One step of a pass.
#[derive(Clone, Copy, Debug)]
pub enum PassStep {
    /// The parameters of this block.
    Params(BlockId),
    /// A value that follows from operands, which stand at these places of the list.
    From(ValueId, u32, u32),
    /// A value that is known only when the program runs.
    Unknown(ValueId),
    /// A call of a traced function: the operation of this number in a block.
    Call(FuncId, BlockId, u32),
}

/// The steps of a function.
#[derive(Default)]
pub struct PassSteps {
    /// In order.
    pub list: Vec<PassStep>,
    operands: Vec<ValueId>,
}

impl PassSteps {
    /// The steps of a function whose blocks are in this order.
    pub fn new(
        descrs: &Descrs,
        graph: &Graph,
        order: &[BlockId],
        has_views: impl Fn(BlockId) -> bool,
    ) -> PassSteps {
        let mut steps = PassSteps::default();
        for &id in order {
            let block = &graph.blocks[id];
            let comes_in = !block.params.is_empty() || has_views(id);
            if comes_in || id == graph.entry {
                steps.list.push(PassStep::Params(id));
            }
            for (n, op) in block.ops.iter().enumerate() {
                if let GraphDescr::Graph(callee) = op.descr {
                    steps.list.push(PassStep::Call(callee, id, n as u32));
                    continue;
                }
                match folds(descrs, op) {
                    Folds::Known => {}
                    Folds::OnGreens => steps.follow(&op.dsts, &op.args),
                    Folds::Never => {
                        let dsts = op.dsts.iter().copied();
                        steps.list.extend(dsts.map(PassStep::Unknown));
                    }
                }
            }
        }
        steps
    }

    fn follow(&mut self, dsts: &[ValueId], args: &[Val]) {
        let first = self.operands.len() as u32;
        self.operands
            .extend(args.iter().filter_map(|arg| arg.value()));
        let end = self.operands.len() as u32;
        if first < end {
            let steps = dsts.iter().map(|&dst| PassStep::From(dst, first, end));
            self.list.extend(steps);
        }
    }

    /// The operands at these places.
    pub fn operands(&self, places: Range<u32>) -> &[ValueId] {
        &self.operands[places.start as usize..places.end as usize]
    }
}
