//! `str.maketrans` and `str.translate`. In: arguments. Out: a table from codes of characters, and
//! a text in which each has been looked up.

use super::given::Given;
use crate::heap::class;
use crate::heap::dict::{self, Dict};
use crate::heap::exception::Thrown;
use crate::heap::instance;
use crate::heap::value::{Value, text};
use crate::heap::world::{classes, type_name};
use crate::plain;
use crate::run::items::{keys, subscript};
use verdigris::prelude::*;

fn code(c: char) -> Value {
    Value::Int(i64::from(u32::from(c)))
}

/// `str.maketrans(..)`
///
/// # Errors
/// What is no table.
pub fn table(given: Given) -> Result<Value, Thrown> {
    given.check_keywords(&[])?;
    let made = dict::new();
    let put = |key, value| keys::put(given.world, made, key, value, given.depth);
    let first = instance::plain(given.at(0));
    if given.count() == 1 {
        let Value::Dict(from) = first else {
            let message = "if you give only one argument to maketrans it must be a dict";
            return Err(given.type_error(message));
        };
        copy(given, from, made)?;
        return Ok(Value::Dict(made));
    }
    let Value::Str(from) = first else {
        let message = "first maketrans argument must be a string if there is a second argument";
        return Err(given.type_error(message));
    };
    let other = |n: usize| match instance::plain(given.at(n)) {
        Value::Str(text) => Ok(text),
        other => {
            let class = type_name(given.world, other);
            let message = format!("maketrans() argument {} must be str, not {class}", n + 1);
            Err(given.type_error(&message))
        }
    };
    let to = other(1)?;
    if from.chars != to.chars {
        let message = "the first two maketrans arguments must have equal length";
        return Err(given.value_error(message));
    }
    for (a, b) in from.as_str().chars().zip(to.as_str().chars()) {
        put(code(a), code(b))?;
    }
    if given.count() == 3 {
        for c in other(2)?.as_str().chars() {
            put(code(c), Value::None)?;
        }
    }
    Ok(Value::Dict(made))
}

fn copy(given: Given, from: Gc<Dict>, made: Gc<Dict>) -> Result<(), Thrown> {
    for entry in plain::entries(from) {
        let (key, value) = (from.keys.get()[entry].get(), from.values.get()[entry].get());
        let key = match key {
            Value::Int(_) | Value::Bool(_) => key,
            Value::Str(key) if key.chars == 1 => {
                code(key.as_str().chars().next().unwrap_or_default())
            }
            Value::Str(_) => {
                let message = "string keys in translate table must be of length 1";
                return Err(given.value_error(message));
            }
            _ => {
                let message = "keys in translate table must be strings or integers";
                return Err(given.type_error(message));
            }
        };
        keys::put(given.world, made, key, value, given.depth)?;
    }
    Ok(())
}

/// `s.translate(table)`
///
/// # Errors
/// What looking characters up raises, but for a `LookupError`, and what they cannot become.
pub fn translate(given: Given, s: &str) -> Result<Value, Thrown> {
    let (world, depth) = (given.world, given.depth);
    let mut made = String::with_capacity(s.len());
    for c in s.chars() {
        let found = match subscript::get(world, given.at(1), code(c), depth) {
            Ok(found) => found,
            Err(thrown) => {
                let class = thrown.map.get().class;
                match class::derives(class, world.classes[classes::LOOKUP_ERROR]) {
                    true => code(c),
                    false => return Err(thrown),
                }
            }
        };
        match found {
            Value::None => {}
            Value::Str(text) => made += text.as_str(),
            Value::Int(code) => match u32::try_from(code).ok().and_then(char::from_u32) {
                Some(c) => made.push(c),
                None => {
                    let message = "character mapping must be in range(0x110000)";
                    return Err(given.value_error(message));
                }
            },
            _ => {
                let message = "character mapping must return integer, None or str";
                return Err(given.type_error(message));
            }
        }
    }
    Ok(text(&made))
}
