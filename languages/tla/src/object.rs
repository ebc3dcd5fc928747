//! The heap types: values, stacks, the code. The classes that the interpreter
//! works on. Invariant: every value is one [`Obj`], integers too are boxed, as in the paper; what a
//! program cannot change is a plain field, so that the JIT reads it when it compiles.

use verdigris::{Str, prelude::*};

/// An integer.
#[gc]
pub struct IntObj {
    /// Its value; arithmetic wraps at 64 bits.
    pub value: i64,
}

/// A string.
#[gc]
pub struct StrObj {
    /// Its text.
    pub text: Gc<Str>,
}

/// A value.
#[object(Obj)]
#[derive(Clone, Copy)]
pub enum ObjKind {
    /// An integer.
    Int(Gc<IntObj>),
    /// A string.
    Str(Gc<StrObj>),
}

/// The data of a call: its arguments, and what it computes above them.
pub type Stack = GcArray<Register<Obj>>;

/// A function.
#[gc]
pub struct Function {
    /// The pc of its first instruction.
    pub start: usize,
    /// How many arguments it takes.
    pub params: usize,
    /// How many values its stack holds at most.
    pub slots: usize,
}

/// A program in memory.
#[gc]
pub struct Code {
    /// The instructions, and for each its operand and how many values are on the stack before it.
    pub ops: GcArray<u8>,
    /// The operands.
    pub operands: GcArray<i64>,
    /// The heights.
    pub heights: GcArray<usize>,
    /// The functions; the first one is the program.
    pub functions: GcArray<Gc<Function>>,
    /// The strings of the text.
    pub strings: GcArray<Gc<Str>>,
    /// The value of free places of a stack.
    pub nothing: Obj,
    /// How many calls can be within each other.
    pub max_depth: i64,
    /// The file that it comes from, for people.
    pub file: Gc<Str>,
    /// The line of each instruction.
    pub lines: GcArray<u32>,
    /// The names of the functions.
    pub names: GcArray<Gc<Str>>,
}

/// Where an instruction comes from.
pub fn location(pc: usize, code: Gc<Code>) -> Location {
    let functions = code.functions.as_slice();
    let behind = functions.partition_point(|function| function.start <= pc);
    let location = Location::new().file(code.file.as_str());
    let location = location.line(code.lines[pc]);
    match behind.checked_sub(1) {
        Some(n) => location.function(code.names[n].as_str()),
        None => location,
    }
}

/// A new integer.
#[inline(always)]
pub fn int(value: i64) -> Obj {
    Obj::from(Gc::new(IntObj { value }))
}

/// A new string.
#[inline(always)]
pub fn string(text: Gc<Str>) -> Obj {
    Obj::from(Gc::new(StrObj { text }))
}

/// A value as the user reads it.
pub fn show(value: Obj) -> String {
    match value.kind() {
        ObjKind::Int(int) => int.value.to_string(),
        ObjKind::Str(string) => string.text.as_str().to_string(),
    }
}

/// The name of a type in messages.
pub fn type_name(value: Obj) -> &'static str {
    match value.kind() {
        ObjKind::Int(_) => "an integer",
        ObjKind::Str(_) => "a string",
    }
}
