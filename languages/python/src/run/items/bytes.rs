//! Items of strings of bytes. In: strings and indices. Out: numbers and strings. Invariant: an item
//! is a number below 256; what an index and a slice mean is as in [`super::slice`].

use crate::heap::class;
use crate::heap::exception::Thrown;
use crate::heap::instance;
use crate::heap::value::Value;
use crate::heap::world::{World, intern, type_name};
use crate::plain::bytes;
use crate::plain::exports;
use crate::plain::fault;
use crate::run::call;
use crate::run::items::iterate;
use crate::run::items::slice::{bounds, place, places, too_large};
use crate::run::native::collect;
use verdigris::{List, prelude::*};

pub use crate::plain::bytes::is;

/// A value, or the bytes of one that has some: a view of them or an array.
///
/// # Errors
/// That the view has been released.
#[opaque]
pub fn bytes_like(world: Gc<World>, value: Value, depth: i64) -> Result<Value, Thrown> {
    let inner = instance::plain(value);
    if let Value::Instance(own) = inner {
        let found = class::lookup(instance::class(own), intern(world, "__buffer__"));
        if !found.is_unbound() {
            let flags = call::one(Value::Int(0));
            return call::method(world, found, inner, flags, depth);
        }
    }
    Ok(inner)
}

/// `object[index]`
///
/// # Errors
/// That there is no such item.
pub fn get(world: Gc<World>, object: Value, given: Value, depth: i64) -> Result<Value, Thrown> {
    let own = bytes::of(&object).unwrap_or_default();
    let Value::Slice(slice) = given else {
        let (kind, range) = match object {
            Value::Bytes(_) => ("byte", fault::BYTES_RANGE),
            _ => ("bytearray", fault::BYTEARRAY_RANGE),
        };
        let at = index(world, given, own.len(), kind, depth)?;
        let at = at.ok_or_else(|| fault::simple(world, range))?;
        return Ok(Value::Int(i64::from(own[at])));
    };
    let (start, stop, step) = bounds(world, slice, own.len(), depth)?;
    if step == 1 {
        let (start, stop) = (start as usize, stop.max(start) as usize);
        return Ok(bytes::like(object, &own[start..stop]));
    }
    let made: Vec<u8> = places(start, stop, step).map(|n| own[n]).collect();
    Ok(bytes::like(object, &made))
}

/// The place of an index, if there is one.
fn index(
    world: Gc<World>,
    given: Value,
    len: usize,
    kind: &str,
    depth: i64,
) -> Result<Option<usize>, Thrown> {
    match collect::index(world, given, depth) {
        Ok(Value::Int(index)) => Ok(place(index, len)),
        Ok(_) => Err(too_large(world)),
        Err(_) => {
            let name = type_name(world, given);
            let message = format!("{kind} indices must be integers or slices, not {name}");
            Err(fault::type_error(world, &message))
        }
    }
}

/// A value as a byte.
///
/// # Errors
/// A `TypeError` if it is no integer, a `ValueError` if it is not below 256.
pub fn byte(world: Gc<World>, value: Value, depth: i64) -> Result<u8, Thrown> {
    match collect::index(world, value, depth)? {
        Value::Int(x @ 0..256) => Ok(x as u8),
        _ => Err(fault::value_error(world, "byte must be in range(0, 256)")),
    }
}

/// The bytes of an iterable of integers, or of a string of bytes.
///
/// # Errors
/// What iterating raises, and what is no byte.
pub fn collected(world: Gc<World>, value: Value, depth: i64) -> Result<Vec<u8>, Thrown> {
    if let Some(own) = bytes::of(&bytes_like(world, value, depth)?) {
        return Ok(own.into_owned());
    }
    let all = collect::list_of(world, value, depth)?;
    (0..all.len())
        .map(|n| byte(world, all.at(n), depth))
        .collect()
}

/// `own[index] = value`
///
/// # Errors
/// That there is no such item, or that the values do not fit.
pub fn set(
    world: Gc<World>,
    own: Gc<List<u8>>,
    given: Value,
    value: Value,
    depth: i64,
) -> Result<(), Thrown> {
    let Value::Slice(slice) = given else {
        let at = index(world, given, own.len(), "bytearray", depth)?;
        let at = at.ok_or_else(|| fault::simple(world, fault::BYTEARRAY_RANGE))?;
        own.set(at, byte(world, value, depth)?);
        return Ok(());
    };
    let is_text = matches!(value, Value::Str(_)) || !iterate::is_iterable(world, value);
    if is_text {
        let message = "can assign only bytes, buffers, or iterables of ints in range(0, 256)";
        return Err(fault::type_error(world, message));
    }
    let values = collected(world, value, depth)?;
    let (start, stop, step) = bounds(world, slice, own.len(), depth)?;
    if step != 1 {
        let count = iterate::count(start, stop, step) as usize;
        if values.len() != count {
            let message = format!(
                "attempt to assign bytes of size {} to extended slice of size {count}",
                values.len()
            );
            return Err(fault::value_error(world, &message));
        }
        for (n, at) in places(start, stop, step).enumerate() {
            own.set(at, values[n]);
        }
        return Ok(());
    }
    if values.len() != (stop.max(start) - start) as usize {
        exports::check(world, own)?;
    }
    let mut data = bytes::copy(own);
    data.splice(start as usize..stop.max(start) as usize, values);
    bytes::assign(own, &data);
    Ok(())
}

/// `del own[index]`
///
/// # Errors
/// That there is no such item.
pub fn delete(world: Gc<World>, own: Gc<List<u8>>, given: Value, depth: i64) -> Result<(), Thrown> {
    let Value::Slice(slice) = given else {
        let at = index(world, given, own.len(), "bytearray", depth)?;
        let at = at.ok_or_else(|| fault::simple(world, fault::BYTEARRAY_RANGE))?;
        exports::check(world, own)?;
        own.remove(at);
        return Ok(());
    };
    let (start, stop, step) = bounds(world, slice, own.len(), depth)?;
    let mut goes = vec![false; own.len()];
    places(start, stop, step).for_each(|n| goes[n] = true);
    if goes.contains(&true) {
        exports::check(world, own)?;
    }
    let kept = bytes::copy(own).into_iter().zip(goes);
    let kept: Vec<u8> = kept
        .filter(|(_, goes)| !goes)
        .map(|(byte, _)| byte)
        .collect();
    bytes::assign(own, &kept);
    Ok(())
}

/// Whether a string has a byte, or another string in it.
///
/// # Errors
/// A `TypeError` if that is neither.
pub fn has(world: Gc<World>, object: Value, wanted: Value, depth: i64) -> Result<bool, Thrown> {
    let own = bytes::of(&object).unwrap_or_default();
    if let Some(part) = bytes::of(&bytes_like(world, wanted, depth)?) {
        return Ok(bytes::find(&own, &part).is_some());
    }
    match collect::index(world, wanted, depth) {
        Ok(_) => Ok(own.contains(&byte(world, wanted, depth)?)),
        Err(_) => {
            let name = type_name(world, wanted);
            let message = format!("a bytes-like object is required, not '{name}'");
            Err(fault::type_error(world, &message))
        }
    }
}
