//! Tokens, and errors with their lines.

use std::fmt;

/// A lexical unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Token {
    /// A name or keyword: `int_add`, `interp::step`, `GcArray<Cell<Obj>>`, or anything in
    /// backticks.
    Word(String),
    /// An integer.
    Int(i64),
    /// The bits of a double: `1.5`, `-0.0`, or `0f` and sixteen hexadecimal digits.
    Float(u64),
    /// A string in double quotes.
    Str(String),
    /// Any other single character.
    Punct(char),
    /// The end of a line that has tokens.
    Newline,
    /// The end of the text.
    End,
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Word(w) => write!(f, "`{w}`"),
            Token::Int(v) => write!(f, "`{v}`"),
            Token::Float(bits) => write!(f, "`{}`", float(*bits)),
            Token::Str(s) => write!(f, "{s:?}"),
            Token::Punct(c) => write!(f, "`{c}`"),
            Token::Newline => f.write_str("the end of the line"),
            Token::End => f.write_str("the end of the text"),
        }
    }
}

/// An error in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextError {
    /// The line, from 1.
    pub line: u32,
    /// The message.
    pub message: String,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for TextError {}

/// Writes a double so that its bits can be read back.
pub fn float(bits: u64) -> String {
    let value = f64::from_bits(bits);
    if value.is_finite() {
        format!("{value:?}")
    } else {
        format!("0f{bits:016x}")
    }
}
