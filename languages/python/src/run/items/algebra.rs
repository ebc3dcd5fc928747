//! Operations on whole sets and dicts. In: two of them. Out: a new one, or the first one changed.
//! Invariant: keys are equal if the program says so, as in single look-ups.

use crate::bytecode::opcode::{OP_AND, OP_OR, OP_SUB, OP_XOR};
use crate::heap::dict::{self, Dict};
use crate::heap::exception::Thrown;
use crate::heap::value::{VALUES, Value};
use crate::heap::world::World;
use crate::plain::entries;
use crate::run::items::iterate;
use crate::run::items::keys;
use verdigris::prelude::*;

/// The number of the entry of a set or dict that has the key of another one's entry; negative if
/// there is none.
///
/// # Errors
/// What comparing raises.
pub fn find(
    world: Gc<World>,
    set: Gc<Dict>,
    other: Gc<Dict>,
    entry: usize,
    depth: i64,
) -> Result<i64, Thrown> {
    let (key, hash) = (
        other.keys.get()[entry].get(),
        other.hashes.get()[entry].get(),
    );
    keys::find(world, set, key, hash, depth)
}

/// Whether all keys of `a` are in `b`, or none of them.
///
/// # Errors
/// What comparing raises.
pub fn all_are(
    world: Gc<World>,
    a: Gc<Dict>,
    b: Gc<Dict>,
    inside: bool,
    depth: i64,
) -> Result<bool, Thrown> {
    for entry in entries(a) {
        if (find(world, b, a, entry, depth)? >= 0) != inside {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Adds to a set the keys of `from` that are in `of`, or those that are not.
fn add_some(
    world: Gc<World>,
    to: Gc<Dict>,
    from: Gc<Dict>,
    of: Gc<Dict>,
    inside: bool,
    depth: i64,
) -> Result<(), Thrown> {
    for entry in entries(from) {
        if (find(world, of, from, entry, depth)? >= 0) == inside {
            let (key, hash) = (from.keys.get()[entry].get(), from.hashes.get()[entry].get());
            dict::add(to, key, hash, Value::None);
        }
    }
    Ok(())
}

/// `a op b` of sets; nothing if they have no such operator.
///
/// # Errors
/// What comparing raises.
pub fn set_operation(
    world: Gc<World>,
    op: usize,
    a: Gc<Dict>,
    b: Gc<Dict>,
    depth: i64,
) -> Result<Option<Gc<Dict>>, Thrown> {
    let made = match op {
        OP_OR => dict::copy(a),
        OP_AND | OP_SUB | OP_XOR => dict::new(),
        _ => return Ok(None),
    };
    match op {
        OP_OR => add_some(world, made, b, a, false, depth)?,
        _ => add_some(world, made, a, b, op == OP_AND, depth)?,
    }
    if op == OP_XOR {
        add_some(world, made, b, a, false, depth)?;
    }
    Ok(Some(made))
}

/// Adds the entries of a dict or set to another one; those that are there get its values if
/// `replaces`.
///
/// # Errors
/// What comparing raises.
pub fn add_all(
    world: Gc<World>,
    to: Gc<Dict>,
    from: Gc<Dict>,
    replaces: bool,
    depth: i64,
) -> Result<(), Thrown> {
    for entry in entries(from) {
        let (key, hash) = (from.keys.get()[entry].get(), from.hashes.get()[entry].get());
        let value = from.values.get()[entry].get();
        match find(world, to, from, entry, depth)? {
            found @ 0.. => {
                if replaces {
                    to.values.get()[found as usize].set(value);
                }
            }
            _ => dict::add(to, key, hash, value),
        }
    }
    Ok(())
}

/// `x op y` of sets, or of dicts; `Unbound` if it is something else.
///
/// # Errors
/// What comparing raises.
#[opaque]
pub fn binary(
    world: Gc<World>,
    op: usize,
    x: Value,
    y: Value,
    depth: i64,
) -> Result<Value, Thrown> {
    let is_view = |value: Value| matches!(value, Value::View(view) if view.kind != VALUES);
    let made = match (x, y) {
        _ if is_view(x) || is_view(y) => of_view(world, op, x, y, depth)?,
        (Value::Dict(a), Value::Dict(b)) if op == OP_OR => {
            let all = dict::copy(a);
            add_all(world, all, b, true, depth)?;
            Some(Value::Dict(all))
        }
        (Value::Set(a), Value::Set(b) | Value::FrozenSet(b)) => {
            set_operation(world, op, a, b, depth)?.map(Value::Set)
        }
        (Value::FrozenSet(a), Value::Set(b) | Value::FrozenSet(b)) => {
            set_operation(world, op, a, b, depth)?.map(Value::FrozenSet)
        }
        _ => None,
    };
    Ok(made.unwrap_or(Value::Unbound))
}

/// The same where one is a view of keys or entries: a set, for which the other is iterated over.
fn of_view(
    world: Gc<World>,
    op: usize,
    x: Value,
    y: Value,
    depth: i64,
) -> Result<Option<Value>, Thrown> {
    if !matches!(op, OP_OR | OP_AND | OP_SUB | OP_XOR) {
        return Ok(None);
    }
    let a = gathered(world, x, depth)?;
    let b = gathered(world, y, depth)?;
    Ok(set_operation(world, op, a, b, depth)?.map(Value::Set))
}

fn gathered(world: Gc<World>, value: Value, depth: i64) -> Result<Gc<Dict>, Thrown> {
    let made = dict::new();
    let iterator = iterate::start(world, value, depth)?;
    loop {
        match iterate::next(world, iterator, depth)? {
            Value::Unbound => return Ok(made),
            item => keys::add(world, made, item, depth)?,
        }
    }
}

/// `x op= y` of sets, or of dicts. Whether it was done.
///
/// # Errors
/// What comparing raises.
#[opaque]
pub fn inplace(
    world: Gc<World>,
    op: usize,
    x: Value,
    y: Value,
    depth: i64,
) -> Result<bool, Thrown> {
    match (x, y) {
        (Value::Dict(a), Value::Dict(b)) if op == OP_OR => add_all(world, a, b, true, depth)?,
        (Value::Set(a), Value::Set(b) | Value::FrozenSet(b)) => {
            let Some(made) = set_operation(world, op, a, b, depth)? else {
                return Ok(false);
            };
            dict::clear(a);
            add_all(world, a, made, false, depth)?;
        }
        _ => return Ok(false),
    }
    Ok(true)
}
