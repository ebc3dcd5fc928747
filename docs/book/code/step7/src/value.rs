//! Values, and the classes of objects behind them. In: numbers and objects. Out: values. Invariant:
//! what a program cannot change is a plain field, so that it is a constant for compiled code where
//! the object is one; what changes is a `Cell`.

use crate::fault::{self, Fault};
use crate::native::Native;
use crate::opcode::{Binary, Capture, Op};
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
    Text(Gc<Str>),
    Native(Native),
    Function(Gc<Closure>),
    /// A variable that closures share. Only registers hold one; no program sees it.
    Shared(Gc<Variable>),
}
// ANCHOR_END: value

// ANCHOR: closure
/// A variable that closures share.
#[gc]
pub struct Variable {
    pub value: Cell<Value>,
}

/// The tag of what closures have captured.
pub struct InClosure;

/// What a closure has captured. `None` is what a new one holds.
pub type Captured = GcArray<Cell<Option<Gc<Variable>>>, InClosure>;

/// A function value.
#[gc]
pub struct Closure {
    pub function: Gc<Function>,
    pub captured: Captured,
}
// ANCHOR_END: closure

/// The tag of globals.
pub struct InProgram;

/// The globals.
pub type Globals = GcArray<Cell<Value>, InProgram>;

// ANCHOR: function
/// A function of the program.
#[gc]
pub struct Function {
    pub name: Gc<Str>,
    pub params: usize,
    /// How many registers a call needs.
    pub registers: usize,
    pub code: GcArray<Op>,
    /// The line of each instruction, 0 if it cannot fail.
    pub lines: GcArray<u32>,
    pub functions: GcArray<Gc<Function>>,
    pub globals: Globals,
    pub texts: GcArray<Gc<Str>>,
    pub captures: GcArray<Capture>,
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
        (_, Value::Text(x), Value::Text(y)) => match op {
            Binary::Add => Ok(Value::Text(x.concat(y))),
            Binary::Less => Ok(Value::Bool(x.compare(y) < 0)),
            Binary::LessEqual => Ok(Value::Bool(x.compare(y) <= 0)),
            Binary::Greater => Ok(Value::Bool(x.compare(y) > 0)),
            Binary::GreaterEqual => Ok(Value::Bool(x.compare(y) >= 0)),
            _ => Err(fault::binary(op, left, right)),
        },
        _ => Err(fault::binary(op, left, right)),
    }
}
// ANCHOR_END: others

/// Whether two values that are not both numbers are equal.
fn same(left: Value, right: Value) -> bool {
    match (left, right) {
        (Value::Nil, Value::Nil) => true,
        (Value::Bool(x), Value::Bool(y)) => x == y,
        (Value::Text(x), Value::Text(y)) => x.same(y),
        (Value::Native(x), Value::Native(y)) => x == y,
        (Value::Function(x), Value::Function(y)) => Gc::ptr_eq(x, y),
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
        Value::Text(_) => "a text",
        Value::Native(_) => "a native function",
        Value::Function(_) | Value::Shared(_) => "a function",
    }
}

/// How a value is printed.
pub fn show(value: Value) -> String {
    match value {
        Value::Nil => "nil".to_string(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Float(value) => format!("{value:?}"),
        Value::Text(text) => text.as_str().to_string(),
        Value::Native(native) => format!("<{}>", native.text()),
        Value::Function(closure) => format!("<{}>", closure.function.name.as_str()),
        Value::Shared(variable) => show(variable.value.get()),
    }
}
