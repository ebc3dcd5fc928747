//! Arithmetic. In: an operation and values. Out: a value, or a fault. Invariant: integers wrap
//! around at 64 bits; integers and floats mix to floats; strings that are numerals are numbers;
//! everything else is up to metamethods.
//!
//! Source: Lua 5.4 reference manual, sections 3.4.1 to 3.4.3.

use crate::call;
use crate::fault::{self, Fault};
use crate::meta;
use crate::number::{self, Number};
use crate::opcode;
use crate::string::LuaStr;
use crate::value::{Value, World};
use verdigris::library::remainder;
use verdigris::prelude::*;

/// `a op b` for operands that the instruction itself does not handle.
#[inline(never)]
pub fn binary(
    world: Gc<World>,
    op: u8,
    a: Value,
    b: Value,
    depth: i64,
) -> Result<Value, Gc<Fault>> {
    // Strings are no integers for bitwise operations.
    let bitwise = matches!(op, opcode::BAND..=opcode::SHR);
    let (x, y) = if bitwise {
        (a, b)
    } else {
        (to_number(a), to_number(b))
    };
    if !x.is_nil() && !y.is_nil() {
        match numbers(op, x, y) {
            Value::Nil => {}
            result => return Ok(result),
        }
        if op == opcode::IDIV {
            return Err(fault::simple(fault::DIVIDE));
        }
        if op == opcode::MOD {
            return Err(fault::simple(fault::MODULO));
        }
    }
    let event = meta::ADD + (op - opcode::ADD) as usize;
    let handler = either_handler(world, a, b, event);
    if !handler.is_nil() {
        return Ok(call::with_two(world, handler, a, b, depth)?.first);
    }
    if bitwise {
        return Err(fault::wrong_operands(world, fault::BITWISE, a, b));
    }
    if is_string(a) || is_string(b) {
        return Err(fault::no_numeral(world, event, a, b));
    }
    Err(fault::wrong_operands(world, fault::ARITHMETIC, a, b))
}

#[inline]
fn is_string(value: Value) -> bool {
    matches!(value, Value::Str(_))
}

/// The handler of an event for the first value, or else for the second.
#[inline(always)]
pub fn either_handler(world: Gc<World>, a: Value, b: Value, event: usize) -> Value {
    let handler = meta::handler(world, a, event);
    if handler.is_nil() {
        meta::handler(world, b, event)
    } else {
        handler
    }
}

/// A number as it is, a numeral as a number, else nil.
#[inline(always)]
pub fn to_number(value: Value) -> Value {
    match value {
        Value::Int(_) | Value::Float(_) => value,
        Value::Str(text) => numeral(text),
        _ => Value::Nil,
    }
}

/// The number that a string denotes, or nil.
#[elidable]
pub fn numeral(text: Gc<LuaStr>) -> Value {
    match number::parse(text.as_bytes()) {
        Some(Number::Int(value)) => Value::Int(value),
        Some(Number::Float(value)) => Value::Float(value),
        None => Value::Nil,
    }
}

/// A number as a float.
#[inline(always)]
pub fn float(value: Value) -> f64 {
    match value {
        Value::Int(i) => i as f64,
        Value::Float(f) => f,
        _ => 0.0,
    }
}

/// `a op b` for two numbers; nil if there is no result.
#[inline(always)]
pub fn numbers(op: u8, a: Value, b: Value) -> Value {
    if let (Value::Int(x), Value::Int(y)) = (a, b) {
        match op {
            opcode::ADD => return Value::Int(x.wrapping_add(y)),
            opcode::SUB => return Value::Int(x.wrapping_sub(y)),
            opcode::MUL => return Value::Int(x.wrapping_mul(y)),
            opcode::IDIV => {
                return if y == 0 {
                    Value::Nil
                } else {
                    Value::Int(floor_div(x, y))
                };
            }
            opcode::MOD => {
                return if y == 0 {
                    Value::Nil
                } else {
                    Value::Int(floor_mod(x, y))
                };
            }
            _ => {}
        }
    }
    match op {
        opcode::ADD => Value::Float(float(a) + float(b)),
        opcode::SUB => Value::Float(float(a) - float(b)),
        opcode::MUL => Value::Float(float(a) * float(b)),
        opcode::DIV => Value::Float(float(a) / float(b)),
        opcode::MOD => Value::Float(float_mod(float(a), float(b))),
        opcode::POW => Value::Float(power(float(a), float(b))),
        opcode::IDIV => Value::Float((float(a) / float(b)).floor()),
        _ => bits(op, to_integer(a), to_integer(b)),
    }
}

/// A bitwise operation on two integers; nil if one is none.
#[inline(always)]
fn bits(op: u8, a: Option<i64>, b: Option<i64>) -> Value {
    let (Some(a), Some(b)) = (a, b) else {
        return Value::Nil;
    };
    Value::Int(match op {
        opcode::BAND => a & b,
        opcode::BOR => a | b,
        opcode::BXOR => a ^ b,
        opcode::SHL => shift_left(a, b),
        _ => shift_left(a, b.wrapping_neg()),
    })
}

/// `a` shifted to the left, or to the right for a negative count; what is shifted out is lost.
#[inline(always)]
pub fn shift_left(a: i64, by: i64) -> i64 {
    if by <= -64 || by >= 64 {
        0
    } else if by >= 0 {
        ((a as u64) << by) as i64
    } else {
        ((a as u64) >> (-by)) as i64
    }
}

/// The quotient, rounded down; the divisor is not zero.
///
/// Signs are compared first, here and in [`floor_mod`]: in a trace those are mostly known or stay
/// as they are, while a remainder is zero again and again.
#[inline(always)]
pub fn floor_div(a: i64, b: i64) -> i64 {
    let quotient = a.wrapping_div(b);
    let remainder = a.wrapping_rem(b);
    if (remainder ^ b) < 0 && remainder != 0 {
        quotient - 1
    } else {
        quotient
    }
}

/// The remainder of the quotient that is rounded down; the divisor is not zero.
#[inline(always)]
pub fn floor_mod(a: i64, b: i64) -> i64 {
    let remainder = a.wrapping_rem(b);
    if (remainder ^ b) < 0 && remainder != 0 {
        remainder + b
    } else {
        remainder
    }
}

/// The remainder of floats, with the sign of the divisor.
#[inline(always)]
pub fn float_mod(a: f64, b: f64) -> f64 {
    let remainder = remainder(a, b);
    if remainder * b < 0.0 {
        remainder + b
    } else {
        remainder
    }
}

/// A power; a square exactly as a product.
#[inline(always)]
pub fn power(a: f64, b: f64) -> f64 {
    if b == 2.0 { a * a } else { a.powf(b) }
}

/// The integer that a number is, if it is one.
#[inline(always)]
pub fn to_integer(value: Value) -> Option<i64> {
    match value {
        Value::Int(i) => Some(i),
        Value::Float(f) => number::float_to_integer(f),
        _ => None,
    }
}

/// `-a` for operands that the instruction itself does not handle.
#[inline(never)]
pub fn negated(world: Gc<World>, a: Value, depth: i64) -> Result<Value, Gc<Fault>> {
    match to_number(a) {
        Value::Int(i) => return Ok(Value::Int(i.wrapping_neg())),
        Value::Float(f) => return Ok(Value::Float(-f)),
        _ => {}
    }
    let handler = meta::handler(world, a, meta::UNM);
    if handler.is_nil() {
        if is_string(a) {
            return Err(fault::no_numeral(world, meta::UNM, a, a));
        }
        return Err(fault::wrong_type(world, fault::ARITHMETIC, a, 1));
    }
    Ok(call::with_two(world, handler, a, a, depth)?.first)
}

/// `~a`.
#[inline(never)]
pub fn complement(world: Gc<World>, a: Value, depth: i64) -> Result<Value, Gc<Fault>> {
    if let Some(i) = to_integer(a) {
        return Ok(Value::Int(!i));
    }
    let handler = meta::handler(world, a, meta::BNOT);
    if !handler.is_nil() {
        return Ok(call::with_two(world, handler, a, a, depth)?.first);
    }
    Err(fault::wrong_operands(world, fault::BITWISE, a, a))
}
