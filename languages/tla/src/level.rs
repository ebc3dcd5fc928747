//! The levels of compilation. In: an instruction that calls. Out: on which level its callee runs,
//! and which compiler that means. Invariant: the level is green, so code is made for one level, and
//! a function that is called on two of them has code of both.
//!
//! Source: 2022 paper, section 3.1.

use crate::object::Code;
use crate::opcode;
use verdigris::{Tier, prelude::*};

/// On which level a function runs, with the loops in it.
#[value]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// On the one that the JIT's parameters say.
    Any,
    /// In the interpreter.
    Interpreter,
    /// In code by partial evaluation.
    Baseline,
    /// In traces.
    Tracing,
}

/// On which level an instruction that calls runs its callee.
#[inline(always)]
pub fn of_call(op: u8) -> Level {
    match op {
        opcode::CALL_NORMAL => Level::Interpreter,
        opcode::CALL_JIT => Level::Tracing,
        _ => Level::Baseline,
    }
}

/// Which compiler may make code for a place.
pub fn tier(_pc: usize, _code: Gc<Code>, level: Level) -> Tier {
    match level {
        Level::Any => Tier::Any,
        Level::Interpreter => Tier::Interpreter,
        Level::Baseline => Tier::Specialised,
        Level::Tracing => Tier::Traced,
    }
}

impl Level {
    /// The level with a name, as the command takes it.
    ///
    /// # Errors
    /// If there is none.
    pub fn parse(name: &str) -> Result<Level, String> {
        match name {
            "any" => Ok(Level::Any),
            "interpreter" => Ok(Level::Interpreter),
            "baseline" => Ok(Level::Baseline),
            "tracing" => Ok(Level::Tracing),
            _ => Err("there are any, interpreter, baseline and tracing".to_string()),
        }
    }
}
