//! Removes block parameters that have only one possible value.
//!
//! The value is defined on every path to the block, since every edge passes it (or the parameter
//! itself).

use super::renames::Renames;
use crate::flow::Edge;
use crate::ir::{BlockId, Graph, Val};

/// Removes trivial parameters; returns whether there were any.
pub fn remove_trivial(graph: &mut Graph, order: &[BlockId]) -> bool {
    trivial(graph, order).apply(graph)
}

/// Removes trivial parameters from blocks and edges; returns their replacements.
pub fn trivial(graph: &mut Graph, order: &[BlockId]) -> Renames {
    let preds = graph.predecessors_from(order);
    let mut renames = Renames::default();
    for &block in order {
        if block == graph.entry || graph.is_merge_point(block) {
            continue;
        }
        let mut needless = vec![false; graph.blocks[block].params.len()];
        for index in (0..needless.len()).rev() {
            if let Some(only) = only_value(graph, &preds[block], block, index, &renames) {
                let param = graph.blocks[block].params[index];
                renames.add(param, only);
                needless[index] = true;
            }
        }
        remove(graph, &preds[block], block, &needless);
    }
    renames
}

/// Removes the parameters that are marked, and what the edges pass for them; returns whether there
/// were any.
pub fn remove(graph: &mut Graph, preds: &[Edge], block: BlockId, marked: &[bool]) -> bool {
    let any = marked.contains(&true);
    if any {
        keep(&mut graph.blocks[block].params, marked);
        for &edge in preds {
            keep(&mut graph.target_mut(edge).args, marked);
        }
    }
    any
}

fn keep<T>(list: &mut Vec<T>, removed: &[bool]) {
    let mut removed = removed.iter();
    list.retain(|_| removed.next() != Some(&true));
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
