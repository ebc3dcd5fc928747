//! Gives the arms of a choice values of their own, for the annotated graphs.
//!
//! Where a choice by one of several values that are defined together (components of one variable,
//! results of one call) leads to code of its own, uses of the others become parameters of that
//! code's first block. So an analysis can tell a component in one variant from another.

use crate::flow::{Dominators, Predecessors};
use crate::ir::{BlockId, Graph, GraphDescr, Term, Val, ValueId};
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;

/// Where values are defined together: as parameters of a block, or as results of its operation of
/// this number.
type Home = (BlockId, Option<usize>);

struct Arms<'g> {
    graph: &'g mut Graph,
    preds: Predecessors,
    homes: SecondaryMap<ValueId, Option<Home>>,
    /// The arms around the current block, innermost last, with the values that they were chosen by.
    around: FxHashMap<Home, Vec<(BlockId, ValueId)>>,
    /// The parameters that stand for a value in an arm.
    params: FxHashMap<(BlockId, ValueId), ValueId>,
    made: Vec<(ValueId, ValueId)>,
}

/// Gives the arms their values, and lets `also` replace values in its notes about a block. Returns
/// the new values, each with the one that it stands for.
pub fn spread_to(
    graph: &mut Graph,
    mut also: impl FnMut(BlockId, &mut dyn FnMut(&mut Val)),
) -> Vec<(ValueId, ValueId)> {
    let order = graph.reverse_postorder();
    let below = Dominators::new(graph).below(graph);
    let mut arms = Arms {
        preds: graph.predecessors_from(&order),
        homes: homes(graph, &order),
        graph,
        around: FxHashMap::default(),
        params: FxHashMap::default(),
        made: Vec::new(),
    };
    // What an arm passes to itself is known once its code has been seen, so a block comes behind
    // those that it dominates.
    let mut work = vec![(arms.graph.entry, None, false)];
    while let Some((block, arm, seen)) = work.pop() {
        if seen {
            arms.rename(block);
            also(block, &mut |val| arms.resolve(val));
            if let Some(home) = arm {
                arms.around.entry(home).or_default().pop();
            }
        } else {
            let arm = arms.enter(block);
            work.push((block, arm, true));
            work.extend(below[block].iter().map(|&b| (b, None, false)));
        }
    }
    arms.made
}

fn homes(graph: &Graph, order: &[BlockId]) -> SecondaryMap<ValueId, Option<Home>> {
    let mut homes = SecondaryMap::new();
    for &block in order.iter().filter(|&&b| !graph.is_merge_point(b)) {
        let params = &graph.blocks[block].params;
        params.iter().for_each(|&p| homes[p] = Some((block, None)));
        for (n, op) in graph.blocks[block].ops.iter().enumerate() {
            if let GraphDescr::Graph(_) = op.descr {
                let dsts = op.dsts.iter();
                dsts.for_each(|&d| homes[d] = Some((block, Some(n))));
            }
        }
    }
    homes
}

impl Arms<'_> {
    /// If a block is reached from one choice alone: notes the value that chose it, and returns
    /// where that is defined.
    fn enter(&mut self, block: BlockId) -> Option<Home> {
        let from = self.preds[block].first()?.from;
        if self.graph.is_merge_point(block) || self.preds[block].iter().any(|e| e.from != from) {
            return None;
        }
        let mut tag = match self.graph.blocks[from].term {
            Term::Branch { cond: tag, .. } | Term::Switch { value: tag, .. } => tag,
            _ => return None,
        };
        self.resolve(&mut tag);
        let tag = tag.value()?;
        let home = self.homes[tag]?;
        self.around.entry(home).or_default().push((block, tag));
        Some(home)
    }

    fn rename(&mut self, block: BlockId) {
        let mut found = Vec::new();
        self.graph.map_operands(block, |val| found.push(*val));
        found.iter_mut().for_each(|val| self.resolve(val));
        let mut found = found.into_iter();
        self.graph.map_operands(block, |val| {
            *val = found.next().expect("one for each operand");
        });
    }

    /// The operand that replaces another in the current block.
    fn resolve(&mut self, val: &mut Val) {
        while let Val::Value(value) = *val
            && let Some(home) = self.homes[value]
            && let Some(&(arm, tag)) = self.around.get(&home).and_then(|arms| arms.last())
            && tag != value
        {
            *val = Val::Value(self.param(arm, value));
        }
    }

    fn param(&mut self, arm: BlockId, value: ValueId) -> ValueId {
        if let Some(&known) = self.params.get(&(arm, value)) {
            return known;
        }
        let param = self.graph.values.push(self.graph.values[value]);
        self.graph.blocks[arm].params.push(param);
        for &edge in &self.preds[arm] {
            self.graph.target_mut(edge).args.push(Val::Value(value));
        }
        self.homes[param] = Some((arm, None));
        self.params.insert((arm, value), param);
        self.made.push((param, value));
        param
    }
}
