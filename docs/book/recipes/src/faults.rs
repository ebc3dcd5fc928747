//! Recipe: exceptions. In: a function, an instruction, what went wrong. Out: where the function
//! catches it, if it does. Invariant: what goes wrong is a value that `?` hands on; nothing
//! unwinds.

use crate::program::{Function, Value};
use verdigris::prelude::*;

// ANCHOR: trap
/// What went wrong.
#[value]
#[derive(Clone, Copy)]
pub enum Trap {
    Type,
    Depth,
    Arguments,
    /// The guest program's own exception.
    Thrown(Value),
}

/// From `from` to before `until` exceptions are caught: `target` goes on, with the exception in the
/// register `to`.
#[value]
#[derive(Clone, Copy, Debug)]
pub struct Handler {
    pub from: usize,
    pub until: usize,
    pub target: usize,
    pub to: usize,
}

/// The handler of an instruction; the number of handlers if there is none. `#[elidable]`: the table
/// never changes.
#[elidable]
pub fn handler(function: Gc<Function>, pc: usize) -> usize {
    let handlers = function.handlers;
    for n in 0..handlers.len() {
        if handlers[n].from <= pc && pc < handlers[n].until {
            return n;
        }
    }
    handlers.len()
}

/// What a handler is given.
pub fn caught(trap: Trap) -> Value {
    match trap {
        Trap::Thrown(value) => value,
        Trap::Type => Value::Int(-1),
        Trap::Depth => Value::Int(-2),
        Trap::Arguments => Value::Int(-3),
    }
}
// ANCHOR_END: trap
