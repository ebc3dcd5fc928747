//! Texts that are made by matches. In: arguments. Out: parts between matches, and texts in which
//! matches are replaced. Invariant: what such a text is made in asks for its memory fallibly.

use super::programs::{self, characters, refused};
use super::subject::{Search, bytes_of, made, out_of_memory};
use crate::heap::exception::Thrown;
use crate::heap::instance;
use crate::heap::value::{Tuple, Value};
use crate::heap::world::type_name;
use crate::plain::regex::failure::Failure;
use crate::plain::regex::program::Program;
use crate::plain::regex::template::{self, Piece};
use crate::run::native::given::Given;
use crate::run::text::show;
use std::borrow::Cow;
use verdigris::{List, prelude::*};

type Outcome = Result<Value, Thrown>;

/// A program, a text, and how often it is split at most, or 0: the list of parts.
///
/// # Errors
/// Wrong arguments, or that memory is used up.
pub(super) fn split(given: Given) -> Outcome {
    let value = instance::plain(given.at(1));
    let data = bytes_of(value);
    let most = usize::try_from(given.int(given.at(2))?).unwrap_or(0);
    let most = if given.at(2) == Value::Int(0) {
        usize::MAX
    } else {
        most
    };
    let mut search = Search::new(given, value, &data)?;
    let parts: Gc<List<Value>> = List::new();
    let len = search.subject.data.len();
    let (mut from, mut is_empty, mut count) = (0, false, 0);
    while count < most
        && let Some((start, end)) = search.next(from, len, is_empty)?
    {
        parts.push(search.subject.part(from, start));
        for group in 1..=search.program.groups {
            let part = search.scratch.group(group);
            parts.push(part.map_or(Value::None, |(from, to)| search.subject.part(from, to)));
        }
        (from, is_empty, count) = (end, start == end, count + 1);
    }
    parts.push(search.subject.part(from, len));
    Ok(Value::List(parts))
}

/// A template for a program: its pieces, or why it is refused.
fn pieces(
    given: Given,
    program: &Program,
    template: Value,
) -> Result<Result<Vec<Piece>, Failure>, Thrown> {
    let template = instance::plain(template);
    let is_literal = match template {
        Value::Str(text) => !text.data.to_bytes().as_slice().contains(&b'\\'),
        other => crate::plain::bytes::of(&other).is_some_and(|data| !data.contains(&b'\\')),
    };
    let (Some((characters, is_text)), class) =
        (characters(template), type_name(given.world, template))
    else {
        let class = type_name(given.world, template);
        let message = format!("decoding to str: need a bytes-like object, {class} found");
        return Err(given.type_error(&message));
    };
    if is_text != program.is_text {
        let wanted = if program.is_text {
            "str instance"
        } else {
            "a bytes-like object"
        };
        let message = format!("sequence item 0: expected {wanted}, {class} found");
        return Err(given.type_error(&message));
    }
    if is_literal {
        let data = bytes_of(template);
        let literal = crate::plain::bytes::of(&data).map_or_else(Vec::new, Cow::into_owned);
        return Ok(Ok(vec![Piece::Literal(literal)]));
    }
    Ok(template::parse(&characters, program, show::quoted))
}

/// Puts bytes behind others, if there is room for them.
fn append(given: Given, all: &mut Vec<u8>, more: &[u8]) -> Result<(), Thrown> {
    if all.try_reserve(more.len()).is_err() {
        return Err(out_of_memory(given));
    }
    all.extend_from_slice(more);
    Ok(())
}

/// A program, a template, a text, and how often at most, or 0: the text and how often, or why the
/// template is refused.
///
/// # Errors
/// As [`split`].
pub(super) fn replace(given: Given) -> Outcome {
    let most = given.int(given.at(3))?;
    let most = if most == 0 {
        usize::MAX
    } else {
        usize::try_from(most).unwrap_or(0)
    };
    let value = instance::plain(given.at(2));
    let data = bytes_of(value);
    let mut search = Search::new(given, value, &data)?;
    let pieces = match pieces(given, &search.program, given.at(1))? {
        Ok(pieces) => pieces,
        Err(failure) => return refused(given, failure, search.program.is_text),
    };
    let len = search.subject.data.len();
    let mut result: Vec<u8> = Vec::new();
    let (mut from, mut is_empty, mut count) = (0, false, 0);
    while count < most
        && let Some((start, end)) = search.next(from, len, is_empty)?
    {
        append(given, &mut result, &search.subject.data[from..start])?;
        for piece in &pieces {
            match piece {
                Piece::Literal(data) => append(given, &mut result, data)?,
                Piece::Group(group) => {
                    if let Some((from, to)) = search.scratch.group(*group) {
                        append(given, &mut result, &search.subject.data[from..to])?;
                    }
                }
            }
        }
        (from, is_empty, count) = (end, start == end, count + 1);
    }
    let new = if count == 0 && !matches!(value, Value::ByteArray(_)) {
        value
    } else {
        append(given, &mut result, &search.subject.data[from..])?;
        made(&result, search.program.is_text)
    };
    // A pair of a text and a number is no message, which has a place of its own.
    let made = Tuple::new(3, Value::None);
    made[0].set(new);
    made[1].set(Value::Int(count as i64));
    Ok(Value::Tuple(made))
}

/// A program and a template: the list of its pieces, which are strings, and groups by their
/// numbers; or why it is refused.
///
/// # Errors
/// As [`split`].
pub(super) fn expanded(given: Given) -> Outcome {
    let program = programs::program(given)?;
    let pieces = match pieces(given, &program, given.at(1))? {
        Ok(pieces) => pieces,
        Err(failure) => return refused(given, failure, program.is_text),
    };
    let found: Gc<List<Value>> = List::new();
    for piece in pieces {
        found.push(match piece {
            Piece::Literal(data) => made(&data, program.is_text),
            Piece::Group(group) => Value::Int(group as i64),
        });
    }
    Ok(Value::List(found))
}
