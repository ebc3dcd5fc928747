//! Exceptions of the language. In: what went wrong. Out: exceptions with CPython's words.
//! Invariant: traced code makes them by calls, since they are rare and their texts long.

use crate::bytecode::opcode::{COMPARISONS, SIGNS};
use crate::heap::class::Class;
use crate::heap::exception::{self, Thrown};
use crate::heap::function::{ASYNC_GENERATOR, COROUTINE};
use crate::heap::value::{Tuple, Value, text};
use crate::heap::world::{World, classes, type_name};
use verdigris::{Str, prelude::*};

/// An exception of a builtin class with a message, for native code.
pub fn new(world: Gc<World>, class: usize, message: &str) -> Thrown {
    with(world.classes[class], text(message))
}

/// An exception with one argument.
pub fn with(class: Gc<Class>, arg: Value) -> Thrown {
    let args = Tuple::new(1, Value::Unbound);
    args[0].set(arg);
    exception::make(class, args)
}

/// A `TypeError`.
pub fn type_error(world: Gc<World>, message: &str) -> Thrown {
    new(world, classes::TYPE_ERROR, message)
}

/// A `ValueError`.
pub fn value_error(world: Gc<World>, message: &str) -> Thrown {
    new(world, classes::VALUE_ERROR, message)
}

/// Something of Python that is not there yet.
pub fn missing(world: Gc<World>, what: &str) -> Thrown {
    let message = format!("{what} is not supported yet");
    new(world, classes::NOT_IMPLEMENTED_ERROR, &message)
}

/// A `StopIteration` with a value.
#[opaque]
pub fn stop(world: Gc<World>, value: Value) -> Thrown {
    let args = match value {
        Value::None => Tuple::new(0, Value::Unbound),
        _ => {
            let args = Tuple::new(1, Value::Unbound);
            args[0].set(value);
            args
        }
    };
    exception::make(world.classes[classes::STOP_ITERATION], args)
}

/// A variable without a value. `kind`: 0 a local one, 1 a free one, 2 a global.
#[opaque]
pub fn unbound(world: Gc<World>, kind: usize, name: Gc<Str>) -> Thrown {
    let name = name.as_str();
    match kind {
        0 => new(
            world,
            classes::UNBOUND_LOCAL_ERROR,
            &format!(
                "cannot access local variable '{name}' where it is not associated with a value"
            ),
        ),
        1 => new(
            world,
            classes::NAME_ERROR,
            &format!(
                "cannot access free variable '{name}' where it is not associated with a value in \
                 enclosing scope"
            ),
        ),
        _ => new(
            world,
            classes::NAME_ERROR,
            &format!("name '{name}' is not defined"),
        ),
    }
}

/// Operands that an operator is not for.
#[opaque]
pub fn unsupported(world: Gc<World>, op: usize, inplace: bool, a: Value, b: Value) -> Thrown {
    let (left, right) = (type_name(world, a), type_name(world, b));
    let sign = match (SIGNS[op], inplace) {
        ("**", false) => "** or pow()".to_string(),
        (sign, true) => format!("{sign}="),
        (sign, false) => sign.to_string(),
    };
    let message = format!("unsupported operand type(s) for {sign}: '{left}' and '{right}'");
    type_error(world, &message)
}

/// Operands that cannot be ordered.
#[opaque]
pub fn unordered(world: Gc<World>, op: usize, a: Value, b: Value) -> Thrown {
    let (left, right) = (type_name(world, a), type_name(world, b));
    let sign = COMPARISONS[op];
    let message = format!("'{sign}' not supported between instances of '{left}' and '{right}'");
    type_error(world, &message)
}

/// What [`about`] says of a value.
pub const NOT_CALLABLE: usize = 0;
/// It cannot be iterated over.
pub const NOT_ITERABLE: usize = 1;
/// It has no items.
pub const NOT_SUBSCRIPTABLE: usize = 2;
/// Its items cannot be set.
pub const NO_ITEM_ASSIGNMENT: usize = 3;
/// Its items cannot be deleted.
pub const NO_ITEM_DELETION: usize = 4;
/// It cannot be a key.
pub const UNHASHABLE: usize = 5;
/// It is no iterator.
pub const NOT_ITERATOR: usize = 6;
/// It has no members.
pub const NOT_CONTAINER: usize = 7;
/// It is no integer.
pub const NO_INTEGER: usize = 8;
/// It has no length.
pub const NO_LENGTH: usize = 9;
/// It cannot be unpacked.
pub const NOT_UNPACKABLE: usize = 10;
/// It is for no `with`.
pub const NO_CONTEXT: usize = 11;
/// The same without `__exit__`.
pub const NO_EXIT: usize = 12;
/// `__init__` has returned it.
pub const INIT_RETURNED: usize = 13;
/// No index of a list.
pub const LIST_INDEX: usize = 14;
/// No index of a tuple.
pub const TUPLE_INDEX: usize = 15;
/// No index of a string.
pub const STRING_INDEX: usize = 16;
/// No operand of unary `-`.
pub const NO_NEG: usize = 17;
/// No operand of unary `+`.
pub const NO_POS: usize = 18;
/// No operand of `~`.
pub const NO_INVERT: usize = 19;
/// `__bool__` has returned it.
pub const BOOL_RETURNED: usize = 20;
/// `iter()` has returned it.
pub const ITER_RETURNED: usize = 21;
/// No mapping behind `**`.
pub const NO_MAPPING: usize = 22;
/// It is for no `async with`.
pub const NO_ASYNC_CONTEXT: usize = 23;
/// The same, since a method is missing.
pub const NO_AEXIT: usize = 24;
/// It cannot be awaited.
pub const NOT_AWAITABLE: usize = 25;
/// `__aenter__` has returned it, and it cannot be awaited.
pub const AENTER_RETURNED: usize = 26;
/// `__aexit__` has.
pub const AEXIT_RETURNED: usize = 27;
/// `__await__` has returned it, and it is no iterator.
pub const AWAIT_RETURNED: usize = 28;
/// It cannot be iterated over by `async for`.
pub const NO_AITER: usize = 29;
/// `__aiter__` has returned it.
pub const AITER_RETURNED: usize = 30;
/// It is no asynchronous iterator.
pub const NO_ANEXT: usize = 31;
/// `__anext__` has returned it, and it cannot be awaited.
pub const ANEXT_RETURNED: usize = 32;

/// A `TypeError` about a value.
#[opaque]
pub fn about(world: Gc<World>, what: usize, value: Value) -> Thrown {
    let name = type_name(world, value);
    let message = match what {
        NOT_CALLABLE => format!("'{name}' object is not callable"),
        NOT_ITERABLE => format!("'{name}' object is not iterable"),
        NOT_SUBSCRIPTABLE => match value {
            Value::Class(class) => {
                format!("type '{}' is not subscriptable", class.name.as_str())
            }
            _ => format!("'{name}' object is not subscriptable"),
        },
        NO_ITEM_ASSIGNMENT => format!("'{name}' object does not support item assignment"),
        NO_ITEM_DELETION => format!("'{name}' object doesn't support item deletion"),
        UNHASHABLE => format!("unhashable type: '{name}'"),
        NOT_ITERATOR => format!("'{name}' object is not an iterator"),
        NOT_CONTAINER => format!("argument of type '{name}' is not iterable"),
        NO_INTEGER => format!("'{name}' object cannot be interpreted as an integer"),
        NO_LENGTH => format!("object of type '{name}' has no len()"),
        NOT_UNPACKABLE => format!("cannot unpack non-iterable {name} object"),
        NO_CONTEXT => format!("'{name}' object does not support the context manager protocol"),
        NO_EXIT => format!(
            "'{name}' object does not support the context manager protocol (missed __exit__ method)"
        ),
        INIT_RETURNED => format!("__init__() should return None, not '{name}'"),
        LIST_INDEX => format!("list indices must be integers or slices, not {name}"),
        TUPLE_INDEX => format!("tuple indices must be integers or slices, not {name}"),
        STRING_INDEX => format!("string indices must be integers, not '{name}'"),
        NO_NEG => format!("bad operand type for unary -: '{name}'"),
        NO_POS => format!("bad operand type for unary +: '{name}'"),
        NO_INVERT => format!("bad operand type for unary ~: '{name}'"),
        BOOL_RETURNED => format!("__bool__ should return bool, returned {name}"),
        ITER_RETURNED => format!("iter() returned non-iterator of type '{name}'"),
        NO_ASYNC_CONTEXT => {
            format!("'{name}' object does not support the asynchronous context manager protocol")
        }
        NO_AEXIT => format!(
            "'{name}' object does not support the asynchronous context manager protocol (missed \
             __aexit__ method)"
        ),
        NOT_AWAITABLE => format!("object {name} can't be used in 'await' expression"),
        AENTER_RETURNED => format!(
            "'async with' received an object from __aenter__ that does not implement __await__: \
             {name}"
        ),
        AEXIT_RETURNED => format!(
            "'async with' received an object from __aexit__ that does not implement __await__: \
             {name}"
        ),
        AWAIT_RETURNED => format!("__await__() returned non-iterator of type '{name}'"),
        NO_AITER => {
            format!("'async for' requires an object with __aiter__ method, got {name}")
        }
        AITER_RETURNED => format!(
            "'async for' received an object from __aiter__ that does not implement __anext__: \
             {name}"
        ),
        NO_ANEXT => {
            format!("'async for' requires an iterator with __anext__ method, got {name}")
        }
        ANEXT_RETURNED => {
            format!("'async for' received an invalid object from __anext__: {name}")
        }
        _ => format!("argument after ** must be a mapping, not {name}"),
    };
    type_error(world, &message)
}

/// What [`simple`] says.
pub const LIST_RANGE: usize = 0;
/// A list index for assignment.
pub const LIST_ASSIGNMENT: usize = 1;
/// A tuple index.
pub const TUPLE_RANGE: usize = 2;
/// A string index.
pub const STRING_RANGE: usize = 3;
/// A division of integers.
pub const DIVISION: usize = 4;
/// A division of floats.
pub const FLOAT_DIVISION: usize = 5;
/// The same with `//`.
pub const FLOAT_FLOOR: usize = 6;
/// The same with `%` of floats.
pub const FLOAT_MODULO: usize = 7;
/// `%` or `//` of integers.
pub const MODULO: usize = 8;
/// A negative power of zero.
pub const ZERO_POWER: usize = 9;
/// Too many calls within each other.
pub const RECURSION: usize = 10;
/// A dict that has changed in a loop.
pub const DICT_CHANGED: usize = 11;
/// A set that has.
pub const SET_CHANGED: usize = 12;
/// A `raise` where nothing is handled.
pub const NOTHING_HANDLED: usize = 13;
/// What is raised is no exception.
pub const NOT_EXCEPTION: usize = 14;
/// What it is raised from is none.
pub const BAD_CAUSE: usize = 15;
/// What is caught is no class of exceptions.
pub const BAD_CATCH: usize = 16;
/// A negative number of bits.
pub const NEGATIVE_SHIFT: usize = 20;
/// A list index for `del`.
pub const RANGE_INDEX: usize = 21;
/// A step of zero.
pub const ZERO_STEP: usize = 22;
/// An index of bytes.
pub const BYTES_RANGE: usize = 23;
/// An index of a bytearray.
pub const BYTEARRAY_RANGE: usize = 24;
/// A coroutine that has ended is awaited.
pub const REUSED_COROUTINE: usize = 25;
/// A coroutine that something awaits is awaited by something else.
pub const AWAITED_TWICE: usize = 26;
/// What `asend` has returned was awaited before.
pub const REUSED_ASEND: usize = 27;
/// What `athrow` has returned was awaited before.
pub const REUSED_ATHROW: usize = 28;
/// An asynchronous generator is asked for an item, and for another one.
pub const ANEXT_RUNS: usize = 29;
/// It is closed meanwhile.
pub const ACLOSE_RUNS: usize = 30;
/// Something is thrown into it meanwhile.
pub const ATHROW_RUNS: usize = 31;
/// Something is sent to what `athrow` has returned, which has not begun.
pub const ATHROW_TOO_EARLY: usize = 32;
/// `__await__` has returned a coroutine.
pub const AWAIT_COROUTINE: usize = 33;
/// The end of an asynchronous iteration.
pub const STOPPED_ASYNC: usize = 34;

/// An exception that always says the same.
#[opaque]
pub fn simple(world: Gc<World>, what: usize) -> Thrown {
    let (class, message) = match what {
        LIST_RANGE => (classes::INDEX_ERROR, "list index out of range"),
        LIST_ASSIGNMENT => (classes::INDEX_ERROR, "list assignment index out of range"),
        TUPLE_RANGE => (classes::INDEX_ERROR, "tuple index out of range"),
        STRING_RANGE => (classes::INDEX_ERROR, "string index out of range"),
        RANGE_INDEX => (classes::INDEX_ERROR, "range object index out of range"),
        DIVISION => (classes::ZERO_DIVISION_ERROR, "division by zero"),
        FLOAT_DIVISION => (classes::ZERO_DIVISION_ERROR, "float division by zero"),
        FLOAT_FLOOR => (classes::ZERO_DIVISION_ERROR, "float floor division by zero"),
        FLOAT_MODULO => (classes::ZERO_DIVISION_ERROR, "float modulo"),
        MODULO => (
            classes::ZERO_DIVISION_ERROR,
            "integer division or modulo by zero",
        ),
        ZERO_POWER => (
            classes::ZERO_DIVISION_ERROR,
            "0.0 cannot be raised to a negative power",
        ),
        RECURSION => (classes::RECURSION_ERROR, "maximum recursion depth exceeded"),
        DICT_CHANGED => (
            classes::RUNTIME_ERROR,
            "dictionary changed size during iteration",
        ),
        SET_CHANGED => (classes::RUNTIME_ERROR, "Set changed size during iteration"),
        NOTHING_HANDLED => (classes::RUNTIME_ERROR, "No active exception to reraise"),
        NOT_EXCEPTION => (
            classes::TYPE_ERROR,
            "exceptions must derive from BaseException",
        ),
        BAD_CAUSE => (
            classes::TYPE_ERROR,
            "exception causes must derive from BaseException",
        ),
        BAD_CATCH => (
            classes::TYPE_ERROR,
            "catching classes that do not inherit from BaseException is not allowed",
        ),
        NEGATIVE_SHIFT => (classes::VALUE_ERROR, "negative shift count"),
        BYTES_RANGE => (classes::INDEX_ERROR, "index out of range"),
        BYTEARRAY_RANGE => (classes::INDEX_ERROR, "bytearray index out of range"),
        ZERO_STEP => (classes::VALUE_ERROR, "slice step cannot be zero"),
        REUSED_COROUTINE => (
            classes::RUNTIME_ERROR,
            "cannot reuse already awaited coroutine",
        ),
        AWAITED_TWICE => (classes::RUNTIME_ERROR, "coroutine is being awaited already"),
        REUSED_ASEND => (
            classes::RUNTIME_ERROR,
            "cannot reuse already awaited __anext__()/asend()",
        ),
        REUSED_ATHROW => (
            classes::RUNTIME_ERROR,
            "cannot reuse already awaited aclose()/athrow()",
        ),
        ANEXT_RUNS => (
            classes::RUNTIME_ERROR,
            "anext(): asynchronous generator is already running",
        ),
        ACLOSE_RUNS => (
            classes::RUNTIME_ERROR,
            "aclose(): asynchronous generator is already running",
        ),
        ATHROW_RUNS => (
            classes::RUNTIME_ERROR,
            "athrow(): asynchronous generator is already running",
        ),
        ATHROW_TOO_EARLY => (
            classes::RUNTIME_ERROR,
            "can't send non-None value to a just-started coroutine",
        ),
        AWAIT_COROUTINE => (classes::TYPE_ERROR, "__await__() returned a coroutine"),
        STOPPED_ASYNC => {
            return exception::make(world.classes[classes::STOP_ASYNC_ITERATION], world.no_items);
        }
        _ => unreachable!("each of them is above"),
    };
    new(world, class, message)
}

/// What [`of_generator`] says: it is executing.
pub const GENERATOR_RUNS: usize = 0;
/// Something was sent before it has begun.
pub const SENT_TOO_EARLY: usize = 1;
/// It has yielded when it was closed.
pub const IGNORED_EXIT: usize = 2;
/// It has raised what ends loops.
pub const RAISED_STOP: usize = 3;
/// It has raised what ends `async for`.
pub const RAISED_ASYNC_STOP: usize = 4;

/// What messages call what calls of code make.
fn called(kind: usize) -> &'static str {
    match kind {
        COROUTINE => "coroutine",
        ASYNC_GENERATOR => "async generator",
        _ => "generator",
    }
}

/// An exception about a generator or coroutine, whose code is of this kind.
#[opaque]
pub fn of_generator(world: Gc<World>, what: usize, kind: usize) -> Thrown {
    let name = called(kind);
    let (class, message) = match what {
        GENERATOR_RUNS => (classes::VALUE_ERROR, format!("{name} already executing")),
        SENT_TOO_EARLY => (
            classes::TYPE_ERROR,
            format!("can't send non-None value to a just-started {name}"),
        ),
        IGNORED_EXIT => (
            classes::RUNTIME_ERROR,
            format!("{name} ignored GeneratorExit"),
        ),
        RAISED_STOP => (
            classes::RUNTIME_ERROR,
            format!("{name} raised StopIteration"),
        ),
        _ => (
            classes::RUNTIME_ERROR,
            format!("{name} raised StopAsyncIteration"),
        ),
    };
    new(world, class, &message)
}

/// An object has no such attribute.
#[opaque]
pub fn no_attribute(world: Gc<World>, object: Value, name: Gc<Str>) -> Thrown {
    let name = name.as_str();
    let message = match object {
        Value::Class(class) => {
            format!(
                "type object '{}' has no attribute '{name}'",
                class.name.as_str()
            )
        }
        Value::Module(module) => {
            format!(
                "module '{}' has no attribute '{name}'",
                module.name.as_str()
            )
        }
        _ => format!(
            "'{}' object has no attribute '{name}'",
            type_name(world, object)
        ),
    };
    new(world, classes::ATTRIBUTE_ERROR, &message)
}

/// A key is not there.
#[opaque]
pub fn no_key(world: Gc<World>, key: Value) -> Thrown {
    with(world.classes[classes::KEY_ERROR], key)
}

/// A number of values that does not fit the targets. `got` is -1 if there are more.
#[opaque]
pub fn unpacked(world: Gc<World>, wanted: usize, got: i64, at_least: bool) -> Thrown {
    let message = match got {
        -1 => format!("too many values to unpack (expected {wanted})"),
        _ if at_least => {
            format!("not enough values to unpack (expected at least {wanted}, got {got})")
        }
        _ => format!("not enough values to unpack (expected {wanted}, got {got})"),
    };
    value_error(world, &message)
}
