//! Instructions that are neither a call nor a return. In: where the program is, and
//! registers. Out: what comes next. Invariant: nothing here knows where registers are, so that the
//! five interpreters differ in nothing else.

use crate::native;
use crate::program::{Fault, Function, Program, Value, op};
use verdigris::prelude::*;

/// The registers of an activation.
pub trait Registers: Copy {
    fn get(self, n: usize) -> Value;
    fn set(self, n: usize, value: Value);
}

/// The decision of an instruction.
pub enum Next {
    /// The instruction at this pc comes next.
    Go(usize),
    /// So does this one, and to get there control goes backwards.
    Back(usize),
    /// A call of this function, whose arguments are in the registers from this one on; its result
    /// goes to the last.
    Call(Gc<Function>, usize, usize),
    /// The function returns.
    Done(Value),
}

/// Executes one instruction.
#[inline(always)]
pub fn step<R: Registers>(
    program: Gc<Program>,
    function: Gc<Function>,
    pc: usize,
    r: R,
) -> Result<Next, Fault> {
    let word = function.code[pc];
    let a = op::a(word);
    match op::code(word) {
        op::INT => r.set(a, Value::Int(op::int(word))),
        op::FLOAT => r.set(a, Value::Float(op::int(word) as f64)),
        op::FN => r.set(a, Value::Fn(program.functions[op::c(word)])),
        op::MOVE => r.set(a, r.get(op::b(word))),
        op::ADD => {
            let result = match (r.get(op::b(word)), r.get(op::c(word))) {
                (Value::Int(x), Value::Int(y)) => Value::Int(x.wrapping_add(y)),
                (Value::Float(x), Value::Float(y)) => Value::Float(x + y),
                _ => return Err(Fault::Type),
            };
            r.set(a, result);
        }
        op::SUB => {
            let result = match (r.get(op::b(word)), r.get(op::c(word))) {
                (Value::Int(x), Value::Int(y)) => Value::Int(x.wrapping_sub(y)),
                (Value::Float(x), Value::Float(y)) => Value::Float(x - y),
                _ => return Err(Fault::Type),
            };
            r.set(a, result);
        }
        op::LESS => {
            let less = match (r.get(a), r.get(op::b(word))) {
                (Value::Int(x), Value::Int(y)) => x < y,
                (Value::Float(x), Value::Float(y)) => x < y,
                _ => return Err(Fault::Type),
            };
            if less {
                return Ok(jump(pc, op::c(word)));
            }
        }
        op::JUMP => return Ok(jump(pc, op::c(word))),
        op::CALL => {
            let first = op::b(word);
            let Value::Fn(callee) = r.get(first) else {
                return Err(Fault::Type);
            };
            // A constant from here on, and with it the callee's code.
            let callee = promote(callee);
            if callee.params != op::c(word) {
                return Err(Fault::Arguments);
            }
            return Ok(Next::Call(callee, first + 1, a));
        }
        op::NATIVE => {
            let Value::Int(value) = r.get(op::b(word)) else {
                return Err(Fault::Type);
            };
            r.set(a, Value::Int(native::call(program, value)));
        }
        _ => return Ok(Next::Done(r.get(a))),
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
