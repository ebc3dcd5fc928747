//! Comparison. In: values. Out: booleans, or faults. Invariant: integers and floats are compared as
//! the numbers that they are, without rounding.
//!
//! Source: Lua 5.4 reference manual, section 3.4.4.

use crate::arith;
use crate::call;
use crate::fault::{self, Fault};
use crate::meta;
use crate::number;
use crate::string;
use crate::value::{Value, World};
use verdigris::prelude::*;

/// `a == b` without metamethods.
#[inline]
pub fn raw_equal(a: Value, b: Value) -> bool {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => a == b,
        (Value::Float(a), Value::Float(b)) => a == b,
        (Value::Int(a), Value::Float(b)) | (Value::Float(b), Value::Int(a)) => int_is_float(a, b),
        (Value::Str(a), Value::Str(b)) => string::same(a, b),
        (Value::Nil, Value::Nil) => true,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Table(a), Value::Table(b)) => Gc::ptr_eq(a, b),
        (Value::Function(a), Value::Function(b)) => Gc::ptr_eq(a, b),
        (Value::Native(a), Value::Native(b)) => Gc::ptr_eq(a, b),
        (Value::Thread(a), Value::Thread(b)) => Gc::ptr_eq(a, b),
        (Value::File(a), Value::File(b)) => Gc::ptr_eq(a, b),
        (Value::Host(a), Value::Host(b)) => Gc::ptr_eq(a, b),
        _ => false,
    }
}

#[inline]
fn int_is_float(a: i64, b: f64) -> bool {
    match number::float_to_integer(b) {
        Some(b) => a == b,
        None => false,
    }
}

/// `a == b`.
#[inline]
pub fn equal(world: Gc<World>, a: Value, b: Value, depth: i64) -> Result<bool, Gc<Fault>> {
    if let (Value::Table(x), Value::Table(y)) = (a, b) {
        if Gc::ptr_eq(x, y) {
            return Ok(true);
        }
        return objects_equal(world, a, b, depth);
    }
    if let (Value::Host(x), Value::Host(y)) = (a, b) {
        if Gc::ptr_eq(x, y) {
            return Ok(true);
        }
        return objects_equal(world, a, b, depth);
    }
    Ok(raw_equal(a, b))
}

fn objects_equal(world: Gc<World>, a: Value, b: Value, depth: i64) -> Result<bool, Gc<Fault>> {
    let handler = arith::either_handler(world, a, b, meta::EQ);
    if handler.is_nil() {
        return Ok(false);
    }
    Ok(call::with_two(world, handler, a, b, depth)?.first.truth())
}

/// `a < b` for operands that the instruction itself does not handle.
#[inline(never)]
pub fn less(world: Gc<World>, a: Value, b: Value, depth: i64) -> Result<bool, Gc<Fault>> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Ok(a < b),
        (Value::Float(a), Value::Float(b)) => Ok(a < b),
        (Value::Int(a), Value::Float(b)) => Ok(int_less_float(a, b)),
        (Value::Float(a), Value::Int(b)) => Ok(float_less_int(a, b)),
        (Value::Str(a), Value::Str(b)) => Ok(string::compare(a, b) < 0),
        _ => by_handler(world, a, b, meta::LT, depth),
    }
}

/// `a <= b` for operands that the instruction itself does not handle.
#[inline(never)]
pub fn at_most(world: Gc<World>, a: Value, b: Value, depth: i64) -> Result<bool, Gc<Fault>> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Ok(a <= b),
        (Value::Float(a), Value::Float(b)) => Ok(a <= b),
        (Value::Int(a), Value::Float(b)) => Ok(int_at_most_float(a, b)),
        (Value::Float(a), Value::Int(b)) => Ok(float_at_most_int(a, b)),
        (Value::Str(a), Value::Str(b)) => Ok(string::compare(a, b) <= 0),
        _ => by_handler(world, a, b, meta::LE, depth),
    }
}

/// `a < b` for two numbers.
pub fn number_less(a: Value, b: Value) -> bool {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => a < b,
        (Value::Float(a), Value::Float(b)) => a < b,
        (Value::Int(a), Value::Float(b)) => int_less_float(a, b),
        (Value::Float(a), Value::Int(b)) => float_less_int(a, b),
        _ => false,
    }
}

fn by_handler(
    world: Gc<World>,
    a: Value,
    b: Value,
    event: usize,
    depth: i64,
) -> Result<bool, Gc<Fault>> {
    let handler = arith::either_handler(world, a, b, event);
    if handler.is_nil() {
        return Err(fault::not_comparable(world, a, b));
    }
    Ok(call::with_two(world, handler, a, b, depth)?.first.truth())
}

/// 2^63, the first float above all integers.
const LIMIT: f64 = 9_223_372_036_854_775_808.0;

/// Whether an integer is one as a float, too. Most are, and then floats are compared.
#[inline(always)]
fn is_exact(i: i64) -> bool {
    const MOST: i64 = 1 << 53;
    (-MOST..=MOST).contains(&i)
}

/// `a < b`
#[inline]
pub fn int_less_float(a: i64, b: f64) -> bool {
    if is_exact(a) {
        (a as f64) < b
    } else if b >= LIMIT {
        true
    } else if b > -LIMIT {
        // An integer is below a number if it is below the least integer that is not.
        a < b.ceil() as i64
    } else {
        false
    }
}

/// `a <= b`
#[inline]
pub fn int_at_most_float(a: i64, b: f64) -> bool {
    if is_exact(a) {
        a as f64 <= b
    } else if b >= LIMIT {
        true
    } else if b >= -LIMIT {
        a <= b.floor() as i64
    } else {
        false
    }
}

/// `a < b`
#[inline]
pub fn float_less_int(a: f64, b: i64) -> bool {
    if is_exact(b) {
        a < b as f64
    } else if a >= LIMIT {
        false
    } else if a >= -LIMIT {
        (a.floor() as i64) < b
    } else {
        // NaN is less than nothing.
        a < 0.0
    }
}

/// `a <= b`
#[inline]
pub fn float_at_most_int(a: f64, b: i64) -> bool {
    if is_exact(b) {
        a <= b as f64
    } else if a >= LIMIT {
        false
    } else if a > -LIMIT {
        a.ceil() as i64 <= b
    } else {
        a < 0.0
    }
}
