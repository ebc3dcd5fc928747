//! Strings of bytes and complex numbers from what their classes are called with, and texts from
//! bytes. In: arguments. Out: values.

use super::bytes::{instance_of, name};
use super::collect;
use super::given::Given;
use super::names::{INT_FROM_BYTES, INT_TO_BYTES};
use crate::heap::class;
use crate::heap::exception::Thrown;
use crate::heap::instance;
use crate::heap::value::{Value, complex, text};
use crate::heap::world::{class_of, classes, intern, type_name};
use crate::plain::bigint;
use crate::plain::bytes;
use crate::plain::codec::{Encoding, decode, encode};
use crate::plain::complex as numbers;
use crate::plain::fault;
use crate::run::call;
use crate::run::items::bytes::bytes_like;
use crate::run::items::iterate;
use crate::run::operators::truth;
use std::borrow::Cow;

type Outcome = Result<Value, Thrown>;

/// How many bytes a number may ask for.
const MOST: i64 = 1 << 31;

/// The bytes that the arguments of a class say, of which the first is argument `n`.
///
/// # Errors
/// That they say none.
pub fn data(given: Given, n: usize, class: &str) -> Result<Cow<'static, [u8]>, Thrown> {
    given.check_named(class, &["source", "encoding", "errors"])?;
    let (world, depth) = (given.world, given.depth);
    let source = bytes_like(world, given.named(n, "source"), depth)?;
    let encoding = name(given, class, (n + 1, "encoding"), "")?;
    let errors = name(given, class, (n + 2, "errors"), "")?;
    if let Value::Str(s) = source {
        if encoding.is_empty() {
            return Err(given.type_error("string argument without an encoding"));
        }
        let errors = if errors.is_empty() { "strict" } else { &errors };
        let encoding = Encoding::of(world, &encoding)?;
        return Ok(Cow::Owned(encode(world, s.as_str(), encoding, errors)?));
    }
    for (what, given_as) in [("encoding", encoding), ("errors", errors)] {
        if !given_as.is_empty() {
            let message = format!("{what} without a string argument");
            return Err(given.type_error(&message));
        }
    }
    match source {
        Value::Unbound => Ok(Cow::Owned(Vec::new())),
        Value::Int(_) | Value::Big(_) | Value::Bool(_) => sized(given, source),
        Value::Instance(_) if has_index(given, source) => {
            let count = collect::index(world, source, depth)?;
            sized(given, count)
        }
        _ => of_value(given, source, class),
    }
}

fn has_index(given: Given, value: Value) -> bool {
    let class = class_of(given.world, value);
    let has = |name: &str| !class::lookup(class, intern(given.world, name)).is_unbound();
    has("__index__") && !has("__bytes__")
}

/// As many zeros as a number says.
fn sized(given: Given, count: Value) -> Result<Cow<'static, [u8]>, Thrown> {
    match collect::index(given.world, count, given.depth)? {
        Value::Int(count @ 0..MOST) => Ok(Cow::Owned(vec![0; count as usize])),
        Value::Int(MOST..) => Err(fault::new(given.world, classes::MEMORY_ERROR, "")),
        Value::Int(_) => Err(given.value_error("negative count")),
        _ => {
            let message = "cannot fit 'int' into an index-sized integer";
            Err(fault::new(given.world, classes::OVERFLOW_ERROR, message))
        }
    }
}

/// The bytes of a value: what it has, what its `__bytes__` returns, or its items.
///
/// # Errors
/// That it has none.
pub fn of_value(given: Given, source: Value, class: &str) -> Result<Cow<'static, [u8]>, Thrown> {
    let (world, depth) = (given.world, given.depth);
    let source = bytes_like(world, source, depth)?;
    let is_fixed = class != "bytearray";
    if let Value::Instance(_) = source {
        let found = class::lookup(class_of(world, source), intern(world, "__bytes__"));
        if is_fixed && !found.is_unbound() {
            let made = call::method(world, found, source, call::nothing(), depth)?;
            return match instance::plain(made) {
                Value::Bytes(made) => Ok(Cow::Owned(made.as_slice().to_vec())),
                _ => {
                    let class = type_name(world, made);
                    let message = format!("__bytes__ returned non-bytes (type {class})");
                    Err(given.type_error(&message))
                }
            };
        }
    }
    if let Some(own) = bytes::of(&source) {
        return Ok(Cow::Owned(own.into_owned()));
    }
    if matches!(source, Value::Str(_)) || !iterate::is_iterable(world, source) {
        let name = type_name(world, source);
        let message = format!("cannot convert '{name}' object to {class}");
        return Err(given.type_error(&message));
    }
    let all = collect::list_of(world, source, depth)?;
    let mut made = Vec::with_capacity(all.len());
    for n in 0..all.len() {
        match collect::index(world, all.at(n), depth)? {
            Value::Int(byte @ 0..256) => made.push(byte as u8),
            _ => {
                let plural = if is_fixed { "bytes" } else { "byte" };
                let message = format!("{plural} must be in range(0, 256)");
                return Err(given.value_error(&message));
            }
        }
    }
    Ok(Cow::Owned(made))
}

/// `bytes(..)`
///
/// # Errors
/// As [`data`].
pub fn fixed(given: Given) -> Outcome {
    match given.at(0) {
        own @ Value::Bytes(_) if given.args.count == 1 => Ok(own),
        _ => Ok(crate::heap::value::bytes(&data(given, 0, "bytes")?)),
    }
}

/// `bytearray(..)`
///
/// # Errors
/// As [`data`].
pub fn changing(given: Given) -> Outcome {
    let data = data(given, 0, "bytearray")?;
    Ok(Value::ByteArray(bytes::array(&data)))
}

/// `str(bytes, encoding, errors)`
///
/// # Errors
/// What is no text in the encoding.
pub fn decoded(given: Given) -> Outcome {
    let world = given.world;
    let object = bytes_like(world, given.named(0, "object"), given.depth)?;
    let encoding = name(given, "str", (1, "encoding"), "utf-8")?;
    let errors = name(given, "str", (2, "errors"), "strict")?;
    match (bytes::of(&object), object) {
        (Some(data), _) => {
            let encoding = Encoding::of(world, &encoding)?;
            Ok(text(&decode(world, &data, encoding, &errors)?))
        }
        (None, Value::Unbound) => Ok(Value::Str(world.empty)),
        (None, Value::Str(_)) => Err(given.type_error("decoding str is not supported")),
        _ => {
            let class = type_name(world, object);
            let message = format!("decoding to str: need a bytes-like object, {class} found");
            Err(given.type_error(&message))
        }
    }
}

/// `str.encode(encoding, errors)`
///
/// # Errors
/// What the encoding cannot say.
pub fn encoded(given: Given, s: &str) -> Outcome {
    given.check_keywords(&["encoding", "errors"])?;
    let encoding = name(given, "encode", (1, "encoding"), "utf-8")?;
    let errors = name(given, "encode", (2, "errors"), "strict")?;
    let encoding = Encoding::of(given.world, &encoding)?;
    let data = encode(given.world, s, encoding, &errors)?;
    Ok(crate::heap::value::bytes(&data))
}

/// Whether the lowest byte comes first.
fn is_little(given: Given, n: usize) -> Result<bool, Thrown> {
    match name(given, given.name(), (n, "byteorder"), "big")?.as_str() {
        "little" => Ok(true),
        "big" => Ok(false),
        _ => Err(given.value_error("byteorder must be either 'little' or 'big'")),
    }
}

/// `int.to_bytes` and `int.from_bytes`
///
/// # Errors
/// That a number does not fit.
pub fn of_integer(given: Given) -> Outcome {
    let is_signed = |given: Given| match given.keyword("signed") {
        Value::Unbound => Ok(false),
        signed => truth::of(given.world, signed, given.depth),
    };
    match given.id {
        INT_FROM_BYTES => {
            given.check_keywords(&["bytes", "byteorder", "signed"])?;
            let Value::Class(class) = given.at(0) else {
                return Err(given.wrong_object());
            };
            let source = given.named(1, "bytes");
            let (little, signed) = (is_little(given, 2)?, is_signed(given)?);
            let data = of_value(given, instance::plain(source), "bytes")?;
            let made = bigint::from_bytes(&data, little, signed);
            match class.layout == classes::BOOL {
                true => Ok(Value::Bool(made != Value::Int(0))),
                false => instance_of(given, class, made),
            }
        }
        INT_TO_BYTES => {
            given.check_keywords(&["length", "byteorder", "signed"])?;
            let len = match given.named(1, "length") {
                Value::Unbound => 1,
                len => given.int(len)?,
            };
            let (little, signed) = (is_little(given, 2)?, is_signed(given)?);
            let Ok(len) = usize::try_from(len) else {
                return Err(given.value_error("length argument must be non-negative"));
            };
            let number = crate::plain::number::without_bool(given.at(0));
            let fail = |message| fault::new(given.world, classes::OVERFLOW_ERROR, message);
            if bigint::is_negative(number) && !signed {
                return Err(fail("can't convert negative int to unsigned"));
            }
            match bigint::to_bytes(number, len, little, signed) {
                Some(data) => Ok(crate::heap::value::bytes(&data)),
                None => Err(fail("int too big to convert")),
            }
        }
        _ => Err(given.wrong_object()),
    }
}

/// `complex(real, imag)`
///
/// # Errors
/// That these are no numbers.
pub fn number(given: Given) -> Outcome {
    given.check_named("complex", &["real", "imag"])?;
    let (real, imag) = (given.named(0, "real"), given.named(1, "imag"));
    if let Value::Str(written) = instance::plain(real) {
        if !imag.is_unbound() {
            let message = "complex() can't take second arg if first is a string";
            return Err(given.type_error(message));
        }
        return match numbers::parse(written.as_str()) {
            Some((re, im)) => Ok(complex(re, im)),
            None => Err(given.value_error("complex() arg is a malformed string")),
        };
    }
    if let Value::Str(_) = instance::plain(imag) {
        return Err(given.type_error("complex() second arg can't be a string"));
    }
    if imag.is_unbound()
        && let Value::Complex(_) = real
    {
        return Ok(real);
    }
    let first = "complex() first argument must be a string or a number";
    let (re, im) = part(given, real, first)?;
    let second = "complex() second argument must be a number";
    let (turned_re, turned_im) = part(given, imag, second)?;
    let is_complex = |value| matches!(instance::plain(value), Value::Complex(_));
    Ok(match is_complex(imag) {
        _ if imag.is_unbound() => complex(re, im),
        // Nothing is added where one part is a real number, so that zeros keep their signs.
        of_imag => complex(
            if of_imag { re - turned_im } else { re },
            if is_complex(real) {
                im + turned_re
            } else {
                turned_re
            },
        ),
    })
}

fn part(given: Given, value: Value, wrong: &str) -> Result<(f64, f64), Thrown> {
    let (world, depth) = (given.world, given.depth);
    if value.is_unbound() {
        return Ok((0.0, 0.0));
    }
    if let Some(parts) = numbers::parts(world, instance::plain(value))? {
        return Ok(parts);
    }
    if let Value::Instance(_) = value {
        let found = class::lookup(class_of(world, value), intern(world, "__complex__"));
        if !found.is_unbound() {
            let made = call::method(world, found, value, call::nothing(), depth)?;
            if let Value::Complex(z) = instance::plain(made) {
                return Ok((z.re, z.im));
            }
            let class = type_name(world, made);
            let message = format!("__complex__ returned non-complex (type {class})");
            return Err(given.type_error(&message));
        }
        if let Ok(x) = collect::float(world, value, depth) {
            return Ok((x, 0.0));
        }
    }
    let class = type_name(world, value);
    Err(given.type_error(&format!("{wrong}, not '{class}'")))
}
