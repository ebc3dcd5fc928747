//! Lets the code behind a `promote` use its result. In: a graph. Out: uses of the promoted value on paths that all go
//! through the promotion name the result, which is a constant in traces. Invariant: both are the same word.

use crate::flow::Dominators;
use crate::ir::{BlockId, Graph, Val, ValueId};
use crate::table::{Control, Opcode};

/// One promotion: behind operation `position` of `block`, `from` is known as `to`.
struct Promotion {
    block: BlockId,
    position: usize,
    from: ValueId,
    to: ValueId,
}

/// Replaces the uses behind every promotion.
pub fn spread(graph: &mut Graph) {
    spread_to(graph, |_, _, _| {});
}

/// Replaces the uses behind every promotion, and lets `also` do so with what it knows of a block from one of its operations
/// on.
pub fn spread_to(graph: &mut Graph, mut also: impl FnMut(BlockId, usize, &dyn Fn(&mut Val))) {
    let dominators = Dominators::new(graph);
    let order = graph.reverse_postorder();
    for &block in &order {
        for position in 0..graph.blocks[block].ops.len() {
            if let Some(promotion) = promotion(graph, block, position) {
                for &other in order.iter().filter(|&&b| dominators.dominates(block, b)) {
                    replace(graph, &promotion, other, &mut also);
                }
            }
        }
    }
}

fn promotion(graph: &Graph, block: BlockId, position: usize) -> Option<Promotion> {
    let op = &graph.blocks[block].ops[position];
    if op.code != Opcode::Control(Control::Promote) {
        return None;
    }
    Some(Promotion {
        block,
        position,
        from: op.args[0].value()?,
        to: op.dst()?,
    })
}

fn replace(
    graph: &mut Graph,
    promotion: &Promotion,
    block: BlockId,
    also: &mut impl FnMut(BlockId, usize, &dyn Fn(&mut Val)),
) {
    let start = match block == promotion.block {
        true => promotion.position + 1,
        false => 0,
    };
    let rename = |val: &mut Val| {
        if *val == Val::Value(promotion.from) {
            *val = Val::Value(promotion.to);
        }
    };
    also(block, start, &rename);
    let block = &mut graph.blocks[block];
    for op in &mut block.ops[start..] {
        op.args.iter_mut().for_each(rename);
    }
    block.term.operands_mut().into_iter().for_each(rename);
    for target in block.term.targets_mut() {
        target.args.iter_mut().for_each(rename);
    }
}
