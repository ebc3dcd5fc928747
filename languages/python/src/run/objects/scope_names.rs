//! Names in the body of a class, or in a text that is run with local variables. In: what holds them
//! and names. Out: values. Invariant: a namespace that a program has given is asked as its own
//! methods say.

use crate::heap::class;
use crate::heap::exception::Thrown;
use crate::heap::places;
use crate::heap::value::{Value, text_of};
use crate::heap::variables;
use crate::heap::world::{World, classes};
use crate::run::items::subscript;
use verdigris::{Str, prelude::*};

/// A name; `Unbound` if it is not there.
///
/// # Errors
/// What a mapping of the program raises.
#[inline]
pub fn load(
    world: Gc<World>,
    namespace: Value,
    name: Gc<Str>,
    depth: i64,
) -> Result<Value, Thrown> {
    match namespace {
        Value::Namespace(_) => Ok(variables::in_namespace(namespace, name)),
        _ => in_mapping(world, namespace, name, depth),
    }
}

/// Gives a name a value.
///
/// # Errors
/// What a mapping of the program raises.
#[inline]
pub fn store(
    world: Gc<World>,
    namespace: Value,
    name: Gc<Str>,
    value: Value,
    depth: i64,
) -> Result<(), Thrown> {
    match namespace {
        Value::Namespace(_) => {
            variables::store_name(namespace, name, value);
            Ok(())
        }
        _ => to_mapping(world, namespace, name, value, depth),
    }
}

/// Removes a name. Whether it was there.
///
/// # Errors
/// What a mapping of the program raises.
#[inline]
pub fn delete(
    world: Gc<World>,
    namespace: Value,
    name: Gc<Str>,
    depth: i64,
) -> Result<bool, Thrown> {
    match namespace {
        Value::Namespace(_) => Ok(variables::delete_name(namespace, name)),
        _ => from_mapping(world, namespace, name, depth),
    }
}

fn is_absent(world: Gc<World>, thrown: Thrown) -> bool {
    class::derives(thrown.map.get().class, world.classes[classes::KEY_ERROR])
}

#[opaque]
fn in_mapping(
    world: Gc<World>,
    mapping: Value,
    name: Gc<Str>,
    depth: i64,
) -> Result<Value, Thrown> {
    match subscript::get(
        world,
        mapping,
        Value::Str(text_of(name)),
        places::below(world, depth),
    ) {
        Err(thrown) if is_absent(world, thrown) => Ok(Value::Unbound),
        found => found,
    }
}

#[opaque]
fn to_mapping(
    world: Gc<World>,
    mapping: Value,
    name: Gc<Str>,
    value: Value,
    depth: i64,
) -> Result<(), Thrown> {
    subscript::set(
        world,
        mapping,
        Value::Str(text_of(name)),
        value,
        places::below(world, depth),
    )
}

#[opaque]
fn from_mapping(
    world: Gc<World>,
    mapping: Value,
    name: Gc<Str>,
    depth: i64,
) -> Result<bool, Thrown> {
    match subscript::delete(
        world,
        mapping,
        Value::Str(text_of(name)),
        places::below(world, depth),
    ) {
        Err(thrown) if is_absent(world, thrown) => Ok(false),
        result => result.map(|()| true),
    }
}
