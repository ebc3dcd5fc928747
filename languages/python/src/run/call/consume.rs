//! Builtin functions that take all items of a generator, or call a function for each item. In: a
//! generator, or a function and a list. Out: what the function returns. Invariant: the loop is one
//! in Python (`library/_consume.py`) and a copy of it belongs to the code that it calls, so that
//! compiled code of the loop has just that in it; the builtin function would have to be entered and
//! left for each item.

use crate::heap::class;
use crate::heap::exception::Thrown;
use crate::heap::function::{self, Code, Function};
use crate::heap::places;
use crate::heap::value::{Generator, Value};
use crate::heap::world::{World, class_of, names};
use crate::run::call;
use crate::run::native::names::{
    ALL, ANY, LIST_EXTEND, MAX, MIN, SET_UPDATE, SORTED, STR_JOIN, SUM,
};
use crate::run::objects::import;
use verdigris::prelude::*;

/// The names of these functions.
const LOOPS: [&str; function::LOOPS] = [
    "drain",
    "total",
    "holds_one",
    "holds_all",
    "least",
    "greatest",
    "mapped",
];
const DRAIN: usize = 0;
const TOTAL: usize = 1;
const HOLDS_ONE: usize = 2;
const HOLDS_ALL: usize = 3;
const LEAST: usize = 4;
const GREATEST: usize = 5;
const MAPPED: usize = 6;

/// A builtin function of a generator alone; `None` if there is no loop for it.
///
/// # Errors
/// What the generator and operators raise.
#[inline]
pub fn of_one(
    world: Gc<World>,
    id: usize,
    generator: Gc<Generator>,
    depth: i64,
) -> Result<Option<Value>, Thrown> {
    let kind = match id {
        SUM => TOTAL,
        ANY => HOLDS_ONE,
        ALL => HOLDS_ALL,
        MIN => LEAST,
        MAX => GREATEST,
        _ => return Ok(None),
    };
    let code = promote(generator.code);
    let function = loop_of(world, code, kind, depth)?;
    let args = call::one(Value::Generator(generator));
    Ok(Some(call::function(world, function, args, depth)?))
}

/// Which argument of a builtin function is an iterable all of whose items it takes before it does
/// anything else; more than there are if none is.
#[inline]
pub fn taken_whole(id: usize) -> usize {
    match id {
        SORTED | MIN | MAX => 0,
        STR_JOIN | LIST_EXTEND | SET_UPDATE => 1,
        _ => usize::MAX,
    }
}

/// The items of a generator as a list; other values as they are.
///
/// # Errors
/// What the generator raises.
#[inline]
pub fn listed(world: Gc<World>, value: Value, depth: i64) -> Result<Value, Thrown> {
    if let Value::Generator(generator) = value {
        let code = promote(generator.code);
        let function = loop_of(world, code, DRAIN, depth)?;
        return call::function(world, function, call::one(value), depth);
    }
    Ok(value)
}

/// A list of what a function returns for each item of a list; no list if it is not one of the
/// program.
///
/// # Errors
/// What the function raises.
pub fn mapped(world: Gc<World>, callee: Value, list: Value, depth: i64) -> Result<Value, Thrown> {
    let inner = match callee {
        Value::Method(method) => method.function,
        Value::Instance(_) => class::lookup(class_of(world, callee), world.names[names::CALL]),
        other => other,
    };
    if let Value::Function(inner) = inner {
        let function = loop_of(world, inner.code, MAPPED, depth)?;
        return call::function(world, function, call::two(callee, list), depth);
    }
    Ok(Value::Unbound)
}

/// The loop of a kind that belongs to a code.
///
/// # Errors
/// What making the first one raises, at the limit of recursion.
#[inline]
fn loop_of(
    world: Gc<World>,
    code: Gc<Code>,
    kind: usize,
    depth: i64,
) -> Result<Gc<Function>, Thrown> {
    match code.loops[kind].get() {
        Value::Function(known) => Ok(known),
        _ => new_loop(world, code, kind, depth),
    }
}

#[opaque]
fn new_loop(
    world: Gc<World>,
    code: Gc<Code>,
    kind: usize,
    depth: i64,
) -> Result<Gc<Function>, Thrown> {
    let depth = places::below(world, depth);
    let general = import::function(world, "_consume", LOOPS[kind], depth)?;
    let Value::Function(general) = general else {
        unreachable!("the library defines these functions");
    };
    let made = Gc::new(Function {
        code: function::with_kind(general.code, general.code.kind),
        defaults: Cell::new(general.defaults.get()),
        keyword_defaults: Cell::new(general.keyword_defaults.get()),
        closure: general.closure,
        annotations: Cell::new(general.annotations.get()),
        attributes: Cell::new(None),
    });
    code.loops[kind].set(Value::Function(made));
    Ok(made)
}
