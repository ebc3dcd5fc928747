//! Values, and the classes of objects behind them. In: numbers and objects. Out: values. Invariant:
//! what a program cannot change is a plain field, so that it is a constant for compiled code where
//! the object is one; what changes is a `Cell`.

use crate::fault::{self, Fault};
use crate::opcode::{Binary, Op};
use verdigris::{Str, prelude::*};

// ANCHOR: value
/// A value: a tag and a word, held by value everywhere.
#[value]
#[derive(Clone, Copy)]
pub enum Value {
    Nil,
    Bool(bool),
    Int(i64),
    Float(f64),
}
// ANCHOR_END: value

// ANCHOR: function
/// A function of the program.
#[gc]
pub struct Function {
    pub name: Gc<Str>,
    /// How many registers a call needs.
    pub registers: usize,
    pub code: GcArray<Op>,
    /// The line of each instruction, 0 if it cannot fail.
    pub lines: GcArray<u32>,
}
// ANCHOR_END: function

impl Value {
    /// Whether a condition with this value holds.
    pub fn truth(self) -> bool {
        !matches!(self, Value::Nil | Value::Bool(false))
    }
}

// ANCHOR: others
/// An operation on two values that are not both numbers.
///
/// # Errors
/// If it is not for these values.
pub fn others(op: Binary, left: Value, right: Value) -> Result<Value, Gc<Fault>> {
    match (op, left, right) {
        (Binary::Equal, _, _) => Ok(Value::Bool(same(left, right))),
        (Binary::NotEqual, _, _) => Ok(Value::Bool(!same(left, right))),
        _ => Err(fault::binary(op, left, right)),
    }
}
// ANCHOR_END: others

/// Whether two values that are not both numbers are equal.
fn same(left: Value, right: Value) -> bool {
    match (left, right) {
        (Value::Nil, Value::Nil) => true,
        (Value::Bool(x), Value::Bool(y)) => x == y,
        _ => false,
    }
}

/// What kind of value it is, for messages.
pub fn kind(value: Value) -> &'static str {
    match value {
        Value::Nil => "nil",
        Value::Bool(_) => "a boolean",
        Value::Int(_) => "an integer",
        Value::Float(_) => "a float",
    }
}

/// How a value is printed.
pub fn show(value: Value) -> String {
    match value {
        Value::Nil => "nil".to_string(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Float(value) => format!("{value:?}"),
    }
}
