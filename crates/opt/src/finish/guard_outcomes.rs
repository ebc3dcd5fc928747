//! What a guard's failure says: behind the exit of a guard on a boolean, the boolean is known.
//!
//! So a bridge does not repeat the test, and a comparison's result needs no register for the exit.
//! Invariant: only for guards that fail because of their value. A machine that makes guards fail at
//! random must switch this off.

use crate::host::Optimised;
use crate::state::knowledge::GuardKnowledge;
use crate::state::label::{Sid, StateNode};
use cranelift_entity::{EntityRef, SecondaryMap};
use std::rc::Rc;
use verdigris_ops::Effect;
use verdigris_trace::{Const, ExitId, Opcode, OptimisedOp, Resume, Src, ValRef};

/// Replaces guarded values by constants in the exits of their guards.
pub(crate) fn know_outcomes(done: &mut Optimised) {
    let mut booleans: SecondaryMap<ValRef, bool> = SecondaryMap::new();
    let mut outcomes: Vec<(ExitId, ValRef, Const)> = Vec::new();
    for op in done.trace.ops().iter() {
        if let (Opcode::Data(data), Some(result)) = (op.opcode(), op.result()) {
            booleans[result] = data.gives_boolean();
        }
        if let (Some(exit), Some((value, outcome))) = (op.exit_id(), outcome(op, &booleans)) {
            outcomes.push((exit, value, outcome));
        }
    }
    for (exit, value, outcome) in outcomes {
        let facts = &mut done.guard_knowledge[exit.index()];
        if let Some(resume) = done.trace.exits[exit].resume_mut() {
            know(resume, facts, value, outcome);
        }
    }
}

/// Records which guards are behind allocations: all if `before`.
pub(crate) fn know_allocations(done: &mut Optimised, before: bool) {
    let mut has_made = before;
    for op in done.trace.ops().iter() {
        if let Opcode::Data(data) = op.opcode() {
            has_made |= data.effect() == Effect::Alloc;
        }
        if let Some(exit) = op.exit_id() {
            done.guard_knowledge[exit.index()].has_made_objects = has_made;
        }
    }
}

/// The guarded value, and its constant if the guard fails.
fn outcome(
    guard: OptimisedOp<'_>,
    booleans: &SecondaryMap<ValRef, bool>,
) -> Option<(ValRef, Const)> {
    let value = guard.args().first()?.as_ref()?;
    let word = match guard.opcode() {
        Opcode::GuardTrue => 0,
        Opcode::GuardFalse if booleans[value] => 1,
        _ => return None,
    };
    Some((value, Const::Int(word)))
}

fn know(resume: &mut Resume, facts: &mut GuardKnowledge, value: ValRef, outcome: Const) {
    let Some(n) = resume.fail_args.iter().position(|&v| v == value) else {
        return;
    };
    resume.fail_args.remove(n);
    resume.for_each_src(|src| match src {
        Src::Fail(m) if usize::from(*m) == n => *src = Src::Const(outcome),
        Src::Fail(m) if usize::from(*m) > n => *m -= 1,
        _ => {}
    });
    if let Some(known) = &mut facts.known {
        let state = &mut Rc::make_mut(known).state;
        // The state's roots are the fail arguments.
        let Sid(root) = state.roots.remove(n);
        state.nodes[root as usize] = StateNode::Const(outcome);
    }
}
