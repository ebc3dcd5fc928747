//! The interpreter: what rustc compiles and what the translator turns into the JIT. In: loaded code
//! and the main program's frame. Out: the main program's result, or the fault that it ends with.
//!
//! Invariant: where the program is (pc, height of the operand stack) is green, so in a trace all
//! stack traffic is at known places of known arrays. Guest calls do not recurse in Rust: a frame is
//! a heap object that knows where its caller continues, so that traces run through guest calls. A
//! slot at or above sp holds nil, so that it keeps nothing alive. The code is well formed (see
//! [`crate::image`]), so that operands and stack are not checked here.

use crate::arith;
use crate::fault::Fault;
use crate::model;
use crate::object::{self, Code, Frame, Function, Obj, ObjKind, Slots, int};
use crate::opcode;
use crate::output;
use crate::trap::Trap;
use verdigris::prelude::*;

/// Where the program is.
#[value]
#[derive(Clone, Copy)]
pub struct At {
    /// The instruction.
    pub pc: usize,
    /// The first free slot.
    pub sp: usize,
}

/// The decision of an instruction.
enum Next {
    /// The next instruction.
    Go,
    /// An earlier one.
    Back,
    /// The program's result.
    Done(Obj),
}

/// Runs a program from the first instruction of its main function, whose operand stack begins at
/// slot `bottom`.
///
/// # Errors
/// The fault that the program ends with.
#[portal(location = location)]
pub fn run(code: Gc<Code>, mut frame: Gc<Frame>, bottom: usize) -> Result<Obj, Fault> {
    let mut at = At { pc: 0, sp: bottom };
    loop {
        merge_point!(greens = [at, code], reds = [frame]);
        let pc = at.pc;
        match step(code, &mut frame, &mut at) {
            Ok(Next::Go) => {}
            Ok(Next::Back) => can_enter_jit!(),
            Ok(Next::Done(result)) => return Ok(result),
            Err(trap) => return Err(Fault { pc, trap }),
        }
    }
}

/// Executes the instruction at pc.
#[inline(always)]
fn step(code: Gc<Code>, frame: &mut Gc<Frame>, at: &mut At) -> Result<Next, Trap> {
    let slots = frame.slots;
    let op = byte(code, at) as u8;
    match op {
        opcode::CONST => push(slots, code.consts[word(code, at)], at),
        opcode::NIL => at.sp += 1,
        opcode::LOAD => push(slots, slots[byte(code, at)].get(), at),
        opcode::STORE => slots[byte(code, at)].set(pop(code, slots, at)),
        opcode::POP => {
            pop(code, slots, at);
        }
        opcode::DUP => push(slots, top(slots, at), at),
        opcode::ADD..=opcode::NE => {
            let right = pop(code, slots, at);
            let left = top(slots, at);
            replace(slots, at, arith::binary(op, left, right)?);
        }
        opcode::NEG => replace(slots, at, arith::negated(top(slots, at))?),
        opcode::NOT => {
            let operand = arith::truth(top(slots, at));
            replace(slots, at, int(!operand as i64));
        }
        opcode::JUMP => at.pc = word(code, at),
        opcode::LOOP => {
            at.pc = word(code, at);
            return Ok(Next::Back);
        }
        opcode::JUMP_IF_FALSE => {
            let goal = word(code, at);
            if !arith::truth(pop(code, slots, at)) {
                at.pc = goal;
            }
        }
        opcode::JUMP_IF_FALSE_OR_POP | opcode::JUMP_IF_TRUE_OR_POP => {
            let goal = word(code, at);
            let leaves = op == opcode::JUMP_IF_TRUE_OR_POP;
            if arith::truth(top(slots, at)) == leaves {
                at.pc = goal;
            } else {
                pop(code, slots, at);
            }
        }
        opcode::GETATTR => {
            let name = word(code, at) as i64;
            let object = top(slots, at);
            replace(slots, at, model::getattr(code.model, object, name)?);
        }
        opcode::SETATTR => {
            let name = word(code, at) as i64;
            let value = pop(code, slots, at);
            let object = pop(code, slots, at);
            model::setattr(code.model, object, name, value)?;
        }
        opcode::SEND => {
            let name = word(code, at) as i64;
            let argc = byte(code, at);
            let receiver = slots[at.sp - argc - 1].get();
            let method = function(model::getattr(code.model, receiver, name)?)?;
            *frame = call(code, *frame, at, method, argc, receiver)?;
        }
        opcode::CALL => {
            let argc = byte(code, at);
            let callee = function(slots[at.sp - argc - 1].get())?;
            *frame = call(code, *frame, at, callee, argc, code.nil)?;
        }
        opcode::INSTANTIATE => {
            let class = top(slots, at);
            replace(slots, at, model::instantiate(code.model, class)?);
        }
        opcode::RETURN => {
            let result = top(slots, at);
            let Some(back) = frame.back else {
                return Ok(Next::Done(result));
            };
            *at = promote(At {
                pc: frame.return_pc,
                sp: frame.return_sp,
            });
            *frame = back;
            push(back.slots, result, at);
        }
        opcode::PRINT => print(code, slots, at)?,
        _ => unreachable!(),
    }
    Ok(Next::Go)
}

/// The byte at pc, which moves on.
#[inline(always)]
fn byte(code: Gc<Code>, at: &mut At) -> usize {
    let byte = code.bytes[at.pc];
    at.pc += 1;
    byte as usize
}

/// The two bytes at pc, which moves on.
#[inline(always)]
fn word(code: Gc<Code>, at: &mut At) -> usize {
    let low = byte(code, at);
    low | byte(code, at) << 8
}

#[inline(always)]
fn push(slots: Slots, value: Obj, at: &mut At) {
    slots[at.sp].set(value);
    at.sp += 1;
}

/// The top of the stack.
#[inline(always)]
fn top(slots: Slots, at: &At) -> Obj {
    slots[at.sp - 1].get()
}

/// Puts a value in its place.
#[inline(always)]
fn replace(slots: Slots, at: &At, value: Obj) {
    slots[at.sp - 1].set(value);
}

#[inline(always)]
fn pop(code: Gc<Code>, slots: Slots, at: &mut At) -> Obj {
    at.sp -= 1;
    take(code, slots, at.sp)
}

/// The value of a slot, which is nil from now on.
#[inline(always)]
fn take(code: Gc<Code>, slots: Slots, index: usize) -> Obj {
    let value = slots[index].get();
    slots[index].set(code.nil);
    value
}

/// A value that has to be a function. What follows is compiled for this one.
#[inline(always)]
fn function(value: Obj) -> Result<Gc<Function>, Trap> {
    match value.kind() {
        ObjKind::Function(function) => Ok(promote(function)),
        _ => Err(Trap::NoFunction(value)),
    }
}

/// Enters a function with the arguments on top of the stack. They and what is below them, which is
/// what was called, make room for the result.
#[unroll_safe]
fn call(
    code: Gc<Code>,
    back: Gc<Frame>,
    at: &mut At,
    callee: Gc<Function>,
    argc: usize,
    receiver: Obj,
) -> Result<Gc<Frame>, Trap> {
    if argc != callee.arity {
        return Err(Trap::Arity(callee, argc));
    }
    let depth = back.depth + 1;
    if depth >= code.max_depth {
        return Err(Trap::Recursion(code.max_depth));
    }
    let slots = Slots::new(callee.slots, code.nil);
    for index in (1..argc + 1).rev() {
        slots[index].set(pop(code, back.slots, at));
    }
    pop(code, back.slots, at);
    slots[0].set(receiver);
    let return_at = *at;
    *at = At {
        pc: callee.entry,
        sp: callee.bottom,
    };
    Ok(Gc::new(Frame {
        back: Some(back),
        return_pc: return_at.pc,
        return_sp: return_at.sp,
        slots,
        depth,
    }))
}

/// Prints the values on top of the stack in a line.
#[unroll_safe]
fn print(code: Gc<Code>, slots: Slots, at: &mut At) -> Result<(), Trap> {
    let count = byte(code, at);
    at.sp -= count;
    for index in 0..count {
        let value = take(code, slots, at.sp + index);
        output::print(value, index + 1 == count)?;
    }
    Ok(())
}

/// Where a place comes from, for people.
fn location(at: At, code: Gc<Code>) -> Location {
    object::location(at.pc, code)
}
