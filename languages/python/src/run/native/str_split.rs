//! Splitting strings. In: arguments. Out: lists and tuples.

use super::given::Given;
use super::names::*;
use crate::heap::exception::Thrown;
use crate::heap::value::{Tuple, Value, text};
use crate::plain::unicode::is_space;
use crate::run::operators::truth;
use verdigris::{List, prelude::*};

fn listed<'a>(parts: impl IntoIterator<Item = &'a str>) -> Value {
    let made: Gc<List<Value>> = List::new();
    for part in parts {
        made.push(text(part));
    }
    Value::List(made)
}

/// `split` and `rsplit`
///
/// # Errors
/// An empty separator.
pub fn split(given: Given, s: &str) -> Result<Value, Thrown> {
    let most = match given.named(2, "maxsplit") {
        Value::Unbound => -1,
        most => given.int(most)?,
    };
    let most = usize::try_from(most).unwrap_or(usize::MAX - 1);
    let from_right = given.id == STR_RSPLIT;
    let mut parts: Vec<&str> = match given.named(1, "sep") {
        Value::Unbound | Value::None => match from_right {
            false => words(s, most),
            true => words_from_right(s, most),
        },
        Value::Str(sep) if sep.chars == 0 => return Err(given.value_error("empty separator")),
        Value::Str(sep) => match from_right {
            false => s.splitn(most + 1, sep.as_str()).collect(),
            true => {
                let mut parts: Vec<&str> = s.rsplitn(most + 1, sep.as_str()).collect();
                parts.reverse();
                parts
            }
        },
        _ => return Err(given.type_error("must be str or None, not something else")),
    };
    Ok(listed(parts.drain(..)))
}

fn words(s: &str, most: usize) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = s.trim_start_matches(is_space);
    while !rest.is_empty() {
        if parts.len() == most {
            parts.push(rest);
            break;
        }
        let end = rest.find(is_space).unwrap_or(rest.len());
        parts.push(&rest[..end]);
        rest = rest[end..].trim_start_matches(is_space);
    }
    parts
}

fn words_from_right(s: &str, most: usize) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = s.trim_end_matches(is_space);
    while !rest.is_empty() {
        if parts.len() == most {
            parts.push(rest);
            break;
        }
        let found = rest.char_indices().rfind(|&(_, c)| is_space(c));
        let start = found.map_or(0, |(at, c)| at + c.len_utf8());
        parts.push(&rest[start..]);
        rest = rest[..start].trim_end_matches(is_space);
    }
    parts.reverse();
    parts
}

/// `splitlines`
///
/// # Errors
/// What the truth of `keepends` raises.
pub fn lines(given: Given, s: &str) -> Result<Value, Thrown> {
    let keeps = match given.named(1, "keepends") {
        Value::Unbound => false,
        keeps => truth::of(given.world, keeps, given.depth)?,
    };
    let is_end = |c: char| {
        matches!(
            c,
            '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}'
        ) || ('\u{1c}'..='\u{1e}').contains(&c)
    };
    let mut parts = Vec::new();
    let mut rest = s;
    while !rest.is_empty() {
        let Some(at) = rest.find(is_end) else {
            parts.push(rest);
            break;
        };
        let width = match rest[at..].starts_with("\r\n") {
            true => 2,
            false => rest[at..].chars().next().map_or(1, char::len_utf8),
        };
        parts.push(&rest[..if keeps { at + width } else { at }]);
        rest = &rest[at + width..];
    }
    Ok(listed(parts))
}

/// `partition` and `rpartition`
///
/// # Errors
/// An empty separator.
pub fn partition(given: Given, s: &str, from_right: bool) -> Result<Value, Thrown> {
    let sep = given.text(1)?;
    let sep = sep.as_str();
    if sep.is_empty() {
        return Err(given.value_error("empty separator"));
    }
    let parts = match from_right {
        false => s.split_once(sep).map_or([s, "", ""], |(a, b)| [a, sep, b]),
        true => s.rsplit_once(sep).map_or(["", "", s], |(a, b)| [a, sep, b]),
    };
    let made = Tuple::new(3, Value::Unbound);
    for (n, part) in parts.into_iter().enumerate() {
        made[n].set(text(part));
    }
    Ok(Value::Tuple(made))
}
