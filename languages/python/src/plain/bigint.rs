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
use crate::plain::{fault, words};
use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
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
        Value::Big(big) => BigInt::from_biguint(sign(big.negative), magnitude(big)),
        _ => unreachable!("the caller has looked"),
    }
}

fn sign(negative: bool) -> Sign {
    match negative {
        true => Sign::Minus,
        false => Sign::Plus,
    }
}

/// The magnitude, which the crate takes in halves of words.
fn magnitude(big: Gc<Big>) -> BigUint {
    let words = big.words.as_slice();
    let halves = words
        .iter()
        .flat_map(|&word| [word as u32, (word >> 32) as u32]);
    BigUint::new(halves.collect())
}

/// An integer as it lies, for arithmetic that need not copy it.
struct Operand {
    negative: bool,
    word: [u64; 1],
    big: Option<Gc<Big>>,
}

impl Operand {
    fn new(value: Value) -> Operand {
        let (negative, word, big) = match value {
            Value::Big(big) => (big.negative, 0, Some(big)),
            Value::Int(x) => (x < 0, x.unsigned_abs(), None),
            Value::Bool(x) => (false, u64::from(x), None),
            _ => unreachable!("the caller has looked"),
        };
        let word = [word];
        Operand {
            negative,
            word,
            big,
        }
    }

    fn words(&self) -> &[u64] {
        match &self.big {
            Some(big) => big.words.as_slice(),
            None if self.word == [0] => &[],
            None => &self.word,
        }
    }
}

/// The value of a sign and a magnitude without zeros at its upper end.
fn signed(negative: bool, words: &[u64]) -> Value {
    match *words {
        [] => Value::Int(0),
        [word] if !negative && word <= i64::MAX as u64 => Value::Int(word as i64),
        [word] if negative && word <= 1 << 63 => Value::Int((word as i64).wrapping_neg()),
        _ => Value::Big(Gc::new(Big {
            negative,
            words: GcArray::from_slice(words),
        })),
    }
}

/// `x + y`, or `x - y` if the second sign is the other one.
fn sum(x: &Operand, y: &Operand, minus: bool) -> Value {
    let (a, b) = (x.words(), y.words());
    let negative = y.negative != minus;
    if x.negative == negative {
        return signed(negative, &words::sum(a, b));
    }
    match words::compare(a, b) {
        Ordering::Less => signed(negative, &words::difference(b, a)),
        _ => signed(x.negative, &words::difference(a, b)),
    }
}

/// The sum, difference or product, if that is what is wanted and these are not too long for it.
fn simple(op: usize, x: Value, y: Value) -> Option<Value> {
    let (x, y) = (Operand::new(x), Operand::new(y));
    match op {
        OP_ADD => Some(sum(&x, &y, false)),
        OP_SUB => Some(sum(&x, &y, true)),
        OP_MUL => {
            let words = words::product(x.words(), y.words())?;
            Some(signed(x.negative != y.negative, &words))
        }
        _ => None,
    }
}

/// The value of a number.
pub fn value(number: &BigInt) -> Value {
    let words: Vec<u64> = number.iter_u64_digits().collect();
    signed(number.sign() == Sign::Minus, &words)
}

/// The sum, difference or product of small integers.
pub fn of_small(op: usize, a: i64, b: i64) -> Value {
    simple(op, Value::Int(a), Value::Int(b)).expect("words are short")
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
    let x = Operand::new(x);
    signed(!x.negative, x.words())
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
    if let Some(result) = simple(op, x, y) {
        return Ok(result);
    }
    let (a, b) = (number(x), number(y));
    let is_zero = b.sign() == Sign::NoSign;
    Ok(value(&match op {
        OP_MUL => a * b,
        OP_DIV if is_zero => return Err(fault::simple(world, fault::DIVISION)),
        OP_DIV => return quotient(world, &a, &b),
        OP_FLOOR_DIV if is_zero => return Err(fault::simple(world, fault::MODULO)),
        OP_FLOOR_DIV => a.div_floor(&b),
        OP_MOD if is_zero => {
            let message = "integer modulo by zero";
            return Err(fault::new(world, classes::ZERO_DIVISION_ERROR, message));
        }
        OP_MOD => a.mod_floor(&b),
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

/// The float nearest to the quotient.
fn quotient(world: Gc<World>, a: &BigInt, b: &BigInt) -> Result<Value, Thrown> {
    // Rounding these bits once more changes nothing: there are at least 55, and one says whether
    // there was a rest.
    let shift = b.bits() as i64 - a.bits() as i64 + 66;
    let (a, b) = match shift > 0 {
        true => (a << shift as u64, b.clone()),
        false => (a.clone(), b << (-shift) as u64),
    };
    let (mut digits, rest) = a.div_rem(&b);
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
    let (x, y) = (Operand::new(x), Operand::new(y));
    match (x.negative, y.negative) {
        (false, true) => Ordering::Greater,
        (true, false) => Ordering::Less,
        (false, false) => words::compare(x.words(), y.words()),
        (true, true) => words::compare(y.words(), x.words()),
    }
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
    if let Value::Int(x) = x {
        let sign = if x < 0 { "-" } else { "" };
        match base {
            10 => return x.to_string(),
            16 => return format!("{sign}{:x}", x.unsigned_abs()),
            2 => return format!("{sign}{:b}", x.unsigned_abs()),
            _ => {}
        }
    }
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
