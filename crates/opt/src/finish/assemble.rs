//! Joins finished sections to a trace: labels in front, values numbered through.

use crate::host::Optimised;
use crate::section::Section;
use verdigris_trace::{OptimisedTrace, TargetId, ValRef};

/// The trace of these sections, each behind its label. The trace is entered at the first one.
pub(crate) fn assemble(
    entry: Option<TargetId>,
    sections: impl IntoIterator<Item = (Option<TargetId>, Section)>,
) -> Optimised {
    let mut optimised = Optimised {
        trace: OptimisedTrace::default(),
        entry,
        targets: Vec::new(),
        guard_knowledge: Vec::new(),
        assumptions: Vec::new(),
        origins: Vec::new(),
        remarks: Vec::new(),
        missed_loop: None,
    };
    for (label, section) in sections {
        append(&mut optimised, label, section);
    }
    optimised
}

fn append(optimised: &mut Optimised, label: Option<TargetId>, section: Section) {
    let Optimised { trace, origins, .. } = optimised;
    let base = trace.types.len() as u32;
    let params = section.code.params.iter();
    let params: Vec<ValRef> = params
        .map(|v| ValRef::from_u32(v.as_u32() + base))
        .collect();
    if trace.ops().is_empty() {
        trace.inputs.clone_from(&params);
    }
    if let Some(target) = label {
        trace.push_label(target, &params, &[]);
    }
    let before = origins.len();
    let emitted = section.code.trace.ops().len();
    section.code.origins.recorded(emitted, origins);
    if label.is_some() && origins.len() > before {
        // The label comes from no operation.
        origins.insert(before, None);
    }
    trace.append(section.code.trace);
    optimised.targets.extend(label);
    optimised.guard_knowledge.extend(section.guards.knowledge);
}
