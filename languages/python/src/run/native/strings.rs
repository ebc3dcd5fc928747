//! Methods of strings. In: arguments. Out: results.

use super::given::Given;
use super::names::*;
use super::{collect, hot_strings, new_bytes, str_format, str_split, str_translate};
use crate::heap::exception::Thrown;
use crate::heap::instance;
use crate::heap::value::{Text, Tuple, Value, text};
use crate::heap::world::type_name;
use crate::plain::bytes;
use crate::plain::string;
use crate::plain::unicode::{self, is_space};
use verdigris::prelude::*;

type Outcome = Result<Value, Thrown>;

/// Calls such a method.
///
/// # Errors
/// What it raises.
pub fn call(given: Given) -> Outcome {
    if given.id == STR_MAKETRANS {
        return str_translate::table(given);
    }
    let Value::Str(own) = given.at(0) else {
        return Err(given.wrong_object());
    };
    match given.id {
        STR_ENCODE => return new_bytes::encoded(given, own.as_str()),
        STR_FORMAT | STR_FORMAT_MAP => return str_format::format(given, own.as_str()),
        STR_SPLIT | STR_RSPLIT => given.check_keywords(&["sep", "maxsplit"])?,
        STR_SPLITLINES => given.check_keywords(&["keepends"])?,
        STR_EXPANDTABS => given.check_keywords(&["tabsize"])?,
        _ => given.check_keywords(&[])?,
    }
    if given.count() == 1
        && let Some(value) = hot_strings::of_one(given.world, given.id, own)
    {
        return Ok(value);
    }
    // Those that need not look through the whole text.
    match given.id {
        STR_STARTSWITH => return affix(given, own, true),
        STR_ENDSWITH => return affix(given, own, false),
        STR_FIND | STR_RFIND | STR_INDEX | STR_RINDEX => return find(given, own),
        _ => {}
    }
    let s = own.as_str();
    let all = |test: fn(char) -> bool| Value::Bool(!s.is_empty() && s.chars().all(test));
    match given.id {
        STR_JOIN => join(given, s),
        STR_SPLIT | STR_RSPLIT => str_split::split(given, s),
        STR_SPLITLINES => str_split::lines(given, s),
        STR_PARTITION => str_split::partition(given, s, false),
        STR_RPARTITION => str_split::partition(given, s, true),
        STR_STRIP => strip(given, s, true, true),
        STR_LSTRIP => strip(given, s, true, false),
        STR_RSTRIP => strip(given, s, false, true),
        STR_CASEFOLD => Ok(text(&unicode::folded(s))),
        STR_TITLE => Ok(text(&title(s))),
        STR_CAPITALIZE => {
            let mut chars = s.chars();
            let first: String = chars
                .next()
                .into_iter()
                .flat_map(char::to_uppercase)
                .collect();
            Ok(text(&(first + &chars.as_str().to_lowercase())))
        }
        STR_SWAPCASE => {
            let swap = |c: char| -> String {
                match c.is_uppercase() {
                    true => c.to_lowercase().collect(),
                    false => c.to_uppercase().collect(),
                }
            };
            Ok(text(&s.chars().map(swap).collect::<String>()))
        }
        STR_COUNT => count(given, own),
        STR_REPLACE => replace(given, s),
        STR_CENTER | STR_LJUST | STR_RJUST => justify(given, own),
        STR_ZFILL => {
            let width = given.int(given.at(1))?.max(0) as usize;
            let zeros = "0".repeat(width.saturating_sub(own.chars));
            let (sign, rest) = match s.starts_with(['+', '-']) {
                true => s.split_at(1),
                false => ("", s),
            };
            Ok(text(&format!("{sign}{zeros}{rest}")))
        }
        STR_ISDECIMAL => Ok(all(unicode::is_decimal)),
        STR_ISNUMERIC => Ok(all(unicode::is_numeric)),
        STR_ISASCII => Ok(Value::Bool(s.is_ascii())),
        STR_ISTITLE => Ok(Value::Bool(
            s.chars().any(char::is_alphabetic) && title(s) == s,
        )),
        STR_ISIDENTIFIER => {
            let mut chars = s.chars();
            let first = chars.next().is_some_and(|c| c == '_' || c.is_alphabetic());
            Ok(Value::Bool(
                first && chars.all(|c| c == '_' || c.is_alphanumeric()),
            ))
        }
        STR_ISPRINTABLE => Ok(Value::Bool(
            s.chars().all(crate::run::text::show::is_printable),
        )),
        STR_EXPANDTABS => expand_tabs(given, s),
        STR_TRANSLATE => str_translate::translate(given, s),
        STR_REMOVEPREFIX => {
            let prefix = given.text(1)?;
            Ok(text(s.strip_prefix(prefix.as_str()).unwrap_or(s)))
        }
        STR_REMOVESUFFIX => {
            let suffix = given.text(1)?;
            Ok(text(s.strip_suffix(suffix.as_str()).unwrap_or(s)))
        }
        _ => Err(given.missing(&format!("'str.{}()'", given.name()))),
    }
}

fn title(s: &str) -> String {
    let mut made = String::with_capacity(s.len());
    let mut in_word = false;
    for c in s.chars() {
        match in_word {
            true => made.extend(c.to_lowercase()),
            false => made.extend(c.to_uppercase()),
        }
        in_word = c.is_alphabetic();
    }
    made
}

fn join(given: Given, sep: &str) -> Outcome {
    let all = match collect::list_of(given.world, given.at(1), given.depth) {
        Ok(all) => all,
        Err(thrown) if crate::run::items::iterate::is_iterable(given.world, given.at(1)) => {
            return Err(thrown);
        }
        Err(_) => return Err(given.type_error("can only join an iterable")),
    };
    let mut made = String::new();
    for n in 0..all.len() {
        let Value::Str(part) = instance::plain(all.at(n)) else {
            let class = type_name(given.world, all.at(n));
            let message = format!("sequence item {n}: expected str instance, {class} found");
            return Err(given.type_error(&message));
        };
        if n > 0 {
            made += sep;
        }
        made += part.as_str();
    }
    Ok(text(&made))
}

fn strip(given: Given, s: &str, left: bool, right: bool) -> Outcome {
    let chars: Option<Vec<char>> = match given.at(1) {
        Value::Unbound | Value::None => None,
        Value::Str(chars) => Some(chars.as_str().chars().collect()),
        _ => {
            let message = format!("{} arg must be None or str", given.name());
            return Err(given.type_error(&message));
        }
    };
    let goes = |c: char| match &chars {
        None => is_space(c),
        Some(chars) => chars.contains(&c),
    };
    let mut rest = s;
    if left {
        rest = rest.trim_start_matches(goes);
    }
    if right {
        rest = rest.trim_end_matches(goes);
    }
    Ok(text(rest))
}

/// The places, in characters, between which a method is to look.
fn between(given: Given, own: Gc<Text>, n: usize) -> Result<(usize, usize), Thrown> {
    let len = own.chars as i64;
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
    Ok((from as usize, to as usize))
}

fn affix(given: Given, own: Gc<Text>, at_start: bool) -> Outcome {
    let (from, to) = between(given, own, 2)?;
    if from > to {
        return Ok(Value::Bool(false));
    }
    let bytes = own.data.to_bytes();
    let s = &bytes.as_slice()[string::offset(own, from)..string::offset(own, to)];
    let fits = |part: Gc<Text>| match at_start {
        true => s.starts_with(part.as_str().as_bytes()),
        false => s.ends_with(part.as_str().as_bytes()),
    };
    let wrong = |value: Value| {
        let class = type_name(given.world, value);
        given.type_error(&format!(
            "{} first arg must be str or a tuple of str, not {class}",
            given.name()
        ))
    };
    match given.at(1) {
        Value::Str(part) => Ok(Value::Bool(fits(part))),
        Value::Tuple(parts) => any_fits(parts, fits).ok_or_else(|| wrong(given.at(1))),
        other => Err(wrong(other)),
    }
}

fn any_fits(parts: Tuple, fits: impl Fn(Gc<Text>) -> bool) -> Option<Value> {
    let mut found = false;
    for n in 0..parts.len() {
        let Value::Str(part) = parts[n].get() else {
            return None;
        };
        found |= fits(part);
    }
    Some(Value::Bool(found))
}

fn find(given: Given, own: Gc<Text>) -> Outcome {
    let part = match given.at(1) {
        Value::Str(part) => part,
        other => {
            let class = type_name(given.world, other);
            return Err(given.type_error(&format!("must be str, not {class}")));
        }
    };
    let (from, to) = between(given, own, 2)?;
    let found = match from <= to {
        false => None,
        true if string::is_ascii(own) => {
            let bytes = own.data.to_bytes();
            let s = &bytes.as_slice()[from..to];
            match given.id {
                STR_FIND | STR_INDEX => bytes::find(s, part.as_str().as_bytes()),
                _ => bytes::rfind(s, part.as_str().as_bytes()),
            }
            .map(|at| from + at)
        }
        true => {
            let (start, end) = (string::offset(own, from), string::offset(own, to));
            let s = &own.as_str()[start..end];
            let found = match given.id {
                STR_FIND | STR_INDEX => s.find(part.as_str()),
                _ => s.rfind(part.as_str()),
            };
            found.map(|at| from + s[..at].chars().count())
        }
    };
    match (found, given.id) {
        (Some(at), _) => Ok(Value::Int(at as i64)),
        (None, STR_FIND | STR_RFIND) => Ok(Value::Int(-1)),
        _ => Err(given.value_error("substring not found")),
    }
}

fn count(given: Given, own: Gc<Text>) -> Outcome {
    let part = given.text(1)?;
    let (from, to) = between(given, own, 2)?;
    if from > to {
        return Ok(Value::Int(0));
    }
    if part.chars == 0 {
        return Ok(Value::Int((to - from) as i64 + 1));
    }
    let s = &own.as_str()[string::offset(own, from)..string::offset(own, to)];
    Ok(Value::Int(s.matches(part.as_str()).count() as i64))
}

fn replace(given: Given, s: &str) -> Outcome {
    let (old, new) = (given.text(1)?, given.text(2)?);
    let count = match given.at(3) {
        Value::Unbound => -1,
        count => given.int(count)?,
    };
    Ok(text(&match usize::try_from(count) {
        Err(_) => s.replace(old.as_str(), new.as_str()),
        Ok(count) => s.replacen(old.as_str(), new.as_str(), count),
    }))
}

fn justify(given: Given, own: Gc<Text>) -> Outcome {
    let width = given.int(given.at(1))?.max(0) as usize;
    let fill = match given.at(2) {
        Value::Unbound => ' ',
        Value::Str(fill) if fill.chars == 1 => fill.as_str().chars().next().unwrap_or(' '),
        _ => {
            let message = "The fill character must be exactly one character long";
            return Err(given.type_error(message));
        }
    };
    let missing = width.saturating_sub(own.chars);
    let left = match given.id {
        STR_LJUST => 0,
        STR_RJUST => missing,
        // The odd one goes to the left if the width is odd.
        _ => missing / 2 + (missing & width & 1),
    };
    let fill = |n: usize| fill.to_string().repeat(n);
    Ok(text(&format!(
        "{}{}{}",
        fill(left),
        own.as_str(),
        fill(missing - left)
    )))
}

fn expand_tabs(given: Given, s: &str) -> Outcome {
    let size = match given.named(1, "tabsize") {
        Value::Unbound => 8,
        size => given.int(size)?.max(0) as usize,
    };
    let (mut made, mut column) = (String::new(), 0);
    for c in s.chars() {
        match c {
            '\t' if size > 0 => {
                let spaces = size - column % size;
                made += &" ".repeat(spaces);
                column += spaces;
            }
            '\t' => {}
            c => {
                made.push(c);
                column = if c == '\n' || c == '\r' {
                    0
                } else {
                    column + 1
                };
            }
        }
    }
    Ok(text(&made))
}
