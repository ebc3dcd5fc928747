//! The panics of traced code.

use crate::text::{TextError, Token, Tokens};
use serde::{Deserialize, Serialize};

/// Why traced code panics; the message is the one rustc's code would give.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum PanicKind {
    /// `panic!`, `unreachable!`, `assert!` with this text.
    Message(String),
    /// Arguments: index, length.
    IndexOutOfBounds,
    /// `attempt to divide by zero`
    DivisionByZero,
    /// `attempt to calculate the remainder with a divisor of zero`
    RemainderByZero,
    /// `attempt to divide with overflow`
    DivisionOverflow,
    /// `attempt to calculate the remainder with overflow`
    RemainderOverflow,
    /// `capacity overflow` for an array length that is negative or too large. Argument: the length.
    ArrayTooLong,
}

impl PanicKind {
    const NAMES: [(PanicKind, &'static str); 6] = [
        (PanicKind::IndexOutOfBounds, "index_out_of_bounds"),
        (PanicKind::DivisionByZero, "division_by_zero"),
        (PanicKind::RemainderByZero, "remainder_by_zero"),
        (PanicKind::DivisionOverflow, "division_overflow"),
        (PanicKind::RemainderOverflow, "remainder_overflow"),
        (PanicKind::ArrayTooLong, "array_too_long"),
    ];

    /// The text form: a name, or the message as a string.
    pub fn text(&self) -> String {
        let named = PanicKind::NAMES.iter().find(|n| n.0 == *self);
        match (named, self) {
            (Some((_, name)), _) => (*name).to_string(),
            (None, PanicKind::Message(text)) => format!("{text:?}"),
            (None, _) => unreachable!("every kind but messages has a name"),
        }
    }

    /// Reads what [`PanicKind::text`] writes.
    ///
    /// # Errors
    /// If something else is next.
    pub fn parse(tokens: &mut Tokens) -> Result<PanicKind, TextError> {
        if let Token::Str(text) = tokens.peek().clone() {
            tokens.bump();
            return Ok(PanicKind::Message(text));
        }
        let word = tokens.word("a kind of panic")?;
        match PanicKind::NAMES.iter().find(|n| n.1 == word) {
            Some((kind, _)) => Ok(kind.clone()),
            None => tokens.error(format!("`{word}` is no kind of panic")),
        }
    }

    /// The message as rustc's code gives it; `args` are the raw words of the arguments.
    pub fn message(&self, args: &[u64]) -> String {
        let text = match self {
            PanicKind::Message(text) => text,
            PanicKind::IndexOutOfBounds => {
                let (index, len) = (args[0], args[1]);
                return format!("index out of bounds: the len is {len} but the index is {index}");
            }
            PanicKind::DivisionByZero => "attempt to divide by zero",
            PanicKind::RemainderByZero => {
                "attempt to calculate the remainder with a divisor of zero"
            }
            PanicKind::DivisionOverflow => "attempt to divide with overflow",
            PanicKind::RemainderOverflow => "attempt to calculate the remainder with overflow",
            PanicKind::ArrayTooLong => "capacity overflow",
        };
        text.to_string()
    }

    /// How many arguments, all of type int, the message needs.
    pub fn arity(&self) -> usize {
        match self {
            PanicKind::IndexOutOfBounds => 2,
            PanicKind::ArrayTooLong => 1,
            _ => 0,
        }
    }
}
