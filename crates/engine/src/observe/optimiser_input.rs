//! What the second compiler was given, and what is left of it, beside the interpreter's
//! instructions. In: the optimiser's [`BuilderInput`], and residual code. Out: text for the log's stages
//! `given` and `opt`: a comment in front of operations says for which instruction they are done.
//! Invariant: without the comments the text is that of its stage; for `given` one trace behind the
//! other, one for each section.

use crate::program::LinkedProgram;
use std::fmt::Write;
use verdigris_jitcode::CodeId;
use verdigris_opt::{BuilderInput, BuilderStep};
use verdigris_trace::{Descr, Opcode, OptimisedTrace, RecordedTrace, print};

/// The sections as they were given, with all that was done; what did without an operation is there
/// too. How a section ends stands in the residual code alone.
pub(crate) fn text(
    linked: &LinkedProgram,
    given: &[BuilderInput],
    trace: &OptimisedTrace,
    with_places: impl Fn(String, &RecordedTrace) -> String,
) -> String {
    let mut text = String::new();
    let mut ends = ends(trace).into_iter();
    for section in given {
        match section.label {
            Some(label) => line(&mut text, format_args!("// section {label}")),
            None => line(&mut text, "// the section that a guard leads to"),
        }
        let printed = print(&linked.unit.descrs, &section.trace);
        let printed = with_places(printed, &section.trace);
        let mut steps = section.steps.iter().peekable();
        let mut ops = 0;
        for (n, printed) in printed.lines().enumerate() {
            let is_operation = n > 0 && !printed.starts_with(' ');
            if is_operation {
                while let Some(step) = steps.next_if(|step| step.ops <= ops) {
                    line(&mut text, place(linked, step));
                }
                ops += 1;
            }
            line(&mut text, printed);
        }
        for step in steps {
            line(&mut text, place(linked, step));
        }
        if let Some(end) = ends.next() {
            line(&mut text, format_args!("// ends in {end}"));
        }
    }
    text
}

/// How each section of residual code ends.
fn ends(trace: &OptimisedTrace) -> Vec<String> {
    let ops = trace.ops();
    let followers = ops.skip_to(1).iter().map(Some).chain([None]);
    let ends = ops
        .iter()
        .zip(followers)
        .filter(|(_, next)| next.is_none_or(|next| next.opcode() == Opcode::Label));
    let ends = ends.map(|(end, _)| match end.descr() {
        Descr::Label(label) => format!("{} {label}", end.opcode().name()),
        _ => end.opcode().name().to_string(),
    });
    ends.collect()
}

/// Residual code; a comment where operations come from another instruction than those in front of
/// them.
pub(crate) fn residual(
    linked: &LinkedProgram,
    given: &[BuilderInput],
    trace: &OptimisedTrace,
) -> String {
    let mut text = String::new();
    let mut sections = given.iter();
    let mut section = None;
    let mut last = None;
    for (n, printed) in print(&linked.unit.descrs, trace).lines().enumerate() {
        let is_label = printed.starts_with("label ");
        if n > 0 && (is_label || section.is_none()) {
            section = sections.next().map(|s| (&s.steps, s.origins.iter()));
            last = None;
        }
        let is_operation = n > 0 && !is_label && !printed.starts_with(' ');
        if let (true, Some((steps, origins))) = (is_operation, &mut section) {
            let origin = origins.next().copied().flatten();
            let step = origin.map(|step| &steps[step as usize]);
            let from = step.map(|step| (step.code, step.pc));
            if let Some(step) = step
                && from != last
            {
                line(&mut text, place(linked, step));
            }
            last = from;
        }
        line(&mut text, printed);
    }
    text
}

/// The comment that names an instruction.
fn place(linked: &LinkedProgram, step: &BuilderStep) -> String {
    let code = &linked.unit.codes[CodeId::from_u32(step.code)];
    let line = code.lines.get(step.pc as usize).copied().unwrap_or(0);
    format!("// {} at {} ({}:{line})", code.name, step.pc, code.file)
}

fn line(text: &mut String, line: impl std::fmt::Display) {
    // Writing to a string never fails.
    let _ = writeln!(text, "{line}");
}
