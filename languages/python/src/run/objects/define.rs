//! Globals and functions. In: names and definitions, as instructions have them in registers. Out:
//! values. Invariant: a function has the variables that it shares, not their values.

use crate::heap::exception::Thrown;
use crate::heap::function::{Closure, Code, Frame, Function, Global};
use crate::heap::value::{Value, Variable};
use crate::heap::variables::variable;
use crate::heap::world::World;
use crate::plain::fault;
use crate::run::objects::import;
use verdigris::prelude::*;

/// A global, or the builtin of its name.
#[inline]
pub fn global(world: Gc<World>, global: Gc<Global>, depth: i64) -> Result<Value, Thrown> {
    let value = global.get();
    if !value.is_unbound() {
        return Ok(value);
    }
    if let Some(builtin) = global.builtin {
        let value = builtin.get();
        if !value.is_unbound() {
            return Ok(value);
        }
        let late = import::late_builtin(world, global.name, depth)?;
        if !late.is_unbound() {
            return Ok(late);
        }
    }
    Err(fault::unbound(world, 2, global.name))
}

/// A function of this code, whose defaults are in registers from `a` on.
#[unroll_safe]
#[inline]
pub fn function(code: Gc<Code>, frame: Gc<Frame>, a: usize, annotated: bool) -> Value {
    let r = frame.registers;
    let sources = code.captures;
    let closure = match sources.len() {
        0 => frame.function.closure,
        count => {
            let first = captured(frame, sources[0]);
            let closure = Closure::new(count, first);
            for n in 1..count {
                closure[n].set(captured(frame, sources[n]));
            }
            closure
        }
    };
    let defaults = match r[a].get() {
        Value::Tuple(defaults) => defaults,
        _ => code.world.no_items,
    };
    Value::Function(Gc::new(Function {
        code,
        defaults: Cell::new(defaults),
        keyword_defaults: Cell::new(r[a + 1].get()),
        closure,
        annotations: Cell::new(if annotated {
            r[a + 2].get()
        } else {
            Value::None
        }),
        attributes: Cell::new(None),
    }))
}

#[inline(always)]
fn captured(frame: Gc<Frame>, source: u32) -> Gc<Variable> {
    let number = (source >> 1) as usize;
    if source & 1 == 0 {
        variable(frame.registers[number].get())
    } else {
        frame.function.closure[number].get()
    }
}
