//! Complex numbers. In: both parts, or values. Out: numbers, texts, hashes. Invariant: results are
//! CPython's to the last bit: division is R. L. Smith's ("Algorithm 116: Complex division", 1962),
//! small whole powers are multiplications, others go by the angle.

use crate::bytecode::opcode::{OP_ADD, OP_DIV, OP_MUL, OP_POW, OP_SUB};
use crate::heap::exception::{self, Thrown};
use crate::heap::hashing::{avoid, of_float};
use crate::heap::value::{Complex, Tuple, Value, complex, text};
use crate::heap::world::{World, classes};
use crate::plain::fault;
use crate::plain::number;
use crate::plain::spec::{Spec, digits};
use verdigris::prelude::*;

/// Both parts of a number.
pub type Parts = (f64, f64);

/// The commonest operators; `None` of others.
#[inline]
pub fn hot(op: usize, a: Gc<Complex>, b: Gc<Complex>) -> Option<Value> {
    match op {
        OP_ADD => Some(complex(a.re + b.re, a.im + b.im)),
        OP_SUB => Some(complex(a.re - b.re, a.im - b.im)),
        OP_MUL => Some(complex(
            a.re * b.re - a.im * b.im,
            a.re * b.im + a.im * b.re,
        )),
        _ => None,
    }
}

/// The same with a real number, which is taken for a complex one.
#[inline]
pub fn hot_real(op: usize, a: Gc<Complex>, b: f64) -> Option<Value> {
    match op {
        OP_ADD => Some(complex(a.re + b, a.im + 0.0)),
        OP_SUB => Some(complex(a.re - b, a.im - 0.0)),
        OP_MUL => Some(complex(a.re * b - a.im * 0.0, a.re * 0.0 + a.im * b)),
        _ => None,
    }
}

/// A number as a complex one; `None` of what is no number.
///
/// # Errors
/// An `OverflowError` if an integer is too large.
pub fn parts(world: Gc<World>, value: Value) -> Result<Option<Parts>, Thrown> {
    Ok(match value {
        Value::Complex(z) => Some((z.re, z.im)),
        Value::Int(_) | Value::Big(_) | Value::Float(_) | Value::Bool(_) => {
            Some((number::as_float(world, value)?, 0.0))
        }
        _ => None,
    })
}

/// `x op y` of which one is complex; `None` if there is no such operator, or none is complex.
///
/// # Errors
/// A `ZeroDivisionError`, or an `OverflowError`.
pub fn binary(world: Gc<World>, op: usize, x: Value, y: Value) -> Result<Option<Value>, Thrown> {
    if !matches!(x, Value::Complex(_)) && !matches!(y, Value::Complex(_)) {
        return Ok(None);
    }
    let (Some(a), Some(b)) = (parts(world, x)?, parts(world, y)?) else {
        return Ok(None);
    };
    Ok(Some(match op {
        OP_ADD => complex(a.0 + b.0, a.1 + b.1),
        OP_SUB => complex(a.0 - b.0, a.1 - b.1),
        OP_MUL => of(product(a, b)),
        OP_DIV => match quotient(a, b) {
            Some(z) => of(z),
            None => {
                let message = "complex division by zero";
                return Err(fault::new(world, classes::ZERO_DIVISION_ERROR, message));
            }
        },
        OP_POW => power(world, a, b)?,
        _ => return Ok(None),
    }))
}

fn of(z: Parts) -> Value {
    complex(z.0, z.1)
}

/// `a * b`
pub fn product(a: Parts, b: Parts) -> Parts {
    (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
}

/// `a / b`; `None` if `b` is zero.
pub fn quotient(a: Parts, b: Parts) -> Option<Parts> {
    if b.0.abs() >= b.1.abs() {
        if b.0 == 0.0 {
            return None;
        }
        let ratio = b.1 / b.0;
        let scale = b.0 + b.1 * ratio;
        return Some(((a.0 + a.1 * ratio) / scale, (a.1 - a.0 * ratio) / scale));
    }
    if b.1.abs() >= b.0.abs() {
        let ratio = b.0 / b.1;
        let scale = b.0 * ratio + b.1;
        return Some(((a.0 * ratio + a.1) / scale, (a.1 * ratio - a.0) / scale));
    }
    Some((f64::NAN, f64::NAN))
}

/// `a ** b`
///
/// # Errors
/// A `ZeroDivisionError`, or an `OverflowError`.
pub fn power(world: Gc<World>, a: Parts, b: Parts) -> Result<Value, Thrown> {
    let impossible = || {
        let message = "0.0 to a negative or complex power";
        fault::new(world, classes::ZERO_DIVISION_ERROR, message)
    };
    let is_small = b.1 == 0.0 && b.0 == b.0.floor() && b.0.abs() <= 100.0;
    let made = match is_small {
        true if b.0 > 0.0 => whole_power(a, b.0 as u32),
        true => {
            let inverse = whole_power(a, -b.0 as u32);
            quotient((1.0, 0.0), inverse).ok_or_else(impossible)?
        }
        false if a == (0.0, 0.0) => match b.1 != 0.0 || b.0 < 0.0 {
            true => return Err(impossible()),
            false => (0.0, 0.0),
        },
        false => {
            let size = a.0.hypot(a.1);
            let angle = a.1.atan2(a.0);
            let (mut len, mut phase) = (size.powf(b.0), angle * b.0);
            if b.1 != 0.0 {
                len *= (-angle * b.1).exp();
                phase += b.1 * size.ln();
            }
            (len * phase.cos(), len * phase.sin())
        }
    };
    if made.0.is_infinite() || made.1.is_infinite() {
        let message = "complex exponentiation";
        return Err(fault::new(world, classes::OVERFLOW_ERROR, message));
    }
    Ok(of(made))
}

/// `a ** b` of floats, which is complex if there is no such float.
///
/// # Errors
/// A `ZeroDivisionError`, or an `OverflowError`.
pub fn power_of_floats(world: Gc<World>, a: f64, b: f64) -> Result<Value, Thrown> {
    if a == 0.0 && b < 0.0 {
        return Err(fault::simple(world, fault::ZERO_POWER));
    }
    if a < 0.0 && a.is_finite() && b.is_finite() && b.fract() != 0.0 {
        return power(world, (a, 0.0), (b, 0.0));
    }
    let result = a.powf(b);
    if result.is_infinite() && a.is_finite() && b.is_finite() {
        let args = Tuple::new(2, Value::Int(34));
        args[1].set(text("Numerical result out of range"));
        let class = world.classes[classes::OVERFLOW_ERROR];
        return Err(exception::make(class, args));
    }
    Ok(Value::Float(result))
}

/// A power by squares.
fn whole_power(a: Parts, n: u32) -> Parts {
    let (mut made, mut square) = ((1.0, 0.0), a);
    let mut bit = 1;
    while bit <= n {
        if n & bit != 0 {
            made = product(made, square);
        }
        bit <<= 1;
        square = product(square, square);
    }
    made
}

/// Whether two numbers of which one is complex are equal; `None` if they are not such.
pub fn equal(a: Value, b: Value) -> Option<bool> {
    let (z, other) = match (a, b) {
        (Value::Complex(a), Value::Complex(b)) => return Some(a.re == b.re && a.im == b.im),
        (Value::Complex(z), other) | (other, Value::Complex(z)) => (z, other),
        _ => return None,
    };
    let same = match other {
        Value::Int(x) => crate::heap::exact::int_equals_float(x, z.re),
        Value::Float(x) => x == z.re,
        Value::Big(_) => {
            crate::plain::bigint::compare_float(other, z.re).is_some_and(|o| o.is_eq())
        }
        _ => return None,
    };
    Some(same && z.im == 0.0)
}

/// The hash of a number.
pub fn hash(z: Gc<Complex>) -> i64 {
    avoid(of_float(z.re).wrapping_add(of_float(z.im).wrapping_mul(1_000_003)))
}

/// Whether only the imaginary part is shown.
fn is_imaginary(z: Parts) -> bool {
    z.0 == 0.0 && z.0.is_sign_positive()
}

/// A part as `repr` shows it.
fn part(x: f64) -> String {
    let shown = number::float_text(x);
    shown
        .strip_suffix(".0")
        .map_or(shown.clone(), str::to_string)
}

fn is_negative(x: f64) -> bool {
    x.is_sign_negative() && !x.is_nan()
}

/// A number as it is written.
pub fn repr(z: Parts) -> String {
    if is_imaginary(z) {
        return format!("{}j", part(z.1));
    }
    let plus = if is_negative(z.1) { "" } else { "+" };
    format!("({}{plus}{}j)", part(z.0), part(z.1))
}

/// A number formatted.
///
/// # Errors
/// What the specification has that is not for complex numbers.
pub fn format(z: Parts, spec: &Spec) -> Result<String, String> {
    if spec.fill == '0' && spec.align == Some('=') {
        return Err("Zero padding is not allowed in complex format specifier".to_string());
    }
    if spec.align == Some('=') {
        return Err("'=' alignment flag is not allowed in complex format specifier".to_string());
    }
    let kind = match spec.kind {
        Some('n') => Some('g'),
        Some(kind) if !"eEfFgG".contains(kind) => {
            return Err(format!(
                "Unknown format code '{kind}' for object of type 'complex'"
            ));
        }
        kind => kind,
    };
    let one = |x: f64, sign: char| -> Result<String, String> {
        let own = Spec {
            width: 0,
            sign,
            kind,
            align: None,
            ..spec.clone()
        };
        let shown = match (kind, spec.precision) {
            (None, None) => part(x),
            (None, Some(precision)) => {
                digits('g', x.abs(), precision, spec.alternate).unwrap_or_default()
            }
            _ => String::new(),
        };
        let own = Spec {
            precision: kind.and(own.precision),
            ..own
        };
        own.float(x, &shown)
    };
    let body = match (kind, is_imaginary(z)) {
        (None, true) => format!("{}j", one(z.1, spec.sign)?),
        (None, false) => format!("({}{}j)", one(z.0, spec.sign)?, one(z.1, '+')?),
        _ => format!("{}{}j", one(z.0, spec.sign)?, one(z.1, '+')?),
    };
    let outer = Spec {
        precision: None,
        kind: None,
        sign: '-',
        alternate: false,
        ..spec.clone()
    };
    let outer = Spec {
        grouping: None,
        align: spec.align.or(Some('>')),
        ..outer
    };
    outer.text(&body)
}

/// The number that a text says.
pub fn parse(text: &str) -> Option<Parts> {
    let text = text.trim();
    let inner = text
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'));
    let text = inner.unwrap_or(text).trim();
    if text
        .split('_')
        .skip(1)
        .any(|part| !part.starts_with(|c: char| c.is_ascii_digit()))
    {
        return None;
    }
    let text = text.replace('_', "").to_ascii_lowercase();
    let Some(body) = text.strip_suffix('j') else {
        return Some((float(&text)?, 0.0));
    };
    // The sign between both parts is the last one that is not the sign of an exponent.
    let bytes = body.as_bytes();
    let split = (1..bytes.len())
        .rev()
        .find(|&n| matches!(bytes[n], b'+' | b'-') && bytes[n - 1] != b'e');
    let (re, im) = body.split_at(split.unwrap_or(0));
    let re = if re.is_empty() { 0.0 } else { float(re)? };
    let im = match im {
        "" | "+" => 1.0,
        "-" => -1.0,
        _ => float(im)?,
    };
    Some((re, im))
}

fn float(text: &str) -> Option<f64> {
    let body = text.strip_prefix(['+', '-']).unwrap_or(text);
    let starts_well = body.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    match starts_well || matches!(body, "inf" | "infinity" | "nan") {
        true => text.parse().ok(),
        false => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{parse, quotient, repr};

    #[test]
    fn numbers_are_written_and_read() {
        for text in ["1j", "(1+2j)", "(-0-1j)", "(1e+16-2.5j)", "(nan+infj)"] {
            assert_eq!(repr(parse(text).expect("it is one")), text);
        }
        assert_eq!(parse("1e3-j"), Some((1000.0, -1.0)));
        assert_eq!(parse("1 + 2j"), None);
    }

    #[test]
    fn division_scales() {
        assert_eq!(quotient((1e300, 1e300), (1e300, 1e300)), Some((1.0, 0.0)));
        assert_eq!(quotient((1.0, 0.0), (0.0, 0.0)), None);
    }
}
