//! Jump threading and merging of straight lines.
//!
//! A block is skipped only if its parameters are used by its own end alone, so that no later block
//! misses a value; every other value that its end passes is defined on the way to its
//! predecessors.

use super::renames::Renames;
use crate::flow::Edge;
use crate::ir::{BlockId, Graph, GraphConst, Target, Term, Val, ValueId};
use cranelift_entity::SecondaryMap;

/// Leads edges past empty blocks; returns whether there were any.
pub fn jumps(graph: &mut Graph) -> bool {
    let order = graph.reverse_postorder();
    let elsewhere = used_elsewhere(graph, &order);
    let mut changed = false;
    for from in order {
        // The block behind the merge point stays where it is.
        if graph.is_merge_point(from) {
            continue;
        }
        for index in 0..graph.blocks[from].term.target_count() {
            let edge = Edge { from, index };
            // As many steps as there are blocks: an empty loop has no end.
            for _ in 0..graph.blocks.len() {
                let Some(target) = past(graph, graph.target(edge), &elsewhere) else {
                    break;
                };
                *graph.target_mut(edge) = target;
                changed = true;
            }
        }
    }
    changed
}

/// Whether a value is used outside of the end of the block that defines it.
fn used_elsewhere(graph: &Graph, order: &[BlockId]) -> SecondaryMap<ValueId, bool> {
    let count = graph.values.len();
    let mut owner: SecondaryMap<ValueId, Option<BlockId>> = SecondaryMap::with_capacity(count);
    for (id, block) in &graph.blocks {
        block.params.iter().for_each(|&p| owner[p] = Some(id));
    }
    let mut elsewhere = SecondaryMap::with_capacity(count);
    for &id in order {
        let block = &graph.blocks[id];
        let args = block.ops.iter().flat_map(|op| &op.args);
        for v in args.filter_map(|a| a.value()) {
            elsewhere[v] = true;
        }
        let edges = block.term.targets();
        let passed = edges.flat_map(|t| &t.args);
        let all = passed.chain(block.term.operands());
        for v in all.filter_map(|val| val.value()) {
            if owner[v] != Some(id) {
                elsewhere[v] = true;
            }
        }
    }
    elsewhere
}

/// Where an edge can lead instead of to an empty block.
fn past(graph: &Graph, edge: &Target, elsewhere: &SecondaryMap<ValueId, bool>) -> Option<Target> {
    let block = &graph.blocks[edge.block];
    if !block.ops.is_empty() || block.params.iter().any(|&p| elsewhere[p]) {
        return None;
    }
    let passed = |val: Val| match val {
        Val::Value(v) => {
            let index = block.params.iter().position(|&p| p == v);
            index.map_or(val, |i| edge.args[i])
        }
        Val::Const(_) => val,
    };
    let next = match &block.term {
        Term::Goto(next) => next,
        Term::Branch { cond, then, other } => match passed(*cond) {
            Val::Const(c) if c.word() != 0 => then,
            Val::Const(_) => other,
            Val::Value(_) => return None,
        },
        Term::Switch {
            value,
            cases,
            default,
        } => match passed(*value) {
            Val::Const(GraphConst::Int(key)) => {
                let case = cases.iter().find(|c| c.0 == key);
                case.map_or(default, |c| &c.1)
            }
            _ => return None,
        },
        _ => return None,
    };
    if next.block == edge.block {
        return None;
    }
    Some(Target {
        block: next.block,
        args: next.args.iter().map(|&a| passed(a)).collect(),
    })
}

/// Joins blocks that follow each other and have no other neighbours; returns whether there were
/// any.
pub fn merge_lines(graph: &mut Graph) -> bool {
    let order = graph.reverse_postorder();
    let preds = graph.predecessors_from(&order);
    let mut renames = Renames::default();
    let mut changed = false;
    let mut gone: SecondaryMap<BlockId, bool> = SecondaryMap::new();
    for id in order {
        if gone[id] {
            continue;
        }
        while let Term::Goto(Target { block: next, args }) = &graph.blocks[id].term {
            let (next, args) = (*next, args.clone());
            if preds[next].len() != 1 || next == id || graph.is_merge_point(next) {
                break;
            }
            let tail = graph.blocks[next].clone();
            for (&param, &arg) in tail.params.iter().zip(&args) {
                renames.add(param, renames.resolve(arg));
            }
            gone[next] = true;
            // What remains of the block cannot be reached, and must not count as a use of anything.
            graph.blocks[next].params.clear();
            graph.blocks[next].ops.clear();
            graph.blocks[next].term = Term::Return(Vec::new());
            let block = &mut graph.blocks[id];
            block.ops.extend(tail.ops);
            block.term = tail.term;
            block.pos = tail.pos;
            changed = true;
        }
    }
    renames.apply(graph);
    changed
}
