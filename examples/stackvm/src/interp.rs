//! The interpreter: what rustc compiles, and what the translator turns into the JIT. In: a program. Out: what its first
//! function returns, or the fault it ends with.
//!
//! Invariant: where the program is (function, pc, height of the operand stack) is green, so in a trace all operands are at
//! known places. A call does not recurse in Rust: a frame is a heap object that knows its caller.

use crate::arith;
use crate::show::print;
use crate::trap::{Fault, Trap};
use crate::value::{Function, Program, Value, op};
use verdigris::prelude::*;

/// How many calls can be within each other.
const MAX_DEPTH: usize = 10_000;

/// Where the program is.
#[value]
#[derive(Clone, Copy)]
pub struct At {
    pub function: Gc<Function>,
    pub pc: usize,
    /// The first free slot.
    pub sp: usize,
}

/// What a call works on: locals, then operands.
#[gc]
pub struct Frame {
    slots: GcArray<Cell<Value>>,
    depth: usize,
    caller: Option<Gc<Caller>>,
}

/// Where a call goes on when it returns.
#[gc]
struct Caller {
    frame: Gc<Frame>,
    function: Gc<Function>,
    pc: usize,
    sp: usize,
}

/// What an instruction has decided.
enum Next {
    /// The next instruction.
    Go,
    /// An earlier one, or the first of a function.
    Back,
    /// The program's result.
    Done(Value),
}

/// The frame of the program's first function, called with these numbers.
///
/// # Errors
/// If it takes fewer or more.
pub fn first_frame(program: Gc<Program>, args: &[i64]) -> Result<Gc<Frame>, String> {
    let main = program.functions[0];
    if main.params != args.len() {
        let (name, params) = (main.name.as_str(), main.params);
        return Err(format!(
            "`{name}` takes {params} arguments, and {} are given",
            args.len()
        ));
    }
    let slots: GcArray<Cell<Value>> = GcArray::new(main.slots, Value::Nil);
    for (n, &arg) in args.iter().enumerate() {
        slots[n].set(Value::Int(arg));
    }
    Ok(Gc::new(Frame {
        slots,
        depth: 0,
        caller: None,
    }))
}

/// Runs a program.
#[portal]
pub fn run(program: Gc<Program>, mut frame: Gc<Frame>) -> Result<Value, Fault> {
    let main = program.functions[0];
    let mut at = At {
        function: main,
        pc: 0,
        sp: main.locals,
    };
    loop {
        merge_point!(greens = [at, program], reds = [frame]);
        let pc = at.pc;
        match step(program, &mut frame, &mut at) {
            Ok(Next::Go) => {}
            Ok(Next::Back) => can_enter_jit!(),
            Ok(Next::Done(value)) => return Ok(value),
            Err(trap) => {
                let function = at.function;
                return Err(Fault { trap, function, pc });
            }
        }
    }
}

/// Executes one instruction.
fn step(program: Gc<Program>, frame: &mut Gc<Frame>, at: &mut At) -> Result<Next, Trap> {
    let here = at.pc;
    let function = at.function;
    let word = function.code[here];
    let operand = op::operand(word);
    at.pc += 1;
    match op::code(word) {
        op::INT => frame.push(at, Value::Int(function.ints[operand])),
        op::FLOAT => frame.push(at, Value::Float(function.floats[operand])),
        op::STRING => frame.push(at, Value::Str(function.strings[operand])),
        op::NIL => frame.push(at, Value::Nil),
        op::BOOL => frame.push(at, Value::Bool(operand == 1)),
        op::FUNCTION => frame.push(at, Value::Fn(program.functions[operand])),
        op::GET => frame.push(at, frame.slots[operand].get()),
        op::SET => {
            let value = frame.pop(at);
            frame.slots[operand].set(value);
        }
        op::DUP => frame.push(at, frame.slots[at.sp - 1].get()),
        op::DROP => {
            frame.pop(at);
        }
        op::NOT => {
            let value = frame.pop(at);
            frame.push(at, Value::Bool(!value.truth()));
        }
        op::JUMP => return Ok(jump(at, here, operand)),
        op::UNLESS => {
            if !frame.pop(at).truth() {
                return Ok(jump(at, here, operand));
            }
        }
        op::CALL => {
            *frame = call(*frame, at, operand)?;
            // The program may come to this function's beginning again and again.
            return Ok(Next::Back);
        }
        op::RETURN => {
            let value = frame.pop(at);
            let Some(caller) = frame.caller else {
                return Ok(Next::Done(value));
            };
            *frame = caller.frame;
            *at = promote(At {
                function: caller.function,
                pc: caller.pc,
                sp: caller.sp,
            });
            frame.push(at, value);
        }
        op::LIST => {
            let list = frame.pop_list(at, operand);
            frame.push(at, Value::List(list));
        }
        op::AT => {
            let index = frame.pop(at);
            let (list, index) = place(frame.pop(at), index)?;
            frame.push(at, list.at(index));
        }
        op::PUT => {
            let value = frame.pop(at);
            let index = frame.pop(at);
            let (list, index) = place(frame.pop(at), index)?;
            list.set(index, value);
        }
        op::APPEND => {
            let value = frame.pop(at);
            let Value::List(list) = frame.pop(at) else {
                return Err(Trap::Type);
            };
            list.push(value);
        }
        op::POP => {
            let Value::List(list) = frame.pop(at) else {
                return Err(Trap::Type);
            };
            let value = list.pop().ok_or(Trap::Empty)?;
            frame.push(at, value);
        }
        op::LEN => {
            let len = match frame.pop(at) {
                Value::List(list) => list.len(),
                Value::Str(text) => text.len(),
                _ => return Err(Trap::Type),
            };
            frame.push(at, Value::Int(len as i64));
        }
        op::PRINT => print(frame.pop(at)),
        op::ADD => frame.operate(at, op::ADD)?,
        op::SUB => frame.operate(at, op::SUB)?,
        op::MUL => frame.operate(at, op::MUL)?,
        op::DIV => frame.operate(at, op::DIV)?,
        op::REM => frame.operate(at, op::REM)?,
        op::EQUAL => frame.operate(at, op::EQUAL)?,
        op::LESS => frame.operate(at, op::LESS)?,
        _ => frame.operate(at, op::LESS_EQUAL)?,
    }
    Ok(Next::Go)
}

/// Goes to a place in the same function.
#[inline(always)]
fn jump(at: &mut At, here: usize, to: usize) -> Next {
    at.pc = to;
    if to <= here { Next::Back } else { Next::Go }
}

impl Frame {
    /// What the locals and the places for operands hold.
    pub fn values(&self) -> Vec<Value> {
        self.slots
            .as_slice()
            .iter()
            .map(|slot| slot.get())
            .collect()
    }

    fn push(&self, at: &mut At, value: Value) {
        self.slots[at.sp].set(value);
        at.sp += 1;
    }

    fn pop(&self, at: &mut At) -> Value {
        at.sp -= 1;
        self.slots[at.sp].get()
    }

    /// Pops two, pushes what the operation gives. Inlined, so that for rustc the operation is a constant, and numbers are dealt with here.
    #[inline(always)]
    fn operate(&self, at: &mut At, code: u8) -> Result<(), Trap> {
        let b = self.pop(at);
        let a = self.pop(at);
        let result = match (a, b) {
            (Value::Int(x), Value::Int(y)) => arith::integers(code, x, y)?,
            (Value::Float(x), Value::Float(y)) => arith::floats(code, x, y),
            _ => arith::others(code, a, b)?,
        };
        self.push(at, result);
        Ok(())
    }

    #[unroll_safe]
    fn pop_list(&self, at: &mut At, count: usize) -> Gc<List<Value>> {
        at.sp -= count;
        let list = List::with_capacity(count);
        for n in 0..count {
            list.push(self.slots[at.sp + n].get());
        }
        list
    }
}

/// Pops the arguments and the function under them, and makes the frame of the call.
#[unroll_safe]
fn call(frame: Gc<Frame>, at: &mut At, count: usize) -> Result<Gc<Frame>, Trap> {
    at.sp -= count + 1;
    let Value::Fn(function) = frame.slots[at.sp].get() else {
        return Err(Trap::Type);
    };
    let function = promote(function);
    if function.params != count {
        return Err(Trap::Arguments(function.params, count));
    }
    if frame.depth == MAX_DEPTH {
        return Err(Trap::Depth);
    }
    let slots: GcArray<Cell<Value>> = GcArray::new(function.slots, Value::Nil);
    for n in 0..count {
        slots[n].set(frame.slots[at.sp + 1 + n].get());
    }
    let caller = Gc::new(Caller {
        frame,
        function: at.function,
        pc: at.pc,
        sp: at.sp,
    });
    *at = At {
        function,
        pc: 0,
        sp: function.locals,
    };
    Ok(Gc::new(Frame {
        slots,
        depth: frame.depth + 1,
        caller: Some(caller),
    }))
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
