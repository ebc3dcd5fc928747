//! The clean-ups of a graph.
//!
//! They preserve the meaning, the order of effects, the panics, and the parameters of the merge
//! point. Passes run until nothing changes; each shrinks the graph, so they end.

pub mod arms;
mod dead;
pub mod fold;
pub mod params;
pub mod promote;
pub mod renames;
mod thread;

use crate::ir::Graph;

/// Runs all clean-ups.
pub fn clean(graph: &mut Graph) {
    simplify(graph);
    promote::spread(graph);
    simplify(graph);
}

fn simplify(graph: &mut Graph) {
    loop {
        // None of the first two changes where the blocks are.
        let order = graph.reverse_postorder();
        let mut changed = params::remove_trivial(graph, &order);
        changed |= fold::constants(graph, &order);
        changed |= thread::jumps(graph);
        changed |= thread::merge_lines(graph);
        changed |= dead::remove(graph);
        if !changed {
            return;
        }
    }
}
