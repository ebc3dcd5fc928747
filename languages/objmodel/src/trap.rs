//! Traps, which stop an instruction: data, so that compiled code leaves a loop with it as with any
//! other result.

use crate::object::{Function, Obj};
use verdigris::prelude::*;

/// The reason why an instruction failed.
#[value]
#[derive(Clone, Copy)]
pub enum Trap {
    /// A value that it is not defined for.
    Operand(Obj),
    /// Two values that it is not defined for (left one first).
    Operands(Obj, Obj),
    /// A divisor of zero.
    DivisionByZero,
    /// An object that lacks an attribute, as its class does, and the number of the attribute's
    /// name.
    Attribute(Obj, i64),
    /// A value that has no attributes at all, and the number of a name.
    NoAttributes(Obj, i64),
    /// Something that is called and is no function.
    NoFunction(Obj),
    /// Something that is to have an instance and is no class.
    NoClass(Obj),
    /// A call with a wrong number of arguments.
    Arity(Gc<Function>, usize),
    /// As many frames as there may be.
    Recursion(i64),
    /// Output that cannot be written; [`crate::output::failure`] says why.
    Output,
}
