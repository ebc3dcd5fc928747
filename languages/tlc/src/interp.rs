//! The interpreter: what rustc compiles and what the translator turns into the JIT. In: loaded code
//! and the main frame. Out: the value on top of the stack at the main frame's `RETURN`, if there is
//! one, or the fault that the program ends with.
//!
//! Invariant: where the program is (pc, height of the operand stack) is green, so in a trace all
//! stack traffic is at known places. Guest calls do not recurse in Rust: a frame is a heap object
//! that knows where its caller continues. A slot of the stack at or above sp holds nil, so that it
//! keeps nothing alive.
//!
//! The stack is an array beside its height, and not a `List`, which knows its own. Measured, the
//! loops that are compiled are the same with a list; but it keeps the height in memory, so that the
//! interpreter is slower, traces are more than twice as long as recorded, and a loop that changes
//! the height needs a bridge for each, where now the height is part of its name.
//!
//! Compiled code can be entered where a branch goes backwards. A call that goes backwards is no
//! loop header: measured, the recursive Fibonacci gains nothing, and an insertion sort by recursion
//! spends its time compiling one trace per depth of frames. Recursion within a loop is inlined into
//! the loop's trace.
//!
//! Source: 2009 paper, section 2 and figure 2.

use crate::arith;
use crate::fault::Fault;
use crate::object::{
    self, Args, Attrs, Code, Cons, Frame, Instance, Obj, ObjKind, Stack, find_attr, find_method,
    int, new_stack,
};
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
    /// The first free slot of the stack.
    pub sp: usize,
}

/// The decision of an instruction.
enum Next {
    /// The instruction at pc comes next.
    Go,
    /// So it does, and to get there control goes backwards.
    Back,
    /// The program ends.
    Done(Option<Obj>),
}

/// Runs a program from its first instruction.
///
/// # Errors
/// The fault that the program ends with.
#[portal(location = location)]
pub fn run(code: Gc<Code>, mut frame: Gc<Frame>, mut stack: Stack) -> Result<Option<Obj>, Fault> {
    let mut at = At { pc: 0, sp: 0 };
    loop {
        merge_point!(greens = [at, code], reds = [frame, stack]);
        let pc = at.pc;
        match step(code, &mut frame, &mut stack, &mut at) {
            Ok(Next::Go) => {}
            Ok(Next::Back) => can_enter_jit!(),
            Ok(Next::Done(result)) => return Ok(result),
            Err(trap) => return Err(Fault { pc, trap }),
        }
    }
}

/// Executes the instruction at pc.
#[inline(always)]
fn step(
    code: Gc<Code>,
    frame: &mut Gc<Frame>,
    stack: &mut Stack,
    at: &mut At,
) -> Result<Next, Trap> {
    let slots = *stack;
    let op = fetch(code, at)?;
    match op {
        opcode::NOP => {}
        opcode::PUSH => push(int(operand(code, at)?), code, stack, at),
        opcode::POP => {
            pop(code, slots, at)?;
        }
        opcode::SWAP => {
            need(at, 2)?;
            let top = slots[at.sp - 1].get();
            slots[at.sp - 1].set(slots[at.sp - 2].get());
            slots[at.sp - 2].set(top);
        }
        opcode::ROLL => roll(slots, operand(code, at)?, at)?,
        opcode::PICK => {
            let depth = natural(operand(code, at)?)?;
            need(at, depth + 1)?;
            push(slots[at.sp - 1 - depth].get(), code, stack, at);
        }
        opcode::PUT => {
            let depth = natural(operand(code, at)?)?;
            need(at, depth + 2)?;
            let value = pop(code, slots, at)?;
            slots[at.sp - 1 - depth].set(value);
        }
        opcode::ADD => binary(opcode::ADD, code, slots, at)?,
        opcode::SUB => binary(opcode::SUB, code, slots, at)?,
        opcode::MUL => binary(opcode::MUL, code, slots, at)?,
        opcode::DIV => binary(opcode::DIV, code, slots, at)?,
        opcode::EQ => binary(opcode::EQ, code, slots, at)?,
        opcode::NE => binary(opcode::NE, code, slots, at)?,
        opcode::LT => binary(opcode::LT, code, slots, at)?,
        opcode::LE => binary(opcode::LE, code, slots, at)?,
        opcode::GT => binary(opcode::GT, code, slots, at)?,
        opcode::GE => binary(opcode::GE, code, slots, at)?,
        opcode::BR => {
            let offset = operand(code, at)?;
            return branch(code, offset, at);
        }
        opcode::BR_COND => {
            let condition = pop(code, slots, at)?;
            if arith::truth(condition) {
                let offset = operand(code, at)?;
                return branch(code, offset, at);
            }
            at.pc += 1;
        }
        opcode::BR_COND_STK => {
            need(at, 2)?;
            let offset = promote(arith::int_value(pop(code, slots, at)?)?);
            if arith::truth(pop(code, slots, at)?) {
                return branch(code, offset, at);
            }
        }
        opcode::CALL => {
            let offset = operand(code, at)?;
            let goal = target(code, (at.pc as i64).wrapping_add(offset))?;
            *frame = call(code, *frame, slots, Args::new(1, int(0)), *at)?;
            *stack = new_stack(code.nil);
            *at = At { pc: goal, sp: 0 };
        }
        opcode::SEND => {
            let name = operand(code, at)?;
            let argc = natural(operand(code, at)?)?;
            let args = take_args(code, slots, argc, at)?;
            let goal = target(code, method(args[0].get(), name)?)?;
            *frame = call(code, *frame, slots, args, *at)?;
            *stack = new_stack(code.nil);
            *at = At { pc: goal, sp: 0 };
        }
        opcode::RETURN => {
            let result = if at.sp > 0 {
                Some(slots[at.sp - 1].get())
            } else {
                None
            };
            let Some(back) = frame.back else {
                return Ok(Next::Done(result));
            };
            *at = promote(At {
                pc: frame.return_pc,
                sp: frame.return_sp,
            });
            *stack = frame.return_stack;
            *frame = back;
            if let Some(result) = result {
                push(result, code, stack, at);
            }
        }
        opcode::PUSHARG => push(frame.args[0].get(), code, stack, at),
        opcode::PUSHARGN => {
            let value = argument(frame.args, operand(code, at)?)?;
            push(value, code, stack, at);
        }
        opcode::NIL => push(code.nil, code, stack, at),
        opcode::CONS => {
            need(at, 2)?;
            let car = pop(code, slots, at)?;
            let cdr = slots[at.sp - 1].get();
            slots[at.sp - 1].set(Obj::from(Gc::new(Cons { car, cdr })));
        }
        opcode::CAR => {
            need(at, 1)?;
            let pair = pair(slots[at.sp - 1].get())?;
            slots[at.sp - 1].set(pair.car);
        }
        opcode::CDR => {
            need(at, 1)?;
            let pair = pair(slots[at.sp - 1].get())?;
            slots[at.sp - 1].set(pair.cdr);
        }
        opcode::NEW => {
            let object = instantiate(code, operand(code, at)?)?;
            push(object, code, stack, at);
        }
        opcode::GETATTR => {
            need(at, 1)?;
            let object = instance(slots[at.sp - 1].get())?;
            let index = attribute(object, operand(code, at)?)?;
            slots[at.sp - 1].set(object.attrs[index].get());
        }
        opcode::SETATTR => {
            need(at, 2)?;
            let value = pop(code, slots, at)?;
            let object = instance(pop(code, slots, at)?)?;
            let index = attribute(object, operand(code, at)?)?;
            object.attrs[index].set(value);
        }
        opcode::PRINT => output::print(pop(code, slots, at)?)?,
        opcode::DUMP => output::dump(slots, at.sp)?,
        _ => return Err(Trap::Opcode(op)),
    }
    Ok(Next::Go)
}

/// The byte at pc, which moves on.
#[inline(always)]
fn fetch(code: Gc<Code>, at: &mut At) -> Result<u8, Trap> {
    if at.pc >= code.bytes.len() {
        return Err(Trap::CutOff);
    }
    let byte = code.bytes[at.pc];
    at.pc += 1;
    Ok(byte)
}

/// The signed byte at pc, which moves on.
#[inline(always)]
fn operand(code: Gc<Code>, at: &mut At) -> Result<i64, Trap> {
    Ok(fetch(code, at)? as i8 as i64)
}

/// An operand that must not be negative.
#[inline(always)]
fn natural(operand: i64) -> Result<usize, Trap> {
    if operand < 0 {
        return Err(Trap::Corrupt(operand));
    }
    Ok(operand as usize)
}

/// A place in the code.
#[inline(always)]
fn target(code: Gc<Code>, target: i64) -> Result<usize, Trap> {
    if target < 0 || target >= code.bytes.len() as i64 {
        return Err(Trap::Jump(target));
    }
    Ok(target as usize)
}

/// Goes to the place at an offset from pc, which is the next instruction's.
#[inline(always)]
fn branch(code: Gc<Code>, offset: i64, at: &mut At) -> Result<Next, Trap> {
    let next = at.pc;
    at.pc = target(code, (next as i64).wrapping_add(offset))?;
    Ok(if at.pc < next { Next::Back } else { Next::Go })
}

/// Checks that the stack holds as many values as the instruction takes.
#[inline(always)]
fn need(at: &At, count: usize) -> Result<(), Trap> {
    if at.sp < count {
        return Err(Trap::Underflow(count, at.sp));
    }
    Ok(())
}

/// Puts a value on the stack, which moves when it is full.
#[inline(always)]
fn push(value: Obj, code: Gc<Code>, stack: &mut Stack, at: &mut At) {
    if at.sp >= stack.len() {
        *stack = grow(code, *stack);
    }
    let slots = *stack;
    slots[at.sp].set(value);
    at.sp += 1;
}

/// Takes the top off the stack.
#[inline(always)]
fn pop(code: Gc<Code>, stack: Stack, at: &mut At) -> Result<Obj, Trap> {
    need(at, 1)?;
    at.sp -= 1;
    let value = stack[at.sp].get();
    stack[at.sp].set(code.nil);
    Ok(value)
}

/// Replaces the two topmost values by the result of an operation on them.
#[inline(always)]
fn binary(op: u8, code: Gc<Code>, stack: Stack, at: &mut At) -> Result<(), Trap> {
    need(at, 2)?;
    let right = pop(code, stack, at)?;
    let left = stack[at.sp - 1].get();
    stack[at.sp - 1].set(arith::binary(op, left, right)?);
    Ok(())
}

/// A larger copy of a stack.
#[unroll_safe]
fn grow(code: Gc<Code>, stack: Stack) -> Stack {
    let larger = Stack::new(stack.len() * 2, code.nil);
    for index in 0..stack.len() {
        larger[index].set(stack[index].get());
    }
    larger
}

/// `ROLL`: lifts the value that is `count`-th from the top, or sinks the top to where the
/// `-count`-th is.
#[unroll_safe]
fn roll(stack: Stack, count: i64, at: &At) -> Result<(), Trap> {
    if count > 1 {
        need(at, count as usize)?;
        let top = at.sp - 1;
        let bottom = at.sp - count as usize;
        let lifted = stack[bottom].get();
        for index in bottom..top {
            stack[index].set(stack[index + 1].get());
        }
        stack[top].set(lifted);
    } else if count < -1 {
        need(at, -count as usize)?;
        let top = at.sp - 1;
        let bottom = at.sp - -count as usize;
        let sunk = stack[top].get();
        for index in (bottom..top).rev() {
            stack[index + 1].set(stack[index].get());
        }
        stack[bottom].set(sunk);
    }
    Ok(())
}

/// The frame of a call, which returns to `return_at`.
#[inline(always)]
fn call(
    code: Gc<Code>,
    back: Gc<Frame>,
    return_stack: Stack,
    args: Args,
    return_at: At,
) -> Result<Gc<Frame>, Trap> {
    let depth = back.depth + 1;
    if depth >= code.max_depth {
        return Err(Trap::Recursion(code.max_depth));
    }
    Ok(Gc::new(Frame {
        back: Some(back),
        return_pc: return_at.pc,
        return_sp: return_at.sp,
        return_stack,
        args,
        depth,
    }))
}

/// Takes the receiver and `argc` arguments off the stack.
#[unroll_safe]
fn take_args(code: Gc<Code>, stack: Stack, argc: usize, at: &mut At) -> Result<Args, Trap> {
    need(at, argc + 1)?;
    let args = Args::new(argc + 1, code.nil);
    for index in (0..argc + 1).rev() {
        args[index].set(pop(code, stack, at)?);
    }
    Ok(args)
}

/// The pc of a method of a value.
#[inline(always)]
fn method(receiver: Obj, name: i64) -> Result<i64, Trap> {
    match receiver.kind() {
        ObjKind::Instance(object) => {
            find_method(promote(object.shape), name).ok_or(Trap::Method(name))
        }
        _ => Err(Trap::Receiver(name, receiver)),
    }
}

/// An argument of a frame.
#[inline(always)]
fn argument(args: Args, index: i64) -> Result<Obj, Trap> {
    if index < 0 || index >= args.len() as i64 {
        return Err(Trap::Argument(index, args.len()));
    }
    Ok(args[index as usize].get())
}

/// A value that has to be a pair.
#[inline(always)]
fn pair(value: Obj) -> Result<Gc<Cons>, Trap> {
    match value.kind() {
        ObjKind::Cons(pair) => Ok(pair),
        _ => Err(Trap::Operand(value)),
    }
}

/// A value that has to be an object.
#[inline(always)]
fn instance(value: Obj) -> Result<Gc<Instance>, Trap> {
    match value.kind() {
        ObjKind::Instance(object) => Ok(object),
        _ => Err(Trap::Operand(value)),
    }
}

/// The place of an attribute in an object.
#[inline(always)]
fn attribute(object: Gc<Instance>, name: i64) -> Result<usize, Trap> {
    find_attr(promote(object.shape), name).ok_or(Trap::Attribute(name))
}

/// A new object of the class with this number, all attributes nil.
#[inline(always)]
fn instantiate(code: Gc<Code>, class: i64) -> Result<Obj, Trap> {
    if class < 0 || class >= code.shapes.len() as i64 {
        return Err(Trap::Corrupt(class));
    }
    let shape = code.shapes[class as usize];
    let attrs = Attrs::new(shape.attrs.len(), code.nil);
    Ok(Obj::from(Gc::new(Instance { shape, attrs })))
}

/// Where a place comes from, for people.
fn location(at: At, code: Gc<Code>) -> Location {
    object::location(at.pc, code)
}
