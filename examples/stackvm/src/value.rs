//! The values of the language, and programs in memory. An enum that is held by
//! value everywhere: in variables, on the operand stack, in lists. Invariant: a function's code
//! never changes, so in a trace its instructions are constants.

use verdigris::{List, Str, prelude::*};

/// A value of the language.
#[value]
#[derive(Clone, Copy, PartialEq)]
pub enum Value {
    Nil,
    Bool(bool),
    Int(i64),
    Float(f64),
    Str(Gc<Str>),
    List(Gc<List<Value>>),
    Fn(Gc<Function>),
}

/// The numbers of the instructions. The operand of each is in the comment.
pub mod op {
    /// Pushes an integer, a float, a string of the function: its number.
    pub const INT: u8 = 0;
    pub const FLOAT: u8 = 1;
    pub const STRING: u8 = 2;
    pub const NIL: u8 = 3;
    /// Pushes a boolean: 0 or 1.
    pub const BOOL: u8 = 4;
    /// Pushes a function of the program: its number.
    pub const FUNCTION: u8 = 5;
    /// Pushes a local: its number.
    pub const GET: u8 = 6;
    /// Pops into a local: its number.
    pub const SET: u8 = 7;
    pub const DUP: u8 = 8;
    pub const DROP: u8 = 9;
    /// The opposite of a truth value.
    pub const NOT: u8 = 10;
    /// Goes to a place in the code.
    pub const JUMP: u8 = 11;
    /// Pops; goes to a place in the code if that is nil or false.
    pub const UNLESS: u8 = 12;
    /// Pops this many arguments and the function under them.
    pub const CALL: u8 = 13;
    /// Returns what is on top.
    pub const RETURN: u8 = 14;
    /// Pops this many items, pushes the list of them.
    pub const LIST: u8 = 15;
    /// list, index: pushes the item.
    pub const AT: u8 = 16;
    /// list, index, value: replaces the item.
    pub const PUT: u8 = 17;
    /// list, value: adds it at the end.
    pub const APPEND: u8 = 18;
    /// list: takes its last item.
    pub const POP: u8 = 19;
    /// The length of a list or string.
    pub const LEN: u8 = 20;
    pub const PRINT: u8 = 21;
    // From here on: pop two, push the result.
    pub const ADD: u8 = 22;
    pub const SUB: u8 = 23;
    pub const MUL: u8 = 24;
    pub const DIV: u8 = 25;
    pub const REM: u8 = 26;
    pub const EQUAL: u8 = 27;
    pub const LESS: u8 = 28;
    pub const LESS_EQUAL: u8 = 29;

    /// Packs an instruction: one load, and nothing of it is left in a trace.
    pub fn pack(code: u8, operand: usize) -> u64 {
        u64::from(code) | (operand as u64) << 8
    }

    /// The action of an instruction.
    #[inline(always)]
    pub fn code(word: u64) -> u8 {
        word as u8
    }

    /// Its operand.
    #[inline(always)]
    pub fn operand(word: u64) -> usize {
        (word >> 8) as usize
    }
}

/// A program in memory; its first function is where it begins.
#[gc]
pub struct Program {
    pub functions: GcArray<Gc<Function>>,
}

/// A function of the program.
#[gc]
pub struct Function {
    pub name: Gc<Str>,
    /// How many arguments it takes.
    pub params: usize,
    /// How many locals it has, the arguments included; the operands lie behind them.
    pub locals: usize,
    /// How many slots a frame needs.
    pub slots: usize,
    /// The instructions, each packed in a word with its operand.
    pub code: GcArray<u64>,
    /// The constants, which do not change either.
    pub ints: GcArray<i64>,
    pub floats: GcArray<f64>,
    pub strings: GcArray<Gc<Str>>,
    /// The line of each instruction, for people.
    pub lines: GcArray<u32>,
}
