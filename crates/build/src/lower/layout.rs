//! The order of blocks in the code. In: a graph. Out: every reachable block once, the entry first.
//! Invariant: after a block comes the successor that falls through, if it has no place yet: the
//! target of a `goto`, or the first of a `branch`, which is where checks go on.

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
