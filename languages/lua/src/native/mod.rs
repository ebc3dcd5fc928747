//! The functions of the library. In: arguments. Out: results, or a fault. Invariant: [`call()`]
//! does every function, the hot and simple ones here and in the modules for numbers, strings and
//! lists, in traced code, the others outside of it ([`outside()`]).
//!
//! Source: Lua 5.4 reference manual, section 6.

pub mod check;
pub mod collector;
pub mod coroutine;
pub mod debug;
pub mod embedded;
pub mod format;
pub mod io;
pub mod lists;
pub mod locals;
pub mod math;
pub mod modules;
pub mod names;
pub mod os;
pub mod outside;
pub mod pack;
pub mod pattern;
pub mod plain;
pub mod search;
pub mod system;
pub mod tables;
pub mod text;
pub mod traceback;
pub mod utf8;

use crate::access;
use crate::call;
use crate::compare;
use crate::fault::{self, Fault};
use crate::interned;
use crate::meta;
use crate::metatable;
use crate::table;
use crate::value::{
    Args, Returned, Value, Values, World, arguments, list1, list2, list3, one, several,
};
use names::*;
use verdigris::{prelude::*, we_are_jitted};

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
            check::present(id, args, 1)?;
            Ok(one(table::get(t, args.at(1))))
        }
        RAWSET => {
            let t = check::table(id, args, 0)?;
            check::present(id, args, 1)?;
            check::present(id, args, 2)?;
            let key = args.at(1);
            match key {
                Value::Nil => return Err(fault::unplaced(fault::NIL_KEY)),
                Value::Float(f) if f.is_nan() => return Err(fault::unplaced(fault::NAN_KEY)),
                _ => table::set(world, t, key, args.at(2)),
            }
            Ok(one(args.at(0)))
        }
        RAWEQUAL => {
            check::present(id, args, 0)?;
            check::present(id, args, 1)?;
            Ok(one(Value::Bool(compare::raw_equal(args.at(0), args.at(1)))))
        }
        RAWLEN => match args.at(0) {
            Value::Table(t) => Ok(one(Value::Int(table::border(t)))),
            Value::Str(s) => Ok(one(Value::Int(s.len() as i64))),
            other => Err(check::mismatch(id, 0, 4, other, args.count > 0)),
        },
        COLLECTGARBAGE => {
            if we_are_jitted() {
                let list = call::behind(args, 0);
                return collector::call(world, list, 0, args.count, depth);
            }
            collector::call(world, args.values, args.first, args.count, depth)
        }
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
                Err(fault) if fault.level.get() == fault::UNCAUGHT => Err(fault),
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
                Err(fault) if fault.level.get() == fault::UNCAUGHT => Err(fault),
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
        MATH_ABS..=MATH_ULT | MATH_DEG | MATH_RAD => math::call(world, id, args, depth),
        MATH_RANDOM if args.count <= 2 => math::random(args),
        STRING_LEN => Ok(one(Value::Int(check::string(id, args, 0)?.len() as i64))),
        STRING_SUB => text::sub(world, id, args),
        STRING_CHAR => {
            if args.count == 1
                && let Value::Int(byte) = args.at(0)
                && (0..256).contains(&byte)
            {
                let string = interned::character(world, byte as u8);
                return Ok(one(Value::Str(string)));
            }
            plainly(world, id, args)
        }
        STRING_BYTE => text::byte(id, args),
        COROUTINE_CREATE | COROUTINE_WRAP => {
            if args.count == 0 {
                return Err(check::mismatch(id, 0, 3, Value::Nil, false));
            }
            let thread = Value::Thread(coroutine::create(world, id, args.at(0))?);
            match id {
                COROUTINE_CREATE => Ok(one(thread)),
                _ => in_lua(world, WRAP, arguments(list1(thread)), depth),
            }
        }
        COROUTINE_RESUME => {
            let thread = coroutine::thread(id, args, 0)?;
            match coroutine::resume(world, thread, rest(args, 1)) {
                Ok(results) => Ok(succeeded(results)),
                Err(fault) => Ok(several(list2(Value::Bool(false), fault.value.get()))),
            }
        }
        COROUTINE_WRAPPED => {
            let thread = coroutine::thread(id, args, 0)?;
            match coroutine::resume(world, thread, rest(args, 1)) {
                Ok(results) => Ok(results),
                Err(fault) => Err(coroutine::wrapped(world, fault)),
            }
        }
        COROUTINE_YIELD => coroutine::suspend(world, args),
        COROUTINE_RUNNING => Ok(coroutine::running(world)),
        COROUTINE_STATUS => {
            let thread = coroutine::thread(id, args, 0)?;
            Ok(one(coroutine::shown_status(world, thread)))
        }
        COROUTINE_ISYIELDABLE => {
            let is_main = match args.at(0) {
                Value::Thread(thread) => Gc::ptr_eq(thread, world.main),
                _ => world.running.get().is_none(),
            };
            Ok(one(Value::Bool(!is_main)))
        }
        STRING_UPPER..=STRING_REVERSE
        | STRING_FIND
        | STRING_MATCH
        | SEARCH_STEP
        | SEARCH_NEXT
        | SEARCH_FINISH
        | STRING_PACK..=UTF8_NEXT_LAX => plainly(world, id, args),
        STRING_GMATCH => {
            let search = plainly(world, id, args)?.first;
            in_lua(world, GMATCH, arguments(list1(search)), depth)
        }
        STRING_GSUB => {
            let replacement = args.at(2);
            let begun = plainly(world, id, args)?;
            let (Value::Search(_), Some(list)) = (begun.first, begun.all) else {
                return Ok(begun);
            };
            let which = if let Value::Table(_) = replacement {
                GSUB_INDEX
            } else {
                GSUB_CALL
            };
            let all = list3(begun.first, replacement, list[1].get());
            in_lua(world, which, arguments(all), depth)
        }
        LOAD if !matches!(args.at(0), Value::Str(_) | Value::Int(_) | Value::Float(_)) => {
            if !matches!(args.at(0), Value::Function(_) | Value::Native(_)) {
                return Err(check::mismatch(id, 0, 3, args.at(0), args.count > 0));
            }
            in_lua(world, LOAD_PIECES, args, depth)
        }
        IO_LINES => {
            let begun = with_files(world, id, args)?.list();
            let formats = call::joined(arguments(begun), call::behind(args, 1));
            let next = in_lua(world, LINES, arguments(formats), depth)?.first;
            if !begun[1].get().truth() {
                return Ok(one(next));
            }
            let list = Values::new(4, Value::Nil);
            list[0].set(next);
            list[3].set(begun[0].get());
            Ok(several(list))
        }
        FILE_LINES => {
            with_files(world, id, args)?;
            let file = list2(args.at(0), Value::Bool(false));
            let formats = call::joined(arguments(file), call::behind(args, 1));
            in_lua(world, LINES, arguments(formats), depth)
        }
        IO_WRITE | IO_CLOSE..=LINE => with_files(world, id, args),
        DOFILE => in_lua(world, RUN_FILE, args, depth),
        REQUIRE => {
            let name = Value::Str(check::string(id, args, 0)?);
            in_lua(world, FIND_MODULE, arguments(list1(name)), depth)
        }
        TABLE_SORT => {
            check::table(id, args, 0)?;
            let order = args.at(1);
            if !matches!(order, Value::Nil | Value::Function(_) | Value::Native(_)) {
                return Err(check::mismatch(id, 1, 3, order, true));
            }
            in_lua(world, SORT, args, depth)
        }
        COUNT.. => embedded(world, id, args, depth),
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

/// Calls a function of the embedder.
#[inline]
fn embedded(world: Gc<World>, id: usize, args: Args, depth: i64) -> Result<Returned, Gc<Fault>> {
    if we_are_jitted() {
        let list = call::behind(args, 0);
        return embedded::call(world, id, list, 0, args.count, depth);
    }
    embedded::call(world, id, args.values, args.first, args.count, depth)
}

/// Calls a function that the JIT does not look into, and that calls nothing of the program.
#[inline]
fn plainly(world: Gc<World>, id: usize, args: Args) -> Result<Returned, Gc<Fault>> {
    if we_are_jitted() {
        let list = call::behind(args, 0);
        return plain::call(world, id, list, 0, args.count);
    }
    plain::call(world, id, args.values, args.first, args.count)
}

/// Calls a function that works with files.
#[inline]
fn with_files(world: Gc<World>, id: usize, args: Args) -> Result<Returned, Gc<Fault>> {
    if we_are_jitted() {
        let list = call::behind(args, 0);
        return io::call(world, id, list, 0, args.count);
    }
    io::call(world, id, args.values, args.first, args.count)
}

/// Calls a function of the library that is written in Lua.
#[inline]
fn in_lua(world: Gc<World>, which: usize, args: Args, depth: i64) -> Result<Returned, Gc<Fault>> {
    match world.library[which].get() {
        Value::Function(closure) => call::function(world, promote(closure), args, depth),
        _ => unreachable!(),
    }
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

/// The results of `pcall` after a call without an error.
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

/// It stays out of the caller's frame, where what it has looked at would be found by collections
/// for as long as that is active.
#[inline(never)]
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
    metatable::set(world, t, meta);
    Ok(one(args.at(0)))
}
