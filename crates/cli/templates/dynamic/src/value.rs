//! Values, and the classes of objects behind them. Invariant: what a program cannot change is a
//! plain field, so that it is a constant for compiled code where the object is one; what changes is
//! a `Cell`.

// IN objects
use crate::object::{Instance, Shape};
// OUT
use crate::opcode::{Capture, Op};
use verdigris::{Str, prelude::*};

/// A value: a tag and a word, held by value everywhere. So a number is no object, and compiled code
/// that knows the tag has the number in a machine register.
#[value]
#[derive(Clone, Copy)]
pub enum Value {
    Nil,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(Gc<Str>),
    Function(Gc<Closure>),
    // IN objects
    /// A class is the shape of its new instances.
    Class(Gc<Shape>),
    Instance(Gc<Instance>),
    // OUT
    /// A variable that closures share. Only registers hold one; no program sees it.
    Shared(Gc<Variable>),
}

/// A variable that closures share.
#[gc]
pub struct Variable {
    pub value: Cell<Value>,
}

/// The tag of what closures have captured.
pub struct InClosure;

/// What a closure has captured. The type is that of no other array, so writes to others do not
/// change it, as the JIT sees it. `None` is what a new one holds.
pub type Captured = GcArray<Cell<Option<Gc<Variable>>>, InClosure>;

/// A function value.
#[gc]
pub struct Closure {
    pub function: Gc<Function>,
    pub captured: Captured,
}

/// A function of the program.
#[gc]
pub struct Function {
    /// The file that it is in, for what is said of compiled code.
    pub file: Gc<Str>,
    pub name: Gc<Str>,
    pub params: usize,
    /// How many registers a call needs.
    pub registers: usize,
    pub code: GcArray<Op>,
    /// The line of each instruction, 0 if it cannot fail.
    pub lines: GcArray<u32>,
    pub texts: GcArray<Gc<Str>>,
    pub functions: GcArray<Gc<Function>>,
    pub captures: GcArray<Capture>,
    // IN objects
    pub classes: GcArray<Gc<ClassInfo>>,
    /// The names of fields and methods of the program; instructions have their numbers.
    pub names: GcArray<Gc<Str>>,
}

/// A class in the text of the program.
#[gc]
pub struct ClassInfo {
    pub name: Gc<Str>,
    /// The names of its methods.
    pub methods: GcArray<usize>,
    // OUT
}

impl Value {
    /// Whether a condition with this value holds.
    pub fn truth(self) -> bool {
        !matches!(self, Value::Nil | Value::Bool(false))
    }
}

/// Whether two values that are not both numbers are equal.
pub fn same(left: Value, right: Value) -> bool {
    match (left, right) {
        (Value::Nil, Value::Nil) => true,
        (Value::Bool(x), Value::Bool(y)) => x == y,
        (Value::Text(x), Value::Text(y)) => x.same(y),
        (Value::Function(x), Value::Function(y)) => Gc::ptr_eq(x, y),
        // IN objects
        (Value::Class(x), Value::Class(y)) => Gc::ptr_eq(x, y),
        (Value::Instance(x), Value::Instance(y)) => Gc::ptr_eq(x, y),
        // OUT
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
        Value::Function(_) | Value::Shared(_) => "a function",
        // IN objects
        Value::Class(_) => "a class",
        Value::Instance(_) => "an object",
        // OUT
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
        Value::Function(closure) => format!("<{}>", closure.function.name.as_str()),
        // IN objects
        Value::Class(shape) => format!("<class {}>", shape.class.name.as_str()),
        Value::Instance(instance) => format!("<{}>", instance.shape.get().class.name.as_str()),
        // OUT
        Value::Shared(variable) => show(variable.value.get()),
    }
}
