//! Clean-ups. In: a graph as the builder leaves it. Out: the same function in fewer blocks,
//! parameters and operations.
//!
//! Invariants: the meaning, the order of effects and the panics stay the same; a merge point keeps
//! its parameters. Passes run until nothing changes; each shrinks the graph, so they end.

pub mod arms;
mod dead;
pub mod fold;
pub mod params;
pub mod promote;
mod thread;

use crate::ir::{Graph, Val, ValueId};
use cranelift_entity::SecondaryMap;

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

/// Values that are to be replaced by other operands.
#[derive(Default)]
pub struct Renames {
    to: SecondaryMap<ValueId, Option<Val>>,
    any: bool,
}

impl Renames {
    /// Replaces a value by an operand.
    pub fn add(&mut self, from: ValueId, to: Val) {
        debug_assert_ne!(
            self.resolve(to),
            Val::Value(from),
            "a value replaces itself"
        );
        self.to[from] = Some(to);
        self.any = true;
    }

    /// What an operand is replaced by.
    pub fn resolve(&self, mut val: Val) -> Val {
        while let Val::Value(v) = val
            && let Some(next) = self.to[v]
        {
            val = next;
        }
        val
    }

    /// Replaces every operand; answers whether there was anything to replace.
    pub fn apply(&self, graph: &mut Graph) -> bool {
        if self.any {
            let blocks: Vec<_> = graph.blocks.keys().collect();
            for block in blocks {
                graph.map_operands(block, |val| *val = self.resolve(*val));
            }
        }
        self.any
    }
}
