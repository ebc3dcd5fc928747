//! Numbers. In: integers and floats. Out: numbers, comparisons, texts. Invariant: results are those
//! of CPython to the last bit, and a float is shown with the fewest digits that read as the same.

use crate::bytecode::opcode::{OP_ADD, OP_DIV, OP_FLOOR_DIV, OP_MOD, OP_MUL, OP_SUB};
use crate::heap::exception::Thrown;
use crate::heap::value::{Text, Value};
use crate::heap::world::{World, classes};
use crate::plain::bigint;
use crate::plain::fault;
use verdigris::{Str, prelude::*};

/// The result of an operation on integers that does not fit into 64 bits.
#[opaque]
pub fn big(op: usize, a: i64, b: i64) -> Value {
    bigint::of_small(op, a, b)
}

/// `-x` of an integer.
#[opaque]
pub fn negated(x: Value) -> Value {
    bigint::negated(x)
}

/// `~x` of an integer.
#[opaque]
pub fn inverted(x: Value) -> Value {
    bigint::inverted(x)
}

/// The number of at most 18 ASCII digits; negative if the text is another.
#[elidable]
pub fn of_digits(text: Gc<Text>) -> i64 {
    let digits = text.data.as_bytes();
    if digits.is_empty() || digits.len() > 18 || !digits.iter().all(u8::is_ascii_digit) {
        return -1;
    }
    let next = |number: i64, &digit: &u8| number * 10 + i64::from(digit - b'0');
    digits.iter().fold(0, next)
}

/// The digits of an integer.
#[opaque]
pub fn text_of(world: Gc<World>, number: i64) -> Gc<Text> {
    if (0..10).contains(&number) {
        return world.characters[b'0' as usize + number as usize];
    }
    // From the last digit on, in a piece of the stack.
    let mut digits = [b'-'; 20];
    let mut at = digits.len();
    let mut rest = number.unsigned_abs();
    while rest > 0 {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    at -= usize::from(number < 0);
    let text = std::str::from_utf8(&digits[at..]).unwrap_or_default();
    Gc::new(Text {
        data: Str::new(text),
        chars: text.len(),
    })
}

/// A boolean as an integer; anything else as it is.
pub fn without_bool(x: Value) -> Value {
    match x {
        Value::Bool(x) => Value::Int(i64::from(x)),
        other => other,
    }
}

/// A number as a float.
///
/// # Errors
/// An `OverflowError` if it is too large.
pub fn as_float(world: Gc<World>, x: Value) -> Result<f64, Thrown> {
    match x {
        Value::Int(x) => Ok(x as f64),
        Value::Bool(x) => Ok(f64::from(u8::from(x))),
        Value::Float(x) => Ok(x),
        Value::Big(_) => bigint::to_float(x).ok_or_else(|| {
            let message = "int too large to convert to float";
            fault::new(world, classes::OVERFLOW_ERROR, message)
        }),
        _ => unreachable!("the caller has looked"),
    }
}

/// `a op b` of floats but for powers; `None` if there is no such operation.
///
/// # Errors
/// A `ZeroDivisionError`, or an `OverflowError`.
pub fn float_binary(world: Gc<World>, op: usize, a: f64, b: f64) -> Result<Option<Value>, Thrown> {
    let value = match op {
        OP_ADD => a + b,
        OP_SUB => a - b,
        OP_MUL => a * b,
        OP_DIV if b == 0.0 => return Err(fault::simple(world, fault::FLOAT_DIVISION)),
        OP_DIV => a / b,
        OP_FLOOR_DIV if b == 0.0 => return Err(fault::simple(world, fault::FLOAT_FLOOR)),
        OP_FLOOR_DIV => floor_and_rest(a, b).0,
        OP_MOD if b == 0.0 => return Err(fault::simple(world, fault::FLOAT_MODULO)),
        OP_MOD => floor_and_rest(a, b).1,
        _ => return Ok(None),
    };
    Ok(Some(Value::Float(value)))
}

/// `a // b` and `a % b` of floats.
pub fn floor_and_rest(a: f64, b: f64) -> (f64, f64) {
    let mut rest = a % b;
    let mut quotient = (a - rest) / b;
    if rest != 0.0 {
        if (b < 0.0) != (rest < 0.0) {
            rest += b;
            quotient -= 1.0;
        }
    } else {
        rest = 0.0f64.copysign(b);
    }
    let floor = if quotient != 0.0 {
        let floor = quotient.floor();
        if quotient - floor > 0.5 {
            floor + 1.0
        } else {
            floor
        }
    } else {
        0.0f64.copysign(a / b)
    };
    (floor, rest)
}

/// A float as `repr` shows it.
pub fn float_text(x: f64) -> String {
    if x.is_nan() {
        return "nan".to_string();
    }
    if x.is_infinite() {
        return if x < 0.0 { "-inf" } else { "inf" }.to_string();
    }
    // The shortest digits that read as the same.
    let scientific = format!("{x:e}");
    let (mantissa, exponent) = scientific.split_once('e').expect("it has an exponent");
    let exponent: i32 = exponent.parse().expect("it is a number");
    if (-4..16).contains(&exponent) {
        let plain = format!("{x}");
        return match plain.contains('.') {
            true => plain,
            false => plain + ".0",
        };
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.abs())
}

#[cfg(test)]
mod tests {
    use super::{float_text, floor_and_rest};

    #[test]
    fn floats_are_shown_as_in_cpython() {
        let cases = [
            (1.0, "1.0"),
            (0.1, "0.1"),
            (1e16, "1e+16"),
            (123456789012345680.0, "1.2345678901234568e+17"),
            (1e-5, "1e-05"),
            (0.0001, "0.0001"),
            (-0.0, "-0.0"),
            (1e100, "1e+100"),
            (f64::INFINITY, "inf"),
        ];
        for (value, text) in cases {
            assert_eq!(float_text(value), text);
        }
    }

    #[test]
    fn floor_division_goes_down() {
        assert_eq!(floor_and_rest(-7.0, 2.0), (-4.0, 1.0));
        assert_eq!(floor_and_rest(7.0, -2.0), (-4.0, -1.0));
    }
}
