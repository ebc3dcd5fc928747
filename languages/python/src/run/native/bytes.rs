//! Methods that both kinds of strings of bytes have. In: arguments. Out: results, of the kind of
//! the object. Invariant: letters, digits and white space are those of ASCII alone.

use super::given::Given;
use super::names::*;
use super::{bytes_parts, collect};
use crate::heap::exception::Thrown;
use crate::heap::instance;
use crate::heap::value::{Registers, Tuple, Value, text};
use crate::heap::world::type_name;
use crate::plain::bytes;
use crate::plain::codec::{Encoding, decode};
use crate::run::call;
use crate::run::items::bytes::{byte, bytes_like};
use crate::run::items::iterate;
use std::borrow::Cow;
use verdigris::prelude::*;

type Outcome = Result<Value, Thrown>;

/// Calls such a method.
///
/// # Errors
/// What it raises.
pub fn call(given: Given) -> Outcome {
    match given.id {
        BYTES_DECODE => given.check_keywords(&["encoding", "errors"])?,
        BYTES_HEX => given.check_keywords(&["sep", "bytes_per_sep"])?,
        BYTES_SPLIT | BYTES_RSPLIT => given.check_keywords(&["sep", "maxsplit"])?,
        BYTES_SPLITLINES => given.check_keywords(&["keepends"])?,
        BYTES_EXPANDTABS => given.check_keywords(&["tabsize"])?,
        BYTES_TRANSLATE => given.check_keywords(&["delete"])?,
        _ => given.check_keywords(&[])?,
    }
    match given.id {
        BYTES_FROMHEX => return from_hex(given),
        BYTES_MAKETRANS => return make_table(given),
        _ => {}
    }
    let object = given.at(0);
    let Some(own) = bytes::of(&object) else {
        return Err(given.wrong_object());
    };
    let own = own.as_ref();
    let made = |data: &[u8]| Ok(bytes::like(object, data));
    let all = |test: fn(&u8) -> bool| Ok(Value::Bool(!own.is_empty() && own.iter().all(test)));
    match given.id {
        BYTES_DECODE => {
            let encoding = name(given, "decode", (1, "encoding"), "utf-8")?;
            let errors = name(given, "decode", (2, "errors"), "strict")?;
            let encoding = Encoding::of(given.world, &encoding)?;
            Ok(text(&decode(given.world, own, encoding, &errors)?))
        }
        BYTES_HEX => hex(given, own),
        BYTES_JOIN => join(given, object, own),
        BYTES_SPLIT | BYTES_RSPLIT => bytes_parts::split(given, object, own),
        BYTES_SPLITLINES => bytes_parts::lines(given, object, own),
        BYTES_PARTITION | BYTES_RPARTITION => bytes_parts::partition(given, object, own),
        BYTES_STRIP => bytes_parts::strip(given, object, own, true, true),
        BYTES_LSTRIP => bytes_parts::strip(given, object, own, true, false),
        BYTES_RSTRIP => bytes_parts::strip(given, object, own, false, true),
        BYTES_UPPER => made(&own.to_ascii_uppercase()),
        BYTES_LOWER => made(&own.to_ascii_lowercase()),
        BYTES_TITLE => made(&title(own)),
        BYTES_CAPITALIZE => {
            let mut data = own.to_ascii_lowercase();
            data.iter_mut()
                .take(1)
                .for_each(|byte| byte.make_ascii_uppercase());
            made(&data)
        }
        BYTES_SWAPCASE => {
            let swap = |byte: &u8| match byte.is_ascii_uppercase() {
                true => byte.to_ascii_lowercase(),
                false => byte.to_ascii_uppercase(),
            };
            made(&own.iter().map(swap).collect::<Vec<u8>>())
        }
        BYTES_STARTSWITH | BYTES_ENDSWITH => bytes_parts::affix(given, own),
        BYTES_FIND | BYTES_RFIND | BYTES_INDEX | BYTES_RINDEX => bytes_parts::find(given, own),
        BYTES_COUNT => bytes_parts::count(given, own),
        BYTES_REPLACE => bytes_parts::replace(given, object, own),
        BYTES_REMOVEPREFIX => made(own.strip_prefix(&*buffer(given, 1)?).unwrap_or(own)),
        BYTES_REMOVESUFFIX => made(own.strip_suffix(&*buffer(given, 1)?).unwrap_or(own)),
        BYTES_CENTER | BYTES_LJUST | BYTES_RJUST => justify(given, object, own),
        BYTES_ZFILL => {
            let width = given.int(given.at(1))?.max(0) as usize;
            let zeros = vec![b'0'; width.saturating_sub(own.len())];
            let signs = usize::from(own.starts_with(b"+") || own.starts_with(b"-"));
            made(&[&own[..signs], &zeros, &own[signs..]].concat())
        }
        BYTES_ISDIGIT => all(u8::is_ascii_digit),
        BYTES_ISALPHA => all(u8::is_ascii_alphabetic),
        BYTES_ISALNUM => all(u8::is_ascii_alphanumeric),
        BYTES_ISSPACE => all(|&byte| bytes::is_space(byte)),
        BYTES_ISASCII => Ok(Value::Bool(own.is_ascii())),
        BYTES_ISUPPER => Ok(Value::Bool(
            own.iter().any(u8::is_ascii_uppercase) && !own.iter().any(u8::is_ascii_lowercase),
        )),
        BYTES_ISLOWER => Ok(Value::Bool(
            own.iter().any(u8::is_ascii_lowercase) && !own.iter().any(u8::is_ascii_uppercase),
        )),
        BYTES_ISTITLE => Ok(Value::Bool(
            own.iter().any(u8::is_ascii_alphabetic) && title(own) == own,
        )),
        BYTES_EXPANDTABS => expand_tabs(given, object, own),
        _ => translate(given, object, own),
    }
}

/// An argument that is the name of an encoding or of what is to be done about errors.
///
/// # Errors
/// A `TypeError` if it is no string.
pub fn name(
    given: Given,
    function: &str,
    (n, what): (usize, &str),
    default: &str,
) -> Result<String, Thrown> {
    match given.named(n, what) {
        Value::Unbound => Ok(default.to_string()),
        Value::Str(name) => Ok(name.as_str().to_string()),
        other => {
            let class = type_name(given.world, other);
            let message = format!("{function}() argument '{what}' must be str, not {class}");
            Err(given.type_error(&message))
        }
    }
}

/// An argument that has to be a string of bytes.
///
/// # Errors
/// A `TypeError` if it is none.
pub fn buffer(given: Given, n: usize) -> Result<Cow<'static, [u8]>, Thrown> {
    buffer_of(given, given.at(n))
}

/// The same of any value.
///
/// # Errors
/// A `TypeError` if it is no string of bytes.
pub fn buffer_of(given: Given, value: Value) -> Result<Cow<'static, [u8]>, Thrown> {
    match bytes::of(&bytes_like(given.world, value, given.depth)?) {
        Some(data) => Ok(Cow::Owned(data.into_owned())),
        None => {
            let class = type_name(given.world, value);
            let message = format!("a bytes-like object is required, not '{class}'");
            Err(given.type_error(&message))
        }
    }
}

fn title(own: &[u8]) -> Vec<u8> {
    let mut in_word = false;
    let turned = own.iter().map(|byte| {
        let made = match in_word {
            true => byte.to_ascii_lowercase(),
            false => byte.to_ascii_uppercase(),
        };
        in_word = byte.is_ascii_alphabetic();
        made
    });
    turned.collect()
}

fn join(given: Given, object: Value, own: &[u8]) -> Outcome {
    let (world, list) = (given.world, given.at(1));
    let all = match collect::list_of(world, list, given.depth) {
        Ok(all) => all,
        Err(thrown) if iterate::is_iterable(world, list) => return Err(thrown),
        Err(_) => return Err(given.type_error("can only join an iterable")),
    };
    let mut made = Vec::new();
    for n in 0..all.len() {
        let part = bytes_like(world, all.at(n), given.depth)?;
        let Some(data) = bytes::of(&part) else {
            let class = type_name(world, part);
            let message = format!("sequence item {n}: expected a bytes-like object, {class} found");
            return Err(given.type_error(&message));
        };
        if n > 0 {
            made.extend(own);
        }
        made.extend(data.as_ref());
    }
    Ok(bytes::like(object, &made))
}

fn hex(given: Given, own: &[u8]) -> Outcome {
    let world = given.world;
    let mut sep = String::new();
    let chosen = given.named(1, "sep");
    if !chosen.is_unbound() {
        sep = match chosen {
            Value::Str(sep) => sep.as_str().to_string(),
            _ => match bytes::of(&chosen) {
                Some(sep) => sep.iter().map(|&byte| char::from(byte)).collect(),
                None => {
                    let class = type_name(world, chosen);
                    let message = format!("object of type '{class}' has no len()");
                    return Err(given.type_error(&message));
                }
            },
        };
        if sep.chars().count() != 1 {
            return Err(given.value_error("sep must be length 1."));
        }
        if !sep.is_ascii() {
            return Err(given.value_error("sep must be ASCII."));
        }
    }
    let per_sep = match given.named(2, "bytes_per_sep") {
        Value::Unbound => 1,
        count => given.int(count)?,
    };
    let group = per_sep.unsigned_abs() as usize;
    let mut made = String::with_capacity(own.len() * 2);
    for (n, byte) in own.iter().enumerate() {
        let before = if per_sep > 0 { own.len() - n } else { n };
        if n > 0 && group > 0 && before.is_multiple_of(group) {
            made += &sep;
        }
        made += &format!("{byte:02x}");
    }
    Ok(text(&made))
}

fn from_hex(given: Given) -> Outcome {
    let Value::Class(class) = given.at(0) else {
        return Err(given.wrong_object());
    };
    let Value::Str(written) = given.at(1) else {
        let name = type_name(given.world, given.at(1));
        let message = format!("fromhex() argument must be str, not {name}");
        return Err(given.type_error(&message));
    };
    let chars: Vec<char> = written.as_str().chars().collect();
    let mut data = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        if chars[at].is_ascii() && bytes::is_space(chars[at] as u8) {
            at += 1;
            continue;
        }
        let digit = |at: usize| {
            let found = chars.get(at).and_then(|c| c.to_digit(16));
            found.ok_or_else(|| {
                let what = "non-hexadecimal number found in fromhex() arg at position";
                given.value_error(&format!("{what} {at}"))
            })
        };
        data.push((digit(at)? * 16 + digit(at + 1)?) as u8);
        at += 2;
    }
    let is_array = class.layout == crate::heap::world::classes::BYTEARRAY;
    let made = match is_array {
        true => Value::ByteArray(bytes::array(&data)),
        false => crate::heap::value::bytes(&data),
    };
    instance_of(given, class, made)
}

/// A value as an instance of a class that derives from its own.
///
/// # Errors
/// What making it raises.
pub fn instance_of(given: Given, class: Gc<crate::heap::class::Class>, made: Value) -> Outcome {
    match class.builtin {
        true => Ok(made),
        false => {
            let args = Registers::new(1, made);
            call::value(
                given.world,
                Value::Class(class),
                call::plain(args),
                given.depth,
            )
        }
    }
}

fn make_table(given: Given) -> Outcome {
    let (from, to) = (buffer(given, 0)?, buffer(given, 1)?);
    if from.len() != to.len() {
        return Err(given.value_error("maketrans arguments must have same length"));
    }
    let mut table: Vec<u8> = (0..=255).collect();
    for (n, &byte) in from.iter().enumerate() {
        table[usize::from(byte)] = to[n];
    }
    Ok(crate::heap::value::bytes(&table))
}

fn translate(given: Given, object: Value, own: &[u8]) -> Outcome {
    let table = match given.at(1) {
        Value::None => None,
        _ => Some(buffer(given, 1)?),
    };
    if table.as_ref().is_some_and(|table| table.len() != 256) {
        let message = "translation table must be 256 characters long";
        return Err(given.value_error(message));
    }
    let delete = match given.named(2, "delete") {
        Value::Unbound => Cow::Owned(Vec::new()),
        delete => buffer_of(given, delete)?,
    };
    let kept = own.iter().filter(|byte| !delete.contains(byte));
    let made: Vec<u8> = kept
        .map(|&byte| {
            table
                .as_ref()
                .map_or(byte, |table| table[usize::from(byte)])
        })
        .collect();
    Ok(bytes::like(object, &made))
}

fn justify(given: Given, object: Value, own: &[u8]) -> Outcome {
    let width = given.int(given.at(1))?.max(0) as usize;
    let filler = given.at(2);
    let fill = match bytes::of(&filler).as_deref() {
        None if filler.is_unbound() => b' ',
        Some([fill]) => *fill,
        _ => {
            let (name, class) = (given.name(), type_name(given.world, filler));
            let message =
                format!("{name}() argument 2 must be a byte string of length 1, not {class}");
            return Err(given.type_error(&message));
        }
    };
    let missing = width.saturating_sub(own.len());
    let left = match given.id {
        BYTES_LJUST => 0,
        BYTES_RJUST => missing,
        // The odd one goes to the left if the width is odd.
        _ => missing / 2 + (missing & width & 1),
    };
    let made = [
        vec![fill; left].as_slice(),
        own,
        &vec![fill; missing - left],
    ]
    .concat();
    Ok(bytes::like(object, &made))
}

fn expand_tabs(given: Given, object: Value, own: &[u8]) -> Outcome {
    let size = match given.named(1, "tabsize") {
        Value::Unbound => 8,
        size => given.int(size)?.max(0) as usize,
    };
    let (mut made, mut column) = (Vec::new(), 0);
    for &byte in own {
        if byte == b'\t' {
            let spaces = if size > 0 { size - column % size } else { 0 };
            made.extend(vec![b' '; spaces]);
            column += spaces;
            continue;
        }
        made.push(byte);
        column = if matches!(byte, b'\n' | b'\r') {
            0
        } else {
            column + 1
        };
    }
    Ok(bytes::like(object, &made))
}

/// What is looked for: a string of bytes, or one byte.
///
/// # Errors
/// A `TypeError` or a `ValueError` if it is neither.
pub fn wanted(given: Given) -> Result<Vec<u8>, Thrown> {
    let value = instance::plain(given.at(1));
    if let Some(data) = bytes::of(&value) {
        return Ok(data.into_owned());
    }
    match collect::index(given.world, value, given.depth) {
        Ok(_) => Ok(vec![byte(given.world, value, given.depth)?]),
        Err(_) => {
            let class = type_name(given.world, value);
            let message = format!("argument should be integer or bytes-like object, not '{class}'");
            Err(given.type_error(&message))
        }
    }
}

/// A tuple of strings of one kind.
pub fn tuple_of(object: Value, parts: &[&[u8]]) -> Value {
    let made = Tuple::new(parts.len(), Value::Unbound);
    for (n, part) in parts.iter().enumerate() {
        made[n].set(bytes::like(object, part));
    }
    Value::Tuple(made)
}
