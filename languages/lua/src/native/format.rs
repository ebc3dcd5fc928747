//! `string.format`. In: a format and arguments. Out: a string. Invariant: every directive that C
//! has and Lua keeps gives what C gives.
//!
//! Source: Lua 5.4 reference manual, `string.format`; the C standard, `fprintf`.

use super::check;
use super::names::STRING_FORMAT;
use super::outside;
use crate::concat;
use crate::fault::{self, Fault};
use crate::number;
use crate::string::LuaStr;
use crate::value::{Args, Returned, Value, World, one};
use language_support::decimal;
use verdigris::ByteBuffer;
use verdigris::{Word, prelude::*};

/// A directive: what stands between `%` and its letter.
#[derive(Default)]
struct Directive {
    left: bool,
    sign: bool,
    space: bool,
    alternative: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
}

/// `string.format`, for native code.
pub fn format(world: Gc<World>, args: Args, depth: i64) -> Result<Returned, Gc<Fault>> {
    let format = check::string(STRING_FORMAT, args, 0)?;
    let format = format.as_bytes();
    let mut out = ByteBuffer::with_capacity(format.len() + USUAL);
    let mut at = 0;
    let mut index = 0;
    while at < format.len() {
        let text = &format[at..];
        let literal = memchr::memchr(b'%', text).unwrap_or(text.len());
        out.extend_from_slice(&text[..literal]);
        at += literal + 1;
        if literal == text.len() {
            break;
        }
        if format.get(at) == Some(&b'%') {
            out.push(b'%');
            at += 1;
            continue;
        }
        index += 1;
        if index >= args.count {
            return Err(check::bad(STRING_FORMAT, index, "no value"));
        }
        let spanned = |byte: &u8| b"-+ #0123456789.".contains(byte);
        let count = format[at..].iter().take_while(|byte| spanned(byte)).count();
        if count + 1 >= MAX_DIRECTIVE {
            return Err(fault::message("invalid format string to 'format'"));
        }
        let inner = &format[at..at + count];
        let letter = format.get(at + count).copied().unwrap_or(0);
        at = (at + count + 1).min(format.len());
        if inner.is_empty() && append_plain(&mut out, letter, args.at(index)) {
            continue;
        }
        let directive = directive(inner, letter)?;
        if letter == b'q' {
            quote(&mut out, args.at(index), index)?;
            continue;
        }
        let text = one_argument(world, args, index, &directive, letter, depth)?;
        let Some(text) = text else {
            return Err(invalid(inner, letter));
        };
        out.extend_from_slice(&text);
    }
    Ok(one(Value::Str(LuaStr::new(&out))))
}

/// Room for what most directives add to the text.
const USUAL: usize = 32;

/// Appends a value for a directive that is a letter alone, if it is one of the usual.
fn append_plain(out: &mut ByteBuffer, letter: u8, value: Value) -> bool {
    match (letter, value) {
        (b'd' | b'i', Value::Int(_)) | (b's', Value::Int(_) | Value::Float(_) | Value::Str(_)) => {
            concat::append(out, value);
        }
        (b'c', Value::Int(code)) => out.push(code as u8),
        (b'x', Value::Int(number)) => out.extend_from_slice(format!("{number:x}").as_bytes()),
        _ => return false,
    }
    true
}

/// The characters from which on a directive is too long.
const MAX_DIRECTIVE: usize = 22;

fn shown(inner: &[u8], letter: u8) -> String {
    let mut whole = [b"%", inner].concat();
    if letter != 0 {
        whole.push(letter);
    }
    String::from_utf8_lossy(&whole).into_owned()
}

fn invalid(inner: &[u8], letter: u8) -> Gc<Fault> {
    let directive = shown(inner, letter);
    fault::message(&format!("invalid conversion '{directive}' to 'format'"))
}

/// The directive of a letter, with the flags and numbers that it may have.
fn directive(inner: &[u8], letter: u8) -> Result<Directive, Gc<Fault>> {
    let (flags, precision) = match letter {
        b'c' | b'p' => (&b"-"[..], false),
        b's' => (&b"-"[..], true),
        b'd' | b'i' => (&b"-+0 "[..], true),
        b'u' => (&b"-0"[..], true),
        b'x' | b'X' | b'o' => (&b"-#0"[..], true),
        b'q' if !inner.is_empty() => {
            return Err(fault::message("specifier '%q' cannot have modifiers"));
        }
        _ => (&b"-+ #0"[..], true),
    };
    let count = inner.iter().take_while(|byte| flags.contains(byte)).count();
    let (directive, end) = parse(inner);
    let too_far = inner[count..].first() == Some(&b'0') || end < inner.len();
    let no_flags = directive_flags(inner) > count;
    let no_precision = directive.precision.is_some() && !precision;
    if letter.is_ascii_alphabetic() && (too_far || no_flags || no_precision) {
        let directive = shown(inner, letter);
        return Err(fault::message(&format!(
            "invalid conversion specification: '{directive}'"
        )));
    }
    Ok(directive)
}

/// How many flags a directive begins with, whatever they are.
fn directive_flags(inner: &[u8]) -> usize {
    inner
        .iter()
        .take_while(|byte| b"-+ #0".contains(byte))
        .count()
}

/// A directive, and how far it goes.
fn parse(format: &[u8]) -> (Directive, usize) {
    let mut at = 0;
    let mut directive = Directive::default();
    while let Some(&byte) = format.get(at) {
        match byte {
            b'-' => directive.left = true,
            b'+' => directive.sign = true,
            b' ' => directive.space = true,
            b'#' => directive.alternative = true,
            b'0' => directive.zero = true,
            _ => break,
        }
        at += 1;
    }
    let digits = |at: &mut usize| {
        let mut value = 0;
        let first = *at;
        while *at < first + 2 && format.get(*at).is_some_and(u8::is_ascii_digit) {
            value = value * 10 + usize::from(format[*at] - b'0');
            *at += 1;
        }
        value
    };
    directive.width = digits(&mut at);
    if format.get(at) == Some(&b'.') {
        at += 1;
        directive.precision = Some(digits(&mut at));
    }
    (directive, at)
}

/// The text of an argument; `None` if there is no such directive.
fn one_argument(
    world: Gc<World>,
    args: Args,
    index: usize,
    directive: &Directive,
    letter: u8,
    depth: i64,
) -> Result<Option<Vec<u8>>, Gc<Fault>> {
    let text = match letter {
        b'd' | b'i' => {
            let value = check::integer(STRING_FORMAT, args, index)?;
            let digits = value.unsigned_abs().to_string();
            let digits = with_precision(digits, directive, value == 0);
            numeric(
                directive,
                value < 0,
                "",
                &digits,
                directive.precision.is_none(),
            )
        }
        b'u' => {
            let value = check::integer(STRING_FORMAT, args, index)?;
            let digits = with_precision((value as u64).to_string(), directive, value == 0);
            numeric(directive, false, "", &digits, directive.precision.is_none())
        }
        b'x' | b'X' | b'o' => {
            let value = check::integer(STRING_FORMAT, args, index)?;
            let (digits, prefix) = match letter {
                b'x' => (format!("{value:x}"), "0x"),
                b'X' => (format!("{value:X}"), "0X"),
                _ => (format!("{value:o}"), "0"),
            };
            let digits = with_precision(digits, directive, value == 0);
            let prefix = if directive.alternative && value != 0 {
                prefix
            } else {
                ""
            };
            unsigned(directive, prefix, &digits)
        }
        b'c' => {
            let value = check::integer(STRING_FORMAT, args, index)?;
            padded(directive, vec![value as u8])
        }
        b'e' | b'E' | b'f' | b'g' | b'G' | b'a' | b'A' => {
            let value = check::float(STRING_FORMAT, args, index)?;
            float(directive, letter, value)
        }
        b's' => {
            let text = outside::to_text(world, args.at(index), depth)?;
            let mut bytes = text.as_bytes().to_vec();
            if directive.width == 0 && directive.precision.is_none() && !directive.left {
                return Ok(Some(bytes));
            }
            if bytes.contains(&0) {
                return Err(check::bad(STRING_FORMAT, index, "string contains zeros"));
            }
            if let Some(precision) = directive.precision {
                bytes.truncate(precision);
            }
            padded(directive, bytes)
        }
        b'p' => {
            let text = match args.at(index) {
                Value::Table(t) => format!("{:#x}", t.to_word()),
                Value::Function(f) => format!("{:#x}", f.to_word()),
                Value::Native(n) => format!("{:#x}", n.to_word()),
                Value::Thread(t) => format!("{:#x}", t.to_word()),
                Value::Str(s) => format!("{:#x}", s.to_word()),
                _ => "(null)".to_string(),
            };
            padded(directive, text.into_bytes())
        }
        _ => return Ok(None),
    };
    Ok(Some(text))
}

/// Digits with zeros before them, as many as the precision asks for.
fn with_precision(digits: String, directive: &Directive, zero: bool) -> String {
    match directive.precision {
        Some(0) if zero => String::new(),
        Some(precision) => format!(
            "{}{digits}",
            "0".repeat(precision.saturating_sub(digits.len()))
        ),
        None => digits,
    }
}

/// A number with its sign, filled up with blanks or zeros.
fn numeric(
    directive: &Directive,
    negative: bool,
    prefix: &str,
    digits: &str,
    zeros: bool,
) -> Vec<u8> {
    let sign = match (negative, directive.sign, directive.space) {
        (true, ..) => "-",
        (_, true, _) => "+",
        (_, _, true) => " ",
        _ => "",
    };
    let len = sign.len() + prefix.len() + digits.len();
    if zeros && directive.zero && !directive.left && len < directive.width {
        let fill = "0".repeat(directive.width - len);
        return format!("{sign}{prefix}{fill}{digits}").into_bytes();
    }
    let text = match sign.is_empty() && prefix.is_empty() {
        true => digits.to_string(),
        false => [sign, prefix, digits].concat(),
    };
    padded(directive, text.into_bytes())
}

fn unsigned(directive: &Directive, prefix: &str, digits: &str) -> Vec<u8> {
    let plain = Directive {
        left: directive.left,
        zero: directive.zero,
        width: directive.width,
        ..Directive::default()
    };
    numeric(&plain, false, prefix, digits, directive.precision.is_none())
}

fn padded(directive: &Directive, mut text: Vec<u8>) -> Vec<u8> {
    let missing = directive.width.saturating_sub(text.len());
    if missing == 0 {
        return text;
    }
    if directive.left {
        text.resize(directive.width, b' ');
        return text;
    }
    let mut full = vec![b' '; missing];
    full.extend(text);
    full
}

fn float(directive: &Directive, letter: u8, value: f64) -> Vec<u8> {
    let negative = value.is_sign_negative() && !value.is_nan();
    let size = value.abs();
    let precision = directive.precision.unwrap_or(6);
    let text = if value.is_nan() {
        "-nan".to_string()
    } else if value.is_infinite() {
        "inf".to_string()
    } else {
        match letter.to_ascii_lowercase() {
            b'f' => {
                let point = if directive.alternative && precision == 0 {
                    "."
                } else {
                    ""
                };
                decimal::fixed(size, precision) + point
            }
            b'e' => {
                let text = format!("{size:.precision$e}");
                let (mantissa, exponent) = text.split_once('e').expect("there is an exponent");
                let exponent = exponent.parse().expect("it is a number");
                format!("{mantissa}{}", number::exponent_text(exponent))
            }
            b'g' => number::general(size, precision, directive.alternative),
            _ => hexadecimal(size, directive.precision, directive.alternative),
        }
    };
    let text = if letter.is_ascii_uppercase() {
        text.to_ascii_uppercase()
    } else {
        text
    };
    if value.is_finite() {
        let (prefix, digits) = match text.strip_prefix("0x").or(text.strip_prefix("0X")) {
            Some(digits) => (&text[..2], digits),
            None => ("", text.as_str()),
        };
        return numeric(directive, negative, prefix, digits, true);
    }
    numeric(directive, negative, "", &text, false)
}

/// A float that is not negative in hexadecimal, as C's `%a` shows it.
fn hexadecimal(value: f64, precision: Option<usize>, alternative: bool) -> String {
    let bits = value.to_bits();
    let exponent = (bits >> 52) as i64;
    let mantissa = bits & ((1 << 52) - 1);
    let (mut whole, exponent) = match (exponent, mantissa) {
        (0, 0) => (0u64, 0),
        (0, _) => (0, -1022),
        _ => (1, exponent - 1023),
    };
    let mut digits = format!("{mantissa:013x}");
    match precision {
        None => digits.truncate(digits.trim_end_matches('0').len()),
        Some(precision) if precision < 13 => {
            let shift = 4 * (13 - precision) as u32;
            let full = whole << 52 | mantissa;
            let (kept, rest) = (full >> shift, full & ((1 << shift) - 1));
            let half = 1u64 << (shift - 1);
            let up = rest > half || (rest == half && kept & 1 == 1);
            let rounded = kept + u64::from(up);
            whole = rounded >> (4 * precision);
            let part = rounded & ((1u64 << (4 * precision)) - 1);
            digits = if precision == 0 {
                String::new()
            } else {
                format!("{part:0precision$x}")
            };
        }
        Some(precision) => digits += &"0".repeat(precision - 13),
    }
    let point = if digits.is_empty() && !alternative {
        ""
    } else {
        "."
    };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("0x{whole}{point}{digits}p{sign}{}", exponent.abs())
}

/// Appends a value as a literal that reads back as it.
fn quote(out: &mut ByteBuffer, value: Value, index: usize) -> Result<(), Gc<Fault>> {
    match value {
        Value::Str(s) => quote_string(out, s.as_bytes()),
        Value::Int(i64::MIN) => out.extend_from_slice(b"0x8000000000000000"),
        Value::Int(_) => concat::append(out, value),
        Value::Float(f) if f.is_nan() => out.extend_from_slice(b"(0/0)"),
        Value::Float(f) if f.is_infinite() => {
            let literal = if f > 0.0 { "1e9999" } else { "-1e9999" };
            out.extend_from_slice(literal.as_bytes());
        }
        Value::Float(f) => {
            let sign = if f.is_sign_negative() { "-" } else { "" };
            out.extend_from_slice(sign.as_bytes());
            out.extend_from_slice(hexadecimal(f.abs(), None, false).as_bytes());
        }
        Value::Nil => out.extend_from_slice(b"nil"),
        Value::Bool(b) => out.extend_from_slice(b.to_string().as_bytes()),
        _ => {
            return Err(check::bad(
                STRING_FORMAT,
                index,
                "value has no literal form",
            ));
        }
    }
    Ok(())
}

fn quote_string(out: &mut ByteBuffer, bytes: &[u8]) {
    let is_special = |byte: &u8| byte.is_ascii_control() || b"\"\\".contains(byte);
    out.reserve(bytes.len() + 2);
    out.push(b'"');
    let mut rest = bytes;
    while let Some(at) = rest.iter().position(is_special) {
        let (plain, special) = rest.split_at(at);
        let byte = special[0];
        rest = &special[1..];
        out.extend_from_slice(plain);
        if b"\"\\\n".contains(&byte) {
            out.extend_from_slice(&[b'\\', byte]);
        } else if rest.first().is_some_and(u8::is_ascii_digit) {
            // A digit behind it would be read as one of its own.
            out.extend_from_slice(format!("\\{byte:03}").as_bytes());
        } else {
            out.extend_from_slice(format!("\\{byte}").as_bytes());
        }
    }
    out.extend_from_slice(rest);
    out.push(b'"');
}
