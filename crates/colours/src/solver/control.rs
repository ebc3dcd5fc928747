//! Control dependence: for every block where control flow meets, the blocks that choose the edge.
//!
//! A block chooses among the edges into *j* if two of its paths lead to *j* and meet nowhere
//! before: if *j* is its immediate postdominator within the region between *j*'s immediate
//! dominator and *j*. The condition for another iteration is a chooser at the loop's head. Regions
//! of nested statements nest, so the cost is the size of the graph times the depth of nesting.

use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;
use verdigris_graph::{BlockId, Dominators, Graph, Predecessors, Term};

/// The choosers of every block with parameters.
pub fn choosers(
    graph: &Graph,
    order: &[BlockId],
    preds: &Predecessors,
    merge: Option<BlockId>,
) -> SecondaryMap<BlockId, Vec<BlockId>> {
    let mut out: SecondaryMap<BlockId, Vec<BlockId>> = SecondaryMap::new();
    let dominators = Dominators::new(graph);
    let goes_on = goes_on(graph, order, preds, merge);
    for &join in order {
        let meets = !graph.blocks[join].params.is_empty() && !preds[join].is_empty();
        if meets && join != graph.entry && Some(join) != merge {
            let region = Region::new(preds, &dominators, join);
            out[join] = region.choosers(graph, &dominators, &goes_on);
        }
    }
    out
}

/// The blocks from which execution can go on: to a return or to the merge point. From others it can
/// only panic.
fn goes_on(
    graph: &Graph,
    order: &[BlockId],
    preds: &Predecessors,
    merge: Option<BlockId>,
) -> SecondaryMap<BlockId, bool> {
    let mut goes_on = SecondaryMap::new();
    let returns = |b: &BlockId| matches!(graph.blocks[*b].term, Term::Return(_));
    let mut work: Vec<BlockId> = order.iter().copied().filter(returns).chain(merge).collect();
    while let Some(block) = work.pop() {
        if !std::mem::replace(&mut goes_on[block], true) {
            work.extend(preds[block].iter().map(|e| e.from));
        }
    }
    goes_on
}

/// The blocks on the ways to a join since control flow last went all through one block.
struct Region {
    join: BlockId,
    /// The blocks, and the join itself first: each behind the one through which the walk from the
    /// join has come.
    order: Vec<BlockId>,
    number: FxHashMap<BlockId, usize>,
    /// The ways from each block that stay in the region, as numbers of blocks.
    ways: Vec<Vec<usize>>,
}

impl Region {
    fn new(preds: &Predecessors, dominators: &Dominators, join: BlockId) -> Region {
        let top = dominators.immediate(join);
        let mut seen: FxHashMap<BlockId, bool> = FxHashMap::from_iter([(join, true)]);
        let mut postorder = Vec::new();
        let before = |block: BlockId| -> Vec<BlockId> {
            match block == top && block != join {
                true => Vec::new(),
                false => preds[block].iter().map(|e| e.from).collect(),
            }
        };
        let mut stack = vec![(join, before(join))];
        while let Some((block, rest)) = stack.last_mut() {
            match rest.pop() {
                Some(next) if seen.insert(next, true).is_none() => {
                    stack.push((next, before(next)));
                }
                Some(_) => {}
                None => {
                    postorder.push(*block);
                    stack.pop();
                }
            }
        }
        postorder.reverse();
        let number: FxHashMap<BlockId, usize> =
            postorder.iter().enumerate().map(|(n, &b)| (b, n)).collect();
        // From the edges into blocks: the region of an arm begins with a switch that has as many
        // targets as there are arms.
        let mut ways = vec![Vec::new(); postorder.len()];
        for (n, &block) in postorder.iter().enumerate() {
            for edge in &preds[block] {
                if let Some(&from) = number.get(&edge.from) {
                    ways[from].push(n);
                }
            }
        }
        Region {
            join,
            order: postorder,
            number,
            ways,
        }
    }

    /// The immediate postdominator of each block, by number.
    fn postdominators(&self) -> Vec<usize> {
        const UNKNOWN: usize = usize::MAX;
        let mut parent = vec![UNKNOWN; self.order.len()];
        parent[0] = 0;
        let mut changed = true;
        while changed {
            changed = false;
            for n in 1..self.order.len() {
                let ways = self.ways[n].iter().copied();
                let known = ways.filter(|&w| parent[w] != UNKNOWN);
                let best = known.reduce(|a, b| common(&parent, a, b)).unwrap_or(0);
                if parent[n] != best {
                    parent[n] = best;
                    changed = true;
                }
            }
        }
        parent
    }

    fn choosers(
        &self,
        graph: &Graph,
        dominators: &Dominators,
        goes_on: &SecondaryMap<BlockId, bool>,
    ) -> Vec<BlockId> {
        let parent = self.postdominators();
        let choose = |n: usize, block: BlockId| {
            let splits = n > 0 && parent[n] == 0 && self.ways[n].len() > 1;
            splits || self.leaves(graph, dominators, goes_on, block)
        };
        let all = self.order.iter().enumerate();
        let all = all.filter(|&(n, &block)| choose(n, block));
        all.map(|(_, &block)| block).collect()
    }

    /// Whether a block of a loop with the join at its head decides about another iteration.
    fn leaves(
        &self,
        graph: &Graph,
        dominators: &Dominators,
        goes_on: &SecondaryMap<BlockId, bool>,
        block: BlockId,
    ) -> bool {
        let mut targets = graph.blocks[block].term.targets();
        let stays = |b: BlockId| self.number.contains_key(&b);
        self.order.len() > 1
            && dominators.dominates(self.join, block)
            && targets.clone().any(|t| stays(t.block))
            && targets.any(|t| !stays(t.block) && goes_on[t.block])
    }
}

/// The nearest block that both postdominate. Numbers grow away from the join.
fn common(parent: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        if a > b {
            a = parent[a];
        } else {
            b = parent[b];
        }
    }
    a
}
