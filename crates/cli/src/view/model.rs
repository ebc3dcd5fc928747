//! What the page shows, as data. In: nothing; [`read`](super::read) and [`sources`](super::sources)
//! fill it. Out: JSON, whose short names the page's scripts know. Invariant: every index is of a
//! list in the same model; a row that nothing is known of is there all the same.

use serde::Serialize;

/// All that the page shows.
#[derive(Default, Serialize)]
pub struct Model {
    /// What was run.
    pub title: String,
    /// Source files: the guest program's, and the interpreter's.
    pub files: Vec<File>,
    /// The functions of the interpreter, in the order in which snapshots number them.
    pub functions: Vec<Function>,
    /// Places of the guest program.
    pub places: Vec<Place>,
    /// Calls of the interpreter within each other, outermost first: functions with instructions.
    pub stacks: Vec<Vec<(usize, u32)>>,
    /// The code, in the order in which it was made.
    pub pieces: Vec<Piece>,
}

/// A source file.
#[derive(Serialize)]
pub struct File {
    pub path: String,
    /// Whether it is the guest program's.
    pub guest: bool,
    /// Empty if it could not be read.
    pub lines: Vec<String>,
    /// Colours: for each coloured line its pieces.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<(usize, Vec<Mark>)>,
}

/// A coloured piece of a line.
#[derive(Serialize)]
pub struct Mark {
    /// Where it begins and ends, in UTF-16 units, as scripts count.
    pub range: (usize, usize),
    /// `g`, `r`, or `b` for both.
    pub shade: char,
    /// Why it is red.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub why: String,
}

/// A function of the interpreter.
#[derive(Serialize)]
pub struct Function {
    pub name: String,
    pub file: usize,
    /// Place, text and source line of its instructions.
    pub insns: Vec<(u32, String, usize)>,
}

/// A place of the guest program.
#[derive(Serialize)]
pub struct Place {
    /// As the log says it.
    pub text: String,
    pub file: Option<usize>,
    pub line: usize,
}

/// A piece of compiled code.
#[derive(Default, Serialize)]
pub struct Piece {
    pub number: u32,
    pub title: String,
    /// `loop`, `bridge`, `entry`, `version`, `instruction`.
    pub kind: String,
    /// The place in `pieces` of the code that a bridge continues, and its guard.
    pub from: Option<usize>,
    pub guard: Option<String>,
    pub place: Option<usize>,
    /// Whether the second compiler has made it.
    pub written: bool,
    pub figures: Figures,
    pub recorded: Vec<Row>,
    pub opt: Vec<Row>,
    pub code: Vec<Instruction>,
}

/// What was counted of a piece; none if the log does not say it.
#[derive(Default, Serialize)]
pub struct Figures {
    pub entries: Option<u64>,
    pub failures: Option<u64>,
    pub seconds: Option<f64>,
    pub bytes: Option<u64>,
    pub recorded: usize,
    pub opt: usize,
}

/// An operation, or what stands between operations.
#[derive(Default, Serialize)]
pub struct Row {
    pub text: String,
    /// What a guard carries.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub detail: Vec<String>,
    /// Its place in `places`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<usize>,
    /// Its place in `stacks`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stack: Option<usize>,
    /// The recorded row that it is what is left of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<usize>,
    /// The name of a guard.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guard: Option<String>,
    /// How often it has led out of compiled code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed: Option<u64>,
    /// Whether it is an operation.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub idle: bool,
}

/// A line of machine code.
#[derive(Serialize)]
pub struct Instruction {
    pub text: String,
    /// The optimised rows that it is made for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ops: Vec<usize>,
}
