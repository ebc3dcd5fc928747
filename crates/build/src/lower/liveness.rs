//! Liveness of values at the start and end of each block.
//!
//! A block's parameters are not live at its start. A merge point reads its greens and reds.

use cranelift_entity::{PrimaryMap, SecondaryMap};
use verdigris_graph::{Block, BlockId, Graph, Term, ValueId, defined};

/// The values that the end of a block reads, its edges included.
pub fn read_by_end(block: &Block) -> Vec<ValueId> {
    let passed = block.term.targets().flat_map(|t| &t.args);
    let read = block.term.operands().iter().chain(passed);
    let mut values: Vec<ValueId> = read.filter_map(|val| val.value()).collect();
    if let Term::MergePoint { .. } = block.term {
        values.extend(&block.params);
    }
    values
}

/// Live values at the borders of blocks, ascending.
pub struct Liveness {
    /// Needed at the start.
    pub at_start: SecondaryMap<BlockId, Vec<ValueId>>,
    /// Needed behind the end.
    pub at_end: SecondaryMap<BlockId, Vec<ValueId>>,
}

impl Liveness {
    /// Follows each value from its uses back to its definition, so that the work is what comes out
    /// (Boissinot, Brandner, Darte, Dupont de Dinechin and Rastello, "Computing liveness sets for
    /// SSA-form programs").
    pub fn new(graph: &Graph) -> Liveness {
        let mut live = Liveness {
            at_start: SecondaryMap::new(),
            at_end: SecondaryMap::new(),
        };
        let order = graph.reverse_postorder();
        let preds = graph.predecessors_from(&order);
        let mut uses: PrimaryMap<ValueId, Vec<BlockId>> = PrimaryMap::new();
        let mut home: SecondaryMap<ValueId, Option<BlockId>> = SecondaryMap::new();
        graph.values.keys().for_each(|_| {
            uses.push(Vec::new());
        });
        for id in order {
            let block = &graph.blocks[id];
            for v in defined(block) {
                home[v] = Some(id);
            }
            let args = block.ops.iter().flat_map(|op| &op.args);
            let args = args.filter_map(|a| a.value());
            for v in args.chain(read_by_end(block)) {
                if uses[v].last() != Some(&id) {
                    uses[v].push(id);
                }
            }
        }
        for (value, mut work) in uses {
            while let Some(block) = work.pop() {
                let known = live.at_start[block].last() == Some(&value);
                if known || home[value] == Some(block) {
                    continue;
                }
                live.at_start[block].push(value);
                for from in preds[block].iter().map(|e| e.from) {
                    if live.at_end[from].last() != Some(&value) {
                        live.at_end[from].push(value);
                        work.push(from);
                    }
                }
            }
        }
        live
    }
}
