//! Constant folding: pure operations on constants (by `verdigris_ops::eval` alone), choices on
//! constants, and choices on negations.

use super::renames::Renames;
use crate::ir::{BlockId, Graph, GraphConst, GraphOp, Term, Val, ValueId};
use crate::table::{Control, GraphOpcode};
use cranelift_entity::SecondaryMap;
use verdigris_ops::DataOp;

/// Folds constants; returns whether there were any.
pub fn constants(graph: &mut Graph, order: &[BlockId]) -> bool {
    let mut renames = Renames::default();
    let count = graph.values.len();
    let mut negations: SecondaryMap<ValueId, Option<(DataOp, Val)>> =
        SecondaryMap::with_capacity(count);
    let mut promoted: SecondaryMap<ValueId, bool> = SecondaryMap::new();
    for &id in order {
        let ops = std::mem::take(&mut graph.blocks[id].ops);
        let mut kept = Vec::with_capacity(ops.len());
        for mut op in ops {
            for arg in &mut op.args {
                *arg = renames.resolve(*arg);
            }
            if let (&[dst], Some(value)) = (op.dsts.as_slice(), known(&op, &promoted)) {
                renames.add(dst, value);
                continue;
            }
            match (op.code, op.dsts.as_slice()) {
                (GraphOpcode::Data(data), &[dst]) => {
                    negations[dst] = op.args.first().map(|&a| (data, a));
                }
                (GraphOpcode::Control(Control::Promote), &[dst]) => promoted[dst] = true,
                _ => {}
            }
            kept.push(op);
        }
        graph.blocks[id].ops = kept;
    }
    let changed = renames.apply(graph);
    changed | simplify_choices(graph, order, &negations)
}

/// Turns choices on constants into edges.
pub fn choices(graph: &mut Graph) {
    let order = graph.reverse_postorder();
    simplify_choices(graph, &order, &SecondaryMap::new());
}

fn simplify_choices(
    graph: &mut Graph,
    order: &[BlockId],
    negations: &SecondaryMap<ValueId, Option<(DataOp, Val)>>,
) -> bool {
    let mut changed = false;
    for &id in order {
        let term = &mut graph.blocks[id].term;
        while let Some(better) = simpler(term, negations) {
            *term = better;
            changed = true;
        }
    }
    changed
}

/// The known result of an operation.
fn known(op: &GraphOp, promoted: &SecondaryMap<ValueId, bool>) -> Option<Val> {
    match op.code {
        GraphOpcode::Data(data) => GraphConst::fold(data, &op.args).map(Val::Const),
        // What is constant already need not be promoted.
        GraphOpcode::Control(Control::Promote) => match op.args[0] {
            Val::Value(v) if !promoted[v] => None,
            constant => Some(constant),
        },
        // The binding-time analysis looks at the annotated graph, which still has it.
        GraphOpcode::Control(Control::Concrete) => Some(op.args[0]),
        GraphOpcode::Control(_) => None,
    }
}

fn simpler(term: &Term, negations: &SecondaryMap<ValueId, Option<(DataOp, Val)>>) -> Option<Term> {
    match term {
        Term::Branch { cond, then, other } => match *cond {
            Val::Const(c) => {
                let taken = if c.word() != 0 { then } else { other };
                Some(Term::Goto(taken.clone()))
            }
            Val::Value(_) if then == other => Some(Term::Goto(then.clone())),
            Val::Value(v) => match negations[v] {
                Some((DataOp::IntIsZero, inner)) => Some(Term::Branch {
                    cond: inner,
                    then: other.clone(),
                    other: then.clone(),
                }),
                Some((DataOp::IntIsTrue, inner)) => Some(Term::Branch {
                    cond: inner,
                    then: then.clone(),
                    other: other.clone(),
                }),
                _ => None,
            },
        },
        Term::Switch {
            value: Val::Const(GraphConst::Int(value)),
            cases,
            default,
        } => {
            let case = cases.iter().find(|c| c.0 == *value);
            Some(Term::Goto(case.map_or(default, |c| &c.1).clone()))
        }
        Term::Switch { cases, default, .. } if cases.is_empty() => {
            Some(Term::Goto(default.clone()))
        }
        Term::ClassSwitch { cases, .. } if cases.iter().all(|c| c.1 == cases[0].1) => {
            Some(Term::Goto(cases[0].1.clone()))
        }
        _ => None,
    }
}
