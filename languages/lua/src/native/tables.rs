//! The functions of `table` that work on many items, for native code. In: tables, positions. Out:
//! values, or a fault. Invariant: a table that has `__index`, `__newindex` or `__len` is read and
//! written through them, item by item.
//!
//! Source: Lua 5.4 reference manual, section 6.6.

use super::check;
use super::names::*;
use crate::access;
use crate::arith;
use crate::compare;
use crate::concat;
use crate::fault::{self, Fault};
use crate::interned;
use crate::string;
use crate::table::{self, Items};
use crate::value::{Args, Returned, Value, Values, World, nothing, one, several, text};
use verdigris::{ByteBuffer, prelude::*, rooted_elsewhere};

type Called = Result<Returned, Gc<Fault>>;

/// The length of a list, by its `__len` if it has one.
fn length(world: Gc<World>, list: Value, depth: i64) -> Result<i64, Gc<Fault>> {
    match access::length(world, list, depth)? {
        Value::Int(len) => Ok(len),
        other => match arith::to_integer(other) {
            Some(len) => Ok(len),
            None => Err(fault::message("object length is not an integer")),
        },
    }
}

/// A list of the arguments, with their number.
pub fn pack(world: Gc<World>, args: Args) -> Value {
    let t = table::empty(world);
    for n in 0..args.count {
        table::set_int(t, n as i64 + 1, args.at(n));
    }
    table::set_str(
        t,
        interned::string(world, b"n"),
        Value::Int(args.count as i64),
    );
    Value::Table(t)
}

/// `table.insert` of two or three arguments.
pub fn insert(world: Gc<World>, args: Args, depth: i64) -> Called {
    check::table(TABLE_INSERT, args, 0)?;
    let list = args.at(0);
    let len = length(world, list, depth)?;
    match args.count {
        2 => access::set(
            world,
            list,
            Value::Int(len.wrapping_add(1)),
            args.at(1),
            depth,
        )?,
        3 => {
            let at = check::integer(TABLE_INSERT, args, 1)?;
            if (at as u64).wrapping_sub(1) >= (len as u64).wrapping_add(1) {
                return Err(check::failed(TABLE_INSERT, 1, check::POSITION));
            }
            let count = len.wrapping_sub(at).wrapping_add(1);
            shift(world, list, at, at.wrapping_add(1), count, depth)?;
            access::set(world, list, Value::Int(at), args.at(2), depth)?;
        }
        _ => return Err(fault::message("wrong number of arguments to 'insert'")),
    }
    Ok(nothing(world))
}

/// `table.remove`
pub fn remove(world: Gc<World>, args: Args, depth: i64) -> Called {
    check::table(TABLE_REMOVE, args, 0)?;
    let list = args.at(0);
    let len = length(world, list, depth)?;
    let mut at = len;
    if args.count > 1 {
        at = check::integer(TABLE_REMOVE, args, 1)?;
        if at != len && (at as u64).wrapping_sub(1) > len as u64 {
            return Err(check::failed(TABLE_REMOVE, 0, check::POSITION));
        }
    }
    let value = access::get(world, list, Value::Int(at), depth)?;
    if at < len {
        shift(world, list, at + 1, at, len.wrapping_sub(at), depth)?;
        at = len;
    }
    access::set(world, list, Value::Int(at), Value::Nil, depth)?;
    Ok(one(value))
}

/// Moves `count` items by one place, from `from` to `to`.
fn shift(
    world: Gc<World>,
    list: Value,
    from: i64,
    to: i64,
    count: i64,
    depth: i64,
) -> Result<(), Gc<Fault>> {
    let mut left = count;
    while left > 0 {
        if let Value::Table(t) = list
            && table::copy_items(t, from, to, left)
        {
            return Ok(());
        }
        // Upwards the last goes first, and then the place for the next to last is an item.
        let at = if from < to { left - 1 } else { count - left };
        let value = access::get(world, list, Value::Int(from + at), depth)?;
        access::set(world, list, Value::Int(to + at), value, depth)?;
        left -= 1;
    }
    Ok(())
}

/// `table.concat`
pub fn concat(world: Gc<World>, args: Args, depth: i64) -> Called {
    check::table(TABLE_CONCAT, args, 0)?;
    let list = args.at(0);
    let between = if args.at(1).is_nil() {
        None
    } else {
        Some(check::string(TABLE_CONCAT, args, 1)?)
    };
    let from = check::integer_or(TABLE_CONCAT, args, 2, 1)?;
    let to = if args.at(3).is_nil() {
        length(world, list, depth)?
    } else {
        check::integer(TABLE_CONCAT, args, 3)?
    };
    let mut bytes = ByteBuffer::new();
    let plain = plain_items(list, from, to);
    let mut n = from;
    while n <= to {
        let value = match plain {
            Some(items) => items[n as usize - 1].get(),
            None => access::get(world, list, Value::Int(n), depth)?,
        };
        if !matches!(value, Value::Str(_) | Value::Int(_) | Value::Float(_)) {
            return Err(fault::message(&format!(
                "invalid value ({}) at index {n} in table for 'concat'",
                check::type_of(value)
            )));
        }
        concat::append(&mut bytes, value);
        if n == to {
            break;
        }
        if let Some(between) = between {
            bytes.extend(between.as_bytes());
        }
        n += 1;
    }
    Ok(text(&bytes))
}

/// The items of a table if these are all among them, and no metamethod has a say. They are looked
/// at without a call of the program in between.
fn plain_items(list: Value, from: i64, to: i64) -> Option<Items> {
    match list {
        Value::Table(t) => {
            let is_plain = from >= 1 && to <= t.len.get() as i64 && table::metatable(t).is_none();
            is_plain.then(|| t.items.get())
        }
        _ => None,
    }
}

/// `table.unpack`
pub fn unpack(world: Gc<World>, args: Args, depth: i64) -> Called {
    let list = args.at(0);
    let from = check::integer_or(TABLE_UNPACK, args, 1, 1)?;
    let to = if args.at(2).is_nil() {
        length(world, list, depth)?
    } else {
        check::integer(TABLE_UNPACK, args, 2)?
    };
    if from > to {
        return Ok(nothing(world));
    }
    let count = to.wrapping_sub(from) as u64;
    if count >= 1_000_000 {
        return Err(fault::message("too many results to unpack"));
    }
    let values = Values::new(count as usize + 1, Value::Nil);
    if let Some(items) = plain_items(list, from, to) {
        for n in 0..values.len() {
            values[n].set(items[from as usize - 1 + n].get());
        }
        return Ok(several(values));
    }
    for n in 0..=count {
        let value = access::get(world, list, Value::Int(from.wrapping_add(n as i64)), depth)?;
        values[n as usize].set(value);
    }
    Ok(several(values))
}

/// `table.move`
pub fn move_items(world: Gc<World>, args: Args, depth: i64) -> Called {
    let (from, to) = (
        check::integer(TABLE_MOVE, args, 1)?,
        check::integer(TABLE_MOVE, args, 2)?,
    );
    let at = check::integer(TABLE_MOVE, args, 3)?;
    check::table(TABLE_MOVE, args, 0)?;
    let (source, goal) = (
        args.at(0),
        if args.at(4).is_nil() {
            args.at(0)
        } else {
            args.at(4)
        },
    );
    if goal != source {
        check::table(TABLE_MOVE, args, 4)?;
    }
    if from <= to {
        if from <= 0 && to >= i64::MAX.wrapping_add(from) {
            return Err(check::bad(TABLE_MOVE, 2, "too many elements to move"));
        }
        let count = to - from + 1;
        if at > i64::MAX - count + 1 {
            return Err(check::bad(TABLE_MOVE, 3, "destination wrap around"));
        }
        let forwards = at > to || at <= from || goal != source;
        for n in 0..count {
            let n = if forwards { n } else { count - 1 - n };
            let value = access::get(world, source, Value::Int(from + n), depth)?;
            access::set(world, goal, Value::Int(at + n), value, depth)?;
        }
    }
    Ok(one(goal))
}

/// Sorts a plain list of numbers or of strings; whether it is one. Numbers are no references, so a
/// vector can hold them.
#[rooted_elsewhere]
pub fn sort_plain(list: Value) -> bool {
    let Value::Table(t) = list else {
        return false;
    };
    if table::metatable(t).is_some() {
        return false;
    }
    let (items, len) = (t.items.get(), t.len.get());
    let items = &items.as_slice()[..len];
    if items.iter().all(|item| matches!(item.get(), Value::Str(_))) {
        return sort_strings(items);
    }
    let number = |value: Value| match value {
        Value::Int(_) => true,
        Value::Float(f) => !f.is_nan(),
        _ => false,
    };
    if !items.iter().all(|item| number(item.get())) {
        return false;
    }
    let mut values: Vec<Value> = items.iter().map(|item| item.get()).collect();
    values.sort_by(|&a, &b| {
        use std::cmp::Ordering;
        match (a, b) {
            (Value::Int(a), Value::Int(b)) => a.cmp(&b),
            (Value::Float(a), Value::Float(b)) => a.partial_cmp(&b).unwrap_or(Ordering::Equal),
            (a, b) => {
                if compare::number_less(a, b) {
                    Ordering::Less
                } else if compare::number_less(b, a) {
                    Ordering::Greater
                } else {
                    Ordering::Equal
                }
            }
        }
    });
    for (item, value) in items.iter().zip(values) {
        item.set(value);
    }
    true
}

/// Sorts strings. Their order is found first: nothing is allocated on the guest's heap meanwhile,
/// and the list keeps them alive.
fn sort_strings(items: &[Cell<Value>]) -> bool {
    let text = |value: Value| match value {
        Value::Str(s) => s,
        _ => unreachable!("all are strings"),
    };
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by(|&a, &b| string::compare(text(items[a].get()), text(items[b].get())).cmp(&0));
    let sorted = Values::new(items.len(), Value::Nil);
    for (n, &from) in order.iter().enumerate() {
        sorted[n].set(items[from].get());
    }
    for (n, item) in items.iter().enumerate() {
        item.set(sorted[n].get());
    }
    true
}
