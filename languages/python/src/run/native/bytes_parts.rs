//! Parts of strings of bytes: where they are, and what is left without them. In: arguments. Out:
//! places, strings, lists and tuples.

use super::bytes::{buffer, buffer_of, tuple_of, wanted};
use super::given::Given;
use super::names::*;
use crate::heap::exception::Thrown;
use crate::heap::instance;
use crate::heap::value::Value;
use crate::heap::world::type_name;
use crate::plain::bytes::{self, is_space};
use crate::run::operators::truth;
use verdigris::{List, prelude::*};

type Outcome = Result<Value, Thrown>;

fn listed(object: Value, parts: &[&[u8]]) -> Value {
    let made: Gc<List<Value>> = List::new();
    for part in parts {
        made.push(bytes::like(object, part));
    }
    Value::List(made)
}

/// The part of a string in which a method is to look: from where to where; `None` if it ends before
/// it begins.
fn between(given: Given, len: usize, n: usize) -> Result<Option<(usize, usize)>, Thrown> {
    let len = len as i64;
    let bound = |value: Value, default: i64| match value {
        Value::Unbound | Value::None => Ok(default),
        value => {
            let bound = given.int(value)?;
            Ok(if bound < 0 {
                (bound + len).max(0)
            } else {
                bound
            })
        }
    };
    let (from, to) = (
        bound(given.at(n), 0)?,
        bound(given.at(n + 1), len)?.min(len),
    );
    Ok((from <= to).then_some((from as usize, to as usize)))
}

/// `find`, `index` and those from the right.
///
/// # Errors
/// That it is not there, of `index`.
pub fn find(given: Given, own: &[u8]) -> Outcome {
    let part = wanted(given)?;
    let found = between(given, own.len(), 2)?.and_then(|(from, to)| {
        let found = match given.id {
            BYTES_FIND | BYTES_INDEX => bytes::find(&own[from..to], &part),
            _ => bytes::rfind(&own[from..to], &part),
        };
        found.map(|at| at + from)
    });
    match (found, given.id) {
        (Some(at), _) => Ok(Value::Int(at as i64)),
        (None, BYTES_FIND | BYTES_RFIND) => Ok(Value::Int(-1)),
        _ => Err(given.value_error("subsection not found")),
    }
}

/// `count`
///
/// # Errors
/// What is no string of bytes.
pub fn count(given: Given, own: &[u8]) -> Outcome {
    let part = wanted(given)?;
    let Some((from, to)) = between(given, own.len(), 2)? else {
        return Ok(Value::Int(0));
    };
    if part.is_empty() {
        return Ok(Value::Int((to - from) as i64 + 1));
    }
    let found = pieces(&own[from..to], &part, usize::MAX).len() - 1;
    Ok(Value::Int(found as i64))
}

/// `startswith` and `endswith`
///
/// # Errors
/// What is no string of bytes.
pub fn affix(given: Given, own: &[u8]) -> Outcome {
    let place = between(given, own.len(), 2)?;
    let fits = |part: &[u8]| {
        place.is_some_and(|(from, to)| match given.id {
            BYTES_STARTSWITH => own[from..to].starts_with(part),
            _ => own[from..to].ends_with(part),
        })
    };
    let first = instance::plain(given.at(1));
    if let Value::Tuple(all) = first {
        for n in 0..all.len() {
            if fits(&buffer_of(given, all[n].get())?) {
                return Ok(Value::Bool(true));
            }
        }
        return Ok(Value::Bool(false));
    }
    match bytes::of(&first) {
        Some(part) => Ok(Value::Bool(fits(&part))),
        None => {
            let (name, class) = (given.name(), type_name(given.world, first));
            let what = "first arg must be bytes or a tuple of bytes";
            Err(given.type_error(&format!("{name} {what}, not {class}")))
        }
    }
}

/// The pieces between separators, of which so many count.
fn pieces<'a>(data: &'a [u8], sep: &[u8], most: usize) -> Vec<&'a [u8]> {
    let (mut parts, mut rest) = (Vec::new(), data);
    while parts.len() < most
        && let Some(at) = bytes::find(rest, sep)
    {
        parts.push(&rest[..at]);
        rest = &rest[at + sep.len()..];
    }
    parts.push(rest);
    parts
}

fn pieces_from_right<'a>(data: &'a [u8], sep: &[u8], most: usize) -> Vec<&'a [u8]> {
    let (mut parts, mut rest) = (Vec::new(), data);
    while parts.len() < most
        && let Some(at) = bytes::rfind(rest, sep)
    {
        parts.push(&rest[at + sep.len()..]);
        rest = &rest[..at];
    }
    parts.push(rest);
    parts.reverse();
    parts
}

fn trimmed(mut data: &[u8], left: bool, right: bool, goes: impl Fn(u8) -> bool) -> &[u8] {
    while left && data.first().is_some_and(|&byte| goes(byte)) {
        data = &data[1..];
    }
    while right && data.last().is_some_and(|&byte| goes(byte)) {
        data = &data[..data.len() - 1];
    }
    data
}

/// The words of a string, of which so many are split off.
fn words(data: &[u8], most: usize) -> Vec<&[u8]> {
    let (mut parts, mut rest) = (Vec::new(), trimmed(data, true, false, is_space));
    while !rest.is_empty() {
        if parts.len() == most {
            parts.push(rest);
            break;
        }
        let end = rest.iter().position(|&byte| is_space(byte));
        let end = end.unwrap_or(rest.len());
        parts.push(&rest[..end]);
        rest = trimmed(&rest[end..], true, false, is_space);
    }
    parts
}

fn words_from_right(data: &[u8], most: usize) -> Vec<&[u8]> {
    let (mut parts, mut rest) = (Vec::new(), trimmed(data, false, true, is_space));
    while !rest.is_empty() {
        if parts.len() == most {
            parts.push(rest);
            break;
        }
        let start = rest.iter().rposition(|&byte| is_space(byte));
        let start = start.map_or(0, |at| at + 1);
        parts.push(&rest[start..]);
        rest = trimmed(&rest[..start], false, true, is_space);
    }
    parts.reverse();
    parts
}

/// `split` and `rsplit`
///
/// # Errors
/// An empty separator, and what is no string of bytes.
pub fn split(given: Given, object: Value, own: &[u8]) -> Outcome {
    let most = match given.named(2, "maxsplit") {
        Value::Unbound => -1,
        most => given.int(most)?,
    };
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let from_right = given.id == BYTES_RSPLIT;
    let parts = match given.named(1, "sep") {
        Value::Unbound | Value::None if from_right => words_from_right(own, most),
        Value::Unbound | Value::None => words(own, most),
        sep => {
            let sep = buffer_of(given, sep)?;
            match from_right {
                _ if sep.is_empty() => return Err(given.value_error("empty separator")),
                true => pieces_from_right(own, &sep, most),
                false => pieces(own, &sep, most),
            }
        }
    };
    Ok(listed(object, &parts))
}

/// `splitlines`
///
/// # Errors
/// What the truth of `keepends` raises.
pub fn lines(given: Given, object: Value, own: &[u8]) -> Outcome {
    let keeps = match given.named(1, "keepends") {
        Value::Unbound => false,
        keeps => truth::of(given.world, keeps, given.depth)?,
    };
    let (mut parts, mut rest) = (Vec::new(), own);
    while let Some(at) = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
        let width = if rest[at..].starts_with(b"\r\n") {
            2
        } else {
            1
        };
        parts.push(&rest[..if keeps { at + width } else { at }]);
        rest = &rest[at + width..];
    }
    if !rest.is_empty() {
        parts.push(rest);
    }
    Ok(listed(object, &parts))
}

/// `partition` and `rpartition`
///
/// # Errors
/// An empty separator, and what is no string of bytes.
pub fn partition(given: Given, object: Value, own: &[u8]) -> Outcome {
    let sep = buffer(given, 1)?;
    if sep.is_empty() {
        return Err(given.value_error("empty separator"));
    }
    let parts = match given.id {
        BYTES_PARTITION => bytes::find(own, &sep).map_or([own, b"", b""], |at| {
            [&own[..at], &sep, &own[at + sep.len()..]]
        }),
        _ => bytes::rfind(own, &sep).map_or([b"".as_slice(), b"", own], |at| {
            [&own[..at], &sep, &own[at + sep.len()..]]
        }),
    };
    Ok(tuple_of(object, &parts))
}

/// `strip` and its halves.
///
/// # Errors
/// What is no string of bytes.
pub fn strip(given: Given, object: Value, own: &[u8], left: bool, right: bool) -> Outcome {
    let rest = match given.at(1) {
        Value::Unbound | Value::None => trimmed(own, left, right, is_space),
        _ => {
            let all = buffer(given, 1)?;
            trimmed(own, left, right, |byte| all.contains(&byte))
        }
    };
    Ok(bytes::like(object, rest))
}

/// `replace`
///
/// # Errors
/// What is no string of bytes.
pub fn replace(given: Given, object: Value, own: &[u8]) -> Outcome {
    let (old, new) = (buffer(given, 1)?, buffer(given, 2)?);
    let count = match given.at(3) {
        Value::Unbound => -1,
        count => given.int(count)?,
    };
    let most = usize::try_from(count).unwrap_or(usize::MAX);
    if !old.is_empty() {
        let made = pieces(own, &old, most).join(&new[..]);
        return Ok(bytes::like(object, &made));
    }
    // Nothing is before each byte and behind the last.
    let mut made = Vec::new();
    for (n, byte) in own.iter().enumerate() {
        if n < most {
            made.extend(new.as_ref());
        }
        made.push(*byte);
    }
    if own.len() < most {
        made.extend(new.as_ref());
    }
    Ok(bytes::like(object, &made))
}
