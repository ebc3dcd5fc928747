//! Views: a component as it is in some variants.
//!
//! Where a choice by a tag leads to code of its own, a component that is defined together with the
//! tag is followed back along those edges, calls and arguments that come with such a tag. So the
//! red error of a `Result` does not make its value red.
//!
//! A view never has more sources than its component, and its colour is at most the component's. The
//! number of views is bounded by the size of the function; beyond that a component is taken as a
//! whole.

use super::flow::{Def, Flow};
use crate::input::ColourInput;
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use verdigris_front::tast::FuncId;
use verdigris_graph::{BlockId, Edge, Graph, GraphConst, GraphDescr, Target, Term, Val, ValueId};

/// More tags than this are not looked at for one component.
const MOST_FACTS: usize = 3;

/// Views of a function for each of its values.
const MOST_VIEWS: usize = 4;

/// Which integers a tag can be.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Cases {
    /// One of these.
    In(Vec<i64>),
    /// None of these.
    Not(Vec<i64>),
}

impl Cases {
    fn allow(&self, tag: i64) -> bool {
        match self {
            Cases::In(list) => list.contains(&tag),
            Cases::Not(list) => !list.contains(&tag),
        }
    }

    /// The cases that both allow.
    fn and(&self, other: &Cases) -> Cases {
        match (self, other) {
            (Cases::In(list), other) | (other, Cases::In(list)) => {
                Cases::In(list.iter().copied().filter(|&c| other.allow(c)).collect())
            }
            (Cases::Not(a), Cases::Not(b)) => {
                let mut list = [a.as_slice(), b.as_slice()].concat();
                list.sort_unstable();
                list.dedup();
                Cases::Not(list)
            }
        }
    }
}

/// Tags, and what is known of them.
type Facts = Vec<(ValueId, Cases)>;

/// Adds what is known of a tag; returns whether it can be.
fn add_fact(facts: &mut Facts, tag: ValueId, cases: Cases) -> bool {
    match facts.iter_mut().find(|fact| fact.0 == tag) {
        Some((_, known)) => {
            *known = known.and(&cases);
            *known != Cases::In(Vec::new())
        }
        None => {
            if facts.len() < MOST_FACTS {
                facts.push((tag, cases));
            }
            true
        }
    }
}

/// Where a value is defined, as far as that says what is defined together with it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Home {
    Params(BlockId),
    Call(BlockId, usize),
}

/// A view that is still to be followed.
enum Job {
    /// A view of a parameter of this block: what the edges pass.
    Join(FuncId, ValueId, BlockId, Facts),
    /// A view of a result of a call.
    Result(FuncId, ValueId, (BlockId, usize), Facts),
    /// A further parameter of a function, by number among those: what its callers pass.
    Argument(FuncId, ValueId, usize, Facts),
}

struct Follow<'a, 'f> {
    input: &'a ColourInput<'a>,
    flows: &'f mut PrimaryMap<FuncId, Flow>,
    callers: SecondaryMap<FuncId, Vec<(FuncId, BlockId, usize)>>,
    known: FxHashMap<(FuncId, ValueId, Facts), ValueId>,
    count: SecondaryMap<FuncId, usize>,
    jobs: VecDeque<Job>,
    /// The cases of the edges of switches, cached.
    switches: FxHashMap<(FuncId, BlockId), FxHashMap<BlockId, Cases>>,
}

/// Adds the views that choices by tags give rise to.
pub fn add(input: &ColourInput<'_>, flows: &mut PrimaryMap<FuncId, Flow>) {
    let mut follow = Follow {
        callers: callers(input, flows),
        input,
        flows,
        known: FxHashMap::default(),
        count: SecondaryMap::new(),
        jobs: VecDeque::new(),
        switches: FxHashMap::default(),
    };
    let funcs: Vec<FuncId> = follow.flows.keys().collect();
    for func in funcs {
        follow.choices(func);
    }
    while let Some(job) = follow.jobs.pop_front() {
        match job {
            Job::Join(func, view, block, facts) => follow.join(func, view, block, &facts),
            Job::Result(func, view, call, facts) => follow.result(func, view, call, &facts),
            Job::Argument(func, param, n, facts) => follow.argument(func, param, n, &facts),
        }
    }
}

fn callers(
    input: &ColourInput<'_>,
    flows: &PrimaryMap<FuncId, Flow>,
) -> SecondaryMap<FuncId, Vec<(FuncId, BlockId, usize)>> {
    let mut callers: SecondaryMap<FuncId, Vec<(FuncId, BlockId, usize)>> = SecondaryMap::new();
    for (func, flow) in flows {
        for &block in &flow.order {
            for (n, op) in input.graphs[func].graph.blocks[block]
                .ops
                .iter()
                .enumerate()
            {
                if let GraphDescr::Graph(callee) = op.descr {
                    callers[callee].push((func, block, n));
                }
            }
        }
    }
    callers
}

/// The cases of a switch's edges, by target block.
fn cases_by_block(cases: &[(i64, Target)], default: BlockId) -> FxHashMap<BlockId, Cases> {
    let mut keys: FxHashMap<BlockId, Vec<i64>> = FxHashMap::default();
    for (key, target) in cases.iter().filter(|c| c.1.block != default) {
        keys.entry(target.block).or_default().push(*key);
    }
    let elsewhere = cases.iter().filter(|c| c.1.block != default);
    let elsewhere = Cases::Not(elsewhere.map(|c| c.0).collect());
    let keys = keys.into_iter().map(|(to, keys)| (to, Cases::In(keys)));
    keys.chain([(default, elsewhere)]).collect()
}

impl Follow<'_, '_> {
    fn graph(&self, func: FuncId) -> &Graph {
        &self.input.graphs[func].graph
    }

    /// The cases of the value that chose an edge.
    fn condition(&mut self, func: FuncId, edge: Edge) -> Option<(ValueId, Cases)> {
        let block = &self.input.graphs[func].graph.blocks[edge.from];
        match &block.term {
            Term::Branch { cond, then, other } if then.block != other.block => {
                let cases = match edge.index {
                    0 => Cases::Not(vec![0]),
                    _ => Cases::In(vec![0]),
                };
                Some((cond.value()?, cases))
            }
            Term::Switch {
                value,
                cases,
                default,
            } => {
                let value = value.value()?;
                let switch = self.switches.entry((func, edge.from));
                let switch = switch.or_insert_with(|| cases_by_block(cases, default.block));
                let to = block.term.target(edge.index).block;
                Some((value, switch.get(&to)?.clone()))
            }
            _ => None,
        }
    }

    /// Gives the edges of choices the views that they pass.
    fn choices(&mut self, func: FuncId) {
        for block in self.flows[func].order.clone() {
            for n in 0..self.flows[func].preds[block].len() {
                let edge = self.flows[func].preds[block][n];
                let args = self.graph(func).target(edge).args.len();
                if args == 0 {
                    continue;
                }
                let Some(fact) = self.condition(func, edge) else {
                    continue;
                };
                for n in 0..args {
                    let arg = self.graph(func).target(edge).args[n];
                    let view = self.view(func, arg, vec![fact.clone()]);
                    if view != arg {
                        let args = &mut self.flows[func].views.args;
                        args.insert((edge.from, edge.index, n), view);
                    }
                }
            }
        }
    }

    fn home(&self, func: FuncId, value: ValueId) -> Option<Home> {
        let flow = &self.flows[func];
        if flow.views.base[value].is_some() {
            return None;
        }
        match flow.defs[value]? {
            Def::Param(block, _) if Some(block) == flow.merge => None,
            Def::Param(block, _) => {
                let portal = func == self.input.source.portal;
                let known = portal && block == self.graph(func).entry;
                (!known).then_some(Home::Params(block))
            }
            Def::Op(block, n, _) => {
                let op = &self.graph(func).blocks[block].ops[n];
                matches!(op.descr, GraphDescr::Graph(_)).then_some(Home::Call(block, n))
            }
            Def::View => None,
        }
    }

    /// What an operand is if these facts hold, as far as they are of tags that are defined together
    /// with it.
    fn view(&mut self, func: FuncId, val: Val, mut facts: Facts) -> Val {
        let Val::Value(value) = val else { return val };
        let Some(home) = self.home(func, value) else {
            return val;
        };
        facts.retain(|fact| fact.0 != value && self.home(func, fact.0) == Some(home));
        facts.sort_by_key(|fact| fact.0);
        if facts.is_empty() {
            return val;
        }
        let key = (func, value, facts);
        if let Some(&known) = self.known.get(&key) {
            return Val::Value(known);
        }
        let values = self.graph(func).values.len();
        if self.count[func] >= values * MOST_VIEWS {
            return val;
        }
        let view = ValueId::new(values + self.count[func]);
        self.count[func] += 1;
        let facts = key.2.clone();
        self.known.insert(key, view);
        let entry = self.graph(func).entry;
        let params = self.graph(func).blocks[entry].params.len();
        let flow = &mut self.flows[func];
        flow.views.base[view] = Some(value);
        flow.places[view] = flow.places[value];
        self.jobs.push_back(match home {
            Home::Params(block) if block == entry => {
                let n = flow.views.params.len();
                flow.defs[view] = Some(Def::Param(block, params + n));
                flow.views.params.push(view);
                Job::Argument(func, value, n, facts)
            }
            Home::Params(block) => {
                flow.defs[view] = Some(Def::View);
                flow.views.at[block].push(view);
                Job::Join(func, view, block, facts)
            }
            Home::Call(block, n) => Job::Result(func, view, (block, n), facts),
        });
        Val::Value(view)
    }

    /// The facts about what is passed for the tags; none if that cannot be.
    fn along(
        &self,
        func: FuncId,
        facts: &Facts,
        edge: Option<(ValueId, Cases)>,
        passed: impl Fn(Def) -> Option<Val>,
    ) -> Option<Facts> {
        let mut out = Facts::new();
        for (tag, cases) in facts {
            let def = self.flows[func].defs[*tag]?;
            match passed(def) {
                Some(Val::Const(GraphConst::Int(tag))) if !cases.allow(tag) => return None,
                Some(Val::Value(tag)) if !add_fact(&mut out, tag, cases.clone()) => return None,
                _ => {}
            }
        }
        let possible = edge.is_none_or(|(tag, cases)| add_fact(&mut out, tag, cases));
        possible.then_some(out)
    }

    fn join(&mut self, func: FuncId, view: ValueId, block: BlockId, facts: &Facts) {
        let param = self.number(func, self.flows[func].base(view));
        let mut sources = Vec::new();
        for n in 0..self.flows[func].preds[block].len() {
            let edge = self.flows[func].preds[block][n];
            let choice = self.condition(func, edge);
            let args = &self.input.graphs[func].graph.target(edge).args;
            let passed = |def| match def {
                Def::Param(_, n) => args.get(n).copied(),
                _ => None,
            };
            if let Some(facts) = self.along(func, facts, choice, passed) {
                let arg = args[param];
                sources.push(self.view(func, arg, facts));
            }
        }
        self.flows[func].views.sources[view] = sources;
    }

    /// The number of a parameter or result.
    fn number(&self, func: FuncId, value: ValueId) -> usize {
        match self.flows[func].defs[value] {
            Some(Def::Param(_, n) | Def::Op(_, _, n)) => n,
            _ => unreachable!("only parameters and results have views"),
        }
    }

    fn result(&mut self, func: FuncId, view: ValueId, call: (BlockId, usize), facts: &Facts) {
        let number = self.number(func, self.flows[func].base(view));
        let GraphDescr::Graph(callee) = self.graph(func).blocks[call.0].ops[call.1].descr else {
            unreachable!("it is a call of a traced function");
        };
        let results = &self.flows[callee].results;
        let passed = |def| match def {
            Def::Op(_, _, n) => results.get(n).copied(),
            _ => None,
        };
        let source = match self.along(func, facts, None, passed) {
            // A function that does not return has no results.
            _ if number >= results.len() => None,
            None => None,
            Some(facts) => {
                let result = results[number];
                Some(self.view(callee, result, facts))
            }
        };
        let results = &mut self.flows[callee].results;
        let number = source.map_or(usize::MAX, |source| {
            let known = results.iter().position(|&r| r == source);
            known.unwrap_or_else(|| {
                results.push(source);
                results.len() - 1
            })
        });
        let flow = &mut self.flows[func];
        flow.defs[view] = Some(Def::Op(call.0, call.1, number));
        let known = flow.views.call_results.entry(call).or_default();
        known.push((view, number));
    }

    fn argument(&mut self, func: FuncId, param: ValueId, n: usize, facts: &Facts) {
        let number = self.number(func, param);
        for (caller, block, op) in self.callers[func].clone() {
            let args = &self.graph(caller).blocks[block].ops[op].args;
            let passed = |def| match def {
                Def::Param(_, n) => args.get(n).copied(),
                _ => None,
            };
            let arg = args[number];
            // What cannot be is as good as any constant.
            let source = match self.along(func, facts, None, passed) {
                None => Val::int(0),
                Some(facts) => self.view(caller, arg, facts),
            };
            let call_args = &mut self.flows[caller].views.call_args;
            let list = call_args.entry((block, op)).or_default();
            list.resize(list.len().max(n + 1), Val::int(0));
            list[n] = source;
        }
    }
}
