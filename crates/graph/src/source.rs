//! Annotated flow graphs, for analyses that explain themselves to the user.
//!
//! The graph means the same as the clean one, but every expression of the source still has its
//! value; no block parameter has only one possible value, except those that stand for a component
//! in an arm of a `match`; code behind a promotion names its result; there is one `return`.

use crate::clean::renames::Renames;
use crate::clean::{arms, fold, params, promote};
use crate::ir::{Block, BlockId, Graph, Pos, Target, Term, Val, ValueId};
use cranelift_entity::SecondaryMap;
use verdigris_front::tast::{LocalId, Span};

/// An expression or name of the source, and the components that it has there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceMark {
    /// Where it is.
    pub span: Span,
    /// Its components.
    pub vals: Vec<Val>,
    /// The block that is being executed when it has its value.
    pub block: BlockId,
    /// How many operations of the block have been executed by then.
    pub at: usize,
}

/// The builder's notes about the source.
#[derive(Clone, Default)]
pub struct SourceNotes {
    /// Expressions and names, those inside of others first.
    pub marks: Vec<SourceMark>,
    /// The local that a value was put into first.
    pub names: SecondaryMap<ValueId, Option<LocalId>>,
    /// The source of each operation of a block.
    pub ops: SecondaryMap<BlockId, Vec<Span>>,
    /// The source of each block's end.
    pub ends: SecondaryMap<BlockId, Option<Span>>,
    /// Whether the end of a block chooses by the variant of a value.
    pub by_variant: SecondaryMap<BlockId, bool>,
}

/// A graph that knows its source.
#[derive(Clone)]
pub struct Annotated {
    /// The graph.
    pub graph: Graph,
    /// The source of its parts.
    pub notes: SourceNotes,
}

impl Annotated {
    /// A graph of unknown source.
    pub fn bare(graph: Graph) -> Annotated {
        Annotated::new(graph, SourceNotes::default())
    }

    /// From the builder's graph and its notes.
    pub fn new(graph: Graph, notes: SourceNotes) -> Annotated {
        let mut new = Annotated { graph, notes };
        fold::choices(&mut new.graph);
        new.drop_trivial();
        new.spread_promotions();
        new.drop_trivial();
        new.one_return();
        new.spread_arms();
        let mut reached: SecondaryMap<BlockId, bool> = SecondaryMap::new();
        for block in new.graph.reverse_postorder() {
            reached[block] = true;
        }
        new.notes.marks.retain(|m| reached[m.block]);
        new
    }

    fn drop_trivial(&mut self) {
        let order = self.graph.reverse_postorder();
        loop {
            let renames = params::trivial(&mut self.graph, &order);
            if !renames.apply(&mut self.graph) {
                return;
            }
            self.rename(&renames);
        }
    }

    fn rename(&mut self, renames: &Renames) {
        for mark in &mut self.notes.marks {
            mark.vals.iter_mut().for_each(|v| *v = renames.resolve(*v));
        }
    }

    /// The numbers of the marks in each block.
    fn marks_by_block(&self) -> SecondaryMap<BlockId, Vec<usize>> {
        let mut by_block: SecondaryMap<BlockId, Vec<usize>> = SecondaryMap::new();
        for (n, mark) in self.notes.marks.iter().enumerate() {
            by_block[mark.block].push(n);
        }
        by_block
    }

    fn spread_arms(&mut self) {
        let by_block = self.marks_by_block();
        let marks = &mut self.notes.marks;
        let made = arms::spread_to(&mut self.graph, |block, rename| {
            for &n in &by_block[block] {
                marks[n].vals.iter_mut().for_each(&mut *rename);
            }
        });
        for (param, value) in made {
            self.notes.names[param] = self.notes.names[value];
        }
    }

    fn spread_promotions(&mut self) {
        let mut by_block = self.marks_by_block();
        let marks = &mut self.notes.marks;
        let blocks: Vec<BlockId> = by_block.keys().collect();
        for block in blocks {
            by_block[block].sort_by_key(|&n| marks[n].at);
        }
        promote::spread_to(&mut self.graph, |block, executed, rename| {
            let first = by_block[block].partition_point(|&n| marks[n].at < executed.start);
            let those = by_block[block][first..].iter();
            for &n in those
                .take_while(|&&n| marks[n].at < executed.end)
                .collect::<Vec<_>>()
            {
                marks[n].vals.iter_mut().for_each(rename);
            }
        });
    }

    /// Lets several returns meet in one block, so that results are chosen as other values are.
    fn one_return(&mut self) {
        let graph = &mut self.graph;
        let returns = |b: &BlockId| matches!(graph.blocks[*b].term, Term::Return(_));
        let order = graph.reverse_postorder();
        let returns: Vec<BlockId> = order.into_iter().filter(returns).collect();
        if returns.len() < 2 {
            return;
        }
        let params: Vec<ValueId> = graph.ret.iter().map(|&ty| graph.values.push(ty)).collect();
        let values = params.iter().map(|&p| Val::Value(p)).collect();
        let exit = graph.blocks.push(Block {
            params,
            ops: Vec::new(),
            term: Term::Return(values),
            pos: Pos::default(),
        });
        for block in returns {
            let term = &mut graph.blocks[block].term;
            if let Term::Return(args) = term {
                let args = std::mem::take(args);
                *term = Term::Goto(Target { block: exit, args });
            }
        }
        self.drop_trivial();
    }

    /// Where each value is first seen in the source: the smallest expression that has it.
    pub fn places(&self) -> SecondaryMap<ValueId, Option<Span>> {
        let mut places: SecondaryMap<ValueId, Option<Span>> = SecondaryMap::new();
        for mark in &self.notes.marks {
            for v in mark.vals.iter().filter_map(|v| v.value()) {
                places[v].get_or_insert(mark.span);
            }
        }
        places
    }
}
