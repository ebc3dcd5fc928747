//! Functions of Rust that Lua calls. In: their numbers and arguments. Out: results, or faults.
//! Invariant: such a function finds room on the native stack, and knows how deep it was called, so
//! that what it calls counts from there.

use super::raw::{RawArgs, RawReturned};
use super::state::{self, Inner, OutOfInstructions};
use super::thrown::Thrown;
use super::{Error, Lua, Result};
use crate::fault::{self, Fault};
use crate::native::names::COUNT;
use crate::native::{coroutine, traceback};
use crate::string::LuaStr;
use crate::value::{Args, Returned, Thread, Value, World};
use std::panic::resume_unwind;
use std::rc::Rc;
use verdigris::{prelude::*, stack_room};

/// A function of Rust.
pub(crate) type Callback = dyn Fn(&Lua, RawArgs) -> Result<RawReturned>;

/// Bytes of the native stack that a function of Rust finds at least, beside what guest code leaves
/// free.
const ROOM: usize = 64 << 10;

/// Calls a function of the embedder for the program.
pub(crate) fn run(
    world: Gc<World>,
    id: usize,
    args: Args,
    depth: i64,
) -> std::result::Result<Returned, Gc<Fault>> {
    let Some(inner) = state::current() else {
        return Err(fault::message("no machine has this function"));
    };
    let callback = inner.callbacks.borrow().get(id - COUNT).cloned();
    let Some(callback) = callback else {
        return Err(fault::message("no machine has this function"));
    };
    if stack_room() < ROOM {
        return Err(fault::overflow());
    }
    let lua = Lua::borrowed(inner);
    let within = Depth::begin(world, depth);
    let result = callback(&lua, RawArgs::arguments(args));
    drop(within);
    match result {
        Ok(RawReturned(returned)) => Ok(returned),
        Err(error) => Err(fault_of(lua.inner(), world, error)),
    }
}

/// While it exists, what Rust calls is as deep as this.
struct Depth {
    world: Gc<World>,
    outer: i64,
    thread: Option<Gc<Thread>>,
}

impl Depth {
    fn begin(world: Gc<World>, depth: i64) -> Depth {
        Depth {
            world,
            outer: world.host_depth.replace(depth),
            thread: world.running.get(),
        }
    }
}

impl Drop for Depth {
    fn drop(&mut self) {
        if coroutine::is_running(self.world, self.thread) {
            self.world.host_depth.set(self.outer);
        }
    }
}

/// The fault of an error that a function of Rust has returned.
fn fault_of(inner: &Rc<Inner>, world: Gc<World>, error: Error) -> Gc<Fault> {
    match &error {
        Error::Memory => return world.no_memory,
        Error::ThreadClosed => {
            let running = world.running.get();
            if let Some(fault) = running.and_then(|running| running.fault.get()) {
                return fault;
            }
        }
        Error::Runtime(runtime) => match &runtime.thrown {
            Thrown::InRust => return fault::message(&runtime.message),
            Thrown::Text => {
                return fault::raised(Value::Str(LuaStr::new(runtime.message.as_bytes())), 0);
            }
            Thrown::Value(mark) => {
                return match inner.thrown.find(inner.number, mark) {
                    Some(value) => fault::raised(value, 0),
                    None => fault::raised(Value::Str(LuaStr::new(runtime.message.as_bytes())), 0),
                };
            }
        },
        Error::BadArgument { cause, .. } if !matches!(**cause, Error::External(_)) => {
            return fault::about(&error.to_string(), fault::ARGUMENT);
        }
        _ => {}
    }
    match inner.error_value(world, error) {
        Ok(value) => fault::raised(value, 0),
        Err(_) => fault::message("an error has no value"),
    }
}

/// The message handler of calls from Rust: keeps a traceback, and leaves the error as it is.
pub(crate) fn tracer() -> Rc<Callback> {
    Rc::new(|lua: &Lua, args: RawArgs| {
        let inner = lua.inner();
        let text = traceback::of_error(inner.world()?, None);
        inner.traceback.replace(Some(text));
        Ok(RawReturned::one(args.at(0)))
    })
}

/// The hook of a limit on instructions: ends the program, which no `pcall` notices.
pub(crate) fn out_of_instructions() -> Rc<Callback> {
    Rc::new(|_: &Lua, _: RawArgs| resume_unwind(Box::new(OutOfInstructions)))
}

/// A function of Rust that is given its arguments as values.
pub(crate) fn plain<A, R>(f: impl Fn(&Lua, A) -> Result<R> + 'static) -> Rc<Callback>
where
    A: super::FromLuaMulti,
    R: super::IntoLuaMulti,
{
    Rc::new(move |lua: &Lua, args: RawArgs| {
        let args = A::from_args(args, lua)?;
        f(lua, args)?.into_returned(lua)
    })
}

/// The same for one that changes what it has captured.
pub(crate) fn mutable<A, R>(f: impl FnMut(&Lua, A) -> Result<R> + 'static) -> Rc<Callback>
where
    A: super::FromLuaMulti,
    R: super::IntoLuaMulti,
{
    let f = std::cell::RefCell::new(f);
    plain(move |lua, args| {
        let mut f = f.try_borrow_mut().map_err(|_| Error::RecursiveCallback)?;
        f(lua, args)
    })
}
