//! What stands between those who await and a coroutine or asynchronous generator: what
//! `coroutine.__await__()` returns, `asend` and `__anext__`, `athrow` and `aclose`. In: what is
//! sent or thrown. Out: what is asked of those outside, or what was awaited. Invariant: they are
//! iterators of kinds of their own ([`Iter`]): `source` is what they stand before, `other` what
//! they send or throw first, and `at` is where they are.
//!
//! Source: PEP 525, and CPython 3.11 for the cases that it leaves open.

use crate::heap::class;
use crate::heap::exception::{self, Thrown};
use crate::heap::instance;
use crate::heap::places;
use crate::heap::value::{Generator, Iter, NOWHERE, Value};
use crate::heap::world::{World, classes};
use crate::plain::fault;
use crate::run::call::generator::{self, Sent};
use crate::run::items::iterate::{self, ASEND, ATHROW, COROUTINE_WRAPPER};
use verdigris::prelude::*;

/// It has not begun.
const NEW: i64 = 0;
/// Something that it stands before was asked.
const ASKED: i64 = 1;
/// It has ended.
const ENDED: i64 = 2;

/// One that awaits the next item of an asynchronous generator, to which it sends a value.
#[inline]
pub fn asend(generator: Value, value: Value) -> Value {
    iterate::new(ASEND, generator, value, NEW, 0, 1)
}

/// One that throws an exception into an asynchronous generator, or closes it if that is `None`.
pub fn athrow(generator: Value, exception: Value) -> Value {
    iterate::new(ATHROW, generator, exception, NEW, 0, 1)
}

/// One that awaits a coroutine.
pub fn wrapper(coroutine: Value) -> Value {
    iterate::new(COROUTINE_WRAPPER, coroutine, Value::None, NEW, 0, 1)
}

#[inline]
fn source(iter: Gc<Iter>) -> Gc<Generator> {
    match iter.source.get() {
        Value::Coroutine(generator) | Value::AsyncGenerator(generator) => generator,
        _ => unreachable!("they stand before nothing else"),
    }
}

/// Sends a value.
///
/// # Errors
/// What it stands before raises; that it was awaited before.
#[inline]
pub fn send(world: Gc<World>, iter: Gc<Iter>, sent: Value, depth: i64) -> Result<Sent, Thrown> {
    let own = source(iter);
    match promote(iter.kind) {
        COROUTINE_WRAPPER => generator::resume(world, own, sent, Value::None, depth),
        ASEND => {
            let at = iter.at.get();
            if at == ENDED {
                return Err(fault::simple(world, fault::REUSED_ASEND));
            }
            let mut value = sent;
            if at == NEW {
                if own.awaited.get() {
                    return Err(fault::simple(world, fault::ANEXT_RUNS));
                }
                if sent.is_none() {
                    value = iter.other;
                }
                iter.at.set(ASKED);
            }
            own.awaited.set(true);
            let result = generator::resume(world, own, value, Value::None, depth);
            unwrapped(world, iter, own, result)
        }
        _ => {
            let (value, done) = send_to_athrow(world, iter, sent, depth)?;
            Ok(Sent { value, done })
        }
    }
}

/// An item of an asynchronous generator is what was awaited; anything else is asked of those
/// outside.
#[inline]
fn unwrapped(
    world: Gc<World>,
    iter: Gc<Iter>,
    own: Gc<Generator>,
    result: Result<Sent, Thrown>,
) -> Result<Sent, Thrown> {
    match result {
        Ok(sent) => {
            if !sent.done && !generator::has_yielded(own) {
                return Ok(sent);
            }
            own.awaited.set(false);
            iter.at.set(ENDED);
            if sent.done {
                own.closed.set(true);
                return Err(fault::simple(world, fault::STOPPED_ASYNC));
            }
            Ok(Sent {
                value: sent.value,
                done: true,
            })
        }
        Err(thrown) => {
            own.awaited.set(false);
            if is_end(world, thrown) {
                own.closed.set(true);
            }
            iter.at.set(ENDED);
            Err(thrown)
        }
    }
}

/// Whether an exception is the end of an asynchronous generator.
#[inline]
fn is_end(world: Gc<World>, thrown: Thrown) -> bool {
    let class = instance::class(thrown);
    class::derives(class, world.classes[classes::STOP_ASYNC_ITERATION])
        || class::derives(class, world.classes[classes::GENERATOR_EXIT])
}

/// Sends a value to one that throws or closes. What it gives is what [`Sent`] has.
#[opaque]
fn send_to_athrow(
    world: Gc<World>,
    iter: Gc<Iter>,
    sent: Value,
    depth: i64,
) -> Result<(Value, bool), Thrown> {
    let own = source(iter);
    let at = iter.at.get();
    if at == ENDED {
        return Err(fault::simple(world, fault::REUSED_ATHROW));
    }
    if own.pc.get() == NOWHERE && !own.runs.get() {
        iter.at.set(ENDED);
        return Ok((Value::None, true));
    }
    let result = match at {
        NEW => {
            let exception = begun(world, iter, own, sent)?;
            generator::resume(
                world,
                own,
                Value::None,
                exception,
                places::below(world, depth),
            )
        }
        _ => generator::resume(world, own, sent, Value::None, places::below(world, depth)),
    };
    let sent = of_athrow(world, iter, own, result)?;
    Ok((sent.value, sent.done))
}

/// What is thrown when one begins that throws or closes.
fn begun(
    world: Gc<World>,
    iter: Gc<Iter>,
    own: Gc<Generator>,
    sent: Value,
) -> Result<Value, Thrown> {
    let closes = iter.other.is_none();
    if own.awaited.get() || own.closed.get() {
        iter.at.set(ENDED);
        let what = match (own.awaited.get(), closes) {
            (true, true) => fault::ACLOSE_RUNS,
            (true, false) => fault::ATHROW_RUNS,
            (false, _) => fault::STOPPED_ASYNC,
        };
        return Err(fault::simple(world, what));
    }
    if !sent.is_none() {
        return Err(fault::simple(world, fault::ATHROW_TOO_EARLY));
    }
    iter.at.set(ASKED);
    own.awaited.set(true);
    if !closes {
        return Ok(iter.other);
    }
    own.closed.set(true);
    let exit = world.classes[classes::GENERATOR_EXIT];
    Ok(Value::Instance(exception::make(exit, world.no_items)))
}

/// What became of an asynchronous generator that something was thrown into, or that was closed.
fn of_athrow(
    world: Gc<World>,
    iter: Gc<Iter>,
    own: Gc<Generator>,
    result: Result<Sent, Thrown>,
) -> Result<Sent, Thrown> {
    if !iter.other.is_none() {
        return unwrapped(world, iter, own, result);
    }
    if let Ok(sent) = result
        && !sent.done
        && !generator::has_yielded(own)
    {
        return Ok(sent);
    }
    own.awaited.set(false);
    iter.at.set(ENDED);
    match result {
        Ok(sent) if !sent.done => {
            let kind = own.code.kind;
            Err(fault::of_generator(world, fault::IGNORED_EXIT, kind))
        }
        Err(thrown) if !is_end(world, thrown) => Err(thrown),
        _ => Ok(Sent {
            value: Value::None,
            done: true,
        }),
    }
}

/// Throws an exception.
///
/// # Errors
/// As [`send`].
pub fn throw(
    world: Gc<World>,
    iter: Gc<Iter>,
    exception: Value,
    depth: i64,
) -> Result<Sent, Thrown> {
    let own = source(iter);
    if iter.kind == COROUTINE_WRAPPER {
        return generator::resume(world, own, Value::None, exception, depth);
    }
    if iter.at.get() == ENDED {
        let what = match iter.kind {
            ASEND => fault::REUSED_ASEND,
            _ => fault::REUSED_ATHROW,
        };
        return Err(fault::simple(world, what));
    }
    let result = generator::resume(world, own, Value::None, exception, depth);
    match iter.kind {
        ASEND => unwrapped(world, iter, own, result),
        _ => of_athrow(world, iter, own, result),
    }
}

/// Ends it.
///
/// # Errors
/// What a coroutine raises that is closed.
pub fn close(world: Gc<World>, iter: Gc<Iter>, depth: i64) -> Result<Value, Thrown> {
    if iter.kind == COROUTINE_WRAPPER {
        return generator::close(world, source(iter), depth);
    }
    iter.at.set(ENDED);
    Ok(Value::None)
}
