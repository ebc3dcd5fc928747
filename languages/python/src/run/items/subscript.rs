//! Items. In: objects and indices. Out: items. Invariant: an index counts from the end if it is
//! negative; what is not there is an `IndexError` or `KeyError`.

use crate::heap::class;
use crate::heap::dict;
use crate::heap::exception::Thrown;
use crate::heap::value::Value;
use crate::heap::world::{World, class_of, names};
use crate::plain::fault;
use crate::plain::string;
use crate::run::call;
use crate::run::items::hash;
use crate::run::items::keys;
use crate::run::items::slice;
use verdigris::prelude::*;

/// The place that an index means; beyond the end if there is none.
#[inline(always)]
fn place(index: i64, len: usize) -> usize {
    let at = if index < 0 {
        index.wrapping_add(len as i64)
    } else {
        index
    };
    if at < 0 { len } else { at as usize }
}

/// A bound of a slice without a step as a place of something that is so long; -1 if it is of a kind
/// that has to be asked.
#[inline(always)]
fn bound(bound: Value, default: i64, len: i64) -> i64 {
    match bound {
        Value::None => default,
        Value::Int(n) => {
            let at = if n < 0 { n.wrapping_add(len) } else { n };
            if at < 0 {
                0
            } else if at > len {
                len
            } else {
                at
            }
        }
        _ => -1,
    }
}

/// `object[index]`
///
/// # Errors
/// That there is no such item, and what functions of the program raise.
#[inline]
pub fn get(world: Gc<World>, object: Value, index: Value, depth: i64) -> Result<Value, Thrown> {
    match (object, index) {
        (Value::List(list), Value::Int(index)) => {
            let at = place(index, list.len());
            if at >= list.len() {
                return Err(fault::simple(world, fault::LIST_RANGE));
            }
            Ok(list.at(at))
        }
        (Value::Tuple(tuple), Value::Int(index)) => {
            let at = place(index, tuple.len());
            if at >= tuple.len() {
                return Err(fault::simple(world, fault::TUPLE_RANGE));
            }
            Ok(tuple[at].get())
        }
        (Value::Dict(dict), _) => {
            let hash = hash::of(world, index, depth)?;
            let found = keys::find(world, dict, index, hash, depth)?;
            if found < 0 {
                return Err(fault::no_key(world, index));
            }
            Ok(dict.values.get()[found as usize].get())
        }
        (Value::Str(text), Value::Int(index)) => {
            let at = place(index, text.chars);
            if at >= text.chars {
                return Err(fault::simple(world, fault::STRING_RANGE));
            }
            Ok(string::at(world, text, at))
        }
        (Value::Bytes(bytes), Value::Int(index)) => {
            let at = place(index, bytes.len());
            if at >= bytes.len() {
                return Err(fault::simple(world, fault::BYTES_RANGE));
            }
            Ok(Value::Int(bytes.at(at) as i64))
        }
        (Value::ByteArray(bytes), Value::Int(index)) => {
            let at = place(index, bytes.len());
            if at >= bytes.len() {
                return Err(fault::simple(world, fault::BYTEARRAY_RANGE));
            }
            Ok(Value::Int(bytes.at(at) as i64))
        }
        (Value::List(list), Value::Slice(bounds)) if bounds.step.is_none() => {
            let len = list.len() as i64;
            let start = bound(bounds.start, 0, len);
            let stop = bound(bounds.stop, len, len);
            if start < 0 || stop < 0 {
                return slice::get(world, object, index, depth);
            }
            let stop = if stop < start { start } else { stop };
            Ok(Value::List(list.slice(start as usize, stop as usize)))
        }
        (Value::Str(text), Value::Slice(bounds)) if bounds.step.is_none() => {
            let len = text.chars as i64;
            let start = bound(bounds.start, 0, len);
            let stop = bound(bounds.stop, len, len);
            if start < 0 || stop < 0 {
                return slice::get(world, object, index, depth);
            }
            Ok(Value::Str(string::part(
                world,
                text,
                start as usize,
                stop as usize,
            )))
        }
        (Value::Instance(_), _) => {
            let found = class::lookup(class_of(world, object), world.names[names::GETITEM]);
            if found.is_unbound() {
                return Err(fault::about(world, fault::NOT_SUBSCRIPTABLE, object));
            }
            call::method(world, found, object, call::one(index), depth)
        }
        _ => slice::get(world, object, index, depth),
    }
}

/// `object[index] = value`
///
/// # Errors
/// As [`get`].
#[inline]
pub fn set(
    world: Gc<World>,
    object: Value,
    index: Value,
    value: Value,
    depth: i64,
) -> Result<(), Thrown> {
    match (object, index) {
        (Value::List(list), Value::Int(index)) => {
            let at = place(index, list.len());
            if at >= list.len() {
                return Err(fault::simple(world, fault::LIST_ASSIGNMENT));
            }
            list.set(at, value);
            Ok(())
        }
        (Value::Dict(dict), _) => keys::put(world, dict, index, value, depth),
        (Value::ByteArray(bytes), Value::Int(index)) => {
            let at = place(index, bytes.len());
            match value {
                Value::Int(byte) if at < bytes.len() && (0..256).contains(&byte) => {
                    bytes.set(at, byte as u8);
                    Ok(())
                }
                _ => slice::set(world, object, Value::Int(index), value, depth),
            }
        }
        (Value::Instance(_), _) => {
            let found = class::lookup(class_of(world, object), world.names[names::SETITEM]);
            if found.is_unbound() {
                return Err(fault::about(world, fault::NO_ITEM_ASSIGNMENT, object));
            }
            call::method(world, found, object, call::two(index, value), depth)?;
            Ok(())
        }
        _ => slice::set(world, object, index, value, depth),
    }
}

/// `del object[index]`
///
/// # Errors
/// As [`get`].
#[inline]
pub fn delete(world: Gc<World>, object: Value, index: Value, depth: i64) -> Result<(), Thrown> {
    match (object, index) {
        (Value::Dict(dict), _) => {
            let hash = hash::of(world, index, depth)?;
            let found = keys::find(world, dict, index, hash, depth)?;
            if found < 0 {
                return Err(fault::no_key(world, index));
            }
            dict::remove(dict, found as usize);
            Ok(())
        }
        (Value::Instance(_), _) => {
            let found = class::lookup(class_of(world, object), world.names[names::DELITEM]);
            if found.is_unbound() {
                return Err(fault::about(world, fault::NO_ITEM_DELETION, object));
            }
            call::method(world, found, object, call::one(index), depth)?;
            Ok(())
        }
        _ => slice::delete(world, object, index, depth),
    }
}
