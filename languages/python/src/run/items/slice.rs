//! Slices, and the rarer kinds of items. In: objects and indices. Out: items, lists, tuples,
//! strings. Invariant: bounds are those of CPython's `slice.indices`.

use crate::heap::class::{self, Class};
use crate::heap::exception::Thrown;
use crate::heap::places;
use crate::heap::value::{self, Range, Slice, Tuple, Value};
use crate::heap::world::{World, classes, names};
use crate::plain::fault;
use crate::plain::string;
use crate::run::call;
use crate::run::items::bytes;
use crate::run::items::iterate;
use crate::run::native::collect;
use crate::run::objects::{attribute, import};
use verdigris::{List, prelude::*};

/// The bounds of a slice of something that is so long: start, stop, step.
///
/// # Errors
/// A `TypeError` about a bound that is no integer, a `ValueError` about a step of 0.
pub fn bounds(
    world: Gc<World>,
    slice: Gc<Slice>,
    len: usize,
    depth: i64,
) -> Result<(i64, i64, i64), Thrown> {
    let step = match slice.step {
        Value::None => 1,
        step => index(world, step, depth)?.max(-i64::MAX),
    };
    if step == 0 {
        return Err(fault::simple(world, fault::ZERO_STEP));
    }
    let len = len as i64;
    let (lowest, highest) = if step < 0 { (-1, len - 1) } else { (0, len) };
    let clamp = |bound: i64| {
        let bound = if bound < 0 {
            bound.saturating_add(len)
        } else {
            bound
        };
        bound.clamp(lowest, highest)
    };
    let start = match slice.start {
        Value::None if step < 0 => highest,
        Value::None => lowest,
        start => clamp(index(world, start, depth)?),
    };
    let stop = match slice.stop {
        Value::None if step < 0 => lowest,
        Value::None => highest,
        stop => clamp(index(world, stop, depth)?),
    };
    Ok((start, stop, step))
}

/// A bound as an integer, which is cut to 64 bits.
fn index(world: Gc<World>, value: Value, depth: i64) -> Result<i64, Thrown> {
    match collect::index(world, value, depth) {
        Ok(Value::Int(x)) => Ok(x),
        Ok(big) => Ok(if crate::plain::bigint::is_negative(big) {
            -i64::MAX
        } else {
            i64::MAX
        }),
        Err(_) => {
            let message = "slice indices must be integers or None or have an __index__ method";
            Err(fault::type_error(world, message))
        }
    }
}

/// The places of a slice.
pub fn places(start: i64, stop: i64, step: i64) -> impl Iterator<Item = usize> {
    let count = iterate::count(start, stop, step);
    (0..count).map(move |n| (start + n * step) as usize)
}

/// An index as a place of something that is so long, if there is one.
pub fn place(index: i64, len: usize) -> Option<usize> {
    let at = if index < 0 { index + len as i64 } else { index };
    usize::try_from(at).ok().filter(|&at| at < len)
}

/// `object[index]`
///
/// # Errors
/// That there is no such item.
#[opaque]
pub fn get(world: Gc<World>, object: Value, given: Value, depth: i64) -> Result<Value, Thrown> {
    if bytes::is(object) {
        return bytes::get(world, object, given, depth);
    }
    let Value::Slice(slice) = given else {
        return item(world, object, given, depth);
    };
    match object {
        Value::List(list) => {
            let (start, stop, step) = bounds(world, slice, list.len(), depth)?;
            if step == 1 {
                return Ok(Value::List(
                    list.slice(start as usize, stop.max(start) as usize),
                ));
            }
            let made = List::new();
            places(start, stop, step).for_each(|n| made.push(list.at(n)));
            Ok(Value::List(made))
        }
        Value::Tuple(tuple) => {
            let (start, stop, step) = bounds(world, slice, tuple.len(), depth)?;
            let count = iterate::count(start, stop, step) as usize;
            let made = Tuple::new(count, Value::Unbound);
            for (to, from) in places(start, stop, step).enumerate() {
                made[to].set(tuple[from].get());
            }
            Ok(Value::Tuple(made))
        }
        Value::Str(text) => {
            let (start, stop, step) = bounds(world, slice, text.chars, depth)?;
            if step == 1 {
                return Ok(Value::Str(string::part(
                    world,
                    text,
                    start as usize,
                    stop.max(0) as usize,
                )));
            }
            let all: Vec<char> = text.as_str().chars().collect();
            let made: String = places(start, stop, step).map(|n| all[n]).collect();
            Ok(value::text(&made))
        }
        Value::Range(range) => {
            let len = iterate::range_len(range) as usize;
            let (start, stop, step) = bounds(world, slice, len, depth)?;
            Ok(Value::Range(Gc::new(Range {
                start: range.start + start * range.step,
                stop: range.start + stop * range.step,
                step: range.step.saturating_mul(step),
            })))
        }
        _ => item(world, object, given, depth),
    }
}

/// The item of an index that is no integer of 64 bits, or of a rarer kind of object.
fn item(world: Gc<World>, object: Value, given: Value, depth: i64) -> Result<Value, Thrown> {
    let (len, wrong, range) = match object {
        Value::List(list) => (list.len(), fault::LIST_INDEX, fault::LIST_RANGE),
        Value::Tuple(tuple) => (tuple.len(), fault::TUPLE_INDEX, fault::TUPLE_RANGE),
        Value::Str(text) => (text.chars, fault::STRING_INDEX, fault::STRING_RANGE),
        Value::Range(range) => (
            iterate::range_len(range) as usize,
            fault::NO_INTEGER,
            fault::RANGE_INDEX,
        ),
        Value::Class(class) => return of_class(world, class, given, depth),
        _ => return Err(fault::about(world, fault::NOT_SUBSCRIPTABLE, object)),
    };
    let Ok(index) = collect::index(world, given, depth) else {
        return Err(fault::about(world, wrong, given));
    };
    let Value::Int(index) = index else {
        return Err(too_large(world));
    };
    let Some(at) = place(index, len) else {
        return Err(fault::simple(world, range));
    };
    Ok(match object {
        Value::List(list) => list.at(at),
        Value::Tuple(tuple) => tuple[at].get(),
        Value::Str(text) => string::at(world, text, at),
        Value::Range(range) => Value::Int(range.start + at as i64 * range.step),
        _ => unreachable!("the kinds are those above"),
    })
}

/// `class[given]`: what its metaclass has, or what is said about its instances in annotations.
fn of_class(world: Gc<World>, class: Gc<Class>, given: Value, depth: i64) -> Result<Value, Thrown> {
    let object = Value::Class(class);
    if let Some(meta) = class.meta {
        let found = class::lookup(meta, world.names[names::GETITEM]);
        if !found.is_unbound() {
            return call::method(
                world,
                found,
                object,
                call::one(given),
                places::below(world, depth),
            );
        }
    }
    let found = class::lookup(class, world.names[names::CLASS_GETITEM]);
    if !found.is_unbound() {
        let function = attribute::unwrapped(found);
        let args = call::two(object, given);
        return call::value(world, function, args, places::below(world, depth));
    }
    let is_generic = matches!(
        class.layout,
        classes::LIST | classes::DICT | classes::TUPLE | classes::SET | classes::FROZENSET
    );
    let is_type = Gc::ptr_eq(class, world.classes[classes::TYPE]);
    if is_generic || is_type {
        return import::call(world, "types", "GenericAlias", &[object, given], depth);
    }
    Err(fault::about(world, fault::NOT_SUBSCRIPTABLE, object))
}

/// An index that no sequence can have.
pub fn too_large(world: Gc<World>) -> Thrown {
    let message = "cannot fit 'int' into an index-sized integer";
    fault::new(world, classes::INDEX_ERROR, message)
}

/// `object[index] = value`
///
/// # Errors
/// That there is no such item, or that the values do not fit.
#[opaque]
pub fn set(
    world: Gc<World>,
    object: Value,
    given: Value,
    value: Value,
    depth: i64,
) -> Result<(), Thrown> {
    if let Value::ByteArray(own) = object {
        return bytes::set(world, own, given, value, depth);
    }
    let Value::List(list) = object else {
        return Err(fault::about(world, fault::NO_ITEM_ASSIGNMENT, object));
    };
    let Value::Slice(slice) = given else {
        let Ok(index) = collect::index(world, given, depth) else {
            return Err(fault::about(world, fault::LIST_INDEX, given));
        };
        let Value::Int(index) = index else {
            return Err(too_large(world));
        };
        let at = place(index, list.len());
        let at = at.ok_or_else(|| fault::simple(world, fault::LIST_ASSIGNMENT))?;
        list.set(at, value);
        return Ok(());
    };
    let values = match collect::list_of(world, value, depth) {
        Ok(values) => values,
        Err(thrown) if iterate::is_iterable(world, value) => return Err(thrown),
        Err(_) => {
            let message = "can only assign an iterable";
            return Err(fault::type_error(world, message));
        }
    };
    let (start, stop, step) = bounds(world, slice, list.len(), depth)?;
    if step != 1 {
        let count = iterate::count(start, stop, step) as usize;
        if values.len() != count {
            let message = format!(
                "attempt to assign sequence of size {} to extended slice of size {count}",
                values.len()
            );
            return Err(fault::value_error(world, &message));
        }
        for (n, at) in places(start, stop, step).enumerate() {
            list.set(at, values.at(n));
        }
        return Ok(());
    }
    replace(list, start as usize, stop.max(start) as usize, values);
    Ok(())
}

/// Replaces the items from one place to before another.
fn replace(list: Gc<List<Value>>, start: usize, stop: usize, values: Gc<List<Value>>) {
    let rest = list.slice(stop, list.len());
    list.truncate(start);
    (0..values.len()).for_each(|n| list.push(values.at(n)));
    (0..rest.len()).for_each(|n| list.push(rest.at(n)));
}

/// `del object[index]`
///
/// # Errors
/// That there is no such item.
#[opaque]
pub fn delete(world: Gc<World>, object: Value, given: Value, depth: i64) -> Result<(), Thrown> {
    if let Value::ByteArray(own) = object {
        return bytes::delete(world, own, given, depth);
    }
    let Value::List(list) = object else {
        return Err(fault::about(world, fault::NO_ITEM_DELETION, object));
    };
    let Value::Slice(slice) = given else {
        let Ok(index) = collect::index(world, given, depth) else {
            return Err(fault::about(world, fault::LIST_INDEX, given));
        };
        let Value::Int(index) = index else {
            return Err(too_large(world));
        };
        let at = place(index, list.len());
        let at = at.ok_or_else(|| fault::simple(world, fault::LIST_ASSIGNMENT))?;
        list.remove(at);
        return Ok(());
    };
    let (start, stop, step) = bounds(world, slice, list.len(), depth)?;
    let gone: Vec<usize> = places(start, stop, step).collect();
    let kept = List::new();
    for n in 0..list.len() {
        if !gone.contains(&n) {
            kept.push(list.at(n));
        }
    }
    list.clear();
    list.extend(kept);
    Ok(())
}
