//! Integers and floats from what their classes are called with. In: numbers, texts, strings of
//! bytes. Out: numbers, or CPython's words about what is none.

use super::collect;
use super::given::Given;
use crate::heap::class;
use crate::heap::exception::Thrown;
use crate::heap::instance;
use crate::heap::value::Value;
use crate::heap::world::{class_of, classes, names, type_name};
use crate::plain::bigint;
use crate::plain::bytes;
use crate::plain::fault;
use crate::plain::unicode;
use crate::plain::unicode::is_space;
use crate::run::call;
use crate::run::text::show;
use verdigris::prelude::*;

type Outcome = Result<Value, Thrown>;

/// `int(value, base)`
///
/// # Errors
/// That it is no number, or that the text is none.
pub fn integer(given: Given, a: Value) -> Outcome {
    let (world, depth) = (given.world, given.depth);
    let a = instance::plain(a);
    given.check_named("int", &["base"])?;
    let base = given.named(1, "base");
    if !base.is_unbound() {
        let base = given.int(base)?;
        if base != 0 && !(2..=36).contains(&base) {
            return Err(given.value_error("int() base must be >= 2 and <= 36, or 0"));
        }
        return match written(a) {
            Some(digits) => parsed(given, &digits, a, base as u32),
            None => Err(given.type_error("int() can't convert non-string with explicit base")),
        };
    }
    match a {
        Value::Unbound => Ok(Value::Int(0)),
        Value::Int(_) | Value::Big(_) => Ok(a),
        Value::Bool(b) => Ok(Value::Int(i64::from(b))),
        Value::Float(x) if x.is_nan() => {
            Err(given.value_error("cannot convert float NaN to integer"))
        }
        Value::Float(x) if x.is_infinite() => {
            let message = "cannot convert float infinity to integer";
            Err(fault::new(world, classes::OVERFLOW_ERROR, message))
        }
        Value::Float(x) => Ok(bigint::of_float(x)),
        Value::Str(_) | Value::Bytes(_) | Value::ByteArray(_) => {
            parsed(given, &written(a).unwrap_or_default(), a, 10)
        }
        Value::Instance(_) => {
            let found = class::lookup(class_of(world, a), world.names[names::INT]);
            if !found.is_unbound() {
                return match call::method(world, found, a, call::nothing(), depth)? {
                    made @ (Value::Int(_) | Value::Big(_)) => Ok(made),
                    Value::Bool(b) => Ok(Value::Int(i64::from(b))),
                    other => {
                        let name = type_name(world, other);
                        let message = format!("__int__ returned non-int (type {name})");
                        Err(given.type_error(&message))
                    }
                };
            }
            collect::index(world, a, depth).map_err(|_| no_integer(given, a))
        }
        _ => Err(no_integer(given, a)),
    }
}

fn no_integer(given: Given, a: Value) -> Thrown {
    let name = type_name(given.world, a);
    given.type_error(&format!(
        "int() argument must be a string, a bytes-like object or a real number, not '{name}'"
    ))
}

/// The text of a string of either kind. Bytes that are no ASCII are in no number.
fn written(value: Value) -> Option<String> {
    match value {
        Value::Str(text) => Some(text.as_str().chars().map(as_ascii).collect()),
        _ => bytes::of(&value).map(|own| match own.is_ascii() {
            true => own.iter().map(|&byte| char::from(byte)).collect(),
            false => "?".to_string(),
        }),
    }
}

/// A digit of any script as one of ASCII, and any white space as a space.
fn as_ascii(c: char) -> char {
    match unicode::decimal(c) {
        Some(digit) => char::from_digit(digit, 10).unwrap_or(c),
        None if is_space(c) => ' ',
        None => c,
    }
}

/// How messages show a text that is no number.
fn shown(value: Value) -> String {
    match value {
        Value::Str(text) => show::quoted(text.as_str()),
        Value::ByteArray(own) => bytes::repr(&bytes::copy(own), true),
        _ => bytes::repr(&bytes::of(&value).unwrap_or_default(), false),
    }
}

/// The integer that a text says.
fn parsed(given: Given, written: &str, source: Value, given_base: u32) -> Outcome {
    let wrong = || {
        let shown = shown(source);
        given.value_error(&format!(
            "invalid literal for int() with base {given_base}: {shown}"
        ))
    };
    let trimmed = written.trim();
    let (negative, digits) = match trimmed.as_bytes().first() {
        Some(b'-') => (true, &trimmed[1..]),
        Some(b'+') => (false, &trimmed[1..]),
        _ => (false, trimmed),
    };
    let lower = digits.to_ascii_lowercase();
    let prefixed = |base: u32| match base {
        16 => "0x",
        8 => "0o",
        2 => "0b",
        _ => "\0",
    };
    let (base, mut body) = match given_base {
        0 => match [16, 8, 2]
            .into_iter()
            .find(|&b| lower.starts_with(prefixed(b)))
        {
            Some(base) => (base, &lower[2..]),
            None if lower.starts_with('0') && !lower.trim_matches(['0', '_']).is_empty() => {
                return Err(wrong());
            }
            None => (10, lower.as_str()),
        },
        base => (base, lower.strip_prefix(prefixed(base)).unwrap_or(&lower)),
    };
    if body.len() < lower.len() {
        body = body.strip_prefix('_').unwrap_or(body);
    }
    let is_well = !body.is_empty()
        && !body.starts_with('_')
        && !body.ends_with('_')
        && !body.contains("__")
        && body.chars().all(|c| c == '_' || c.is_digit(base));
    if !is_well {
        return Err(wrong());
    }
    let plain: String = body.chars().filter(|&c| c != '_').collect();
    if plain.len() > bigint::MAX_DIGITS && !base.is_power_of_two() {
        let message = format!(
            "Exceeds the limit ({} digits) for integer string conversion: value has {} digits; \
             use sys.set_int_max_str_digits() to increase the limit",
            bigint::MAX_DIGITS,
            plain.len()
        );
        return Err(given.value_error(&message));
    }
    let signed = if negative { format!("-{plain}") } else { plain };
    bigint::parse(&signed, base).ok_or_else(wrong)
}

/// `float(value)`
///
/// # Errors
/// That it is no number, or that the text is none.
pub fn float(given: Given, a: Value) -> Outcome {
    let number = match a {
        Value::Unbound => 0.0,
        Value::Str(_) | Value::Bytes(_) | Value::ByteArray(_) => {
            let text = written(a).unwrap_or_default();
            let plain = text.trim();
            let lower = plain.to_ascii_lowercase();
            let body = lower.trim_start_matches(['+', '-']);
            let is_word = matches!(body, "inf" | "infinity" | "nan");
            let starts_well = body.starts_with(|c: char| c.is_ascii_digit() || c == '.');
            let stripped = lower.replace('_', "");
            let has_bad_score = lower
                .split('_')
                .skip(1)
                .any(|part| !part.starts_with(|c: char| c.is_ascii_digit()))
                || lower.contains("__")
                || lower.starts_with('_');
            let parsed = stripped.parse::<f64>().ok();
            match parsed {
                Some(x) if (is_word || starts_well) && !has_bad_score => x,
                _ => {
                    let message = format!("could not convert string to float: {}", shown(a));
                    return Err(given.value_error(&message));
                }
            }
        }
        _ => {
            let class = type_name(given.world, a);
            collect::float(given.world, a, given.depth).map_err(|thrown| {
                let is_class = |n| Gc::ptr_eq(thrown.map.get().class, given.world.classes[n]);
                match is_class(classes::TYPE_ERROR) && !matches!(a, Value::Instance(_)) {
                    true => given.type_error(&format!(
                        "float() argument must be a string or a real number, not '{class}'"
                    )),
                    false => thrown,
                }
            })?
        }
    };
    Ok(Value::Float(number))
}
