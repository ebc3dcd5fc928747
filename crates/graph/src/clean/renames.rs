//! Replacing values by other operands.

use crate::ir::{Graph, Val, ValueId};
use cranelift_entity::SecondaryMap;

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

    /// The replacement of an operand.
    pub fn resolve(&self, mut val: Val) -> Val {
        while let Val::Value(v) = val
            && let Some(next) = self.to[v]
        {
            val = next;
        }
        val
    }

    /// Replaces every operand; returns whether there was anything to replace.
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
