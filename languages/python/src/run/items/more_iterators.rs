//! Iterators that ask others: `map`, `filter`, `zip` of many, and the like. In: an iterator. Out:
//! its next item; `Unbound` at the end.

use crate::heap::class;
use crate::heap::exception::Thrown;
use crate::heap::places;
use crate::heap::value::{Iter, Registers, Tuple, Value, pair};
use crate::heap::world::{World, classes};
use crate::plain::fault;
use crate::run::call;
use crate::run::call::awaiter;
use crate::run::items::iterate::{
    self, ATHROW, CALLABLE, COROUTINE_WRAPPER, ENUMERATE, FILTER, MAP, REVERSED, SEQUENCE, ZIP,
};
use crate::run::operators::compare;
use crate::run::operators::truth;
use verdigris::prelude::*;

/// Whether all iterators of a strict `zip` end where number `n` has.
fn ends_together(world: Gc<World>, all: Tuple, n: usize, depth: i64) -> Result<(), Thrown> {
    let before = |n: usize| match n {
        1 => "argument 1".to_string(),
        _ => format!("arguments 1-{n}"),
    };
    if n > 0 {
        let message = format!("zip() argument {} is shorter than {}", n + 1, before(n));
        return Err(fault::value_error(world, &message));
    }
    for m in 1..all.len() {
        if !iterate::next(world, all[m].get(), depth)?.is_unbound() {
            let message = format!("zip() argument {} is longer than {}", m + 1, before(m));
            return Err(fault::value_error(world, &message));
        }
    }
    Ok(())
}

/// The next item of such an iterator.
///
/// # Errors
/// What those raise that it asks.
#[opaque]
pub fn next(world: Gc<World>, iter: Gc<Iter>, depth: i64) -> Result<Value, Thrown> {
    let depth = places::below(world, depth);
    match iter.kind {
        COROUTINE_WRAPPER..=ATHROW => {
            let sent = awaiter::send(world, iter, Value::None, depth)?;
            Ok(if sent.done {
                Value::Unbound
            } else {
                sent.value
            })
        }
        ENUMERATE => {
            let item = iterate::next(world, iter.source.get(), depth)?;
            if item.is_unbound() {
                return Ok(item);
            }
            let number = iter.at.get();
            iter.at.set(number.wrapping_add(1));
            Ok(pair(Value::Int(number), item))
        }
        ZIP => {
            let Value::Tuple(all) = iter.source.get() else {
                return Ok(Value::Unbound);
            };
            if all.is_empty() {
                return Ok(Value::Unbound);
            }
            let made = Tuple::new(all.len(), Value::Unbound);
            for n in 0..all.len() {
                let item = iterate::next(world, all[n].get(), depth)?;
                if item.is_unbound() {
                    if iter.other == Value::Bool(true) {
                        ends_together(world, all, n, depth)?;
                    }
                    return Ok(item);
                }
                made[n].set(item);
            }
            Ok(Value::Tuple(made))
        }
        MAP => {
            let Value::Tuple(all) = iter.source.get() else {
                return Ok(Value::Unbound);
            };
            let args = Registers::new(all.len(), Value::Unbound);
            for n in 0..all.len() {
                let item = iterate::next(world, all[n].get(), depth)?;
                if item.is_unbound() {
                    return Ok(item);
                }
                args[n].set(item);
            }
            call::value(world, iter.other, call::plain(args), depth)
        }
        FILTER => loop {
            let item = iterate::next(world, iter.source.get(), depth)?;
            if item.is_unbound() {
                return Ok(item);
            }
            let holds = match iter.other {
                Value::None => item,
                function => call::value(world, function, call::one(item), depth)?,
            };
            if truth::of(world, holds, depth)? {
                return Ok(item);
            }
        },
        SEQUENCE => {
            let object = iter.source.get();
            if object.is_unbound() {
                return Ok(object);
            }
            let index = Value::Int(iter.at.get());
            iter.at.set(iter.at.get() + 1);
            match call::method(world, iter.other, object, call::one(index), depth) {
                Ok(item) => Ok(item),
                Err(thrown) => {
                    let class = crate::heap::instance::class(thrown);
                    let ends = [classes::INDEX_ERROR, classes::STOP_ITERATION];
                    match ends
                        .iter()
                        .any(|&n| class::derives(class, world.classes[n]))
                    {
                        true => {
                            iter.source.set(Value::Unbound);
                            Ok(Value::Unbound)
                        }
                        false => Err(thrown),
                    }
                }
            }
        }
        CALLABLE => {
            let function = iter.source.get();
            if function.is_unbound() {
                return Ok(function);
            }
            let item = call::value(world, function, call::nothing(), depth)?;
            if compare::equal(world, item, iter.other, depth)? {
                iter.source.set(Value::Unbound);
                return Ok(Value::Unbound);
            }
            Ok(item)
        }
        REVERSED => {
            let Value::Instance(_) = iter.source.get() else {
                return Ok(Value::Unbound);
            };
            let index = Value::Int(iter.at.get());
            crate::run::items::subscript::get(world, iter.source.get(), index, depth)
        }
        _ => Ok(Value::Unbound),
    }
}
