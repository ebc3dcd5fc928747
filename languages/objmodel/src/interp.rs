//! The interpreter: what rustc compiles and what the translator turns into the JIT. In: loaded code and the main program's
//! frame. Out: the main program's result.
//!
//! Invariant: pc and sp are greens, so in a trace all stack traffic is at known places of known arrays. Guest calls do not
//! recurse in Rust: a frame is a heap object that knows where its caller continues, so that traces run through guest
//! calls. A slot at or above sp holds nil, so that it keeps nothing alive. The code is well formed (see
//! [`crate::image`]), so that operands and stack are not checked here.
//!
//! `at` is the pc of the instruction throughout: errors name it.

use crate::arith;
use crate::error;
use crate::model;
use crate::object::{Code, Frame, Function, Obj, ObjKind, Slots, int};
use crate::opcode;
use crate::output;
use verdigris::prelude::*;

/// Runs a program from the first instruction of its main function, whose operand stack begins at slot `bottom`.
#[portal]
pub fn run(code: Gc<Code>, mut frame: Gc<Frame>, bottom: usize) -> Obj {
    let mut pc: usize = 0;
    let mut sp: usize = bottom;
    loop {
        merge_point!(greens = [pc, sp, code], reds = [frame]);
        let at = pc;
        let slots = frame.slots;
        let op = code.bytes[at];
        pc = at + 1;
        match op {
            opcode::CONST => {
                slots[sp].set(code.consts[word(code, pc)]);
                sp += 1;
                pc += 2;
            }
            opcode::NIL => sp += 1,
            opcode::LOAD => {
                slots[sp].set(slots[byte(code, pc)].get());
                sp += 1;
                pc += 1;
            }
            opcode::STORE => {
                sp -= 1;
                slots[byte(code, pc)].set(take(code, slots, sp));
                pc += 1;
            }
            opcode::POP => {
                sp -= 1;
                slots[sp].set(code.nil);
            }
            opcode::DUP => {
                slots[sp].set(slots[sp - 1].get());
                sp += 1;
            }
            opcode::ADD..=opcode::NE => {
                sp -= 1;
                let right = take(code, slots, sp);
                slots[sp - 1].set(arith::binary(op, slots[sp - 1].get(), right, at));
            }
            opcode::NEG => slots[sp - 1].set(arith::negated(slots[sp - 1].get(), at)),
            opcode::NOT => {
                let operand = arith::truth(slots[sp - 1].get());
                slots[sp - 1].set(int(!operand as i64));
            }
            opcode::JUMP => pc = word(code, pc),
            opcode::LOOP => {
                pc = word(code, pc);
                can_enter_jit!();
            }
            opcode::JUMP_IF_FALSE => {
                sp -= 1;
                if arith::truth(take(code, slots, sp)) {
                    pc += 2;
                } else {
                    pc = word(code, pc);
                }
            }
            opcode::JUMP_IF_FALSE_OR_POP | opcode::JUMP_IF_TRUE_OR_POP => {
                let leaves = op == opcode::JUMP_IF_TRUE_OR_POP;
                if arith::truth(slots[sp - 1].get()) == leaves {
                    pc = word(code, pc);
                } else {
                    sp -= 1;
                    slots[sp].set(code.nil);
                    pc += 2;
                }
            }
            opcode::GETATTR => {
                let name = word(code, pc) as i64;
                let value = model::getattr(code.model, slots[sp - 1].get(), name, at);
                slots[sp - 1].set(value);
                pc += 2;
            }
            opcode::SETATTR => {
                let name = word(code, pc) as i64;
                sp -= 2;
                let value = take(code, slots, sp + 1);
                model::setattr(code.model, take(code, slots, sp), name, value, at);
                pc += 2;
            }
            opcode::SEND => {
                let name = word(code, pc) as i64;
                let argc = byte(code, pc + 2);
                sp -= argc + 1;
                let receiver = slots[sp].get();
                let method = function(model::getattr(code.model, receiver, name, at), at);
                frame = enter(code, frame, pc + 3, sp, method, argc, receiver, at);
                pc = method.entry;
                sp = method.bottom;
            }
            opcode::CALL => {
                let argc = byte(code, pc);
                sp -= argc + 1;
                let callee = function(slots[sp].get(), at);
                frame = enter(code, frame, pc + 1, sp, callee, argc, code.nil, at);
                pc = callee.entry;
                sp = callee.bottom;
            }
            opcode::INSTANTIATE => {
                let instance = model::instantiate(code.model, slots[sp - 1].get(), at);
                slots[sp - 1].set(instance);
            }
            opcode::RETURN => {
                let result = slots[sp - 1].get();
                match frame.back {
                    None => return result,
                    Some(back) => {
                        pc = promote(frame.return_pc);
                        sp = promote(frame.return_sp);
                        back.slots[sp].set(result);
                        sp += 1;
                        frame = back;
                    }
                }
            }
            opcode::PRINT => {
                let count = byte(code, pc);
                sp -= count;
                print(code, slots, sp, count, at);
                pc += 1;
            }
            _ => unreachable!(),
        }
    }
}

/// The one-byte operand at a pc.
#[inline(always)]
fn byte(code: Gc<Code>, pc: usize) -> usize {
    code.bytes[pc] as usize
}

/// The two-byte operand at a pc.
#[inline(always)]
fn word(code: Gc<Code>, pc: usize) -> usize {
    code.bytes[pc] as usize | (code.bytes[pc + 1] as usize) << 8
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
fn function(value: Obj, at: usize) -> Gc<Function> {
    match value.kind() {
        ObjKind::Function(function) => promote(function),
        _ => {
            error::no_function(at, value);
            unreachable!()
        }
    }
}

/// The frame of a call. Its arguments are taken from behind slot `sp` of the caller, where the result will be.
#[inline(always)]
#[allow(clippy::too_many_arguments)]
fn enter(
    code: Gc<Code>,
    back: Gc<Frame>,
    return_pc: usize,
    return_sp: usize,
    callee: Gc<Function>,
    argc: usize,
    receiver: Obj,
    at: usize,
) -> Gc<Frame> {
    if argc != callee.arity {
        error::wrong_arity(at, callee, argc);
    }
    let depth = back.depth + 1;
    if depth >= code.max_depth {
        error::runaway_recursion(at, code.max_depth);
    }
    let slots = Slots::new(callee.slots, code.nil);
    slots[0].set(receiver);
    back.slots[return_sp].set(code.nil);
    move_args(code, back.slots, return_sp, slots, argc);
    Gc::new(Frame {
        back: Some(back),
        return_pc,
        return_sp,
        slots,
        depth,
    })
}

/// Moves the arguments of a call to the slots of the callee.
#[unroll_safe]
fn move_args(code: Gc<Code>, from: Slots, base: usize, to: Slots, argc: usize) {
    let mut index = 1;
    while index <= argc {
        to[index].set(take(code, from, base + index));
        index += 1;
    }
}

/// Prints values in a line.
#[unroll_safe]
fn print(code: Gc<Code>, slots: Slots, sp: usize, count: usize, at: usize) {
    let mut index = 0;
    while index < count {
        output::print(take(code, slots, sp + index), index + 1 == count, at);
        index += 1;
    }
}
