//! Texts as bytes and bytes as texts. In: a text or bytes, the name of an encoding, and what is to
//! be done about what it cannot say. Out: bytes or a text. Invariant: an error says from where to
//! where it is, as CPython's: a wrong sequence of UTF-8 ends before the byte that cannot go on.

use crate::heap::exception::{self, Thrown};
use crate::heap::value::{Tuple, Value, bytes, text};
use crate::heap::world::{World, classes};
use crate::plain::fault;
use verdigris::prelude::*;

/// An encoding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// UTF-8
    Utf8,
    /// Codes below 128.
    Ascii,
    /// Codes below 256.
    Latin1,
}

impl Encoding {
    /// The encoding of a name.
    ///
    /// # Errors
    /// A `LookupError` if there is none.
    pub fn of(world: Gc<World>, name: &str) -> Result<Encoding, Thrown> {
        let plain = name.to_ascii_lowercase().replace(['_', ' '], "-");
        Ok(match plain.as_str() {
            "utf-8" | "utf8" | "u8" | "utf" | "cp65001" => Encoding::Utf8,
            "ascii" | "us-ascii" | "646" | "ansi-x3.4-1968" => Encoding::Ascii,
            "latin-1" | "latin1" | "latin" | "l1" | "iso-8859-1" | "iso8859-1" | "8859"
            | "cp819" => Encoding::Latin1,
            _ if is_other(&plain) => {
                return Err(fault::missing(world, &format!("the encoding '{name}'")));
            }
            _ => {
                let message = format!("unknown encoding: {name}");
                return Err(fault::new(world, classes::LOOKUP_ERROR, &message));
            }
        })
    }

    fn name(self) -> &'static str {
        match self {
            Encoding::Utf8 => "utf-8",
            Encoding::Ascii => "ascii",
            Encoding::Latin1 => "latin-1",
        }
    }

    fn reason(self) -> &'static str {
        match self {
            Encoding::Latin1 => "ordinal not in range(256)",
            _ => "ordinal not in range(128)",
        }
    }

    fn has(self, c: char) -> bool {
        match self {
            Encoding::Utf8 => true,
            Encoding::Ascii => c.is_ascii(),
            Encoding::Latin1 => u32::from(c) < 256,
        }
    }
}

/// Whether CPython has an encoding that is not here.
fn is_other(name: &str) -> bool {
    const FAMILIES: [&str; 8] = ["utf", "cp", "iso", "koi8", "mac", "big5", "gb", "euc"];
    const OTHERS: [&str; 6] = [
        "idna",
        "punycode",
        "shift-jis",
        "mbcs",
        "hex",
        "unicode-escape",
    ];
    let has_digit = name.contains(|c: char| c.is_ascii_digit());
    OTHERS.contains(&name) || has_digit && FAMILIES.iter().any(|start| name.starts_with(start))
}

/// What is done about an error.
fn unknown(world: Gc<World>, errors: &str) -> Thrown {
    match errors {
        "surrogateescape" | "surrogatepass" | "namereplace" => {
            fault::missing(world, &format!("the error handler '{errors}'"))
        }
        _ => {
            let message = format!("unknown error handler name '{errors}'");
            fault::new(world, classes::LOOKUP_ERROR, &message)
        }
    }
}

/// An exception that says where an encoding has failed.
fn failed(
    world: Gc<World>,
    class: usize,
    encoding: Encoding,
    object: Value,
    (start, end): (usize, usize),
    reason: &str,
) -> Thrown {
    let args = Tuple::new(5, Value::Unbound);
    args[0].set(text(encoding.name()));
    args[1].set(object);
    args[2].set(Value::Int(start as i64));
    args[3].set(Value::Int(end as i64));
    args[4].set(text(reason));
    exception::make(world.classes[class], args)
}

/// A text as bytes.
///
/// # Errors
/// What the encoding cannot say, unless `errors` says what to do.
pub fn encode(
    world: Gc<World>,
    s: &str,
    encoding: Encoding,
    errors: &str,
) -> Result<Vec<u8>, Thrown> {
    if encoding == Encoding::Utf8 || s.is_ascii() {
        return Ok(s.as_bytes().to_vec());
    }
    let chars: Vec<char> = s.chars().collect();
    let mut made = Vec::with_capacity(chars.len());
    let mut at = 0;
    while at < chars.len() {
        let c = chars[at];
        if encoding.has(c) {
            made.push(u32::from(c) as u8);
            at += 1;
            continue;
        }
        let wrong = |c: &&char| !encoding.has(**c);
        let end = at + chars[at..].iter().take_while(wrong).count();
        for &c in &chars[at..end] {
            let code = u32::from(c);
            match errors {
                "ignore" => {}
                "replace" => made.push(b'?'),
                "xmlcharrefreplace" => made.extend(format!("&#{code};").bytes()),
                "backslashreplace" => made.extend(escaped(code).bytes()),
                "strict" => {
                    let (class, place) = (classes::UNICODE_ENCODE_ERROR, (at, end));
                    let reason = encoding.reason();
                    return Err(failed(world, class, encoding, text(s), place, reason));
                }
                _ => return Err(unknown(world, errors)),
            }
        }
        at = end;
    }
    Ok(made)
}

/// The escape of a character.
pub fn escaped(code: u32) -> String {
    match code {
        ..0x100 => format!("\\x{code:02x}"),
        0x100..0x1_0000 => format!("\\u{code:04x}"),
        _ => format!("\\U{code:08x}"),
    }
}

/// Bytes as a text.
///
/// # Errors
/// What is no text in the encoding, unless `errors` says what to do.
pub fn decode(
    world: Gc<World>,
    data: &[u8],
    encoding: Encoding,
    errors: &str,
) -> Result<String, Thrown> {
    let mut made = String::with_capacity(data.len());
    let mut at = 0;
    while at < data.len() {
        let (good, wrong, reason) = valid(&data[at..], encoding);
        made += &good;
        let Some((start, end)) = wrong.map(|(start, end)| (at + start, at + end)) else {
            return Ok(made);
        };
        match errors {
            "ignore" => {}
            "replace" => made.push('\u{fffd}'),
            "backslashreplace" => {
                for &byte in &data[start..end] {
                    made += &escaped(u32::from(byte));
                }
            }
            "strict" => {
                let class = classes::UNICODE_DECODE_ERROR;
                let object = bytes(data);
                return Err(failed(world, class, encoding, object, (start, end), reason));
            }
            _ => return Err(unknown(world, errors)),
        }
        at = end;
    }
    Ok(made)
}

/// What can be decoded at the beginning, and where and why not the rest.
fn valid(data: &[u8], encoding: Encoding) -> (String, Option<(usize, usize)>, &'static str) {
    let as_chars = |data: &[u8]| data.iter().map(|&byte| char::from(byte)).collect();
    match encoding {
        Encoding::Latin1 => (as_chars(data), None, ""),
        Encoding::Ascii => {
            let end = data.iter().position(|byte| !byte.is_ascii());
            let good = as_chars(&data[..end.unwrap_or(data.len())]);
            (good, end.map(|end| (end, end + 1)), encoding.reason())
        }
        Encoding::Utf8 => match std::str::from_utf8(data) {
            Ok(good) => (good.to_string(), None, ""),
            Err(error) => {
                let start = error.valid_up_to();
                let good = String::from_utf8_lossy(&data[..start]).into_owned();
                let (end, reason) = match error.error_len() {
                    None => (data.len(), "unexpected end of data"),
                    Some(_) if !matches!(data[start], 0xc2..=0xf4) => {
                        (start + 1, "invalid start byte")
                    }
                    Some(len) => (start + len, "invalid continuation byte"),
                };
                (good, Some((start, end)), reason)
            }
        },
    }
}

/// What an exception of [`encode`] or [`decode`] says; `None` if its arguments are none.
pub fn message(args: Tuple) -> Option<String> {
    if args.len() != 5 {
        return None;
    }
    let (Value::Str(encoding), Value::Int(start), Value::Int(end), Value::Str(reason)) =
        (args[0].get(), args[2].get(), args[3].get(), args[4].get())
    else {
        return None;
    };
    let (encoding, reason) = (encoding.as_str(), reason.as_str());
    let is_one = end == start + 1;
    let at = usize::try_from(start).ok()?;
    let object = args[1].get();
    let what = match object {
        Value::Str(s) => match s.as_str().chars().nth(at) {
            Some(c) if is_one => {
                let shown = escaped(u32::from(c));
                format!("encode character '{shown}' in position {start}")
            }
            _ => format!("encode characters in position {start}-{}", end - 1),
        },
        _ => match crate::plain::bytes::of(&object)?.get(at) {
            Some(byte) if is_one => format!("decode byte 0x{byte:02x} in position {start}"),
            _ => format!("decode bytes in position {start}-{}", end - 1),
        },
    };
    Some(format!("'{encoding}' codec can't {what}: {reason}"))
}
