//! Constructors: tables and closures, and what closures have captured. In: a function
//! that says what is needed, and the registers. Out: objects. Invariant: a captured value is never
//! written again, so that it is a constant wherever its closure is one.

use crate::table;
use crate::value::{Captured, Closure, Proto, Shared, Value, Values, Variable};
use verdigris::{is_constant, prelude::*};

/// The table of a constructor.
///
/// It stays out of the interpreter's loop, as all that allocates: what an allocation needs would be
/// computed by each call of the loop's function, ahead of time.
#[inline(never)]
pub fn new_table(proto: Gc<Proto>, shape: usize, room: usize) -> Value {
    let world = proto.world;
    let shape = proto.shapes[shape];
    let fields = if shape.is_empty() {
        world.no_fields
    } else {
        table::Fields::new(shape.len(), Value::Nil)
    };
    let items = if room == 0 {
        world.no_items
    } else {
        table::Items::new(room, Value::Nil)
    };
    Value::Table(table::make(shape, fields, items))
}

/// Stores the items of a constructor, which has made room for them.
#[unroll_safe]
#[inline(always)]
pub fn init_items(t: Gc<table::Table>, r: Values, from: usize, count: usize, first: usize) {
    let items = t.items.get();
    for n in 0..count {
        items[first + n].set(r[from + n].get());
    }
    if count > 0 {
        table::end_items(t, first + count);
    }
}

/// A value that the closure has copied. It never changes; where the closure is known, so is the
/// value.
#[inline(always)]
pub fn captured(closure: Gc<Closure>, index: usize) -> Value {
    if is_constant(closure) {
        return captured_once(closure, index);
    }
    closure.values[index].get()
}

/// Elidable: these are not written after the closure was made.
#[elidable]
fn captured_once(closure: Gc<Closure>, index: usize) -> Value {
    closure.values[index].get()
}

/// The environment of a chunk: what it was loaded with, or else the table of globals.
#[inline(never)]
pub fn environment(proto: Gc<Proto>, chunk: Gc<Closure>) -> Value {
    if chunk.values.is_empty() {
        return Value::Table(proto.world.globals);
    }
    chunk.values[0].get()
}

/// A variable that closures share.
#[inline(never)]
pub fn new_variable(value: Value) -> Value {
    Value::Shared(Gc::new(Variable {
        value: Cell::new(value),
    }))
}

/// The variable in a register of a variable that closures share.
#[inline(always)]
pub fn shared(value: Value) -> Gc<Variable> {
    match value {
        Value::Shared(variable) => variable,
        _ => unreachable!(),
    }
}

/// A closure of a function in this one.
#[unroll_safe]
#[inline(never)]
pub fn new_closure(proto: Gc<Proto>, around: Gc<Closure>, r: Values) -> Value {
    let sources = proto.value_sources;
    let values = Captured::new(sources.len(), Value::Nil);
    for n in 0..sources.len() {
        let (kind, index) = (sources[n] >> 16, (sources[n] & 0xffff) as usize);
        values[n].set(match kind {
            0 => r[index].get(),
            1 => around.values[index].get(),
            _ => Value::Function(around),
        });
    }
    let sources = proto.shared_sources;
    let count = sources.len();
    if count == 0 {
        let shared = proto.world.no_variables;
        return Value::Function(Gc::new(Closure {
            proto,
            values,
            shared,
        }));
    }
    let first = source_of(sources[0], around, r);
    let variables = Shared::new(count, first);
    for n in 1..count {
        variables[n].set(source_of(sources[n], around, r));
    }
    Value::Function(Gc::new(Closure {
        proto,
        values,
        shared: variables,
    }))
}

/// The shared variable that a closure takes.
#[inline(always)]
fn source_of(source: u32, around: Gc<Closure>, r: Values) -> Gc<Variable> {
    let index = (source & 0xffff) as usize;
    if source >> 16 == 0 {
        shared(r[index].get())
    } else {
        around.shared[index].get()
    }
}
