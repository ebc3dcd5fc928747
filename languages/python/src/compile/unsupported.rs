//! What of Python the compiler refuses. In: a construct, and where it is. Out: an error that names
//! it. Invariant: this is all of it; the README of this language shows the table.

use crate::bytecode::source::SyntaxError;
use ruff_text_size::TextRange;

/// The constructs that are refused.
pub const REFUSED: [&str; 3] = [
    "'from module import *' in a class",
    "characters that are half of a surrogate pair",
    "a call of 'super()' outside of a method",
];

/// The error about a construct at a place.
pub fn at(what: &str, range: TextRange) -> SyntaxError {
    let text = format!("{what} are not supported yet");
    let text = match what.starts_with("a ") || what.starts_with("'") && !what.ends_with('s') {
        true => format!("{what} is not supported yet"),
        false => text,
    };
    SyntaxError {
        kind: "NotImplementedError",
        message: text,
        start: range.start().to_usize(),
        end: range.end().to_usize(),
    }
}

/// The error about one of [`REFUSED`].
pub fn refused(index: usize, range: TextRange) -> SyntaxError {
    at(REFUSED[index], range)
}

/// `from m import *` in the body of a class
pub const IMPORT_STAR: usize = 0;
/// `"\ud800"`
pub const SURROGATE: usize = 1;
/// `super()` in a function without parameters, or outside of a class
pub const SUPER: usize = 2;
