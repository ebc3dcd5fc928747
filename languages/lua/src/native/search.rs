//! Searching in strings: `string.find`, `match`, `gmatch`, `gsub`. In: subjects and patterns. Out:
//! positions, captures, strings. Invariant: nothing here calls the program; where it has a say, the
//! loop is in `library.lua`, and one step of it is here.
//!
//! Source: Lua 5.4 reference manual, section 6.4.

use super::check;
use super::names::{STRING_FIND, STRING_GMATCH, STRING_GSUB, STRING_MATCH};
use super::pattern::{Captured, Malformed, Matcher, is_plain};
use super::text;
use crate::concat;
use crate::fault::{self, Fault};
use crate::interned;
use crate::string::LuaStr;
use crate::value::{Args, Output, Returned, Search, Value, Values, World, list2, one, several};
use verdigris::ByteBuffer;
use verdigris::prelude::*;

type Found = Result<Returned, Gc<Fault>>;

fn malformed(what: Malformed) -> Gc<Fault> {
    fault::message(&what)
}

/// A pattern without its anchor, and whether it has one.
fn anchored(pattern: &[u8]) -> (&[u8], bool) {
    match pattern.strip_prefix(b"^") {
        Some(rest) => (rest, true),
        None => (pattern, false),
    }
}

/// The first match of a matcher from a place on.
#[inline]
fn first(
    matcher: &mut Matcher<'_>,
    from: usize,
    barred: Option<usize>,
    anchored: bool,
) -> Result<Option<(usize, usize)>, Gc<Fault>> {
    if !anchored {
        return matcher.search(from, barred).map_err(malformed);
    }
    let end = matcher.at(from).map_err(malformed)?;
    Ok(end
        .filter(|&end| Some(end) != barred)
        .map(|end| (from, end)))
}

fn capture(
    world: Gc<World>,
    matcher: &Matcher<'_>,
    index: usize,
    start: usize,
    end: usize,
) -> Result<Value, Gc<Fault>> {
    let captured = matcher.value(index, start, end).map_err(malformed)?;
    Ok(match captured {
        Captured::Text(&[byte]) => Value::Str(interned::character(world, byte)),
        Captured::Text(bytes) => Value::Str(LuaStr::new(bytes)),
        Captured::Position(place) => Value::Int(place),
    })
}

/// What a match gives, as a list behind `before` other values.
fn values(
    world: Gc<World>,
    matcher: &Matcher<'_>,
    count: usize,
    before: usize,
    start: usize,
    end: usize,
) -> Result<Values, Gc<Fault>> {
    let list = Values::new(before + count, Value::Nil);
    for n in 0..count {
        list[before + n].set(capture(world, matcher, n, start, end)?);
    }
    Ok(list)
}

/// `string.find`
pub fn find(world: Gc<World>, args: Args) -> Found {
    let subject = check::string(STRING_FIND, args, 0)?;
    let pattern = check::string(STRING_FIND, args, 1)?;
    let from = check::integer_or(STRING_FIND, args, 2, 1)?;
    let from = text::start(from, subject.len()) as usize - 1;
    let (subject, pattern) = (subject.as_bytes(), pattern.as_bytes());
    if from > subject.len() {
        return Ok(one(Value::Nil));
    }
    if args.at(3).truth() || is_plain(pattern) {
        return Ok(match place_of(pattern, &subject[from..]) {
            Some(at) => {
                let first = (from + at) as i64;
                let last = first + pattern.len() as i64;
                several(list2(Value::Int(first + 1), Value::Int(last)))
            }
            None => one(Value::Nil),
        });
    }
    let (pattern, anchored) = anchored(pattern);
    let mut matcher = Matcher::new(subject, pattern);
    let Some((start, end)) = first(&mut matcher, from, None, anchored)? else {
        return Ok(one(Value::Nil));
    };
    let list = values(world, &matcher, matcher.captures(), 2, start, end)?;
    list[0].set(Value::Int(start as i64 + 1));
    list[1].set(Value::Int(end as i64));
    Ok(several(list))
}

/// How often the first byte of a text may stand where the text does not.
const NEAR: usize = 8;

/// The first place of a text in another. What is found nearby is found before a search for the
/// whole text would have been prepared.
fn place_of(text: &[u8], whole: &[u8]) -> Option<usize> {
    let Some((&first, others)) = text.split_first() else {
        return Some(0);
    };
    let mut from = 0;
    for _ in 0..NEAR {
        let at = from + memchr::memchr(first, &whole[from..])?;
        from = at + 1;
        if whole[from..].starts_with(others) {
            return Some(at);
        }
    }
    Some(from + memchr::memmem::find(&whole[from..], text)?)
}

/// `string.match`
pub fn matched(world: Gc<World>, args: Args) -> Found {
    let subject = check::string(STRING_MATCH, args, 0)?;
    let pattern = check::string(STRING_MATCH, args, 1)?;
    let from = check::integer_or(STRING_MATCH, args, 2, 1)?;
    let from = text::start(from, subject.len()) as usize - 1;
    let (subject, pattern) = (subject.as_bytes(), pattern.as_bytes());
    if from > subject.len() {
        return Ok(one(Value::Nil));
    }
    let (pattern, anchored) = anchored(pattern);
    let mut matcher = Matcher::new(subject, pattern);
    let Some((start, end)) = first(&mut matcher, from, None, anchored)? else {
        return Ok(one(Value::Nil));
    };
    results(world, &matcher, start, end)
}

fn results(world: Gc<World>, matcher: &Matcher<'_>, start: usize, end: usize) -> Found {
    if matcher.values() == 1 {
        return Ok(one(capture(world, matcher, 0, start, end)?));
    }
    let list = values(world, matcher, matcher.values(), 0, start, end)?;
    Ok(several(list))
}

/// The search of `string.gmatch`.
pub fn gmatch(args: Args) -> Found {
    let subject = check::string(STRING_GMATCH, args, 0)?;
    let pattern = check::string(STRING_GMATCH, args, 1)?;
    let from = check::integer_or(STRING_GMATCH, args, 2, 1)?;
    let from = text::start(from, subject.len()) as usize - 1;
    Ok(one(begin(subject, pattern, from, false)))
}

fn begin(subject: Gc<LuaStr>, pattern: Gc<LuaStr>, from: usize, anchors: bool) -> Value {
    Value::Search(Gc::new(Search {
        subject,
        pattern,
        anchors,
        place: Cell::new(from),
        barred: Cell::new(0),
        start: Cell::new(0),
        copied: Cell::new(0),
        made: Cell::new(None),
        len: Cell::new(0),
    }))
}

/// The search of `string.gsub`, and how many matches it may replace.
pub fn gsub(args: Args) -> Found {
    let subject = check::string(STRING_GSUB, args, 0)?;
    let pattern = check::string(STRING_GSUB, args, 1)?;
    let replacement = args.at(2);
    if !matches!(
        replacement,
        Value::Str(_)
            | Value::Int(_)
            | Value::Float(_)
            | Value::Table(_)
            | Value::Function(_)
            | Value::Native(_)
    ) {
        return Err(check::mismatch(
            STRING_GSUB,
            2,
            6,
            replacement,
            args.count > 2,
        ));
    }
    let limit = check::integer_or(STRING_GSUB, args, 3, i64::MAX)?;
    let search = begin(subject, pattern, 0, true);
    if let Value::Str(_) | Value::Int(_) | Value::Float(_) = replacement {
        let replacement = check::string(STRING_GSUB, args, 2)?;
        return substitute(subject, pattern, replacement, limit);
    }
    Ok(several(list2(search, Value::Int(limit))))
}

/// `string.gsub` with a string.
fn substitute(
    whole: Gc<LuaStr>,
    pattern: Gc<LuaStr>,
    replacement: Gc<LuaStr>,
    limit: i64,
) -> Found {
    let (subject, replacement) = (whole.as_bytes(), replacement.as_bytes());
    let (pattern, anchored) = anchored(pattern.as_bytes());
    let simple = !replacement.contains(&b'%');
    let mut matcher = Matcher::new(subject, pattern);
    let mut out = ByteBuffer::new();
    let (mut copied, mut place, mut barred, mut count) = (0, 0, None, 0);
    while count < limit {
        let Some((start, end)) = first(&mut matcher, place, barred, anchored)? else {
            break;
        };
        count += 1;
        out.extend_from_slice(&subject[copied..start]);
        if simple {
            out.extend_from_slice(replacement);
        } else {
            expand(&matcher, replacement, start, end, &mut out)?;
        }
        (copied, place, barred) = (end, end, Some(end));
        if anchored {
            break;
        }
    }
    let result = match count {
        0 => whole,
        _ => {
            out.extend_from_slice(&subject[copied..]);
            LuaStr::new(&out)
        }
    };
    Ok(several(list2(Value::Str(result), Value::Int(count))))
}

/// Appends the replacement of a match, in which `%1` is a capture.
fn expand(
    matcher: &Matcher<'_>,
    replacement: &[u8],
    start: usize,
    end: usize,
    out: &mut ByteBuffer,
) -> Result<(), Gc<Fault>> {
    let mut rest = replacement;
    while let Some(at) = memchr::memchr(b'%', rest) {
        out.extend_from_slice(&rest[..at]);
        let what = rest.get(at + 1).copied();
        match what {
            Some(b'%') => out.push(b'%'),
            Some(b'0') => out.extend_from_slice(matcher.whole(start, end)),
            Some(digit @ b'1'..=b'9') => {
                let index = usize::from(digit - b'1');
                match matcher.value(index, start, end).map_err(malformed)? {
                    Captured::Text(bytes) => out.extend_from_slice(bytes),
                    Captured::Position(place) => out.extend(place.to_string().bytes()),
                }
            }
            _ => {
                return Err(fault::message("invalid use of '%' in replacement string"));
            }
        }
        rest = &rest[at + 2..];
    }
    out.extend_from_slice(rest);
    Ok(())
}

/// The next match of a search: its captures, or nothing at all.
pub fn step(world: Gc<World>, search: Gc<Search>) -> Found {
    let subject = search.subject.as_bytes();
    let (pattern, anchored) = match search.anchors {
        true => anchored(search.pattern.as_bytes()),
        false => (search.pattern.as_bytes(), false),
    };
    let barred = search.barred.get().checked_sub(1);
    let over = search.place.get() > subject.len() || (anchored && barred.is_some());
    let mut matcher = Matcher::new(subject, pattern);
    let found = match over {
        true => None,
        false => first(&mut matcher, search.place.get(), barred, anchored)?,
    };
    let Some((start, end)) = found else {
        return Ok(several(world.nothing));
    };
    search.start.set(start);
    search.place.set(end);
    search.barred.set(end + 1);
    results(world, &matcher, start, end)
}

/// Replaces the last match of a `gsub`, and gives what [`step`] gives for the next one. Nil and
/// false leave the match as it is.
pub fn next(world: Gc<World>, search: Gc<Search>, value: Value) -> Found {
    replace(search, value)?;
    step(world, search)
}

/// Replaces the last match of a `gsub`: appends what stands between it and the one before, and the
/// replacement.
fn replace(search: Gc<Search>, value: Value) -> Result<(), Gc<Fault>> {
    let subject = search.subject.as_bytes();
    let (start, end) = (search.start.get(), search.place.get());
    append(search, &subject[search.copied.get()..start]);
    match value {
        Value::Nil | Value::Bool(false) => append(search, &subject[start..end]),
        Value::Str(text) => append(search, text.as_bytes()),
        Value::Int(_) | Value::Float(_) => {
            let mut text = ByteBuffer::new();
            concat::append(&mut text, value);
            append(search, &text);
        }
        _ => {
            let kind = check::type_of(value);
            return Err(fault::message(&format!(
                "invalid replacement value (a {kind})"
            )));
        }
    }
    search.copied.set(end);
    Ok(())
}

/// Appends to the result of a `gsub`.
fn append(search: Gc<Search>, bytes: &[u8]) {
    let len = search.len.get();
    let end = len + bytes.len();
    let made = room(search, end);
    for (cell, &byte) in made.as_slice()[len..end].iter().zip(bytes) {
        cell.set(byte);
    }
    search.len.set(end);
}

/// The bytes of the result of a `gsub`, with room for so many.
fn room(search: Gc<Search>, wanted: usize) -> Output {
    let old = search.made.get();
    if let Some(made) = old.filter(|made| made.len() >= wanted) {
        return made;
    }
    // Mostly the result is about as long as the subject.
    let twice = old.map_or(search.subject.len(), |made| made.len().saturating_mul(2));
    let made = Output::new(twice.max(wanted), 0);
    if let Some(old) = old {
        for (to, from) in made.as_slice().iter().zip(old.as_slice()) {
            to.set(from.get());
        }
    }
    search.made.set(Some(made));
    made
}

/// The result of a `gsub` with so many matches, of which the last one is replaced by this value if
/// it has not been replaced yet.
pub fn finish(search: Gc<Search>, last: Option<Value>) -> Found {
    if let Some(value) = last {
        replace(search, value)?;
    }
    if search.made.get().is_none() {
        return Ok(one(Value::Str(search.subject)));
    }
    let rest = &search.subject.as_bytes()[search.copied.get()..];
    append(search, rest);
    let (made, len) = (room(search, 0), search.len.get());
    let mut out = ByteBuffer::with_capacity(len);
    let mut copy = [0; 256];
    for cells in made.as_slice()[..len].chunks(copy.len()) {
        let bytes = &mut copy[..cells.len()];
        for (byte, cell) in bytes.iter_mut().zip(cells) {
            *byte = cell.get();
        }
        out.extend_from_slice(bytes);
    }
    Ok(one(Value::Str(LuaStr::new(&out))))
}
