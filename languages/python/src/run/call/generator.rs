//! Generators. In: a generator, and what is sent or thrown. Out: what it yields or returns.
//! Invariant: a generator that waits has in `pc` the instruction `RESUMED` where it goes on, whose
//! operands say where it wants what is sent and what is thrown; the portal is entered again there,
//! with the same frame.

use crate::bytecode::opcode;
use crate::heap::class;
use crate::heap::exception::{self, Thrown};
use crate::heap::function::{Code, Frame};
use crate::heap::value::{Generator, NOWHERE, Value};
use crate::heap::world::{World, classes, names};
use crate::plain::fault;
use crate::run::call;
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

/// A generator that has not begun.
#[inline]
pub fn new(code: Gc<Code>, frame: Gc<Frame>) -> Value {
    Value::Generator(Gc::new(Generator {
        code,
        frame,
        pc: Cell::new(0),
        runs: Cell::new(false),
        handled: Cell::new(Value::None),
    }))
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
    if generator.runs.get() {
        return Err(fault::simple(world, fault::GENERATOR_RUNS));
    }
    let code = promote(generator.code);
    let pc = promote(generator.pc.get());
    if pc == NOWHERE {
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
            return Err(fault::simple(world, fault::SENT_TOO_EARLY));
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
            generator.handled.set(if inside == outside {
                Value::None
            } else {
                inside
            });
            Ok(Sent { value, done: false })
        }
        Ok(Left::Returned(value)) => Ok(Sent { value, done: true }),
        Err(thrown) => Err(left(world, thrown)),
    }
}

/// An exception leaves a generator: a `StopIteration` would end loops that are not about it.
#[inline]
fn left(world: Gc<World>, thrown: Thrown) -> Thrown {
    let class = crate::heap::instance::class(thrown);
    if !class::derives(class, world.classes[classes::STOP_ITERATION]) {
        return thrown;
    }
    stop_inside(world, thrown)
}

#[opaque]
fn stop_inside(world: Gc<World>, thrown: Thrown) -> Thrown {
    let message = "generator raised StopIteration";
    let made = fault::new(world, classes::RUNTIME_ERROR, message);
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
    if let Value::Generator(generator) = iterator {
        return resume(world, generator, sent, Value::None, depth);
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
    if let Value::Generator(generator) = iterator {
        if exits {
            close(world, generator, depth)?;
            return Err(raise_again(thrown));
        }
        let sent = resume(world, generator, Value::None, exception, depth + 1)?;
        return Ok((sent.value, sent.done));
    }
    let name = if exits { names::CLOSE } else { names::THROW };
    let found = class::lookup(
        crate::heap::world::class_of(world, iterator),
        world.names[name],
    );
    if found.is_unbound() {
        return Err(raise_again(thrown));
    }
    let args = match exits {
        true => call::plain(crate::heap::value::Registers::new(0, Value::Unbound)),
        false => call::one(exception),
    };
    let result = call::method(world, found, iterator, args, depth + 1);
    if exits {
        result?;
        return Err(raise_again(thrown));
    }
    let sent = sent_or_stopped(world, result)?;
    Ok((sent.value, sent.done))
}

fn raise_again(thrown: Thrown) -> Thrown {
    exception::part(thrown).again.set(true);
    thrown
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
    if generator.pc.get() == 0 {
        generator.pc.set(NOWHERE);
        return Ok(Value::None);
    }
    match resume(
        world,
        generator,
        Value::None,
        Value::Instance(exit),
        depth + 1,
    ) {
        Ok(Sent { done: true, .. }) => Ok(Value::None),
        Ok(_) => Err(fault::simple(world, fault::IGNORED_EXIT)),
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
