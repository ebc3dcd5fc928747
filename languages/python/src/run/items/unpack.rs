//! Unpacking. In: an iterable. Out: its items in registers.

use crate::heap::exception::Thrown;
use crate::heap::places;
use crate::heap::value::{Registers, Value};
use crate::heap::world::World;
use crate::plain::fault;
use crate::run::items::iterate;
use crate::run::native::collect;
use verdigris::{List, prelude::*};

/// Puts exactly so many items into registers.
///
/// # Errors
/// A `ValueError` if there are more or fewer.
#[inline]
pub fn exactly(
    world: Gc<World>,
    r: Registers,
    first: usize,
    value: Value,
    count: usize,
    depth: i64,
) -> Result<(), Thrown> {
    match value {
        Value::Tuple(tuple) if tuple.len() == count => {
            for_tuple(r, first, value, count);
            Ok(())
        }
        Value::List(list) if list.len() == count => {
            for_list(r, first, list, count);
            Ok(())
        }
        _ => {
            let list = collected(world, value, count, depth)?;
            for_list(r, first, list, count);
            Ok(())
        }
    }
}

#[unroll_safe]
#[inline]
fn for_tuple(r: Registers, first: usize, value: Value, count: usize) {
    if let Value::Tuple(tuple) = value {
        for n in 0..count {
            r[first + n].set(tuple[n].get());
        }
    }
}

#[unroll_safe]
#[inline]
fn for_list(r: Registers, first: usize, list: Gc<List<Value>>, count: usize) {
    for n in 0..count {
        r[first + n].set(list.at(n));
    }
}

/// An iterator over what is unpacked.
fn iterator(world: Gc<World>, value: Value, depth: i64) -> Result<Value, Thrown> {
    match iterate::start(world, value, depth) {
        Err(_) if !iterate::is_iterable(world, value) => {
            Err(fault::about(world, fault::NOT_UNPACKABLE, value))
        }
        result => result,
    }
}

/// Exactly so many items as a list.
#[opaque]
fn collected(
    world: Gc<World>,
    value: Value,
    count: usize,
    depth: i64,
) -> Result<Gc<List<Value>>, Thrown> {
    let depth = places::below(world, depth);
    let iterator = iterator(world, value, depth)?;
    let made: Gc<List<Value>> = List::new();
    loop {
        let item = iterate::next(world, iterator, depth)?;
        if item.is_unbound() {
            if made.len() == count {
                return Ok(made);
            }
            return Err(fault::unpacked(world, count, made.len() as i64, false));
        }
        if made.len() == count {
            return Err(fault::unpacked(world, count, -1, false));
        }
        made.push(item);
    }
}

/// Puts items into registers, of which one gets a list of those that the others do not.
///
/// # Errors
/// A `ValueError` if there are fewer than the others.
#[inline]
pub fn with_star(
    world: Gc<World>,
    r: Registers,
    first: usize,
    value: Value,
    before: usize,
    behind: usize,
    depth: i64,
) -> Result<(), Thrown> {
    let list = parts(world, value, before, behind, depth)?;
    for_list(r, first, list, before + behind + 1);
    Ok(())
}

#[opaque]
fn parts(
    world: Gc<World>,
    value: Value,
    before: usize,
    behind: usize,
    depth: i64,
) -> Result<Gc<List<Value>>, Thrown> {
    let iterator = iterator(world, value, depth)?;
    let all = collect::list_of(world, iterator, depth)?;
    let len = all.len();
    if len < before + behind {
        return Err(fault::unpacked(world, before + behind, len as i64, true));
    }
    let made: Gc<List<Value>> = all.slice(0, before);
    made.push(Value::List(all.slice(before, len - behind)));
    (len - behind..len).for_each(|n| made.push(all.at(n)));
    Ok(made)
}
