//! Operations. In: values. Out: a value, or a fault. Invariant: none of it needs a hint. The JIT
//! looks into these functions; a `match` on a tag is a check that compiled code makes where the
//! value comes from, and not again, and on the operation, a constant, it is nothing.

use crate::fault::{self, Fault};
use crate::opcode::{Binary, Unary};
use crate::value::{Value, others};
use verdigris::prelude::*;

/// An operation on one value.
///
/// # Errors
/// If it is not for this value.
pub fn unary(op: Unary, value: Value) -> Result<Value, Gc<Fault>> {
    match (op, value) {
        (Unary::Not, _) => Ok(Value::Bool(!value.truth())),
        (Unary::Neg, Value::Int(x)) => Ok(Value::Int(x.wrapping_neg())),
        (Unary::Neg, Value::Float(x)) => Ok(Value::Float(-x)),
        _ => Err(fault::negation(value)),
    }
}

// ANCHOR: binary
/// An operation on two values. An integer and a float are two floats.
///
/// # Errors
/// If it is not for these values, or a division by zero.
#[inline(always)]
pub fn binary(op: Binary, left: Value, right: Value) -> Result<Value, Gc<Fault>> {
    match (left, right) {
        (Value::Int(x), Value::Int(y)) => integers(op, x, y),
        (Value::Float(x), Value::Float(y)) => Ok(floats(op, x, y)),
        (Value::Int(x), Value::Float(y)) => Ok(floats(op, x as f64, y)),
        (Value::Float(x), Value::Int(y)) => Ok(floats(op, x, y as f64)),
        _ => others(op, left, right),
    }
}
// ANCHOR_END: binary

#[inline(always)]
fn integers(op: Binary, x: i64, y: i64) -> Result<Value, Gc<Fault>> {
    Ok(match op {
        Binary::Add => Value::Int(x.wrapping_add(y)),
        Binary::Sub => Value::Int(x.wrapping_sub(y)),
        Binary::Mul => Value::Int(x.wrapping_mul(y)),
        Binary::Div | Binary::Rem if y == 0 => return Err(fault::division()),
        Binary::Div => Value::Int(x.wrapping_div(y)),
        Binary::Rem => Value::Int(x.wrapping_rem(y)),
        Binary::Less => Value::Bool(x < y),
        Binary::LessEqual => Value::Bool(x <= y),
        Binary::Greater => Value::Bool(x > y),
        Binary::GreaterEqual => Value::Bool(x >= y),
        Binary::Equal => Value::Bool(x == y),
        Binary::NotEqual => Value::Bool(x != y),
    })
}

#[inline(always)]
fn floats(op: Binary, x: f64, y: f64) -> Value {
    match op {
        Binary::Add => Value::Float(x + y),
        Binary::Sub => Value::Float(x - y),
        Binary::Mul => Value::Float(x * y),
        Binary::Div => Value::Float(x / y),
        Binary::Rem => Value::Float(x % y),
        Binary::Less => Value::Bool(x < y),
        Binary::LessEqual => Value::Bool(x <= y),
        Binary::Greater => Value::Bool(x > y),
        Binary::GreaterEqual => Value::Bool(x >= y),
        Binary::Equal => Value::Bool(x == y),
        Binary::NotEqual => Value::Bool(x != y),
    }
}
