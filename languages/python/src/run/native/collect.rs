//! Arguments as lists, sets, dicts and numbers. In: values. Out: objects of builtin classes.

use crate::heap::class;
use crate::heap::dict::{self, Dict};
use crate::heap::exception::Thrown;
use crate::heap::instance;
use crate::heap::value::{Tuple, Value};
use crate::heap::world::{World, class_of, intern, names, type_name};
use crate::plain::bigint;
use crate::plain::fault;
use crate::plain::number;
use crate::run::call;
use crate::run::items::algebra;
use crate::run::items::iterate;
use crate::run::items::keys;
use verdigris::{List, prelude::*};

/// All items of an iterable.
///
/// # Errors
/// What iterating raises.
pub fn list_of(world: Gc<World>, value: Value, depth: i64) -> Result<Gc<List<Value>>, Thrown> {
    let made: Gc<List<Value>> = List::new();
    match value {
        Value::List(list) => return Ok(list.slice(0, list.len())),
        Value::Tuple(tuple) => {
            (0..tuple.len()).for_each(|n| made.push(tuple[n].get()));
            return Ok(made);
        }
        _ => {}
    }
    let iterator = iterate::start(world, value, depth)?;
    loop {
        match iterate::next(world, iterator, depth)? {
            Value::Unbound => return Ok(made),
            item => made.push(item),
        }
    }
}

/// The items of a list as a tuple.
pub fn tuple_of_list(world: Gc<World>, list: Gc<List<Value>>) -> Tuple {
    if list.is_empty() {
        return world.no_items;
    }
    let tuple = Tuple::new(list.len(), Value::Unbound);
    (0..list.len()).for_each(|n| tuple[n].set(list.at(n)));
    tuple
}

/// All items of an iterable as a set.
///
/// # Errors
/// What iterating and hashing raise.
pub fn set_of(world: Gc<World>, value: Value, depth: i64) -> Result<Gc<Dict>, Thrown> {
    if let Value::Set(set) | Value::FrozenSet(set) = value {
        return Ok(dict::copy(set));
    }
    let all = list_of(world, value, depth)?;
    let made = dict::new();
    for n in 0..all.len() {
        keys::add(world, made, all.at(n), depth)?;
    }
    Ok(made)
}

/// The dict that an instance of a class has that derives from `dict`, and that is iterated over as
/// one; other values as they are.
pub fn own_entries(world: Gc<World>, value: Value) -> Value {
    let inner = instance::plain(value);
    let iter = class::lookup(class_of(world, value), world.names[names::ITER]);
    match (inner, iter) {
        (Value::Dict(_), Value::Native(_)) => inner,
        _ => value,
    }
}

/// A mapping that is no dict as one; `None` if it is no mapping.
///
/// # Errors
/// What its methods raise.
pub fn mapping_of(world: Gc<World>, value: Value, depth: i64) -> Result<Option<Gc<Dict>>, Thrown> {
    let Value::Instance(_) = value else {
        return Ok(None);
    };
    let found = class::lookup(class_of(world, value), intern(world, "keys"));
    if found.is_unbound() {
        return Ok(None);
    }
    let all = call::method(world, found, value, call::nothing(), depth)?;
    let all = list_of(world, all, depth)?;
    let made = dict::new();
    for n in 0..all.len() {
        let item = crate::run::items::subscript::get(world, value, all.at(n), depth)?;
        keys::put(world, made, all.at(n), item, depth)?;
    }
    Ok(Some(made))
}

/// Adds pairs, or the entries of a mapping, to a dict.
///
/// # Errors
/// What iterating and hashing raise, and that something is no pair.
pub fn add_pairs(world: Gc<World>, to: Gc<Dict>, value: Value, depth: i64) -> Result<(), Thrown> {
    if let Value::Dict(from) = own_entries(world, value) {
        return algebra::add_all(world, to, from, true, depth);
    }
    if let Some(from) = mapping_of(world, value, depth)? {
        return algebra::add_all(world, to, from, true, depth);
    }
    let all = list_of(world, value, depth)?;
    for n in 0..all.len() {
        let Ok(pair) = list_of(world, all.at(n), depth) else {
            let message =
                format!("cannot convert dictionary update sequence element #{n} to a sequence");
            return Err(fault::type_error(world, &message));
        };
        if pair.len() != 2 {
            let message = format!(
                "dictionary update sequence element #{n} has length {}; 2 is required",
                pair.len()
            );
            return Err(fault::value_error(world, &message));
        }
        keys::put(world, to, pair.at(0), pair.at(1), depth)?;
    }
    Ok(())
}

/// An integer, or what `__index__` returns.
///
/// # Errors
/// A `TypeError` if it is no integer.
pub fn index(world: Gc<World>, value: Value, depth: i64) -> Result<Value, Thrown> {
    match value {
        Value::Int(_) | Value::Big(_) => Ok(value),
        Value::Bool(b) => Ok(Value::Int(i64::from(b))),
        Value::Instance(_) => {
            let found = class::lookup(class_of(world, value), world.names[names::INDEX]);
            if found.is_unbound() {
                return Err(fault::about(world, fault::NO_INTEGER, value));
            }
            match call::method(world, found, value, call::nothing(), depth)? {
                made @ (Value::Int(_) | Value::Big(_)) => Ok(made),
                Value::Bool(b) => Ok(Value::Int(i64::from(b))),
                other => {
                    let name = type_name(world, other);
                    let message = format!("__index__ returned non-int (type {name})");
                    Err(fault::type_error(world, &message))
                }
            }
        }
        _ => Err(fault::about(world, fault::NO_INTEGER, value)),
    }
}

/// A number as a float, or what `__float__` returns.
///
/// # Errors
/// A `TypeError` if it is no number.
pub fn float(world: Gc<World>, value: Value, depth: i64) -> Result<f64, Thrown> {
    match value {
        Value::Int(_) | Value::Big(_) | Value::Float(_) | Value::Bool(_) => {
            number::as_float(world, value)
        }
        Value::Instance(_) => {
            let found = class::lookup(class_of(world, value), world.names[names::FLOAT]);
            if found.is_unbound() {
                let number = index(world, value, depth).map_err(|_| not_real(world, value))?;
                return number::as_float(world, number);
            }
            match call::method(world, found, value, call::nothing(), depth)? {
                Value::Float(x) => Ok(x),
                other => {
                    let (class, name) = (type_name(world, value), type_name(world, other));
                    let message = format!("{class}.__float__ returned non-float (type {name})");
                    Err(fault::type_error(world, &message))
                }
            }
        }
        _ => Err(not_real(world, value)),
    }
}

fn not_real(world: Gc<World>, value: Value) -> Thrown {
    let message = format!("must be real number, not {}", type_name(world, value));
    fault::type_error(world, &message)
}

/// Whether an integer is zero or negative, or neither.
pub fn sign(value: Value) -> i64 {
    match value {
        Value::Int(x) => x.signum(),
        _ if bigint::is_negative(value) => -1,
        _ => 1,
    }
}
