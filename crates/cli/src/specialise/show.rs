//! Traces of the second compiler for people: the stages of each trace one under the other.
//! Operations stand under the interpreter's line that they are done for, and under the place in the
//! guest program. Every operation of the log is there, in its order.

use super::Stage;
use crate::source::package_folder;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use verdigris_report::{JitcodeFunction, LogBody, LogEntry, LogOp, LogRow, LogStage, LogStep};

/// The second compiler's part of a log.
#[derive(Default)]
pub struct SpecialisedLog {
    /// The functions of the interpreter, in the order in which resume data number them.
    functions: Vec<JitcodeFunction>,
    /// The traces, in the order in which they were made.
    pub traces: Vec<SpecialisedTrace>,
}

/// A trace of the second compiler.
#[derive(Default)]
pub struct SpecialisedTrace {
    title: String,
    /// The number of operations given to the optimiser.
    given_count: u64,
    given: Vec<LogRow>,
    opt: Vec<LogRow>,
    asm: Vec<String>,
}

impl SpecialisedLog {
    /// Takes what is shown from the entries of a log.
    pub fn new(entries: Vec<LogEntry>) -> SpecialisedLog {
        let mut log = SpecialisedLog::default();
        for entry in entries {
            let title = entry.trace.map(|head| head.title);
            match (entry.stage, title, entry.body) {
                (_, _, LogBody::Functions(functions)) => log.functions = functions,
                (LogStage::Given, Some(title), LogBody::Ops { count, rows }) => {
                    log.traces.push(SpecialisedTrace {
                        title,
                        given_count: count,
                        given: rows,
                        ..SpecialisedTrace::default()
                    });
                }
                (LogStage::Opt, Some(title), LogBody::Ops { rows, .. }) => {
                    log.with(&title, |trace| trace.opt = rows);
                }
                (_, Some(title), LogBody::Asm { lines, .. }) => {
                    log.with(&title, |trace| trace.asm = lines);
                }
                _ => {}
            }
        }
        log
    }

    fn with(&mut self, title: &str, change: impl FnOnce(&mut SpecialisedTrace)) {
        if let Some(trace) = self.traces.iter_mut().rev().find(|t| t.title == title) {
            change(trace);
        }
    }

    /// All traces as text.
    pub fn show(&self, root: &Path, stages: &[Stage]) -> String {
        let printer = Printer {
            functions: &self.functions,
            sources: SourceLines::new(root),
        };
        let mut out = String::new();
        for trace in &self.traces {
            line(&mut out, &trace.title());
            out.push('\n');
            for stage in stages {
                printer.stage(&mut out, trace, *stage);
                out.push('\n');
            }
        }
        out.truncate(out.trim_end().len());
        out.push('\n');
        out
    }
}

impl SpecialisedTrace {
    /// Where it starts, the value that it is the arm for, and the guards where it waits for values.
    fn title(&self) -> String {
        let mut title = format!("# {}", self.title);
        let ops = self.opt.iter().filter_map(|row| match row {
            LogRow::Op(op) => Some(op),
            _ => None,
        });
        let mut ops = ops.peekable();
        if let Some(test) = ops
            .peek()
            .and_then(|op| op.text.strip_prefix("guard_value("))
            && let Some((_, value)) = test.trim_end_matches(')').split_once(", ")
        {
            let _ = write!(title, ", the arm for {value}");
        }
        let leaves: Vec<&str> = ops
            .filter(|op| op.text == "leave()")
            .filter_map(|op| op.guard.as_deref())
            .collect();
        if !leaves.is_empty() {
            let _ = write!(title, ", leaves at {}", leaves.join(", "));
        }
        title
    }
}

struct Printer<'l> {
    functions: &'l [JitcodeFunction],
    sources: SourceLines,
}

/// The place in the guest program at a merge point.
fn guest(op: &LogOp) -> String {
    let greens = op.text.trim_start_matches("merge_point");
    match &op.pos {
        Some(pos) => format!("  guest {pos} {greens}"),
        None => format!("  guest {greens}"),
    }
}

impl<'l> Printer<'l> {
    fn stage(&self, out: &mut String, trace: &SpecialisedTrace, stage: Stage) {
        match stage {
            Stage::Jitcode => {
                line(
                    out,
                    "## jitcode: a + where there are operations for an instruction",
                );
                self.jitcode(out, &trace.given);
            }
            Stage::Given => {
                line(out, &format!("## given: {} operations", trace.given_count));
                self.operations(out, &trace.given);
            }
            Stage::Opt => {
                line(out, "## opt: what is left");
                self.operations(out, &trace.opt);
            }
            Stage::Asm => {
                line(out, "## asm");
                trace.asm.iter().for_each(|text| line(out, text));
            }
        }
    }

    /// The instructions that the specialiser went through.
    fn jitcode(&self, out: &mut String, rows: &[LogRow]) {
        let mut heading = Heading::default();
        let mut rows = rows.iter().peekable();
        while let Some(row) = rows.next() {
            match row {
                LogRow::Step(step) => {
                    heading.step = Some(step);
                    heading.show(out, &self.sources);
                    let gives = matches!(rows.peek(), Some(LogRow::Op(_) | LogRow::Inputs(_)));
                    let mark = if gives { '+' } else { ' ' };
                    let LogStep { function, pc, .. } = step;
                    let insn = self.insn(step);
                    line(out, &format!("    {mark} {function} {pc}: {insn}"));
                }
                LogRow::End(end) => line(out, &format!("    {end}")),
                LogRow::Section(section) => {
                    line(out, section);
                    heading = Heading::default();
                }
                LogRow::Op(op) if op.is_merge_point() => line(out, &guest(op)),
                LogRow::Op(_) | LogRow::Inputs(_) => {}
            }
        }
    }

    /// The text of an instruction.
    fn insn(&self, step: &LogStep) -> &'l str {
        let function = self.functions.iter().find(|f| f.name == step.function);
        let insn = function.and_then(|f| f.insns.get(step.pc as usize));
        insn.map_or("", |insn| insn.text.trim_end())
    }

    /// Operations, given or left.
    fn operations(&self, out: &mut String, rows: &[LogRow]) {
        let mut heading = Heading::default();
        let mut rows = rows.iter().peekable();
        while let Some(row) = rows.next() {
            match row {
                LogRow::Step(step) => heading.step = Some(step),
                // A `finish` is among the operations.
                LogRow::End(end) if end == "finish" => {}
                LogRow::End(end) => line(out, &format!("      {end}")),
                LogRow::Section(section) => {
                    let inputs = rows.next_if(|next| matches!(next, LogRow::Inputs(_)));
                    let inputs = inputs.map_or(String::new(), LogRow::to_string);
                    line(out, &format!("{section} {inputs}"));
                    heading = Heading::default();
                }
                LogRow::Inputs(inputs) => {
                    // A label has the same inputs.
                    if !matches!(rows.peek(), Some(LogRow::Op(op)) if op.is_label()) {
                        line(out, inputs);
                    }
                }
                LogRow::Op(op) if op.is_label() => {
                    line(out, &op.text);
                    heading = Heading::default();
                }
                LogRow::Op(op) if op.is_merge_point() => {
                    line(out, &guest(op));
                    heading.shown = None;
                }
                LogRow::Op(op) => {
                    heading.show(out, &self.sources);
                    let guard = op.guard.iter().map(|guard| format!(" {guard}"));
                    let guard: String = guard.collect();
                    line(out, &format!("      {}{guard}", op.text));
                    for detail in &op.detail {
                        line(out, &format!("        {}", self.named(detail)));
                    }
                }
            }
        }
    }

    /// A line of a guard's detail, with the names of the frames' functions.
    fn named(&self, text: &str) -> String {
        let mut before = "";
        let words = text.split(' ').map(|word| {
            let named = match before {
                "@" | "|" => self.frame(word),
                _ => None,
            };
            before = word;
            named.unwrap_or_else(|| word.to_string())
        });
        words.collect::<Vec<_>>().join(" ")
    }

    /// `3:20` as a function and a line of its source.
    fn frame(&self, word: &str) -> Option<String> {
        let (code, pc) = word.split_once(':')?;
        let function = self.functions.get(code.parse::<usize>().ok()?)?;
        let insn = function.insns.get(pc.parse::<usize>().ok()?)?;
        (insn.line > 0).then(|| {
            let JitcodeFunction { name, file, .. } = function;
            format!("{name} at {pc} ({file}:{})", insn.line)
        })
    }
}

/// The source line above operations.
#[derive(Default)]
struct Heading<'t> {
    step: Option<&'t LogStep>,
    shown: Option<(&'t str, u32)>,
}

impl Heading<'_> {
    /// Shows the line, unless it is there already.
    fn show(&mut self, out: &mut String, sources: &SourceLines) {
        // An instruction without a line belongs to those around it.
        let Some(step) = self.step.filter(|step| step.line != 0) else {
            return;
        };
        let at = (step.file.as_str(), step.line);
        if self.shown != Some(at) {
            let source = sources.line(&step.file, step.line);
            let text = format!("    {}:{}  {source}", step.file, step.line);
            line(out, text.trim_end());
            self.shown = Some(at);
        }
    }
}

/// The source files of the interpreter.
struct SourceLines {
    folder: PathBuf,
    read: RefCell<HashMap<String, Vec<String>>>,
}

impl SourceLines {
    /// The files of the package with this root file.
    fn new(root: &Path) -> SourceLines {
        SourceLines {
            folder: package_folder(root).to_owned(),
            read: RefCell::default(),
        }
    }

    /// A line without its indentation. Empty if there is no such file: the library's are not in the
    /// package.
    fn line(&self, file: &str, line: u32) -> String {
        let mut read = self.read.borrow_mut();
        let lines = read.entry(file.to_string()).or_insert_with(|| {
            let text = std::fs::read_to_string(self.folder.join(file)).unwrap_or_default();
            text.lines().map(|line| line.trim().to_string()).collect()
        });
        let index = (line as usize).checked_sub(1);
        index
            .and_then(|n| lines.get(n))
            .cloned()
            .unwrap_or_default()
    }
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}
