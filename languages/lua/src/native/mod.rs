//! The functions of the library: their numbers, and those that the JIT looks into. In: arguments.
//! Out: results, or a fault. Invariant: [`call()`] does every function, the hot and simple ones
//! here and in the modules for numbers, strings and lists, in traced code, the others outside of it
//! ([`outside()`]).
//!
//! Source: Lua 5.4 reference manual, section 6.

pub mod check;
pub mod format;
pub mod lists;
pub mod math;
pub mod modules;
pub mod outside;
pub mod text;

use crate::access;
use crate::call;
use crate::compare;
use crate::fault::{self, Fault};
use crate::meta;
use crate::table;
use crate::value::{Args, Returned, Value, World, arguments, list1, list2, list3, one, several};
use verdigris::prelude::*;

/// `print`
pub const PRINT: usize = 0;
/// `type`
pub const TYPE: usize = 1;
/// `tostring`
pub const TOSTRING: usize = 2;
/// `tonumber`
pub const TONUMBER: usize = 3;
/// `ipairs`
pub const IPAIRS: usize = 4;
/// `pairs`
pub const PAIRS: usize = 5;
/// `next`
pub const NEXT: usize = 6;
/// `rawget`
pub const RAWGET: usize = 7;
/// `rawset`
pub const RAWSET: usize = 8;
/// `rawequal`
pub const RAWEQUAL: usize = 9;
/// `rawlen`
pub const RAWLEN: usize = 10;
/// `select`
pub const SELECT: usize = 11;
/// `setmetatable`
pub const SETMETATABLE: usize = 12;
/// `getmetatable`
pub const GETMETATABLE: usize = 13;
/// `pcall`
pub const PCALL: usize = 14;
/// `xpcall`
pub const XPCALL: usize = 15;
/// `error`
pub const ERROR: usize = 16;
/// `assert`
pub const ASSERT: usize = 17;
/// `collectgarbage`
pub const COLLECTGARBAGE: usize = 18;
/// `require`
pub const REQUIRE: usize = 19;
/// `math.abs`
pub const MATH_ABS: usize = 20;
/// `math.ceil`
pub const MATH_CEIL: usize = 21;
/// `math.floor`
pub const MATH_FLOOR: usize = 22;
/// `math.sqrt`
pub const MATH_SQRT: usize = 23;
/// `math.sin`
pub const MATH_SIN: usize = 24;
/// `math.cos`
pub const MATH_COS: usize = 25;
/// `math.tan`
pub const MATH_TAN: usize = 26;
/// `math.asin`
pub const MATH_ASIN: usize = 27;
/// `math.acos`
pub const MATH_ACOS: usize = 28;
/// `math.atan`
pub const MATH_ATAN: usize = 29;
/// `math.exp`
pub const MATH_EXP: usize = 30;
/// `math.log`
pub const MATH_LOG: usize = 31;
/// `math.fmod`
pub const MATH_FMOD: usize = 32;
/// `math.modf`
pub const MATH_MODF: usize = 33;
/// `math.max`
pub const MATH_MAX: usize = 34;
/// `math.min`
pub const MATH_MIN: usize = 35;
/// `math.tointeger`
pub const MATH_TOINTEGER: usize = 36;
/// `math.type`
pub const MATH_TYPE: usize = 37;
/// `math.ult`
pub const MATH_ULT: usize = 38;
/// `math.random`
pub const MATH_RANDOM: usize = 39;
/// `math.randomseed`
pub const MATH_RANDOMSEED: usize = 40;
/// `string.len`
pub const STRING_LEN: usize = 41;
/// `string.sub`
pub const STRING_SUB: usize = 42;
/// `string.upper`
pub const STRING_UPPER: usize = 43;
/// `string.lower`
pub const STRING_LOWER: usize = 44;
/// `string.rep`
pub const STRING_REP: usize = 45;
/// `string.reverse`
pub const STRING_REVERSE: usize = 46;
/// `string.byte`
pub const STRING_BYTE: usize = 47;
/// `string.char`
pub const STRING_CHAR: usize = 48;
/// `string.format`
pub const STRING_FORMAT: usize = 49;
/// `string.find`
pub const STRING_FIND: usize = 50;
/// `table.insert`
pub const TABLE_INSERT: usize = 51;
/// `table.remove`
pub const TABLE_REMOVE: usize = 52;
/// `table.concat`
pub const TABLE_CONCAT: usize = 53;
/// `table.unpack`
pub const TABLE_UNPACK: usize = 54;
/// `table.pack`
pub const TABLE_PACK: usize = 55;
/// `table.move`
pub const TABLE_MOVE: usize = 56;
/// `io.write`
pub const IO_WRITE: usize = 57;
/// `os.clock`
pub const OS_CLOCK: usize = 58;
/// `os.time`
pub const OS_TIME: usize = 59;
/// `os.exit`
pub const OS_EXIT: usize = 60;
/// `os.getenv`
pub const OS_GETENV: usize = 61;
/// the iterator of `ipairs`.
pub const IPAIRS_NEXT: usize = 62;
/// sorts a list of numbers or of strings; whether it is one.
pub const SORT_PLAIN: usize = 63;

/// The tables that the functions are in, and their names, by their numbers. `-` is no table of the
/// program.
pub const NAMES: [(&str, &str); 64] = [
    ("", "print"),
    ("", "type"),
    ("", "tostring"),
    ("", "tonumber"),
    ("", "ipairs"),
    ("", "pairs"),
    ("", "next"),
    ("", "rawget"),
    ("", "rawset"),
    ("", "rawequal"),
    ("", "rawlen"),
    ("", "select"),
    ("", "setmetatable"),
    ("", "getmetatable"),
    ("", "pcall"),
    ("", "xpcall"),
    ("", "error"),
    ("", "assert"),
    ("", "collectgarbage"),
    ("", "require"),
    ("math", "abs"),
    ("math", "ceil"),
    ("math", "floor"),
    ("math", "sqrt"),
    ("math", "sin"),
    ("math", "cos"),
    ("math", "tan"),
    ("math", "asin"),
    ("math", "acos"),
    ("math", "atan"),
    ("math", "exp"),
    ("math", "log"),
    ("math", "fmod"),
    ("math", "modf"),
    ("math", "max"),
    ("math", "min"),
    ("math", "tointeger"),
    ("math", "type"),
    ("math", "ult"),
    ("math", "random"),
    ("math", "randomseed"),
    ("string", "len"),
    ("string", "sub"),
    ("string", "upper"),
    ("string", "lower"),
    ("string", "rep"),
    ("string", "reverse"),
    ("string", "byte"),
    ("string", "char"),
    ("string", "format"),
    ("string", "find"),
    ("table", "insert"),
    ("table", "remove"),
    ("table", "concat"),
    ("table", "unpack"),
    ("table", "pack"),
    ("table", "move"),
    ("io", "write"),
    ("os", "clock"),
    ("os", "time"),
    ("os", "exit"),
    ("os", "getenv"),
    ("-", "ipairs_aux"),
    ("-", "sort"),
];

/// Calls a function of the library.
pub fn call(world: Gc<World>, id: usize, args: Args, depth: i64) -> Result<Returned, Gc<Fault>> {
    match id {
        TYPE => {
            check::present(id, args, 0)?;
            Ok(one(Value::Str(meta::type_name(world, args.at(0)))))
        }
        IPAIRS => {
            check::present(id, args, 0)?;
            Ok(several(list3(
                Value::Native(world.ipairs_next),
                args.at(0),
                Value::Int(0),
            )))
        }
        IPAIRS_NEXT => {
            let i = check::integer(id, args, 1)?.wrapping_add(1);
            let value = access::get(world, args.at(0), Value::Int(i), depth)?;
            if value.is_nil() {
                return Ok(one(Value::Nil));
            }
            Ok(several(list2(Value::Int(i), value)))
        }
        PAIRS => pairs(world, id, args, depth),
        NEXT => next(id, args),
        RAWGET => {
            let t = check::table(id, args, 0)?;
            Ok(one(table::get(t, args.at(1))))
        }
        RAWSET => {
            let t = check::table(id, args, 0)?;
            let key = args.at(1);
            match key {
                Value::Nil => return Err(fault::unplaced(fault::NIL_KEY)),
                Value::Float(f) if f.is_nan() => return Err(fault::unplaced(fault::NAN_KEY)),
                _ => table::set(t, key, args.at(2)),
            }
            Ok(one(args.at(0)))
        }
        RAWEQUAL => Ok(one(Value::Bool(compare::raw_equal(args.at(0), args.at(1))))),
        RAWLEN => match args.at(0) {
            Value::Table(t) => Ok(one(Value::Int(table::border(t)))),
            Value::Str(s) => Ok(one(Value::Int(s.len() as i64))),
            other => Err(check::mismatch(id, 0, 4, other, args.count > 0)),
        },
        SELECT => select(id, args),
        SETMETATABLE => set_metatable(world, id, args),
        GETMETATABLE => {
            check::present(id, args, 0)?;
            let Some(meta) = meta::metatable(world, args.at(0)) else {
                return Ok(one(Value::Nil));
            };
            let shown = table::get_str(meta, world.names[meta::METATABLE]);
            Ok(one(if shown.is_nil() {
                Value::Table(meta)
            } else {
                shown
            }))
        }
        PCALL => {
            check::present(id, args, 0)?;
            match guarded(world, args.at(0), rest(args, 1), Value::Nil, depth) {
                Ok(results) => Ok(succeeded(results)),
                Err(fault) => Ok(several(list2(Value::Bool(false), fault.value.get()))),
            }
        }
        XPCALL => {
            let handler = args.at(1);
            if !matches!(handler, Value::Function(_) | Value::Native(_)) {
                return Err(check::mismatch(id, 1, 3, handler, args.count > 1));
            }
            match guarded(world, args.at(0), rest(args, 2), handler, depth) {
                Ok(results) => Ok(succeeded(results)),
                Err(fault) => Ok(several(list2(Value::Bool(false), fault.value.get()))),
            }
        }
        ERROR => {
            let level = if args.count > 1 {
                check::integer(id, args, 1)?
            } else {
                1
            };
            Err(fault::raised(args.at(0), level))
        }
        ASSERT => {
            check::present(id, args, 0)?;
            if args.at(0).truth() {
                return Ok(if args.count == 1 {
                    one(args.at(0))
                } else {
                    several(call::copied(args))
                });
            }
            Err(outside::assertion(args.count > 1, args.at(1)))
        }
        TOSTRING => {
            if let Value::Str(_) = args.at(0) {
                return Ok(one(args.at(0)));
            }
            outside(world, id, args, depth)
        }
        MATH_ABS..=MATH_ULT => math::call(world, id, args, depth),
        STRING_LEN => Ok(one(Value::Int(check::string(id, args, 0)?.len() as i64))),
        STRING_SUB => text::sub(id, args),
        STRING_BYTE => text::byte(id, args),
        TABLE_INSERT if args.count == 2 => lists::push(world, id, args, depth),
        TABLE_REMOVE if args.count == 1 => lists::pop(world, id, args, depth),
        _ => outside(world, id, args, depth),
    }
}

/// Calls a function that the JIT does not look into. In traced code its arguments are copied, so
/// that the frame need not be in memory.
#[inline]
pub fn outside(world: Gc<World>, id: usize, args: Args, depth: i64) -> Result<Returned, Gc<Fault>> {
    if we_are_jitted() {
        let list = call::behind(args, 0);
        return outside::call(world, id, list, 0, args.count, depth);
    }
    outside::call(world, id, args.values, args.first, args.count, depth)
}

/// Calls a value for `pcall` or `xpcall`: an exhausted heap or stack is a fault, too. In traced
/// code the arguments are copied, as for [`outside`].
#[inline]
fn guarded(
    world: Gc<World>,
    callee: Value,
    args: Args,
    handler: Value,
    depth: i64,
) -> Result<Returned, Gc<Fault>> {
    if we_are_jitted() {
        let list = call::behind(args, 0);
        return outside::guarded(world, callee, list, 0, args.count, handler, depth);
    }
    let (values, first, count) = (args.values, args.first, args.count);
    outside::guarded(world, callee, values, first, count, handler, depth)
}

/// The arguments from one on.
#[inline]
pub fn rest(args: Args, from: usize) -> Args {
    if args.count <= from {
        return Args {
            values: args.values,
            first: 0,
            count: 0,
        };
    }
    Args {
        values: args.values,
        first: args.first + from,
        count: args.count - from,
    }
}

/// What `pcall` returns behind a call without an error.
#[inline]
fn succeeded(results: Returned) -> Returned {
    match results.all {
        None => several(list2(Value::Bool(true), results.first)),
        Some(list) => {
            let first = list1(Value::Bool(true));
            several(call::joined(arguments(first), list))
        }
    }
}

#[inline]
fn pairs(world: Gc<World>, id: usize, args: Args, depth: i64) -> Result<Returned, Gc<Fault>> {
    check::present(id, args, 0)?;
    let object = args.at(0);
    let handler = meta::handler(world, object, meta::PAIRS);
    if !handler.is_nil() {
        let results = call::value(
            world,
            handler,
            Args {
                values: args.values,
                first: args.first,
                count: 1,
            },
            depth,
        )?;
        let list = results.list();
        return Ok(several(list3(
            results.first,
            if list.len() > 1 {
                list[1].get()
            } else {
                Value::Nil
            },
            if list.len() > 2 {
                list[2].get()
            } else {
                Value::Nil
            },
        )));
    }
    Ok(several(list3(
        Value::Native(world.next),
        object,
        Value::Nil,
    )))
}

#[inline]
fn next(id: usize, args: Args) -> Result<Returned, Gc<Fault>> {
    let t = check::table(id, args, 0)?;
    let key = args.at(1);
    let mut from = 0;
    if !key.is_nil() {
        from = table::place_of(t, key) + 1;
        if from == 0 {
            return Err(fault::unplaced(fault::NEXT_KEY));
        }
    }
    let place = table::next_place(t, from);
    if place < 0 {
        return Ok(one(Value::Nil));
    }
    Ok(several(list2(
        table::key_at(t, place),
        table::value_at(t, place),
    )))
}

#[inline]
fn select(id: usize, args: Args) -> Result<Returned, Gc<Fault>> {
    let count = args.count as i64 - 1;
    if let Value::Str(s) = args.at(0)
        && s.len() == 1
        && s.bytes[0] == b'#'
    {
        return Ok(one(Value::Int(count)));
    }
    let n = check::integer(id, args, 0)?;
    let from = if n < 0 { count + n + 1 } else { n };
    if from < 1 {
        return Err(check::failed(id, 0, check::INDEX_RANGE));
    }
    if from > count {
        return Ok(several(call::behind(args, args.count)));
    }
    Ok(several(call::behind(args, from as usize)))
}

#[inline]
fn set_metatable(world: Gc<World>, id: usize, args: Args) -> Result<Returned, Gc<Fault>> {
    let t = check::table(id, args, 0)?;
    let meta = match args.at(1) {
        Value::Nil if args.count > 1 => None,
        Value::Table(meta) => Some(meta),
        other => return Err(check::mismatch(id, 1, 5, other, args.count > 1)),
    };
    if let Some(old) = table::metatable(t)
        && !table::get_str(old, world.names[meta::METATABLE]).is_nil()
    {
        return Err(outside::protected());
    }
    table::set_metatable(world, t, meta);
    Ok(one(args.at(0)))
}
