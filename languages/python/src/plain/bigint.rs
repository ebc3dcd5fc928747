//! Integers that do not fit into 64 bits. In: integers of both kinds. Out: the smaller kind if it
//! fits. Invariant: a number that fits into 64 bits is never a [`Big`], so that equal integers are
//! of one kind.

use crate::bytecode::opcode::{
    OP_ADD, OP_AND, OP_DIV, OP_FLOOR_DIV, OP_MOD, OP_MUL, OP_OR, OP_POW, OP_SHL, OP_SHR, OP_SUB,
    OP_XOR,
};
use crate::heap::exception::Thrown;
use crate::heap::value::{Big, Value};
use crate::heap::world::{World, classes};
use crate::plain::fault;
use num_bigint::{BigInt, Sign};
use std::cmp::Ordering;
use verdigris::prelude::*;

/// How many bits a result may have.
const MAX_BITS: u64 = 1 << 33;

/// How many digits a text of an integer may have, as in CPython.
pub const MAX_DIGITS: usize = 4300;

/// The number of an integer.
pub fn number(value: Value) -> BigInt {
    match value {
        Value::Int(x) => BigInt::from(x),
        Value::Bool(x) => BigInt::from(u8::from(x)),
        Value::Big(big) => BigInt::from_signed_bytes_le(big.bytes.as_slice()),
        _ => unreachable!("the caller has looked"),
    }
}

/// The value of a number.
pub fn value(number: &BigInt) -> Value {
    match i64::try_from(number) {
        Ok(small) => Value::Int(small),
        Err(_) => Value::Big(Gc::new(Big {
            bytes: GcArray::from_slice(&number.to_signed_bytes_le()),
        })),
    }
}

/// The sum, difference or product of small integers.
pub fn of_small(op: usize, a: i64, b: i64) -> Value {
    let (a, b) = (BigInt::from(a), BigInt::from(b));
    value(&match op {
        OP_ADD => a + b,
        OP_SUB => a - b,
        _ => a * b,
    })
}

/// The integer of these bytes.
pub fn from_bytes(data: &[u8], little: bool, signed: bool) -> Value {
    value(&match (little, signed) {
        (true, true) => BigInt::from_signed_bytes_le(data),
        (false, true) => BigInt::from_signed_bytes_be(data),
        (true, false) => BigInt::from_bytes_le(Sign::Plus, data),
        (false, false) => BigInt::from_bytes_be(Sign::Plus, data),
    })
}

/// An integer as so many bytes; `None` if it does not fit.
pub fn to_bytes(x: Value, len: usize, little: bool, signed: bool) -> Option<Vec<u8>> {
    let number = number(x);
    let mut data = match signed {
        true => number.to_signed_bytes_le(),
        false => number.to_bytes_le().1,
    };
    let sign = if number.sign() == Sign::Minus {
        0xff
    } else {
        0
    };
    if number.sign() == Sign::NoSign {
        data.clear();
    }
    if data.len() > len {
        return None;
    }
    data.resize(len, sign);
    if !little {
        data.reverse();
    }
    Some(data)
}

/// `-x`
pub fn negated(x: Value) -> Value {
    value(&-number(x))
}

/// `~x`
pub fn inverted(x: Value) -> Value {
    value(&!number(x))
}

/// `x op y` of integers.
///
/// # Errors
/// A `ZeroDivisionError`, and what CPython says of shifts and powers.
pub fn binary(world: Gc<World>, op: usize, x: Value, y: Value) -> Result<Value, Thrown> {
    let (a, b) = (number(x), number(y));
    let is_zero = b.sign() == Sign::NoSign;
    Ok(value(&match op {
        OP_ADD => a + b,
        OP_SUB => a - b,
        OP_MUL => a * b,
        OP_DIV if is_zero => return Err(fault::simple(world, fault::DIVISION)),
        OP_DIV => return quotient(world, &a, &b),
        OP_FLOOR_DIV if is_zero => return Err(fault::simple(world, fault::MODULO)),
        OP_FLOOR_DIV => floor(&a, &b).0,
        OP_MOD if is_zero => {
            let message = "integer modulo by zero";
            return Err(fault::new(world, classes::ZERO_DIVISION_ERROR, message));
        }
        OP_MOD => floor(&a, &b).1,
        OP_POW => return power(world, &a, &b),
        OP_SHL | OP_SHR if b.sign() == Sign::Minus => {
            return Err(fault::simple(world, fault::NEGATIVE_SHIFT));
        }
        OP_SHL => {
            if a.sign() == Sign::NoSign {
                return Ok(Value::Int(0));
            }
            match u64::try_from(&b) {
                Ok(bits) if bits < MAX_BITS => a << bits,
                _ => return Err(too_large(world)),
            }
        }
        OP_SHR => match u64::try_from(&b) {
            Ok(bits) => a >> bits,
            Err(_) => BigInt::from(if a.sign() == Sign::Minus { -1 } else { 0 }),
        },
        OP_AND => a & b,
        OP_OR => a | b,
        OP_XOR => a ^ b,
        _ => return Err(fault::unsupported(world, op, false, x, y)),
    }))
}

fn too_large(world: Gc<World>) -> Thrown {
    fault::new(world, classes::MEMORY_ERROR, "")
}

fn power(world: Gc<World>, a: &BigInt, b: &BigInt) -> Result<Value, Thrown> {
    let exponent = match u32::try_from(b) {
        Ok(exponent) => exponent,
        // Only these have a power that can be stored.
        Err(_) if a.bits() <= 1 => u32::from(b.bit(0)) + 2,
        Err(_) => return Err(too_large(world)),
    };
    if a.bits().saturating_mul(u64::from(exponent)) > MAX_BITS {
        return Err(too_large(world));
    }
    Ok(value(&a.pow(exponent)))
}

/// The quotient that is not above the exact one, and the rest.
fn floor(a: &BigInt, b: &BigInt) -> (BigInt, BigInt) {
    let (quotient, rest) = (a / b, a % b);
    let zero = BigInt::ZERO;
    if rest != zero && (rest.sign() == Sign::Minus) != (b.sign() == Sign::Minus) {
        (quotient - 1, rest + b)
    } else {
        (quotient, rest)
    }
}

/// The float nearest to the quotient.
fn quotient(world: Gc<World>, a: &BigInt, b: &BigInt) -> Result<Value, Thrown> {
    // Rounding these bits once more changes nothing: there are at least 55, and one says whether
    // there was a rest.
    let shift = b.bits() as i64 - a.bits() as i64 + 66;
    let (a, b) = match shift > 0 {
        true => (a << shift as u64, b.clone()),
        false => (a.clone(), b << (-shift) as u64),
    };
    let (mut digits, rest) = (&a / &b, &a % &b);
    if rest != BigInt::ZERO {
        let is_negative = (a.sign() == Sign::Minus) != (b.sign() == Sign::Minus);
        digits = (digits << 1u32) + if is_negative { -1 } else { 1 };
    } else {
        digits <<= 1u32;
    }
    let scaled = scaled(&digits, -shift - 1);
    match scaled {
        Some(value) => Ok(Value::Float(value)),
        None => {
            let message = "integer division result too large for a float";
            Err(fault::new(world, classes::OVERFLOW_ERROR, message))
        }
    }
}

/// `digits * 2 ** exponent`, rounded once; `None` if it is too large.
fn scaled(digits: &BigInt, exponent: i64) -> Option<f64> {
    let bits = digits.bits() as i64;
    if bits == 0 {
        return Some(0.0);
    }
    let top = bits + exponent;
    if top > 1024 {
        return None;
    }
    // How many bits the result has: fewer if it is close to zero.
    let kept = if top < -1021 { 53 - (-1021 - top) } else { 53 };
    let negative = digits.sign() == Sign::Minus;
    let magnitude = digits.magnitude();
    if kept < 0 {
        return Some(if negative { -0.0 } else { 0.0 });
    }
    let drop = bits - kept;
    let mut mantissa = match drop > 0 {
        true => {
            let mut mantissa = u64::try_from(magnitude >> drop as u64).unwrap_or(0);
            let half = magnitude.bit(drop as u64 - 1);
            let rest = (0..drop as u64 - 1).any(|n| magnitude.bit(n));
            if half && (rest || mantissa & 1 == 1) {
                mantissa += 1;
            }
            mantissa as f64
        }
        false => u64::try_from(magnitude).unwrap_or(0) as f64,
    };
    let mut power = exponent + drop.max(0);
    // In steps that are exact.
    while power > 0 {
        let step = power.min(1000);
        mantissa *= 2f64.powi(step as i32);
        power -= step;
    }
    while power < 0 {
        let step = (-power).min(1000);
        mantissa /= 2f64.powi(step as i32);
        power += step;
    }
    if mantissa.is_infinite() {
        return None;
    }
    Some(if negative { -mantissa } else { mantissa })
}

fn float_of(number: &BigInt) -> Option<f64> {
    scaled(number, 0)
}

/// The float nearest to an integer; `None` if it is too large.
pub fn to_float(x: Value) -> Option<f64> {
    float_of(&number(x))
}

/// The integer of a float without its fraction.
pub fn of_float(x: f64) -> Value {
    if x.abs() < 9e18 {
        return Value::Int(x as i64);
    }
    let bits = x.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i64 - 1075;
    let mantissa = BigInt::from((bits & ((1 << 52) - 1)) | 1 << 52);
    let magnitude = mantissa << exponent.max(0) as u64;
    value(&if x < 0.0 { -magnitude } else { magnitude })
}

/// How two integers are ordered.
pub fn compare(x: Value, y: Value) -> Ordering {
    number(x).cmp(&number(y))
}

/// How an integer and a float are ordered.
pub fn compare_float(x: Value, y: f64) -> Option<Ordering> {
    if y.is_nan() {
        return None;
    }
    if y.is_infinite() {
        return Some(if y > 0.0 {
            Ordering::Less
        } else {
            Ordering::Greater
        });
    }
    match compare(x, of_float(y.trunc())) {
        Ordering::Equal => 0.0.partial_cmp(&y.fract()),
        other => Some(other),
    }
}

/// The digits of an integer in a base.
pub fn digits(x: Value, base: u32) -> String {
    number(x).to_str_radix(base)
}

/// The integer of digits in a base, if they are such.
pub fn parse(digits: &str, base: u32) -> Option<Value> {
    BigInt::parse_bytes(digits.as_bytes(), base).map(|number| value(&number))
}

/// Digits in another base as decimal ones.
pub fn decimal_of(digits: &str, base: u32) -> String {
    let number = BigInt::parse_bytes(digits.as_bytes(), base);
    number.map_or_else(|| digits.to_string(), |number| number.to_string())
}

/// How many bits the magnitude has.
pub fn bit_length(x: Value) -> i64 {
    number(x).bits() as i64
}

/// Whether the sign is negative.
pub fn is_negative(x: Value) -> bool {
    number(x).sign() == Sign::Minus
}

/// The hash of an integer: the rest of a division by 2^61 - 1.
pub fn hash(x: Value) -> i64 {
    let rest = number(x) % BigInt::from((1i64 << 61) - 1);
    match i64::try_from(rest).unwrap_or(0) {
        -1 => -2,
        hash => hash,
    }
}

/// The integer square root of what is not negative.
pub fn isqrt(x: Value) -> Value {
    value(&number(x).sqrt())
}

/// `x ** y % z`.
///
/// # Errors
/// A `ValueError` if there is no such number.
pub fn modular_power(world: Gc<World>, x: Value, y: Value, z: Value) -> Result<Value, Thrown> {
    let (a, b, c) = (number(x), number(y), number(z));
    if c.sign() == Sign::NoSign {
        return Err(fault::value_error(world, "pow() 3rd argument cannot be 0"));
    }
    let result = match b.sign() {
        Sign::Minus => match a.modinv(&c) {
            Some(inverse) => inverse.modpow(&-b, &c),
            None => {
                let message = "base is not invertible for the given modulus";
                return Err(fault::value_error(world, message));
            }
        },
        _ => a.modpow(&b, &c),
    };
    Ok(value(&result))
}
