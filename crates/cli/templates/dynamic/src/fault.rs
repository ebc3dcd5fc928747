//! Errors of programs. In: what went wrong. Out: an object with a message, which calls hand on to
//! their callers. Invariant: the innermost function of the program that it comes out of gives it
//! its line.
//!
//! All functions here are `#[opaque]`: compiled code calls them, and the JIT does not look into
//! them. So they may be any Rust, and errors, which are rare, make no compiled code large.

use crate::opcode::Binary;
use crate::value::{Closure, Function, Value, kind};
use verdigris::prelude::*;

/// What a program died of.
#[gc]
pub struct Fault {
    pub message: Gc<Str>,
    /// 0 as long as it is not known.
    pub line: Cell<u32>,
}

fn fault(message: &str) -> Gc<Fault> {
    Gc::new(Fault {
        message: Str::new(message),
        line: Cell::new(0),
    })
}

/// A fault comes out of an instruction.
#[opaque]
pub fn located(fault: Gc<Fault>, function: Gc<Function>, pc: usize) -> Gc<Fault> {
    if fault.line.get() == 0 {
        fault.line.set(function.lines[pc]);
    }
    fault
}

/// A `-` in front of what is no number.
#[opaque]
pub fn negation(value: Value) -> Gc<Fault> {
    fault(&format!("`-` is not for {}", kind(value)))
}

/// An operation that is not for these values.
#[opaque]
pub fn binary(op: Binary, left: Value, right: Value) -> Gc<Fault> {
    let (left, right) = (kind(left), kind(right));
    fault(&format!("`{}` is not for {left} and {right}", op.symbol()))
}

/// A division by zero.
#[opaque]
pub fn division() -> Gc<Fault> {
    fault("division by zero")
}

/// A call of what is no function.
#[opaque]
pub fn not_callable(value: Value) -> Gc<Fault> {
    fault(&format!("{} cannot be called", kind(value)))
}

/// A call with too few or too many arguments.
#[opaque]
pub fn arguments(closure: Gc<Closure>, count: usize) -> Gc<Fault> {
    let function = closure.function;
    let (name, params) = (function.name.as_str(), function.params);
    fault(&format!(
        "`{name}` takes {params} arguments, {count} were given"
    ))
}

/// Too many calls within each other.
#[opaque]
pub fn too_deep() -> Gc<Fault> {
    fault("too many calls within each other")
}

/// The output cannot be written.
#[opaque]
pub fn output() -> Gc<Fault> {
    fault("cannot write the output")
}
