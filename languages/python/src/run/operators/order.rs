//! Comparisons of builtin objects that are no hot cases. In: a comparison and operands. Out: a
//! value. Invariant: items are compared as the language does, which may call the program.

use crate::bytecode::opcode::{CMP_EQ, CMP_GE, CMP_GT, CMP_LE, CMP_LT, CMP_NE};
use crate::heap::dict::{self, Dict};
use crate::heap::exact;
use crate::heap::exception::Thrown;
use crate::heap::places;
use crate::heap::value::{self, KEYS, Tuple, Value};
use crate::heap::world::World;
use crate::plain;
use crate::plain::bigint;
use crate::plain::bytes;
use crate::plain::complex;
use crate::plain::fault;
use crate::plain::number;
use crate::run::items::algebra;
use crate::run::items::keys;
use crate::run::operators::compare;
use crate::run::operators::contains;
use std::cmp::Ordering;
use verdigris::{List, prelude::*, readonly};

/// A comparison by order or equality.
///
/// # Errors
/// A `TypeError` if the operands have no order, and what functions of the program raise.
#[opaque]
pub fn in_general(
    world: Gc<World>,
    op: usize,
    x: Value,
    y: Value,
    depth: i64,
) -> Result<Value, Thrown> {
    if depth >= world.limit.get() {
        return Err(fault::simple(world, fault::RECURSION));
    }
    let (a, b) = (number::without_bool(x), number::without_bool(y));
    if let Some(ordering) = numbers(a, b) {
        return Ok(Value::Bool(fits(op, ordering)));
    }
    if let (Some(a), Some(b)) = (bytes::of(&x), bytes::of(&y)) {
        return Ok(Value::Bool(fits(op, Some(a.cmp(&b)))));
    }
    if matches!(op, CMP_EQ | CMP_NE)
        && let Some(same) = complex::equal(a, b)
    {
        return Ok(Value::Bool(same == (op == CMP_EQ)));
    }
    match (x, y) {
        (Value::List(a), Value::List(b)) => {
            let items = |n: usize| (n < a.len()).then(|| a.at(n));
            let others = |n: usize| (n < b.len()).then(|| b.at(n));
            sequences(world, op, items, others, depth)
        }
        (Value::Tuple(a), Value::Tuple(b)) => {
            let items = |n: usize| (n < a.len()).then(|| a[n].get());
            let others = |n: usize| (n < b.len()).then(|| b[n].get());
            sequences(world, op, items, others, depth)
        }
        (Value::Set(a) | Value::FrozenSet(a), Value::Set(b) | Value::FrozenSet(b)) => {
            sets(world, op, a, b, depth)
        }
        (Value::View(a), Value::View(b)) if a.kind != value::VALUES && b.kind != value::VALUES => {
            views(world, op, x, y, depth)
        }
        (Value::View(a), Value::Set(_)) if a.kind == KEYS => views(world, op, x, y, depth),
        _ if op == CMP_EQ || op == CMP_NE => {
            let same = match (x, y) {
                (Value::Dict(a), Value::Dict(b)) => dicts(world, a, b, depth)?,
                (Value::Range(a), Value::Range(b)) => {
                    let len = crate::run::items::iterate::range_len(a);
                    len == crate::run::items::iterate::range_len(b)
                        && (len == 0 || a.start == b.start)
                        && (len <= 1 || a.step == b.step)
                }
                (Value::Method(a), Value::Method(b)) => {
                    a.function == b.function && value::is(a.object, b.object)
                }
                (Value::Slice(a), Value::Slice(b)) => {
                    compare::equal(world, a.start, b.start, depth)?
                        && compare::equal(world, a.stop, b.stop, depth)?
                        && compare::equal(world, a.step, b.step, depth)?
                }
                _ => value::is(x, y),
            };
            Ok(Value::Bool(same == (op == CMP_EQ)))
        }
        _ => Err(fault::unordered(world, op, x, y)),
    }
}

/// How two numbers are ordered; `None` if they are not both numbers. One that is no number has no
/// order: `Some(None)`.
#[allow(clippy::option_option, reason = "no number and no order are different")]
fn numbers(a: Value, b: Value) -> Option<Option<Ordering>> {
    Some(match (a, b) {
        (Value::Int(a), Value::Int(b)) => Some(a.cmp(&b)),
        (Value::Float(a), Value::Float(b)) => a.partial_cmp(&b),
        (Value::Int(a), Value::Float(b)) => exact::compare_int_float(a, b),
        (Value::Float(a), Value::Int(b)) => exact::compare_int_float(b, a).map(Ordering::reverse),
        (Value::Big(_), Value::Int(_) | Value::Big(_)) | (Value::Int(_), Value::Big(_)) => {
            Some(bigint::compare(a, b))
        }
        (Value::Big(_), Value::Float(b)) => bigint::compare_float(a, b),
        (Value::Float(a), Value::Big(_)) => bigint::compare_float(b, a).map(Ordering::reverse),
        _ => return None,
    })
}

/// Whether an order is one that a comparison asks for.
fn fits(op: usize, ordering: Option<Ordering>) -> bool {
    let Some(ordering) = ordering else {
        return op == CMP_NE;
    };
    match op {
        CMP_LT => ordering.is_lt(),
        CMP_LE => ordering.is_le(),
        CMP_EQ => ordering.is_eq(),
        CMP_NE => ordering.is_ne(),
        CMP_GT => ordering.is_gt(),
        _ => ordering.is_ge(),
    }
}

fn sequences(
    world: Gc<World>,
    op: usize,
    a: impl Fn(usize) -> Option<Value>,
    b: impl Fn(usize) -> Option<Value>,
    depth: i64,
) -> Result<Value, Thrown> {
    let mut n = 0;
    loop {
        let (x, y) = match (a(n), b(n)) {
            (Some(x), Some(y)) => (x, y),
            (None, None) => return Ok(Value::Bool(fits(op, Some(Ordering::Equal)))),
            (None, _) => return Ok(Value::Bool(fits(op, Some(Ordering::Less)))),
            (_, None) => return Ok(Value::Bool(fits(op, Some(Ordering::Greater)))),
        };
        if !value::is(x, y) && !compare::equal(world, x, y, places::below(world, depth))? {
            return match op {
                CMP_EQ => Ok(Value::Bool(false)),
                CMP_NE => Ok(Value::Bool(true)),
                _ => compare::value(world, op, x, y, places::below(world, depth)),
            };
        }
        n += 1;
    }
}

/// It takes a function of the program to tell.
pub const UNKNOWN: i64 = 2;

/// Whether a comparison of tuples holds, 0 or 1, if that needs no function of the program;
/// [`UNKNOWN`] if it does.
#[readonly]
pub fn of_tuples(op: usize, a: Tuple, b: Tuple) -> i64 {
    let items = |n: usize| (n < a.len()).then(|| a[n].get());
    let others = |n: usize| (n < b.len()).then(|| b[n].get());
    of_sequences(op, items, others)
}

/// The same of lists.
#[readonly]
pub fn of_lists(op: usize, a: Gc<List<Value>>, b: Gc<List<Value>>) -> i64 {
    let items = |n: usize| (n < a.len()).then(|| a.at(n));
    let others = |n: usize| (n < b.len()).then(|| b.at(n));
    of_sequences(op, items, others)
}

/// Within how many tuples that are items of tuples items are compared without the program.
const MAX_NESTING: usize = 16;

/// Whether two items are equal, 0 or 1; 2 if it takes a function of the program, or more time, to
/// tell.
fn same(x: Value, y: Value, nesting: usize) -> u8 {
    if value::is(x, y) {
        return 1;
    }
    if let (Value::Tuple(a), Value::Tuple(b)) = (x, y)
        && nesting < MAX_NESTING
    {
        if a.len() != b.len() {
            return 0;
        }
        let items = |n: usize| same(a[n].get(), b[n].get(), nesting + 1);
        return (0..a.len())
            .map(items)
            .find(|&found| found != 1)
            .unwrap_or(1);
    }
    match is_atom(x) && is_atom(y) {
        true => dict::same(x, y),
        false => 2,
    }
}

/// Whether equality of a value with others of this kind is that of keys.
fn is_atom(value: Value) -> bool {
    matches!(
        value,
        Value::Int(_) | Value::Float(_) | Value::Str(_) | Value::Bool(_) | Value::None
    )
}

fn of_sequences(
    op: usize,
    a: impl Fn(usize) -> Option<Value>,
    b: impl Fn(usize) -> Option<Value>,
) -> i64 {
    let mut n = 0;
    loop {
        let ordering = match (a(n), b(n)) {
            (Some(x), Some(y)) => match same(x, y, 0) {
                0 if op == CMP_EQ => return 0,
                0 if op == CMP_NE => return 1,
                0 => match (x, y) {
                    (Value::Str(x), Value::Str(y)) => {
                        Some(x.data.as_bytes().cmp(y.data.as_bytes()))
                    }
                    _ => match numbers(x, y) {
                        Some(ordering) => ordering,
                        None => return UNKNOWN,
                    },
                },
                1 => {
                    n += 1;
                    continue;
                }
                _ => return UNKNOWN,
            },
            (None, None) => Some(Ordering::Equal),
            (None, _) => Some(Ordering::Less),
            (_, None) => Some(Ordering::Greater),
        };
        return i64::from(fits(op, ordering));
    }
}

fn sets(
    world: Gc<World>,
    op: usize,
    a: Gc<Dict>,
    b: Gc<Dict>,
    depth: i64,
) -> Result<Value, Thrown> {
    let (len_a, len_b) = (a.live.get(), b.live.get());
    let holds = match op {
        CMP_EQ => len_a == len_b && algebra::all_are(world, a, b, true, depth)?,
        CMP_NE => len_a != len_b || !algebra::all_are(world, a, b, true, depth)?,
        CMP_LE => len_a <= len_b && algebra::all_are(world, a, b, true, depth)?,
        CMP_LT => len_a < len_b && algebra::all_are(world, a, b, true, depth)?,
        CMP_GE => len_a >= len_b && algebra::all_are(world, b, a, true, depth)?,
        CMP_GT => len_a > len_b && algebra::all_are(world, b, a, true, depth)?,
        _ => false,
    };
    Ok(Value::Bool(holds))
}

/// Views of keys and items compare as sets.
fn views(world: Gc<World>, op: usize, x: Value, y: Value, depth: i64) -> Result<Value, Thrown> {
    let (a, b) = (
        crate::run::native::collect::set_of(world, x, depth)?,
        crate::run::native::collect::set_of(world, y, depth)?,
    );
    sets(world, op, a, b, depth)
}

fn dicts(world: Gc<World>, a: Gc<Dict>, b: Gc<Dict>, depth: i64) -> Result<bool, Thrown> {
    if a.live.get() != b.live.get() {
        return Ok(false);
    }
    for entry in plain::entries(a) {
        let (key, hash) = (a.keys.get()[entry].get(), a.hashes.get()[entry].get());
        let found = keys::find(world, b, key, hash, depth)?;
        if found < 0 {
            return Ok(false);
        }
        let (x, y) = (
            a.values.get()[entry].get(),
            b.values.get()[found as usize].get(),
        );
        if !value::is(x, y) && !compare::equal(world, x, y, places::below(world, depth))? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether a view of items has a pair.
///
/// # Errors
/// What comparing raises.
pub fn has_item(world: Gc<World>, dict: Gc<Dict>, item: Value, depth: i64) -> Result<bool, Thrown> {
    let Value::Tuple(pair) = item else {
        return Ok(false);
    };
    if pair.len() != 2 {
        return Ok(false);
    }
    match keys::get(world, dict, pair[0].get(), depth)? {
        Value::Unbound => Ok(false),
        found => contains::same_or_equal(world, found, pair[1].get(), depth),
    }
}
