//! Traps, which stop an instruction: data, so that compiled code leaves a loop with it as with any
//! other result.

use crate::object::Obj;
use verdigris::prelude::*;

/// The reason why an instruction failed.
#[value]
#[derive(Clone, Copy)]
pub enum Trap {
    /// A value that it is not defined for.
    Operand(Obj),
    /// Two values that it is not defined for (left one first).
    Operands(Obj, Obj),
    /// A method, and what it is sent to, which has none.
    Receiver(i64, Obj),
    /// How many values it takes from the stack, and how many there are.
    Underflow(usize, usize),
    /// An operand that it cannot have.
    Corrupt(i64),
    /// A branch or call to a place outside the code.
    Jump(i64),
    /// A divisor of zero.
    DivisionByZero,
    /// An attribute that the object does not have.
    Attribute(i64),
    /// A method that the object does not have.
    Method(i64),
    /// The number of an argument, and how many the frame has.
    Argument(i64, usize),
    /// An item behind the end of a list, or before its start.
    ListIndex(i64),
    /// The end of the code where an instruction or an operand should be.
    CutOff,
    /// A byte that is no opcode, or `INVALID`.
    Opcode(u8),
    /// As many frames as there may be.
    Recursion(i64),
    /// Output that cannot be written; [`crate::output::failure`] says why.
    Output,
}
