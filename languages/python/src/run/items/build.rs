//! Lists, tuples, sets and dicts in the making. In: registers. Out: objects, filled.

use crate::heap::exception::Thrown;
use crate::heap::value::{Registers, Tuple, Value};
use crate::heap::world::{World, classes};
use crate::plain;
use crate::plain::fault;
use crate::run::call::consume;
use crate::run::items::algebra;
use crate::run::items::keys;
use crate::run::native::collect;
use verdigris::{List, prelude::*};

/// A list of registers.
#[unroll_safe]
#[inline]
pub fn list(r: Registers, first: usize, count: usize) -> Value {
    let made: Gc<List<Value>> = List::with_capacity(count);
    for n in 0..count {
        made.push(r[first + n].get());
    }
    Value::List(made)
}

/// A tuple of registers.
#[unroll_safe]
#[inline]
pub fn tuple(world: Gc<World>, r: Registers, first: usize, count: usize) -> Value {
    if count == 0 {
        return Value::Tuple(world.no_items);
    }
    let made = Tuple::new(count, Value::Unbound);
    for n in 0..count {
        made[n].set(r[first + n].get());
    }
    Value::Tuple(made)
}

/// A set of registers.
#[unroll_safe]
#[inline]
pub fn set(
    world: Gc<World>,
    r: Registers,
    first: usize,
    count: usize,
    depth: i64,
) -> Result<Value, Thrown> {
    let made = crate::heap::dict::new();
    for n in 0..count {
        keys::add(world, made, r[first + n].get(), depth)?;
    }
    Ok(Value::Set(made))
}

/// Adds a value to a set.
#[inline]
pub fn add(world: Gc<World>, set: Value, value: Value, depth: i64) -> Result<(), Thrown> {
    match set {
        Value::Set(set) => keys::add(world, set, value, depth),
        _ => Ok(()),
    }
}

/// Adds all of an iterable to a list.
///
/// # Errors
/// What iterating raises.
#[inline]
pub fn extend(world: Gc<World>, list: Value, values: Value, depth: i64) -> Result<(), Thrown> {
    let values = consume::listed(world, values, depth)?;
    extend_outside(world, list, values, depth)
}

#[opaque]
fn extend_outside(world: Gc<World>, list: Value, values: Value, depth: i64) -> Result<(), Thrown> {
    if let Value::List(list) = list {
        list.extend(collect::list_of(world, values, depth)?);
    }
    Ok(())
}

/// All of an iterable as a tuple.
///
/// # Errors
/// As [`extend`].
#[inline]
pub fn to_tuple(world: Gc<World>, values: Value, depth: i64) -> Result<Value, Thrown> {
    match values {
        Value::Tuple(_) => Ok(values),
        Value::List(list) => Ok(list_to_tuple(world, list)),
        _ => {
            let list: Gc<List<Value>> = List::new();
            extend(world, Value::List(list), values, depth)?;
            Ok(list_to_tuple(world, list))
        }
    }
}

#[opaque]
fn list_to_tuple(world: Gc<World>, list: Gc<List<Value>>) -> Value {
    Value::Tuple(collect::tuple_of_list(world, list))
}

/// Adds all of an iterable to a set.
///
/// # Errors
/// What iterating and hashing raise.
#[opaque]
pub fn update(world: Gc<World>, set: Value, values: Value, depth: i64) -> Result<(), Thrown> {
    if let Value::Set(set) = set {
        let more = collect::list_of(world, values, depth)?;
        for n in 0..more.len() {
            keys::add(world, set, more.at(n), depth)?;
        }
    }
    Ok(())
}

/// Adds all of a mapping to a dict; keys of a call have to be new, and strings.
///
/// # Errors
/// That the other is no mapping, or that a keyword is given twice.
#[opaque]
pub fn merge(
    world: Gc<World>,
    dict: Value,
    other: Value,
    of_call: bool,
    depth: i64,
) -> Result<(), Thrown> {
    let Value::Dict(to) = dict else {
        return Ok(());
    };
    let Value::Dict(from) = collect::own_entries(world, other) else {
        let pairs = collect::mapping_of(world, other, depth)?;
        let Some(from) = pairs else {
            return Err(match of_call {
                true => fault::about(world, fault::NO_MAPPING, other),
                false => {
                    let name = crate::heap::world::type_name(world, other);
                    let message = format!("'{name}' object is not a mapping");
                    fault::type_error(world, &message)
                }
            });
        };
        return merge(world, dict, Value::Dict(from), of_call, depth);
    };
    if of_call {
        for entry in plain::entries(from) {
            let Value::Str(name) = from.keys.get()[entry].get() else {
                return Err(fault::type_error(world, "keywords must be strings"));
            };
            if algebra::find(world, to, from, entry, depth)? >= 0 {
                let message = format!(
                    "got multiple values for keyword argument '{}'",
                    name.as_str()
                );
                return Err(fault::new(world, classes::TYPE_ERROR, &message));
            }
        }
    }
    for entry in plain::entries(from) {
        let (key, value) = (from.keys.get()[entry].get(), from.values.get()[entry].get());
        keys::put(world, to, key, value, depth)?;
    }
    Ok(())
}
