//! The interpreter: what rustc compiles, and what the translator turns into the JIT. In: code,
//! where to begin, on which level, a stack with the arguments. Out: the result of the function, or
//! the fault that the program ends with.
//!
//! Invariant: where the program is (code, pc) is green, and with it the height of the stack, which
//! the verifier has found to be the same on every way to a place; so in a trace all values are at
//! known places. A place of the stack above its height holds nothing, so that it keeps nothing
//! alive.
//!
//! A call of the guest is a call of the portal: this interpreter recurses, and so does compiled
//! code. How deep, it counts itself and compares with a limit, so that a program gets the same
//! fault at the same depth in the interpreter and in compiled code; the machine sees to it that the
//! native stack is large enough for that ([`crate::machine`]).
//!
//! On which level of compilation a function runs is green as well: its call says so
//! ([`crate::level`]).
//!
//! Source: 2022 paper, section 3.

use crate::arith;
use crate::fault::{Fault, Trap, fault};
use crate::level::{Level, of_call, tier};
use crate::object::{self, Code, Function, Obj, Stack, int, string};
use crate::opcode;
use verdigris::prelude::*;

/// The decision of an instruction.
enum Next {
    /// The instruction at this pc comes next.
    Go(usize),
    /// So does this one, and to get there control goes backwards.
    Back(usize),
    /// The function returns.
    Done(Obj),
}

/// Runs a function from an instruction on.
///
/// # Errors
/// The fault that the program ends with.
#[portal(tier = tier, location = location)]
pub fn run(
    code: Gc<Code>,
    start: usize,
    level: Level,
    stack: Stack,
    depth: i64,
) -> Result<Obj, Gc<Fault>> {
    let mut pc = start;
    loop {
        merge_point!(greens = [pc, code, level], reds = [stack, depth]);
        match step(code, pc, stack, depth)? {
            Next::Go(next) => pc = next,
            Next::Back(next) => {
                pc = next;
                can_enter_jit!();
            }
            Next::Done(result) => return Ok(result),
        }
    }
}

/// Executes one instruction.
#[inline(always)]
fn step(code: Gc<Code>, pc: usize, stack: Stack, depth: i64) -> Result<Next, Gc<Fault>> {
    let op = code.ops[pc];
    let operand = code.operands[pc];
    let height = code.heights[pc];
    match op {
        opcode::CONST_INT => stack[height].set(int(operand)),
        opcode::NEWSTR => stack[height].set(string(code.strings[operand as usize])),
        opcode::DUP => stack[height].set(stack[height - 1].get()),
        opcode::DUPN => stack[height].set(stack[height - 1 - operand as usize].get()),
        opcode::POP => {
            take(code, stack, height - 1);
        }
        opcode::PUTN => {
            let value = take(code, stack, height - 1);
            stack[height - 2 - operand as usize].set(value);
        }
        opcode::JUMP => return Ok(jump(pc, operand as usize)),
        opcode::JUMP_IF => {
            if arith::truth(take(code, stack, height - 1)) {
                return Ok(jump(pc, operand as usize));
            }
        }
        opcode::CALL | opcode::CALL_JIT | opcode::CALL_NORMAL => {
            let callee = code.functions[operand as usize];
            let first = height - callee.params;
            let inner = arguments(code, pc, stack, first, callee, depth)?;
            stack[first].set(run(code, callee.start, of_call(op), inner, depth + 1)?);
        }
        opcode::RET | opcode::EXIT => return Ok(Next::Done(stack[height - 1].get())),
        _ => {
            let right = take(code, stack, height - 1);
            let left = stack[height - 2].get();
            match arith::binary(op, left, right) {
                Ok(result) => stack[height - 2].set(result),
                Err(trap) => return Err(fault(pc, trap)),
            }
        }
    }
    Ok(Next::Go(pc + 1))
}

/// Where control goes from a pc.
#[inline(always)]
fn jump(from: usize, to: usize) -> Next {
    if to <= from {
        Next::Back(to)
    } else {
        Next::Go(to)
    }
}

/// Takes a value out of its place.
#[inline(always)]
fn take(code: Gc<Code>, stack: Stack, place: usize) -> Obj {
    let value = stack[place].get();
    stack[place].set(code.nothing);
    value
}

/// The stack of a call at a pc, to which the arguments move. There is none if calls are too deep
/// already.
#[unroll_safe]
#[inline(always)]
fn arguments(
    code: Gc<Code>,
    pc: usize,
    stack: Stack,
    first: usize,
    callee: Gc<Function>,
    depth: i64,
) -> Result<Stack, Gc<Fault>> {
    if depth >= code.max_depth {
        return Err(fault(pc, Trap::StackOverflow(code.max_depth)));
    }
    let inner = Stack::new(callee.slots, code.nothing);
    for index in 0..callee.params {
        inner[index].set(take(code, stack, first + index));
    }
    Ok(inner)
}

/// Where a place comes from, for people.
fn location(pc: usize, code: Gc<Code>, _level: Level) -> Location {
    object::location(pc, code)
}
