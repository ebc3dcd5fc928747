//! Interprets flow graphs.

use crate::world::{Outcome, World};
use cranelift_entity::SecondaryMap;
use verdigris_front::tast::FuncId;
use verdigris_graph::{
    Control, Graph, GraphDescr, GraphOp, GraphOpcode, GraphProgram, Target, Term, Val, ValueId,
};
use verdigris_ops::eval;

/// Runs the portal.
pub fn run(program: &GraphProgram, world: &mut World<'_>, args: &[u64]) -> Outcome {
    match call(program, world, program.portal, args) {
        Ok(words) => Outcome::Returned(words.first().copied().unwrap_or(0)),
        Err(outcome) => outcome,
    }
}

type Values = SecondaryMap<ValueId, Option<u64>>;

fn get(values: &Values, val: Val) -> u64 {
    match val {
        Val::Value(v) => values[v].expect("a value is defined before it is used"),
        Val::Const(c) => c.word(),
    }
}

fn call(
    program: &GraphProgram,
    world: &mut World<'_>,
    id: FuncId,
    args: &[u64],
) -> Result<Vec<u64>, Outcome> {
    let graph = &program.graphs[id];
    let mut values = Values::new();
    let mut at = Target {
        block: graph.entry,
        args: args.iter().map(|&w| Val::int(w as i64)).collect(),
    };
    loop {
        if !world.burn(1) {
            return Err(Outcome::TooLong);
        }
        let block = &graph.blocks[at.block];
        let passed: Vec<u64> = at.args.iter().map(|&a| get(&values, a)).collect();
        for (&param, word) in block.params.iter().zip(passed) {
            values[param] = Some(word);
        }
        for op in &block.ops {
            let results = execute(program, world, op, &values)?;
            for (&dst, word) in op.dsts.iter().zip(results) {
                values[dst] = Some(word);
            }
        }
        match step(graph, world, &block.term, &values) {
            Step::Go(target) => at = target,
            Step::Return(words) => return Ok(words),
            Step::Panic(message) => return Err(Outcome::Panicked(message)),
        }
    }
}

fn execute(
    program: &GraphProgram,
    world: &mut World<'_>,
    op: &GraphOp,
    values: &Values,
) -> Result<Vec<u64>, Outcome> {
    let args: Vec<u64> = op.args.iter().map(|&a| get(values, a)).collect();
    match (op.code, op.descr) {
        (GraphOpcode::Data(data), descr) => Ok(vec![eval(data, &args).unwrap_or_else(|| {
            let raw = match descr {
                GraphDescr::Field(f) => f.as_u32(),
                GraphDescr::Class(c) => c.as_u32(),
                _ => 0,
            };
            world.heap(data, &args, raw)
        })]),
        (GraphOpcode::Control(Control::Promote | Control::Concrete), _) => Ok(args),
        (GraphOpcode::Control(Control::IsConstant | Control::IsVirtual), _) => Ok(vec![0]),
        (_, GraphDescr::Graph(id)) => call(program, world, id, &args),
        (_, GraphDescr::Fn(id)) => world.call(id, &args).map_err(Outcome::Panicked),
        _ => Ok(Vec::new()),
    }
}

enum Step {
    Go(Target),
    Return(Vec<u64>),
    Panic(String),
}

fn step(graph: &Graph, world: &World<'_>, term: &Term, values: &Values) -> Step {
    let word = |val| get(values, val);
    let target = match term {
        Term::Goto(target) | Term::MergePoint { next: target, .. } => target,
        Term::Branch { cond, then, other } => match word(*cond) {
            0 => other,
            _ => then,
        },
        Term::Switch {
            value,
            cases,
            default,
        } => {
            let value = word(*value) as i64;
            cases
                .iter()
                .find(|c| c.0 == value)
                .map_or(default, |c| &c.1)
        }
        Term::ClassSwitch { value, cases } => {
            let class = world.class_of(word(*value));
            let case = cases.iter().find(|c| c.0 == class);
            &case.expect("the cases are complete").1
        }
        Term::Return(list) => {
            let types: Vec<_> = list.iter().map(|&v| graph.ty(v)).collect();
            assert_eq!(types, graph.ret);
            return Step::Return(list.iter().map(|&v| word(v)).collect());
        }
        Term::Panic(kind, args) => {
            let args: Vec<u64> = args.iter().map(|&a| word(a)).collect();
            return Step::Panic(kind.message(&args));
        }
    };
    Step::Go(target.clone())
}
