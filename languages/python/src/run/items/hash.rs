//! Hashes as a program sees them. In: values. Out: numbers that are equal for equal values.
//! Invariant: what has no hash is a `TypeError`; those of tuples are CPython's.

use crate::heap::class;
use crate::heap::dict::{self, Dict};
use crate::heap::exception::Thrown;
use crate::heap::hashing::{avoid, of_float, of_int, of_object, of_text, simple};
use crate::heap::places;
use crate::heap::value::{Tuple, Value};
use crate::heap::world::{World, class_of, names};
use crate::plain::bigint;
use crate::plain::complex;
use crate::plain::fault;
use crate::run::call;
use verdigris::{prelude::*, readonly};

/// The hash of a value.
///
/// # Errors
/// A `TypeError` if it has none.
#[inline]
pub fn of(world: Gc<World>, value: Value, depth: i64) -> Result<i64, Thrown> {
    match value {
        Value::Int(x) => Ok(of_int(x)),
        Value::Str(text) => Ok(of_text(text.data)),
        Value::Bool(x) => Ok(x as i64),
        Value::Float(x) => Ok(of_float(x)),
        Value::Bytes(bytes) => Ok(avoid(bytes.hash() as i64)),
        Value::Instance(_) => {
            let found = class::lookup(class_of(world, value), world.names[names::HASH]);
            match found {
                Value::Unbound => Ok(of_object(value)),
                Value::None => Err(fault::about(world, fault::UNHASHABLE, value)),
                _ => match call::method(world, found, value, call::nothing(), depth)? {
                    Value::Int(x) => Ok(avoid(x)),
                    other => of_returned(world, other),
                },
            }
        }
        Value::Tuple(tuple) => match of_simple_tuple(tuple) {
            NO_HASH => of_tuple(world, tuple, depth),
            hash => Ok(hash),
        },
        _ => of_other(world, value),
    }
}

#[opaque]
fn of_returned(world: Gc<World>, value: Value) -> Result<i64, Thrown> {
    match value {
        Value::Big(_) => Ok(bigint::hash(value)),
        Value::Bool(x) => Ok(i64::from(x)),
        _ => {
            let message = "__hash__ method should return an integer";
            Err(fault::type_error(world, message))
        }
    }
}

#[opaque]
fn of_other(world: Gc<World>, value: Value) -> Result<i64, Thrown> {
    match value {
        Value::List(_) | Value::Dict(_) | Value::Set(_) | Value::Slice(_) | Value::View(_) => {
            Err(fault::about(world, fault::UNHASHABLE, value))
        }
        Value::ByteArray(_) => Err(fault::about(world, fault::UNHASHABLE, value)),
        Value::Complex(z) => Ok(complex::hash(z)),
        Value::Big(_) => Ok(bigint::hash(value)),
        Value::FrozenSet(set) => Ok(of_set(set)),
        Value::Method(method) => {
            let (a, b) = (of_object(method.function), of_object(method.object));
            Ok(avoid(a ^ b))
        }
        Value::Range(range) => {
            let len = crate::run::items::iterate::range_len(range);
            Ok(avoid(len ^ range.start.wrapping_mul(31) ^ range.step))
        }
        _ => Ok(of_object(value)),
    }
}

fn of_set(set: Gc<Dict>) -> i64 {
    let mut hash: u64 = 1_927_868_237;
    let mut entry = dict::next(set, 0);
    while entry < set.used.get() {
        let own = set.hashes.get()[entry].get() as u64;
        hash ^= (own ^ 89_869_747 ^ (own << 16)).wrapping_mul(3_644_798_167);
        entry = dict::next(set, entry + 1);
    }
    avoid(hash as i64)
}

/// No value has this hash.
const NO_HASH: i64 = -1;

/// The hash of a tuple: xxHash of those of its items.
#[opaque]
fn of_tuple(world: Gc<World>, tuple: Tuple, depth: i64) -> Result<i64, Thrown> {
    let mut all = FIFTH;
    for n in 0..tuple.len() {
        all = with_item(all, of(world, tuple[n].get(), places::below(world, depth))?);
    }
    Ok(complete(all, tuple.len()))
}

/// The same of a tuple whose items need no function of the program; [`NO_HASH`] of others.
#[readonly]
fn of_simple_tuple(tuple: Tuple) -> i64 {
    let mut all = FIFTH;
    for n in 0..tuple.len() {
        match simple(tuple[n].get()) {
            Some(hash) => all = with_item(all, hash),
            None => return NO_HASH,
        }
    }
    complete(all, tuple.len())
}

const FIRST: u64 = 11_400_714_785_074_694_791;
const SECOND: u64 = 14_029_467_366_897_019_727;
const FIFTH: u64 = 2_870_177_450_012_600_261;

fn with_item(all: u64, hash: i64) -> u64 {
    let all = all.wrapping_add((hash as u64).wrapping_mul(SECOND));
    all.rotate_left(31).wrapping_mul(FIRST)
}

fn complete(all: u64, len: usize) -> i64 {
    match all.wrapping_add(len as u64 ^ (FIFTH ^ 3_527_539)) as i64 {
        NO_HASH => 1_546_275_796,
        hash => hash,
    }
}
