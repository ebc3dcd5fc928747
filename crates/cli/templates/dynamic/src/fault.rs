//! Errors of programs. In: what went wrong. Out: an object with a message, which calls hand on to
//! their callers. Invariant: the innermost function of the program that it comes out of gives it
//! its line.
//!
//! All functions here are `#[opaque]`: compiled code calls them, and the JIT does not look into
//! them. So they may be any Rust, and errors, which are rare, make no compiled code large.

// IN objects
use crate::object::Class;
// OUT
use crate::opcode::Binary;
use crate::value::{Closure, Function, Value, kind};
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

// IN objects
// ELSE /// A call with too few or too many arguments.
/// A field that a value does not have.
// OUT
#[opaque]
// IN objects
// ELSE pub fn arguments(closure: Gc<Closure>, count: usize) -> Gc<Fault> {
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

/// A call with arguments of a class that has no `init`.
#[opaque]
pub fn no_init(class: Gc<Class>) -> Gc<Fault> {
    fault(&format!(
        "`{}` has no `init` that takes arguments",
        class.name.as_str()
    ))
}

/// A call with too few or too many arguments. An object is not counted.
#[opaque]
pub fn arguments(closure: Gc<Closure>, count: usize, own: usize) -> Gc<Fault> {
// OUT
    let function = closure.function;
    // IN objects
    // ELSE let (name, params) = (function.name.as_str(), function.params);
    let (name, params) = (function.name.as_str(), function.params - own);
    // OUT
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
