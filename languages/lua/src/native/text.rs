//! The functions of `string` that traced code looks into, and those that only compute. In:
//! arguments. Out: strings, numbers. Invariant: positions count from 1, negative ones from the end;
//! what is outside of the string is cut off.

use super::check;
use crate::fault::Fault;
use crate::interned;
use crate::string::LuaStr;
use crate::value::{Args, Returned, Value, Values, World, one, several};
use verdigris::prelude::*;

/// A first position, from 1 on.
#[inline]
pub fn start(position: i64, len: usize) -> i64 {
    if position > 0 {
        position
    } else if position == 0 || position < -(len as i64) {
        1
    } else {
        len as i64 + position + 1
    }
}

/// A last position, at most the length.
#[inline]
pub fn end(position: i64, len: usize) -> i64 {
    if position > len as i64 {
        len as i64
    } else if position >= 0 {
        position
    } else if position < -(len as i64) {
        0
    } else {
        len as i64 + position + 1
    }
}

/// `string.sub`; of one byte, a string that is there already.
#[inline]
pub fn sub(world: Gc<World>, id: usize, args: Args) -> Result<Returned, Gc<Fault>> {
    let s = check::string(id, args, 0)?;
    let from = start(check::integer(id, args, 1)?, s.len());
    let to = end(check::integer_or(id, args, 2, -1)?, s.len());
    if from == to {
        let byte = s.bytes[from as usize - 1];
        return Ok(one(Value::Str(interned::character(world, byte))));
    }
    Ok(one(Value::Str(slice(s, from, to))))
}

/// The bytes from one position to another.
#[opaque]
fn slice(s: Gc<LuaStr>, from: i64, to: i64) -> Gc<LuaStr> {
    if from > to {
        return LuaStr::new(b"");
    }
    if from == 1 && to as usize == s.len() {
        return s;
    }
    LuaStr::new(&s.as_bytes()[from as usize - 1..to as usize])
}

/// `string.byte`
#[inline]
pub fn byte(id: usize, args: Args) -> Result<Returned, Gc<Fault>> {
    let s = check::string(id, args, 0)?;
    let first = check::integer_or(id, args, 1, 1)?;
    let from = start(first, s.len());
    if args.at(2).is_nil() && from >= 1 && from as usize <= s.len() && first != 0 {
        return Ok(one(Value::Int(i64::from(s.bytes[from as usize - 1]))));
    }
    let to = end(check::integer_or(id, args, 2, first)?, s.len());
    Ok(several(bytes(s, from, to)))
}

/// The bytes from one position to another as numbers.
#[opaque]
fn bytes(s: Gc<LuaStr>, from: i64, to: i64) -> Values {
    if from > to {
        return Values::new(0, Value::Nil);
    }
    let (start, count) = (from as usize - 1, (to - from + 1) as usize);
    let bytes = s.bytes;
    let list = Values::new(count, Value::Nil);
    for n in 0..count {
        list[n].set(Value::Int(i64::from(bytes[start + n])));
    }
    list
}
