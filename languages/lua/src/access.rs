//! Indexing. In: an object and a key. Out: the value, or a fault. Invariant: what a table has
//! itself is found without a look at its metatable.
//!
//! Source: Lua 5.4 reference manual, section 2.4.

use crate::call;
use crate::fault::{self, Fault};
use crate::meta;
use crate::string::LuaStr;
use crate::table::{self, Table};
use crate::value::{Value, World};
use verdigris::prelude::*;

/// How many tables a chain of `__index` or `__newindex` may have.
const MAX_CHAIN: usize = 2000;

/// `object.key`
#[inline]
pub fn get_field(
    world: Gc<World>,
    object: Value,
    key: Gc<LuaStr>,
    depth: i64,
) -> Result<Value, Gc<Fault>> {
    if let Value::Table(t) = object {
        let value = table::get_str(t, key);
        if !value.is_nil() {
            return Ok(value);
        }
        return inherited_field(world, t, key, depth);
    }
    get_of(world, object, Value::Str(key), depth)
}

/// What a call of a method mostly finds: a field of the table, or of its class. Nil if it is
/// neither, whatever the value is then.
#[inline(always)]
pub fn method(world: Gc<World>, object: Gc<Table>, key: Gc<LuaStr>) -> Value {
    let value = table::get_field(object, key);
    if !value.is_nil() || object.dict.get().is_some() {
        return value;
    }
    if let Some(meta) = table::metatable(object)
        && let Value::Table(class) = table::get_field(meta, world.names[meta::INDEX])
    {
        return table::get_field(class, key);
    }
    Value::Nil
}

/// The value of a field that a table does not have. Mostly the table's class has it.
#[inline]
fn inherited_field(
    world: Gc<World>,
    object: Gc<Table>,
    key: Gc<LuaStr>,
    depth: i64,
) -> Result<Value, Gc<Fault>> {
    let Some(meta) = table::metatable(object) else {
        return Ok(Value::Nil);
    };
    let handler = table::get_str(meta, world.names[meta::INDEX]);
    match handler {
        Value::Nil => return Ok(Value::Nil),
        Value::Table(class) => {
            let value = table::get_str(class, key);
            if !value.is_nil() {
                return Ok(value);
            }
        }
        _ => {}
    }
    along(world, Value::Table(object), handler, Value::Str(key), depth)
}

/// `object[key]`
#[inline]
pub fn get(world: Gc<World>, object: Value, key: Value, depth: i64) -> Result<Value, Gc<Fault>> {
    if let Value::Table(t) = object {
        let value = table::get(t, key);
        if !value.is_nil() {
            return Ok(value);
        }
        return inherited(world, t, key, depth);
    }
    get_of(world, object, key, depth)
}

/// The value of a key that a table does not have.
#[inline]
pub fn inherited(
    world: Gc<World>,
    object: Gc<Table>,
    key: Value,
    depth: i64,
) -> Result<Value, Gc<Fault>> {
    match table::metatable(object) {
        None => Ok(Value::Nil),
        Some(meta) => {
            let handler = table::get_str(meta, world.names[meta::INDEX]);
            if handler.is_nil() {
                return Ok(Value::Nil);
            }
            along(world, Value::Table(object), handler, key, depth)
        }
    }
}

/// The value of a key of something that is no table.
#[inline(never)]
fn get_of(world: Gc<World>, object: Value, key: Value, depth: i64) -> Result<Value, Gc<Fault>> {
    let handler = meta::handler(world, object, meta::INDEX);
    if handler.is_nil() {
        return Err(fault::wrong_type(world, fault::INDEX, object, 1));
    }
    along(world, object, handler, key, depth)
}

/// Follows a chain of `__index` handlers.
#[unroll_safe]
fn along(
    world: Gc<World>,
    first: Value,
    next: Value,
    key: Value,
    depth: i64,
) -> Result<Value, Gc<Fault>> {
    let mut object = first;
    let mut handler = next;
    let mut left = MAX_CHAIN;
    while left > 0 {
        left -= 1;
        match handler {
            Value::Function(_) | Value::Native(_) => {
                return Ok(call::with_two(world, handler, object, key, depth)?.first);
            }
            Value::Table(t) => {
                let value = table::get(t, key);
                if !value.is_nil() {
                    return Ok(value);
                }
                object = handler;
                handler = meta::handler(world, object, meta::INDEX);
                if handler.is_nil() {
                    return Ok(Value::Nil);
                }
            }
            _ => {
                object = handler;
                handler = meta::handler(world, object, meta::INDEX);
                if handler.is_nil() {
                    return Err(fault::wrong_type(world, fault::INDEX, object, 0));
                }
            }
        }
    }
    Err(fault::simple(fault::CHAIN))
}

/// `object.key = value`
#[inline]
pub fn set_field(
    world: Gc<World>,
    object: Value,
    key: Gc<LuaStr>,
    value: Value,
    depth: i64,
) -> Result<(), Gc<Fault>> {
    if let Value::Table(t) = object {
        let Some(meta) = table::metatable(t) else {
            table::set_str(t, key, value);
            return Ok(());
        };
        if table::replace_str(t, key, value) {
            return Ok(());
        }
        if table::get_str(meta, world.names[meta::NEWINDEX]).is_nil() {
            table::set_str(t, key, value);
            return Ok(());
        }
    }
    set_of(world, object, Value::Str(key), value, depth)
}

/// `object[key] = value`
#[inline]
pub fn set(
    world: Gc<World>,
    object: Value,
    key: Value,
    value: Value,
    depth: i64,
) -> Result<(), Gc<Fault>> {
    if let Value::Table(t) = object
        && table::metatable(t).is_none()
    {
        return raw_set(world, t, key, value);
    }
    set_of(world, object, key, value, depth)
}

/// Sets a key without metamethods.
#[inline]
pub fn raw_set(
    world: Gc<World>,
    table: Gc<Table>,
    key: Value,
    value: Value,
) -> Result<(), Gc<Fault>> {
    match key {
        Value::Nil => Err(fault::simple(fault::NIL_KEY)),
        Value::Float(f) if f.is_nan() => Err(fault::simple(fault::NAN_KEY)),
        _ => {
            table::set(world, table, key, value);
            Ok(())
        }
    }
}

/// Assigns where a metamethod may have a say.
#[unroll_safe]
#[inline(never)]
fn set_of(
    world: Gc<World>,
    first: Value,
    key: Value,
    value: Value,
    depth: i64,
) -> Result<(), Gc<Fault>> {
    let mut object = first;
    let mut left = MAX_CHAIN;
    while left > 0 {
        left -= 1;
        let handler = match object {
            Value::Table(t) => {
                let handler = match table::metatable(t) {
                    Some(meta) => table::get_str(meta, world.names[meta::NEWINDEX]),
                    None => Value::Nil,
                };
                if handler.is_nil() || !table::get(t, key).is_nil() {
                    return raw_set(world, t, key, value);
                }
                handler
            }
            _ => {
                let handler = meta::handler(world, object, meta::NEWINDEX);
                if handler.is_nil() {
                    // Messages have a name for the first object alone.
                    let operand = if left == MAX_CHAIN - 1 { 1 } else { 0 };
                    return Err(fault::wrong_type(world, fault::INDEX, object, operand));
                }
                handler
            }
        };
        if let Value::Function(_) | Value::Native(_) = handler {
            call::with_three(world, handler, object, key, value, depth)?;
            return Ok(());
        }
        object = handler;
    }
    Err(fault::simple(fault::SET_CHAIN))
}

/// `#object`
#[inline]
pub fn length(world: Gc<World>, object: Value, depth: i64) -> Result<Value, Gc<Fault>> {
    match object {
        Value::Str(s) => Ok(Value::Int(s.len() as i64)),
        Value::Table(t) => match table::metatable(t) {
            None => Ok(Value::Int(table::border(t))),
            Some(meta) => {
                let handler = table::get_str(meta, world.names[meta::LEN]);
                if handler.is_nil() {
                    return Ok(Value::Int(table::border(t)));
                }
                Ok(call::with_two(world, handler, object, object, depth)?.first)
            }
        },
        _ => {
            let handler = meta::handler(world, object, meta::LEN);
            if handler.is_nil() {
                return Err(fault::wrong_type(world, fault::LENGTH, object, 1));
            }
            Ok(call::with_two(world, handler, object, object, depth)?.first)
        }
    }
}
