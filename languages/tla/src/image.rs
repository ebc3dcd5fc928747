//! A program as the assembler leaves it: Rust data. The types. Invariant: what an
//! [`Image`] holds has been verified, so that the interpreter checks none of it: every jump leads
//! to an instruction of its function, every function and string exists, and each place has one
//! height of the stack on all ways to it.

/// An instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Instruction {
    /// Its number.
    pub op: u8,
    /// Its operand, or 0.
    pub operand: i64,
}

/// A function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// The line of its head.
    pub line: usize,
    /// The pc of its first instruction.
    pub start: usize,
    /// The pc behind its last one.
    pub end: usize,
    /// How many arguments it takes.
    pub params: usize,
    /// How many values its stack holds at most.
    pub slots: usize,
}

/// A program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Image {
    /// The name of its file, for messages.
    pub file: String,
    /// The functions; the first one is the program.
    pub functions: Vec<Function>,
    /// The instructions of all functions.
    pub code: Vec<Instruction>,
    /// The line of each.
    pub lines: Vec<usize>,
    /// How many values are on the stack before each; 0 where control never comes.
    pub heights: Vec<usize>,
    /// The strings.
    pub strings: Vec<String>,
}
