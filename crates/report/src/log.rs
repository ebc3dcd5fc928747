//! The log's entries as data: one JSON object on each line of the log's JSON form. The text form of
//! a trace is made from the same rows.

use crate::kinds::{CodeKind, CompilerKind};
use crate::named::named_enum;
use crate::source_pos::SourcePos;
use crate::stats::Stats;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

named_enum! {
    /// A stage that can be logged.
    LogStage {
        /// The flow graphs of the interpreter.
        Graph = "graph",
        /// Its jitcode.
        Jitcode = "jitcode",
        /// Traces as recorded, and attempts that were given up.
        Trace = "trace",
        /// The second compiler's input to the optimiser, and the origin of what is left of it.
        Given = "given",
        /// Traces as optimised.
        Opt = "opt",
        /// What traces could not keep out of memory, and why.
        Lost = "lost",
        /// Cranelift's input.
        Clif = "clif",
        /// Machine code.
        Asm = "asm",
        /// Guard failures.
        Deopt = "deopt",
        /// Freed code.
        Free = "free",
        /// Changes of tier.
        Tier = "tier",
        /// The origins of the operations of traces.
        Origins = "origins",
        /// A line for each thing that happens to code: made, left, resting, given up, freed.
        Events = "events",
        /// Statistics when the VM ends.
        Stats = "stats",
    }
}

/// An entry of the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LogEntry {
    /// The stage.
    pub stage: LogStage,
    /// The entry's first line in the text form.
    pub header: String,
    /// The trace that the entry is about, if it is about one that goes to the backend.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<TraceHead>,
    /// The entry itself, under a name for its form.
    #[serde(flatten)]
    pub body: LogBody,
}

/// The trace that an entry is about.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TraceHead {
    /// Its number.
    pub id: u32,
    /// Its title: `trace 3: loop at fib.lua:12 in fib (0, ref)`.
    pub title: String,
    /// What it was compiled for.
    pub kind: CodeKind,
    /// The compiler.
    pub compiler: CompilerKind,
    /// Where it starts, if the language tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pos: Option<SourcePos>,
    /// The trace that a bridge starts in, and its guard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<(u32, String)>,
}

/// The body of an entry.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogBody {
    /// Text for people.
    Text(String),
    /// The interpreter's functions, in the order in which resume data number them.
    Functions(Vec<JitcodeFunction>),
    /// A trace.
    Ops {
        /// The number of its operations; for the stage `given`, of those given to the optimiser.
        count: u64,
        /// Its lines.
        rows: Vec<LogRow>,
    },
    /// Machine code: its bytes, and the lines of the listing.
    Asm {
        /// Bytes of machine code.
        bytes: u64,
        /// The listing; comments name the operations.
        lines: Vec<String>,
    },
    /// The origins of operations.
    Origins(TraceOrigins),
    /// Statistics, and how often each guard has led out of compiled code.
    Stats {
        /// The statistics.
        stats: Box<Stats>,
        /// Failures by guard.
        failures: BTreeMap<String, u64>,
    },
}

/// A function of the interpreter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct JitcodeFunction {
    /// Its path.
    pub name: String,
    /// Its source file.
    pub file: String,
    /// Its instructions, by their number.
    pub insns: Vec<JitcodeInsn>,
}

/// An instruction of the interpreter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct JitcodeInsn {
    /// The instruction as text.
    pub text: String,
    /// The line of the source; 0 if there is none.
    pub line: u32,
}

/// A line of a trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogRow {
    /// A section of the optimiser begins: what it is.
    Section(String),
    /// The values that a trace or section starts with: `[p0 i1]`.
    Inputs(String),
    /// The operations behind this are done for an instruction of the interpreter.
    Step(LogStep),
    /// An operation.
    Op(LogOp),
    /// How a section ends.
    End(String),
}

/// An instruction of the interpreter that operations are done for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogStep {
    /// The function.
    pub function: String,
    /// The number of the instruction.
    pub pc: u32,
    /// The source file.
    pub file: String,
    /// The line; 0 if there is none.
    pub line: u32,
}

/// An operation of a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogOp {
    /// The operation as text, without the name of its guard.
    pub text: String,
    /// The name of the guard, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guard: Option<String>,
    /// What the guard restores, a line each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub detail: Vec<String>,
    /// Of a merge point: the position in the guest program, if the language tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pos: Option<SourcePos>,
}

/// The origins of the operations of a trace. Operations are counted as they stand in the stages
/// `trace` and `opt`, labels and merge points among them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceOrigins {
    /// For each recorded operation, the frames in which it was recorded, innermost first: numbers
    /// of functions and instructions.
    pub recorded: Vec<Vec<(u32, u32)>>,
    /// For each optimised operation, the recorded one that it comes from.
    pub optimised: Vec<Option<u32>>,
}

impl LogEntry {
    /// One JSON object on one line.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("an entry of numbers and strings always serialises")
    }

    /// Reads the JSON form of a log.
    ///
    /// # Errors
    /// With a message that names the first line that is no entry.
    pub fn read_log(text: &str) -> Result<Vec<LogEntry>, String> {
        let read = |(n, line): (usize, &str)| {
            let entry = serde_json::from_str(line);
            entry.map_err(|error| format!("line {}: {error}", n + 1))
        };
        text.lines().enumerate().map(read).collect()
    }
}

impl LogOp {
    /// Whether it is a merge point.
    pub fn is_merge_point(&self) -> bool {
        self.text.starts_with("merge_point")
    }

    /// Whether it is a label.
    pub fn is_label(&self) -> bool {
        self.text.starts_with("label ")
    }
}

impl fmt::Display for LogRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LogRow::Section(name) => write!(f, "// {name}"),
            LogRow::Inputs(inputs) => f.write_str(inputs),
            LogRow::Step(step) => write!(f, "// {step}"),
            LogRow::Op(op) => write!(f, "{op}"),
            LogRow::End(end) => write!(f, "// ends in {end}"),
        }
    }
}

impl fmt::Display for LogStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LogStep {
            function,
            pc,
            file,
            line,
        } = self;
        write!(f, "{function} at {pc} ({file}:{line})")
    }
}

impl fmt::Display for LogOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        if let Some(guard) = &self.guard {
            write!(f, " {guard}")?;
        }
        if let Some(pos) = &self.pos {
            write!(f, " // {pos}")?;
        }
        self.detail
            .iter()
            .try_for_each(|line| write!(f, "\n  {line}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn entries_come_back_as_they_were() {
        let guard = LogOp {
            text: "guard_true(i1)".to_owned(),
            guard: Some("g0".to_owned()),
            detail: vec!["-> [p0]".to_owned()],
            ..LogOp::default()
        };
        let rows = vec![LogRow::Inputs("[p0]".to_owned()), LogRow::Op(guard)];
        let entry = LogEntry {
            stage: LogStage::Opt,
            header: "trace 0: loop, 1 operations".to_owned(),
            trace: Some(TraceHead {
                title: "trace 0: loop".to_owned(),
                compiler: CompilerKind::Tracer,
                pos: Some(SourcePos::words("a.x:3 in f")),
                ..TraceHead::default()
            }),
            body: LogBody::Ops { count: 1, rows },
        };
        expect![[r#"{"stage":"opt","header":"trace 0: loop, 1 operations","trace":{"id":0,"title":"trace 0: loop","kind":"loop","compiler":"traced","pos":{"text":"a.x:3 in f"}},"ops":{"count":1,"rows":[{"inputs":"[p0]"},{"op":{"text":"guard_true(i1)","guard":"g0","detail":["-> [p0]"]}}]}}"#]].assert_eq(&entry.to_json());
        let stats = LogEntry {
            stage: LogStage::Stats,
            header: "at the end".to_owned(),
            trace: None,
            body: LogBody::Stats {
                stats: Box::default(),
                failures: BTreeMap::from([("g0".to_owned(), 4)]),
            },
        };
        let text = format!("{}\n{}\n", entry.to_json(), stats.to_json());
        assert_eq!(LogEntry::read_log(&text), Ok(vec![entry, stats]));
        let cut = LogEntry::read_log("{}\n").unwrap_err();
        assert!(cut.starts_with("line 1: "), "{cut}");
    }

    #[test]
    fn rows_are_lines_of_text() {
        let step = LogStep {
            function: "interp::run".to_owned(),
            pc: 3,
            file: "src/interp.rs".to_owned(),
            line: 52,
        };
        assert_eq!(
            LogRow::Step(step).to_string(),
            "// interp::run at 3 (src/interp.rs:52)"
        );
        let op = LogOp {
            text: "guard_true(i1)".to_owned(),
            guard: Some("g0".to_owned()),
            detail: vec!["-> [p0]".to_owned()],
            ..LogOp::default()
        };
        assert_eq!(LogRow::Op(op).to_string(), "guard_true(i1) g0\n  -> [p0]");
    }
}
