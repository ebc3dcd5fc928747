//! Keys whose equality a program decides. In: dicts and keys. Out: entries. Invariant: where no
//! function of the program is needed, none is called, and the search is one call that only reads.

use crate::heap::dict::{self, ASK, Dict};
use crate::heap::exception::Thrown;
use crate::heap::places;
use crate::heap::value::Value;
use crate::heap::world::World;
use crate::run::items::hash;
use crate::run::operators::compare;
use verdigris::prelude::*;

/// The number of a key's entry, or a negative number.
#[inline]
pub fn find(
    world: Gc<World>,
    dict: Gc<Dict>,
    key: Value,
    hash: i64,
    depth: i64,
) -> Result<i64, Thrown> {
    let found = dict::find(dict, key, hash);
    if found == ASK {
        return ask(world, dict, key, hash, depth);
    }
    Ok(found)
}

/// The same, with functions of the program.
#[opaque]
fn ask(world: Gc<World>, dict: Gc<Dict>, key: Value, hash: i64, depth: i64) -> Result<i64, Thrown> {
    let mut step = 0;
    loop {
        let entry = dict::candidate(dict, hash, step);
        if entry < 0 {
            return Ok(dict::MISSING);
        }
        step += 1;
        let number = entry as usize;
        let known = dict.keys.get()[number].get();
        if known.is_unbound() || dict.hashes.get()[number].get() != hash {
            continue;
        }
        if known == key {
            return Ok(entry);
        }
        let index = dict.index.get();
        if compare::equal(world, known, key, places::below(world, depth))? {
            return Ok(entry);
        }
        if index != dict.index.get() {
            // The comparison has changed the dict.
            step = 0;
        }
    }
}

/// The value of a key; `Unbound` if it is not there.
///
/// # Errors
/// What hashing and comparing raise.
#[inline]
pub fn get(world: Gc<World>, dict: Gc<Dict>, key: Value, depth: i64) -> Result<Value, Thrown> {
    let hash = hash::of(world, key, depth)?;
    let found = find(world, dict, key, hash, depth)?;
    if found < 0 {
        return Ok(Value::Unbound);
    }
    Ok(dict.values.get()[found as usize].get())
}

/// Gives a key a value.
///
/// # Errors
/// What hashing and comparing raise.
#[inline]
pub fn put(
    world: Gc<World>,
    dict: Gc<Dict>,
    key: Value,
    value: Value,
    depth: i64,
) -> Result<(), Thrown> {
    let hash = hash::of(world, key, depth)?;
    let found = find(world, dict, key, hash, depth)?;
    if found < 0 {
        dict::add(dict, key, hash, value);
    } else {
        dict.values.get()[found as usize].set(value);
    }
    Ok(())
}

/// Adds a key to a set.
///
/// # Errors
/// What hashing and comparing raise.
#[inline]
pub fn add(world: Gc<World>, set: Gc<Dict>, key: Value, depth: i64) -> Result<(), Thrown> {
    let hash = hash::of(world, key, depth)?;
    if find(world, set, key, hash, depth)? < 0 {
        dict::add(set, key, hash, Value::None);
    }
    Ok(())
}

/// Removes a key. Its value; `Unbound` if it was not there.
///
/// # Errors
/// What hashing and comparing raise.
#[inline]
pub fn remove(world: Gc<World>, dict: Gc<Dict>, key: Value, depth: i64) -> Result<Value, Thrown> {
    let hash = hash::of(world, key, depth)?;
    let found = find(world, dict, key, hash, depth)?;
    if found < 0 {
        return Ok(Value::Unbound);
    }
    Ok(dict::remove(dict, found as usize))
}
