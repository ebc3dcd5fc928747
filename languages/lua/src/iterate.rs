//! Loops. In: the registers of a `for`. Out: whether there is another turn. Invariants: a loop over
//! integers has as many turns as there are numbers, whatever overflows; a loop over a table by
//! `next` knows the place of the next entry, so that no step searches.
//!
//! Source: Lua 5.4 reference manual, section 3.3.5.

use crate::access;
use crate::arith;
use crate::call;
use crate::fault::{self, Fault};
use crate::native::{check, names};
use crate::table::{self, Table};
use crate::value::{Args, Returned, Value, Values, World};
use verdigris::prelude::*;

/// Begins a loop from `R[a]` to `R[a + 1]` by `R[a + 2]`; whether there is a turn. `by_one` says
/// how the loop goes on: then `R[a + 1]` is the last integer, else how many turns come behind the
/// first.
#[inline]
pub fn prepare(world: Gc<World>, r: Values, a: usize, by_one: bool) -> Result<bool, Gc<Fault>> {
    let (from, to, step) = (r[a].get(), r[a + 1].get(), r[a + 2].get());
    if let (Value::Int(from), Value::Int(to), true) = (from, to, by_one) {
        return Ok(from <= to);
    }
    if let (Value::Int(from), Value::Int(step)) = (from, step) {
        return prepare_integers(world, r, a, from, step, by_one);
    }
    prepare_floats(world, r, a)
}

#[inline(never)]
fn prepare_integers(
    world: Gc<World>,
    r: Values,
    a: usize,
    from: i64,
    step: i64,
    by_one: bool,
) -> Result<bool, Gc<Fault>> {
    if step == 0 {
        return Err(fault::simple(fault::ZERO_STEP));
    }
    let Some(to) = limit(world, r[a + 1].get(), step)? else {
        return Ok(false);
    };
    if if step > 0 { from > to } else { from < to } {
        return Ok(false);
    }
    if by_one {
        r[a + 1].set(Value::Int(to));
        return Ok(true);
    }
    let distance = if step > 0 {
        to.wrapping_sub(from) as u64
    } else {
        from.wrapping_sub(to) as u64
    };
    // The step may be the least integer, which has no opposite.
    let size = if step > 0 {
        step as u64
    } else {
        (step.wrapping_add(1).wrapping_neg() as u64).wrapping_add(1)
    };
    r[a + 1].set(Value::Int((distance / size) as i64));
    Ok(true)
}

/// A limit as an integer that stops the loop in the same place; `None` if there is no turn.
fn limit(world: Gc<World>, value: Value, step: i64) -> Result<Option<i64>, Gc<Fault>> {
    match arith::to_number(value) {
        Value::Int(i) => Ok(Some(i)),
        Value::Float(f) => {
            if f.is_nan() {
                return Ok(None);
            }
            let rounded = if step > 0 { f.floor() } else { f.ceil() };
            if rounded >= 9_223_372_036_854_775_808.0 {
                return Ok(if step > 0 { Some(i64::MAX) } else { None });
            }
            if rounded < -9_223_372_036_854_775_808.0 {
                return Ok(if step > 0 { None } else { Some(i64::MIN) });
            }
            Ok(Some(rounded as i64))
        }
        _ => Err(fault::for_value(world, 1, value)),
    }
}

#[inline(never)]
fn prepare_floats(world: Gc<World>, r: Values, a: usize) -> Result<bool, Gc<Fault>> {
    let (from, to, step) = (r[a].get(), r[a + 1].get(), r[a + 2].get());
    let (first, last, by) = (from, to, step);
    let (from, to, step) = (
        arith::to_number(from),
        arith::to_number(to),
        arith::to_number(step),
    );
    if to.is_nil() {
        return Err(fault::for_value(world, 1, last));
    }
    if step.is_nil() {
        return Err(fault::for_value(world, 2, by));
    }
    if from.is_nil() {
        return Err(fault::for_value(world, 0, first));
    }
    let (from, to, step) = (arith::float(from), arith::float(to), arith::float(step));
    if step == 0.0 {
        return Err(fault::simple(fault::ZERO_STEP));
    }
    r[a].set(Value::Float(from));
    r[a + 1].set(Value::Float(to));
    r[a + 2].set(Value::Float(step));
    Ok(if step > 0.0 { from <= to } else { to <= from })
}

/// The next turn of a loop over floats; whether there is one.
#[inline]
pub fn next_float(r: Values, a: usize) -> bool {
    let step = arith::float(r[a + 2].get());
    let next = arith::float(r[a].get()) + step;
    let limit = arith::float(r[a + 1].get());
    let again = if step > 0.0 {
        next <= limit
    } else {
        limit <= next
    };
    if again {
        r[a].set(Value::Float(next));
    }
    again
}

/// The next turn of a generic `for`: `count` variables from `R[a + 5]` on; whether there is one.
/// `R[a + 4]` is the place of the next entry of a table.
pub fn next(
    world: Gc<World>,
    r: Values,
    a: usize,
    count: usize,
    depth: i64,
) -> Result<bool, Gc<Fault>> {
    let (iterator, state) = (r[a].get(), r[a + 1].get());
    if let Value::Native(native) = iterator {
        let id = promote(native).id;
        if id == names::NEXT
            && let Value::Table(t) = state
        {
            return next_entry(t, r, a, count);
        }
        if id == names::NEXT {
            return Err(check::no_iterator(state));
        }
        if id == names::IPAIRS_NEXT
            && let (Value::Int(i), Value::Table(_)) = (r[a + 2].get(), state)
        {
            let i = i.wrapping_add(1);
            let value = access::get(world, state, Value::Int(i), depth)?;
            if value.is_nil() {
                return Ok(false);
            }
            r[a + 2].set(Value::Int(i));
            variables(r, a + 5, count, Value::Int(i), value);
            return Ok(true);
        }
    }
    let args = Args {
        values: r,
        first: a + 1,
        count: 2,
    };
    let results = call::from_code(world, iterator, args, depth)?;
    if results.first.is_nil() {
        return Ok(false);
    }
    r[a + 2].set(results.first);
    assign(results, r, a + 5, count);
    Ok(true)
}

#[inline]
fn next_entry(t: Gc<Table>, r: Values, a: usize, count: usize) -> Result<bool, Gc<Fault>> {
    let from = match (r[a + 4].get(), r[a + 2].get()) {
        (Value::Int(place), Value::Nil) => place,
        (Value::Int(0), key) => {
            // The loop begins behind a key.
            let place = table::place_of(t, key);
            if place < 0 {
                return Err(fault::unplaced(fault::NEXT_KEY));
            }
            place + 1
        }
        (Value::Int(place), _) => place,
        _ => unreachable!(),
    };
    let place = table::next_place(t, from);
    if place < 0 {
        return Ok(false);
    }
    let key = table::key_at(t, place);
    r[a + 2].set(key);
    r[a + 4].set(Value::Int(place + 1));
    variables(r, a + 5, count, key, table::value_at(t, place));
    Ok(true)
}

/// Sets the variables of a loop to two values.
#[unroll_safe]
#[inline]
fn variables(r: Values, first: usize, count: usize, key: Value, value: Value) {
    r[first].set(key);
    if count > 1 {
        r[first + 1].set(value);
    }
    for n in 2..count {
        r[first + n].set(Value::Nil);
    }
}

/// Sets the variables of a loop to results.
#[unroll_safe]
#[inline]
fn assign(results: Returned, r: Values, first: usize, count: usize) {
    r[first].set(results.first);
    for n in 1..count {
        let value = match results.all {
            Some(list) if n < list.len() => list[n].get(),
            _ => Value::Nil,
        };
        r[first + n].set(value);
    }
}
