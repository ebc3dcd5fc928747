//! What needs no function of a program: operators on builtin objects that are no hot cases, in this
//! file, and numbers, strings, and the exceptions of the language in the others. In: an operator
//! and operands. Out: a value, or a `TypeError` in CPython's words. Invariant: no function of the
//! program is called.

pub mod bigint;
pub mod bytes;
pub mod codec;
pub mod complex;
pub mod decimal;
pub mod digest;
pub mod exports;
pub mod fault;
pub mod float_hex;
pub mod half;
pub mod number;
pub mod places;
pub mod regex;
pub mod spec;
pub mod string;
pub mod unicode;
pub mod words;

use crate::bytecode::opcode::{OP_ADD, OP_AND, OP_MUL, OP_OR, OP_POW, OP_XOR};
use crate::heap::dict::{self, Dict};
use crate::heap::exception::Thrown;
use crate::heap::value::{Tuple, Value};
use crate::heap::world::{World, type_name};
use verdigris::{List, prelude::*};

/// How many items a sequence that is repeated may have.
const MAX_ITEMS: usize = 1 << 31;

/// `x op y`
#[opaque]
pub fn binary(
    world: Gc<World>,
    op: usize,
    inplace: bool,
    x: Value,
    y: Value,
) -> Result<Value, Thrown> {
    // Booleans keep to themselves in `&`, `|` and `^` alone.
    if let (Value::Bool(a), Value::Bool(b)) = (x, y) {
        match op {
            OP_AND => return Ok(Value::Bool(a & b)),
            OP_OR => return Ok(Value::Bool(a | b)),
            OP_XOR => return Ok(Value::Bool(a ^ b)),
            _ => {}
        }
    }
    let (x, y) = (number::without_bool(x), number::without_bool(y));
    match (x, y) {
        (Value::Int(_) | Value::Big(_), Value::Int(_) | Value::Big(_)) => {
            if op == OP_POW && bigint::is_negative(y) {
                let (a, b) = (number::as_float(world, x)?, number::as_float(world, y)?);
                return complex::power_of_floats(world, a, b);
            }
            bigint::binary(world, op, x, y)
        }
        (Value::Float(_), Value::Int(_) | Value::Big(_) | Value::Float(_))
        | (Value::Int(_) | Value::Big(_), Value::Float(_)) => {
            let (a, b) = (number::as_float(world, x)?, number::as_float(world, y)?);
            if op == OP_POW {
                return complex::power_of_floats(world, a, b);
            }
            number::float_binary(world, op, a, b)?
                .ok_or_else(|| fault::unsupported(world, op, inplace, x, y))
        }
        _ => match of_others(world, op, x, y)? {
            Some(value) => Ok(value),
            None => Err(fault::unsupported(world, op, inplace, x, y)),
        },
    }
}

/// The same of complex numbers, and of what is no number; `None` if there is no such operator.
fn of_others(world: Gc<World>, op: usize, x: Value, y: Value) -> Result<Option<Value>, Thrown> {
    match complex::binary(world, op, x, y)? {
        None => sequences(world, op, x, y),
        found => Ok(found),
    }
}

fn sequences(world: Gc<World>, op: usize, x: Value, y: Value) -> Result<Option<Value>, Thrown> {
    if op == OP_ADD {
        let kind = match (x, y) {
            (Value::Str(a), Value::Str(b)) => return Ok(Some(Value::Str(string::concat(a, b)))),
            (Value::List(a), Value::List(b)) => {
                let all = List::with_capacity(a.len() + b.len());
                (0..a.len()).for_each(|n| all.push(a.at(n)));
                (0..b.len()).for_each(|n| all.push(b.at(n)));
                return Ok(Some(Value::List(all)));
            }
            (Value::Tuple(a), Value::Tuple(b)) => {
                let all = Tuple::new(a.len() + b.len(), Value::Unbound);
                (0..a.len()).for_each(|n| all[n].set(a[n].get()));
                (0..b.len()).for_each(|n| all[a.len() + n].set(b[n].get()));
                return Ok(Some(Value::Tuple(all)));
            }
            (Value::Bytes(_) | Value::ByteArray(_), _) => {
                return bytes::concat(world, x, y).map(Some);
            }
            (Value::Str(_), _) => "str",
            (Value::List(_), _) => "list",
            (Value::Tuple(_), _) => "tuple",
            _ => return Ok(None),
        };
        let other = type_name(world, y);
        let message = format!("can only concatenate {kind} (not \"{other}\") to {kind}");
        return Err(fault::type_error(world, &message));
    }
    if op == OP_MUL {
        return match (x, y) {
            (Value::Int(n), other) | (other, Value::Int(n)) => repeated(world, other, n),
            _ => {
                let is_sequence = |v| {
                    matches!(v, Value::Str(_) | Value::List(_) | Value::Tuple(_)) || bytes::is(v)
                };
                let other = match (is_sequence(x), is_sequence(y)) {
                    (true, _) => y,
                    (_, true) => x,
                    _ => return Ok(None),
                };
                let name = type_name(world, other);
                let message = format!("can't multiply sequence by non-int of type '{name}'");
                Err(fault::type_error(world, &message))
            }
        };
    }
    Ok(None)
}

fn repeated(world: Gc<World>, value: Value, n: i64) -> Result<Option<Value>, Thrown> {
    let count = usize::try_from(n).unwrap_or(0);
    let len = match value {
        Value::Str(text) => text.data.len(),
        Value::List(list) => list.len(),
        Value::Tuple(tuple) => tuple.len(),
        Value::Bytes(bytes) => bytes.len(),
        Value::ByteArray(bytes) => bytes.len(),
        _ => return Ok(None),
    };
    if len.checked_mul(count).is_none_or(|all| all > MAX_ITEMS) {
        return Err(fault::new(
            world,
            crate::heap::world::classes::MEMORY_ERROR,
            "",
        ));
    }
    Ok(Some(match value {
        Value::Str(text) => crate::heap::value::text(&text.as_str().repeat(count)),
        Value::List(list) => {
            let all = List::with_capacity(len * count);
            for _ in 0..count {
                (0..len).for_each(|n| all.push(list.at(n)));
            }
            Value::List(all)
        }
        Value::Tuple(tuple) => {
            let all = Tuple::new(len * count, Value::Unbound);
            for n in 0..len * count {
                all[n].set(tuple[n % len].get());
            }
            Value::Tuple(all)
        }
        other => match bytes::of(&other) {
            Some(own) => bytes::like(other, &own.repeat(count)),
            None => return Ok(None),
        },
    }))
}

/// The numbers of the entries of a dict.
pub fn entries(dict: Gc<Dict>) -> impl Iterator<Item = usize> {
    let mut at = 0;
    std::iter::from_fn(move || {
        at = dict::next(dict, at);
        let entry = at;
        at += 1;
        (entry < dict.used.get()).then_some(entry)
    })
}

/// `list *= n`. Whether it was that.
#[opaque]
pub fn inplace(_world: Gc<World>, op: usize, x: Value, y: Value) -> bool {
    match (x, y) {
        (Value::List(list), Value::Int(n)) if op == OP_MUL => {
            let len = list.len();
            if n <= 0 {
                list.clear();
            }
            for _ in 1..n {
                (0..len).for_each(|n| list.push(list.at(n)));
            }
            true
        }
        (Value::ByteArray(own), _) => bytes::inplace(own, op, y),
        _ => false,
    }
}
