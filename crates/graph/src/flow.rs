//! Reverse postorder, incoming edges, the dominator tree (Georgiadis, Tarjan and Werneck, "Finding
//! dominators in practice", the algorithm SemiNCA), and the canonical numbering. Unreachable blocks
//! are in none of them.

use crate::ir::{Block, BlockId, Graph, Target, Val, ValueId};
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};
use std::ops::Index;

/// An edge: the block it leaves and its index among the block end's targets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The block it leaves.
    pub from: BlockId,
    /// Index in [`crate::Term::targets`].
    pub index: usize,
}

/// The edges into each block, those of one block behind each other in one list: there are many
/// blocks and few edges to each.
#[derive(Clone, Default, Debug)]
pub struct Predecessors {
    /// For each block where its edges begin, and behind the last block where they end.
    starts: Vec<u32>,
    edges: Vec<Edge>,
}

impl Predecessors {
    /// From the edges of a graph with so many blocks, each with the block that it leads to. Those
    /// into one block keep their order.
    pub fn new(
        blocks: usize,
        edges: impl Iterator<Item = (BlockId, Edge)> + Clone,
    ) -> Predecessors {
        let mut starts = vec![0u32; blocks + 1];
        for (to, _) in edges.clone() {
            starts[to.index() + 1] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let nowhere = Edge {
            from: BlockId::from_u32(0),
            index: 0,
        };
        let mut list = vec![nowhere; sum as usize];
        let mut next = starts.clone();
        for (to, edge) in edges {
            list[next[to.index()] as usize] = edge;
            next[to.index()] += 1;
        }
        Predecessors {
            starts,
            edges: list,
        }
    }
}

impl Index<BlockId> for Predecessors {
    type Output = [Edge];

    fn index(&self, block: BlockId) -> &[Edge] {
        match self.starts.get(block.index()..block.index() + 2) {
            Some(&[first, end]) => &self.edges[first as usize..end as usize],
            _ => &[],
        }
    }
}

impl Graph {
    /// The reachable blocks, each before its successors except along back edges.
    pub fn reverse_postorder(&self) -> Vec<BlockId> {
        let mut seen = vec![false; self.blocks.len()];
        let mut order = Vec::with_capacity(self.blocks.len());
        // The last successors come first; with each block, how many are left.
        let mut stack = Vec::with_capacity(16);
        stack.push((self.entry, self.blocks[self.entry].term.target_count()));
        seen[self.entry.index()] = true;
        while let Some((block, rest)) = stack.last_mut() {
            if *rest == 0 {
                order.push(*block);
                stack.pop();
                continue;
            }
            *rest -= 1;
            let next = self.blocks[*block].term.target(*rest).block;
            if !std::mem::replace(&mut seen[next.index()], true) {
                stack.push((next, self.blocks[next].term.target_count()));
            }
        }
        order.reverse();
        order
    }

    /// The edges into each block, from reachable blocks only.
    pub fn predecessors(&self) -> Predecessors {
        self.predecessors_from(&self.reverse_postorder())
    }

    /// The same, if the reachable blocks are known already: in reverse postorder.
    pub fn predecessors_from(&self, order: &[BlockId]) -> Predecessors {
        let edges = order.iter().flat_map(|&from| {
            let targets = self.blocks[from].term.targets().enumerate();
            targets.map(move |(index, target)| (target.block, Edge { from, index }))
        });
        Predecessors::new(self.blocks.len(), edges)
    }

    /// The target of an edge.
    pub fn target(&self, edge: Edge) -> &Target {
        self.blocks[edge.from].term.target(edge.index)
    }

    /// The target of an edge.
    pub fn target_mut(&mut self, edge: Edge) -> &mut Target {
        self.blocks[edge.from].term.target_mut(edge.index)
    }

    /// The same graph with reachable blocks in reverse postorder and values in the order of their
    /// definitions.
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
    parent: SecondaryMap<BlockId, Option<BlockId>>,
    /// For each reachable block the first number of its subtree in a walk over the tree, and the
    /// one behind its last.
    spans: SecondaryMap<BlockId, Option<(u32, u32)>>,
}

impl Dominators {
    /// Computes the tree.
    pub fn new(graph: &Graph) -> Dominators {
        let walk = Walk::new(graph);
        let immediate = walk.immediate(&graph.predecessors());
        let mut tree = Dominators {
            parent: SecondaryMap::with_capacity(graph.blocks.len()),
            spans: SecondaryMap::with_capacity(graph.blocks.len()),
        };
        // A block has a smaller number than those that it dominates, so their sizes are complete
        // before its own.
        let mut sizes = vec![1u32; walk.blocks.len()];
        for n in (1..walk.blocks.len()).rev() {
            sizes[immediate[n]] += sizes[n];
        }
        let mut next = vec![1u32; walk.blocks.len()];
        tree.parent[graph.entry] = Some(graph.entry);
        tree.spans[graph.entry] = Some((0, sizes[0]));
        for n in 1..walk.blocks.len() {
            let up = immediate[n];
            let first = next[up];
            next[up] += sizes[n];
            next[n] = first + 1;
            tree.parent[walk.blocks[n]] = Some(walk.blocks[up]);
            tree.spans[walk.blocks[n]] = Some((first, first + sizes[n]));
        }
        tree
    }

    /// The blocks whose immediate dominator a block is.
    pub fn below(&self, graph: &Graph) -> SecondaryMap<BlockId, Vec<BlockId>> {
        let mut below: SecondaryMap<BlockId, Vec<BlockId>> = SecondaryMap::new();
        let order = graph.reverse_postorder().into_iter();
        for block in order.filter(|&b| b != graph.entry) {
            below[self.immediate(block)].push(block);
        }
        below
    }

    /// Whether the block can be reached.
    pub fn reachable(&self, block: BlockId) -> bool {
        self.spans[block].is_some()
    }

    /// The last of the other blocks that every path to a reachable block goes through; the entry
    /// itself for the entry.
    pub fn immediate(&self, block: BlockId) -> BlockId {
        self.parent[block].expect("reachable")
    }

    /// Whether every path to `b` goes through `a`. Both are reachable.
    pub fn dominates(&self, a: BlockId, b: BlockId) -> bool {
        let (a, b) = (
            self.spans[a].expect("reachable"),
            self.spans[b].expect("reachable"),
        );
        a.0 <= b.0 && b.0 < a.1
    }
}

/// A depth-first walk from the entry: the blocks in the order in which it meets them, and the tree
/// of its steps.
struct Walk {
    blocks: Vec<BlockId>,
    number: SecondaryMap<BlockId, usize>,
    parent: Vec<usize>,
}

impl Walk {
    fn new(graph: &Graph) -> Walk {
        let count = graph.blocks.len();
        let mut seen: SecondaryMap<BlockId, bool> = SecondaryMap::with_capacity(count);
        let mut walk = Walk {
            blocks: Vec::with_capacity(count),
            number: SecondaryMap::with_capacity(count),
            parent: Vec::with_capacity(count),
        };
        let mut stack = vec![(graph.entry, 0)];
        while let Some((block, from)) = stack.pop() {
            if std::mem::replace(&mut seen[block], true) {
                continue;
            }
            let number = walk.blocks.len();
            walk.number[block] = number;
            walk.blocks.push(block);
            walk.parent.push(from);
            let next = graph.blocks[block].term.targets();
            stack.extend(next.map(|next| (next.block, number)));
        }
        walk
    }

    /// The number of each block's immediate dominator: the last block on the walk's way to it that
    /// is not above its semidominator.
    fn immediate(&self, preds: &Predecessors) -> Vec<usize> {
        let count = self.blocks.len();
        let mut semi: Vec<usize> = (0..count).collect();
        let mut forest = Forest {
            above: vec![None; count],
            least: (0..count).collect(),
            path: Vec::new(),
        };
        for n in (1..count).rev() {
            for edge in &preds[self.blocks[n]] {
                let least = forest.least(self.number[edge.from], &semi);
                semi[n] = semi[n].min(semi[least]);
            }
            forest.above[n] = Some(self.parent[n]);
        }
        let mut immediate = vec![0; count];
        for n in 1..count {
            let mut up = self.parent[n];
            while up > semi[n] {
                up = immediate[up];
            }
            immediate[n] = up;
        }
        immediate
    }
}

/// The part of the walk's tree that has been seen from below, with paths made short.
struct Forest {
    above: Vec<Option<usize>>,
    /// The block with the least semidominator on the way up to `above`, which does not count.
    least: Vec<usize>,
    path: Vec<usize>,
}

impl Forest {
    /// The block with the least semidominator on the way up from `n` to the root of its tree, which
    /// does not count unless it is `n` itself.
    fn least(&mut self, n: usize, semi: &[usize]) -> usize {
        let mut at = n;
        while let Some(above) = self.above[at]
            && self.above[above].is_some()
        {
            self.path.push(at);
            at = above;
        }
        while let Some(below) = self.path.pop() {
            let above = self.above[below].expect("on a path");
            if semi[self.least[above]] < semi[self.least[below]] {
                self.least[below] = self.least[above];
            }
            self.above[below] = self.above[above];
        }
        self.least[n]
    }
}
