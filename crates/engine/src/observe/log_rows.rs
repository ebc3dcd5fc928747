//! Traces and jitcode as rows of the log.

use crate::observe::location::words;
use crate::observe::observers::Observers;
use verdigris_jitcode::{CodeId, Pc, Unit, print_insn};
use verdigris_opt::{BuilderInput, BuilderStep};
use verdigris_report::{JitcodeFunction, JitcodeInsn, LogOp, LogRow, LogStep};
use verdigris_trace::{
    Descr, GuardId, Opcode, Operation, OptimisedTrace, RecordedTrace, Trace, TraceForm, print,
};

impl Observers {
    /// A recorded trace.
    pub(super) fn recorded_rows(&self, trace: &RecordedTrace) -> Vec<LogRow> {
        let (inputs, ops) = self.ops(trace, |_| None);
        let ops = ops.into_iter().map(LogRow::Op);
        std::iter::once(inputs).chain(ops).collect()
    }

    /// An optimised trace. With the optimiser's input, steps name the instructions that the
    /// operations come from.
    pub(super) fn optimised_rows(
        &self,
        trace: &OptimisedTrace,
        given: &[BuilderInput],
    ) -> Vec<LogRow> {
        let (inputs, ops) = self.ops(trace, |op| op.guard());
        let mut rows = vec![inputs];
        let mut sections = given.iter();
        let mut section = None;
        let mut last = None;
        for op in ops {
            if op.is_label() || section.is_none() {
                section = sections.next().map(|s| (&s.steps, s.origins.iter()));
                last = None;
            }
            if let (false, Some((steps, origins))) = (op.is_label(), &mut section) {
                let origin = origins.next().copied().flatten();
                let step = origin.map(|step| &steps[step as usize]);
                let from = step.map(|step| (step.code, step.pc));
                if let Some(step) = step
                    && from != last
                {
                    rows.push(self.step(step));
                }
                last = from;
            }
            rows.push(LogRow::Op(op));
        }
        rows
    }

    /// The optimiser's input from the second compiler, with steps that have no operations, too. The
    /// ends of sections are those of the optimised trace.
    pub(super) fn given_rows(&self, given: &[BuilderInput], trace: &OptimisedTrace) -> Vec<LogRow> {
        let mut rows = Vec::new();
        let mut ends = ends(trace).into_iter();
        for section in given {
            rows.push(LogRow::Section(match section.label {
                Some(label) => format!("section {label}"),
                None => "the section that a guard leads to".to_string(),
            }));
            let (inputs, ops) = self.ops(&section.trace, |_| None);
            rows.push(inputs);
            let mut steps = section.steps.iter().peekable();
            for (n, op) in ops.into_iter().enumerate() {
                while let Some(step) = steps.next_if(|step| step.ops as usize <= n) {
                    rows.push(self.step(step));
                }
                rows.push(LogRow::Op(op));
            }
            rows.extend(steps.map(|step| self.step(step)));
            rows.extend(ends.next().map(LogRow::End));
        }
        rows
    }

    /// The inputs of a trace, and its operations.
    fn ops<F: TraceForm>(
        &self,
        trace: &Trace<F>,
        guard: impl Fn(Operation<'_, F>) -> Option<GuardId>,
    ) -> (LogRow, Vec<LogOp>) {
        let printed = print(&self.program.unit.descrs, trace);
        let mut lines = printed.lines();
        let inputs = LogRow::Inputs(lines.next().unwrap_or_default().to_string());
        let mut rows: Vec<LogOp> = Vec::new();
        for line in lines {
            match (line.strip_prefix("  "), rows.last_mut()) {
                (Some(detail), Some(op)) => op.detail.push(detail.to_string()),
                _ => rows.push(LogOp {
                    text: line.to_string(),
                    ..LogOp::default()
                }),
            }
        }
        let reports_places = self.reports_places();
        for (row, op) in rows.iter_mut().zip(trace.ops().iter()) {
            if let Some(guard) = guard(op) {
                let guard = guard.to_string();
                let text = row.text.strip_suffix(&guard);
                row.text = text.map_or_else(|| row.text.clone(), |t| t.trim_end().to_string());
                row.guard = Some(guard);
            }
            if op.opcode() == Opcode::MergePoint
                && reports_places
                && let Some(greens) = words(op.args().iter())
            {
                row.pos = self.source_pos(&greens);
            }
        }
        (inputs, rows)
    }

    fn step(&self, step: &BuilderStep) -> LogRow {
        let code = &self.program.unit.codes[CodeId::from_u32(step.code)];
        LogRow::Step(LogStep {
            function: code.name.to_string(),
            pc: step.pc,
            file: code.file.to_string(),
            line: code.lines.get(step.pc as usize).copied().unwrap_or(0),
        })
    }
}

/// The rows as text, a line each.
pub(super) fn rows_text(rows: &[LogRow]) -> String {
    rows.iter().map(|row| format!("{row}\n")).collect()
}

/// The interpreter's functions.
pub(super) fn jitcode_functions(unit: &Unit) -> Vec<JitcodeFunction> {
    let functions = unit.codes.values().map(|code| {
        let insns = (0..code.insns.len()).map(|pc| JitcodeInsn {
            text: print_insn(code, unit, Pc(pc as u32)),
            line: code.lines.get(pc).copied().unwrap_or(0),
        });
        JitcodeFunction {
            name: code.name.to_string(),
            file: code.file.to_string(),
            insns: insns.collect(),
        }
    });
    functions.collect()
}

/// How each section of an optimised trace ends.
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
