//! The bytecode. Invariant: what an instruction says never changes, so the JIT reads it when it
//! compiles, and nothing is left of it in compiled code.

use verdigris::prelude::*;

/// What is computed of one value.
///
/// `#[value]` lets a type that is held by value be on the VM's heap, here in instructions.
#[value]
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Unary {
    Neg,
    Not,
}

/// What is computed of two values.
#[value]
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
}

impl Binary {
    /// How it is written, for messages.
    pub fn symbol(self) -> &'static str {
        match self {
            Binary::Add => "+",
            Binary::Sub => "-",
            Binary::Mul => "*",
            Binary::Div => "/",
            Binary::Rem => "%",
            Binary::Less => "<",
            Binary::LessEqual => "<=",
            Binary::Greater => ">",
            Binary::GreaterEqual => ">=",
            Binary::Equal => "==",
            Binary::NotEqual => "!=",
        }
    }
}

/// An instruction. `to`, `from` and their like are numbers of registers, a `target` is the number
// IN objects
// ELSE /// of an instruction, an `index` that of an item of the function.
/// of an instruction, an `index` that of an item of the function, a `name` that of a field or
/// method.
// OUT
#[value]
#[rustfmt::skip]
#[derive(Clone, Copy, Debug)]
pub enum Op {
    Nil { to: usize },
    Bool { to: usize, value: bool },
    Int { to: usize, value: i64 },
    Float { to: usize, value: f64 },
    Text { to: usize, index: usize },
    Move { to: usize, from: usize },
    /// Moves the value of a register to a variable that closures share, and puts that into the
    /// register.
    Share { register: usize },
    GetShared { to: usize, from: usize },
    SetShared { to: usize, from: usize },
    /// A variable of a function around this one.
    GetCaptured { to: usize, index: usize },
    SetCaptured { index: usize, from: usize },
    Closure { to: usize, index: usize },
    // IN book
    /// A function or class of the outermost level, by its number.
    GetGlobal { to: usize, index: usize },
    SetGlobal { index: usize, from: usize },
    // OUT
    Unary { op: Unary, to: usize, from: usize },
    Binary { op: Binary, to: usize, left: usize, right: usize },
    /// Calls what is in the register `first`, with the arguments in the registers behind it.
    Call { to: usize, first: usize, count: usize },
    // IN objects
    GetField { to: usize, object: usize, name: usize },
    SetField { object: usize, name: usize, from: usize },
    /// Calls a method of what is in the register `first`, with the arguments in the registers
    /// behind it.
    Send { to: usize, first: usize, count: usize, name: usize },
    /// Makes a class; its methods are in the registers from `first` on.
    Class { to: usize, index: usize, first: usize },
    // OUT
    Return { from: usize },
    Print { from: usize },
    Jump { target: usize },
    /// A jump backwards: the only one, so that only here the JIT is asked whether there is compiled
    /// code.
    Loop { target: usize },
    JumpIf { condition: usize, target: usize },
    JumpUnless { condition: usize, target: usize },
}

/// Where a closure finds a variable when it is made.
#[value]
#[derive(Clone, Copy, Debug)]
pub enum Capture {
    /// In a register of the function that makes it.
    Register(usize),
    /// Among what that function has captured itself.
    Captured(usize),
}
