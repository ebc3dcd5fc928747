//! Why a program does not go on. In: what an instruction met. Out: a value that says so, and its
//! text. Invariant: a trap is data, so that compiled code leaves a loop with it as with any other
//! result.

use crate::show;
use crate::value::Function;
use verdigris::prelude::*;

/// The reason why an instruction failed.
#[value]
#[derive(Clone, Copy, PartialEq)]
pub enum Trap {
    /// Operands of types that the instruction is not for.
    Type,
    /// A result beyond 64 bits.
    Overflow,
    DivideByZero,
    /// An index, and the length that it is outside of.
    Index(i64, usize),
    /// `pop` of an empty list.
    Empty,
    /// How many arguments a function takes, and how many it was given.
    Arguments(usize, usize),
    /// Too many calls within each other.
    Depth,
    /// Output that cannot be written; [`show::failure`] says why.
    Output,
}

/// A trap, and where.
#[value]
#[derive(Clone, Copy)]
pub struct Fault {
    pub trap: Trap,
    pub function: Gc<Function>,
    pub pc: usize,
}

impl Fault {
    /// The text for the user.
    pub fn text(self) -> String {
        let what = match self.trap {
            Trap::Type => "operands of the wrong type".to_owned(),
            Trap::Overflow => "integer overflow".to_owned(),
            Trap::DivideByZero => "division by zero".to_owned(),
            Trap::Index(index, len) => format!("index {index} of a list of {len}"),
            Trap::Empty => "`pop` of an empty list".to_owned(),
            Trap::Arguments(expected, found) => {
                format!("a function that takes {expected} arguments is given {found}")
            }
            Trap::Depth => "too many calls within each other".to_owned(),
            Trap::Output => format!("cannot write the output: {}", show::failure()),
        };
        format!(
            "{what}, in `{}` at {}",
            self.function.name.as_str(),
            self.pc
        )
    }
}
