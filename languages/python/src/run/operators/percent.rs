//! `pattern % values`. In: a string and values. Out: a string.
//!
//! Source: "printf-style String Formatting" of Python's library reference, 3.11.

use crate::heap::class;
use crate::heap::exception::Thrown;
use crate::heap::instance;
use crate::heap::value::{Text, Value, text};
use crate::heap::world::{World, class_of, intern, names, type_name};
use crate::plain::bigint;
use crate::plain::bytes;
use crate::plain::fault;
use crate::plain::number;
use crate::plain::spec;
use crate::run::call;
use crate::run::items::keys;
use crate::run::native::collect;
use crate::run::text::show;
use verdigris::prelude::*;

/// A conversion of a pattern.
#[derive(Default)]
struct Conversion {
    left: bool,
    plus: bool,
    space: bool,
    zero: bool,
    alternate: bool,
    width: usize,
    precision: Option<usize>,
}

/// `pattern % values`
///
/// # Errors
/// What is wrong with the pattern, and what functions of the program raise.
#[opaque]
pub fn format(
    world: Gc<World>,
    pattern: Gc<Text>,
    values: Value,
    depth: i64,
) -> Result<Value, Thrown> {
    Ok(text(&formatted(
        world,
        pattern.as_str(),
        values,
        false,
        depth,
    )?))
}

/// The same of bytes. Each is a character of the same number.
///
/// # Errors
/// As [`format()`].
#[opaque]
pub fn format_bytes(
    world: Gc<World>,
    pattern: Value,
    values: Value,
    depth: i64,
) -> Result<Value, Thrown> {
    let own = bytes::of(&pattern).unwrap_or_default();
    let made = formatted(world, &as_chars(&own), values, true, depth)?;
    Ok(bytes::like(pattern, &as_bytes(&made)))
}

fn as_chars(data: &[u8]) -> String {
    data.iter().map(|&byte| char::from(byte)).collect()
}

fn as_bytes(text: &str) -> Vec<u8> {
    text.chars().map(|c| u32::from(c) as u8).collect()
}

fn formatted(
    world: Gc<World>,
    pattern: &str,
    values: Value,
    is_bytes: bool,
    depth: i64,
) -> Result<String, Thrown> {
    let mut made = String::new();
    let mut chars = pattern.chars().enumerate().peekable();
    let mut used = 0;
    let mut next_value = || {
        let value = match values {
            Value::Tuple(all) if used < all.len() => Some(all[used].get()),
            Value::Tuple(_) => None,
            _ if used == 0 => Some(values),
            _ => None,
        };
        used += 1;
        value.ok_or_else(|| fault::type_error(world, "not enough arguments for format string"))
    };
    let mut has_names = false;
    while let Some((_, c)) = chars.next() {
        if c != '%' {
            made.push(c);
            continue;
        }
        let incomplete = || fault::value_error(world, "incomplete format");
        let mut named = None;
        if chars.peek().is_some_and(|&(_, c)| c == '(') {
            chars.next();
            let mut name = String::new();
            let mut open = 1;
            loop {
                let (_, c) = chars
                    .next()
                    .ok_or_else(|| fault::value_error(world, "incomplete format key"))?;
                open += match c {
                    '(' => 1,
                    ')' => -1,
                    _ => 0,
                };
                if open == 0 {
                    break;
                }
                name.push(c);
            }
            let Value::Dict(dict) = values else {
                return Err(fault::type_error(world, "format requires a mapping"));
            };
            let key = match is_bytes {
                true => crate::heap::value::bytes(&as_bytes(&name)),
                false => text(&name),
            };
            let found = keys::get(world, dict, key, depth)?;
            if found.is_unbound() {
                return Err(fault::no_key(world, key));
            }
            named = Some(found);
            has_names = true;
        }
        let mut conversion = Conversion::default();
        while let Some(&(_, c)) = chars.peek() {
            match c {
                '-' => conversion.left = true,
                '+' => conversion.plus = true,
                ' ' => conversion.space = true,
                '0' => conversion.zero = true,
                '#' => conversion.alternate = true,
                _ => break,
            }
            chars.next();
        }
        let mut number =
            |chars: &mut std::iter::Peekable<_>| read_number(world, chars, &mut next_value);
        if let Some(width) = number(&mut chars)? {
            conversion.left |= width < 0;
            conversion.width = width.unsigned_abs() as usize;
        }
        if chars.peek().is_some_and(|&(_, c)| c == '.') {
            chars.next();
            let precision = number(&mut chars)?.unwrap_or(0);
            conversion.precision = Some(precision.max(0) as usize);
        }
        while chars.peek().is_some_and(|&(_, c)| "hlL".contains(c)) {
            chars.next();
        }
        let (at, kind) = chars.next().ok_or_else(incomplete)?;
        if kind == '%' {
            made.push('%');
            continue;
        }
        let is_known = "diouxXeEfFgGcrsa".contains(kind) || is_bytes && kind == 'b';
        if !is_known {
            let message = format!(
                "unsupported format character '{kind}' (0x{:x}) at index {at}",
                kind as u32
            );
            return Err(fault::value_error(world, &message));
        }
        let value = match named {
            Some(value) => value,
            None => next_value()?,
        };
        made += &match (is_bytes, kind) {
            (true, 's' | 'b') => conversion.padded("", &part_of(world, value, depth)?, false),
            (true, 'c') => conversion.padded("", &byte_of(world, value)?, false),
            (true, 'r') => conversion.apply(world, 'a', value, depth)?,
            _ => conversion.apply(world, kind, value, depth)?,
        };
    }
    let is_left = match values {
        Value::Tuple(all) => used < all.len(),
        Value::Dict(_) => false,
        _ => used == 0 && !has_names,
    };
    if is_left {
        let what = if is_bytes { "bytes" } else { "string" };
        let message = format!("not all arguments converted during {what} formatting");
        return Err(fault::type_error(world, &message));
    }
    Ok(made)
}

/// A number in the pattern, or among the values if it is a star.
fn read_number(
    world: Gc<World>,
    chars: &mut std::iter::Peekable<impl Iterator<Item = (usize, char)>>,
    next_value: &mut impl FnMut() -> Result<Value, Thrown>,
) -> Result<Option<i64>, Thrown> {
    if chars.peek().is_some_and(|&(_, c)| c == '*') {
        chars.next();
        return match next_value()? {
            Value::Int(n) => Ok(Some(n)),
            _ => Err(fault::type_error(world, "* wants int")),
        };
    }
    let mut found = None;
    while let Some(digit) = chars.peek().and_then(|&(_, c)| c.to_digit(10)) {
        chars.next();
        found = Some(found.unwrap_or(0i64).saturating_mul(10) + i64::from(digit));
    }
    match found {
        Some(n) if n > i64::from(i32::MAX) => Err(fault::value_error(world, "width too big")),
        found => Ok(found),
    }
}

impl Conversion {
    fn apply(
        &self,
        world: Gc<World>,
        kind: char,
        value: Value,
        depth: i64,
    ) -> Result<String, Thrown> {
        let (sign, body) = match kind {
            's' => return Ok(self.padded("", &show::text(world, value, depth)?, false)),
            'r' => return Ok(self.padded("", &show::repr(world, value, depth)?, false)),
            'a' => {
                let shown = show::ascii(&show::repr(world, value, depth)?);
                return Ok(self.padded("", &shown, false));
            }
            'c' => return Ok(self.padded("", &character(world, value)?, false)),
            'e' | 'E' | 'f' | 'F' | 'g' | 'G' => {
                let x = match number::without_bool(value) {
                    Value::Int(_) | Value::Big(_) | Value::Float(_) => {
                        number::as_float(world, number::without_bool(value))?
                    }
                    _ => collect::float(world, value, depth)
                        .map_err(|_| wrong(world, "must be real number", value))?,
                };
                let precision = self.precision.unwrap_or(6);
                let digits = spec::digits(kind, x.abs(), precision, self.alternate);
                let negative = x.is_sign_negative() && !x.is_nan();
                (self.sign(negative), digits.unwrap_or_default())
            }
            _ => self.integer(world, kind, value, depth)?,
        };
        Ok(self.padded(&sign, &body, true))
    }

    /// A text in the width. Of one that is no number the precision says how much is taken.
    fn padded(&self, sign: &str, body: &str, is_number: bool) -> String {
        let most = if is_number { None } else { self.precision };
        let body: String = body.chars().take(most.unwrap_or(usize::MAX)).collect();
        let missing = self
            .width
            .saturating_sub(sign.chars().count() + body.chars().count());
        if self.left {
            format!("{sign}{body}{}", " ".repeat(missing))
        } else if self.zero && is_number {
            format!("{sign}{}{body}", "0".repeat(missing))
        } else {
            format!("{}{sign}{body}", " ".repeat(missing))
        }
    }

    fn sign(&self, negative: bool) -> String {
        match (negative, self.plus, self.space) {
            (true, _, _) => "-",
            (false, true, _) => "+",
            (false, false, true) => " ",
            _ => "",
        }
        .to_string()
    }

    fn integer(
        &self,
        world: Gc<World>,
        kind: char,
        value: Value,
        depth: i64,
    ) -> Result<(String, String), Thrown> {
        let number = match value {
            Value::Int(_) | Value::Big(_) => value,
            Value::Bool(b) => Value::Int(i64::from(b)),
            Value::Float(x) if "diu".contains(kind) && x.is_finite() => bigint::of_float(x),
            Value::Instance(_) if "diu".contains(kind) && has_int(world, value) => {
                let found = class::lookup(class_of(world, value), world.names[names::INT]);
                call::method(world, found, value, call::nothing(), depth)?
            }
            _ => collect::index(world, value, depth).map_err(|_| {
                let name = type_name(world, value);
                let what = match "diu".contains(kind) {
                    true => "a real number is required",
                    false => "an integer is required",
                };
                let message = format!("%{kind} format: {what}, not {name}");
                fault::type_error(world, &message)
            })?,
        };
        let (base, prefix) = match kind {
            'o' => (8, "0o"),
            'x' => (16, "0x"),
            'X' => (16, "0X"),
            _ => (10, ""),
        };
        let digits = bigint::digits(number, base);
        let mut digits = digits.trim_start_matches('-').to_string();
        if kind == 'X' {
            digits = digits.to_uppercase();
        }
        if let Some(precision) = self.precision {
            digits = "0".repeat(precision.saturating_sub(digits.len())) + &digits;
        }
        let mut sign = self.sign(bigint::is_negative(number));
        if self.alternate {
            sign += prefix;
        }
        Ok((sign, digits))
    }
}

fn character(world: Gc<World>, value: Value) -> Result<String, Thrown> {
    match value {
        Value::Str(text) if text.chars == 1 => Ok(text.as_str().to_string()),
        Value::Int(x) => match u32::try_from(x).ok().and_then(char::from_u32) {
            Some(c) => Ok(c.to_string()),
            None => {
                let message = "%c arg not in range(0x110000)";
                Err(fault::new(
                    world,
                    crate::heap::world::classes::OVERFLOW_ERROR,
                    message,
                ))
            }
        },
        _ => Err(fault::type_error(world, "%c requires int or char")),
    }
}

/// What `%b` of bytes puts in.
fn part_of(world: Gc<World>, value: Value, depth: i64) -> Result<String, Thrown> {
    if let Some(data) = bytes::of(&instance::plain(value)) {
        return Ok(as_chars(&data));
    }
    let found = class::lookup(class_of(world, value), intern(world, "__bytes__"));
    if let (Value::Instance(_), false) = (value, found.is_unbound()) {
        let made = call::method(world, found, value, call::nothing(), depth)?;
        if let Value::Bytes(made) = instance::plain(made) {
            return Ok(as_chars(made.as_slice()));
        }
        let name = type_name(world, made);
        let message = format!("__bytes__ returned non-bytes (type {name})");
        return Err(fault::type_error(world, &message));
    }
    let name = type_name(world, value);
    let message = format!(
        "%b requires a bytes-like object, or an object that implements __bytes__, not '{name}'"
    );
    Err(fault::type_error(world, &message))
}

/// What `%c` of bytes puts in.
fn byte_of(world: Gc<World>, value: Value) -> Result<String, Thrown> {
    match (value, bytes::of(&value).as_deref()) {
        (_, Some([byte])) => Ok(char::from(*byte).to_string()),
        (Value::Int(x @ 0..256), _) => Ok(char::from(x as u8).to_string()),
        (Value::Int(_) | Value::Big(_), _) => {
            let message = "%c arg not in range(256)";
            let class = crate::heap::world::classes::OVERFLOW_ERROR;
            Err(fault::new(world, class, message))
        }
        _ => {
            let message = "%c requires an integer in range(256) or a single byte";
            Err(fault::type_error(world, message))
        }
    }
}

fn wrong(world: Gc<World>, what: &str, value: Value) -> Thrown {
    let name = type_name(world, value);
    fault::type_error(world, &format!("{what}, not {name}"))
}

/// Whether an object has `__int__` and no `__index__`, which would be asked first.
fn has_int(world: Gc<World>, value: Value) -> bool {
    let has = |name: usize| !class::lookup(class_of(world, value), world.names[name]).is_unbound();
    has(names::INT) && !has(names::INDEX)
}
