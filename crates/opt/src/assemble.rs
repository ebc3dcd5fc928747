//! Finished sections as a trace: labels in front, values numbered through.

use crate::dce;
use crate::host::{GuardKnowledge, Optimised};
use crate::origins::Origins;
use crate::peel::Peeled;
use crate::section::Section;
use verdigris_trace::{OptimisedTrace, TargetId, ValRef};

/// An entry trace or an unpeeled loop: `label entry(inputs) ... end`.
pub(crate) fn entry(
    target: TargetId,
    mut section: Section,
    missed_loop: Option<TargetId>,
) -> Optimised {
    dce::remove_dead(&mut section);
    let (mut trace, mut origins) = Default::default();
    let guard_knowledge = append(&mut trace, &mut origins, Some(target), section);
    Optimised {
        guard_knowledge,
        trace,
        entry: Some(target),
        targets: vec![target],
        assumptions: Vec::new(),
        origins,
        remarks: Vec::new(),
        missed_loop,
    }
}

/// A peeled loop: `label entry(inputs) ... jump body; label body(...) ... jump body`.
pub(crate) fn peeled(entry: TargetId, body: TargetId, peeled: Peeled) -> Optimised {
    let (mut trace, mut origins) = Default::default();
    let mut guard_knowledge = append(&mut trace, &mut origins, Some(entry), peeled.entry);
    let of_body = append(&mut trace, &mut origins, Some(body), peeled.body);
    guard_knowledge.extend(of_body);
    Optimised {
        guard_knowledge,
        trace,
        entry: Some(entry),
        targets: vec![entry, body],
        assumptions: Vec::new(),
        origins,
        remarks: Vec::new(),
        missed_loop: None,
    }
}

/// A bridge: no label, the inputs are its guard's fail arguments.
pub(crate) fn bridge(mut section: Section, missed_loop: Option<TargetId>) -> Optimised {
    dce::remove_dead(&mut section);
    let (mut trace, mut origins) = Default::default();
    let guard_knowledge = append(&mut trace, &mut origins, None, section);
    Optimised {
        guard_knowledge,
        trace,
        entry: None,
        targets: Vec::new(),
        assumptions: Vec::new(),
        origins,
        remarks: Vec::new(),
        missed_loop,
    }
}

/// Sections that lead to each other: the first is where the code is entered. Answers for each where
/// its operations come from, too.
pub(crate) fn sections(
    entry: Option<TargetId>,
    sections: Vec<(Option<TargetId>, Section)>,
) -> (Optimised, Vec<Origins>) {
    let mut trace = OptimisedTrace::default();
    let mut guard_knowledge = Vec::new();
    let mut targets = Vec::with_capacity(sections.len());
    let mut origins = Vec::with_capacity(sections.len());
    for (label, mut section) in sections {
        dce::remove_dead(&mut section);
        origins.push(std::mem::take(&mut section.origins));
        let of_section = append(&mut trace, &mut Vec::new(), label, section);
        guard_knowledge.extend(of_section);
        targets.extend(label);
    }
    let optimised = Optimised {
        guard_knowledge,
        trace,
        entry,
        targets,
        assumptions: Vec::new(),
        origins: Vec::new(),
        remarks: Vec::new(),
        missed_loop: None,
    };
    (optimised, origins)
}

fn append(
    trace: &mut OptimisedTrace,
    origins: &mut Vec<Option<u32>>,
    label: Option<TargetId>,
    section: Section,
) -> Vec<GuardKnowledge> {
    let base = trace.types.len() as u32;
    let params = section.params.iter();
    let params: Vec<ValRef> = params
        .map(|v| ValRef::from_u32(v.as_u32() + base))
        .collect();
    if trace.ops().is_empty() {
        trace.inputs.clone_from(&params);
    }
    if let Some(target) = label {
        trace.push_label(target, &params, &[]);
    }
    // Labels come from nowhere.
    let before = origins.len();
    let emitted = section.out.ops().len();
    section.origins.recorded(emitted, origins);
    if label.is_some() && origins.len() > before {
        origins.insert(before, None);
    }
    trace.append(section.out);
    section.guard_knowledge
}
