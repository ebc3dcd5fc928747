//! Orders and dominance. In: a graph. Out: reverse postorder, incoming edges, the dominator tree (Cooper, Harvey and
//! Kennedy, "A simple, fast dominance algorithm"), and the canonical numbering. Invariant: blocks that cannot be
//! reached from the entry are in none of them.

use crate::ir::{Block, BlockId, Graph, Target, Val, ValueId};
use cranelift_entity::{PrimaryMap, SecondaryMap};

/// An edge: the block it leaves and its index among the block end's targets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The block it leaves.
    pub from: BlockId,
    /// Index in [`crate::Term::targets`].
    pub index: usize,
}

impl Graph {
    /// The reachable blocks, each before its successors except along back edges.
    pub fn reverse_postorder(&self) -> Vec<BlockId> {
        let mut seen: SecondaryMap<BlockId, bool> = SecondaryMap::new();
        let mut order = Vec::new();
        let mut stack = vec![(self.entry, self.successors(self.entry))];
        seen[self.entry] = true;
        while let Some((block, rest)) = stack.last_mut() {
            match rest.pop() {
                Some(next) if !seen[next] => {
                    seen[next] = true;
                    stack.push((next, self.successors(next)));
                }
                Some(_) => {}
                None => {
                    order.push(*block);
                    stack.pop();
                }
            }
        }
        order.reverse();
        order
    }

    fn successors(&self, block: BlockId) -> Vec<BlockId> {
        let targets = self.blocks[block].term.targets();
        targets.iter().map(|t| t.block).collect()
    }

    /// The edges into each block, from reachable blocks only.
    pub fn predecessors(&self) -> SecondaryMap<BlockId, Vec<Edge>> {
        let mut preds: SecondaryMap<BlockId, Vec<Edge>> = SecondaryMap::new();
        for from in self.reverse_postorder() {
            for (index, target) in self.blocks[from].term.targets().iter().enumerate() {
                preds[target.block].push(Edge { from, index });
            }
        }
        preds
    }

    /// The target of an edge.
    pub fn target(&self, edge: Edge) -> &Target {
        self.blocks[edge.from].term.targets()[edge.index]
    }

    /// The target of an edge.
    pub fn target_mut(&mut self, edge: Edge) -> &mut Target {
        let targets = self.blocks[edge.from].term.targets_mut();
        let target = targets.into_iter().nth(edge.index);
        target.expect("the edge exists")
    }

    /// The same graph with reachable blocks in reverse postorder and values in the order of their definitions.
    pub fn canonical(&self) -> Graph {
        let order = self.reverse_postorder();
        let mut blocks: SecondaryMap<BlockId, Option<BlockId>> = SecondaryMap::new();
        let mut values: SecondaryMap<ValueId, Option<ValueId>> = SecondaryMap::new();
        let mut types = PrimaryMap::new();
        for (n, &old) in order.iter().enumerate() {
            blocks[old] = Some(BlockId::from_u32(n as u32));
            for v in defined(&self.blocks[old]) {
                values[v] = Some(types.push(self.values[v]));
            }
        }
        let value = |v: ValueId| values[v].expect("defined in a reachable block");
        let mut out = Graph {
            name: self.name.clone(),
            file: self.file.clone(),
            ret: self.ret.clone(),
            blocks: PrimaryMap::new(),
            values: types.clone(),
            entry: BlockId::from_u32(0),
        };
        for old in order {
            let mut block = self.blocks[old].clone();
            block.params.iter_mut().for_each(|p| *p = value(*p));
            for op in &mut block.ops {
                op.dsts.iter_mut().for_each(|d| *d = value(*d));
            }
            for target in block.term.targets_mut() {
                target.block = blocks[target.block].expect("a successor is reachable");
            }
            let id = out.blocks.push(block);
            out.map_operands(id, |val| {
                if let Val::Value(v) = val {
                    *v = value(*v);
                }
            });
        }
        out
    }
}

/// The values that a block defines, in order.
pub fn defined(block: &Block) -> impl Iterator<Item = ValueId> + '_ {
    let results = block.ops.iter().flat_map(|op| op.dsts.iter().copied());
    block.params.iter().copied().chain(results)
}

/// The dominator tree of a graph.
pub struct Dominators {
    /// Position in reverse postorder; `u32::MAX` if not reachable.
    order: SecondaryMap<BlockId, u32>,
    parent: SecondaryMap<BlockId, Option<BlockId>>,
}

impl Dominators {
    /// Computes the tree.
    pub fn new(graph: &Graph) -> Dominators {
        let blocks = graph.reverse_postorder();
        let preds = graph.predecessors();
        let mut tree = Dominators {
            order: SecondaryMap::with_default(u32::MAX),
            parent: SecondaryMap::new(),
        };
        for (n, &block) in blocks.iter().enumerate() {
            tree.order[block] = n as u32;
        }
        tree.parent[graph.entry] = Some(graph.entry);
        let mut changed = true;
        while changed {
            changed = false;
            for &block in blocks.iter().skip(1) {
                let mut known = preds[block]
                    .iter()
                    .map(|e| e.from)
                    .filter(|&p| tree.parent[p].is_some());
                let first = known.next().expect("a predecessor was visited before");
                let best = known.fold(first, |a, b| tree.common(a, b));
                if tree.parent[block] != Some(best) {
                    tree.parent[block] = Some(best);
                    changed = true;
                }
            }
        }
        tree
    }

    fn common(&self, mut a: BlockId, mut b: BlockId) -> BlockId {
        while a != b {
            if self.order[a] > self.order[b] {
                a = self.parent[a].expect("visited");
            } else {
                b = self.parent[b].expect("visited");
            }
        }
        a
    }

    /// Whether the block can be reached.
    pub fn reachable(&self, block: BlockId) -> bool {
        self.order[block] != u32::MAX
    }

    /// The last of the other blocks that every path to a reachable block goes through; the entry itself for the entry.
    pub fn immediate(&self, block: BlockId) -> BlockId {
        self.parent[block].expect("reachable")
    }

    /// Whether every path to `b` goes through `a`. Both are reachable.
    pub fn dominates(&self, a: BlockId, mut b: BlockId) -> bool {
        while self.order[b] > self.order[a] {
            b = self.parent[b].expect("reachable");
        }
        a == b
    }
}
