//! The functions of the library that the JIT calls and does not look into, and that call nothing of
//! the program. In: arguments. Out: results, or a fault. Invariant: they change no table and no
//! register, so that compiled code knows what it knew before such a call.
//!
//! Source: Lua 5.4 reference manual, sections 6.4 and 6.5.

use super::check;
use super::names::*;
use super::pack;
use super::search;
use super::utf8;
use crate::dump;
use crate::fault::{self, Fault};
use crate::string::LuaStr;
use crate::value::{Args, Returned, Search, Value, Values, World, one, text};
use verdigris::ByteBuffer;
use verdigris::prelude::*;

type Called = Result<Returned, Gc<Fault>>;

/// For a function that has no text.
const NO_DUMP: &str = "unable to dump given function";

/// Calls a function. What it promises cannot be read off its source: that calls functions of other
/// crates.
#[opaque(writes(Search.*, crate::value::Output[], crate::value::Characters[]))]
pub fn call(world: Gc<World>, id: usize, values: Values, first: usize, count: usize) -> Called {
    let args = Args {
        values,
        first,
        count,
    };
    match id {
        STRING_UPPER => changed(id, args, <[u8]>::make_ascii_uppercase),
        STRING_LOWER => changed(id, args, <[u8]>::make_ascii_lowercase),
        STRING_REVERSE => changed(id, args, <[u8]>::reverse),
        STRING_REP => repeat(args),
        STRING_CHAR => characters(args),
        STRING_FIND => search::find(world, args),
        STRING_MATCH => search::matched(world, args),
        STRING_GMATCH => search::gmatch(args),
        STRING_GSUB => search::gsub(args),
        SEARCH_STEP => search::step(world, the_search(args)),
        SEARCH_NEXT => search::next(world, the_search(args), args.at(1)),
        SEARCH_FINISH => {
            let last = (args.count > 1).then(|| args.at(1));
            search::finish(the_search(args), last)
        }
        STRING_PACK => pack::pack(args),
        STRING_UNPACK => pack::unpack(args),
        STRING_PACKSIZE => pack::packsize(args),
        STRING_DUMP => match args.at(0) {
            Value::Function(closure) => match dump::dump(closure.proto, args.at(1).truth()) {
                Some(bytes) => Ok(one(Value::Str(LuaStr::new(&bytes)))),
                None => Err(fault::message(NO_DUMP)),
            },
            Value::Native(_) => Err(fault::message(NO_DUMP)),
            other => Err(check::mismatch(id, 0, 3, other, args.count > 0)),
        },
        UTF8_CHAR => utf8::char(args),
        UTF8_CODEPOINT => utf8::codepoint(args),
        UTF8_CODES => utf8::codes(world, id, args),
        UTF8_LEN => utf8::len(args),
        UTF8_OFFSET => utf8::offset(args),
        UTF8_NEXT => utf8::next(world, id, args, true),
        UTF8_NEXT_LAX => utf8::next(world, id, args, false),
        _ => unreachable!("function {id} of the library"),
    }
}

/// The search that the library gives its own functions.
fn the_search(args: Args) -> Gc<Search> {
    match args.at(0) {
        Value::Search(search) => search,
        _ => unreachable!("the library gives a search"),
    }
}

fn changed(id: usize, args: Args, change: fn(&mut [u8])) -> Called {
    let string = check::string(id, args, 0)?;
    let (mut room, len) = ([0; SHORT], string.len());
    if len <= SHORT {
        let bytes = &mut room[..len];
        bytes.copy_from_slice(string.as_bytes());
        change(bytes);
        return Ok(text(bytes));
    }
    let mut bytes = ByteBuffer::from(string.as_bytes());
    change(&mut bytes);
    Ok(text(&bytes))
}

/// How long a string is whose copy is changed on the stack.
const SHORT: usize = 120;

fn characters(args: Args) -> Called {
    let byte_at = |n| {
        u8::try_from(check::integer(STRING_CHAR, args, n)?)
            .map_err(|_| check::bad(STRING_CHAR, n, "value out of range"))
    };
    if args.count <= SHORT {
        let mut room = [0; SHORT];
        let bytes = &mut room[..args.count];
        for (n, byte) in bytes.iter_mut().enumerate() {
            *byte = byte_at(n)?;
        }
        return Ok(text(bytes));
    }
    let mut bytes = ByteBuffer::with_capacity(args.count);
    for n in 0..args.count {
        bytes.push(byte_at(n)?);
    }
    Ok(text(&bytes))
}

/// How long a string may become.
const MAX_TEXT: usize = 1 << 31;

fn repeat(args: Args) -> Called {
    let s = check::string(STRING_REP, args, 0)?;
    let count = check::integer(STRING_REP, args, 1)?;
    if count <= 0 {
        return Ok(text(b""));
    }
    let between = if args.at(2).is_nil() {
        None
    } else {
        Some(check::string(STRING_REP, args, 2)?)
    };
    let between = between.as_ref().map_or(&b""[..], |s| s.as_bytes());
    let size = (s.len() + between.len()).saturating_mul(count as usize);
    if size > MAX_TEXT {
        return Err(fault::message("resulting string too large"));
    }
    let mut bytes = ByteBuffer::with_capacity(size);
    for n in 0..count {
        if n > 0 {
            bytes.extend(between);
        }
        bytes.extend(s.as_bytes());
    }
    Ok(text(&bytes))
}
