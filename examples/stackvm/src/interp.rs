//! The interpreter: what rustc compiles, and what the translator turns into the JIT. In: a program.
//! Out: what its first function returns, or the fault it ends with.
//!
//! Invariant: where the program is (function, pc, height of the operand stack) is green, so in a
//! trace all operands are at known places. A call of the guest is a call of the portal, with slots
//! of its own that no other activation sees (`docs/book/src/reference/frame.md`).

use crate::arith;
use crate::show::print;
use crate::trap::{Fault, Trap};
use crate::value::{Function, Program, Value, op};
use verdigris::{List, prelude::*, rooted_elsewhere};

/// How many calls can be within each other: as many as fit on the stack of a main thread.
const MAX_DEPTH: usize = 1_000;

/// Where the program is.
#[value]
#[derive(Clone, Copy)]
pub struct At {
    pub function: Gc<Function>,
    pub pc: usize,
    /// The first free slot.
    pub sp: usize,
}

/// The tag of what calls work on: arrays of another type than those of lists.
pub struct InFrame;

/// The data of a call: locals, then operands.
pub type Slots = GcArray<Register<Value>, InFrame>;

/// The decision of an instruction.
enum Next {
    /// The next instruction.
    Go,
    /// An earlier one.
    Back,
    /// A function is called with these slots.
    Call(Gc<Function>, Slots),
    /// The function's result.
    Done(Value),
}

/// The slots of the program's first function, called with these numbers.
///
/// # Errors
/// If it takes fewer or more.
pub fn first_slots(program: Gc<Program>, args: &[i64]) -> Result<Slots, String> {
    let main = program.functions[0];
    if main.params != args.len() {
        let (name, params) = (main.name.as_str(), main.params);
        return Err(format!(
            "`{name}` takes {params} arguments, and {} are given",
            args.len()
        ));
    }
    let slots = Slots::new(main.slots, Value::Nil);
    for (n, &arg) in args.iter().enumerate() {
        slots[n].set(Value::Int(arg));
    }
    Ok(slots)
}

/// Where a place is in the text, for people.
fn location(at: At, _program: Gc<Program>) -> Location {
    let function = at.function;
    let location = Location::new().function(function.name.as_str());
    location.line(function.lines[at.pc])
}

/// Runs a function.
///
/// # Errors
/// The fault that it ends with, or a function that it calls.
#[portal(location = location)]
pub fn run(
    program: Gc<Program>,
    start: Gc<Function>,
    slots: Slots,
    depth: usize,
) -> Result<Value, Fault> {
    let mut at = At {
        function: start,
        pc: 0,
        sp: start.locals,
    };
    loop {
        merge_point!(greens = [at, program], reds = [slots, depth]);
        let pc = at.pc;
        match step(program, slots, depth, &mut at) {
            Ok(Next::Go) => {}
            Ok(Next::Back) => can_enter_jit!(),
            Ok(Next::Call(callee, inner)) => {
                let result = run(program, callee, inner, depth + 1)?;
                push(slots, &mut at, result);
            }
            Ok(Next::Done(value)) => return Ok(value),
            Err(trap) => {
                let function = at.function;
                return Err(Fault { trap, function, pc });
            }
        }
    }
}

/// Executes one instruction.
fn step(program: Gc<Program>, slots: Slots, depth: usize, at: &mut At) -> Result<Next, Trap> {
    let here = at.pc;
    let function = at.function;
    let word = function.code[here];
    let operand = op::operand(word);
    at.pc += 1;
    match op::code(word) {
        op::INT => push(slots, at, Value::Int(function.ints[operand])),
        op::FLOAT => push(slots, at, Value::Float(function.floats[operand])),
        op::STRING => push(slots, at, Value::Str(function.strings[operand])),
        op::NIL => push(slots, at, Value::Nil),
        op::BOOL => push(slots, at, Value::Bool(operand == 1)),
        op::FUNCTION => push(slots, at, Value::Fn(program.functions[operand])),
        op::GET => push(slots, at, slots[operand].get()),
        op::SET => {
            let value = pop(slots, at);
            slots[operand].set(value);
        }
        op::DUP => push(slots, at, slots[at.sp - 1].get()),
        op::DROP => {
            pop(slots, at);
        }
        op::NOT => {
            let value = pop(slots, at);
            push(slots, at, Value::Bool(!value.truth()));
        }
        op::JUMP => return Ok(jump(at, here, operand)),
        op::UNLESS => {
            if !pop(slots, at).truth() {
                return Ok(jump(at, here, operand));
            }
        }
        op::CALL => return call(slots, depth, at, operand),
        op::RETURN => return Ok(Next::Done(pop(slots, at))),
        op::LIST => {
            let list = pop_list(slots, at, operand);
            push(slots, at, Value::List(list));
        }
        op::AT => {
            let index = pop(slots, at);
            let (list, index) = place(pop(slots, at), index)?;
            push(slots, at, list.at(index));
        }
        op::PUT => {
            let value = pop(slots, at);
            let index = pop(slots, at);
            let (list, index) = place(pop(slots, at), index)?;
            list.set(index, value);
        }
        op::APPEND => {
            let value = pop(slots, at);
            let Value::List(list) = pop(slots, at) else {
                return Err(Trap::Type);
            };
            list.push(value);
        }
        op::POP => {
            let Value::List(list) = pop(slots, at) else {
                return Err(Trap::Type);
            };
            let value = list.pop().ok_or(Trap::Empty)?;
            push(slots, at, value);
        }
        op::LEN => {
            let len = match pop(slots, at) {
                Value::List(list) => list.len(),
                Value::Str(text) => text.len(),
                _ => return Err(Trap::Type),
            };
            push(slots, at, Value::Int(len as i64));
        }
        op::PRINT => print(pop(slots, at))?,
        op::ADD => operate(slots, at, op::ADD)?,
        op::SUB => operate(slots, at, op::SUB)?,
        op::MUL => operate(slots, at, op::MUL)?,
        op::DIV => operate(slots, at, op::DIV)?,
        op::REM => operate(slots, at, op::REM)?,
        op::EQUAL => operate(slots, at, op::EQUAL)?,
        op::LESS => operate(slots, at, op::LESS)?,
        _ => operate(slots, at, op::LESS_EQUAL)?,
    }
    Ok(Next::Go)
}

/// Goes to a place in the same function.
#[inline(always)]
fn jump(at: &mut At, here: usize, to: usize) -> Next {
    at.pc = to;
    if to <= here { Next::Back } else { Next::Go }
}

/// The value of the locals and the places for operands hold, as long as `slots` lives.
#[rooted_elsewhere]
pub fn values(slots: Slots) -> Vec<Value> {
    slots.as_slice().iter().map(|slot| slot.get()).collect()
}

#[inline(always)]
fn push(slots: Slots, at: &mut At, value: Value) {
    slots[at.sp].set(value);
    at.sp += 1;
}

#[inline(always)]
fn pop(slots: Slots, at: &mut At) -> Value {
    at.sp -= 1;
    slots[at.sp].get()
}

/// Pops two, pushes what the operation gives. Inlined, so that for rustc the operation is a
/// constant, and numbers are dealt with here.
#[inline(always)]
fn operate(slots: Slots, at: &mut At, code: u8) -> Result<(), Trap> {
    let b = pop(slots, at);
    let a = pop(slots, at);
    let result = match (a, b) {
        (Value::Int(x), Value::Int(y)) => arith::integers(code, x, y)?,
        (Value::Float(x), Value::Float(y)) => arith::floats(code, x, y),
        _ => arith::others(code, a, b)?,
    };
    push(slots, at, result);
    Ok(())
}

#[unroll_safe]
fn pop_list(slots: Slots, at: &mut At, count: usize) -> Gc<List<Value>> {
    at.sp -= count;
    let list = List::with_capacity(count);
    for n in 0..count {
        list.push(slots[at.sp + n].get());
    }
    list
}

/// Pops the arguments and the function under them, and makes the slots of the call.
#[unroll_safe]
fn call(slots: Slots, depth: usize, at: &mut At, count: usize) -> Result<Next, Trap> {
    at.sp -= count + 1;
    let Value::Fn(function) = slots[at.sp].get() else {
        return Err(Trap::Type);
    };
    let function = promote(function);
    if function.params != count {
        return Err(Trap::Arguments(function.params, count));
    }
    if depth == MAX_DEPTH {
        return Err(Trap::Depth);
    }
    let inner = Slots::new(function.slots, Value::Nil);
    for n in 0..count {
        inner[n].set(slots[at.sp + 1 + n].get());
    }
    Ok(Next::Call(function, inner))
}

/// A list and a place in it.
fn place(list: Value, index: Value) -> Result<(Gc<List<Value>>, usize), Trap> {
    let (Value::List(list), Value::Int(index)) = (list, index) else {
        return Err(Trap::Type);
    };
    // A negative index is larger than every length.
    if index as usize >= list.len() {
        return Err(Trap::Index(index, list.len()));
    }
    Ok((list, index as usize))
}
