//! The shape of a graph, as far as colours depend on it.
//!
//! Code in front of the merge point runs natively, so edges from there do not count at blocks that
//! are also reached from the merge point.

use super::control;
use super::steps::PassSteps;
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;
use verdigris_front::tast::Span;
use verdigris_graph::{Annotated, BlockId, Edge, Graph, Predecessors, Term, Val, ValueId};
use verdigris_ops::Descrs;

/// Where a value is defined.
#[derive(Clone, Copy, Debug)]
pub enum Def {
    /// Parameter of this number of a block.
    Param(BlockId, usize),
    /// Result of this number of an operation of a block.
    Op(BlockId, usize, usize),
    /// A parameter of a block, in some variants.
    View,
}

/// The shape of a graph.
pub struct Flow {
    /// The reachable blocks, each before its successors except along back edges.
    pub order: Vec<BlockId>,
    /// The edges into each block that count.
    pub preds: Predecessors,
    /// The blocks whose ends choose among the edges into a block.
    pub choosers: SecondaryMap<BlockId, Vec<BlockId>>,
    /// The block of the merge point.
    pub merge: Option<BlockId>,
    /// The blocks that are reached from the merge point.
    pub inside: SecondaryMap<BlockId, bool>,
    /// For the portal's parameters: whether they are what a green is at first.
    pub initial_green: Vec<bool>,
    /// Definitions.
    pub defs: SecondaryMap<ValueId, Option<Def>>,
    /// The smallest expression that has a value.
    pub places: SecondaryMap<ValueId, Option<Span>>,
    /// The function's results; behind them, those that its callers see in some variants.
    pub results: Vec<Val>,
    /// Components as they are in some variants.
    pub views: Views,
    /// Whether an edge that counts leads back.
    pub loops: bool,
    /// The operands that edges pass for parameters, and the start of each block's.
    passed: (Vec<Val>, SecondaryMap<BlockId, u32>),
    /// The steps of a pass.
    pub steps: PassSteps,
}

/// The views of a flow: values that stand for a component where a tag is known.
/// Their numbers follow those of the graph's values.
#[derive(Default)]
pub struct Views {
    /// The component that a view is of.
    pub base: SecondaryMap<ValueId, Option<ValueId>>,
    /// The views of each block's parameters.
    pub at: SecondaryMap<BlockId, Vec<ValueId>>,
    /// The operands of the edges into their block, as far as these variants come along.
    pub sources: SecondaryMap<ValueId, Vec<Val>>,
    /// What an edge passes as its argument of this number, if the choice that it leaves tells more
    /// than the value.
    pub args: FxHashMap<(BlockId, usize, usize), Val>,
    /// The function's further parameters.
    pub params: Vec<ValueId>,
    /// The further arguments of calls.
    pub call_args: FxHashMap<(BlockId, usize), Vec<Val>>,
    /// The further results of calls that are used, by their numbers.
    pub call_results: FxHashMap<(BlockId, usize), Vec<(ValueId, usize)>>,
}

impl Flow {
    /// Looks at a graph.
    pub fn new(annotated: &Annotated) -> Flow {
        let graph = &annotated.graph;
        let order = graph.reverse_postorder();
        let merge = graph.merge_point();
        let inside = inside(graph, merge);
        let all = graph.predecessors_from(&order);
        let counting = order.iter().flat_map(|&block| {
            let edges = all[block].iter().map(move |&edge| (block, edge));
            edges.filter(|(block, edge)| inside[edge.from] || !inside[*block])
        });
        let preds = Predecessors::new(graph.blocks.len(), counting);
        let mut defs = SecondaryMap::new();
        for &block in &order {
            for (n, &param) in graph.blocks[block].params.iter().enumerate() {
                defs[param] = Some(Def::Param(block, n));
            }
            for (n, op) in graph.blocks[block].ops.iter().enumerate() {
                for (result, &dst) in op.dsts.iter().enumerate() {
                    defs[dst] = Some(Def::Op(block, n, result));
                }
            }
        }
        let results = order.iter().find_map(|&b| match &graph.blocks[b].term {
            Term::Return(args) => Some(args.clone()),
            _ => None,
        });
        let choosers = control::choosers(graph, &order, &preds, merge);
        let mut flow = Flow {
            order,
            preds,
            choosers,
            merge,
            inside,
            initial_green: Vec::new(),
            defs,
            places: annotated.places(),
            results: results.unwrap_or_default(),
            views: Views::default(),
            loops: false,
            passed: Default::default(),
            steps: PassSteps::default(),
        };
        flow.loops = flow.leads_back();
        flow.initial_green = flow.initial_greens(graph, &all);
        flow
    }

    /// The operand that an edge passes for a parameter.
    pub fn arg(&self, graph: &Graph, edge: Edge, param: usize) -> Val {
        let view = self.views.args.get(&(edge.from, edge.index, param));
        view.map_or_else(|| graph.target(edge).args[param], |view| *view)
    }

    /// Takes note of what edges pass and of what a pass does, once the views are known.
    pub fn prepare_passes(&mut self, descrs: &Descrs, graph: &Graph) {
        let mut list = Vec::new();
        let mut starts = SecondaryMap::with_capacity(graph.blocks.len());
        for &block in &self.order {
            starts[block] = list.len() as u32;
            for param in 0..graph.blocks[block].params.len() {
                let edges = self.preds[block].iter();
                list.extend(edges.map(|&edge| self.arg(graph, edge, param)));
            }
        }
        self.passed = (list, starts);
        let has_views = |block| !self.views.at[block].is_empty();
        self.steps = PassSteps::new(descrs, graph, &self.order, has_views);
    }

    /// The operands that the edges into a block pass for a parameter.
    pub fn passed(&self, block: BlockId, param: usize) -> &[Val] {
        let count = self.preds[block].len();
        let first = self.passed.1[block] as usize + param * count;
        &self.passed.0[first..first + count]
    }

    fn leads_back(&self) -> bool {
        let mut seen: SecondaryMap<BlockId, bool> = SecondaryMap::new();
        self.order.iter().any(|&block| {
            let back = self.preds[block].iter().any(|edge| !seen[edge.from]);
            seen[block] = true;
            back
        })
    }

    /// The arguments of a call of a traced function, then the further ones.
    pub fn call_args<'a>(
        &'a self,
        graph: &'a Graph,
        block: BlockId,
        op: usize,
    ) -> impl Iterator<Item = Val> + 'a {
        let args = &graph.blocks[block].ops[op].args;
        let further = self.views.call_args.get(&(block, op));
        args.iter().chain(further.into_iter().flatten()).copied()
    }

    /// The value of the graph that a value is or is a view of.
    pub fn base(&self, value: ValueId) -> ValueId {
        self.views.base[value].unwrap_or(value)
    }

    /// Which of the entry's parameters reach a green of the merge point through nothing but edges,
    /// and no red.
    fn initial_greens(&self, graph: &Graph, preds: &Predecessors) -> Vec<bool> {
        let params = &graph.blocks[graph.entry].params;
        let Some(merge) = self.merge else {
            return vec![false; params.len()];
        };
        let slots = &graph.blocks[merge].params;
        let greens = match graph.blocks[merge].term {
            Term::MergePoint { greens, .. } => greens,
            _ => 0,
        };
        let reaches = |slots: &[ValueId]| {
            let mut seen: SecondaryMap<ValueId, bool> = SecondaryMap::new();
            let mut work = slots.to_vec();
            while let Some(value) = work.pop() {
                if std::mem::replace(&mut seen[value], true) {
                    continue;
                }
                if let Some(Def::Param(block, n)) = self.defs[value] {
                    let args = preds[block].iter().map(|&e| graph.target(e).args[n]);
                    work.extend(args.filter_map(Val::value));
                }
            }
            seen
        };
        let (greens, reds) = slots.split_at(greens.min(slots.len()));
        let (green, red) = (reaches(greens), reaches(reds));
        params.iter().map(|&p| green[p] && !red[p]).collect()
    }
}

fn inside(graph: &Graph, merge: Option<BlockId>) -> SecondaryMap<BlockId, bool> {
    let mut inside = SecondaryMap::new();
    let mut work: Vec<BlockId> = merge.into_iter().collect();
    while let Some(block) = work.pop() {
        if !std::mem::replace(&mut inside[block], true) {
            let targets = graph.blocks[block].term.targets();
            work.extend(targets.map(|t| t.block));
        }
    }
    inside
}
