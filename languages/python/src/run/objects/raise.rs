//! Raising and catching. In: what a program raises, and what it catches. Out: exceptions, and
//! whether they match. Invariant: what is raised is an instance whose class derives from
//! `BaseException`.

use crate::heap::class;
use crate::heap::exception::{self, Thrown, is_exception, part};
use crate::heap::instance;
use crate::heap::value::{Tuple, Value};
use crate::heap::world::{World, classes};
use crate::plain::fault;
use crate::run::call;
use verdigris::prelude::*;

/// The exception of `raise value from cause`; `cause` is `Unbound` if there is none.
///
/// # Errors
/// What making an instance raises.
#[inline]
pub fn raised(world: Gc<World>, value: Value, cause: Value, depth: i64) -> Result<Thrown, Thrown> {
    let made = instance_of(world, value, depth)?;
    let thrown = match made {
        Value::Instance(instance) if is_exception(made) => instance,
        _ => return Err(fault::simple(world, fault::NOT_EXCEPTION)),
    };
    part(thrown).fresh.set(true);
    match cause {
        Value::Unbound => {}
        Value::None => {
            part(thrown).cause.set(Value::None);
            part(thrown).suppress.set(true);
        }
        _ => {
            let cause = instance_of(world, cause, depth)?;
            if !is_exception(cause) {
                return Err(fault::simple(world, fault::BAD_CAUSE));
            }
            part(thrown).cause.set(cause);
            part(thrown).suppress.set(true);
        }
    }
    Ok(thrown)
}

/// An instance, if it is a class of exceptions.
#[inline]
fn instance_of(world: Gc<World>, value: Value, depth: i64) -> Result<Value, Thrown> {
    match value {
        Value::Class(class) => {
            let class = promote(class);
            if class.layout != classes::BASE_EXCEPTION {
                return Ok(value);
            }
            call::make(world, class, call::nothing(), depth)
        }
        _ => Ok(value),
    }
}

/// An exception that is raised once more where it was caught.
#[inline]
pub fn again(world: Gc<World>, value: Value) -> Thrown {
    match value {
        Value::Instance(thrown) if is_exception(value) => {
            part(thrown).again.set(true);
            thrown
        }
        _ => fault::simple(world, fault::NOTHING_HANDLED),
    }
}

/// Whether an exception is of a class, or of one of a tuple.
///
/// # Errors
/// A `TypeError` if that is none of exceptions.
#[inline]
pub fn matches(world: Gc<World>, thrown: Value, wanted: Value) -> Result<bool, Thrown> {
    let Value::Instance(thrown) = thrown else {
        unreachable!();
    };
    match wanted {
        Value::Class(class) => {
            let class = promote(class);
            if class.layout != classes::BASE_EXCEPTION {
                return Err(fault::simple(world, fault::BAD_CATCH));
            }
            Ok(class::derives(instance::class(thrown), class))
        }
        Value::Tuple(all) => one_of(world, thrown, all),
        _ => Err(fault::simple(world, fault::BAD_CATCH)),
    }
}

#[opaque]
fn one_of(world: Gc<World>, thrown: Thrown, all: Tuple) -> Result<bool, Thrown> {
    let mut found = false;
    for n in 0..all.len() {
        match all[n].get() {
            Value::Class(class) if class.layout == classes::BASE_EXCEPTION => {
                found |= class::derives(thrown.map.get().class, class);
            }
            _ => return Err(fault::simple(world, fault::BAD_CATCH)),
        }
    }
    Ok(found)
}

/// The exception of an assertion; `message` is `Unbound` if there is none.
#[opaque]
pub fn assertion(world: Gc<World>, message: Value) -> Thrown {
    let class = world.classes[classes::ASSERTION_ERROR];
    match message {
        Value::Unbound => exception::make(class, world.no_items),
        message => fault::with(class, message),
    }
}
