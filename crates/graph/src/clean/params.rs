//! Removes block parameters that have only one possible value. In: a graph. Out: the parameter's uses name that value.
//! Invariant: the value is defined on every path to the block, since every edge passes it (or the parameter itself).

use super::Renames;
use crate::flow::Edge;
use crate::ir::{BlockId, Graph, Val};

/// Removes trivial parameters; answers whether there were any.
pub fn remove_trivial(graph: &mut Graph) -> bool {
    trivial(graph).apply(graph)
}

/// Removes trivial parameters from blocks and edges; answers what is to stand for them elsewhere.
pub fn trivial(graph: &mut Graph) -> Renames {
    let preds = graph.predecessors();
    let mut renames = Renames::default();
    for block in graph.reverse_postorder() {
        if block == graph.entry || graph.is_merge_point(block) {
            continue;
        }
        for index in (0..graph.blocks[block].params.len()).rev() {
            if let Some(only) = only_value(graph, &preds[block], block, index, &renames) {
                let param = graph.blocks[block].params[index];
                renames.add(param, only);
                remove(graph, &preds[block], block, index);
            }
        }
    }
    renames
}

/// Removes a parameter and what the edges pass for it.
pub fn remove(graph: &mut Graph, preds: &[Edge], block: BlockId, index: usize) {
    graph.blocks[block].params.remove(index);
    for &edge in preds {
        graph.target_mut(edge).args.remove(index);
    }
}

fn only_value(
    graph: &Graph,
    preds: &[Edge],
    block: BlockId,
    index: usize,
    renames: &Renames,
) -> Option<Val> {
    let itself = Val::Value(graph.blocks[block].params[index]);
    let mut only = None;
    for &edge in preds {
        let arg = renames.resolve(graph.target(edge).args[index]);
        if arg == itself || Some(arg) == only {
            continue;
        }
        if only.is_some() {
            return None;
        }
        only = Some(arg);
    }
    only
}
