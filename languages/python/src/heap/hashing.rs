//! Hashes that need no function of the program. In: values. Out: numbers that are equal for equal
//! values. Invariant: those of numbers are CPython's; those of strings and objects differ from its,
//! and from run to run there as well.

use crate::heap::value::Value;
use verdigris::{Str, identity_hash, prelude::*};

/// The prime that numbers are hashed by.
const PRIME: i64 = (1 << 61) - 1;

/// The hash of a text.
#[inline]
pub fn of_text(text: Gc<Str>) -> i64 {
    avoid(text.hash() as i64)
}

/// -1 is no hash.
#[inline(always)]
pub fn avoid(hash: i64) -> i64 {
    if hash == -1 { -2 } else { hash }
}

/// The hash of an integer.
#[inline]
pub fn of_int(x: i64) -> i64 {
    if -PRIME < x && x < PRIME {
        return avoid(x);
    }
    avoid(x % PRIME)
}

/// The hash of a float.
#[elidable]
pub fn of_float(x: f64) -> i64 {
    if x.is_infinite() {
        return if x > 0.0 { 314_159 } else { -314_159 };
    }
    if x.is_nan() {
        return 0;
    }
    // The mantissa in pieces of 28 bits, each of which turns the hash.
    let (mut mantissa, mut exponent) = mantissa_and_exponent(x.abs());
    let mut hash: u64 = 0;
    while mantissa != 0.0 {
        hash = ((hash << 28) & PRIME as u64) | hash >> (61 - 28);
        mantissa *= 268_435_456.0;
        exponent -= 28;
        let piece = mantissa.trunc();
        mantissa -= piece;
        hash += piece as u64;
        if hash >= PRIME as u64 {
            hash -= PRIME as u64;
        }
    }
    let turn = exponent.rem_euclid(61) as u32;
    hash = ((hash << turn) & PRIME as u64) | hash >> (61 - turn);
    avoid(if x < 0.0 { -(hash as i64) } else { hash as i64 })
}

/// A number between 1/2 and 1, and the power of 2 by which it is to be multiplied.
pub fn mantissa_and_exponent(x: f64) -> (f64, i32) {
    if x == 0.0 || !x.is_finite() {
        return (x, 0);
    }
    let bits = x.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i32;
    if exponent == 0 {
        let (mantissa, exponent) = mantissa_and_exponent(x * 2f64.powi(64));
        return (mantissa, exponent - 64);
    }
    let mantissa = f64::from_bits(bits & !(0x7ff << 52) | 1022 << 52);
    (mantissa, exponent - 1022)
}

/// The hash of a value that needs no function of the program, of the commonest kinds; `None` of
/// others.
#[inline]
pub fn simple(value: Value) -> Option<i64> {
    match value {
        Value::Int(x) => Some(of_int(x)),
        Value::Str(text) => Some(of_text(text.data)),
        Value::Bool(x) => Some(x as i64),
        Value::Float(x) => Some(of_float(x)),
        Value::Bytes(bytes) => Some(avoid(bytes.hash() as i64)),
        _ => None,
    }
}

/// The hash of an object by its identity.
#[opaque]
pub fn of_object(value: Value) -> i64 {
    let hash = match value {
        Value::Instance(x) => identity_hash(x),
        Value::Function(x) => identity_hash(x),
        Value::Native(x) => identity_hash(x),
        Value::Class(x) => identity_hash(x),
        Value::Module(x) => identity_hash(x),
        Value::Generator(x) | Value::Coroutine(x) | Value::AsyncGenerator(x) => identity_hash(x),
        Value::Accessor(x) => identity_hash(x),
        Value::Iter(x) => identity_hash(x),
        Value::Traceback(x) => identity_hash(x),
        Value::Super(x) => identity_hash(x),
        Value::List(x) => identity_hash(x),
        Value::Bytes(x) => identity_hash(x),
        Value::ByteArray(x) => identity_hash(x),
        Value::Complex(x) => identity_hash(x),
        Value::Code(x) => identity_hash(x),
        Value::Frame(x) => identity_hash(x),
        Value::Weak(x) => identity_hash(x),
        Value::Cell(x) => identity_hash(x),
        Value::Dict(x) | Value::Set(x) => identity_hash(x),
        Value::None => 0x5EED,
        Value::NotImplemented => 0x5EEE,
        _ => 0x5EEF,
    };
    avoid((hash >> 4) as i64)
}
