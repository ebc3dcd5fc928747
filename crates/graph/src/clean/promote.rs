//! Replaces uses of a promoted value behind the promotion by its result, a constant in traces.
//!
//! One walk over the dominator tree: a promotion holds for the blocks below, and is undone on the
//! way back.

use crate::flow::Dominators;
use crate::ir::{BlockId, Graph, Val, ValueId};
use crate::table::{Control, GraphOpcode};
use cranelift_entity::SecondaryMap;
use std::ops::Range;

/// The promotions that the current place is behind.
#[derive(Default)]
struct Promoted {
    /// The first promoted value behind a value.
    origin: SecondaryMap<ValueId, Option<ValueId>>,
    /// The last promotion's result, by origin.
    latest: SecondaryMap<ValueId, Option<ValueId>>,
    /// The previous contents of `latest`.
    undo: Vec<(ValueId, Option<ValueId>)>,
}

impl Promoted {
    fn add(&mut self, from: ValueId, to: ValueId) {
        let origin = self.origin[from].unwrap_or(from);
        self.origin[to] = Some(origin);
        self.undo.push((origin, self.latest[origin]));
        self.latest[origin] = Some(to);
    }

    fn rename(&self, val: &mut Val) {
        if let Val::Value(v) = *val
            && let Some(latest) = self.latest[self.origin[v].unwrap_or(v)]
        {
            *val = Val::Value(latest);
        }
    }

    fn forget(&mut self, mark: usize) {
        while self.undo.len() > mark
            && let Some((origin, before)) = self.undo.pop()
        {
            self.latest[origin] = before;
        }
    }
}

/// Replaces the uses behind every promotion.
pub fn spread(graph: &mut Graph) {
    spread_to(graph, |_, _, _| {});
}

/// Replaces the uses behind every promotion, and lets `also` do so with what it knows of a block
/// between two of its operations: where as many operations have been executed as the range says.
pub fn spread_to(
    graph: &mut Graph,
    mut also: impl FnMut(BlockId, Range<usize>, &dyn Fn(&mut Val)),
) {
    let promotes = GraphOpcode::Control(Control::Promote);
    let ops = graph.blocks.values().flat_map(|b| &b.ops);
    if !ops.into_iter().any(|op| op.code == promotes) {
        return;
    }
    let below = Dominators::new(graph).below(graph);
    let mut promoted = Promoted::default();
    let mut work = vec![Step::Enter(graph.entry)];
    while let Some(step) = work.pop() {
        match step {
            Step::Leave(mark) => promoted.forget(mark),
            Step::Enter(block) => {
                work.push(Step::Leave(promoted.undo.len()));
                replace(graph, block, &mut promoted, &mut also);
                work.extend(below[block].iter().map(|&b| Step::Enter(b)));
            }
        }
    }
}

enum Step {
    Enter(BlockId),
    /// With how much there was to undo before.
    Leave(usize),
}

/// Replaces the uses in one block, and notes its promotions.
fn replace(
    graph: &mut Graph,
    block: BlockId,
    promoted: &mut Promoted,
    also: &mut impl FnMut(BlockId, Range<usize>, &dyn Fn(&mut Val)),
) {
    let id = block;
    let block = &mut graph.blocks[id];
    let mut since = 0;
    for (n, op) in block.ops.iter_mut().enumerate() {
        op.args.iter_mut().for_each(|val| promoted.rename(val));
        if op.code == GraphOpcode::Control(Control::Promote)
            && let (Some(from), Some(to)) = (op.args[0].value(), op.dst())
        {
            also(id, since..n + 1, &|val| promoted.rename(val));
            since = n + 1;
            promoted.add(from, to);
        }
    }
    also(id, since..usize::MAX, &|val| promoted.rename(val));
    let operands = block.term.operands_mut().iter_mut();
    operands.for_each(|val| promoted.rename(val));
    for target in block.term.targets_mut() {
        target.args.iter_mut().for_each(|val| promoted.rename(val));
    }
}
