//! The page's content as data, with the short names that its scripts know. Every index refers to a
//! list of the same model.

use serde::Serialize;
use verdigris_explain::CodeKind;

/// The page's content.
#[derive(Default, Serialize)]
pub struct ViewModel {
    /// The program or log.
    pub title: String,
    /// Source files: the guest program's, and the interpreter's.
    pub files: Vec<ViewFile>,
    /// The functions of the interpreter, in the order in which snapshots number them.
    pub functions: Vec<ViewFunction>,
    /// Places of the guest program.
    pub places: Vec<GuestPlace>,
    /// Stacks of the interpreter, outermost first: functions with instructions.
    pub stacks: Vec<Vec<(usize, u32)>>,
    /// The code, in the order in which it was made.
    pub pieces: Vec<ViewTrace>,
}

/// A source file.
#[derive(Serialize)]
pub struct ViewFile {
    pub path: String,
    /// Whether it belongs to the guest program.
    pub guest: bool,
    /// Empty if it could not be read.
    pub lines: Vec<String>,
    /// The coloured parts of each coloured line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<(usize, Vec<ColourMark>)>,
}

/// A coloured part of a line.
#[derive(Serialize)]
pub struct ColourMark {
    /// Its range in UTF-16 units, as scripts count.
    pub range: (usize, usize),
    /// `g`, `r`, or `b` for both.
    pub shade: char,
    /// Why it is red.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub why: String,
}

/// A function of the interpreter.
#[derive(Serialize)]
pub struct ViewFunction {
    pub name: String,
    pub file: usize,
    /// Number, text and source line of its instructions.
    pub insns: Vec<(u32, String, usize)>,
}

/// A place of the guest program.
#[derive(Serialize)]
pub struct GuestPlace {
    /// The text in the log.
    pub text: String,
    pub file: Option<usize>,
    pub line: usize,
}

/// A compiled trace.
#[derive(Default, Serialize)]
pub struct ViewTrace {
    pub number: u32,
    pub title: String,
    /// The reason that it was compiled for.
    pub kind: CodeKind,
    /// The index in `pieces` of the trace that a bridge continues, and its guard.
    pub from: Option<usize>,
    pub guard: Option<String>,
    pub place: Option<usize>,
    /// Whether the second compiler made it.
    pub written: bool,
    pub figures: TraceFigures,
    pub recorded: Vec<TraceRow>,
    pub opt: Vec<TraceRow>,
    pub code: Vec<CodeLine>,
}

/// Counts of a trace; none if the log lacks them.
#[derive(Default, Serialize)]
pub struct TraceFigures {
    pub entries: Option<u64>,
    pub failures: Option<u64>,
    pub seconds: Option<f64>,
    pub bytes: Option<u64>,
    pub recorded: usize,
    pub opt: usize,
}

/// An operation, or a line between operations.
#[derive(Default, Serialize)]
pub struct TraceRow {
    pub text: String,
    /// What a guard restores.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub detail: Vec<String>,
    /// Its index in `places`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<usize>,
    /// Its index in `stacks`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stack: Option<usize>,
    /// The recorded row that it comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<usize>,
    /// The name of a guard.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guard: Option<String>,
    /// Its failures without a bridge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed: Option<u64>,
    /// Whether it is no operation.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub idle: bool,
}

/// A line of machine code.
#[derive(Serialize)]
pub struct CodeLine {
    pub text: String,
    /// The optimised rows that it implements.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ops: Vec<usize>,
}
