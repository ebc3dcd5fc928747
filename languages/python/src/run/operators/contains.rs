//! `in`. In: a container and a value. Out: whether it is in there.

use crate::heap::class;
use crate::heap::exception::Thrown;
use crate::heap::value::{self, ITEMS, KEYS, Value};
use crate::heap::world::{World, class_of, names};
use crate::plain::fault;
use crate::run::call;
use crate::run::items::bytes;
use crate::run::items::hash;
use crate::run::items::iterate;
use crate::run::items::keys;
use crate::run::operators::compare;
use crate::run::operators::order;
use crate::run::operators::truth;
use verdigris::prelude::*;

/// Whether a value is in a container.
///
/// # Errors
/// A `TypeError` if that is none, and what functions of the program raise.
#[inline]
pub fn holds(
    world: Gc<World>,
    container: Value,
    wanted: Value,
    depth: i64,
) -> Result<bool, Thrown> {
    match container {
        Value::Dict(dict) | Value::Set(dict) | Value::FrozenSet(dict) => {
            let hash = hash::of(world, wanted, depth)?;
            Ok(keys::find(world, dict, wanted, hash, depth)? >= 0)
        }
        Value::Instance(_) | Value::Class(_) => {
            let found = class::lookup(class_of(world, container), world.names[names::CONTAINS]);
            if found.is_unbound() {
                return search(world, container, wanted, depth);
            }
            let result = call::method(world, found, container, call::one(wanted), depth)?;
            truth::of(world, result, depth)
        }
        Value::Range(range) => {
            if let Value::Int(x) = wanted {
                let is_between = if range.step > 0 {
                    range.start <= x && x < range.stop
                } else {
                    range.stop < x && x <= range.start
                };
                return Ok(is_between && x.wrapping_sub(range.start) % range.step == 0);
            }
            search(world, container, wanted, depth)
        }
        _ => search(world, container, wanted, depth),
    }
}

/// Whether two values are one object, or equal.
///
/// # Errors
/// What comparing raises.
#[inline]
pub fn same_or_equal(world: Gc<World>, a: Value, b: Value, depth: i64) -> Result<bool, Thrown> {
    Ok(value::is(a, b) || compare::equal(world, a, b, depth)?)
}

/// The same by looking at all.
#[opaque]
fn search(world: Gc<World>, container: Value, wanted: Value, depth: i64) -> Result<bool, Thrown> {
    match container {
        Value::Str(text) => match wanted {
            Value::Str(part) => Ok(text.as_str().contains(part.as_str())),
            _ => {
                let name = crate::heap::world::type_name(world, wanted);
                let message = format!("'in <string>' requires string as left operand, not {name}");
                Err(fault::type_error(world, &message))
            }
        },
        Value::Bytes(_) | Value::ByteArray(_) => bytes::has(world, container, wanted, depth),
        Value::View(view) if view.kind == KEYS => {
            let hash = hash::of(world, wanted, depth)?;
            Ok(keys::find(world, view.dict, wanted, hash, depth)? >= 0)
        }
        Value::View(view) if view.kind == ITEMS => order::has_item(world, view.dict, wanted, depth),
        Value::List(list) => {
            let mut n = 0;
            while n < list.len() {
                if same_or_equal(world, list.at(n), wanted, depth)? {
                    return Ok(true);
                }
                n += 1;
            }
            Ok(false)
        }
        Value::Tuple(tuple) => {
            for n in 0..tuple.len() {
                if same_or_equal(world, tuple[n].get(), wanted, depth)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        _ => {
            let iterator = match iterate::start(world, container, depth) {
                Ok(iterator) => iterator,
                Err(thrown) if iterate::is_iterable(world, container) => return Err(thrown),
                Err(_) => return Err(fault::about(world, fault::NOT_CONTAINER, container)),
            };
            loop {
                match iterate::next(world, iterator, depth)? {
                    Value::Unbound => return Ok(false),
                    item if same_or_equal(world, item, wanted, depth)? => return Ok(true),
                    _ => {}
                }
            }
        }
    }
}
