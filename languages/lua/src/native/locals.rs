//! Local variables, upvalues and hooks for `debug`. In: functions, levels, numbers. Out: names and
//! values. Invariant: registers are looked at only while their activation waits for the function
//! that looks: the compiler notes it where a call of `getlocal` or `setlocal` stands, a hook knows
//! the function that it was called in, and [`crate::levels`] knows those further out.
//!
//! Source: Lua 5.4 reference manual, section 6.10.

use super::check;
use super::names::*;
use crate::fault::{self, Fault};
use crate::interned;
use crate::levels::{self, Levels};
use crate::string::LuaStr;
use crate::value::{
    Args, Closure, Proto, Returned, Thread, Value, Values, World, list2, one, several,
};
use verdigris::{Word, prelude::*};

type Called = Result<Returned, Gc<Fault>>;

/// How many words [`crate::value::Locals::places`] has for each variable: its register, from which
/// pc it is there, and up to which.
pub const WORDS: usize = 3;

/// An activation whose registers are known.
struct Frame {
    proto: Gc<Proto>,
    pc: usize,
    registers: Values,
}

/// What is known of a level.
enum Level {
    Known(Frame),
    /// A function of the library.
    Native,
    /// There is such a function, and no more is known of it.
    Unknown,
    /// There is none.
    Outside,
}

fn level(
    world: Gc<World>,
    thread: Option<Gc<Thread>>,
    id: usize,
    level: i64,
    depth: i64,
    active: i64,
) -> Level {
    let here = world.here_frame.replace(Value::Nil);
    if let (1, None, Value::Function(closure), Value::Many(registers)) =
        (level, thread, world.here.get(), here)
    {
        return Level::Known(Frame {
            proto: closure.proto,
            pc: world.here_pc.get(),
            registers,
        });
    }
    if world.tracked.get() || thread.is_some() {
        let number = usize::try_from(level).ok();
        let found = number.and_then(|number| Levels::of(world, thread, id, depth).nth(number));
        return match found {
            None => Level::Outside,
            Some(level) => match level.at {
                None => Level::Native,
                Some(at) => match at.registers.get() {
                    None => Level::Unknown,
                    Some(registers) => Level::Known(Frame {
                        proto: at.closure.proto,
                        pc: at.pc.get(),
                        registers,
                    }),
                },
            },
        };
    }
    let hooks = world.hooks;
    match level {
        0 => Level::Native,
        2 if hooks.runs.get() => match (hooks.function.get(), hooks.frame.get()) {
            (Value::Function(closure), Value::Many(registers)) => Level::Known(Frame {
                proto: closure.proto,
                pc: hooks.pc.get(),
                registers,
            }),
            _ => Level::Native,
        },
        _ if level < 0 || level > active => Level::Outside,
        _ if level == active => Level::Native,
        _ => Level::Unknown,
    }
}

/// `debug.getlocal` and `debug.setlocal`: there are so many functions active.
pub fn call(world: Gc<World>, id: usize, given: Args, depth: i64, active: i64) -> Called {
    let (thread, args) = match given.at(0) {
        Value::Thread(thread) => (Some(thread), super::rest(given, 1)),
        _ => (None, given),
    };
    if id == DEBUG_GETLOCAL
        && let Value::Function(closure) = args.at(0)
    {
        let index = check::integer(id, args, 1)?;
        let proto = closure.proto;
        let name = match usize::try_from(index) {
            Ok(index) if index >= 1 && index <= proto.params => match proto.locals {
                Some(locals) => Value::Str(locals.names[index - 1]),
                None => Value::Nil,
            },
            _ => Value::Nil,
        };
        return Ok(one(name));
    }
    if id == DEBUG_GETLOCAL
        && let Value::Native(_) = args.at(0)
    {
        return Ok(one(Value::Nil));
    }
    let asked = check::integer(id, args, 0)?;
    let index = check::integer(id, args, 1)?;
    if id == DEBUG_SETLOCAL {
        check::present(id, args, 2)?;
    }
    let frame = match level(world, thread, id, asked, depth, active) {
        Level::Known(frame) => frame,
        Level::Native => return Ok(one(Value::Nil)),
        Level::Outside => return Err(check::bad(id, 0, "level out of range")),
        Level::Unknown => {
            levels::track(world, true);
            let name = NAMES[id].1;
            return Err(fault::message(&format!(
                "debug.{name} of a function further out is not supported"
            )));
        }
    };
    let Some((name, place)) = variable(world, &frame, index) else {
        return Ok(one(Value::Nil));
    };
    let old = match place.values[place.index].get() {
        Value::Shared(variable) => {
            if id == DEBUG_SETLOCAL {
                variable.value.set(args.at(2));
            }
            variable.value.get()
        }
        value => {
            if id == DEBUG_SETLOCAL {
                place.values[place.index].set(args.at(2));
            }
            value
        }
    };
    Ok(match id {
        DEBUG_SETLOCAL => one(name),
        _ => several(list2(name, old)),
    })
}

/// The arguments behind the thread, if that is named: it has to be the one that runs.
fn for_this_thread(world: Gc<World>, id: usize, args: Args) -> Result<Args, Gc<Fault>> {
    let Value::Thread(thread) = args.at(0) else {
        return Ok(args);
    };
    let running = world.running.get().unwrap_or(world.main);
    if !Gc::ptr_eq(thread, running) {
        let name = NAMES[id].1;
        let text = format!("debug.{name} of another thread is not supported");
        return Err(fault::message(&text));
    }
    Ok(super::rest(args, 1))
}

/// A register, or an item of the list of varargs.
struct Place {
    values: Values,
    index: usize,
}

/// The variable with this number that is active; a negative one is among the varargs.
fn variable(world: Gc<World>, frame: &Frame, number: i64) -> Option<(Value, Place)> {
    let proto = frame.proto;
    if number < 0 {
        let Value::Many(values) = (match proto.vararg {
            true => frame.registers[proto.params].get(),
            false => Value::Nil,
        }) else {
            return None;
        };
        let index = usize::try_from(number.checked_neg()?).ok()? - 1;
        let name = Value::Str(interned::string(world, b"(vararg)"));
        return (index < values.len()).then_some((name, Place { values, index }));
    }
    let locals = proto.locals?;
    let mut left = number;
    for (n, name) in locals.names.as_slice().iter().enumerate() {
        let [register, from, to] = [0, 1, 2].map(|word| locals.places[n * WORDS + word] as usize);
        if from <= frame.pc && frame.pc < to {
            left -= 1;
            if left == 0 {
                let place = Place {
                    values: frame.registers,
                    index: register,
                };
                return Some((Value::Str(*name), place));
            }
        }
    }
    None
}

/// The first register behind those of the parameters and of the variables that are active at a pc
/// where no expression is being evaluated; `None` if that is not known.
pub fn first_unused(proto: Gc<Proto>, pc: usize) -> Option<usize> {
    let places = proto.locals?.places;
    let mut first = proto.params + usize::from(proto.vararg);
    for variable in places.as_slice().chunks(WORDS) {
        let [register, from, to] = [0, 1, 2].map(|word| variable[word] as usize);
        if from <= pc && pc < to {
            first = first.max(register + 1);
        }
    }
    Some(first)
}

/// The shared variable of a closure with this number.
fn shared(id: usize, args: Args, at: usize) -> Result<Option<(Gc<Closure>, usize)>, Gc<Fault>> {
    let index = check::integer(id, args, at + 1)?;
    let closure = match args.at(at) {
        Value::Function(closure) => closure,
        Value::Native(_) => return Ok(None),
        other => return Err(check::mismatch(id, at, 3, other, at < args.count)),
    };
    let copied = closure.values.len();
    let Ok(index) = usize::try_from(index.wrapping_sub(1)) else {
        return Ok(None);
    };
    if index >= copied + closure.shared.len() {
        return Ok(None);
    }
    if index < copied {
        let name = NAMES[id].1;
        return Err(fault::message(&format!(
            "debug.{name} of a variable that nothing assigns is not supported"
        )));
    }
    Ok(Some((closure, index - copied)))
}

/// `debug.upvalueid`: a number that says which variable it is.
pub fn upvalue_id(args: Args) -> Called {
    Ok(one(match shared(DEBUG_UPVALUEID, args, 0)? {
        Some((closure, index)) => Value::Int(closure.shared[index].get().to_word() as i64),
        None => Value::Nil,
    }))
}

/// `debug.upvaluejoin`: from now on a closure has a variable of another one.
pub fn upvalue_join(world: Gc<World>, args: Args) -> Called {
    let id = DEBUG_UPVALUEJOIN;
    let invalid = |at: usize| check::bad(id, at, "invalid upvalue index");
    let (closure, index) = shared(id, args, 0)?.ok_or_else(|| invalid(1))?;
    let (other, of_other) = shared(id, args, 2)?.ok_or_else(|| invalid(3))?;
    closure.shared[index].set(other.shared[of_other].get());
    Ok(several(world.nothing))
}

/// `debug.sethook`
pub fn change_hook(world: Gc<World>, given: Args) -> Called {
    let args = for_this_thread(world, DEBUG_SETHOOK, given)?;
    if args.at(0).is_nil() {
        crate::watch::change_hook(world, Value::Nil, 0, 0);
        return Ok(several(world.nothing));
    }
    let text = check::string(DEBUG_SETHOOK, args, 1)?.text();
    if !matches!(args.at(0), Value::Function(_) | Value::Native(_)) {
        return Err(check::mismatch(DEBUG_SETHOOK, 0, 3, args.at(0), true));
    }
    let every = check::integer_or(DEBUG_SETHOOK, args, 2, 0)?;
    let bits = EVENTS.iter().filter(|(letter, _)| text.contains(*letter));
    let mask = bits.fold(0, |mask, (_, bit)| mask | bit);
    crate::watch::change_hook(world, args.at(0), mask, every.max(0));
    Ok(several(world.nothing))
}

/// The letters of the events.
const EVENTS: [(char, i64); 3] = [
    ('c', crate::watch::CALLS),
    ('r', crate::watch::RETURNS),
    ('l', crate::watch::LINES),
];

/// `debug.gethook`
pub fn get_hook(world: Gc<World>) -> Called {
    let hooks = world.hooks;
    let hook = hooks.hook.get();
    if hook.is_nil() {
        return Ok(one(Value::Nil));
    }
    let mask = hooks.mask.get();
    let letters = EVENTS.iter().filter(|(_, bit)| mask & bit != 0);
    let letters: String = letters.map(|(letter, _)| *letter).collect();
    let list = Values::new(3, hook);
    list[1].set(Value::Str(LuaStr::new(letters.as_bytes())));
    list[2].set(Value::Int(hooks.every.get()));
    Ok(several(list))
}
