//! Values, instructions and programs in memory. In: instructions as words. Out: the types that
//! everything works on. Invariant: a program does not change, and an instruction is one word, so
//! that in a trace nothing is left of either.
//!
//! These files are a part of each of the five interpreters: a translated crate has one portal, and
//! its classes are its own.

use crate::frame::{Room, Slots};
use verdigris::prelude::*;

/// A value.
#[value]
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Value {
    Nil,
    Int(i64),
    Float(f64),
    Fn(Gc<Function>),
}

/// Why a program does not go on.
#[value]
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Fault {
    /// An operation does not take such a value.
    Type,
    /// A function takes another number of arguments.
    Arguments,
    /// Too many calls are within each other.
    Depth,
}

/// A function.
#[gc]
pub struct Function {
    /// How many arguments it takes: its first registers.
    pub params: usize,
    /// How many registers it has.
    pub registers: usize,
    pub code: GcArray<u64>,
    /// Registers that calls have left for the next ones, where an interpreter keeps them.
    pub spare: Cell<Option<Gc<Spare>>>,
}

/// Registers that wait for a call.
#[gc]
pub struct Spare {
    pub registers: Slots,
    pub next: Cell<Option<Gc<Spare>>>,
}

/// A program; its first function is where it begins.
#[gc]
pub struct Program {
    pub functions: GcArray<Gc<Function>>,
    /// How many calls can be within each other.
    pub max_depth: usize,
    /// The data that all frames share.
    pub room: Gc<Room>,
}

/// The instructions. `R` are the registers; the goal of a jump is a place in the code.
pub mod op {
    /// R[a] = c, an integer.
    pub const INT: u8 = 0;
    /// R[a] = c, as a float.
    pub const FLOAT: u8 = 1;
    /// R[a] = functions[c].
    pub const FN: u8 = 2;
    /// R[a] = R[b].
    pub const MOVE: u8 = 3;
    /// R[a] = R[b] + R[c].
    pub const ADD: u8 = 4;
    /// R[a] = R[b] - R[c].
    pub const SUB: u8 = 5;
    /// Goes to c if R[a] < R[b].
    pub const LESS: u8 = 6;
    /// Goes to c.
    pub const JUMP: u8 = 7;
    /// R[a] = R[b](R[b + 1], .. R[b + c]).
    pub const CALL: u8 = 8;
    /// R[a] = native(R[b]).
    pub const NATIVE: u8 = 9;
    /// Returns R[a].
    pub const RETURN: u8 = 10;

    /// Packs an instruction.
    pub fn pack(code: u8, a: usize, b: usize, c: i32) -> u64 {
        let (a, b) = (a as u64 & 0xff, b as u64 & 0xffff);
        u64::from(code) | a << 8 | b << 16 | u64::from(c as u32) << 32
    }

    /// The action of an instruction.
    #[inline(always)]
    pub fn code(word: u64) -> u8 {
        word as u8
    }

    #[inline(always)]
    pub fn a(word: u64) -> usize {
        ((word >> 8) & 0xff) as usize
    }

    #[inline(always)]
    pub fn b(word: u64) -> usize {
        ((word >> 16) & 0xffff) as usize
    }

    #[inline(always)]
    pub fn c(word: u64) -> usize {
        (word >> 32) as usize
    }

    /// `c` as a number with a sign.
    #[inline(always)]
    pub fn int(word: u64) -> i64 {
        (word as i64) >> 32
    }
}
