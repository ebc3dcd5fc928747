//! Concatenation. In: values. Out: a string, or a fault. Invariant: what is built of many strings
//! is copied once.

use crate::arith;
use crate::call;
use crate::fault::{self, Fault};
use crate::meta;
use crate::number;
use crate::string::LuaStr;
use crate::value::{Value, Values, World};
use verdigris::ByteBuffer;
use verdigris::prelude::*;

/// Concatenates `count` registers.
#[inline]
pub fn values(
    world: Gc<World>,
    r: Values,
    first: usize,
    count: usize,
    depth: i64,
) -> Result<Value, Gc<Fault>> {
    if count == 2 {
        let (a, b) = (r[first].get(), r[first + 1].get());
        if is_text(a) && is_text(b) {
            return Ok(Value::Str(two(a, b)));
        }
        return pair(world, a, b, depth);
    }
    let list = Values::new(count, Value::Nil);
    if copy_texts(r, first, count, list) {
        return Ok(Value::Str(all(list)));
    }
    from_right(world, r, first, count, depth)
}

/// Whether a value is a string or a number.
#[inline]
fn is_text(value: Value) -> bool {
    matches!(value, Value::Str(_) | Value::Int(_) | Value::Float(_))
}

/// Copies registers to a list; whether all are strings or numbers.
#[unroll_safe]
#[inline]
fn copy_texts(r: Values, first: usize, count: usize, list: Values) -> bool {
    let mut texts = true;
    for n in 0..count {
        let value = r[first + n].get();
        if !is_text(value) {
            texts = false;
        }
        list[n].set(value);
    }
    texts
}

/// Concatenates two at a time from the right, as metamethods expect it.
#[unroll_safe]
fn from_right(
    world: Gc<World>,
    r: Values,
    first: usize,
    count: usize,
    depth: i64,
) -> Result<Value, Gc<Fault>> {
    let mut result = r[first + count - 1].get();
    let mut n = count - 1;
    while n > 0 {
        n -= 1;
        let left = r[first + n].get();
        result = if is_text(left) && is_text(result) {
            Value::Str(two(left, result))
        } else {
            let handler = arith::either_handler(world, left, result, meta::CONCAT);
            if handler.is_nil() {
                return Err(fault::not_concatenated(world, left, result, n));
            }
            call::with_two(world, handler, left, result, depth)?.first
        };
    }
    Ok(result)
}

/// Two values of which one is no text.
fn pair(world: Gc<World>, a: Value, b: Value, depth: i64) -> Result<Value, Gc<Fault>> {
    let handler = arith::either_handler(world, a, b, meta::CONCAT);
    if handler.is_nil() {
        return Err(fault::wrong_operands(world, fault::CONCATENATE, a, b));
    }
    Ok(call::with_two(world, handler, a, b, depth)?.first)
}

/// The text of two values behind each other. What it promises cannot be read off its source: that
/// writes floats by functions of another crate.
#[opaque(writes())]
fn two(a: Value, b: Value) -> Gc<LuaStr> {
    if let (Value::Str(a), Value::Str(b)) = (a, b) {
        if b.is_empty() {
            return a;
        }
        if a.is_empty() {
            return b;
        }
        return LuaStr::joined(a.as_bytes(), b.as_bytes());
    }
    let mut room = [0; INT_DIGITS];
    match (a, b) {
        (Value::Str(a), Value::Int(b)) => LuaStr::joined(a.as_bytes(), digits(b, &mut room)),
        (Value::Int(a), Value::Str(b)) => LuaStr::joined(digits(a, &mut room), b.as_bytes()),
        _ => {
            let mut text = ByteBuffer::with_capacity(64);
            append(&mut text, a);
            append(&mut text, b);
            LuaStr::new(&text)
        }
    }
}

/// The most digits of an integer, with its sign.
const INT_DIGITS: usize = 20;

/// The text of an integer.
fn digits(number: i64, room: &mut [u8; INT_DIGITS]) -> &[u8] {
    let (mut rest, mut at) = (number.unsigned_abs(), INT_DIGITS);
    loop {
        at -= 1;
        room[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if number < 0 {
        at -= 1;
        room[at] = b'-';
    }
    &room[at..]
}

/// The text of values behind each other. It promises the same.
#[opaque(writes())]
fn all(list: Values) -> Gc<LuaStr> {
    if let Some(text) = short(list) {
        return text;
    }
    let mut text = ByteBuffer::with_capacity(2 * SHORT);
    for n in 0..list.len() {
        append(&mut text, list[n].get());
    }
    LuaStr::new(&text)
}

/// How long a text may be that is put together on the stack.
const SHORT: usize = 120;

/// The text of values behind each other, if it is short and no float is in it.
fn short(list: Values) -> Option<Gc<LuaStr>> {
    let (mut text, mut len) = ([0; SHORT], 0);
    for n in 0..list.len() {
        let value = list[n].get();
        let mut room = [0; INT_DIGITS];
        let part = match &value {
            Value::Str(s) => s.as_bytes(),
            Value::Int(i) => digits(*i, &mut room),
            _ => return None,
        };
        text.get_mut(len..len + part.len())?.copy_from_slice(part);
        len += part.len();
    }
    Some(LuaStr::new(&text[..len]))
}

/// Appends the text of a string or number, for native code.
pub fn append(text: &mut ByteBuffer, value: Value) {
    match value {
        Value::Str(s) => text.extend_from_slice(s.as_bytes()),
        Value::Int(i) => text.extend_from_slice(digits(i, &mut [0; INT_DIGITS])),
        Value::Float(f) => text.extend_from_slice(number::show_float(f).as_bytes()),
        _ => {}
    }
}
