//! Methods of generators, coroutines and asynchronous generators, of what awaits them, and what the
//! library asks of them. In: arguments. Out: results.

use super::given::Given;
use super::names::*;
use crate::heap::exception::{Thrown, part};
use crate::heap::function::{self, BoundMethod, Code, Function};
use crate::heap::instance;
use crate::heap::value::{Generator, Registers, Tuple, Value, text};
use crate::heap::world::class_of;
use crate::plain::fault;
use crate::run::call::generator::{self, Sent};
use crate::run::call::{self, awaiter};
use crate::run::objects::{attribute, awaiting, import, raise};
use verdigris::prelude::*;

type Outcome = Result<Value, Thrown>;

/// Calls such a method.
///
/// # Errors
/// What it raises.
pub fn call(given: Given) -> Outcome {
    given.check_keywords(&[])?;
    let (world, depth) = (given.world, given.depth);
    match (given.id, given.at(0)) {
        (GENERATOR_SEND..=GENERATOR_ITER, Value::Generator(own))
        | (COROUTINE_SEND..=COROUTINE_AWAIT, Value::Coroutine(own)) => of_generator(given, own),
        (ASYNC_GENERATOR_ASEND, own @ Value::AsyncGenerator(_)) => {
            Ok(awaiter::asend(own, given.at(1)))
        }
        (ASYNC_GENERATOR_ANEXT, own @ Value::AsyncGenerator(_)) => {
            Ok(awaiter::asend(own, Value::None))
        }
        (ASYNC_GENERATOR_ATHROW, own @ Value::AsyncGenerator(_)) => {
            Ok(awaiter::athrow(own, Value::Instance(thrown(given)?)))
        }
        (ASYNC_GENERATOR_ACLOSE, own @ Value::AsyncGenerator(_)) => {
            Ok(awaiter::athrow(own, Value::None))
        }
        (ASYNC_GENERATOR_AITER, own @ Value::AsyncGenerator(_)) => Ok(own),
        (WRAPPER_SEND..=ATHROW_AWAIT, Value::Iter(own)) => match given.id {
            WRAPPER_SEND | ASEND_SEND | ATHROW_SEND => {
                result(given, awaiter::send(world, own, given.at(1), depth)?)
            }
            WRAPPER_THROW | ASEND_THROW | ATHROW_THROW => {
                let exception = Value::Instance(thrown(given)?);
                result(given, awaiter::throw(world, own, exception, depth)?)
            }
            WRAPPER_CLOSE | ASEND_CLOSE | ATHROW_CLOSE => awaiter::close(world, own, depth),
            _ => Ok(given.at(0)),
        },
        _ => Err(given.wrong_object()),
    }
}

fn of_generator(given: Given, own: Gc<Generator>) -> Outcome {
    let (world, depth) = (given.world, given.depth);
    let none = Value::None;
    match given.id {
        GENERATOR_SEND | COROUTINE_SEND => {
            let sent = generator::resume(world, own, given.at(1), none, depth)?;
            result(given, sent)
        }
        GENERATOR_NEXT => result(given, generator::resume(world, own, none, none, depth)?),
        GENERATOR_THROW | COROUTINE_THROW => {
            let exception = Value::Instance(thrown(given)?);
            let sent = generator::resume(world, own, none, exception, depth)?;
            result(given, sent)
        }
        GENERATOR_CLOSE | COROUTINE_CLOSE => generator::close(world, own, depth),
        COROUTINE_AWAIT => Ok(awaiter::wrapper(given.at(0))),
        _ => Ok(given.at(0)),
    }
}

/// What was yielded, or a `StopIteration` with what was returned.
fn result(given: Given, sent: Sent) -> Outcome {
    match sent.done {
        true => Err(fault::stop(given.world, sent.value)),
        false => Ok(sent.value),
    }
}

/// The exception that `throw` is called with: an exception, a class of exceptions, or such a class,
/// its argument and a traceback.
fn thrown(given: Given) -> Result<Thrown, Thrown> {
    let (world, depth) = (given.world, given.depth);
    let (kind, value, traceback) = (given.at(1), given.at(2), given.at(3));
    let made = match (kind, value) {
        (_, Value::Unbound | Value::None) => kind,
        (Value::Class(class), Value::Instance(own))
            if crate::heap::class::derives(instance::class(own), class) =>
        {
            value
        }
        (Value::Class(_), Value::Tuple(args)) => {
            call::value(world, kind, call::plain(call::plain_tuple(args)), depth)?
        }
        (Value::Class(_), _) => call::value(world, kind, call::one(value), depth)?,
        _ => return Err(given.type_error("instance exception may not have a separate value")),
    };
    let is_fine = match made {
        Value::Class(class) => class.layout == crate::heap::world::classes::BASE_EXCEPTION,
        other => crate::heap::exception::is_exception(other),
    };
    if !is_fine {
        let class = class_of(world, kind).name;
        let message = format!(
            "exceptions must be classes or instances deriving from BaseException, not {}",
            class.as_str()
        );
        return Err(given.type_error(&message));
    }
    let thrown = raise::raised(world, made, Value::Unbound, depth)?;
    match traceback {
        Value::Unbound | Value::None => {}
        Value::Traceback(traceback) => part(thrown).traceback.set(Some(traceback)),
        _ => {
            let message = "throw() third argument must be a traceback object";
            return Err(given.type_error(message));
        }
    }
    Ok(thrown)
}

/// `aiter(value)`
///
/// # Errors
/// A `TypeError` if it is not for `async for`.
pub fn aiter(given: Given) -> Outcome {
    let (world, value) = (given.world, given.at(0));
    let class = class_of(world, value);
    let name = world.names[crate::heap::world::names::AITER];
    if crate::heap::class::lookup(class, name).is_unbound() {
        let message = format!("'{}' object is not an async iterable", class.name.as_str());
        return Err(given.type_error(&message));
    }
    let (function, first) = attribute::special(world, value, name, given.depth)?;
    let args = match first {
        Value::Unbound => call::nothing(),
        first => call::one(first),
    };
    let made = call::value(world, function, args, given.depth)?;
    if !awaiting::is_async_iterator(world, made) {
        let class = class_of(world, made).name;
        let message = format!(
            "aiter() returned not an async iterator of type '{}'",
            class.as_str()
        );
        return Err(given.type_error(&message));
    }
    Ok(made)
}

/// `anext(iterator, default)`
///
/// # Errors
/// A `TypeError` if it is no asynchronous iterator.
pub fn anext(given: Given) -> Outcome {
    let (world, value) = (given.world, given.at(0));
    if !awaiting::is_async_iterator(world, value) {
        let class = class_of(world, value).name;
        let message = format!("'{}' object is not an async iterator", class.as_str());
        return Err(given.type_error(&message));
    }
    let name = world.names[crate::heap::world::names::ANEXT];
    let (function, first) = attribute::special(world, value, name, given.depth)?;
    let args = match first {
        Value::Unbound => call::nothing(),
        first => call::one(first),
    };
    let asked = call::value(world, function, args, given.depth)?;
    match given.at(1) {
        Value::Unbound => Ok(asked),
        default => import::call(
            world,
            "_awaiting",
            "item_or_default",
            &[asked, default],
            given.depth,
        ),
    }
}

/// The code of a function, a method, or of what a call has made; `None` of anything else.
fn code_of(value: Value) -> Option<Gc<Code>> {
    match value {
        Value::Function(function) => Some(function.code),
        Value::Method(method) => code_of(method.function),
        Value::Generator(own) | Value::Coroutine(own) | Value::AsyncGenerator(own) => {
            Some(own.code)
        }
        _ => None,
    }
}

/// What the library asks: what calls of a function make, the same function with calls that make
/// what can be awaited, where a coroutine waits.
///
/// # Errors
/// That it was asked of something else.
pub fn of_library(given: Given) -> Outcome {
    let value = given.at(0);
    let code = code_of(value);
    match given.id {
        CODE_KIND => Ok(match code {
            Some(code) => Value::Int(code.kind as i64),
            None => Value::None,
        }),
        PLACE_OF => {
            let Some(code) = code else {
                return Ok(Value::None);
            };
            let line = match value {
                Value::Coroutine(own) | Value::Generator(own) if generator::is_suspended(own) => {
                    i64::from(code.lines[own.pc.get()])
                }
                Value::Coroutine(own) if own.pc.get() == 0 => code.first_line as i64,
                _ => -1,
            };
            let made = Tuple::new(3, Value::Unbound);
            made[0].set(text(code.module.file.as_str()));
            made[1].set(Value::Int(code.first_line as i64));
            made[2].set(Value::Int(line));
            Ok(Value::Tuple(made))
        }
        _ => match value {
            Value::Function(own) if own.code.kind == function::GENERATOR => {
                Ok(Value::Function(Gc::new(Function {
                    code: function::with_kind(own.code, function::ITERABLE_COROUTINE),
                    defaults: own.defaults,
                    keyword_defaults: own.keyword_defaults,
                    closure: own.closure,
                    annotations: own.annotations,
                    attributes: Cell::new(own.attributes.get()),
                })))
            }
            Value::Method(own) => {
                let values = Registers::new(1, own.function);
                let inner =
                    of_library(Given::new(given.world, given.id, values, None, given.depth))?;
                Ok(Value::Method(Gc::new(BoundMethod {
                    function: inner,
                    object: own.object,
                })))
            }
            _ => Err(given.type_error("a generator function is needed")),
        },
    }
}
