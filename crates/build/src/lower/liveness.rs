//! Which values are live where. In: a graph. Out: for every block the values that are needed at its start and at its
//! end. Invariants: a block's parameters are not live at its start (they are defined there); the greens and reds of a
//! merge point are read by it.

use cranelift_entity::{EntityRef, SecondaryMap};
use verdigris_graph::{Block, BlockId, Graph, Term, Val, ValueId};

/// A set of values of one graph.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct ValueSet(Vec<u64>);

impl ValueSet {
    /// Adds a value; answers whether it is new.
    pub fn insert(&mut self, value: ValueId) -> bool {
        let (word, bit) = (value.index() / 64, 1u64 << (value.index() % 64));
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        let new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        new
    }

    /// Removes a value.
    pub fn remove(&mut self, value: ValueId) {
        if let Some(word) = self.0.get_mut(value.index() / 64) {
            *word &= !(1u64 << (value.index() % 64));
        }
    }

    /// Adds all values of another set; answers whether any was new.
    fn union(&mut self, other: &ValueSet) -> bool {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        let mut changed = false;
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            changed |= *more & !*word != 0;
            *word |= more;
        }
        changed
    }

    /// The values, ascending.
    pub fn iter(&self) -> impl Iterator<Item = ValueId> + '_ {
        self.0.iter().enumerate().flat_map(|(n, &word)| {
            let bits = (0..64).filter(move |b| word >> b & 1 != 0);
            bits.map(move |b| ValueId::new(n * 64 + b))
        })
    }
}

/// The values that the end of a block reads, its edges included.
pub fn read_by_end(block: &Block) -> Vec<ValueId> {
    let edges = block.term.targets().into_iter();
    let passed = edges.flat_map(|t| t.args.iter().copied());
    let read = block.term.operands().into_iter().chain(passed);
    let mut values: Vec<ValueId> = read.filter_map(Val::value).collect();
    if let Term::MergePoint { .. } = block.term {
        values.extend(&block.params);
    }
    values
}

/// Live values at the borders of blocks.
pub struct Liveness {
    /// Needed at the start.
    pub at_start: SecondaryMap<BlockId, ValueSet>,
    /// Needed behind the end.
    pub at_end: SecondaryMap<BlockId, ValueSet>,
}

impl Liveness {
    /// Computes both by iteration.
    pub fn new(graph: &Graph) -> Liveness {
        let mut live = Liveness {
            at_start: SecondaryMap::new(),
            at_end: SecondaryMap::new(),
        };
        let mut order = graph.reverse_postorder();
        order.reverse();
        let mut changed = true;
        while changed {
            changed = false;
            for &id in &order {
                changed |= live.update(graph, id);
            }
        }
        live
    }

    fn update(&mut self, graph: &Graph, id: BlockId) -> bool {
        let block = &graph.blocks[id];
        for target in block.term.targets() {
            let start = self.at_start[target.block].clone();
            self.at_end[id].union(&start);
        }
        let mut set = self.at_end[id].clone();
        for v in read_by_end(block) {
            set.insert(v);
        }
        for op in block.ops.iter().rev() {
            for &dst in &op.dsts {
                set.remove(dst);
            }
            for v in op.args.iter().filter_map(|a| a.value()) {
                set.insert(v);
            }
        }
        for &param in &block.params {
            set.remove(param);
        }
        self.at_start[id].union(&set)
    }
}
