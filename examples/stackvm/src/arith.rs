//! The operations on two operands. In: values. Out: a value or a trap. Invariant:
//! integers do not wrap, integers and floats mix to floats, and equality is of numbers by value, of
//! strings by content, of lists and functions by identity.

use crate::trap::Trap;
use crate::value::{Value, op};

/// The result of an operation on two values that are not both integers, nor both floats.
pub fn others(opcode: u8, a: Value, b: Value) -> Result<Value, Trap> {
    match (a, b) {
        (Value::Int(x), Value::Float(y)) => Ok(floats(opcode, x as f64, y)),
        (Value::Float(x), Value::Int(y)) => Ok(floats(opcode, x, y as f64)),
        (Value::Str(x), Value::Str(y)) => match opcode {
            op::ADD => Ok(Value::Str(x.concat(y))),
            op::EQUAL => Ok(Value::Bool(x.equals(y))),
            op::LESS => Ok(Value::Bool(x.compare(y) < 0)),
            op::LESS_EQUAL => Ok(Value::Bool(x.compare(y) <= 0)),
            _ => Err(Trap::Type),
        },
        _ if opcode == op::EQUAL => Ok(Value::Bool(a == b)),
        _ => Err(Trap::Type),
    }
}

/// The result of an operation on two integers.
#[inline(always)]
pub fn integers(opcode: u8, x: i64, y: i64) -> Result<Value, Trap> {
    let result = match opcode {
        op::ADD => x.checked_add(y),
        op::SUB => x.checked_sub(y),
        op::MUL => x.checked_mul(y),
        op::DIV | op::REM if y == 0 => return Err(Trap::DivideByZero),
        op::DIV => x.checked_div(y),
        op::REM => x.checked_rem(y),
        op::EQUAL => return Ok(Value::Bool(x == y)),
        op::LESS => return Ok(Value::Bool(x < y)),
        _ => return Ok(Value::Bool(x <= y)),
    };
    match result {
        Some(result) => Ok(Value::Int(result)),
        None => Err(Trap::Overflow),
    }
}

/// The result of an operation on two floats.
#[inline(always)]
pub fn floats(opcode: u8, x: f64, y: f64) -> Value {
    match opcode {
        op::ADD => Value::Float(x + y),
        op::SUB => Value::Float(x - y),
        op::MUL => Value::Float(x * y),
        op::DIV => Value::Float(x / y),
        op::REM => Value::Float(x % y),
        op::EQUAL => Value::Bool(x == y),
        op::LESS => Value::Bool(x < y),
        _ => Value::Bool(x <= y),
    }
}

impl Value {
    /// Whether a condition with this value holds.
    pub fn truth(self) -> bool {
        !matches!(self, Value::Nil | Value::Bool(false))
    }
}
