//! Which functions are active, for `debug`. In: calls that activations are about to make. Out: the
//! levels of a thread, the innermost first.
//!
//! Invariant: a program that does not ask pays nothing in compiled code, where [`World::tracked`]
//! is a constant. From the moment on that a chunk is loaded which may ask (`crate::asking`), an
//! activation is noted when it begins, and where it is before it calls something. Nothing is noted
//! when it ends: whatever has been noted at a greater depth than that of an activation has ended
//! when this one notes something. In a trace that costs little: what is noted of a call that is
//! part of it is never made.
//!
//! Source: Lua 5.4 reference manual, section 6.10 (`debug.getinfo`).

use crate::native::names::XPCALL;
use crate::opcode;
use crate::value::{Active, Closure, Proto, Thread, Value, Values, World};
use verdigris::{prelude::*, we_are_jitted};

/// From now on activations note where they are, also with their registers if these are asked for.
pub fn track(world: Gc<World>, with_registers: bool) {
    if !world.tracked.get() {
        world.tracked.set(true);
        world.looks.set(true);
    }
    if with_registers && !world.keeps_registers.get() {
        world.keeps_registers.set(true);
    }
}

/// An activation calls something next, or may.
#[inline(always)]
pub fn note(proto: Gc<Proto>, pc: usize, registers: Values, depth: i64) {
    if proto.world.tracked.get() {
        note_call(proto, pc, registers, depth);
    }
}

#[inline(never)]
fn note_call(proto: Gc<Proto>, pc: usize, registers: Values, depth: i64) {
    let world = proto.world;
    leave(world, depth);
    let Some(last) = world.active.get() else {
        return;
    };
    if last.depth < depth {
        return;
    }
    let word = proto.code[pc];
    last.pc.set(pc);
    last.callee.set(if opcode::is_call(opcode::op(word)) {
        registers[opcode::a(word)].get()
    } else {
        Value::Nil
    });
    if !we_are_jitted() {
        last.registers.set(Some(registers));
    }
}

/// An activation begins, or comes back from a call in which tracking has begun.
#[inline(never)]
pub fn enter(world: Gc<World>, closure: Gc<Closure>, pc: usize, registers: Values, depth: i64) {
    leave(world, depth);
    let mut caller = world.active.get();
    let mut is_tail = false;
    if let Some(last) = caller
        && last.depth == depth
    {
        if pc > 0 {
            return;
        }
        caller = last.caller;
        is_tail = calls_last(last, closure);
    }
    let kept = if we_are_jitted() && !world.keeps_registers.get() {
        None
    } else {
        Some(registers)
    };
    world.active.set(Some(Gc::new(Active {
        closure,
        registers: Cell::new(kept),
        depth,
        pc: Cell::new(pc),
        callee: Cell::new(Value::Nil),
        caller,
        is_tail,
    })));
}

/// Whether an activation is at a tail call of this function. One that has returned is not: the
/// function would have taken its place.
fn calls_last(at: Gc<Active>, callee: Gc<Closure>) -> bool {
    let op = opcode::op(at.closure.proto.code[at.pc.get()]);
    let is_callee = match at.callee.get() {
        Value::Function(called) => Gc::ptr_eq(called, callee),
        _ => false,
    };
    is_callee && opcode::is_tail_call(op)
}

/// Forgets what has ended: all that was deeper.
#[unroll_safe]
#[inline(never)]
pub fn leave(world: Gc<World>, depth: i64) {
    loop {
        let Some(last) = world.active.get() else {
            return;
        };
        if last.depth <= depth {
            return;
        }
        world.active.set(last.caller);
    }
}

/// A hook is called in the innermost activation for what that calls, or for itself: then that is
/// true.
pub fn note_hook(world: Gc<World>, pc: usize, depth: i64, callee: Value) {
    leave(world, depth);
    if let Some(last) = world.active.get()
        && last.depth == depth
    {
        last.pc.set(pc);
        last.callee.set(callee);
    }
}

/// A function that is active.
#[derive(Clone, Copy)]
pub struct Level {
    /// The function; nil for the host.
    pub function: Value,
    /// Where it is, if it is one of the program.
    pub at: Option<Gc<Active>>,
    /// How it was called.
    pub called: Called,
}

/// How a function was called.
#[derive(Clone, Copy)]
pub enum Called {
    /// By an instruction of the program.
    By(Gc<Active>),
    /// By a tail call, of which nothing is left.
    Tail,
    /// As a hook.
    Hook,
    /// By the library or the host.
    Outside,
}

impl Level {
    /// What has called the program.
    pub const HOST: Level = Level {
        function: Value::Nil,
        at: None,
        called: Called::Outside,
    };

    /// The function of the library with this number, which asks.
    fn asking(world: Gc<World>, number: usize) -> Level {
        let at = world.active.get();
        let function = at.map_or(Value::Nil, |at| at.callee.get());
        match (at, function) {
            (Some(by), Value::Native(native)) if native.id == number => {
                Level::library(function, Called::By(by))
            }
            _ => Level::HOST,
        }
    }

    fn library(function: Value, called: Called) -> Level {
        Level {
            function,
            at: None,
            called,
        }
    }

    /// Whether it is `xpcall`.
    pub fn handles_errors(&self) -> bool {
        matches!(self.function, Value::Native(native) if native.id == XPCALL)
    }
}

/// The active functions of a thread, the innermost first.
pub struct Levels {
    next: Option<Gc<Active>>,
    /// The function of the library between the last one and the next one.
    between: Option<Level>,
    /// What comes behind all.
    last: Option<Level>,
}

impl Levels {
    /// Those of the thread that runs, without the function of the library with this number, which
    /// asks.
    fn of_running(world: Gc<World>, asks: usize, depth: i64) -> Levels {
        leave(world, depth);
        let next = world.active.get();
        let callee = next.map_or(Value::Nil, |at| at.callee.get());
        let is_direct = matches!(callee, Value::Native(native) if native.id == asks);
        let mut levels = Levels::from(next);
        if is_direct {
            levels.between = None;
        }
        if world.running.get().is_none() || !world.tracked.get() {
            levels.last = Some(Level::HOST);
        }
        levels
    }

    /// The levels of a thread from 0 on, which is the function that asks, in the thread that runs.
    pub fn of(
        world: Gc<World>,
        thread: Option<Gc<Thread>>,
        asks: usize,
        depth: i64,
    ) -> impl Iterator<Item = Level> {
        let running = world.running.get().unwrap_or(world.main);
        let thread = thread.unwrap_or(running);
        let (first, others) = match Gc::ptr_eq(thread, running) {
            true => (
                Some(Level::asking(world, asks)),
                Levels::of_running(world, asks, depth),
            ),
            false => (None, Levels::from(thread.active.get())),
        };
        first.into_iter().chain(others)
    }

    fn from(next: Option<Gc<Active>>) -> Levels {
        Levels {
            next,
            between: next.and_then(library_called),
            last: None,
        }
    }
}

/// The function of the library that a function of the program has called.
fn library_called(by: Gc<Active>) -> Option<Level> {
    let callee = by.callee.get();
    let is_library = match callee {
        Value::Native(_) => true,
        Value::Function(closure) => closure.proto.builtin,
        _ => false,
    };
    // What the library calls in itself is no level of its own.
    let is_level = is_library && !by.closure.proto.builtin;
    is_level.then(|| Level::library(callee, Called::By(by)))
}

impl Iterator for Levels {
    type Item = Level;

    fn next(&mut self) -> Option<Level> {
        loop {
            if let Some(level) = self.between.take() {
                return Some(level);
            }
            let Some(at) = self.next else {
                return self.last.take();
            };
            self.next = at.caller;
            self.between = at.caller.and_then(library_called);
            // A function of the library that is written in Lua is the one that was called.
            if !at.closure.proto.builtin {
                return Some(Level {
                    function: Value::Function(at.closure),
                    at: Some(at),
                    called: self.called(at),
                });
            }
        }
    }
}

impl Levels {
    /// How a function of the program was called.
    fn called(&self, at: Gc<Active>) -> Called {
        if at.is_tail {
            return Called::Tail;
        }
        let Some(by) = at.caller.filter(|_| self.between.is_none()) else {
            return Called::Outside;
        };
        match by.callee.get() {
            Value::Function(callee) if !Gc::ptr_eq(callee, at.closure) => Called::Tail,
            Value::Bool(_) => Called::Hook,
            _ if by.closure.proto.builtin => Called::Outside,
            _ => Called::By(by),
        }
    }
}
