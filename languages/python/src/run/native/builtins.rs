//! The functions that need no module. In: arguments. Out: results.

use super::given::Given;
use super::names::*;
use super::{collect, coroutines, evaluate, hot, numbers, objects, reflect, sorting};
use crate::bytecode::opcode;
use crate::heap::class::{self, Class};
use crate::heap::exception::Thrown;
use crate::heap::hashing;
use crate::heap::value::{Value, text};
use crate::heap::world::{class_of, classes, interned, names, type_name};
use crate::output;
use crate::plain::bytes;
use crate::plain::fault;
use crate::run::call;
use crate::run::call::consume;
use crate::run::items::hash;
use crate::run::items::iterate;
use crate::run::objects::write;
use crate::run::objects::{attribute, import};
use crate::run::operators::compare;
use crate::run::operators::truth;
use crate::run::text::format;
use crate::run::text::show;
use verdigris::{Str, prelude::*};

type Outcome = Result<Value, Thrown>;

/// Calls such a function.
///
/// # Errors
/// What it raises.
pub fn call(given: Given) -> Outcome {
    let (world, depth) = (given.world, given.depth);
    if !matches!(
        given.id,
        PRINT | SORTED | MIN | MAX | SUM | ROUND | POW | OPEN | COMPILE | IMPORT
    ) {
        given.check_keywords(&[])?;
    }
    let a = given.at(0);
    match given.id {
        PRINT => print(given),
        AITER => coroutines::aiter(given),
        ANEXT => coroutines::anext(given),
        LEN => length(given, a),
        REPR => Ok(text(&show::repr(world, a, depth)?)),
        ASCII => Ok(text(&show::ascii(&show::repr(world, a, depth)?))),
        ABS => numbers::absolute(given, a),
        ISINSTANCE => Ok(Value::Bool(is_one_of(
            given,
            class_of(world, a),
            given.at(1),
        )?)),
        ISSUBCLASS => {
            let Value::Class(class) = a else {
                return Err(given.type_error("issubclass() arg 1 must be a class"));
            };
            Ok(Value::Bool(is_one_of(given, class, given.at(1))?))
        }
        CALLABLE => Ok(Value::Bool(is_callable(given, a))),
        GETATTR => {
            let name = name(given, 1)?;
            match attribute::get(world, a, name, depth) {
                Err(thrown) if given.count() == 3 && is_missing(given, thrown) => Ok(given.at(2)),
                result => result,
            }
        }
        HASATTR => {
            let name = name(given, 1)?;
            match attribute::get(world, a, name, depth) {
                Ok(_) => Ok(Value::Bool(true)),
                Err(thrown) if is_missing(given, thrown) => Ok(Value::Bool(false)),
                Err(thrown) => Err(thrown),
            }
        }
        SETATTR => {
            let name = name(given, 1)?;
            write::set(world, a, name, given.at(2), depth)?;
            Ok(Value::None)
        }
        DELATTR => {
            let name = name(given, 1)?;
            write::delete(world, a, name, depth)?;
            Ok(Value::None)
        }
        ITER => match given.at(1) {
            Value::Unbound => iterate::start(world, a, depth),
            end => Ok(iterate::new(iterate::CALLABLE, a, end, 0, 0, 1)),
        },
        NEXT => next(given, a),
        SORTED => {
            given.check_keywords(&["key", "reverse"])?;
            let list = collect::list_of(world, a, depth)?;
            sorting::sort(given, list)?;
            Ok(Value::List(list))
        }
        MIN => extreme(given, opcode::CMP_LT),
        MAX => extreme(given, opcode::CMP_GT),
        SUM => sum(given),
        ANY => {
            let iterator = iterate::start(world, a, depth)?;
            loop {
                match iterate::next(world, iterator, depth)? {
                    Value::Unbound => return Ok(Value::Bool(false)),
                    item if truth::of(world, item, depth)? => return Ok(Value::Bool(true)),
                    _ => {}
                }
            }
        }
        ALL => {
            let iterator = iterate::start(world, a, depth)?;
            loop {
                match iterate::next(world, iterator, depth)? {
                    Value::Unbound => return Ok(Value::Bool(true)),
                    item if !truth::of(world, item, depth)? => return Ok(Value::Bool(false)),
                    _ => {}
                }
            }
        }
        ORD => match a {
            Value::Str(text) if text.chars == 1 => {
                let c = text.as_str().chars().next().unwrap_or('\0');
                Ok(Value::Int(i64::from(c as u32)))
            }
            Value::Str(text) => Err(wrong_length(given, text.chars)),
            Value::Bytes(_) | Value::ByteArray(_) => {
                let own = bytes::of(&a).unwrap_or_default();
                match own.as_ref() {
                    [byte] => Ok(Value::Int(i64::from(*byte))),
                    _ => Err(wrong_length(given, own.len())),
                }
            }
            other => Err(given.type_error(&format!(
                "ord() expected string of length 1, but {} found",
                type_name(world, other)
            ))),
        },
        CHR => {
            let code = given.int(a)?;
            match u32::try_from(code).ok().and_then(char::from_u32) {
                Some(c) => Ok(Value::Str(crate::plain::string::one(world, c))),
                None if (0xd800..0xe000).contains(&code) => {
                    Err(given.missing("a character that is half of a surrogate pair"))
                }
                None => Err(given.value_error("chr() arg not in range(0x110000)")),
            }
        }
        HASH => Ok(Value::Int(hash::of(world, a, depth)?)),
        ID => Ok(Value::Int(identity(a))),
        DIVMOD => numbers::divmod(given),
        POW => numbers::power(given),
        ROUND => numbers::round(given),
        HEX => numbers::in_base(given, 16, "0x"),
        OCT => numbers::in_base(given, 8, "0o"),
        BIN => numbers::in_base(given, 2, "0b"),
        FORMAT => match given.at(1) {
            Value::Unbound => format::of(world, a, Value::Str(world.empty), depth),
            spec => format::of(world, a, spec, depth),
        },
        INPUT => {
            if let Value::Str(prompt) = a {
                write(given, prompt.as_str(), false)?;
            }
            match output::read_line() {
                Ok(Some(line)) => Ok(text(&line)),
                Ok(None) => {
                    let message = "EOF when reading a line";
                    Err(fault::new(world, classes::EOF_ERROR, message))
                }
                Err(error) => Err(fault::new(world, classes::OS_ERROR, &error.to_string())),
            }
        }
        VARS | DIR if a.is_unbound() => match given.id {
            VARS => evaluate::locals(given),
            _ => evaluate::names(given),
        },
        VARS => objects::vars(given, a),
        DIR => objects::dir(given, a),
        GLOBALS | LOCALS | EVAL | EXEC | COMPILE => evaluate::call(given),
        IMPORT => reflect::import_function(given),
        OPEN => library_call(given, "io", "open"),
        EXIT | QUIT => super::system::exit(given),
        _ => Err(given.missing(&format!("'{}()'", given.name()))),
    }
}

/// `ord()` is for one character.
fn wrong_length(given: Given, len: usize) -> Thrown {
    let message = format!("ord() expected a character, but string of length {len} found");
    given.type_error(&message)
}

/// A number for the identity of a value.
fn identity(value: Value) -> i64 {
    match value {
        Value::Int(x) => x.wrapping_mul(32).wrapping_add(0x5000_0000) & i64::MAX,
        Value::Bool(x) => 0x4000 + i64::from(x) * 32,
        Value::Str(text) => (text.data.hash() & 0x7fff_ffff_ffff) as i64,
        Value::Float(x) => (x.to_bits() >> 1) as i64,
        Value::Tuple(tuple) => (verdigris::identity_hash(tuple) >> 16) as i64,
        other => hashing::of_object(other) & 0x7fff_ffff_ffff,
    }
}

fn name(given: Given, n: usize) -> Result<Gc<Str>, Thrown> {
    match given.at(n) {
        Value::Str(text) => Ok(interned(given.world, text.data)),
        other => {
            let class = type_name(given.world, other);
            let message = match given.id {
                GETATTR | HASATTR => {
                    format!("{}(): attribute name must be string", given.name())
                }
                _ => format!("attribute name must be string, not '{class}'"),
            };
            Err(given.type_error(&message))
        }
    }
}

fn is_missing(given: Given, thrown: Thrown) -> bool {
    let wanted = given.world.classes[classes::ATTRIBUTE_ERROR];
    class::derives(thrown.map.get().class, wanted)
}

/// Whether a value can be called.
pub fn is_callable(given: Given, value: Value) -> bool {
    match value {
        Value::Function(_) | Value::Native(_) | Value::Method(_) | Value::Class(_) => true,
        Value::Accessor(accessor) => accessor.kind == crate::heap::value::STATIC,
        Value::Instance(_) => {
            let class = class_of(given.world, value);
            !class::lookup(class, given.world.names[names::CALL]).is_unbound()
        }
        _ => false,
    }
}

/// Whether a class derives from another one, or from one of a tuple, or whether that says so.
fn is_one_of(given: Given, class: Gc<Class>, wanted: Value) -> Result<bool, Thrown> {
    let (world, depth) = (given.world, given.depth);
    let is_instance = given.id == ISINSTANCE;
    let meta = match wanted {
        Value::Class(wanted) if class::derives(class, wanted) => return Ok(true),
        Value::Class(own) => {
            let claimed = match is_instance {
                true => claimed(given)?,
                false => Value::Unbound,
            };
            if let Value::Class(claimed) = claimed
                && class::derives(claimed, own)
            {
                return Ok(true);
            }
            match own.meta {
                None => return Ok(false),
                Some(meta) => meta,
            }
        }
        Value::Tuple(all) => {
            for n in 0..all.len() {
                if is_one_of(given, class, all[n].get())? {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        _ => class_of(world, wanted),
    };
    let name = match is_instance {
        true => names::INSTANCECHECK,
        false => names::SUBCLASSCHECK,
    };
    let hook = class::lookup(meta, world.names[name]);
    if !hook.is_unbound() {
        let result = call::method(world, hook, wanted, call::one(given.at(0)), depth)?;
        return truth::of(world, result, depth);
    }
    match (wanted, is_instance) {
        (Value::Class(_), _) => Ok(false),
        (_, true) => {
            let message = "isinstance() arg 2 must be a type, a tuple of types, or a union";
            Err(given.type_error(message))
        }
        _ => {
            let message = "issubclass() arg 2 must be a class, a tuple of classes, or a union";
            Err(given.type_error(message))
        }
    }
}

/// What an object whose class has a `__class__` of its own says that it is.
fn claimed(given: Given) -> Outcome {
    let (world, object) = (given.world, given.at(0));
    match hot::claims_class(world, object) {
        true => attribute::get(world, object, world.names[names::CLASS], given.depth),
        false => Ok(Value::Unbound),
    }
}

/// A function of a module of the library with these arguments.
fn library_call(given: Given, module: &str, function: &str) -> Outcome {
    let (world, depth) = (given.world, given.depth);
    let function = import::function(world, module, function, depth)?;
    call::value(world, function, given.args, depth)
}

/// `len(value)`
///
/// # Errors
/// A `TypeError` if it has none.
pub fn length(given: Given, value: Value) -> Outcome {
    let world = given.world;
    let len = match value {
        Value::FrozenSet(set) => set.live.get(),
        Value::View(view) => view.dict.live.get(),
        Value::Range(range) => iterate::range_len(range) as usize,
        Value::Instance(_) | Value::Class(_) => {
            let found = class::lookup(class_of(world, value), world.names[names::LEN]);
            if found.is_unbound() {
                return Err(fault::about(world, fault::NO_LENGTH, value));
            }
            let result = call::method(world, found, value, call::nothing(), given.depth)?;
            return match result {
                Value::Int(0..) => Ok(result),
                Value::Bool(b) => Ok(Value::Int(i64::from(b))),
                other => Err(super::bad_length(world, other)),
            };
        }
        Value::Bytes(bytes) => bytes.len(),
        Value::ByteArray(bytes) => bytes.len(),
        Value::List(list) => list.len(),
        Value::Str(text) => text.chars,
        Value::Tuple(tuple) => tuple.len(),
        Value::Dict(dict) | Value::Set(dict) => dict.live.get(),
        _ => return Err(fault::about(world, fault::NO_LENGTH, value)),
    };
    Ok(Value::Int(len as i64))
}

fn next(given: Given, iterator: Value) -> Outcome {
    let world = given.world;
    match iterator {
        Value::Iter(_) | Value::Generator(_) | Value::Instance(_) => {}
        _ => return Err(fault::about(world, fault::NOT_ITERATOR, iterator)),
    }
    let result = iterate::next_or_stop(world, iterator, given.depth);
    match (result, given.at(1)) {
        (Err(thrown), default) if !default.is_unbound() => {
            let stop = world.classes[classes::STOP_ITERATION];
            match class::derives(thrown.map.get().class, stop) {
                true => Ok(default),
                false => Err(thrown),
            }
        }
        (result, _) => result,
    }
}

fn write(given: Given, text: &str, to_errors: bool) -> Result<(), Thrown> {
    output::write(text, to_errors)
        .map_err(|error| fault::new(given.world, classes::OS_ERROR, &error.to_string()))
}

fn print(given: Given) -> Outcome {
    given.check_keywords(&["sep", "end", "file", "flush"])?;
    let option = |name: &str, default: &str| -> Result<String, Thrown> {
        match given.keyword(name) {
            Value::Unbound | Value::None => Ok(default.to_string()),
            Value::Str(text) => Ok(text.as_str().to_string()),
            other => {
                let class = type_name(given.world, other);
                let message = format!("{name} must be None or a string, not {class}");
                Err(given.type_error(&message))
            }
        }
    };
    let (sep, end) = (option("sep", " ")?, option("end", "\n")?);
    let file = match given.keyword("file") {
        Value::Unbound | Value::None => super::system::standard_output(given)?,
        file => file,
    };
    let stream = match file {
        Value::None => return Ok(Value::None),
        Value::Instance(file) => super::system::stream_of(file),
        _ => None,
    };
    let mut line = String::new();
    for n in 0..given.count() {
        if n > 0 {
            line += &sep;
        }
        line += &show::text(given.world, given.at(n), given.depth)?;
    }
    line += &end;
    let flush = given.keyword("flush");
    let flushes = !flush.is_unbound() && truth::of(given.world, flush, given.depth)?;
    if let Some(number) = stream {
        write(given, &line, number == 2)?;
        if flushes {
            super::system::flush(given)?;
        }
        return Ok(Value::None);
    }
    let (world, depth) = (given.world, given.depth);
    let name = crate::heap::world::intern(world, "write");
    let writer = attribute::get(world, file, name, depth)?;
    call::value(world, writer, call::one(text(&line)), depth)?;
    if flushes {
        let name = crate::heap::world::intern(world, "flush");
        let flusher = attribute::get(world, file, name, depth)?;
        call::value(world, flusher, call::nothing(), depth)?;
    }
    Ok(Value::None)
}

/// `min` and `max`
fn extreme(given: Given, op: usize) -> Outcome {
    let (world, depth) = (given.world, given.depth);
    given.check_keywords(&["key", "default"])?;
    let (key, default) = (given.keyword("key"), given.keyword("default"));
    let all = match given.count() {
        1 => collect::list_of(world, given.at(0), depth)?,
        count => {
            if !default.is_unbound() {
                let message = format!(
                    "Cannot specify a default for {}() with multiple positional arguments",
                    given.name()
                );
                return Err(given.type_error(&message));
            }
            let all = verdigris::List::new();
            (0..count).for_each(|n| all.push(given.at(n)));
            all
        }
    };
    if all.is_empty() {
        return match default {
            Value::Unbound => {
                let message = format!("{}() arg is an empty sequence", given.name());
                Err(given.value_error(&message))
            }
            default => Ok(default),
        };
    }
    let key_of = |item: Value| match key {
        Value::Unbound | Value::None => Ok(item),
        key => call::value(world, key, call::one(item), depth),
    };
    let keys = consume::mapped(world, key, Value::List(all), depth)?;
    let key_at = |n: usize| match keys {
        Value::List(keys) => Ok(keys.at(n)),
        _ => key_of(all.at(n)),
    };
    let mut best = all.at(0);
    let mut best_key = key_at(0)?;
    for n in 1..all.len() {
        let next_key = key_at(n)?;
        if compare::holds(world, op, next_key, best_key, depth)? {
            (best, best_key) = (all.at(n), next_key);
        }
    }
    Ok(best)
}

fn sum(given: Given) -> Outcome {
    let (world, depth) = (given.world, given.depth);
    given.check_keywords(&["start"])?;
    let mut total = match given.named(1, "start") {
        Value::Unbound => Value::Int(0),
        Value::Str(_) => {
            let message = "sum() can't sum strings [use ''.join(seq) instead]";
            return Err(given.type_error(message));
        }
        start if bytes::is(start) => {
            let class = type_name(world, start);
            let empty = bytes::repr(b"", matches!(start, Value::ByteArray(_)));
            let empty = empty.replace("bytearray(b'')", "b''");
            let message = format!("sum() can't sum {class} [use {empty}.join(seq) instead]");
            return Err(given.type_error(&message));
        }
        start => start,
    };
    let iterator = iterate::start(world, given.at(0), depth)?;
    loop {
        match iterate::next(world, iterator, depth)? {
            Value::Unbound => return Ok(total),
            item => total = crate::run::operators::arith::add(world, total, item, depth)?,
        }
    }
}
