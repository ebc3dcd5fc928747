//! Recipe: dynamic typing. In: an operation and two values. Out: a value, or the trap. Invariant:
//! numbers are dealt with in traced code, everything else that is long is a call.

use crate::faults::Trap;
use crate::program::Value;
use crate::text;
use verdigris::prelude::*;

// ANCHOR: add
/// The sum of two numbers, or two texts one behind the other.
#[inline(always)]
pub fn add(a: Value, b: Value) -> Result<Value, Trap> {
    match (a, b) {
        (Value::Int(x), Value::Int(y)) => match x.checked_add(y) {
            Some(sum) => Ok(Value::Int(sum)),
            None => Ok(Value::Float(x as f64 + y as f64)),
        },
        (Value::Float(x), Value::Float(y)) => Ok(Value::Float(x + y)),
        (Value::Int(x), Value::Float(y)) => Ok(Value::Float(x as f64 + y)),
        (Value::Float(x), Value::Int(y)) => Ok(Value::Float(x + y as f64)),
        (Value::Text(x), Value::Text(y)) => Ok(Value::Text(text::concat(x, y))),
        _ => Err(Trap::Type),
    }
}
// ANCHOR_END: add

/// The difference of two numbers.
#[inline(always)]
pub fn sub(a: Value, b: Value) -> Result<Value, Trap> {
    match (a, b) {
        (Value::Int(x), Value::Int(y)) => match x.checked_sub(y) {
            Some(difference) => Ok(Value::Int(difference)),
            None => Ok(Value::Float(x as f64 - y as f64)),
        },
        (Value::Float(x), Value::Float(y)) => Ok(Value::Float(x - y)),
        (Value::Int(x), Value::Float(y)) => Ok(Value::Float(x as f64 - y)),
        (Value::Float(x), Value::Int(y)) => Ok(Value::Float(x - y as f64)),
        _ => Err(Trap::Type),
    }
}

/// Whether the first of two numbers is less.
#[inline(always)]
pub fn less(a: Value, b: Value) -> Result<Value, Trap> {
    match (a, b) {
        (Value::Int(x), Value::Int(y)) => Ok(Value::Bool(x < y)),
        (Value::Float(x), Value::Float(y)) => Ok(Value::Bool(x < y)),
        (Value::Int(x), Value::Float(y)) => Ok(Value::Bool((x as f64) < y)),
        (Value::Float(x), Value::Int(y)) => Ok(Value::Bool(x < y as f64)),
        _ => Err(Trap::Type),
    }
}

/// Whether two values are the same.
pub fn same(a: Value, b: Value) -> bool {
    match (a, b) {
        (Value::Nil, Value::Nil) => true,
        (Value::Bool(x), Value::Bool(y)) => x == y,
        (Value::Int(x), Value::Int(y)) => x == y,
        (Value::Float(x), Value::Float(y)) => x == y,
        (Value::Text(x), Value::Text(y)) => x.same(y),
        (Value::Object(x), Value::Object(y)) => Gc::ptr_eq(x, y),
        (Value::Closure(x), Value::Closure(y)) => Gc::ptr_eq(x, y),
        (Value::Generator(x), Value::Generator(y)) => Gc::ptr_eq(x, y),
        _ => false,
    }
}
