//! The functions of `debug`. In: functions, levels. Out: where they are in the program. Invariant:
//! nothing here is paid for by programs that do not ask. Those that ask for their caller alone note
//! only where the call of `getinfo` stands, since the compiler sees it; for others calls are noted
//! ([`crate::levels`]). What an error has left is known without, on its way to a message handler.
//!
//! Source: Lua 5.4 reference manual, section 6.10.

use super::check;
use super::locals;
use super::names::*;
use super::traceback::traceback;
use crate::call;
use crate::fault::{self, Fault};
use crate::interned;
use crate::levels::{self, Called as CalledBy, Level, Levels};
use crate::meta;
use crate::metatable;
use crate::string::LuaStr;
use crate::table::{self, Table};
use crate::value::{
    Args, Closure, Proto, Returned, Thread, Value, World, line_of, list2, one, several,
};
use verdigris::prelude::*;

type Called = Result<Returned, Gc<Fault>>;

/// Calls a function, for native code.
pub fn call(world: Gc<World>, id: usize, args: Args, depth: i64) -> Called {
    match id {
        DEBUG_GETINFO => getinfo(world, args, depth),
        DEBUG_TRACEBACK => stack(world, args, depth),
        DEBUG_GETMETATABLE => Ok(one(match meta::metatable(world, args.at(0)) {
            Some(meta) => Value::Table(meta),
            None => Value::Nil,
        })),
        DEBUG_SETMETATABLE => {
            let meta = match args.at(1) {
                Value::Nil => None,
                Value::Table(meta) => Some(meta),
                other => return Err(check::mismatch(id, 1, 5, other, args.count > 1)),
            };
            match args.at(0) {
                Value::Table(t) => metatable::set(world, t, meta),
                _ => return Err(unsupported("setmetatable", "of what is no table")),
            }
            Ok(one(args.at(0)))
        }
        DEBUG_GETUPVALUE => getupvalue(world, args),
        DEBUG_SETUPVALUE => setupvalue(world, args),
        DEBUG_GETLOCAL | DEBUG_SETLOCAL => {
            locals::call(world, id, args, depth, active(world, depth) + 1)
        }
        DEBUG_UPVALUEID => locals::upvalue_id(args),
        DEBUG_UPVALUEJOIN => locals::upvalue_join(world, args),
        DEBUG_SETHOOK => locals::change_hook(world, args),
        DEBUG_GETHOOK => locals::get_hook(world),
        DEBUG_GETUSERVALUE => Ok(one(Value::Nil)),
        DEBUG_GETREGISTRY => Ok(one(Value::Table(table::empty(world)))),
        _ => Err(unsupported(NAMES[id].1, "")),
    }
}

fn unsupported(name: &str, of: &str) -> Gc<Fault> {
    let between = if of.is_empty() { "" } else { " " };
    fault::message(&format!("debug.{name}{between}{of} is not supported"))
}

fn set(world: Gc<World>, t: Gc<Table>, name: &str, value: Value) {
    table::set_str(t, interned::string(world, name.as_bytes()), value);
}

fn text(text: &str) -> Value {
    Value::Str(LuaStr::new(text.as_bytes()))
}

/// The thread that is asked about, if one is named, and the number of the argument behind it.
fn thread_of(args: Args) -> (Option<Gc<Thread>>, usize) {
    match args.at(0) {
        Value::Thread(thread) => (Some(thread), 1),
        _ => (None, 0),
    }
}

/// `debug.traceback`
fn stack(world: Gc<World>, args: Args, depth: i64) -> Called {
    let (thread, first) = thread_of(args);
    let message = match args.at(first) {
        Value::Nil => None,
        Value::Str(_) | Value::Int(_) | Value::Float(_) => {
            Some(check::string(DEBUG_TRACEBACK, args, first)?.text())
        }
        other => return Ok(one(other)),
    };
    let running = world.running.get().unwrap_or(world.main);
    let is_own = thread.is_none_or(|thread| Gc::ptr_eq(thread, running));
    let from = check::integer_or(DEBUG_TRACEBACK, args, first + 1, i64::from(is_own))?;
    let from = usize::try_from(from).unwrap_or(usize::MAX);
    let text = match is_own {
        true if world.tracked.get() => {
            let levels = Levels::of(world, thread, DEBUG_TRACEBACK, depth);
            // In a message handler what the error has left comes behind this function.
            let levels = levels.skip(usize::from(from > 0));
            traceback(world, message, levels, from.saturating_sub(1))
        }
        // Its caller and those that an error has left come first.
        true => {
            if world.left.get().is_none() {
                levels::track(world, false);
            }
            let skipped = from.saturating_sub(1);
            traceback(world, message, std::iter::once(Level::HOST), skipped)
        }
        false => {
            let left = world.left.replace(None);
            let levels = Levels::of(world, thread, DEBUG_TRACEBACK, depth);
            let text = traceback(world, message, levels, from);
            world.left.set(left);
            text
        }
    };
    Ok(one(Value::Str(LuaStr::new(text.as_bytes()))))
}

/// `debug.getinfo`
fn getinfo(world: Gc<World>, args: Args, depth: i64) -> Called {
    let (thread, first) = thread_of(args);
    let what = match args.at(first + 1) {
        Value::Nil => "flnSrtu".to_string(),
        _ => check::string(DEBUG_GETINFO, args, first + 1)?.text(),
    };
    if !what.bytes().all(|option| b"SlnrutLf".contains(&option)) {
        return Err(check::bad(DEBUG_GETINFO, first + 1, "invalid option"));
    }
    let t = table::empty(world);
    match args.at(first) {
        Value::Function(closure) => describe(world, t, &what, closure, None),
        Value::Native(_) => describe_native(world, t, &what, args.at(first)),
        _ => {
            let level = check::integer(DEBUG_GETINFO, args, first)?;
            let is_active = if world.tracked.get() || thread.is_some() {
                let number = usize::try_from(level).ok();
                let mut levels = Levels::of(world, thread, DEBUG_GETINFO, depth);
                let found = number.and_then(|number| levels.nth(number));
                found.inspect(|&level| describe_level(world, t, &what, level));
                found.is_some()
            } else {
                describe_near(world, t, &what, level, depth)
            };
            if !is_active {
                return Ok(one(Value::Nil));
            }
        }
    }
    Ok(one(Value::Table(t)))
}

/// Describes a level while calls are not noted; whether there is such a level.
fn describe_near(world: Gc<World>, t: Gc<Table>, what: &str, level: i64, depth: i64) -> bool {
    let active = active(world, depth);
    let hooks = world.hooks;
    match world.here.get() {
        _ if level == 2 && hooks.runs.get() => match hooks.function.get() {
            Value::Function(closure) => {
                describe(world, t, what, closure, Some(hooks.pc.get()));
            }
            native => describe_native(world, t, what, native),
        },
        Value::Function(closure) if level == 1 => {
            describe(world, t, what, closure, Some(world.here_pc.get()));
        }
        _ if level == 0 => describe_native(world, t, what, Value::Nil),
        _ if level < 0 || level > active + 1 => return false,
        _ if level == active + 1 => describe_native(world, t, what, Value::Nil),
        _ => {
            levels::track(world, false);
            describe_unknown(world, t, what);
        }
    }
    true
}

/// Describes a level of which all is known.
fn describe_level(world: Gc<World>, t: Gc<Table>, what: &str, level: Level) {
    match (level.at, level.function) {
        (Some(at), _) => describe(world, t, what, at.closure, Some(at.pc.get())),
        (None, function) => describe_native(world, t, what, function),
    }
    if what.contains('n') {
        let name = level.name();
        let parts = name.split_once(" '");
        let (kind, name) = match parts {
            Some((kind, name)) => (kind, Some(name.trim_end_matches('\''))),
            None => ("", None),
        };
        set(world, t, "namewhat", text(kind));
        set(world, t, "name", name.map_or(Value::Nil, text));
    }
    if what.contains('t') {
        let is_tail = matches!(level.called, CalledBy::Tail);
        set(world, t, "istailcall", Value::Bool(is_tail));
    }
}

/// How many functions are active beside the one that asks.
fn active(world: Gc<World>, depth: i64) -> i64 {
    // A function of the library takes a share of all depth, others take one.
    let share = call::depth_in_library(world, 0);
    depth / share + depth % share - 1
}

fn describe(world: Gc<World>, t: Gc<Table>, what: &str, closure: Gc<Closure>, pc: Option<usize>) {
    let proto = closure.proto;
    let kind = match proto.line {
        _ if proto.builtin => "C",
        0 => "main",
        _ => "Lua",
    };
    for option in what.bytes() {
        match option {
            b'S' => {
                let last = match kind {
                    "main" => 0,
                    _ => i64::from(proto.end_line),
                };
                source(world, t, kind, proto.source, proto.short);
                set(world, t, "linedefined", Value::Int(i64::from(proto.line)));
                set(world, t, "lastlinedefined", Value::Int(last));
            }
            b'l' => {
                let line = pc.map_or(-1, |pc| line_of(proto, pc));
                set(world, t, "currentline", Value::Int(line));
            }
            b'u' => {
                let count = proto.value_sources.len() + proto.shared_sources.len();
                set(world, t, "nups", Value::Int(count as i64));
                set(world, t, "nparams", Value::Int(proto.params as i64));
                set(world, t, "isvararg", Value::Bool(proto.vararg));
            }
            b'n' => {
                let (kind, name) = name_of(world, proto);
                set(
                    world,
                    t,
                    "namewhat",
                    text(if pc.is_some() { kind } else { "" }),
                );
                if pc.is_some() && !name.is_empty() {
                    set(world, t, "name", text(&name));
                }
            }
            b't' => set(world, t, "istailcall", Value::Bool(false)),
            b'f' => set(world, t, "func", Value::Function(closure)),
            b'L' => {
                let lines = table::empty(world);
                for n in 0..proto.lines.len() {
                    let line = line_of(proto, n);
                    if line > 0 {
                        table::set(world, lines, Value::Int(line), Value::Bool(true));
                    }
                }
                set(world, t, "activelines", Value::Table(lines));
            }
            _ => transfer(world, t),
        }
    }
}

fn source(world: Gc<World>, t: Gc<Table>, kind: &str, source: Gc<LuaStr>, short: Gc<LuaStr>) {
    set(world, t, "source", Value::Str(source));
    set(world, t, "short_src", Value::Str(short));
    set(world, t, "what", text(kind));
}

fn transfer(world: Gc<World>, t: Gc<Table>) {
    set(world, t, "ftransfer", Value::Int(0));
    set(world, t, "ntransfer", Value::Int(0));
}

/// What a function is called where it is defined, and what has that name.
fn name_of(world: Gc<World>, proto: Gc<Proto>) -> (&'static str, String) {
    let name = proto.name.text();
    if proto.line == 0 || name.is_empty() {
        return ("", String::new());
    }
    if let Some((_, name)) = name.rsplit_once(':') {
        return ("method", name.to_string());
    }
    if let Some((_, name)) = name.rsplit_once('.') {
        return ("field", name.to_string());
    }
    let key = interned::string(world, name.as_bytes());
    let kind = match table::get_str(world.globals, key) {
        Value::Function(_) => "global",
        _ => "local",
    };
    (kind, name)
}

fn describe_native(world: Gc<World>, t: Gc<Table>, what: &str, function: Value) {
    let (name, short) = (LuaStr::new(b"=[C]"), LuaStr::new(b"[C]"));
    for option in what.bytes() {
        match option {
            b'S' => {
                source(world, t, "C", name, short);
                set(world, t, "linedefined", Value::Int(-1));
                set(world, t, "lastlinedefined", Value::Int(-1));
            }
            b'l' => set(world, t, "currentline", Value::Int(-1)),
            b'u' => {
                set(world, t, "nups", Value::Int(0));
                set(world, t, "nparams", Value::Int(0));
                set(world, t, "isvararg", Value::Bool(true));
            }
            b'n' => set(world, t, "namewhat", text("")),
            b't' => set(world, t, "istailcall", Value::Bool(false)),
            b'f' => set(world, t, "func", function),
            b'L' => {}
            _ => transfer(world, t),
        }
    }
}

/// An active function of which nothing is known.
fn describe_unknown(world: Gc<World>, t: Gc<Table>, what: &str) {
    describe_native(world, t, what, Value::Nil);
    if what.contains('S') {
        source(world, t, "Lua", LuaStr::new(b"=?"), LuaStr::new(b"?"));
    }
}

fn getupvalue(world: Gc<World>, args: Args) -> Called {
    let Value::Function(closure) = args.at(0) else {
        return match args.at(0) {
            Value::Native(_) => Ok(several(world.nothing)),
            other => Err(check::mismatch(
                DEBUG_GETUPVALUE,
                0,
                3,
                other,
                args.count > 0,
            )),
        };
    };
    let index = check::integer(DEBUG_GETUPVALUE, args, 1)?.wrapping_sub(1) as usize;
    let (values, shared) = (closure.values, closure.shared);
    let value = match index {
        _ if index < values.len() => values[index].get(),
        _ if index - values.len().min(index) < shared.len() && index >= values.len() => {
            shared[index - values.len()].get().value.get()
        }
        _ => return Ok(several(world.nothing)),
    };
    let names = closure.proto.upvalues;
    let name = match index < names.len() {
        true => Value::Str(names[index]),
        false => text("_ENV"),
    };
    Ok(several(list2(name, value)))
}

fn setupvalue(world: Gc<World>, args: Args) -> Called {
    let Value::Function(closure) = args.at(0) else {
        return Ok(several(world.nothing));
    };
    let index = check::integer(DEBUG_SETUPVALUE, args, 1)?.wrapping_sub(1) as usize;
    check::present(DEBUG_SETUPVALUE, args, 2)?;
    let copied = closure.values.len();
    if index < copied {
        return Err(unsupported(
            "setupvalue",
            "of a variable that nothing assigns",
        ));
    }
    if index - copied >= closure.shared.len() {
        return Ok(several(world.nothing));
    }
    closure.shared[index - copied].get().value.set(args.at(2));
    Ok(one(Value::Str(closure.proto.upvalues[index])))
}
