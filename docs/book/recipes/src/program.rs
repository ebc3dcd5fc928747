//! Values, and programs in memory. Types. Invariant: what a program cannot change
//! is a plain field, so it is a constant for compiled code where the object is one.

use crate::closures::Closure;
use crate::faults::Handler;
use crate::generators::Generator;
use crate::shapes::{Object, Shape};
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
    Object(Gc<Object>),
    Closure(Gc<Closure>),
    Generator(Gc<Generator>),
}
// ANCHOR_END: value

impl Value {
    /// Whether a condition with this value holds.
    pub fn truth(self) -> bool {
        !matches!(self, Value::Nil | Value::Bool(false))
    }
}

// ANCHOR: op
/// An instruction. `to`, `a`, `b`, `from` and `first` are numbers of registers; `name` is that of a
/// field.
#[value]
#[rustfmt::skip]
#[derive(Clone, Copy, Debug)]
pub enum Op {
    Int { to: usize, value: i64 },
    Float { to: usize, value: f64 },
    Text { to: usize, index: usize },
    Move { to: usize, from: usize },
    /// The number of a text among those of the program, or -1.
    Name { to: usize, from: usize },
    Add { to: usize, a: usize, b: usize },
    Sub { to: usize, a: usize, b: usize },
    Less { to: usize, a: usize, b: usize },
    Same { to: usize, a: usize, b: usize },
    New { to: usize },
    Get { to: usize, object: usize, name: usize },
    Set { object: usize, name: usize, from: usize },
    Lookup { to: usize, object: usize, name: usize },
    /// A closure of a function, with the value of one register in it.
    Close { to: usize, function: usize, from: usize },
    /// What the closure has captured.
    Captured { to: usize },
    /// Calls what is in `first`, with the `count` values behind it.
    Call { to: usize, first: usize, count: usize },
    /// A generator of what is in `first`, with the `count` values behind it.
    Generate { to: usize, first: usize, count: usize },
    /// Runs a generator to its next `Yield`; nil if it has ended.
    Resume { to: usize, from: usize },
    Yield { from: usize },
    Throw { from: usize },
    /// Calls a function of the host.
    Host { to: usize, index: usize, from: usize },
    Jump { target: usize },
    /// A jump backwards.
    Loop { target: usize },
    Unless { condition: usize, target: usize },
    Return { from: usize },
}
// ANCHOR_END: op

/// A function.
#[gc]
pub struct Function {
    pub name: Gc<Str>,
    pub params: usize,
    pub registers: usize,
    pub code: GcArray<Op>,
    pub handlers: GcArray<Handler>,
}

/// A program.
#[gc]
pub struct Program {
    pub functions: GcArray<Gc<Function>>,
    pub texts: GcArray<Gc<Str>>,
    /// The shape of an object without fields.
    pub empty: Gc<Shape>,
}
