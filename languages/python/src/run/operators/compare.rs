//! Comparisons. In: a comparison and operands. Out: a value, or whether it holds. Invariant: as
//! CPython: the right operand's method comes first if its class derives from the left one's.

use crate::bytecode::opcode::{
    CMP_EQ, CMP_GE, CMP_GT, CMP_IN, CMP_IS, CMP_IS_NOT, CMP_LE, CMP_LT, CMP_NE, CMP_NOT_IN,
};
use crate::heap::class;
use crate::heap::exact::fits_float;
use crate::heap::exception::Thrown;
use crate::heap::value::{self, Value};
use crate::heap::world::{World, class_of, names};
use crate::plain::fault;
use crate::run::call;
use crate::run::operators::contains;
use crate::run::operators::order;
use crate::run::operators::truth;
use verdigris::prelude::*;

/// The result of a comparison.
///
/// # Errors
/// A `TypeError` if the operands have no order, and what functions of the program raise.
#[inline]
pub fn value(world: Gc<World>, op: usize, x: Value, y: Value, depth: i64) -> Result<Value, Thrown> {
    match op {
        CMP_IS => Ok(Value::Bool(value::is(x, y))),
        CMP_IS_NOT => Ok(Value::Bool(!value::is(x, y))),
        CMP_IN => Ok(Value::Bool(contains::holds(world, y, x, depth)?)),
        CMP_NOT_IN => Ok(Value::Bool(!contains::holds(world, y, x, depth)?)),
        _ => rich(world, op, x, y, depth),
    }
}

/// Whether a comparison by order or equality holds.
///
/// # Errors
/// As [`value()`].
#[inline]
pub fn holds(world: Gc<World>, op: usize, x: Value, y: Value, depth: i64) -> Result<bool, Thrown> {
    match rich(world, op, x, y, depth)? {
        Value::Bool(b) => Ok(b),
        other => truth::of(world, other, depth),
    }
}

/// Whether two values are equal.
///
/// # Errors
/// What functions of the program raise.
#[inline]
pub fn equal(world: Gc<World>, x: Value, y: Value, depth: i64) -> Result<bool, Thrown> {
    holds(world, CMP_EQ, x, y, depth)
}

#[inline]
fn rich(world: Gc<World>, op: usize, x: Value, y: Value, depth: i64) -> Result<Value, Thrown> {
    match (x, y) {
        (Value::Int(a), Value::Int(b)) => Ok(Value::Bool(ints(op, a, b))),
        (Value::Float(a), Value::Float(b)) => Ok(Value::Bool(floats(op, a, b))),
        (Value::Int(a), Value::Float(b)) if fits_float(a) => {
            Ok(Value::Bool(floats(op, a as f64, b)))
        }
        (Value::Float(a), Value::Int(b)) if fits_float(b) => {
            Ok(Value::Bool(floats(op, a, b as f64)))
        }
        (Value::Str(a), Value::Str(b)) => match op {
            CMP_EQ => Ok(Value::Bool(Gc::ptr_eq(a, b) || a.data.same(b.data))),
            CMP_NE => Ok(Value::Bool(!Gc::ptr_eq(a, b) && !a.data.same(b.data))),
            _ => Ok(Value::Bool(ints(op, a.data.compare(b.data), 0))),
        },
        (Value::Bytes(a), Value::Bytes(b)) => match op {
            CMP_EQ => Ok(Value::Bool(Gc::ptr_eq(a, b) || a.same(b))),
            CMP_NE => Ok(Value::Bool(!Gc::ptr_eq(a, b) && !a.same(b))),
            _ => Ok(Value::Bool(ints(op, a.compare(b), 0))),
        },
        (Value::Instance(_), _) | (_, Value::Instance(_)) => objects(world, op, x, y, depth),
        (Value::None, Value::None) => match op {
            CMP_EQ => Ok(Value::Bool(true)),
            CMP_NE => Ok(Value::Bool(false)),
            _ => Err(fault::unordered(world, op, x, y)),
        },
        (Value::Class(_), _) | (_, Value::Class(_)) if has_meta(x) || has_meta(y) => {
            objects(world, op, x, y, depth)
        }
        _ => others(world, op, x, y, depth),
    }
}

/// Whether a value is a class whose own class is one of a program.
#[inline]
fn has_meta(value: Value) -> bool {
    match value {
        Value::Class(class) => promote(class).meta.is_some(),
        _ => false,
    }
}

#[inline]
fn others(world: Gc<World>, op: usize, x: Value, y: Value, depth: i64) -> Result<Value, Thrown> {
    let known = match (x, y) {
        (Value::Tuple(a), Value::Tuple(b)) => order::of_tuples(op, a, b),
        (Value::List(a), Value::List(b)) => order::of_lists(op, a, b),
        _ => order::UNKNOWN,
    };
    if known == order::UNKNOWN {
        return order::in_general(world, op, x, y, depth);
    }
    Ok(Value::Bool(known == 1))
}

/// A comparison of integers.
#[inline(always)]
pub fn ints(op: usize, a: i64, b: i64) -> bool {
    match op {
        CMP_LT => a < b,
        CMP_LE => a <= b,
        CMP_EQ => a == b,
        CMP_NE => a != b,
        CMP_GT => a > b,
        _ => a >= b,
    }
}

#[inline(always)]
fn floats(op: usize, a: f64, b: f64) -> bool {
    match op {
        CMP_LT => a < b,
        CMP_LE => a <= b,
        CMP_EQ => a == b,
        CMP_NE => a != b,
        CMP_GT => a > b,
        _ => a >= b,
    }
}

/// The comparison with the operands exchanged.
#[inline(always)]
fn exchanged(op: usize) -> usize {
    match op {
        CMP_LT => CMP_GT,
        CMP_LE => CMP_GE,
        CMP_GT => CMP_LT,
        CMP_GE => CMP_LE,
        other => other,
    }
}

#[inline(always)]
fn is_object(value: Value) -> bool {
    matches!(value, Value::Instance(_) | Value::Class(_))
}

/// A comparison of which an operand is an object of a program's class.
#[inline]
fn objects(world: Gc<World>, op: usize, x: Value, y: Value, depth: i64) -> Result<Value, Thrown> {
    let (class_x, class_y) = (class_of(world, x), class_of(world, y));
    // Builtin objects do not know those of programs.
    let forward = match is_object(x) {
        true => class::lookup(class_x, world.names[names::LT + op]),
        false => Value::Unbound,
    };
    let backward = match is_object(y) {
        true => class::lookup(class_y, world.names[names::LT + exchanged(op)]),
        false => Value::Unbound,
    };
    let first =
        !Gc::ptr_eq(class_x, class_y) && !backward.is_unbound() && class::derives(class_y, class_x);
    if first {
        let result = call::method(world, backward, y, call::one(x), depth)?;
        if !result.is_not_implemented() {
            return Ok(result);
        }
    }
    if !forward.is_unbound() {
        let result = call::method(world, forward, x, call::one(y), depth)?;
        if !result.is_not_implemented() {
            return Ok(result);
        }
    } else if op == CMP_NE && is_object(x) {
        // What is not equal follows from what is.
        let equal = class::lookup(class_x, world.names[names::EQ]);
        if !equal.is_unbound() {
            let result = call::method(world, equal, x, call::one(y), depth)?;
            if !result.is_not_implemented() {
                return Ok(Value::Bool(!truth::of(world, result, depth)?));
            }
        }
    }
    if !first && !backward.is_unbound() {
        let result = call::method(world, backward, y, call::one(x), depth)?;
        if !result.is_not_implemented() {
            return Ok(result);
        }
    } else if !first && op == CMP_NE && is_object(y) {
        let equal = class::lookup(class_y, world.names[names::EQ]);
        if !equal.is_unbound() {
            let result = call::method(world, equal, y, call::one(x), depth)?;
            if !result.is_not_implemented() {
                return Ok(Value::Bool(!truth::of(world, result, depth)?));
            }
        }
    }
    match op {
        CMP_EQ => Ok(Value::Bool(value::is(x, y))),
        CMP_NE => Ok(Value::Bool(!value::is(x, y))),
        _ => Err(fault::unordered(world, op, x, y)),
    }
}
