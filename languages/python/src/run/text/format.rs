//! `format` and f-strings. In: values and specifications. Out: texts. Invariant: a string that is
//! put in as it is, is not copied twice.

use crate::heap::class;
use crate::heap::exception::Thrown;
use crate::heap::places;
use crate::heap::value::{Registers, Value, text};
use crate::heap::world::{World, class_of, names, type_name};
use crate::plain::bigint;
use crate::plain::complex;
use crate::plain::fault;
use crate::plain::number;
use crate::plain::spec::Spec;
use crate::run::call;
use crate::run::text::show;
use verdigris::{StrBuilder, is_constant, look_inside_iff, prelude::*};

/// A part of an f-string: a value, converted (0 not, 1 str, 2 repr, 3 ascii) and formatted.
///
/// # Errors
/// What functions of the program raise, and what is wrong with the specification.
#[inline]
pub fn part(
    world: Gc<World>,
    value: Value,
    spec: Value,
    conversion: usize,
    depth: i64,
) -> Result<Value, Thrown> {
    if let (Value::Str(_), Value::Str(spec)) = (value, spec)
        && conversion < 2
        && spec.chars == 0
    {
        return Ok(value);
    }
    if let (Value::Int(x), Value::Str(spec)) = (value, spec)
        && spec.chars == 0
    {
        return Ok(Value::Str(number::text_of(world, x)));
    }
    if let (Value::Float(x), Value::Str(spec)) = (value, spec) {
        return float_part(world, x, spec, conversion);
    }
    outside(world, value, spec, conversion, depth)
}

#[opaque]
fn float_part(
    world: Gc<World>,
    x: f64,
    spec: Gc<crate::heap::value::Text>,
    conversion: usize,
) -> Result<Value, Thrown> {
    let shown = number::float_text(x);
    if conversion > 0 {
        let spec = parse(world, spec.as_str())?;
        return spec
            .text(&shown)
            .map(|made| text(&made))
            .map_err(|message| refused(world, &message));
    }
    plain(world, Value::Float(x), spec.as_str(), &shown)
}

#[opaque]
fn outside(
    world: Gc<World>,
    value: Value,
    spec: Value,
    conversion: usize,
    depth: i64,
) -> Result<Value, Thrown> {
    let converted = match conversion {
        1 => text(&show::text(world, value, depth)?),
        2 => text(&show::repr(world, value, depth)?),
        3 => text(&show::ascii(&show::repr(world, value, depth)?)),
        _ => value,
    };
    of(world, converted, spec, depth)
}

/// `format(value, spec)`
///
/// # Errors
/// What functions of the program raise, and what is wrong with the specification.
pub fn of(world: Gc<World>, value: Value, spec: Value, depth: i64) -> Result<Value, Thrown> {
    let Value::Str(given) = spec else {
        let name = type_name(world, spec);
        let message = format!("format() argument 2 must be str, not {name}");
        return Err(fault::type_error(world, &message));
    };
    if let Value::Instance(_) = value {
        let found = class::lookup(class_of(world, value), world.names[names::FORMAT]);
        if !found.is_unbound() {
            return call::method(
                world,
                found,
                value,
                call::one(spec),
                places::below(world, depth),
            );
        }
    }
    let shown = show::text(world, value, depth)?;
    plain(world, value, given.as_str(), &shown)
}

fn parse(world: Gc<World>, spec: &str) -> Result<Spec, Thrown> {
    Spec::parse(spec).map_err(|message| refused(world, &message))
}

fn refused(world: Gc<World>, message: &str) -> Thrown {
    match message.strip_suffix(" is not supported yet") {
        Some(what) => fault::missing(world, what),
        None => fault::value_error(world, message),
    }
}

/// The same of a builtin object, whose text is `shown`.
fn plain(world: Gc<World>, value: Value, spec: &str, shown: &str) -> Result<Value, Thrown> {
    if spec.is_empty() {
        return Ok(text(shown));
    }
    let unknown = || {
        let name = type_name(world, value);
        let message = format!("unsupported format string passed to {name}.__format__");
        fault::type_error(world, &message)
    };
    let value = match value {
        // Without a kind, a boolean is a text of the right width.
        Value::Bool(b) => Value::Int(i64::from(b)),
        other => other,
    };
    let made = match value {
        Value::Str(_) => parse(world, spec)?.text(shown),
        Value::Int(_) | Value::Big(_) => {
            let parsed = parse(world, spec)?;
            match parsed.kind {
                Some('e' | 'E' | 'f' | 'F' | 'g' | 'G' | '%') => {
                    let x = number::as_float(world, value)?;
                    parsed.float(x, &number::float_text(x))
                }
                Some('c') => return character(world, value, &parsed),
                _ => {
                    let negative = bigint::is_negative(value);
                    let digits = |base| {
                        bigint::digits(value, base)
                            .trim_start_matches('-')
                            .to_string()
                    };
                    parsed.integer(negative, digits)
                }
            }
        }
        Value::Float(x) => parse(world, spec)?.float(x, shown),
        Value::Complex(z) => complex::format((z.re, z.im), &parse(world, spec)?),
        _ => return Err(unknown()),
    };
    made.map(|made| text(&made))
        .map_err(|message| refused(world, &message))
}

fn character(world: Gc<World>, value: Value, spec: &Spec) -> Result<Value, Thrown> {
    let c = match value {
        Value::Int(x) => u32::try_from(x).ok().and_then(char::from_u32),
        _ => None,
    };
    let Some(c) = c else {
        let message = "%c arg not in range(0x110000)";
        return Err(fault::new(
            world,
            crate::heap::world::classes::OVERFLOW_ERROR,
            message,
        ));
    };
    let spec = Spec {
        kind: None,
        ..spec.clone()
    };
    let made = spec.text(&c.to_string());
    made.map(|made| text(&made))
        .map_err(|message| refused(world, &message))
}

fn is_known(_world: Gc<World>, _r: Registers, _first: usize, count: usize) -> bool {
    is_constant(count)
}

/// Strings in registers as one.
#[look_inside_iff(is_known)]
#[inline(never)]
pub fn join(world: Gc<World>, r: Registers, first: usize, count: usize) -> Value {
    if count == 0 {
        return Value::Str(world.empty);
    }
    let Value::Str(begin) = r[first].get() else {
        unreachable!();
    };
    if count == 1 {
        return Value::Str(begin);
    }
    let builder = StrBuilder::new();
    let mut chars = 0;
    for n in 0..count {
        if let Value::Str(part) = r[first + n].get() {
            builder.push_str(part.data);
            chars += part.chars;
        }
    }
    Value::Str(Gc::new(crate::heap::value::Text {
        data: builder.finish(),
        chars,
    }))
}
