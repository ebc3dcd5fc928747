//! What the module `decimal` is made of. In: the name of an operation, a context, and numbers. Out:
//! numbers, with the conditions that were met. Invariant: a number is a tuple of four: twice its
//! kind and whether it is negative, its digits, its exponent, and conditions.

use super::given::Given;
use super::names::*;
use crate::heap::exception::Thrown;
use crate::heap::instance;
use crate::heap::value::{Tuple, Value, pair, text};
use crate::heap::world::classes;
use crate::plain::bigint;
use crate::plain::decimal::bits::Logical;
use crate::plain::decimal::compare::order;
use crate::plain::decimal::small::{self, Small};
use crate::plain::decimal::text::show;
use crate::plain::decimal::{Context, Decimal, Kind, Rounding};
use crate::plain::fault;

type Outcome = Result<Value, Thrown>;

/// The kinds by their numbers.
const KINDS: [Kind; 4] = [Kind::Finite, Kind::Infinity, Kind::Quiet, Kind::Signaling];

/// The greatest precision for results that have all of their digits whatever the operands are.
const MOST_DIGITS: i64 = 10_000_000;

/// Calls such a function.
///
/// # Errors
/// A `TypeError` about what is no number.
pub fn call(given: Given) -> Outcome {
    match given.id {
        DECIMAL_PARSE => {
            let written = given.text(0)?;
            let mut context = context(given, 1)?;
            let rounds = given.at(2) == Value::Bool(true);
            let made = match rounds {
                true => context.parse_rounded(written.as_str()),
                false => context.parse_exactly(written.as_str()),
            };
            Ok(parts(&made, context.status))
        }
        DECIMAL_SHOW => {
            let is = |n: usize| matches!(given.at(n), Value::Int(1) | Value::Bool(true));
            let x = number(given, 0)?;
            Ok(text(&show(&x, is(1), is(2))))
        }
        _ => operation(given),
    }
}

/// The number that a tuple is.
fn number(given: Given, n: usize) -> Result<Decimal, Thrown> {
    let wrong = || given.type_error("a decimal number is needed");
    let Value::Tuple(parts) = given.at(n) else {
        return Err(wrong());
    };
    let (Value::Int(head), Value::Int(exponent)) = (parts[0].get(), parts[2].get()) else {
        return Err(wrong());
    };
    let coefficient = match instance::plain(parts[1].get()) {
        Value::Int(small) => small.unsigned_abs().into(),
        big @ Value::Big(_) => bigint::number(big).into_parts().1,
        _ => return Err(wrong()),
    };
    Ok(Decimal {
        negative: head & 1 == 1,
        kind: KINDS[(head >> 1) as usize & 3],
        coefficient,
        exponent,
    })
}

/// A number as a tuple.
fn parts(x: &Decimal, conditions: u32) -> Value {
    let kind = KINDS.iter().position(|&kind| kind == x.kind).unwrap_or(0);
    // The digits may be an object that the collector must find.
    let coefficient = match u64::try_from(&x.coefficient).map(i64::try_from) {
        Ok(Ok(small)) => Value::Int(small),
        _ => bigint::value(&x.coefficient.clone().into()),
    };
    let made = Tuple::new(4, Value::Unbound);
    made[0].set(Value::Int(kind as i64 * 2 + i64::from(x.negative)));
    made[1].set(coefficient);
    made[2].set(Value::Int(x.exponent));
    made[3].set(Value::Int(i64::from(conditions)));
    Value::Tuple(made)
}

/// The context that a tuple is: precision, rounding, the least and the greatest exponent, and
/// whether exponents are clamped.
fn context(given: Given, n: usize) -> Result<Context, Thrown> {
    let Value::Tuple(settings) = given.at(n) else {
        return Err(given.type_error("a context is needed"));
    };
    let part = |n: usize| match settings[n].get() {
        Value::Int(value) => value,
        _ => 0,
    };
    Ok(Context {
        precision: part(0),
        rounding: Rounding::ALL[part(1) as usize & 7],
        emin: part(2),
        emax: part(3),
        clamp: part(4) != 0,
        status: 0,
    })
}

/// A number that is small.
fn small(given: Given, n: usize) -> Option<Small> {
    let Value::Tuple(parts) = given.at(n) else {
        return None;
    };
    match (parts[0].get(), parts[1].get(), parts[2].get()) {
        (Value::Int(head @ 0..=1), Value::Int(coefficient), Value::Int(exponent)) => {
            Small::new(head == 1, coefficient, exponent)
        }
        _ => None,
    }
}

/// The result of an operation on small numbers, if that is small, too.
fn quick(given: Given, name: &str, context: &Context) -> Option<Value> {
    if !matches!(name, "add" | "subtract" | "multiply" | "quantize" | "order") {
        return None;
    }
    let (a, b) = (small(given, 2)?, small(given, 3)?);
    let opposite = Small {
        negative: !b.negative,
        ..b
    };
    if name == "order" {
        return small::order(a, b).map(|made| Value::Int(made as i64));
    }
    if !context.has_room() {
        return None;
    }
    let (made, conditions) = match name {
        "add" => context.add_small(a, b)?,
        "subtract" => context.add_small(a, opposite)?,
        "multiply" => context.multiply_small(a, b)?,
        _ => context.quantize_small(a, b)?,
    };
    let parts = Tuple::new(4, Value::Int(i64::from(conditions)));
    parts[0].set(Value::Int(i64::from(made.negative)));
    parts[1].set(Value::Int(made.coefficient as i64));
    parts[2].set(Value::Int(made.exponent));
    Some(Value::Tuple(parts))
}

fn operation(given: Given) -> Outcome {
    let name = given.text(0)?;
    let mut context = context(given, 1)?;
    if let Some(made) = quick(given, name.as_str(), &context) {
        return Ok(made);
    }
    let a = number(given, 2)?;
    let optional = |n: usize| match given.at(n) {
        Value::None => Ok(Decimal::nan()),
        _ => number(given, n),
    };
    let (b, c) = (optional(3)?, optional(4)?);
    let name = name.as_str();
    let made = match name {
        "order" => {
            return Ok(match a.is_nan() || b.is_nan() {
                true => Value::None,
                false => Value::Int(order(&a, &b) as i64),
            });
        }
        "digits" => return Ok(Value::Int(a.digits())),
        "same_quantum" => return Ok(Value::Bool(Context::same_quantum(&a, &b))),
        "divmod" => {
            let (quotient, remainder) = context.divide_both(&a, &b);
            let first = parts(&quotient, context.status);
            return Ok(pair(first, parts(&remainder, context.status)));
        }
        "add" => context.add(&a, &b),
        "subtract" => context.subtract(&a, &b),
        "multiply" => context.multiply(&a, &b),
        "fma" => context.fused(&a, &b, &c),
        "divide_int" => context.divide_integer(&a, &b),
        "remainder" => context.remainder(&a, &b),
        "remainder_near" => context.remainder_near(&a, &b),
        "plus" => context.plus(&a),
        "minus" => context.minus(&a),
        "abs" => context.absolute(&a),
        "finish" => context.finish(a),
        "compare" => context.compare(&a, &b),
        "compare_signal" => context.compare_signal(&a, &b),
        "compare_total" => Context::compare_total(&a, &b),
        "compare_total_mag" => Context::compare_total_size(&a, &b),
        "max" => context.extreme(&a, &b, true, false),
        "max_mag" => context.extreme(&a, &b, true, true),
        "min" => context.extreme(&a, &b, false, false),
        "min_mag" => context.extreme(&a, &b, false, true),
        "quantize" => context.quantize(&a, &b),
        "to_integral_exact" => context.to_integral(&a, true),
        "to_integral_value" => context.to_integral(&a, false),
        "to_digits" => context.to_digits(&a, b.to_i64().unwrap_or(1)),
        "normalize" => context.normalize(&a),
        "logb" => context.logb(&a),
        "scaleb" => context.scaleb(&a, &b),
        "next_minus" => context.next(&a, false),
        "next_plus" => context.next(&a, true),
        "next_toward" => context.next_toward(&a, &b),
        _ => whole(given, name, &mut context, (&a, &b, &c))?,
    };
    Ok(parts(&made, context.status))
}

/// An operation whose result may have as many digits as there can be.
fn whole(
    given: Given,
    name: &str,
    context: &mut Context,
    (a, b, c): (&Decimal, &Decimal, &Decimal),
) -> Result<Decimal, Thrown> {
    if context.precision > MOST_DIGITS {
        return Err(fault::new(given.world, classes::MEMORY_ERROR, ""));
    }
    Ok(match name {
        "divide" => context.divide(a, b),
        "sqrt" => context.sqrt(a),
        "exp" => context.exp(a),
        "ln" => context.ln(a),
        "log10" => context.log10(a),
        "power" if c.is_nan() && given.at(4).is_none() => context.power(a, b),
        "power" => context.modular_power(a, b, c),
        "shift" => context.shift(a, b),
        "rotate" => context.rotate(a, b),
        "logical_and" => context.logical(Logical::And, a, b),
        "logical_or" => context.logical(Logical::Or, a, b),
        "logical_xor" => context.logical(Logical::Xor, a, b),
        "logical_invert" => context.invert(a),
        _ => return Err(given.type_error("there is no such operation")),
    })
}
