//! Generators, coroutines and asynchronous generators, which are the same to the machine. In: one
//! of them, and what is sent or thrown. Out: what it yields or returns. Invariant: a generator that
//! waits has in `pc` the instruction `RESUMED` where it goes on, whose operands say where it wants
//! what is sent and what is thrown; the portal is entered again there, with the same frame.

use crate::bytecode::opcode;
use crate::heap::class;
use crate::heap::exception::{self, Thrown};
use crate::heap::function::{ASYNC_GENERATOR, COROUTINE, Code, Frame};
use crate::heap::places;
use crate::heap::value::{Generator, NOWHERE, Value};
use crate::heap::world::{World, classes, names};
use crate::plain::fault;
use crate::run::call;
use crate::run::call::awaiter;
use crate::run::interp::{self, Left};
use crate::run::items::iterate;
use crate::run::objects::attribute;
use verdigris::prelude::*;

/// What was yielded, or returned if `done`.
#[derive(Clone, Copy)]
pub struct Sent {
    /// The value.
    pub value: Value,
    /// Whether it was returned.
    pub done: bool,
}

/// What a call of code makes that is not run at once.
#[inline]
pub fn new(code: Gc<Code>, frame: Gc<Frame>) -> Value {
    let made = Gc::new(Generator {
        code,
        frame,
        pc: Cell::new(0),
        runs: Cell::new(false),
        handled: Cell::new(Value::None),
        awaited: Cell::new(false),
        closed: Cell::new(false),
    });
    match code.kind {
        COROUTINE => Value::Coroutine(made),
        ASYNC_GENERATOR => Value::AsyncGenerator(made),
        _ => Value::Generator(made),
    }
}

/// Whether it waits.
#[inline]
pub fn is_suspended(generator: Gc<Generator>) -> bool {
    let pc = generator.pc.get();
    pc != 0 && pc != NOWHERE
}

/// Whether it waits behind a `yield` of its own, as an asynchronous generator that has an item.
#[inline]
pub fn has_yielded(generator: Gc<Generator>) -> bool {
    let word = generator.code.code[generator.pc.get()];
    opcode::waits_for(word) == opcode::AFTER_ASYNC_YIELD
}

/// What it asks where it waits, by `yield from` or `await`, or `None`.
pub fn asked(generator: Gc<Generator>) -> Value {
    if !is_suspended(generator) {
        return Value::None;
    }
    let (code, pc) = (generator.code.code, generator.pc.get());
    if opcode::waits_for(code[pc]) != opcode::WHILE_ASKING {
        return Value::None;
    }
    // It goes back to where it asks.
    let send = code[opcode::c(code[pc + 1])];
    generator.frame.registers[opcode::b(send)].get()
}

/// Goes on with a value, or with an exception if `thrown` is one.
///
/// # Errors
/// What the generator raises.
#[inline]
pub fn resume(
    world: Gc<World>,
    generator: Gc<Generator>,
    sent: Value,
    thrown: Value,
    depth: i64,
) -> Result<Sent, Thrown> {
    let code = promote(generator.code);
    if generator.runs.get() {
        return Err(fault::of_generator(world, fault::GENERATOR_RUNS, code.kind));
    }
    let pc = promote(generator.pc.get());
    if pc == NOWHERE {
        if code.kind == COROUTINE {
            return Err(fault::simple(world, fault::REUSED_COROUTINE));
        }
        if let Value::Instance(thrown) = thrown {
            return Err(thrown);
        }
        return Ok(Sent {
            value: Value::None,
            done: true,
        });
    }
    if depth >= world.limit.get() {
        return Err(fault::simple(world, fault::RECURSION));
    }
    let frame = generator.frame;
    if pc == 0 {
        if let Value::Instance(thrown) = thrown {
            generator.pc.set(NOWHERE);
            exception::note(world, thrown, code, 0);
            return Err(thrown);
        }
        if !sent.is_none() {
            return Err(fault::of_generator(world, fault::SENT_TOO_EARLY, code.kind));
        }
    } else {
        let word = code.code[pc];
        frame.registers[opcode::a(word)].set(sent);
        // What is left there of what was computed was not thrown.
        frame.registers[opcode::b(word)].set(match thrown {
            Value::Instance(_) => thrown,
            _ => Value::Unbound,
        });
    }
    let outside = world.handled.get();
    let own = generator.handled.get();
    if !own.is_none() {
        world.handled.set(own);
    }
    generator.pc.set(NOWHERE);
    generator.runs.set(true);
    let result = interp::run(code, pc, frame, depth + 1);
    generator.runs.set(false);
    let inside = world.handled.get();
    world.handled.set(outside);
    match result {
        Ok(Left::Yielded(value, pc)) => {
            generator.pc.set(pc);
            // What those outside handle is not its own, and may be another thing next time.
            let handles = opcode::c(code.code[pc]) & opcode::HANDLING != 0;
            generator
                .handled
                .set(if handles { inside } else { Value::None });
            Ok(Sent { value, done: false })
        }
        Ok(Left::Returned(value)) => Ok(Sent { value, done: true }),
        Err(thrown) => Err(left(world, code, thrown)),
    }
}

/// An exception leaves a generator: a `StopIteration` would end loops that are not about it.
#[inline]
fn left(world: Gc<World>, code: Gc<Code>, thrown: Thrown) -> Thrown {
    let class = crate::heap::instance::class(thrown);
    if class::derives(class, world.classes[classes::STOP_ITERATION]) {
        return stop_inside(world, fault::RAISED_STOP, code.kind, thrown);
    }
    if code.kind == ASYNC_GENERATOR
        && class::derives(class, world.classes[classes::STOP_ASYNC_ITERATION])
    {
        return stop_inside(world, fault::RAISED_ASYNC_STOP, code.kind, thrown);
    }
    thrown
}

#[opaque]
fn stop_inside(world: Gc<World>, what: usize, kind: usize, thrown: Thrown) -> Thrown {
    let made = fault::of_generator(world, what, kind);
    let part = exception::part(made);
    part.cause.set(Value::Instance(thrown));
    part.context.set(Value::Instance(thrown));
    part.suppress.set(true);
    part.fresh.set(false);
    made
}

/// One step of `yield from`: sends a value to an iterator.
///
/// # Errors
/// What the iterator raises.
#[inline]
pub fn send(world: Gc<World>, iterator: Value, sent: Value, depth: i64) -> Result<Sent, Thrown> {
    match iterator {
        Value::Generator(generator) | Value::Coroutine(generator) => {
            return resume(world, generator, sent, Value::None, depth);
        }
        Value::Iter(iter) if promote(iter.kind) >= iterate::COROUTINE_WRAPPER => {
            return awaiter::send(world, iter, sent, depth);
        }
        _ => {}
    }
    let result = if sent.is_none() {
        iterate::next_or_stop(world, iterator, depth)
    } else {
        let (function, first) =
            attribute::method(world, iterator, world.names[names::SEND], depth)?;
        let args = match first {
            Value::Unbound => call::one(sent),
            first => call::two(first, sent),
        };
        call::value(world, function, args, depth)
    };
    sent_or_stopped(world, result)
}

/// A `StopIteration` is the end, with its value.
#[inline]
fn sent_or_stopped(world: Gc<World>, result: Result<Value, Thrown>) -> Result<Sent, Thrown> {
    match result {
        Ok(value) => Ok(Sent { value, done: false }),
        Err(thrown) => {
            let class = crate::heap::instance::class(thrown);
            if class::derives(class, world.classes[classes::STOP_ITERATION]) {
                return Ok(Sent {
                    value: stop_value(thrown),
                    done: true,
                });
            }
            Err(thrown)
        }
    }
}

/// The value of a `StopIteration`.
#[inline]
pub fn stop_value(thrown: Thrown) -> Value {
    match exception::part(thrown).args.get() {
        Value::Tuple(args) if !args.is_empty() => args[0].get(),
        _ => Value::None,
    }
}

/// One step of `yield from` with an exception, which goes to the iterator if that is a generator
/// or has `throw`.
///
/// # Errors
/// What the iterator raises, or the exception itself.
#[opaque]
pub fn pass_outside(
    world: Gc<World>,
    iterator: Value,
    exception: Value,
    depth: i64,
) -> Result<(Value, bool), Thrown> {
    let Value::Instance(thrown) = exception else {
        unreachable!("an exception was caught");
    };
    let class = crate::heap::instance::class(thrown);
    let exits = class::derives(class, world.classes[classes::GENERATOR_EXIT]);
    let sent = match iterator {
        Value::Generator(generator) | Value::Coroutine(generator) if exits => {
            close(world, generator, depth)?;
            return Err(thrown);
        }
        Value::Generator(generator) | Value::Coroutine(generator) => Some(resume(
            world,
            generator,
            Value::None,
            exception,
            places::below(world, depth),
        )?),
        Value::Iter(iter) if iter.kind >= iterate::COROUTINE_WRAPPER && exits => {
            awaiter::close(world, iter, places::below(world, depth))?;
            return Err(thrown);
        }
        Value::Iter(iter) if iter.kind >= iterate::COROUTINE_WRAPPER => Some(awaiter::throw(
            world,
            iter,
            exception,
            places::below(world, depth),
        )?),
        _ => None,
    };
    if let Some(sent) = sent {
        return Ok((sent.value, sent.done));
    }
    let name = if exits { names::CLOSE } else { names::THROW };
    let found = class::lookup(
        crate::heap::world::class_of(world, iterator),
        world.names[name],
    );
    if found.is_unbound() {
        return Err(thrown);
    }
    let args = match exits {
        true => call::plain(crate::heap::value::Registers::new(0, Value::Unbound)),
        false => call::one(exception),
    };
    let result = call::method(world, found, iterator, args, places::below(world, depth));
    if exits {
        result?;
        return Err(thrown);
    }
    let sent = sent_or_stopped(world, result)?;
    Ok((sent.value, sent.done))
}

/// The same for traced code.
///
/// # Errors
/// As [`pass_outside`].
#[inline]
pub fn pass(
    world: Gc<World>,
    iterator: Value,
    exception: Value,
    depth: i64,
) -> Result<Sent, Thrown> {
    let (value, done) = pass_outside(world, iterator, exception, depth)?;
    Ok(Sent { value, done })
}

/// Ends a generator where it waits.
///
/// # Errors
/// What it raises, and a `RuntimeError` if it yields.
pub fn close(world: Gc<World>, generator: Gc<Generator>, depth: i64) -> Result<Value, Thrown> {
    let exit = exception::make(world.classes[classes::GENERATOR_EXIT], world.no_items);
    if !is_suspended(generator) && !generator.runs.get() {
        generator.pc.set(NOWHERE);
        return Ok(Value::None);
    }
    match resume(
        world,
        generator,
        Value::None,
        Value::Instance(exit),
        places::below(world, depth),
    ) {
        Ok(Sent { done: true, .. }) => Ok(Value::None),
        Ok(_) => Err(fault::of_generator(
            world,
            fault::IGNORED_EXIT,
            generator.code.kind,
        )),
        Err(thrown) => {
            let class = crate::heap::instance::class(thrown);
            let is_end = [classes::GENERATOR_EXIT, classes::STOP_ITERATION]
                .iter()
                .any(|&known| class::derives(class, world.classes[known]));
            match is_end {
                true => Ok(Value::None),
                false => Err(thrown),
            }
        }
    }
}
