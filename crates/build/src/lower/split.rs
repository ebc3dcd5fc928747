//! Gives every edge that passes operands a block of its own, where the moves go, and removes those
//! blocks again that turn out to have no moves.

use super::regalloc::RegAssignment;
use verdigris_graph::{Block, BlockId, Graph, Target, Term};

/// Splits the edges of choices that pass operands.
pub fn edges(graph: &Graph) -> Graph {
    let mut out = graph.clone();
    let blocks: Vec<BlockId> = out.blocks.keys().collect();
    for id in blocks {
        if matches!(out.blocks[id].term, Term::Goto(_)) {
            continue;
        }
        for index in 0..out.blocks[id].term.target_count() {
            split(&mut out, id, index);
        }
    }
    out
}

fn split(graph: &mut Graph, from: BlockId, index: usize) {
    let pos = graph.blocks[from].pos;
    let stub = BlockId::from_u32(graph.blocks.len() as u32);
    let target = graph.blocks[from].term.target_mut(index);
    if target.args.is_empty() {
        return;
    }
    let target = std::mem::replace(target, Target::to(stub));
    graph.blocks.push(Block {
        params: Vec::new(),
        ops: Vec::new(),
        term: Term::Goto(target),
        pos,
    });
}

/// Leads edges past blocks that do nothing, given the registers. What the new edges pass is in its
/// place already, so they pass nothing.
pub fn remove_empty(graph: &mut Graph, registers: &RegAssignment) {
    for id in graph.reverse_postorder() {
        for index in 0..graph.blocks[id].term.target_count() {
            // As many steps as there are blocks: an empty loop has no end.
            for _ in 0..graph.blocks.len() {
                let target = graph.blocks[id].term.target(index);
                let passes = !target.args.is_empty();
                match next_of_empty(graph, registers, target.block) {
                    Some(next) if !passes => {
                        *graph.blocks[id].term.target_mut(index) = Target::to(next);
                    }
                    _ => break,
                }
            }
        }
    }
}

fn next_of_empty(graph: &Graph, registers: &RegAssignment, block: BlockId) -> Option<BlockId> {
    let block = &graph.blocks[block];
    let Term::Goto(target) = &block.term else {
        return None;
    };
    let params = &graph.blocks[target.block].params;
    let in_place = params.iter().zip(&target.args).all(|(&param, arg)| {
        let source = arg.value().and_then(|v| registers.of[v]);
        source.is_some() && source == registers.of[param]
    });
    (block.ops.is_empty() && in_place).then_some(target.block)
}
