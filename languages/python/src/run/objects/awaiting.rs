//! `await`, `async for` and `async with`: what is asked of their operands. In: values. Out: what
//! values are sent to until it ends. Invariant: coroutines and asynchronous generators are asked
//! without a method in between, in compiled code, too.

use crate::heap::class;
use crate::heap::exception::{Thrown, part};
use crate::heap::function::ITERABLE_COROUTINE;
use crate::heap::places;
use crate::heap::value::Value;
use crate::heap::world::{World, class_of, names};
use crate::plain::fault;
use crate::run::call;
use crate::run::call::{awaiter, generator};
use crate::run::items::iterate;
use verdigris::prelude::*;

/// What `await value` asks. `kind` is 1 for what `__aenter__` has returned, 2 for `__aexit__`.
///
/// # Errors
/// A `TypeError` if it cannot be awaited, a `RuntimeError` if something else awaits it.
#[inline]
pub fn awaitable(world: Gc<World>, value: Value, kind: usize, depth: i64) -> Result<Value, Thrown> {
    match value {
        Value::Coroutine(coroutine) => {
            if generator::is_suspended(coroutine) {
                return Err(fault::simple(world, fault::AWAITED_TWICE));
            }
            Ok(value)
        }
        _ => of_other(world, value, kind, depth),
    }
}

#[opaque]
fn of_other(world: Gc<World>, value: Value, kind: usize, depth: i64) -> Result<Value, Thrown> {
    if let Some(asked) = asked(world, value, depth)? {
        return Ok(asked);
    }
    let what = match kind {
        1 => fault::AENTER_RETURNED,
        2 => fault::AEXIT_RETURNED,
        _ => fault::NOT_AWAITABLE,
    };
    Err(fault::about(world, what, value))
}

/// What is asked if a value is awaited, which is no coroutine; `None` if it cannot be awaited.
fn asked(world: Gc<World>, value: Value, depth: i64) -> Result<Option<Value>, Thrown> {
    match value {
        Value::Generator(own) if own.code.kind == ITERABLE_COROUTINE => return Ok(Some(value)),
        Value::Iter(iter) if iter.kind > iterate::COROUTINE_WRAPPER => return Ok(Some(value)),
        _ => {}
    }
    let found = class::lookup(class_of(world, value), world.names[names::AWAIT]);
    if found.is_unbound() || found.is_none() {
        return Ok(None);
    }
    let made = call::method(
        world,
        found,
        value,
        call::nothing(),
        places::below(world, depth),
    )?;
    let is_iterator = match made {
        Value::Coroutine(_) => return Err(fault::simple(world, fault::AWAIT_COROUTINE)),
        Value::Iter(_) | Value::Generator(_) => true,
        Value::Instance(_) => {
            !class::lookup(class_of(world, made), world.names[names::NEXT]).is_unbound()
        }
        _ => false,
    };
    match is_iterator {
        true => Ok(Some(made)),
        false => Err(fault::about(world, fault::AWAIT_RETURNED, made)),
    }
}

/// `aiter(value)` of `async for`.
///
/// # Errors
/// A `TypeError` if it cannot be iterated over so.
#[inline]
pub fn start(world: Gc<World>, value: Value, depth: i64) -> Result<Value, Thrown> {
    match value {
        Value::AsyncGenerator(_) => Ok(value),
        _ => {
            let class = class_of(world, value);
            let found = class::lookup(class, world.names[names::AITER]);
            if found.is_unbound() || found.is_none() {
                return Err(fault::about(world, fault::NO_AITER, value));
            }
            let made = call::method(world, found, value, call::nothing(), depth)?;
            if !is_async_iterator(world, made) {
                return Err(fault::about(world, fault::AITER_RETURNED, made));
            }
            Ok(made)
        }
    }
}

/// Whether a value can be asked for a next item by `async for`.
#[inline]
pub fn is_async_iterator(world: Gc<World>, value: Value) -> bool {
    match value {
        Value::AsyncGenerator(_) => true,
        _ => !class::lookup(class_of(world, value), world.names[names::ANEXT]).is_unbound(),
    }
}

/// What is asked for the next item of an asynchronous iterator.
///
/// # Errors
/// What it raises; a `TypeError` if it is no such iterator, or has returned what cannot be awaited.
#[inline]
pub fn next(world: Gc<World>, value: Value, depth: i64) -> Result<Value, Thrown> {
    if let Value::AsyncGenerator(_) = value {
        return Ok(awaiter::asend(value, Value::None));
    }
    let found = class::lookup(class_of(world, value), world.names[names::ANEXT]);
    if found.is_unbound() {
        return Err(fault::about(world, fault::NO_ANEXT, value));
    }
    let made = call::method(world, found, value, call::nothing(), depth)?;
    if let Value::Coroutine(_) = made {
        return Ok(made);
    }
    of_next(world, made, depth)
}

#[opaque]
fn of_next(world: Gc<World>, made: Value, depth: i64) -> Result<Value, Thrown> {
    let cause = match asked(world, made, depth) {
        Ok(Some(asked)) => return Ok(asked),
        Ok(None) => fault::about(world, fault::NOT_AWAITABLE, made),
        Err(thrown) => thrown,
    };
    let said = fault::about(world, fault::ANEXT_RETURNED, made);
    part(said).cause.set(Value::Instance(cause));
    part(said).context.set(Value::Instance(cause));
    part(said).suppress.set(true);
    part(said).fresh.set(false);
    Err(said)
}
