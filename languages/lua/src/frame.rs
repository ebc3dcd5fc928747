//! Registers as arguments and results. In: a frame, and which of its registers. Out: arguments, or
//! registers that hold results. Invariant: loops over registers are as long as an instruction says,
//! so that a trace unrolls them.

use crate::call;
use crate::value::{Args, Returned, Value, Values};
use verdigris::prelude::*;

/// `count` registers as arguments.
#[inline(always)]
pub fn registers(values: Values, first: usize, count: usize) -> Args {
    Args {
        values,
        first,
        count,
    }
}

/// The arguments of a call, the list behind them included.
#[inline(always)]
pub fn with_list(r: Values, a: usize, count: usize) -> Args {
    let Value::Many(list) = r[a + count + 1].get() else {
        unreachable!();
    };
    if count == 0 {
        return registers(list, 0, list.len());
    }
    let all = call::joined(registers(r, a + 1, count), list);
    registers(all, 0, all.len())
}

/// Puts results in registers: `wanted` - 1, or if that is 0 the list of them.
#[inline(always)]
pub fn spread(results: Returned, r: Values, a: usize, wanted: usize) {
    if wanted == 0 {
        r[a].set(Value::Many(results.list()));
    } else if wanted > 1 {
        match results.all {
            Some(list) => spread_list(list, r, a, wanted),
            None => {
                r[a].set(results.first);
                fill(r, a + 1, a + wanted - 1);
            }
        }
    }
}

#[unroll_safe]
#[inline(always)]
fn fill(r: Values, from: usize, to: usize) {
    for n in from..to {
        r[n].set(Value::Nil);
    }
}

/// Registers from one on are of no use any more.
#[unroll_safe]
#[inline(always)]
pub fn forget(r: Values, from: usize) {
    fill(r, from, r.len());
}

/// Puts a list of results in registers: as [`spread`].
#[unroll_safe]
#[inline(always)]
pub fn spread_list(list: Values, r: Values, a: usize, wanted: usize) {
    if wanted == 0 {
        r[a].set(Value::Many(list));
        return;
    }
    for n in 0..wanted - 1 {
        r[a + n].set(if n < list.len() {
            list[n].get()
        } else {
            Value::Nil
        });
    }
}
