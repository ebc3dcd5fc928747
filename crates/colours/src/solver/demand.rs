//! Demands: values that should be green.
//!
//! Three things demand: `concrete`, the greens of the merge point where control comes back to it,
//! and the dispatch of instructions. The dispatch is a choice with many cases in the portal, or the
//! choice by an integer with most cases in a function that is called behind the merge point. Only
//! values that a red chooses among greens can be made green; a red stays red.

use super::flow::Def;
use super::folds::{Folds, folds};
use super::spec::{Forced, SpecId};
use crate::analysis::Analysis;
use crate::colour::Colour;
use rustc_hash::FxHashSet;
use verdigris_front::tast::FuncId;
use verdigris_graph::{BlockId, Control, GraphDescr, GraphOpcode, Term, Val, ValueId};

/// A choice with as many cases counts as the one that dispatches instructions.
const DISPATCH: usize = 5;

/// The reason why a value should be green.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DemandKind {
    /// `concrete`, an operation of a block.
    Concrete(BlockId, usize),
    /// A green of the merge point, by number, along an edge from this block.
    Green(BlockId, usize),
    /// The choice at the end of this block.
    Dispatch(BlockId),
}

/// A value of a specialisation that has to be green, and why.
#[derive(Clone, Copy, Debug)]
pub struct Demand {
    /// Why.
    pub kind: DemandKind,
    /// Where.
    pub spec: SpecId,
    /// The value.
    pub value: ValueId,
}

/// All demands of live code, in the order in which the portal reaches it.
pub fn demands(analysis: &Analysis<'_>) -> Vec<Demand> {
    let mut out = Vec::new();
    let dispatches = dispatches(analysis);
    for &spec in &analysis.solution.live {
        let func = analysis.solution.specs[spec].func;
        let graph = &analysis.input.graphs[func].graph;
        let flow = &analysis.flows[func];
        let mut add = |kind, val: Val| {
            if let Val::Value(value) = val {
                out.push(Demand { kind, spec, value });
            }
        };
        for &block in &flow.order {
            for (n, op) in graph.blocks[block].ops.iter().enumerate() {
                if op.code == GraphOpcode::Control(Control::Concrete) {
                    add(DemandKind::Concrete(block, n), op.args[0]);
                }
            }
            match &graph.blocks[block].term {
                Term::MergePoint { greens, .. } => {
                    for &edge in &flow.preds[block] {
                        for n in 0..*greens {
                            add(DemandKind::Green(edge.from, n), flow.arg(graph, edge, n));
                        }
                    }
                }
                Term::Switch { value, .. } if dispatches.contains(&(func, block)) => {
                    add(DemandKind::Dispatch(block), *value);
                }
                _ => {}
            }
        }
    }
    out
}

/// The ends of blocks that are taken for the choice of the instruction.
fn dispatches(analysis: &Analysis<'_>) -> FxHashSet<(FuncId, BlockId)> {
    let portal = analysis.input.source.portal;
    let mut found = FxHashSet::default();
    let mut largest = (DISPATCH - 1, None);
    for func in traced(analysis) {
        let annotated = &analysis.input.graphs[func];
        let flow = &analysis.flows[func];
        for &block in &flow.order {
            let Term::Switch { cases, .. } = &annotated.graph.blocks[block].term else {
                continue;
            };
            let here = func == portal && flow.inside[block] && cases.len() >= DISPATCH;
            if here {
                found.insert((func, block));
            }
            if here || (func != portal && !annotated.notes.by_variant[block]) {
                // Of equal ones the first counts: the portal's.
                if cases.len() > largest.0 {
                    largest = (cases.len(), Some((func, block)));
                }
            }
        }
    }
    found.extend(largest.1);
    found
}

/// The portal, and the functions that are called behind the merge point, in the order in which it
/// reaches them.
fn traced(analysis: &Analysis<'_>) -> Vec<FuncId> {
    let portal = analysis.input.source.portal;
    let mut traced = vec![portal];
    let mut seen = FxHashSet::from_iter([portal]);
    let mut next = 0;
    while let Some(&func) = traced.get(next) {
        next += 1;
        let flow = &analysis.flows[func];
        for &block in flow
            .order
            .iter()
            .filter(|&&b| func != portal || flow.inside[b])
        {
            for op in &analysis.input.graphs[func].graph.blocks[block].ops {
                if let GraphDescr::Graph(callee) = op.descr
                    && seen.insert(callee)
                {
                    traced.push(callee);
                }
            }
        }
    }
    traced
}

/// Adds the values that demands make green to `forced`.
pub fn collect(analysis: &Analysis<'_>, forced: &mut Forced) {
    let mut seen: FxHashSet<(SpecId, ValueId)> = FxHashSet::default();
    let roots = demands(analysis).into_iter();
    let mut work: Vec<(SpecId, Val)> = roots.map(|d| (d.spec, Val::Value(d.value))).collect();
    while let Some((id, val)) = work.pop() {
        let spec = &analysis.solution.specs[id];
        let Val::Value(value) = val else { continue };
        if spec.colours[value] != Colour::Chosen || !seen.insert((id, value)) {
            continue;
        }
        let graph = &analysis.input.graphs[spec.func].graph;
        let flow = &analysis.flows[spec.func];
        match flow.defs[value] {
            Some(Def::Param(block, n)) if block == graph.entry => {
                for &(caller, block, op) in &analysis.solution.callers[id] {
                    let args = analysis.call_args(caller, block, op);
                    work.push((caller, args[n]));
                }
            }
            Some(Def::Param(block, n)) => {
                forced.insert((spec.func, value));
                let edges = flow.preds[block].iter();
                work.extend(edges.map(|&e| (id, flow.arg(graph, e, n))));
            }
            Some(Def::View) => {
                forced.insert((spec.func, value));
                let sources = &flow.views.sources[value];
                work.extend(sources.iter().map(|&source| (id, source)));
            }
            Some(Def::Op(block, n, result)) => {
                let op = &graph.blocks[block].ops[n];
                match op.descr {
                    GraphDescr::Graph(callee) => {
                        let results = &analysis.flows[callee].results;
                        work.push((spec.calls[&(block, n)], results[result]));
                    }
                    _ if folds(analysis.input.descrs, op) == Folds::OnGreens => {
                        work.extend(op.args.iter().map(|&a| (id, a)));
                    }
                    _ => {}
                }
            }
            None => {}
        }
    }
}
