//! What looks at a program while it runs: interrupts, and hooks of `debug.sethook`. In: a wish.
//! Out: a fault, or calls of the hook. Invariant: a program that is not looked at pays nothing in
//! compiled code, where [`World::watched`] is a constant; a wish takes that back, and compiled code
//! is left where it next looks for signals or comes back from a call. From there on the activation
//! is executed here, instruction by instruction, until the hook is gone.
//!
//! Source: Lua 5.4 reference manual, section 6.10 (`debug.sethook`).

use crate::call;
use crate::fault::{self, Fault};
use crate::finalize;
use crate::interp::{self, Next};
use crate::levels;
use crate::opcode;
use crate::string::LuaStr;
use crate::value::{Closure, Hooks, Returned, Value, Values, World, arguments, list2};
use verdigris::{check_stack, prelude::*, we_are_jitted};

/// The bit of calls in [`crate::value::Hooks::mask`].
pub const CALLS: i64 = 1;
/// The bit of returns.
pub const RETURNS: i64 = 2;
/// The bit of lines.
pub const LINES: i64 = 4;

/// What is left of an activation that was executed here for a while.
#[gc]
pub struct Rest {
    /// Whether the function has returned.
    pub done: bool,
    /// What it has returned first.
    pub first: Value,
    /// All that it has returned, unless that is one value.
    pub all: Option<Values>,
    /// The function that goes on otherwise.
    pub closure: Gc<Closure>,
    /// Where.
    pub pc: usize,
    /// With which registers.
    pub registers: Values,
}

/// The program gets an error as soon as it comes to a call or to the end of a loop's turn.
pub fn interrupt(world: Gc<World>) {
    world.interrupted.set(true);
    watch(world, true);
}

/// Sets the hook, or removes it if it is nil.
pub fn change_hook(world: Gc<World>, hook: Value, mask: i64, every: i64) {
    let hooks = world.hooks;
    let is_used = !hook.is_nil() && (mask != 0 || every > 0);
    hooks.hook.set(if is_used { hook } else { Value::Nil });
    hooks.mask.set(mask);
    hooks.every.set(every);
    hooks.left.set(every);
    if world.watched.get() != is_used {
        watch(world, is_used || world.interrupted.get());
    }
}

fn watch(world: Gc<World>, is_watched: bool) {
    world.watched.set(is_watched);
    world.looks.set(is_watched || world.tracked.get());
}

/// An activation begins, and something looks or calls are noted. As [`look`].
#[inline(never)]
pub fn begin(
    world: Gc<World>,
    closure: Gc<Closure>,
    pc: usize,
    registers: Values,
    depth: i64,
) -> Result<Option<Gc<Rest>>, Gc<Fault>> {
    if world.tracked.get() {
        levels::enter(world, closure, pc, registers, depth);
    }
    if world.watched.get() {
        return look(world, closure, pc, registers, depth);
    }
    Ok(None)
}

/// An activation goes on behind a call, and something looks or calls are noted. As [`look`].
#[inline(never)]
pub fn come_back(
    world: Gc<World>,
    closure: Gc<Closure>,
    pc: usize,
    registers: Values,
    depth: i64,
) -> Result<Option<Gc<Rest>>, Gc<Fault>> {
    if world.tracked.get() {
        // Compiled code is made when calls are noted already, or not at all. In it nothing is left
        // to be made of what has been noted of the call.
        if we_are_jitted() {
            levels::leave(world, depth);
        } else {
            levels::enter(world, closure, pc, registers, depth);
        }
    }
    if world.watched.get() {
        return look(world, closure, pc, registers, depth);
    }
    Ok(None)
}

/// An activation has come to a call's end or to a loop's, or begins, and something looks. Gives
/// what is left of it, or nothing if it goes on as before.
#[opaque]
pub fn look(
    world: Gc<World>,
    closure: Gc<Closure>,
    pc: usize,
    registers: Values,
    depth: i64,
) -> Result<Option<Gc<Rest>>, Gc<Fault>> {
    if world.interrupted.replace(false) {
        watch(world, has_hook(world));
        return Err(unwound(closure, pc, registers, interrupted(), depth));
    }
    if world.hooks.runs.get() || !has_hook(world) {
        return Ok(None);
    }
    follow(world, closure, pc, registers, depth).map(Some)
}

/// The fault of an interrupt. It has the place of the function that has called the one which was
/// interrupted, as in the reference.
fn interrupted() -> Gc<Fault> {
    fault::raised(Value::Str(LuaStr::new(b"interrupted!")), 2)
}

fn unwound(
    closure: Gc<Closure>,
    pc: usize,
    registers: Values,
    fault: Gc<Fault>,
    depth: i64,
) -> Gc<Fault> {
    interp::unwind(closure.proto, pc, closure, registers, fault, depth)
}

fn has_hook(world: Gc<World>) -> bool {
    !world.hooks.hook.get().is_nil()
}

/// Executes an activation until it ends or the hook is gone.
fn follow(
    world: Gc<World>,
    begun: Gc<Closure>,
    from: usize,
    frame: Values,
    depth: i64,
) -> Result<Gc<Rest>, Gc<Fault>> {
    let (mut closure, mut pc, mut registers) = (begun, from, frame);
    let mut at = Place {
        world,
        depth,
        line: -1,
        called: from == 0,
        turned: false,
    };
    if from > 0 {
        // It is in the middle of this line already.
        at.line = i64::from(closure.proto.lines[from - 1]);
    }
    loop {
        if !has_hook(world) {
            return Ok(Gc::new(Rest {
                done: false,
                first: Value::Nil,
                all: None,
                closure,
                pc,
                registers,
            }));
        }
        let fail = |fault| unwound(closure, pc, registers, fault, depth);
        at.arrive(closure, pc, registers).map_err(fail)?;
        let proto = closure.proto;
        let word = proto.code[pc];
        let callee = match opcode::is_call(opcode::op(word)) {
            true => registers[opcode::a(word)].get(),
            false => Value::Nil,
        };
        if let Value::Native(_) = callee {
            levels::note_hook(world, pc, depth, callee);
        }
        at.library(callee, CALLS, "call").map_err(fail)?;
        let next = interp::single(proto, pc, closure, registers, depth).map_err(fail)?;
        if let Value::Native(_) = callee {
            levels::note_hook(world, pc, depth, callee);
        }
        at.library(callee, RETURNS, "return").map_err(fail)?;
        match next {
            Next::Go(next) => pc = next,
            Next::Called => pc += 1,
            Next::Back(next) => {
                if world.collects.get() {
                    finalize::poll(proto, next, registers, depth);
                }
                // Only calls of the portal look for signals else.
                check_stack();
                if world.interrupted.replace(false) {
                    return Err(fail(interrupted()));
                }
                (pc, at.turned) = (next, true);
            }
            Next::Tail(callee, values, _) => {
                (closure, pc, registers) = (callee, 0, values);
                if world.tracked.get() {
                    levels::enter(world, closure, pc, registers, depth);
                }
                at.line = -1;
                at.event(closure, pc, registers, CALLS, "tail call", Value::Nil)
                    .map_err(|fault| unwound(closure, pc, registers, fault, depth))?;
            }
            Next::Done(Returned { first, all }) => {
                at.event(closure, pc, registers, RETURNS, "return", Value::Nil)
                    .map_err(fail)?;
                return Ok(Gc::new(Rest {
                    done: true,
                    first,
                    all,
                    closure,
                    pc,
                    registers,
                }));
            }
        }
    }
}

/// What is known of an activation that the hook looks at.
struct Place {
    world: Gc<World>,
    depth: i64,
    /// The line that it was called for last.
    line: i64,
    /// Whether the activation begins.
    called: bool,
    /// Whether a loop has a new turn: then its line counts again.
    turned: bool,
}

impl Place {
    /// Calls the hook for an instruction that comes next.
    fn arrive(
        &mut self,
        closure: Gc<Closure>,
        pc: usize,
        registers: Values,
    ) -> Result<(), Gc<Fault>> {
        if closure.proto.builtin {
            return Ok(());
        }
        if std::mem::take(&mut self.called) {
            self.event(closure, pc, registers, CALLS, "call", Value::Nil)?;
        }
        let hooks = self.world.hooks;
        if hooks.every.get() > 0 {
            hooks.left.set(hooks.left.get() - 1);
            if hooks.left.get() == 0 {
                hooks.left.set(hooks.every.get());
                self.call(Value::Function(closure), pc, registers, "count", Value::Nil)?;
            }
        }
        let line = i64::from(closure.proto.lines[pc]);
        let turned = std::mem::take(&mut self.turned);
        // What the compiler adds stands in no line.
        if line != 0 && (line != self.line || turned) {
            self.line = line;
            self.event(closure, pc, registers, LINES, "line", Value::Int(line))?;
        }
        Ok(())
    }

    /// Calls the hook if it is for this.
    fn event(
        &self,
        closure: Gc<Closure>,
        pc: usize,
        registers: Values,
        bit: i64,
        name: &str,
        line: Value,
    ) -> Result<(), Gc<Fault>> {
        if self.world.hooks.mask.get() & bit == 0 || closure.proto.builtin {
            return Ok(());
        }
        self.call(Value::Function(closure), pc, registers, name, line)
    }

    /// The same for a function of the library that is called or has been.
    fn library(&self, callee: Value, bit: i64, name: &str) -> Result<(), Gc<Fault>> {
        match callee {
            Value::Native(_) if self.world.hooks.mask.get() & bit != 0 && has_hook(self.world) => {
                self.call(callee, 0, self.world.nothing, name, Value::Nil)
            }
            _ => Ok(()),
        }
    }

    fn call(
        &self,
        function: Value,
        pc: usize,
        registers: Values,
        name: &str,
        line: Value,
    ) -> Result<(), Gc<Fault>> {
        let hooks = self.world.hooks;
        if let Value::Function(_) = function {
            levels::note_hook(self.world, pc, self.depth, Value::Bool(true));
        }
        let _running = RunningHook::of(hooks, function, pc, registers);
        let name = Value::Str(LuaStr::new(name.as_bytes()));
        let args = arguments(list2(name, line));
        call::value(self.world, hooks.hook.get(), args, self.depth).map(|_| ())
    }
}

/// While there is one, a hook runs, and is not called for what it does itself. A panic ends that as
/// well: memory that is used up in a hook is no reason never to call it again.
struct RunningHook {
    hooks: Gc<Hooks>,
}

impl RunningHook {
    fn of(hooks: Gc<Hooks>, function: Value, pc: usize, registers: Values) -> RunningHook {
        hooks.runs.set(true);
        hooks.function.set(function);
        hooks.pc.set(pc);
        hooks.frame.set(Value::Many(registers));
        RunningHook { hooks }
    }
}

impl Drop for RunningHook {
    fn drop(&mut self) {
        self.hooks.runs.set(false);
        self.hooks.function.set(Value::Nil);
        self.hooks.frame.set(Value::Nil);
    }
}
