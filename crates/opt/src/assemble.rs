//! Finished sections as a trace: labels in front, values numbered through.

use crate::dce;
use crate::host::{GuardFacts, Optimised};
use crate::peel::Peeled;
use crate::section::Section;
use verdigris_trace::{Op, Opcode, TargetId, Trace, Val, ValRef};

/// An entry trace or an unpeeled loop: `label entry(inputs) ... end`.
pub(crate) fn entry(target: TargetId, mut section: Section, misses: Option<TargetId>) -> Optimised {
    dce::remove_dead(&mut section);
    let mut trace = Trace::default();
    let guard_facts = append(&mut trace, Some(target), section);
    Optimised {
        guard_facts,
        trace,
        entry: Some(target),
        targets: vec![target],
        assumptions: Vec::new(),
        notes: Vec::new(),
        misses,
    }
}

/// A peeled loop: `label entry(inputs) ... jump body; label body(...) ... jump body`.
pub(crate) fn peeled(entry: TargetId, body: TargetId, peeled: Peeled) -> Optimised {
    let mut trace = Trace::default();
    let mut guard_facts = append(&mut trace, Some(entry), peeled.entry);
    guard_facts.extend(append(&mut trace, Some(body), peeled.body));
    Optimised {
        guard_facts,
        trace,
        entry: Some(entry),
        targets: vec![entry, body],
        assumptions: Vec::new(),
        notes: Vec::new(),
        misses: None,
    }
}

/// A bridge: no label, the inputs are its guard's fail arguments.
pub(crate) fn bridge(mut section: Section, misses: Option<TargetId>) -> Optimised {
    dce::remove_dead(&mut section);
    let mut trace = Trace::default();
    let guard_facts = append(&mut trace, None, section);
    Optimised {
        guard_facts,
        trace,
        entry: None,
        targets: Vec::new(),
        assumptions: Vec::new(),
        notes: Vec::new(),
        misses,
    }
}

fn append(trace: &mut Trace, label: Option<TargetId>, section: Section) -> Vec<GuardFacts> {
    let base = trace.types.len() as u32;
    for &ty in section.types.values() {
        trace.types.push(ty);
    }
    let shift = |v: ValRef| ValRef::from_u32(v.as_u32() + base);
    let params: Vec<ValRef> = section.params.iter().map(|&v| shift(v)).collect();
    if trace.inputs.is_empty() && trace.ops.is_empty() {
        trace.inputs = params.clone();
    }
    if let Some(target) = label {
        let mut op = Op::new(Opcode::Label, &[]);
        op.descr = target.into();
        op.defs = params;
        trace.ops.push(op);
    }
    for mut op in section.out {
        for arg in &mut op.args {
            if let Val::Ref(v) = arg {
                *v = shift(*v);
            }
        }
        for v in op.result.iter_mut().chain(&mut op.defs) {
            *v = shift(*v);
        }
        if let Some(resume) = &mut op.resume {
            for v in &mut resume.fail_args {
                *v = shift(*v);
            }
        }
        trace.ops.push(op);
    }
    section.guard_facts
}
