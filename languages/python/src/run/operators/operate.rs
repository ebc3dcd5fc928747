//! Operators on objects. In: an operator and operands. Out: a value. Invariant: as CPython: the
//! left operand's method comes first, unless the right one is of a class that derives from the left
//! one's and has its own; what returns `NotImplemented` leaves it to the other.

use crate::bytecode::opcode::{OP_ADD, OP_MUL, OP_OR};
use crate::heap::class;
use crate::heap::exact::fits_float;
use crate::heap::exception::{self, Thrown};
use crate::heap::instance;
use crate::heap::value::Value;
use crate::heap::world::{World, class_of, names};
use crate::plain;
use crate::plain::complex;
use crate::plain::exports;
use crate::plain::fault;
use crate::run::call;
use crate::run::items::algebra;
use crate::run::items::bytes::bytes_like;
use crate::run::objects::import;
use verdigris::prelude::*;

type Outcome = Result<Value, Thrown>;

/// `x op y` where the hot cases do not apply.
#[inline]
pub fn binary(
    world: Gc<World>,
    op: usize,
    inplace: bool,
    x: Value,
    y: Value,
    depth: i64,
) -> Outcome {
    let (of_x, of_y) = (is_object(x), is_object(y));
    if of_x || of_y {
        let found = dispatch(world, op, x, y, depth)?;
        if !found.is_not_implemented() {
            return Ok(found);
        }
        if let Value::Str(_) | Value::Bytes(_) | Value::ByteArray(_) = x {
            // `%` takes anything.
        } else {
            return inner_binary(world, op, inplace, x, y, depth);
        }
    }
    if op == OP_OR && (is_type(x) || is_type(y)) {
        return union(world, x, y, depth);
    }
    if op == crate::bytecode::opcode::OP_MOD
        && let Value::Str(pattern) = x
    {
        return crate::run::operators::percent::format(world, pattern, y, depth);
    }
    if op == crate::bytecode::opcode::OP_MOD && matches!(x, Value::Bytes(_) | Value::ByteArray(_)) {
        return crate::run::operators::percent::format_bytes(world, x, y, depth);
    }
    if of_y {
        return inner_binary(world, op, inplace, x, y, depth);
    }
    builtin(world, op, inplace, x, y, depth)
}

/// The operator on builtin objects.
#[inline]
fn builtin(world: Gc<World>, op: usize, inplace: bool, x: Value, y: Value, depth: i64) -> Outcome {
    let is_view = matches!(x, Value::View(_)) || matches!(y, Value::View(_));
    if is_view || matches!(x, Value::Set(_) | Value::FrozenSet(_) | Value::Dict(_)) {
        let made = algebra::binary(world, op, x, y, depth)?;
        if !made.is_unbound() {
            return Ok(made);
        }
    }
    if let (Value::Complex(a), Value::Complex(b)) = (x, y)
        && let Some(value) = complex::hot(op, a, b)
    {
        return Ok(value);
    }
    if let (Value::Complex(z), Value::Float(real)) = (x, y)
        && let Some(value) = complex::hot_real(op, z, real)
    {
        return Ok(value);
    }
    if let (Value::Complex(z), Value::Int(real)) = (x, y)
        && fits_float(real)
        && let Some(value) = complex::hot_real(op, z, real as f64)
    {
        return Ok(value);
    }
    plain::binary(world, op, inplace, x, y)
}

/// Whether a value is a class, or `None` in its place.
#[inline(always)]
fn is_type(value: Value) -> bool {
    matches!(value, Value::Class(_))
}

/// `x | y` of types.
#[opaque]
fn union(world: Gc<World>, x: Value, y: Value, depth: i64) -> Outcome {
    import::call(world, "types", "union", &[x, y], depth)
}

/// The operator on what instances have of builtin classes.
#[opaque]
fn inner_binary(
    world: Gc<World>,
    op: usize,
    inplace: bool,
    x: Value,
    y: Value,
    depth: i64,
) -> Outcome {
    let (a, b) = (instance::plain(x), instance::plain(y));
    // What cannot be put behind a sequence is called so.
    let is_sequence = matches!(a, Value::Str(_) | Value::List(_) | Value::Tuple(_))
        || matches!(a, Value::Bytes(_) | Value::ByteArray(_));
    match (a, b) {
        (_, Value::Instance(_)) if op == OP_ADD && is_sequence => {}
        (Value::Instance(_), _) | (_, Value::Instance(_)) => {
            return Err(fault::unsupported(world, op, inplace, x, y));
        }
        _ => {}
    }
    builtin(world, op, inplace, a, b, depth).map_err(|thrown| {
        // It is about the objects, not about what they have.
        match exception::part(thrown).args.get() {
            Value::Tuple(args) => match args[0].get() {
                Value::Str(text) if text.as_str().starts_with("unsupported operand") => {
                    fault::unsupported(world, op, inplace, x, y)
                }
                _ => thrown,
            },
            _ => thrown,
        }
    })
}

/// Whether operators of a value are methods that a program has written.
#[inline(always)]
fn is_object(value: Value) -> bool {
    match value {
        Value::Instance(_) => true,
        Value::Class(class) => promote(class).meta.is_some(),
        _ => false,
    }
}

/// Asks the methods for an operator; `NotImplemented` if none of them knows.
#[inline]
fn dispatch(world: Gc<World>, op: usize, x: Value, y: Value, depth: i64) -> Outcome {
    let (class_x, class_y) = (class_of(world, x), class_of(world, y));
    // Builtin objects do not know those of programs.
    let forward = match x {
        Value::Instance(_) | Value::Class(_) => {
            class::lookup(class_x, world.names[names::ADD + op])
        }
        _ => Value::Unbound,
    };
    let same = Gc::ptr_eq(class_x, class_y);
    let reflected = if same {
        Value::Unbound
    } else {
        class::lookup(class_y, world.names[names::RADD + op])
    };
    let first = !same
        && !reflected.is_unbound()
        && class::derives(class_y, class_x)
        && class::lookup(class_x, world.names[names::RADD + op]) != reflected;
    if first {
        let result = call::method(world, reflected, y, call::one(x), depth)?;
        if !result.is_not_implemented() {
            return Ok(result);
        }
    }
    if !forward.is_unbound() {
        let result = call::method(world, forward, x, call::one(y), depth)?;
        if !result.is_not_implemented() {
            return Ok(result);
        }
    }
    if !first && !reflected.is_unbound() {
        return call::method(world, reflected, y, call::one(x), depth);
    }
    Ok(Value::NotImplemented)
}

/// `x op= y` where the hot cases do not apply.
#[inline]
pub fn inplace(world: Gc<World>, op: usize, x: Value, y: Value, depth: i64) -> Outcome {
    match x {
        Value::Instance(_) => {
            let found = class::lookup(class_of(world, x), world.names[names::IADD + op]);
            if !found.is_unbound() {
                let result = call::method(world, found, x, call::one(y), depth)?;
                if !result.is_not_implemented() {
                    return Ok(result);
                }
            }
        }
        Value::List(list) if op == OP_ADD => {
            crate::run::items::build::extend(world, Value::List(list), y, depth)?;
            return Ok(x);
        }
        Value::ByteArray(own) => {
            let y = match y {
                Value::Instance(_) => bytes_like(world, y, depth)?,
                _ => y,
            };
            if op == OP_ADD || op == OP_MUL {
                exports::check(world, own)?;
            }
            if plain::inplace(world, op, x, y) {
                return Ok(x);
            }
        }
        Value::List(_) if plain::inplace(world, op, x, y) => return Ok(x),
        Value::Set(_) | Value::Dict(_) if algebra::inplace(world, op, x, y, depth)? => {
            return Ok(x);
        }
        _ => {}
    }
    binary(world, op, true, x, y, depth)
}

/// A method without arguments, or a `TypeError` that says `what`.
#[inline]
pub fn unary(world: Gc<World>, name: usize, what: usize, x: Value, depth: i64) -> Outcome {
    let found = class::lookup(class_of(world, x), world.names[name]);
    if found.is_unbound() {
        return Err(fault::about(world, what, x));
    }
    call::method(world, found, x, call::nothing(), depth)
}
