//! The order of blocks in the code: the target of a `goto`, or the first of a `branch`, follows its
//! block if it is not placed yet. Checks continue there.

use cranelift_entity::SecondaryMap;
use verdigris_graph::{BlockId, Graph};

/// The order.
pub fn order(graph: &Graph) -> Vec<BlockId> {
    let mut placed: SecondaryMap<BlockId, bool> = SecondaryMap::new();
    let mut order = Vec::new();
    let mut waiting = vec![graph.entry];
    while let Some(block) = waiting.pop() {
        if std::mem::replace(&mut placed[block], true) {
            continue;
        }
        order.push(block);
        let targets = graph.blocks[block].term.targets();
        waiting.extend(targets.rev().map(|t| t.block));
    }
    order
}
