//! Removes unreachable blocks, operations without effect whose result is not used, and unused
//! parameters. A merge point's parameters count as used.

use super::params;
use crate::ir::{BlockId, Graph, Val, ValueId};
use cranelift_entity::SecondaryMap;

/// Removes dead code; returns whether there was any.
pub fn remove(graph: &mut Graph) -> bool {
    let order = graph.reverse_postorder();
    let used = used_values(graph, &order);
    let mut changed = false;
    let preds = graph.predecessors_from(&order);
    for id in order {
        let block = &mut graph.blocks[id];
        let before = block.ops.len();
        block
            .ops
            .retain(|op| !op.code.is_removable() || op.dsts.iter().any(|&dst| used[dst]));
        changed |= block.ops.len() != before;
        if id == graph.entry {
            continue;
        }
        let params = graph.blocks[id].params.iter();
        let unused: Vec<bool> = params.map(|&p| !used[p]).collect();
        changed |= params::remove(graph, &preds[id], id, &unused);
    }
    changed
}

/// Which values something with an effect depends on.
fn used_values(graph: &Graph, order: &[BlockId]) -> SecondaryMap<ValueId, bool> {
    let count = graph.values.len();
    let mut sources: SecondaryMap<ValueId, Vec<Val>> = SecondaryMap::with_capacity(count);
    let mut work: Vec<Val> = Vec::new();
    for &id in order {
        let block = &graph.blocks[id];
        for op in &block.ops {
            match op.dsts.as_slice() {
                &[dst] if op.code.is_removable() => sources[dst].extend(&op.args),
                _ => work.extend(&op.args),
            }
        }
        work.extend(block.term.operands());
        for target in block.term.targets() {
            let params = params_of(graph, target.block);
            for (&param, &arg) in params.iter().zip(&target.args) {
                sources[param].push(arg);
            }
        }
        if graph.is_merge_point(id) {
            work.extend(block.params.iter().map(|&p| Val::Value(p)));
        }
    }
    let mut used: SecondaryMap<ValueId, bool> = SecondaryMap::with_capacity(count);
    while let Some(val) = work.pop() {
        if let Val::Value(v) = val
            && !std::mem::replace(&mut used[v], true)
        {
            work.append(&mut sources[v]);
        }
    }
    used
}

fn params_of(graph: &Graph, block: BlockId) -> &[ValueId] {
    &graph.blocks[block].params
}
