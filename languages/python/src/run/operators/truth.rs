//! What is true. In: values. Out: booleans.

use crate::heap::class;
use crate::heap::exception::Thrown;
use crate::heap::value::Value;
use crate::heap::world::{World, class_of, names};
use crate::plain::fault;
use crate::run::call;
use crate::run::items::iterate;
use verdigris::prelude::*;

/// Whether a value is true.
///
/// # Errors
/// What its `__bool__` or `__len__` raises.
#[inline]
pub fn of(world: Gc<World>, value: Value, depth: i64) -> Result<bool, Thrown> {
    match value {
        Value::Bool(b) => Ok(b),
        Value::None => Ok(false),
        Value::Int(x) => Ok(x != 0),
        Value::Float(x) => Ok(x != 0.0),
        Value::Str(text) => Ok(text.chars != 0),
        Value::List(list) => Ok(!list.is_empty()),
        Value::Tuple(tuple) => Ok(!tuple.is_empty()),
        Value::Dict(dict) | Value::Set(dict) | Value::FrozenSet(dict) => Ok(dict.live.get() != 0),
        Value::Range(range) => Ok(iterate::range_len(range) != 0),
        Value::Instance(_) | Value::Class(_) => of_object(world, value, depth),
        Value::Bytes(bytes) => Ok(!bytes.is_empty()),
        Value::ByteArray(bytes) => Ok(!bytes.is_empty()),
        Value::Complex(z) => Ok(z.re != 0.0 || z.im != 0.0),
        Value::View(view) => Ok(view.dict.live.get() != 0),
        _ => Ok(true),
    }
}

#[inline]
fn of_object(world: Gc<World>, value: Value, depth: i64) -> Result<bool, Thrown> {
    let class = class_of(world, value);
    let found = class::lookup(class, world.names[names::BOOL]);
    if !found.is_unbound() {
        return match call::method(world, found, value, call::nothing(), depth)? {
            Value::Bool(b) => Ok(b),
            other => Err(fault::about(world, fault::BOOL_RETURNED, other)),
        };
    }
    let found = class::lookup(class, world.names[names::LEN]);
    if found.is_unbound() {
        return Ok(true);
    }
    match call::method(world, found, value, call::nothing(), depth)? {
        Value::Int(len) if len >= 0 => Ok(len != 0),
        Value::Bool(b) => Ok(b),
        other => Err(crate::run::native::bad_length(world, other)),
    }
}
