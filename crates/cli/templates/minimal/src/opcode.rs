//! The bytecode. Invariant: what an instruction says never changes, so the JIT reads it when it
//! compiles, and nothing is left of it in compiled code.

use verdigris::prelude::*;

/// What is computed of two integers.
///
/// `#[value]` lets a type that is held by value be on the VM's heap, here in instructions.
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
    Equal,
    NotEqual,
}

impl Binary {
    /// Whether the result is a truth value.
    pub fn is_comparison(self) -> bool {
        use Binary::{Equal, Less, LessEqual, NotEqual};
        matches!(self, Less | LessEqual | Equal | NotEqual)
    }
}

/// An instruction. What it works on are numbers of registers; where it leads is the number of an
/// instruction.
#[value]
#[derive(Clone, Copy, Debug)]
pub enum Op {
    Int {
        to: usize,
        value: i64,
    },
    Move {
        to: usize,
        from: usize,
    },
    Binary {
        op: Binary,
        to: usize,
        left: usize,
        right: usize,
    },
    Print {
        from: usize,
    },
    Jump {
        target: usize,
    },
    /// A jump backwards: the only one, so that only here the JIT is asked whether there is compiled
    /// code.
    Loop {
        target: usize,
    },
    /// Jumps unless a comparison holds. One instruction for both, so that the result needs no
    /// register.
    JumpUnless {
        op: Binary,
        left: usize,
        right: usize,
        target: usize,
    },
    End,
}
