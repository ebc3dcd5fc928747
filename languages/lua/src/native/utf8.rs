//! The functions of `utf8`. In: strings, code points. Out: the same the other way round, positions.
//! Invariant: what is decoded is as short as it can be; code points go up to 2^31 where the program
//! asks for it, and else are those of Unicode.
//!
//! Source: Lua 5.4 reference manual, section 6.5.

use super::check;
use super::names::{UTF8_CHAR, UTF8_CODEPOINT, UTF8_LEN, UTF8_OFFSET};
use crate::fault::{self, Fault};
use crate::lexer;
use crate::string::LuaStr;
use crate::value::{Args, Returned, Value, Values, World, list2, one, several};
use verdigris::ByteBuffer;
use verdigris::prelude::*;

/// The pattern that matches one character.
pub const CHAR_PATTERN: &[u8] = b"[\0-\x7F\xC2-\xFD][\x80-\xBF]*";

type Called = Result<Returned, Gc<Fault>>;

fn invalid() -> Gc<Fault> {
    fault::message("invalid UTF-8 code")
}

/// Whether a byte goes on with a character.
fn continues(text: &[u8], at: usize) -> bool {
    text.get(at).is_some_and(|byte| byte & 0xc0 == 0x80)
}

/// The code point at a place, and how many bytes it has.
fn decode(text: &[u8], at: usize, strict: bool) -> Option<(u32, usize)> {
    let first = *text.get(at)?;
    if first < 0x80 {
        return Some((u32::from(first), 1));
    }
    let count = first.leading_ones() as usize;
    if !(2..=6).contains(&count) {
        return None;
    }
    let mut value = u32::from(first & (0x7f >> count));
    for n in 1..count {
        if !continues(text, at + n) {
            return None;
        }
        value = value << 6 | u32::from(text[at + n] & 0x3f);
    }
    // The least value of each length; a lower one has a shorter form.
    let least = [0x80, 0x800, 0x1_0000, 0x20_0000, 0x400_0000][count - 2];
    let surrogate = (0xd800..0xe000).contains(&value);
    if value < least || (strict && (value > 0x10_ffff || surrogate)) {
        return None;
    }
    Some((value, count))
}

/// A position as a number from 1 on; 0 for one in front of the string.
fn position(position: i64, len: usize) -> i64 {
    if position >= 0 {
        position
    } else if position < -(len as i64) {
        0
    } else {
        len as i64 + position + 1
    }
}

/// `utf8.char`
pub fn char(args: Args) -> Called {
    let mut out = ByteBuffer::new();
    for n in 0..args.count {
        match u32::try_from(check::integer(UTF8_CHAR, args, n)?) {
            Ok(code) if code < 1 << 31 => lexer::utf8(code, &mut out),
            _ => return Err(check::bad(UTF8_CHAR, n, "value out of range")),
        }
    }
    Ok(one(Value::Str(LuaStr::new(&out))))
}

/// `utf8.codepoint`
pub fn codepoint(args: Args) -> Called {
    let text = check::string(UTF8_CODEPOINT, args, 0)?;
    let text = text.as_bytes();
    let from = position(check::integer_or(UTF8_CODEPOINT, args, 1, 1)?, text.len());
    let to = position(
        check::integer_or(UTF8_CODEPOINT, args, 2, from)?,
        text.len(),
    );
    if from < 1 {
        return Err(check::bad(UTF8_CODEPOINT, 1, "out of bounds"));
    }
    if to > text.len() as i64 {
        return Err(check::bad(UTF8_CODEPOINT, 2, "out of bounds"));
    }
    let (strict, mut at) = (!args.at(3).truth(), from as usize - 1);
    let mut codes = Vec::new();
    while (at as i64) < to {
        let (code, count) = decode(text, at, strict).ok_or_else(invalid)?;
        codes.push(code);
        at += count;
    }
    let list = Values::new(codes.len(), Value::Nil);
    for (n, code) in codes.into_iter().enumerate() {
        list[n].set(Value::Int(i64::from(code)));
    }
    Ok(several(list))
}

/// `utf8.len`
pub fn len(args: Args) -> Called {
    let text = check::string(UTF8_LEN, args, 0)?;
    let text = text.as_bytes();
    let from = position(check::integer_or(UTF8_LEN, args, 1, 1)?, text.len());
    let to = position(check::integer_or(UTF8_LEN, args, 2, -1)?, text.len());
    if !(1..=text.len() as i64 + 1).contains(&from) {
        return Err(check::bad(UTF8_LEN, 1, "initial position out of bounds"));
    }
    if to > text.len() as i64 {
        return Err(check::bad(UTF8_LEN, 2, "final position out of bounds"));
    }
    let (strict, mut at, mut n) = (!args.at(3).truth(), from as usize - 1, 0);
    while (at as i64) < to {
        let Some((_, count)) = decode(text, at, strict) else {
            let at = Value::Int(at as i64 + 1);
            return Ok(several(list2(Value::Nil, at)));
        };
        at += count;
        n += 1;
    }
    Ok(one(Value::Int(n)))
}

/// `utf8.offset`
pub fn offset(args: Args) -> Called {
    let text = check::string(UTF8_OFFSET, args, 0)?;
    let text = text.as_bytes();
    let mut n = check::integer(UTF8_OFFSET, args, 1)?;
    let start = if n > 0 { 1 } else { text.len() as i64 + 1 };
    let at = position(check::integer_or(UTF8_OFFSET, args, 2, start)?, text.len()) - 1;
    if at < 0 || at > text.len() as i64 {
        return Err(check::bad(UTF8_OFFSET, 2, "position out of bounds"));
    }
    let mut at = at as usize;
    if n == 0 {
        while at > 0 && continues(text, at) {
            at -= 1;
        }
        return Ok(one(Value::Int(at as i64 + 1)));
    }
    if continues(text, at) {
        return Err(fault::message("initial position is a continuation byte"));
    }
    if n < 0 {
        while n < 0 && at > 0 {
            at -= 1;
            while at > 0 && continues(text, at) {
                at -= 1;
            }
            n += 1;
        }
    } else {
        n -= 1;
        while n > 0 && at < text.len() {
            at += 1;
            while continues(text, at) {
                at += 1;
            }
            n -= 1;
        }
    }
    Ok(one(match n {
        0 => Value::Int(at as i64 + 1),
        _ => Value::Nil,
    }))
}

/// `utf8.codes`: the iterator, the string, where it begins.
pub fn codes(world: Gc<World>, id: usize, args: Args) -> Called {
    let text = check::string(id, args, 0)?;
    let iterator = match args.at(1).truth() {
        true => world.utf8_next_lax,
        false => world.utf8_next,
    };
    let list = Values::new(3, Value::Native(iterator));
    list[1].set(Value::Str(text));
    list[2].set(Value::Int(0));
    Ok(several(list))
}

/// A step of that iterator.
pub fn next(world: Gc<World>, id: usize, args: Args, strict: bool) -> Called {
    let text = check::string(id, args, 0)?;
    let text = text.as_bytes();
    let mut at = check::integer(id, args, 1)? as usize;
    while continues(text, at) {
        at += 1;
    }
    if at >= text.len() {
        return Ok(several(world.nothing));
    }
    match decode(text, at, strict) {
        Some((code, count)) if !continues(text, at + count) => {
            let (at, code) = (Value::Int(at as i64 + 1), Value::Int(i64::from(code)));
            Ok(several(list2(at, code)))
        }
        _ => Err(invalid()),
    }
}
