//! Arithmetic. In: an operator and operands. Out: a value. Invariant: integers that do not fit into
//! 64 bits become big ones; what is none of the hot cases goes to [`super::operate`].

use crate::bytecode::opcode::{
    OP_ADD, OP_AND, OP_DIV, OP_FLOOR_DIV, OP_MOD, OP_MUL, OP_OR, OP_POW, OP_SHL, OP_SHR, OP_SUB,
    OP_XOR,
};
use crate::heap::exact::fits_float;
use crate::heap::exception::Thrown;
use crate::heap::value::{Value, complex};
use crate::heap::world::{World, names};
use crate::plain::fault;
use crate::plain::number;
use crate::run::operators::operate;
use verdigris::prelude::*;

type Outcome = Result<Value, Thrown>;

/// `x + y`
#[inline]
pub fn add(world: Gc<World>, x: Value, y: Value, depth: i64) -> Outcome {
    match (x, y) {
        (Value::Int(a), Value::Int(b)) => Ok(sum(a, b)),
        (Value::Float(a), Value::Float(b)) => Ok(Value::Float(a + b)),
        (Value::Int(a), Value::Float(b)) => Ok(Value::Float(a as f64 + b)),
        (Value::Float(a), Value::Int(b)) => Ok(Value::Float(a + b as f64)),
        (Value::Str(a), Value::Str(b)) => Ok(Value::Str(crate::plain::string::concat(a, b))),
        (Value::Int(a), Value::Bool(b)) => Ok(sum(a, b as i64)),
        (Value::Bool(a), Value::Int(b)) => Ok(sum(a as i64, b)),
        (Value::Bool(a), Value::Bool(b)) => Ok(Value::Int(a as i64 + b as i64)),
        _ => operate::binary(world, OP_ADD, false, x, y, depth),
    }
}

#[inline(always)]
fn sum(a: i64, b: i64) -> Value {
    match a.checked_add(b) {
        Some(sum) => Value::Int(sum),
        None => number::big(OP_ADD, a, b),
    }
}

#[inline(always)]
fn difference(a: i64, b: i64) -> Value {
    match a.checked_sub(b) {
        Some(difference) => Value::Int(difference),
        None => number::big(OP_SUB, a, b),
    }
}

#[inline(always)]
fn product(a: i64, b: i64) -> Value {
    match a.checked_mul(b) {
        Some(product) => Value::Int(product),
        None => number::big(OP_MUL, a, b),
    }
}

/// `x - y`
#[inline]
pub fn sub(world: Gc<World>, x: Value, y: Value, depth: i64) -> Outcome {
    match (x, y) {
        (Value::Int(a), Value::Int(b)) => Ok(difference(a, b)),
        (Value::Float(a), Value::Float(b)) => Ok(Value::Float(a - b)),
        (Value::Int(a), Value::Float(b)) => Ok(Value::Float(a as f64 - b)),
        (Value::Float(a), Value::Int(b)) => Ok(Value::Float(a - b as f64)),
        (Value::Int(a), Value::Bool(b)) => Ok(difference(a, b as i64)),
        (Value::Bool(a), Value::Int(b)) => Ok(difference(a as i64, b)),
        _ => operate::binary(world, OP_SUB, false, x, y, depth),
    }
}

/// `x * y`
#[inline]
pub fn mul(world: Gc<World>, x: Value, y: Value, depth: i64) -> Outcome {
    match (x, y) {
        (Value::Int(a), Value::Int(b)) => Ok(product(a, b)),
        (Value::Float(a), Value::Float(b)) => Ok(Value::Float(a * b)),
        (Value::Int(a), Value::Float(b)) => Ok(Value::Float(a as f64 * b)),
        (Value::Float(a), Value::Int(b)) => Ok(Value::Float(a * b as f64)),
        (Value::Int(a), Value::Bool(b)) => Ok(product(a, b as i64)),
        (Value::Bool(a), Value::Int(b)) => Ok(product(a as i64, b)),
        _ => operate::binary(world, OP_MUL, false, x, y, depth),
    }
}

/// `x / y`
#[inline]
pub fn div(world: Gc<World>, x: Value, y: Value, depth: i64) -> Outcome {
    match (x, y) {
        (Value::Int(a), Value::Int(b)) if b != 0 && fits_float(a) && fits_float(b) => {
            Ok(Value::Float(a as f64 / b as f64))
        }
        (Value::Float(a), Value::Float(b)) => float_div(world, a, b),
        (Value::Int(a), Value::Float(b)) => float_div(world, a as f64, b),
        (Value::Float(a), Value::Int(b)) => float_div(world, a, b as f64),
        _ => operate::binary(world, OP_DIV, false, x, y, depth),
    }
}

#[inline(always)]
fn float_div(world: Gc<World>, a: f64, b: f64) -> Outcome {
    if b == 0.0 {
        return Err(fault::simple(world, fault::FLOAT_DIVISION));
    }
    Ok(Value::Float(a / b))
}

/// `x // y`
#[inline]
pub fn floor_div(world: Gc<World>, x: Value, y: Value, depth: i64) -> Outcome {
    match (x, y) {
        (Value::Int(a), Value::Int(b)) if b > 0 => {
            let quotient = a / b;
            let is_below = a % b < 0;
            Ok(Value::Int(if is_below { quotient - 1 } else { quotient }))
        }
        _ => operate::binary(world, OP_FLOOR_DIV, false, x, y, depth),
    }
}

/// `x % y`
#[inline]
pub fn modulo(world: Gc<World>, x: Value, y: Value, depth: i64) -> Outcome {
    match (x, y) {
        (Value::Int(a), Value::Int(b)) if b > 0 => {
            let rest = a % b;
            Ok(Value::Int(if rest < 0 { rest + b } else { rest }))
        }
        _ => operate::binary(world, OP_MOD, false, x, y, depth),
    }
}

/// `x op y` of an operator that has no instruction of its own.
#[inline]
pub fn binary(world: Gc<World>, op: usize, x: Value, y: Value, depth: i64) -> Outcome {
    if let (Value::Int(a), Value::Int(b)) = (x, y) {
        match op {
            OP_AND => return Ok(Value::Int(a & b)),
            OP_OR => return Ok(Value::Int(a | b)),
            OP_XOR => return Ok(Value::Int(a ^ b)),
            OP_SHR if b >= 0 => return Ok(Value::Int(a >> b.min(63))),
            OP_SHL if (0..63).contains(&b) && (a << b) >> b == a => return Ok(Value::Int(a << b)),
            OP_POW if b == 2 => {
                if let Some(square) = a.checked_mul(a) {
                    return Ok(Value::Int(square));
                }
            }
            _ => {}
        }
    }
    operate::binary(world, op, false, x, y, depth)
}

/// `x op= y`
#[inline]
pub fn inplace(world: Gc<World>, op: usize, x: Value, y: Value, depth: i64) -> Outcome {
    let is_number = matches!(
        x,
        Value::Int(_) | Value::Float(_) | Value::Bool(_) | Value::Str(_)
    );
    if is_number {
        match op {
            OP_ADD => return add(world, x, y, depth),
            OP_SUB => return sub(world, x, y, depth),
            OP_MUL => return mul(world, x, y, depth),
            OP_DIV => return div(world, x, y, depth),
            OP_FLOOR_DIV => return floor_div(world, x, y, depth),
            OP_MOD => return modulo(world, x, y, depth),
            _ => {
                if let (Value::Int(_), Value::Int(_)) = (x, y) {
                    return binary(world, op, x, y, depth);
                }
            }
        }
    }
    operate::inplace(world, op, x, y, depth)
}

/// `-x`
#[inline]
pub fn negate(world: Gc<World>, x: Value, depth: i64) -> Outcome {
    match x {
        Value::Int(a) if a != i64::MIN => Ok(Value::Int(-a)),
        Value::Float(a) => Ok(Value::Float(-a)),
        Value::Bool(a) => Ok(Value::Int(-(a as i64))),
        Value::Int(_) | Value::Big(_) => Ok(number::negated(x)),
        Value::Complex(z) => Ok(complex(-z.re, -z.im)),
        _ => operate::unary(world, names::NEG, fault::NO_NEG, x, depth),
    }
}

/// `+x`
#[inline]
pub fn plus(world: Gc<World>, x: Value, depth: i64) -> Outcome {
    match x {
        Value::Int(_) | Value::Float(_) | Value::Big(_) | Value::Complex(_) => Ok(x),
        Value::Bool(a) => Ok(Value::Int(a as i64)),
        _ => operate::unary(world, names::POS, fault::NO_POS, x, depth),
    }
}

/// `~x`
#[inline]
pub fn invert(world: Gc<World>, x: Value, depth: i64) -> Outcome {
    match x {
        Value::Int(a) => Ok(Value::Int(!a)),
        Value::Bool(a) => Ok(Value::Int(!(a as i64))),
        Value::Big(_) => Ok(number::inverted(x)),
        _ => operate::unary(world, names::INVERT, fault::NO_INVERT, x, depth),
    }
}
