//! `str.format` and `str.format_map`. In: a pattern and arguments. Out: a string.
//!
//! Source: "Format String Syntax" of Python's library reference, 3.11.

use super::given::Given;
use super::names::STR_FORMAT_MAP;
use crate::heap::exception::Thrown;
use crate::heap::value::{Value, text};
use crate::heap::world::{classes, intern};
use crate::plain::fault;
use crate::run::items::subscript;
use crate::run::objects::attribute;
use crate::run::text::format;
use crate::run::text::show;

/// How deep replacement fields can be within each other.
const DEPTH: usize = 2;

/// `pattern.format(..)`
///
/// # Errors
/// What is wrong with the pattern, and what functions of the program raise.
pub fn format(given: Given, pattern: &str) -> Result<Value, Thrown> {
    let mut counter = Some(0);
    Ok(text(&filled(given, pattern, &mut counter, DEPTH)?))
}

/// A pattern with its fields replaced. `counter` is the next argument, or nothing where they have
/// numbers.
fn filled(
    given: Given,
    pattern: &str,
    counter: &mut Option<usize>,
    depth: usize,
) -> Result<String, Thrown> {
    if depth == 0 {
        return Err(given.value_error("Max string recursion exceeded"));
    }
    let mut made = String::new();
    let mut rest = pattern;
    while let Some(at) = rest.find(['{', '}']) {
        made += &rest[..at];
        let tail = &rest[at..];
        if tail.starts_with("{{") || tail.starts_with("}}") {
            made += &tail[..1];
            rest = &tail[2..];
            continue;
        }
        if tail.starts_with('}') {
            return Err(given.value_error("Single '}' encountered in format string"));
        }
        let mut open = 0;
        let end = tail.char_indices().find_map(|(n, c)| {
            open += match c {
                '{' => 1,
                '}' => -1,
                _ => 0,
            };
            (open == 0).then_some(n)
        });
        let Some(end) = end else {
            let message = match tail.len() {
                1 => "Single '{' encountered in format string",
                _ => "expected '}' before end of string",
            };
            return Err(given.value_error(message));
        };
        made += &field(given, &tail[1..end], counter, depth)?;
        rest = &tail[end + 1..];
    }
    Ok(made + rest)
}

fn field(
    given: Given,
    written: &str,
    counter: &mut Option<usize>,
    depth: usize,
) -> Result<String, Thrown> {
    let mut brackets = 0;
    let split = written.char_indices().find_map(|(n, c)| {
        brackets += match c {
            '[' => 1,
            ']' => -1,
            _ => 0,
        };
        (brackets <= 0 && (c == ':' || c == '!')).then_some(n)
    });
    let (name, rest) = written.split_at(split.unwrap_or(written.len()));
    let (conversion, spec) = match rest.strip_prefix('!') {
        None => (None, rest.strip_prefix(':').unwrap_or("")),
        Some(rest) => {
            let mut chars = rest.chars();
            let Some(conversion) = chars.next() else {
                let message = "end of string while looking for conversion specifier";
                return Err(given.value_error(message));
            };
            let rest = chars.as_str();
            if !rest.is_empty() && !rest.starts_with(':') {
                let message = "expected ':' after conversion specifier";
                return Err(given.value_error(message));
            }
            (Some(conversion), rest.strip_prefix(':').unwrap_or(""))
        }
    };
    let value = argument(given, name, counter)?;
    let (world, level) = (given.world, given.depth);
    let value = match conversion {
        None => value,
        Some('s') => text(&show::text(world, value, level)?),
        Some('r') => text(&show::repr(world, value, level)?),
        Some('a') => text(&show::ascii(&show::repr(world, value, level)?)),
        Some(other) => {
            let message = format!("Unknown conversion specifier '{other}'");
            return Err(given.value_error(&message));
        }
    };
    let spec = match spec.contains('{') {
        true => filled(given, spec, counter, depth - 1)?,
        false => spec.to_string(),
    };
    match format::of(world, value, text(&spec), level)? {
        Value::Str(made) => Ok(made.as_str().to_string()),
        _ => Err(given.type_error("__format__ must return a str")),
    }
}

/// The argument that a name means, with attributes and items behind it.
fn argument(given: Given, name: &str, counter: &mut Option<usize>) -> Result<Value, Thrown> {
    let (world, depth) = (given.world, given.depth);
    let end = name.find(['.', '[']).unwrap_or(name.len());
    let (first, mut rest) = name.split_at(end);
    let is_map = given.id == STR_FORMAT_MAP;
    let positional = |n: usize| match given.at(n + 1) {
        _ if is_map => Err(given.value_error("Format string contains positional fields")),
        crate::heap::value::Value::Unbound => {
            let message = format!("Replacement index {n} out of range for positional args tuple");
            Err(fault::new(world, classes::INDEX_ERROR, &message))
        }
        value => Ok(value),
    };
    let mut value = if first.is_empty() {
        let Some(n) = *counter else {
            let message = "cannot switch from manual field specification to automatic field \
                           numbering";
            return Err(given.value_error(message));
        };
        *counter = Some(n + 1);
        positional(n)?
    } else if let Ok(n) = first.parse::<usize>() {
        if counter.is_some_and(|n| n > 0) {
            let message = "cannot switch from automatic field numbering to manual field \
                           specification";
            return Err(given.value_error(message));
        }
        *counter = None;
        positional(n)?
    } else {
        match given.keyword(first) {
            _ if is_map => subscript::get(world, given.at(1), text(first), depth)?,
            Value::Unbound => return Err(fault::no_key(world, text(first))),
            value => value,
        }
    };
    while !rest.is_empty() {
        if let Some(tail) = rest.strip_prefix('.') {
            let end = tail.find(['.', '[']).unwrap_or(tail.len());
            value = attribute::get(world, value, intern(world, &tail[..end]), depth)?;
            rest = &tail[end..];
        } else {
            let tail = &rest[1..];
            let Some(end) = tail.find(']') else {
                return Err(given.value_error("Missing ']' in format string"));
            };
            let key = match tail[..end].parse::<i64>() {
                Ok(n) => Value::Int(n),
                Err(_) => text(&tail[..end]),
            };
            value = subscript::get(world, value, key, depth)?;
            rest = &tail[end + 1..];
        }
    }
    Ok(value)
}
