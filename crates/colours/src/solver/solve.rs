//! The fixpoint over functions: the portal and every function reached from it, once for each
//! combination of its arguments' colours.
//!
//! The number of specialisations of a function is bounded; beyond that they share the join of all
//! keys.

use super::flow::Flow;
use super::spec::{CalleeColours, Forced, FunctionPass, Spec, SpecId};
use crate::colour::Colour;
use crate::input::ColourInput;
use cranelift_entity::{PrimaryMap, SecondaryMap};
use rustc_hash::FxHashMap;
use std::collections::{BTreeSet, VecDeque};
use verdigris_front::tast::FuncId;
use verdigris_graph::BlockId;

/// Specialisations of one function before they are joined.
const MOST: usize = 32;

/// The colours of everything.
pub struct Solution {
    /// All specialisations that were looked at.
    pub specs: PrimaryMap<SpecId, Spec>,
    /// Those that the portal reaches, in the order in which it does; the portal first.
    pub live: Vec<SpecId>,
    /// For each of those the calls of it.
    pub callers: SecondaryMap<SpecId, Vec<(SpecId, BlockId, usize)>>,
    /// How often a block was looked at.
    pub steps: usize,
}

struct Solver<'a> {
    specs: PrimaryMap<SpecId, Spec>,
    known: SecondaryMap<FuncId, FxHashMap<Vec<Colour>, SpecId>>,
    count: SecondaryMap<FuncId, usize>,
    widest: SecondaryMap<FuncId, Vec<Colour>>,
    dependents: SecondaryMap<SpecId, BTreeSet<SpecId>>,
    work: VecDeque<SpecId>,
    waits: SecondaryMap<SpecId, bool>,
    flows: &'a PrimaryMap<FuncId, Flow>,
    steps: usize,
}

/// Computes the colours.
pub fn solve(
    input: &ColourInput<'_>,
    flows: &PrimaryMap<FuncId, Flow>,
    forced: &Forced,
) -> Solution {
    let mut solver = Solver {
        specs: PrimaryMap::new(),
        known: SecondaryMap::new(),
        count: SecondaryMap::new(),
        widest: SecondaryMap::new(),
        dependents: SecondaryMap::new(),
        work: VecDeque::new(),
        waits: SecondaryMap::new(),
        flows,
        steps: 0,
    };
    let portal = input.source.portal;
    let colour = |green: &bool| if *green { Colour::Green } else { Colour::Red };
    let key = flows[portal].initial_green.iter().map(colour).collect();
    let first = solver.spec(portal, key);
    while let Some(id) = solver.work.pop_front() {
        solver.waits[id] = false;
        solver.run(input, forced, id);
    }
    reached(solver.specs, first, solver.steps)
}

impl Solver<'_> {
    fn spec(&mut self, func: FuncId, mut key: Vec<Colour>) -> SpecId {
        if let Some(&known) = self.known[func].get(&key) {
            return known;
        }
        if self.count[func] >= MOST {
            for (colour, widest) in key.iter_mut().zip(&self.widest[func]) {
                *colour = (*colour).max(*widest);
            }
            if let Some(&known) = self.known[func].get(&key) {
                return known;
            }
        }
        self.count[func] += 1;
        let widest = &mut self.widest[func];
        widest.resize(key.len(), Colour::Green);
        for (widest, colour) in widest.iter_mut().zip(&key) {
            *widest = (*widest).max(*colour);
        }
        let results = self.flows[func].results.len();
        let id = self.specs.push(Spec::new(func, key.clone(), results));
        self.known[func].insert(key, id);
        self.enqueue(id);
        id
    }

    fn enqueue(&mut self, id: SpecId) {
        if !std::mem::replace(&mut self.waits[id], true) {
            self.work.push_back(id);
        }
    }

    fn run(&mut self, input: &ColourInput<'_>, forced: &Forced, id: SpecId) {
        let func = self.specs[id].func;
        let pass = FunctionPass {
            input,
            graph: &input.graphs[func].graph,
            flow: &self.flows[func],
            forced,
        };
        // A stand-in, so that a recursive call finds the results that are known so far.
        let results = self.specs[id].results.clone();
        let empty = Spec {
            results: results.clone(),
            ..Spec::new(func, Vec::new(), 0)
        };
        let mut spec = std::mem::replace(&mut self.specs[id], empty);
        loop {
            let mut calls = Caller { solver: self, id };
            let changed = pass.run(&mut spec, &mut calls);
            self.steps += pass.flow.order.len();
            // Without loops, everything has been looked at behind what it follows from.
            if !changed || !pass.flow.loops {
                break;
            }
        }
        let raised = spec.results != results;
        self.specs[id] = spec;
        if raised {
            for dependent in self.dependents[id].clone() {
                self.enqueue(dependent);
            }
        }
    }
}

/// A specialisation whose calls are looked at.
struct Caller<'s, 'a> {
    solver: &'s mut Solver<'a>,
    id: SpecId,
}

impl CalleeColours for Caller<'_, '_> {
    fn callee(&mut self, callee: FuncId, key: Vec<Colour>) -> (SpecId, &[Colour]) {
        let callee = self.solver.spec(callee, key);
        self.solver.dependents[callee].insert(self.id);
        (callee, &self.solver.specs[callee].results)
    }
}

/// Keeps only the specialisations that the portal reaches: while colours went up, others were
/// visited.
fn reached(mut specs: PrimaryMap<SpecId, Spec>, first: SpecId, steps: usize) -> Solution {
    let mut callers: SecondaryMap<SpecId, Vec<(SpecId, BlockId, usize)>> = SecondaryMap::new();
    let mut live = vec![first];
    let mut next = 0;
    while let Some(&id) = live.get(next) {
        next += 1;
        let mut calls: Vec<_> = specs[id].calls.iter().map(|(k, v)| (*k, *v)).collect();
        calls.sort();
        for ((block, op), callee) in calls {
            let new = callers[callee].is_empty() && callee != first;
            callers[callee].push((id, block, op));
            if new {
                specs[callee].origin = Some((id, block, op));
                live.push(callee);
            }
        }
    }
    Solution {
        specs,
        live,
        callers,
        steps,
    }
}
