//! What `match` asks of values. In: values, and what a pattern wants of them. Out: whether they
//! fit, and their parts as tuples; `None` where they do not.

use crate::heap::class::{self, Class};
use crate::heap::dict;
use crate::heap::exception::Thrown;
use crate::heap::instance;
use crate::heap::places;
use crate::heap::value::{Tuple, Value};
use crate::heap::world::{World, class_of, classes, intern, interned, names};
use crate::plain::fault;
use crate::run::call;
use crate::run::items::iterate;
use crate::run::items::keys;
use crate::run::native::collect;
use crate::run::objects::attribute;
use crate::run::objects::import;
use crate::run::operators::truth;
use verdigris::prelude::*;

/// Whether a value is a sequence of a length: `wanted` is twice that, and 1 if it may be longer.
///
/// # Errors
/// What its `__len__` raises.
#[inline]
pub fn is_sequence(
    world: Gc<World>,
    value: Value,
    wanted: usize,
    depth: i64,
) -> Result<bool, Thrown> {
    match value {
        Value::List(list) => Ok(fits(list.len(), wanted)),
        Value::Tuple(tuple) => Ok(fits(tuple.len(), wanted)),
        Value::Range(range) => Ok(fits(iterate::range_len(range) as usize, wanted)),
        Value::Instance(_) => object_is_sequence(world, value, wanted, depth),
        _ => Ok(false),
    }
}

#[inline(always)]
fn fits(len: usize, wanted: usize) -> bool {
    let (count, may_be_longer) = (wanted >> 1, wanted & 1 == 1);
    len == count || may_be_longer && len > count
}

#[opaque]
fn object_is_sequence(
    world: Gc<World>,
    value: Value,
    wanted: usize,
    depth: i64,
) -> Result<bool, Thrown> {
    match instance::plain(value) {
        Value::List(list) => return Ok(fits(list.len(), wanted)),
        Value::Tuple(tuple) => return Ok(fits(tuple.len(), wanted)),
        Value::Instance(_) => {}
        _ => return Ok(false),
    }
    let answer = import::call(world, "collections.abc", "_is_sequence", &[value], depth)?;
    if !truth::of(world, answer, depth)? {
        return Ok(false);
    }
    let all = collect::list_of(world, value, depth)?;
    Ok(fits(all.len(), wanted))
}

/// The values of keys of a mapping; `None` if it is none or has not all of them.
///
/// # Errors
/// What looking for them raises.
#[opaque]
pub fn values(world: Gc<World>, value: Value, wanted: Value, depth: i64) -> Result<Value, Thrown> {
    let Value::Tuple(wanted) = wanted else {
        unreachable!("the compiler has put it there");
    };
    let own = match instance::plain(value) {
        Value::Dict(own) => own,
        Value::Instance(_) => {
            let args = [value, Value::Tuple(wanted)];
            return import::call(world, "collections.abc", "_match_keys", &args, depth);
        }
        _ => return Ok(Value::None),
    };
    let made = Tuple::new(wanted.len(), Value::Unbound);
    for n in 0..wanted.len() {
        match keys::get(world, own, wanted[n].get(), places::below(world, depth))? {
            Value::Unbound => return Ok(Value::None),
            found => made[n].set(found),
        }
    }
    Ok(Value::Tuple(made))
}

/// A dict of what a mapping has beside these keys.
///
/// # Errors
/// What looking for them raises.
#[opaque]
pub fn rest(world: Gc<World>, value: Value, without: Value, depth: i64) -> Result<Value, Thrown> {
    let made = dict::new();
    collect::add_pairs(
        world,
        made,
        instance::plain(value),
        places::below(world, depth),
    )?;
    if let Value::Tuple(without) = without {
        for n in 0..without.len() {
            keys::remove(world, made, without[n].get(), places::below(world, depth))?;
        }
    }
    Ok(Value::Dict(made))
}

/// Parts of an instance of a class: as many as `positional`, by `__match_args__`, and attributes by
/// their names. `None` if it is no instance, or has not all of them.
///
/// # Errors
/// That there are not so many by position, and what looking for them raises.
#[inline]
pub fn parts(
    world: Gc<World>,
    value: Value,
    wanted: Value,
    named: Value,
    positional: usize,
    depth: i64,
) -> Result<Value, Thrown> {
    if let Value::Class(class) = wanted {
        let class = promote(class);
        let is_instance = class::derives(class_of(world, value), class);
        if !is_instance && class.meta.is_none() {
            return Ok(Value::None);
        }
    }
    parts_outside(world, value, wanted, named, positional, depth)
}

#[opaque]
fn parts_outside(
    world: Gc<World>,
    value: Value,
    wanted: Value,
    named: Value,
    positional: usize,
    depth: i64,
) -> Result<Value, Thrown> {
    let depth = places::below(world, depth);
    let (Value::Class(class), Value::Tuple(named)) = (wanted, named) else {
        return Err(fault::type_error(
            world,
            "called match pattern must be a class",
        ));
    };
    if !class::derives(class_of(world, value), class) {
        let isinstance = world.builtins.get(intern(world, "isinstance"));
        let is_instance = match isinstance {
            Some(global) => call::value(world, global.get(), call::two(value, wanted), depth)?,
            None => Value::None,
        };
        if is_instance != Value::Bool(true) {
            return Ok(Value::None);
        }
    }
    let made = Tuple::new(positional + named.len(), Value::Unbound);
    if positional > 0 && !by_position(world, value, class, (made, positional), depth)? {
        return Ok(Value::None);
    }
    for n in 0..named.len() {
        if let Value::Str(name) = named[n].get() {
            match part(world, value, name.data, depth)? {
                Value::Unbound => return Ok(Value::None),
                found => made[positional + n].set(found),
            }
        }
    }
    Ok(Value::Tuple(made))
}

/// Fills in the parts that are given by position. Whether there are all of them.
fn by_position(
    world: Gc<World>,
    value: Value,
    class: Gc<Class>,
    (made, count): (Tuple, usize),
    depth: i64,
) -> Result<bool, Thrown> {
    let names = class::lookup(class, world.names[names::MATCH_ARGS]);
    let (all, most) = match names {
        Value::Tuple(all) => (all, all.len()),
        Value::Unbound => {
            let is_itself = matches!(
                class.layout,
                classes::BOOL
                    | classes::BYTES
                    | classes::BYTEARRAY
                    | classes::DICT
                    | classes::FLOAT
                    | classes::FROZENSET
                    | classes::INT
                    | classes::LIST
                    | classes::SET
                    | classes::STR
                    | classes::TUPLE
            );
            (world.no_items, usize::from(is_itself))
        }
        _ => {
            let name = class.name_text();
            let message = format!("{name}.__match_args__ must be a tuple");
            return Err(fault::type_error(world, &message));
        }
    };
    if count > most {
        let plural = if most == 1 { "" } else { "s" };
        let name = class.name_text();
        let message =
            format!("{name}() accepts {most} positional sub-pattern{plural} ({count} given)");
        return Err(fault::type_error(world, &message));
    }
    if all.is_empty() {
        made[0].set(value);
        return Ok(true);
    }
    for n in 0..count {
        let Value::Str(name) = all[n].get() else {
            return Err(fault::type_error(
                world,
                "__match_args__ elements must be strings",
            ));
        };
        match part(world, value, name.data, depth)? {
            Value::Unbound => return Ok(false),
            found => made[n].set(found),
        }
    }
    Ok(true)
}

/// An attribute; `Unbound` if it is not there.
fn part(
    world: Gc<World>,
    value: Value,
    name: Gc<verdigris::Str>,
    depth: i64,
) -> Result<Value, Thrown> {
    match attribute::get(world, value, interned(world, name), depth) {
        Err(thrown) => {
            let wanted = world.classes[classes::ATTRIBUTE_ERROR];
            match class::derives(thrown.map.get().class, wanted) {
                true => Ok(Value::Unbound),
                false => Err(thrown),
            }
        }
        found => found,
    }
}
