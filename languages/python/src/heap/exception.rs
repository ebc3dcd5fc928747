//! Exceptions as objects. In: classes and messages. Out: instances, with what belongs to all
//! exceptions beside their attributes. Invariant: raising is a result that each activation hands on
//! to its caller; what is noted on the way (traceback, context) is in the exception itself.

use crate::heap::class::Class;
use crate::heap::function::Code;
use crate::heap::instance::{self, Instance};
use crate::heap::value::{Tuple, Value};
use crate::heap::world::World;
use verdigris::prelude::*;

/// An exception on its way.
pub type Thrown = Gc<Instance>;

/// What belongs to an exception beside its attributes.
#[gc]
pub struct Exc {
    /// Its arguments, a tuple.
    pub args: Cell<Value>,
    /// What it was raised from, or `None`.
    pub cause: Cell<Value>,
    /// What was handled when it was raised, or `None`.
    pub context: Cell<Value>,
    /// Whether the context is not to be shown.
    pub suppress: Cell<bool>,
    /// Where it has come through.
    pub traceback: Cell<Option<Gc<Traceback>>>,
    /// Whether no activation has had it since it was raised.
    pub fresh: Cell<bool>,
    /// Whether it was raised once more where it was handled, so that this adds nothing to where it
    /// has come through.
    pub again: Cell<bool>,
}

/// A place that an exception has come through.
#[gc]
pub struct Traceback {
    /// The code.
    pub code: Gc<Code>,
    /// The instruction.
    pub pc: usize,
    /// Where it came from to there.
    pub next: Cell<Option<Gc<Traceback>>>,
}

/// A new instance of an exception class.
#[inline]
pub fn make(class: Gc<Class>, args: Tuple) -> Gc<Instance> {
    let native = Value::Exc(Gc::new(Exc {
        args: Cell::new(Value::Tuple(args)),
        cause: Cell::new(Value::None),
        context: Cell::new(Value::None),
        suppress: Cell::new(false),
        traceback: Cell::new(None),
        fresh: Cell::new(true),
        again: Cell::new(false),
    }));
    instance::new(class, native)
}

/// The part that all exceptions have.
#[inline(always)]
pub fn part(exception: Gc<Instance>) -> Gc<Exc> {
    match exception.native {
        Value::Exc(exc) => exc,
        _ => unreachable!("what is raised derives from BaseException"),
    }
}

/// Whether a value is an exception.
#[inline]
pub fn is_exception(value: Value) -> bool {
    match value {
        Value::Instance(instance) => matches!(instance.native, Value::Exc(_)),
        _ => false,
    }
}

/// An exception comes out of an instruction: notes where, and what was handled.
#[inline]
pub fn note(world: Gc<World>, exception: Thrown, code: Gc<Code>, pc: usize) {
    let exc = part(exception);
    if exc.fresh.get() {
        exc.fresh.set(false);
        let handled = world.handled.get();
        if !handled.is_none() {
            set_context(exception, handled);
        }
    }
    if exc.again.get() {
        exc.again.set(false);
        return;
    }
    exc.traceback.set(Some(Gc::new(Traceback {
        code,
        pc,
        next: Cell::new(exc.traceback.get()),
    })));
}

/// What was handled is the context, but not where the exception itself would come round again.
#[opaque]
fn set_context(exception: Thrown, handled: Value) {
    let Value::Instance(handled) = handled else {
        return;
    };
    if Gc::ptr_eq(handled, exception) {
        return;
    }
    let mut next = handled;
    while let Value::Instance(context) = part(next).context.get() {
        if Gc::ptr_eq(context, exception) {
            part(next).context.set(Value::None);
            break;
        }
        next = context;
    }
    part(exception).context.set(Value::Instance(handled));
}

/// The entry of the innermost handler of an instruction in the table of handlers, or -1.
///
/// Elidable: the table never changes.
#[elidable]
pub fn handler(code: Gc<Code>, pc: usize) -> i64 {
    let rows = code.handlers.as_slice().chunks_exact(4);
    let found = rows
        .enumerate()
        .find(|(_, row)| row[0] as usize <= pc && pc < row[1] as usize);
    found.map_or(-1, |(n, _)| n as i64 * 4)
}
