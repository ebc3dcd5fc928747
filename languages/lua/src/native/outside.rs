//! The functions of the library that the JIT calls and does not look into. In: arguments. Out:
//! results, or a fault. Invariant: what they call of the program runs one level deeper, as any
//! other call.

use super::check;
use super::debug;
use super::format;
use super::modules;
use super::names::*;
use super::os;
use super::tables;
use super::traceback;
use super::*;
use crate::arith;
use crate::concat;
use crate::host;
use crate::levels;
use crate::number;
use crate::output;
use crate::string::LuaStr;
use crate::value::{Values, nothing};
use verdigris::ByteBuffer;
use verdigris::{ExhaustedError, protect};
use verdigris::{Word, prelude::*};

type Called = Result<Returned, Gc<Fault>>;

/// Calls a value of the program, for which there may be too little memory. What traced code does
/// cannot be caught in the middle, so it is a call of its own.
#[opaque]
pub fn guarded(
    world: Gc<World>,
    callee: Value,
    values: Values,
    first: usize,
    count: usize,
    handler: Value,
    depth: i64,
) -> Called {
    let args = Args {
        values,
        first,
        count,
    };
    let outer = world.handler.replace(handler);
    let inner = call::depth_in_library(world, depth);
    let closing = coroutine::is_closing(world);
    let result = match protect(|| call::value(world, callee, args, inner)) {
        Ok(result) => result,
        Err(ExhaustedError::Heap) => Err(world.no_memory),
        Err(ExhaustedError::Stack) => Err(fault::overflow()),
    };
    if let Err(fault) = result
        && closing != coroutine::is_closing(world)
    {
        // The coroutine is being closed, and this call with it.
        fault.level.set(fault::UNCAUGHT);
        world.handler.set(outer);
        return result;
    }
    let result = match result {
        Err(fault) if !handler.is_nil() => Err(handle(world, fault, depth)),
        result => result,
    };
    world.handler.set(outer);
    result
}

/// How many errors of a message handler are handled by itself.
const HANDLER_ERRORS: usize = 100;

/// Hands an error to the message handler, unless that has been done. Gives what it made of it. What
/// it closes on the way sees that too, so an error goes there when it comes to the first such
/// variable, or to the protected call.
#[opaque]
pub fn handle(world: Gc<World>, fault: Gc<Fault>, depth: i64) -> Gc<Fault> {
    if fault.handled.get() {
        return fault;
    }
    let handler = world.handler.get();
    let mut error = fault.value.get();
    let outer = world.left.replace(fault.left.get());
    world.here.set(Value::Nil);
    levels::leave(world, depth);
    let fault = shown(world, handler, &mut error, depth);
    world.left.set(outer);
    fault
}

/// What a message handler makes of an error.
fn shown(world: Gc<World>, handler: Value, error: &mut Value, depth: i64) -> Gc<Fault> {
    let depth = call::depth_in_library(world, depth);
    for _ in 0..HANDLER_ERRORS {
        match call::value(world, handler, arguments(list1(*error)), depth) {
            Ok(shown) => return fault::handled(shown.first),
            Err(fault) => *error = fault.value.get(),
        }
    }
    fault::handled(Value::Str(LuaStr::new(b"error in error handling")))
}

/// Calls a function.
#[opaque]
pub fn call(
    world: Gc<World>,
    id: usize,
    values: Values,
    first: usize,
    count: usize,
    depth: i64,
) -> Result<Returned, Gc<Fault>> {
    let args = Args {
        values,
        first,
        count,
    };
    let depth = call::depth_in_library(world, depth);
    match id {
        PRINT => print(world, args, depth),
        TOSTRING => {
            check::present(id, args, 0)?;
            Ok(one(Value::Str(to_text(world, args.at(0), depth)?)))
        }
        TONUMBER => to_number(args),
        LOAD => modules::load_text(world, args),
        LOADFILE => modules::load_file(world, args),
        PACKAGE_SEARCHPATH => modules::search_path(args),
        PACKAGE_LOADLIB => {
            let message = "dynamic libraries not enabled; check your Lua installation";
            let list = Values::new(3, Value::Nil);
            list[1].set(Value::Str(LuaStr::new(message.as_bytes())));
            list[2].set(Value::Str(LuaStr::new(b"absent")));
            Ok(several(list))
        }
        MATH_RANDOM => {
            // The sequence goes on in spite of the error, as in the original.
            host::random();
            Err(fault::message("wrong number of arguments"))
        }
        MATH_RANDOMSEED => {
            let (first, second) = match args.count {
                0 => (host::clock().to_bits() as i64, 0),
                _ => (
                    check::integer(id, args, 0)?,
                    check::integer_or(id, args, 1, 0)?,
                ),
            };
            host::seed(first as u64, second as u64);
            Ok(several(list2(Value::Int(first), Value::Int(second))))
        }
        COROUTINE_CLOSE => coroutine::close_called(world, args),
        STRING_FORMAT => format::format(world, args, depth),
        TABLE_INSERT => tables::insert(world, args, depth),
        TABLE_REMOVE => tables::remove(world, args, depth),
        TABLE_CONCAT => tables::concat(world, args, depth),
        TABLE_UNPACK => tables::unpack(world, args, depth),
        TABLE_PACK => Ok(one(tables::pack(world, args))),
        TABLE_MOVE => tables::move_items(world, args, depth),
        SORT_PLAIN => Ok(one(Value::Bool(tables::sort_plain(args.at(0))))),
        WARN => {
            check::present(id, args, 0)?;
            for n in 0..args.count {
                check::string(id, args, n)?;
            }
            warn(world, args)
        }
        MESSAGE => traceback::message(world, args.at(0), depth),
        DEBUG_GETINFO..=DEBUG_DEBUG => debug::call(world, id, args, depth),
        OS_CLOCK..=OS_GETENV | OS_DATE..=OS_TMPNAME => os::call(world, id, args, depth),
        // The others are in traced code; they come here when native code calls them.
        _ => unreachable!("function {id} of the library"),
    }
}

/// A warning goes to standard error, if the program has asked for that by `@on`.
fn warn(world: Gc<World>, args: Args) -> Called {
    let mut text = ByteBuffer::new();
    for n in 0..args.count {
        concat::append(&mut text, args.at(n));
    }
    match (&text[..], args.count) {
        (b"@on", 1) => host::set_warnings(true),
        (b"@off", 1) => host::set_warnings(false),
        ([b'@', ..], 1) => {}
        _ => show_warning(&String::from_utf8_lossy(&text)),
    }
    Ok(nothing(world))
}

fn show_warning(text: &str) {
    if host::warnings() {
        output::flush();
        eprintln!("Lua warning: {text}");
    }
}

/// Warns of an error that a finalizer has ended with.
pub fn warn_of_finalizer(fault: Gc<Fault>) {
    let message = match fault.value.get() {
        Value::Str(text) => text.text(),
        _ => "error object is not a string".to_string(),
    };
    show_warning(&format!("error in __gc ({message})"));
}

/// The fault of a failed assertion: its message, if there is one.
#[opaque]
pub fn assertion(has_message: bool, message: Value) -> Gc<Fault> {
    if has_message {
        return fault::raised(message, 1);
    }
    fault::message("assertion failed!")
}

/// The fault of changing a metatable that is protected.
#[opaque]
pub fn protected() -> Gc<Fault> {
    fault::message("cannot change a protected metatable")
}

/// A value as text, by its `__tostring` if it has one.
pub fn to_text(world: Gc<World>, value: Value, depth: i64) -> Result<Gc<LuaStr>, Gc<Fault>> {
    let address = |name: &str, word: u64| LuaStr::new(format!("{name}: {word:#x}").as_bytes());
    Ok(match value {
        Value::Str(s) => s,
        Value::Nil => LuaStr::new(b"nil"),
        Value::Bool(b) => LuaStr::new(if b { b"true" } else { b"false" }),
        Value::Int(_) | Value::Float(_) => check::number_text(value),
        Value::Table(_) | Value::File(_) | Value::Host(_) => {
            let handler = meta::handler(world, value, meta::TOSTRING);
            if handler.is_nil() {
                let word = match value {
                    Value::Table(t) => t.to_word(),
                    Value::File(f) => f.to_word(),
                    Value::Host(h) => h.to_word(),
                    _ => 0,
                };
                return Ok(address(&meta::described(world, value), word));
            }
            let args = arguments(Values::new(1, value));
            match call::value(world, handler, args, depth)?.first {
                Value::Str(s) => s,
                other @ (Value::Int(_) | Value::Float(_)) => check::number_text(other),
                _ => return Err(fault::message("'__tostring' must return a string")),
            }
        }
        Value::Function(f) => address("function", f.to_word()),
        Value::Native(n) => address("function", n.to_word()),
        Value::Thread(t) => address("thread", t.to_word()),
        _ => unreachable!("programs have no such values"),
    })
}

/// An error as the user reads it.
pub fn message_text(world: Gc<World>, error: Value) -> String {
    match error {
        Value::Str(s) => s.text(),
        Value::Int(_) | Value::Float(_) => check::number_text(error).text(),
        Value::Table(_) | Value::Host(_)
            if !meta::handler(world, error, meta::TOSTRING).is_nil() =>
        {
            to_text(world, error, 0)
                .map_or_else(|_| "(error in __tostring)".to_string(), |text| text.text())
        }
        _ => format!("(error object is a {} value)", check::type_of(error)),
    }
}

fn print(world: Gc<World>, args: Args, depth: i64) -> Called {
    let mut line = ByteBuffer::new();
    for n in 0..args.count {
        if n > 0 {
            line.push(b'\t');
        }
        match args.at(n) {
            Value::Table(_) | Value::Function(_) => {
                line.extend(to_text(world, args.at(n), depth)?.as_bytes());
            }
            Value::Nil => line.extend(b"nil"),
            Value::Bool(b) => line.extend(b.to_string().bytes()),
            value @ (Value::Int(_) | Value::Float(_) | Value::Str(_)) => {
                concat::append(&mut line, value)
            }
            value => line.extend(to_text(world, value, depth)?.as_bytes()),
        }
    }
    line.push(b'\n');
    written(&line)?;
    Ok(nothing(world))
}

fn written(bytes: &[u8]) -> Result<(), Gc<Fault>> {
    output::write(bytes)
        .map_err(|error| fault::message(&format!("cannot write the output: {error}")))
}

fn to_number(args: Args) -> Called {
    check::present(TONUMBER, args, 0)?;
    if args.at(1).is_nil() {
        return Ok(one(arith::to_number(args.at(0))));
    }
    let base = check::integer(TONUMBER, args, 1)?;
    let Value::Str(s) = args.at(0) else {
        return Err(check::mismatch(TONUMBER, 0, 1, args.at(0), true));
    };
    if !(2..=36).contains(&base) {
        return Err(check::bad(TONUMBER, 1, "base out of range"));
    }
    let digits = number::trim(s.as_bytes());
    let (negative, digits) = match digits {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, digits),
    };
    let mut value: i64 = 0;
    for &byte in digits {
        let Some(digit) = (byte as char).to_digit(base as u32) else {
            return Ok(one(Value::Nil));
        };
        value = value.wrapping_mul(base).wrapping_add(i64::from(digit));
    }
    if digits.is_empty() {
        return Ok(one(Value::Nil));
    }
    Ok(one(Value::Int(if negative {
        value.wrapping_neg()
    } else {
        value
    })))
}
