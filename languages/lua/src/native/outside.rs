//! The functions of the library that the JIT calls and does not look into. In: arguments. Out:
//! results, or a fault. Invariant: what they call of the program runs one level deeper, as any
//! other call.

use super::check;
use super::debug;
use super::format;
use super::modules;
use super::names::*;
use super::os;
use super::*;
use crate::arith;
use crate::concat;
use crate::host;
use crate::number;
use crate::output;
use crate::string::{self, LuaStr};
use crate::value::Values;
use verdigris::ByteBuffer;
use verdigris::{CollectScope, ExhaustedError, collect_garbage, protect};
use verdigris::{Word, prelude::*, rooted_elsewhere};

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
        COLLECTGARBAGE => collect(args),
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
        MATH_RANDOM => random(args),
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
        TABLE_INSERT => insert(world, args, depth),
        TABLE_REMOVE => remove(world, args, depth),
        TABLE_CONCAT => join(world, args, depth),
        TABLE_UNPACK => unpack(world, args, depth),
        TABLE_PACK => {
            let t = table::empty(world);
            for n in 0..args.count {
                table::set_int(t, n as i64 + 1, args.at(n));
            }
            table::set_str(
                t,
                table::interned(world, b"n"),
                Value::Int(args.count as i64),
            );
            Ok(one(Value::Table(t)))
        }
        TABLE_MOVE => move_items(world, args, depth),
        SORT_PLAIN => Ok(one(Value::Bool(sort_plain(args.at(0))))),
        WARN => {
            check::present(id, args, 0)?;
            for n in 0..args.count {
                check::string(id, args, n)?;
            }
            warn(world, args)
        }
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
        concat::append_to(&mut text, args.at(n));
    }
    match (&text[..], args.count) {
        (b"@on", 1) => host::set_warnings(true),
        (b"@off", 1) => host::set_warnings(false),
        ([b'@', ..], 1) => {}
        _ if host::warnings() => {
            output::flush();
            eprintln!("Lua warning: {}", String::from_utf8_lossy(&text));
        }
        _ => {}
    }
    Ok(nothing(world))
}

/// No results.
#[inline]
pub fn nothing(world: Gc<World>) -> Returned {
    Returned {
        first: Value::Nil,
        all: Some(world.nothing),
    }
}

fn text(bytes: &[u8]) -> Returned {
    one(Value::Str(LuaStr::new(bytes)))
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
        Value::Table(_) | Value::File(_) => {
            let handler = meta::handler(world, value, meta::TOSTRING);
            if handler.is_nil() {
                let word = match value {
                    Value::Table(t) => t.to_word(),
                    Value::File(f) => f.to_word(),
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
                concat::append_to(&mut line, value)
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

fn collect(args: Args) -> Called {
    let what = match args.at(0) {
        Value::Nil => "collect".to_string(),
        Value::Str(s) => s.text(),
        other => return Err(check::mismatch(COLLECTGARBAGE, 0, 1, other, true)),
    };
    Ok(one(match what.as_str() {
        "count" => Value::Float(host::heap_bytes() as f64 / 1024.0),
        "collect" => {
            collect_garbage(CollectScope::All);
            Value::Int(0)
        }
        "step" => {
            collect_garbage(CollectScope::Young);
            Value::Bool(true)
        }
        // The collector decides itself when it is time; what it is told is kept for those who ask.
        "isrunning" => Value::Bool(host::tuning().running),
        "stop" | "restart" => {
            let running = what == "restart";
            host::tune(|tuning| tuning.running = running);
            Value::Int(0)
        }
        "incremental" | "generational" => {
            let generational = what == "generational";
            let old = host::tune(|tuning| tuning.generational = generational);
            let name = match old.generational {
                true => "generational",
                false => "incremental",
            };
            Value::Str(LuaStr::new(name.as_bytes()))
        }
        "setpause" => {
            let pause = check::integer_or(COLLECTGARBAGE, args, 1, 0)?;
            Value::Int(host::tune(|tuning| tuning.pause = pause).pause)
        }
        "setstepmul" => {
            let multiplier = check::integer_or(COLLECTGARBAGE, args, 1, 0)?;
            Value::Int(host::tune(|tuning| tuning.step_multiplier = multiplier).step_multiplier)
        }
        _ => {
            return Err(check::bad(
                COLLECTGARBAGE,
                0,
                &format!("invalid option '{what}'"),
            ));
        }
    }))
}

fn random(args: Args) -> Called {
    let word = host::random();
    let (low, high) = match args.count {
        0 => return Ok(one(Value::Float((word >> 11) as f64 / (1u64 << 53) as f64))),
        1 => (1, check::integer(MATH_RANDOM, args, 0)?),
        2 => (
            check::integer(MATH_RANDOM, args, 0)?,
            check::integer(MATH_RANDOM, args, 1)?,
        ),
        _ => return Err(fault::message("wrong number of arguments")),
    };
    if args.count == 1 && high == 0 {
        return Ok(one(Value::Int(word as i64)));
    }
    if low > high {
        return Err(check::failed(MATH_RANDOM, 0, check::INTERVAL));
    }
    let offset = host::random_up_to(word, high.wrapping_sub(low) as u64);
    Ok(one(Value::Int(low.wrapping_add(offset as i64))))
}

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

fn insert(world: Gc<World>, args: Args, depth: i64) -> Called {
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

fn remove(world: Gc<World>, args: Args, depth: i64) -> Called {
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

fn join(world: Gc<World>, args: Args, depth: i64) -> Called {
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
    let mut n = from;
    while n <= to {
        let value = access::get(world, list, Value::Int(n), depth)?;
        if !matches!(value, Value::Str(_) | Value::Int(_) | Value::Float(_)) {
            return Err(fault::message(&format!(
                "invalid value ({}) at index {n} in table for 'concat'",
                check::type_of(value)
            )));
        }
        concat::append_to(&mut bytes, value);
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

fn unpack(world: Gc<World>, args: Args, depth: i64) -> Called {
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
    for n in 0..=count {
        let value = access::get(world, list, Value::Int(from.wrapping_add(n as i64)), depth)?;
        values[n as usize].set(value);
    }
    Ok(several(values))
}

fn move_items(world: Gc<World>, args: Args, depth: i64) -> Called {
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
fn sort_plain(list: Value) -> bool {
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
