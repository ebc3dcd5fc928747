//! Methods of strings that programs call all the time, in traced code. In: the number of a method,
//! a string, and arguments of builtin classes. Out: the result, or `None` where
//! [`super::strings`] has to look closer. Invariant: what looks through the text is a call that
//! writes nothing, and folds where the strings are known if it makes no object.

use super::names::*;
use crate::heap::value::{Text, Value, new_text};
use crate::heap::world::World;
use crate::plain::bytes;
use crate::plain::string;
use crate::plain::unicode::{self, is_space};
use verdigris::{List, Str, prelude::*};

/// A method without arguments.
#[inline]
pub fn of_one(world: Gc<World>, id: usize, own: Gc<Text>) -> Option<Value> {
    match id {
        STR_ISDIGIT | STR_ISALPHA | STR_ISALNUM | STR_ISSPACE | STR_ISUPPER | STR_ISLOWER => {
            Some(Value::Bool(is_all(id, own)))
        }
        STR_UPPER | STR_LOWER => Some(Value::Str(in_case(world, id == STR_UPPER, own))),
        STR_STRIP => Some(Value::Str(stripped(world, own, true, true))),
        STR_LSTRIP => Some(Value::Str(stripped(world, own, true, false))),
        STR_RSTRIP => Some(Value::Str(stripped(world, own, false, true))),
        STR_SPLIT => Some(Value::List(words(world, own))),
        _ => None,
    }
}

/// A method with an argument.
#[inline]
pub fn of_two(world: Gc<World>, id: usize, own: Gc<Text>, given: Value) -> Option<Value> {
    match (id, given) {
        (STR_STARTSWITH, Value::Str(part)) => Some(Value::Bool(starts_with(own, part))),
        (STR_ENDSWITH, Value::Str(part)) => Some(Value::Bool(ends_with(own, part))),
        (STR_FIND, Value::Str(part)) => Some(Value::Int(find(own, part, 0))),
        (STR_SPLIT, Value::Str(sep)) if sep.chars > 0 => Some(Value::List(parts(world, own, sep))),
        (STR_JOIN, Value::List(list)) => joined(own, list).map(Value::Str),
        _ => None,
    }
}

/// A method with two arguments.
#[inline]
pub fn of_three(id: usize, own: Gc<Text>, a: Value, b: Value) -> Option<Value> {
    match (id, a, b) {
        (STR_REPLACE, Value::Str(old), Value::Str(new)) => {
            Some(Value::Str(replaced(own, old, new)))
        }
        (STR_FIND, Value::Str(part), Value::Int(from)) if from >= 0 => {
            Some(Value::Int(find(own, part, from as usize)))
        }
        (STR_STARTSWITH, Value::Str(part), Value::Int(from))
            if from >= 0 && string::is_ascii(own) =>
        {
            Some(Value::Bool(starts_at(own, part, from as usize)))
        }
        _ => None,
    }
}

/// Whether a text is not empty and all characters are of a kind; for `isupper` and `islower`, those
/// that have a case.
#[elidable]
fn is_all(id: usize, own: Gc<Text>) -> bool {
    let bytes = own.data.as_bytes();
    if !string::is_ascii(own) {
        return is_all_wide(id, own.as_str());
    }
    let fits: fn(&u8) -> bool = match id {
        STR_ISDIGIT => u8::is_ascii_digit,
        STR_ISALPHA => u8::is_ascii_alphabetic,
        STR_ISALNUM => u8::is_ascii_alphanumeric,
        STR_ISSPACE => |&byte| is_space(char::from(byte)),
        STR_ISUPPER => {
            let has_other = bytes.iter().any(u8::is_ascii_lowercase);
            return !has_other && bytes.iter().any(u8::is_ascii_uppercase);
        }
        _ => {
            let has_other = bytes.iter().any(u8::is_ascii_uppercase);
            return !has_other && bytes.iter().any(u8::is_ascii_lowercase);
        }
    };
    !bytes.is_empty() && bytes.iter().all(fits)
}

fn is_all_wide(id: usize, own: &str) -> bool {
    let all = |fits: fn(char) -> bool| own.chars().all(fits);
    let any = |fits: fn(char) -> bool| own.chars().any(fits);
    match id {
        STR_ISDIGIT => all(unicode::is_digit),
        STR_ISALPHA => all(unicode::is_letter),
        STR_ISALNUM => all(|c| unicode::is_letter(c) || unicode::is_numeric(c)),
        STR_ISSPACE => all(is_space),
        STR_ISUPPER => any(char::is_uppercase) && !any(char::is_lowercase),
        _ => any(char::is_lowercase) && !any(char::is_uppercase),
    }
}

/// A text in upper or lower case; itself if it is that.
#[opaque]
fn in_case(world: Gc<World>, upper: bool, own: Gc<Text>) -> Gc<Text> {
    if !string::is_ascii(own) {
        let text = own.as_str();
        return new_text(&match upper {
            true => text.to_uppercase(),
            false => text.to_lowercase(),
        });
    }
    let bytes = own.data.as_bytes();
    let changes = |byte: &u8| match upper {
        true => byte.is_ascii_lowercase(),
        false => byte.is_ascii_uppercase(),
    };
    if !bytes.iter().any(changes) {
        return own;
    }
    if let [byte] = *bytes {
        return world.characters[usize::from(byte ^ 0x20)];
    }
    let text = own.as_str();
    new_text(&match upper {
        true => text.to_ascii_uppercase(),
        false => text.to_ascii_lowercase(),
    })
}

/// A text without white space at its ends; itself if there is none.
#[opaque]
fn stripped(world: Gc<World>, own: Gc<Text>, left: bool, right: bool) -> Gc<Text> {
    let text = own.as_str();
    let mut rest = text;
    if left {
        rest = rest.trim_start_matches(is_space);
    }
    if right {
        rest = rest.trim_end_matches(is_space);
    }
    if rest.len() == text.len() {
        return own;
    }
    piece(world, rest)
}

/// A part of a text as an object, which there is already for a single character.
pub fn piece(world: Gc<World>, part: &str) -> Gc<Text> {
    match *part.as_bytes() {
        [] => world.empty,
        [byte] => world.characters[usize::from(byte)],
        _ => new_text(part),
    }
}

/// What is between white space.
#[opaque]
fn words(world: Gc<World>, own: Gc<Text>) -> Gc<List<Value>> {
    let made: Gc<List<Value>> = List::new();
    for part in own.as_str().split(is_space).filter(|part| !part.is_empty()) {
        made.push(Value::Str(piece(world, part)));
    }
    made
}

/// What is between separators.
#[opaque]
fn parts(world: Gc<World>, own: Gc<Text>, sep: Gc<Text>) -> Gc<List<Value>> {
    let made: Gc<List<Value>> = List::new();
    for part in own.as_str().split(sep.as_str()) {
        made.push(Value::Str(piece(world, part)));
    }
    made
}

/// The strings of a list with a separator between them; `None` if something else is in it.
#[opaque]
fn joined(sep: Gc<Text>, list: Gc<List<Value>>) -> Option<Gc<Text>> {
    let mut made: Vec<u8> = Vec::new();
    let mut chars = 0;
    for n in 0..list.len() {
        let Value::Str(part) = list.at(n) else {
            return None;
        };
        if n > 0 {
            made.extend_from_slice(sep.data.as_bytes());
            chars += sep.chars;
        }
        made.extend_from_slice(part.data.as_bytes());
        chars += part.chars;
    }
    let text = std::str::from_utf8(&made).expect("it is made of texts");
    let data = Str::new(text);
    Some(Gc::new(Text { data, chars }))
}

#[elidable]
fn starts_with(own: Gc<Text>, part: Gc<Text>) -> bool {
    own.data.as_bytes().starts_with(part.data.as_bytes())
}

#[elidable]
fn ends_with(own: Gc<Text>, part: Gc<Text>) -> bool {
    own.data.as_bytes().ends_with(part.data.as_bytes())
}

/// The same from a place on, of a text of ASCII.
#[elidable]
fn starts_at(own: Gc<Text>, part: Gc<Text>, from: usize) -> bool {
    let rest = own.data.as_bytes().get(from..);
    rest.is_some_and(|rest| rest.starts_with(part.data.as_bytes()))
}

/// Where a part is first, in characters, at a place or behind it; -1 if nowhere.
#[elidable]
fn find(own: Gc<Text>, part: Gc<Text>, from: usize) -> i64 {
    if from > own.chars {
        return -1;
    }
    let start = string::offset(own, from);
    let bytes = own.data.as_bytes();
    let Some(at) = bytes::find(&bytes[start..], part.data.as_bytes()) else {
        return -1;
    };
    if string::is_ascii(own) {
        return (from + at) as i64;
    }
    let before = &own.as_str()[start..start + at];
    (from + before.chars().count()) as i64
}

/// A text with other parts; itself if it has none of them.
#[opaque]
fn replaced(own: Gc<Text>, old: Gc<Text>, new: Gc<Text>) -> Gc<Text> {
    if bytes::find(own.data.as_bytes(), old.data.as_bytes()).is_none() {
        return own;
    }
    new_text(&own.as_str().replace(old.as_str(), new.as_str()))
}
