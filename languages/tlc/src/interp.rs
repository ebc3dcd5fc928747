//! The interpreter: what rustc compiles and what the translator turns into the JIT. In: loaded code, a frame, a stack.
//! Out: the value on top of the stack at the main frame's `RETURN`, if there is one.
//!
//! Invariant: pc and sp are greens, so in a trace all stack traffic is at known places. Guest calls do not recurse in
//! Rust: a frame is a heap object that knows where its caller continues. A slot of the stack at or above sp holds nil,
//! so that it keeps nothing alive.
//!
//! Compiled code can be entered where a branch goes backwards. A call that goes backwards is no loop header: measured, the
//! recursive Fibonacci gains nothing, and an insertion sort by recursion spends its time compiling one trace per depth of
//! frames. Recursion within a loop is inlined into the loop's trace.
//!
//! Source: 2009 paper, section 2 and figure 2. `at` is the pc of the instruction throughout: errors name it.

use crate::arith;
use crate::error;
use crate::object::{
    Args, Attrs, Code, Cons, Frame, Instance, Obj, ObjKind, Stack, find_attr, find_method, int,
};
use crate::opcode;
use crate::output;
use verdigris::prelude::*;

/// The size of a new operand stack.
pub const STACK_SIZE: usize = 8;

/// Runs a program from its first instruction.
#[portal]
pub fn run(code: Gc<Code>, mut frame: Gc<Frame>, mut stack: Stack) -> Option<Obj> {
    let mut pc: usize = 0;
    let mut sp: usize = 0;
    loop {
        merge_point!(greens = [pc, sp, code], reds = [frame, stack]);
        let at = pc;
        let op = fetch(code, at);
        pc = at + 1;
        match op {
            opcode::NOP => {}
            opcode::PUSH => {
                stack = push(code, stack, sp, int(operand(code, pc, at)));
                sp += 1;
                pc += 1;
            }
            opcode::POP => {
                need(sp, 1, at);
                sp -= 1;
                stack[sp].set(code.nil);
            }
            opcode::SWAP => {
                need(sp, 2, at);
                let top = stack[sp - 1].get();
                stack[sp - 1].set(stack[sp - 2].get());
                stack[sp - 2].set(top);
            }
            opcode::ROLL => {
                roll(stack, sp, operand(code, pc, at), at);
                pc += 1;
            }
            opcode::PICK => {
                let depth = depth_operand(code, pc, at);
                need(sp, depth + 1, at);
                stack = push(code, stack, sp, stack[sp - 1 - depth as usize].get());
                sp += 1;
                pc += 1;
            }
            opcode::PUT => {
                let depth = depth_operand(code, pc, at);
                need(sp, depth + 2, at);
                sp -= 1;
                stack[sp - 1 - depth as usize].set(stack[sp].get());
                stack[sp].set(code.nil);
                pc += 1;
            }
            opcode::ADD => {
                binary(code, stack, sp, opcode::ADD, at);
                sp -= 1;
            }
            opcode::SUB => {
                binary(code, stack, sp, opcode::SUB, at);
                sp -= 1;
            }
            opcode::MUL => {
                binary(code, stack, sp, opcode::MUL, at);
                sp -= 1;
            }
            opcode::DIV => {
                binary(code, stack, sp, opcode::DIV, at);
                sp -= 1;
            }
            opcode::EQ => {
                binary(code, stack, sp, opcode::EQ, at);
                sp -= 1;
            }
            opcode::NE => {
                binary(code, stack, sp, opcode::NE, at);
                sp -= 1;
            }
            opcode::LT => {
                binary(code, stack, sp, opcode::LT, at);
                sp -= 1;
            }
            opcode::LE => {
                binary(code, stack, sp, opcode::LE, at);
                sp -= 1;
            }
            opcode::GT => {
                binary(code, stack, sp, opcode::GT, at);
                sp -= 1;
            }
            opcode::GE => {
                binary(code, stack, sp, opcode::GE, at);
                sp -= 1;
            }
            opcode::BR => {
                pc = target(code, pc, at);
                if pc <= at {
                    can_enter_jit!();
                }
            }
            opcode::BR_COND => {
                need(sp, 1, at);
                sp -= 1;
                let condition = stack[sp].get();
                stack[sp].set(code.nil);
                if arith::truth(condition) {
                    pc = target(code, pc, at);
                    if pc <= at {
                        can_enter_jit!();
                    }
                } else {
                    pc += 1;
                }
            }
            opcode::BR_COND_STK => {
                need(sp, 2, at);
                sp -= 2;
                let offset = promote(arith::int_value(stack[sp + 1].get(), at));
                let condition = stack[sp].get();
                stack[sp + 1].set(code.nil);
                stack[sp].set(code.nil);
                if arith::truth(condition) {
                    pc = checked_target(code, (pc as i64).wrapping_add(offset), at);
                    if pc <= at {
                        can_enter_jit!();
                    }
                }
            }
            opcode::CALL => {
                let goal = target(code, pc, at);
                let args = Args::new(1, int(0));
                frame = enter(code, frame, pc + 1, sp, stack, args, at);
                stack = Stack::new(STACK_SIZE, code.nil);
                pc = goal;
                sp = 0;
            }
            opcode::SEND => {
                let name = operand(code, pc, at);
                let argc = operand(code, pc + 1, at);
                let args = take_args(code, stack, sp, argc, at);
                let goal = checked_target(code, method(args[0].get(), name, at), at);
                sp -= args.len();
                frame = enter(code, frame, pc + 2, sp, stack, args, at);
                stack = Stack::new(STACK_SIZE, code.nil);
                pc = goal;
                sp = 0;
            }
            opcode::RETURN => {
                let has_result = sp > 0;
                let result = if has_result {
                    stack[sp - 1].get()
                } else {
                    code.nil
                };
                match frame.back {
                    None => return if has_result { Some(result) } else { None },
                    Some(back) => {
                        pc = promote(frame.return_pc);
                        sp = promote(frame.return_sp);
                        stack = frame.return_stack;
                        frame = back;
                    }
                }
                if has_result {
                    stack = push(code, stack, sp, result);
                    sp += 1;
                }
            }
            opcode::PUSHARG => {
                stack = push(code, stack, sp, frame.args[0].get());
                sp += 1;
            }
            opcode::PUSHARGN => {
                stack = push(
                    code,
                    stack,
                    sp,
                    argument(frame.args, operand(code, pc, at), at),
                );
                sp += 1;
                pc += 1;
            }
            opcode::NIL => {
                stack = push(code, stack, sp, code.nil);
                sp += 1;
            }
            opcode::CONS => {
                need(sp, 2, at);
                let car = stack[sp - 1].get();
                let cdr = stack[sp - 2].get();
                sp -= 1;
                stack[sp].set(code.nil);
                stack[sp - 1].set(Obj::from(Gc::new(Cons { car, cdr })));
            }
            opcode::CAR => {
                need(sp, 1, at);
                stack[sp - 1].set(pair(stack[sp - 1].get(), at).car);
            }
            opcode::CDR => {
                need(sp, 1, at);
                stack[sp - 1].set(pair(stack[sp - 1].get(), at).cdr);
            }
            opcode::NEW => {
                stack = push(
                    code,
                    stack,
                    sp,
                    instantiate(code, operand(code, pc, at), at),
                );
                sp += 1;
                pc += 1;
            }
            opcode::GETATTR => {
                need(sp, 1, at);
                let object = instance(stack[sp - 1].get(), at);
                let index = attribute(object, operand(code, pc, at), at);
                stack[sp - 1].set(object.attrs[index].get());
                pc += 1;
            }
            opcode::SETATTR => {
                need(sp, 2, at);
                let value = stack[sp - 1].get();
                let object = instance(stack[sp - 2].get(), at);
                let index = attribute(object, operand(code, pc, at), at);
                object.attrs[index].set(value);
                sp -= 2;
                stack[sp + 1].set(code.nil);
                stack[sp].set(code.nil);
                pc += 1;
            }
            opcode::PRINT => {
                need(sp, 1, at);
                sp -= 1;
                output::print(stack[sp].get(), at);
                stack[sp].set(code.nil);
            }
            opcode::DUMP => output::dump(stack, sp, at),
            _ => error::invalid_opcode(at, op),
        }
    }
}

/// The opcode at a pc.
#[inline(always)]
fn fetch(code: Gc<Code>, at: usize) -> u8 {
    if at >= code.bytes.len() {
        error::cut_off(at);
    }
    code.bytes[at]
}

/// The signed byte at a pc.
#[inline(always)]
fn operand(code: Gc<Code>, pc: usize, at: usize) -> i64 {
    if pc >= code.bytes.len() {
        error::cut_off(at);
    }
    code.bytes[pc] as i8 as i64
}

/// An operand that says how deep in the stack.
#[inline(always)]
fn depth_operand(code: Gc<Code>, pc: usize, at: usize) -> i64 {
    let depth = operand(code, pc, at);
    if depth < 0 {
        error::corrupt_operand(at, depth);
    }
    depth
}

/// Where the offset at a pc leads, from the next instruction.
#[inline(always)]
fn target(code: Gc<Code>, pc: usize, at: usize) -> usize {
    checked_target(code, pc as i64 + 1 + operand(code, pc, at), at)
}

/// A place in the code.
#[inline(always)]
fn checked_target(code: Gc<Code>, target: i64, at: usize) -> usize {
    if target < 0 || target >= code.bytes.len() as i64 {
        error::bad_jump(at, target);
    }
    target as usize
}

/// Checks that the stack holds as many values as the instruction takes.
#[inline(always)]
fn need(sp: usize, count: i64, at: usize) {
    if (sp as i64) < count {
        error::underflow(at, count, sp);
    }
}

/// Writes the slot at sp; the caller increments sp. The stack moves when it is full.
#[inline(always)]
fn push(code: Gc<Code>, stack: Stack, sp: usize, value: Obj) -> Stack {
    let stack = if sp < stack.len() {
        stack
    } else {
        grow(code, stack)
    };
    stack[sp].set(value);
    stack
}

/// Replaces the two topmost values by the result of an operation on them; the caller decrements sp.
#[inline(always)]
fn binary(code: Gc<Code>, stack: Stack, sp: usize, op: u8, at: usize) {
    need(sp, 2, at);
    let right = stack[sp - 1].get();
    let left = stack[sp - 2].get();
    stack[sp - 1].set(code.nil);
    stack[sp - 2].set(arith::binary(op, left, right, at));
}

/// A larger copy of a stack.
#[unroll_safe]
fn grow(code: Gc<Code>, stack: Stack) -> Stack {
    let larger = Stack::new(stack.len() * 2, code.nil);
    let mut index = 0;
    while index < stack.len() {
        larger[index].set(stack[index].get());
        index += 1;
    }
    larger
}

/// `ROLL`: lifts the value that is `count`-th from the top, or sinks the top to where the `-count`-th is.
#[unroll_safe]
fn roll(stack: Stack, sp: usize, count: i64, at: usize) {
    if count > 1 {
        need(sp, count, at);
        let mut index = sp - count as usize;
        let lifted = stack[index].get();
        while index < sp - 1 {
            stack[index].set(stack[index + 1].get());
            index += 1;
        }
        stack[index].set(lifted);
    } else if count < -1 {
        need(sp, -count, at);
        let bottom = sp - (-count) as usize;
        let mut index = sp - 1;
        let sunk = stack[index].get();
        while index > bottom {
            stack[index].set(stack[index - 1].get());
            index -= 1;
        }
        stack[index].set(sunk);
    }
}

/// A frame for a call.
#[inline(always)]
fn enter(
    code: Gc<Code>,
    back: Gc<Frame>,
    return_pc: usize,
    return_sp: usize,
    return_stack: Stack,
    args: Args,
    at: usize,
) -> Gc<Frame> {
    let depth = back.depth + 1;
    if depth >= code.max_depth {
        error::runaway_recursion(at, code.max_depth);
    }
    Gc::new(Frame {
        back: Some(back),
        return_pc,
        return_sp,
        return_stack,
        args,
        depth,
    })
}

/// Takes the receiver and `argc` arguments off the stack; the caller decrements sp.
#[unroll_safe]
fn take_args(code: Gc<Code>, stack: Stack, sp: usize, argc: i64, at: usize) -> Args {
    if argc < 0 {
        error::corrupt_operand(at, argc);
    }
    need(sp, argc + 1, at);
    let count = argc as usize + 1;
    let args = Args::new(count, code.nil);
    let mut index = 0;
    while index < count {
        let slot = sp - count + index;
        args[index].set(stack[slot].get());
        stack[slot].set(code.nil);
        index += 1;
    }
    args
}

/// The pc of a method of a value.
#[inline(always)]
fn method(receiver: Obj, name: i64, at: usize) -> i64 {
    match receiver.kind() {
        ObjKind::Instance(object) => {
            let goal = find_method(promote(object.shape), name);
            if goal < 0 {
                error::unknown_method(at, name);
            }
            goal
        }
        _ => {
            error::bad_receiver(at, receiver, name);
            unreachable!()
        }
    }
}

/// An argument of a frame.
#[inline(always)]
fn argument(args: Args, index: i64, at: usize) -> Obj {
    if index < 0 || index >= args.len() as i64 {
        error::missing_argument(at, index, args.len());
    }
    args[index as usize].get()
}

/// A value that has to be a pair.
#[inline(always)]
fn pair(value: Obj, at: usize) -> Gc<Cons> {
    match value.kind() {
        ObjKind::Cons(pair) => pair,
        _ => {
            error::bad_operand(at, value);
            unreachable!()
        }
    }
}

/// A value that has to be an object.
#[inline(always)]
fn instance(value: Obj, at: usize) -> Gc<Instance> {
    match value.kind() {
        ObjKind::Instance(object) => object,
        _ => {
            error::bad_operand(at, value);
            unreachable!()
        }
    }
}

/// The place of an attribute in an object.
#[inline(always)]
fn attribute(object: Gc<Instance>, name: i64, at: usize) -> usize {
    let index = find_attr(promote(object.shape), name);
    if index < 0 {
        error::unknown_attribute(at, name);
    }
    index as usize
}

/// A new object of the class with this number, all attributes nil.
#[inline(always)]
fn instantiate(code: Gc<Code>, class: i64, at: usize) -> Obj {
    if class < 0 || class >= code.shapes.len() as i64 {
        error::corrupt_operand(at, class);
    }
    let shape = code.shapes[class as usize];
    let attrs = Attrs::new(shape.attrs.len(), code.nil);
    Obj::from(Gc::new(Instance { shape, attrs }))
}
