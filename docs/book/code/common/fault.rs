//! Errors of programs. In: what went wrong. Out: an object with a message, which calls hand on to
//! their callers. Invariant: the innermost function of the program that it comes out of gives it
//! its line.
//!
//! All functions here are `#[opaque]`: compiled code calls them, and the JIT does not look into
//! them. So they may be any Rust, and errors, which are rare, make no compiled code large.

use crate::opcode::Binary;
use crate::value::{Value, kind};
use verdigris::{Str, prelude::*};

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
pub fn located(fault: Gc<Fault>, line: u32) -> Gc<Fault> {
    if fault.line.get() == 0 {
        fault.line.set(line);
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

// ANCHOR: opaque
/// A division by zero.
#[opaque]
pub fn division() -> Gc<Fault> {
    fault("division by zero")
}
// ANCHOR_END: opaque

/// A call of what is no function.
#[opaque]
pub fn not_callable(value: Value) -> Gc<Fault> {
    fault(&format!("{} cannot be called", kind(value)))
}

/// A field that a value does not have.
#[opaque]
pub fn no_field(value: Value, name: Gc<Str>) -> Gc<Fault> {
    fault(&format!("{} has no field `{}`", kind(value), name.as_str()))
}

/// A method that a value does not have.
#[opaque]
pub fn no_method(value: Value, name: Gc<Str>) -> Gc<Fault> {
    fault(&format!(
        "{} has no method `{}`",
        kind(value),
        name.as_str()
    ))
}

/// A call with too few or too many arguments.
#[opaque]
pub fn arguments(name: Gc<Str>, params: usize, count: usize) -> Gc<Fault> {
    let name = name.as_str();
    fault(&format!(
        "`{name}` takes {params} arguments, {count} were given"
    ))
}

/// An argument that a native function cannot take.
#[opaque]
pub fn not_for(name: Gc<Str>, value: Value) -> Gc<Fault> {
    fault(&format!("`{}` is not for {}", name.as_str(), kind(value)))
}

/// Too many calls within each other.
#[opaque]
pub fn too_deep() -> Gc<Fault> {
    fault("too many calls within each other")
}
