//! Regular expressions for the module `re`. In: patterns, texts. Out: places of matches, and texts
//! made by them. Invariant: places are counted in characters, as programs of the language do.

pub mod programs;
pub mod replace;
pub mod subject;

use super::given::Given;
use super::names::*;
use crate::heap::exception::Thrown;
use crate::heap::instance;
use crate::heap::value::{Tuple, Value};
use crate::plain::places::Places;
use crate::plain::regex::search::Wanted;
use subject::{Search, bytes_of, made};
use verdigris::{List, prelude::*};

type Outcome = Result<Value, Thrown>;

/// Calls such a function.
///
/// # Errors
/// A `TypeError`, that memory is used up, and what the pattern is refused for, unless the caller
/// makes an exception of its own of that.
pub fn call(given: Given) -> Outcome {
    match given.id {
        REGEX_COMPILE => programs::compile(given),
        REGEX_FIND => find(given),
        REGEX_ALL => all(given),
        REGEX_SPLIT => replace::split(given),
        REGEX_REPLACE => replace::replace(given),
        REGEX_TEMPLATE => replace::expanded(given),
        REGEX_GROUPS => groups(given),
        _ => part(given),
    }
}

/// A program, a text, from where to where, what is wanted, and how many bytes are before the first
/// place, or -1. `None`, or a tuple: where each group begins and ends, the group that has closed
/// last or 0, how many bytes are before the end, and, if characters have several, how many are
/// before each of the other places.
fn find(given: Given) -> Outcome {
    let value = instance::plain(given.at(1));
    let data = bytes_of(value);
    let mut search = Search::new(given, value, &data)?;
    let mut places = Places::new(search.subject.data, search.subject.is_wide);
    if let (Value::Int(byte @ 0..), Value::Int(from)) = (given.at(5), given.at(2)) {
        places.know(byte as usize, from as usize);
    }
    let Some((from, to)) = search.bounds(2, &mut places)? else {
        return Ok(Value::None);
    };
    let wanted = match given.at(4) {
        Value::Int(0) => Wanted::Here,
        Value::Int(1) => Wanted::Whole,
        Value::Int(2) => Wanted::First,
        _ => Wanted::Next,
    };
    if !search.find(from, to, wanted)? {
        return Ok(Value::None);
    }
    let groups = search.program.groups + 1;
    let is_wide = search.subject.is_wide;
    let made = Tuple::new(
        2 * groups + 2 + if is_wide { 2 * groups } else { 0 },
        Value::Int(-1),
    );
    let int = |n: usize| Value::Int(n as i64);
    for group in 0..groups {
        if let Some((start, end)) = search.scratch.group(group) {
            made[2 * group].set(int(places.character(start)));
            made[2 * group + 1].set(int(places.character(end)));
            if is_wide {
                made[2 * groups + 2 + 2 * group].set(int(start));
                made[2 * groups + 3 + 2 * group].set(int(end));
            }
        }
    }
    let last = search.scratch.last_group(groups - 1).unwrap_or(0);
    made[2 * groups].set(int(last));
    let end = search.scratch.group(0).map_or(0, |(_, end)| end);
    made[2 * groups + 1].set(int(end));
    Ok(Value::Tuple(made))
}

/// A program, a text, from where to where: the list of what `findall` returns.
fn all(given: Given) -> Outcome {
    let value = instance::plain(given.at(1));
    let data = bytes_of(value);
    let mut search = Search::new(given, value, &data)?;
    let found: Gc<List<Value>> = List::new();
    let mut places = Places::new(search.subject.data, search.subject.is_wide);
    let Some((mut from, to)) = search.bounds(2, &mut places)? else {
        return Ok(Value::List(found));
    };
    let mut is_empty = false;
    while let Some((start, end)) = search.next(from, to, is_empty)? {
        let groups = search.program.groups;
        found.push(match groups {
            0 | 1 => search.captured(groups),
            _ => {
                let made = Tuple::new(groups, Value::Unbound);
                (0..groups).for_each(|n| made[n].set(search.captured(n + 1)));
                Value::Tuple(made)
            }
        });
        (from, is_empty) = (end, start == end);
    }
    Ok(Value::List(found))
}

/// A text, what [`find`] has returned for it, how many groups there are, and what stands for those
/// that have captured nothing: the tuple of what they have captured.
fn groups(given: Given) -> Outcome {
    let (value, Value::Tuple(spans)) = (instance::plain(given.at(0)), given.at(1)) else {
        return Err(given.wrong_object());
    };
    let count = usize::try_from(given.int(given.at(2))?).unwrap_or(0);
    let data = bytes_of(value);
    let Some(data) = crate::plain::bytes::of(&data) else {
        return Err(given.wrong_object());
    };
    // Where characters have several bytes, the places in bytes are behind all others.
    let first = if spans.len() > 2 * count + 4 {
        2 * count + 4
    } else {
        0
    };
    let made_of = Tuple::new(count, given.at(3));
    for group in 1..=count {
        let place = |n| match spans[n].get() {
            Value::Int(place) => usize::try_from(place).ok(),
            _ => None,
        };
        if let (Some(from), Some(to)) = (place(first + 2 * group), place(first + 2 * group + 1)) {
            let part = data.get(from..to).unwrap_or(&[]);
            made_of[group - 1].set(made(part, matches!(value, Value::Str(_))));
        }
    }
    Ok(Value::Tuple(made_of))
}

/// A text, and how many bytes are before two places: what is between them.
fn part(given: Given) -> Outcome {
    let Value::Str(own) = instance::plain(given.at(0)) else {
        return Err(given.wrong_object());
    };
    let (from, to) = (given.int(given.at(1))?, given.int(given.at(2))?);
    let data = own.data.to_bytes();
    let part = data.as_slice().get(from as usize..to as usize);
    Ok(made(part.unwrap_or(&[]), true))
}
