//! Functions and methods of numbers. In: arguments. Out: results.

use super::collect;
use super::given::Given;
use super::names::*;
use super::new_bytes;
use crate::bytecode::opcode::{OP_MOD, OP_POW, OP_SHL};
use crate::heap::class::{self, Class};
use crate::heap::exception::Thrown;
use crate::heap::hashing::mantissa_and_exponent;
use crate::heap::instance;
use crate::heap::value::{Value, complex, pair, text};
use crate::heap::world::{class_of, classes, intern, names, type_name};
use crate::plain::bigint;
use crate::plain::fault;
use crate::plain::float_hex;
use crate::plain::number;
use crate::run::call;
use crate::run::operators::arith;
use verdigris::prelude::*;

type Outcome = Result<Value, Thrown>;

/// Calls a method of an integer or a float.
///
/// # Errors
/// What it raises.
pub fn call(given: Given) -> Outcome {
    if matches!(given.id, INT_TO_BYTES | INT_FROM_BYTES) {
        return new_bytes::of_integer(given);
    }
    given.check_keywords(&[])?;
    let a = number::without_bool(given.at(0));
    match (given.id, a) {
        (INT_BIT_LENGTH, Value::Int(_) | Value::Big(_)) => Ok(Value::Int(bigint::bit_length(a))),
        (INT_BIT_COUNT, Value::Int(x)) => Ok(Value::Int(i64::from(x.unsigned_abs().count_ones()))),
        (INT_BIT_COUNT, Value::Big(_)) => {
            let ones = bigint::digits(a, 2).matches('1').count();
            Ok(Value::Int(ones as i64))
        }
        (INT_CONJUGATE, Value::Int(_) | Value::Big(_)) => Ok(a),
        (FLOAT_CONJUGATE, Value::Float(_)) => Ok(a),
        (FLOAT_IS_INTEGER, Value::Float(x)) => Ok(Value::Bool(x.is_finite() && x.fract() == 0.0)),
        (FLOAT_HEX, Value::Float(x)) => Ok(text(&float_hex::show(x))),
        (FLOAT_FROMHEX, Value::Class(class)) => from_hex(given, class),
        (INT_AS_INTEGER_RATIO, Value::Int(_) | Value::Big(_)) => Ok(pair(a, Value::Int(1))),
        (FLOAT_AS_INTEGER_RATIO, Value::Float(x)) => ratio(given, x),
        (COMPLEX_CONJUGATE, Value::Complex(z)) => Ok(complex(z.re, -z.im)),
        (COMPLEX_COMPLEX, Value::Complex(_)) => Ok(a),
        _ => Err(given.wrong_object()),
    }
}

/// `float.fromhex(text)`
fn from_hex(given: Given, class: Gc<Class>) -> Outcome {
    let Value::Str(written) = given.at(1) else {
        return Err(given.type_error("bad argument type for built-in operation"));
    };
    match float_hex::parse(written.as_str()) {
        Ok(x) => super::bytes::instance_of(given, class, Value::Float(x)),
        Err(float_hex::Wrong::Malformed) => {
            Err(given.value_error("invalid hexadecimal floating-point string"))
        }
        Err(float_hex::Wrong::Large) => {
            let message = "hexadecimal value too large to represent as a float";
            Err(fault::new(given.world, classes::OVERFLOW_ERROR, message))
        }
    }
}

/// A float as a fraction of integers.
fn ratio(given: Given, x: f64) -> Outcome {
    let (world, depth) = (given.world, given.depth);
    if x.is_nan() {
        return Err(given.value_error("cannot convert NaN to integer ratio"));
    }
    if x.is_infinite() {
        let message = "cannot convert Infinity to integer ratio";
        return Err(fault::new(world, classes::OVERFLOW_ERROR, message));
    }
    let (mut mantissa, mut exponent) = mantissa_and_exponent(x);
    while mantissa.fract() != 0.0 {
        (mantissa, exponent) = (mantissa * 2.0, exponent - 1);
    }
    let whole = bigint::of_float(mantissa);
    let shifted =
        |x, bits: i32| arith::binary(world, OP_SHL, x, Value::Int(i64::from(bits)), depth);
    match exponent {
        0.. => Ok(pair(shifted(whole, exponent)?, Value::Int(1))),
        _ => Ok(pair(whole, shifted(Value::Int(1), -exponent)?)),
    }
}

/// `abs(value)`
///
/// # Errors
/// A `TypeError` if it is no number.
pub fn absolute(given: Given, a: Value) -> Outcome {
    let world = given.world;
    match number::without_bool(a) {
        value @ (Value::Int(_) | Value::Big(_)) => match bigint::is_negative(value) {
            true => Ok(bigint::negated(value)),
            false => Ok(value),
        },
        Value::Float(x) => Ok(Value::Float(x.abs())),
        Value::Complex(z) => match z.re.hypot(z.im) {
            size if size.is_infinite() && z.re.is_finite() && z.im.is_finite() => {
                let message = "absolute value too large";
                Err(fault::new(world, classes::OVERFLOW_ERROR, message))
            }
            size => Ok(Value::Float(size)),
        },
        _ => {
            let found = class::lookup(class_of(world, a), world.names[names::ABS]);
            if found.is_unbound() {
                let name = type_name(world, a);
                return Err(given.type_error(&format!("bad operand type for abs(): '{name}'")));
            }
            call::method(world, found, a, call::nothing(), given.depth)
        }
    }
}

/// `divmod(a, b)`
///
/// # Errors
/// What dividing raises.
pub fn divmod(given: Given) -> Outcome {
    let (world, depth) = (given.world, given.depth);
    let (mut a, mut b) = (given.at(0), given.at(1));
    if class::lookup(class_of(world, a), world.names[names::DIVMOD]).is_unbound() {
        (a, b) = (instance::plain(a), instance::plain(b));
    }
    let is_number = |v| {
        matches!(
            v,
            Value::Int(_) | Value::Big(_) | Value::Float(_) | Value::Bool(_)
        )
    };
    if !is_number(a) || !is_number(b) {
        let found = class::lookup(class_of(world, a), world.names[names::DIVMOD]);
        let reflected = class::lookup(class_of(world, b), intern(world, "__rdivmod__"));
        for (found, own, other) in [(found, a, b), (reflected, b, a)] {
            if !found.is_unbound() {
                let made = call::method(world, found, own, call::one(other), depth)?;
                if !made.is_not_implemented() {
                    return Ok(made);
                }
            }
        }
        let (left, right) = (type_name(world, a), type_name(world, b));
        let message = format!("unsupported operand type(s) for divmod(): '{left}' and '{right}'");
        return Err(given.type_error(&message));
    }
    let is_float = matches!(a, Value::Float(_)) || matches!(b, Value::Float(_));
    if is_float {
        let (x, y) = (number::as_float(world, a)?, number::as_float(world, b)?);
        if y == 0.0 {
            let message = "float divmod()";
            return Err(fault::new(world, classes::ZERO_DIVISION_ERROR, message));
        }
        let (floor, rest) = number::floor_and_rest(x, y);
        return Ok(pair(Value::Float(floor), Value::Float(rest)));
    }
    let quotient = arith::floor_div(world, a, b, depth)?;
    Ok(pair(quotient, arith::modulo(world, a, b, depth)?))
}

/// `pow(a, b, c)`
///
/// # Errors
/// What that raises.
pub fn power(given: Given) -> Outcome {
    given.check_keywords(&["base", "exp", "mod"])?;
    let (world, depth) = (given.world, given.depth);
    let (a, b) = (given.named(0, "base"), given.named(1, "exp"));
    let result = || arith::binary(world, OP_POW, a, b, depth);
    match given.named(2, "mod") {
        Value::Unbound | Value::None => result(),
        c => {
            let all = [a, b, c].map(number::without_bool);
            if all
                .iter()
                .all(|v| matches!(v, Value::Int(_) | Value::Big(_)))
            {
                let made = bigint::modular_power(world, all[0], all[1], all[2])?;
                // The sign is that of the modulus.
                return arith::binary(world, OP_MOD, made, c, depth);
            }
            let found = class::lookup(class_of(world, a), world.names[names::POW]);
            if let Value::Function(_) = found {
                let made = call::method(world, found, a, call::two(b, c), depth)?;
                if !made.is_not_implemented() {
                    return Ok(made);
                }
            }
            if all.iter().any(|v| matches!(v, Value::Complex(_))) {
                return Err(given.value_error("complex modulo"));
            }
            let message = "pow() 3rd argument not allowed unless all arguments are integers";
            Err(given.type_error(message))
        }
    }
}

/// `round(value, digits)`
///
/// # Errors
/// What that raises.
pub fn round(given: Given) -> Outcome {
    given.check_keywords(&["number", "ndigits"])?;
    let (world, depth) = (given.world, given.depth);
    let (a, digits) = (given.named(0, "number"), given.named(1, "ndigits"));
    let own = class::lookup(class_of(world, a), world.names[names::ROUND]);
    let a = if own.is_unbound() {
        instance::plain(a)
    } else {
        a
    };
    let digits = match digits {
        Value::Unbound | Value::None => None,
        digits => Some(given.int(digits)?),
    };
    match (number::without_bool(a), digits) {
        (Value::Float(x), None) => {
            if !x.is_finite() {
                let what = if x.is_nan() {
                    "float NaN"
                } else {
                    "float infinity"
                };
                let message = format!("cannot convert {what} to integer");
                return Err(match x.is_nan() {
                    true => given.value_error(&message),
                    false => fault::new(world, classes::OVERFLOW_ERROR, &message),
                });
            }
            Ok(bigint::of_float(x.round_ties_even()))
        }
        (Value::Float(x), Some(digits)) => Ok(Value::Float(rounded(x, digits))),
        (value @ (Value::Int(_) | Value::Big(_)), None | Some(0..)) => Ok(value),
        (value @ (Value::Int(_) | Value::Big(_)), Some(digits)) => {
            let unit = arith::binary(world, OP_POW, Value::Int(10), Value::Int(-digits), depth)?;
            let half = arith::floor_div(world, unit, Value::Int(2), depth)?;
            let rest = arith::modulo(world, value, unit, depth)?;
            let down = arith::sub(world, value, rest, depth)?;
            let ordering = bigint::compare(rest, half);
            let is_odd = || -> Result<bool, Thrown> {
                let number = arith::floor_div(world, down, unit, depth)?;
                let odd = arith::modulo(world, number, Value::Int(2), depth)?;
                Ok(collect::sign(odd) != 0)
            };
            match ordering.is_gt() || ordering.is_eq() && is_odd()? {
                true => arith::add(world, down, unit, depth),
                false => Ok(down),
            }
        }
        _ => {
            let found = class::lookup(class_of(world, a), world.names[names::ROUND]);
            if found.is_unbound() {
                let name = type_name(world, a);
                let message = format!("type {name} doesn't define __round__ method");
                return Err(given.type_error(&message));
            }
            let args = match digits {
                None => call::nothing(),
                Some(digits) => call::one(Value::Int(digits)),
            };
            call::method(world, found, a, args, depth)
        }
    }
}

/// A float rounded to so many decimal digits: its exact value to the nearest, ties to even.
fn rounded(x: f64, digits: i64) -> f64 {
    if !x.is_finite() || digits > 323 {
        return x;
    }
    if digits < -308 {
        return 0.0 * x;
    }
    if digits >= 0 {
        let text = format!("{x:.*}", digits as usize);
        return text.parse().unwrap_or(x);
    }
    let unit = 10f64.powi(-digits as i32);
    (x / unit).round_ties_even() * unit
}

/// `hex(value)` and the like.
///
/// # Errors
/// A `TypeError` if it is no integer.
pub fn in_base(given: Given, base: u32, prefix: &str) -> Outcome {
    let value = collect::index(given.world, given.at(0), given.depth)?;
    let digits = bigint::digits(value, base);
    let made = match digits.strip_prefix('-') {
        Some(digits) => format!("-{prefix}{digits}"),
        None => format!("{prefix}{digits}"),
    };
    Ok(text(&made))
}
