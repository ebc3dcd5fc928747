//! `string.pack`, `unpack` and `packsize`. In: a format, values or bytes. Out: bytes or values.
//! Invariant: sizes and alignments are those of C on 64 bits, whatever the machine is; the byte
//! order is little unless the format says otherwise.
//!
//! Source: Lua 5.4 reference manual, section 6.4.2.

use super::check;
use super::names::{STRING_PACK, STRING_PACKSIZE, STRING_UNPACK};
use super::text;
use crate::fault::{self, Fault};
use crate::string::LuaStr;
use crate::value::{Args, Returned, Value, Values, arguments, one, several};
use verdigris::ByteBuffer;
use verdigris::prelude::*;

/// The largest integer that can be packed, in bytes.
const MAX_SIZE: usize = 16;

/// The alignment of `!` without a number.
const NATIVE_ALIGNMENT: usize = 8;

type Called<T> = Result<T, Gc<Fault>>;

/// What an option of a format stands for, with its size.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Signed(usize),
    Unsigned(usize),
    Float,
    Double,
    Fixed(usize),
    /// A string behind its length, which has this size.
    Counted(usize),
    Terminated,
    Padding,
    /// `X`: alignment for the option behind it.
    Align,
    Nothing,
}

impl Kind {
    fn size(self) -> usize {
        match self {
            Kind::Signed(size) | Kind::Unsigned(size) | Kind::Fixed(size) | Kind::Counted(size) => {
                size
            }
            Kind::Float => 4,
            Kind::Double => 8,
            Kind::Padding => 1,
            Kind::Terminated | Kind::Align | Kind::Nothing => 0,
        }
    }
}

/// A format that is being read, for one of the functions.
struct Format<'a> {
    id: usize,
    text: &'a [u8],
    at: usize,
    big: bool,
    max_alignment: usize,
}

impl<'a> Format<'a> {
    fn new(id: usize, text: &'a [u8]) -> Format<'a> {
        Format {
            id,
            text,
            at: 0,
            big: false,
            max_alignment: 1,
        }
    }

    fn number(&mut self) -> Option<usize> {
        let start = self.at;
        let mut value: usize = 0;
        while let Some(digit @ b'0'..=b'9') = self.text.get(self.at).copied()
            && value <= (i32::MAX as usize - 9) / 10
        {
            value = value * 10 + usize::from(digit - b'0');
            self.at += 1;
        }
        (self.at > start).then_some(value)
    }

    /// The size of an integer, or the one that it has without a number.
    fn size(&mut self, default: usize) -> Called<usize> {
        let size = self.number().unwrap_or(default);
        if !(1..=MAX_SIZE).contains(&size) {
            return Err(fault::message(&format!(
                "integral size ({size}) out of limits [1,{MAX_SIZE}]"
            )));
        }
        Ok(size)
    }

    /// The next option.
    fn option(&mut self) -> Called<Kind> {
        let letter = self.text[self.at];
        self.at += 1;
        Ok(match letter {
            b'b' => Kind::Signed(1),
            b'B' => Kind::Unsigned(1),
            b'h' => Kind::Signed(2),
            b'H' => Kind::Unsigned(2),
            b'i' => Kind::Signed(self.size(4)?),
            b'I' => Kind::Unsigned(self.size(4)?),
            b'l' | b'j' => Kind::Signed(8),
            b'L' | b'J' | b'T' => Kind::Unsigned(8),
            b'f' => Kind::Float,
            b'n' | b'd' => Kind::Double,
            b's' => Kind::Counted(self.size(8)?),
            b'c' => match self.number() {
                Some(size) => Kind::Fixed(size),
                None => return Err(fault::message("missing size for format option 'c'")),
            },
            b'z' => Kind::Terminated,
            b'x' => Kind::Padding,
            b'X' => Kind::Align,
            b' ' => Kind::Nothing,
            b'<' | b'=' => {
                self.big = false;
                Kind::Nothing
            }
            b'>' => {
                self.big = true;
                Kind::Nothing
            }
            b'!' => {
                self.max_alignment = self.size(NATIVE_ALIGNMENT)?;
                Kind::Nothing
            }
            _ => {
                return Err(fault::message(&format!(
                    "invalid format option '{}'",
                    letter as char
                )));
            }
        })
    }

    /// The next option, and how much padding comes before it behind so many bytes; `None` at the
    /// end.
    fn next(&mut self, total: usize) -> Called<Option<(Kind, usize)>> {
        if self.at >= self.text.len() {
            return Ok(None);
        }
        let kind = self.option()?;
        let mut alignment = kind.size();
        if kind == Kind::Align {
            let invalid = "invalid next option for option 'X'";
            if self.at >= self.text.len() {
                return Err(check::bad(self.id, 0, invalid));
            }
            let next = self.option()?;
            alignment = next.size();
            if matches!(next, Kind::Fixed(_)) || alignment == 0 {
                return Err(check::bad(self.id, 0, invalid));
            }
        }
        if alignment <= 1 || matches!(kind, Kind::Fixed(_)) {
            return Ok(Some((kind, 0)));
        }
        let alignment = alignment.min(self.max_alignment);
        if !alignment.is_power_of_two() {
            return Err(check::bad(
                self.id,
                0,
                "format asks for alignment not power of 2",
            ));
        }
        let padding = (alignment - (total & (alignment - 1))) & (alignment - 1);
        Ok(Some((kind, padding)))
    }
}

/// `string.pack`
pub fn pack(given: Args) -> Called<Returned> {
    // As in the reference implementation, what is missing at the end is nil.
    let list = Values::new(given.count + 1, Value::Nil);
    for n in 0..given.count {
        list[n].set(given.at(n));
    }
    let args = arguments(list);
    if given.count == 0 {
        check::string(STRING_PACK, given, 0)?;
    }
    let format = check::string(STRING_PACK, args, 0)?;
    let mut format = Format::new(STRING_PACK, format.as_bytes());
    let mut out = ByteBuffer::new();
    let mut index = 0;
    while let Some((kind, padding)) = format.next(out.len())? {
        out.resize(out.len() + padding, 0);
        if !matches!(kind, Kind::Padding | Kind::Align | Kind::Nothing) {
            index += 1;
        }
        match kind {
            Kind::Signed(size) => {
                let value = check::integer(STRING_PACK, args, index)?;
                let limit = 1i64.checked_shl(8 * size as u32 - 1).unwrap_or(0);
                if size < 8 && !(-limit..limit).contains(&value) {
                    return Err(check::bad(STRING_PACK, index, "integer overflow"));
                }
                append(&mut out, value, size, format.big, value < 0);
            }
            Kind::Unsigned(size) => {
                let value = check::integer(STRING_PACK, args, index)?;
                if size < 8 && value as u64 >= 1 << (8 * size) {
                    return Err(check::bad(STRING_PACK, index, "unsigned overflow"));
                }
                append(&mut out, value, size, format.big, false);
            }
            Kind::Float => {
                let value = check::float(STRING_PACK, args, index)? as f32;
                append(&mut out, i64::from(value.to_bits()), 4, format.big, false);
            }
            Kind::Double => {
                let value = check::float(STRING_PACK, args, index)?;
                append(&mut out, value.to_bits() as i64, 8, format.big, false);
            }
            Kind::Fixed(size) => {
                let text = check::string(STRING_PACK, args, index)?;
                if text.len() > size {
                    let what = "string longer than given size";
                    return Err(check::bad(STRING_PACK, index, what));
                }
                out.extend_from_slice(text.as_bytes());
                out.resize(out.len() + size - text.len(), 0);
            }
            Kind::Counted(size) => {
                let text = check::string(STRING_PACK, args, index)?;
                if size < 8 && text.len() >= 1 << (8 * size) {
                    let what = "string length does not fit in given size";
                    return Err(check::bad(STRING_PACK, index, what));
                }
                append(&mut out, text.len() as i64, size, format.big, false);
                out.extend_from_slice(text.as_bytes());
            }
            Kind::Terminated => {
                let text = check::string(STRING_PACK, args, index)?;
                if text.as_bytes().contains(&0) {
                    return Err(check::bad(STRING_PACK, index, "string contains zeros"));
                }
                out.extend_from_slice(text.as_bytes());
                out.push(0);
            }
            Kind::Padding => out.push(0),
            Kind::Align | Kind::Nothing => {}
        }
    }
    Ok(one(Value::Str(LuaStr::new(&out))))
}

/// Appends an integer of this size.
fn append(out: &mut ByteBuffer, value: i64, size: usize, big: bool, negative: bool) {
    let fill = if negative { 0xff } else { 0 };
    let mut bytes = [fill; MAX_SIZE];
    bytes[..8].copy_from_slice(&value.to_le_bytes());
    let bytes = &mut bytes[..size];
    if big {
        bytes.reverse();
    }
    out.extend_from_slice(bytes);
}

/// `string.packsize`
pub fn packsize(args: Args) -> Called<Returned> {
    let format = check::string(STRING_PACKSIZE, args, 0)?;
    let mut format = Format::new(STRING_PACKSIZE, format.as_bytes());
    let mut total = 0;
    while let Some((kind, padding)) = format.next(total)? {
        if matches!(kind, Kind::Counted(_) | Kind::Terminated) {
            return Err(check::bad(STRING_PACKSIZE, 0, "variable-length format"));
        }
        let size = padding + kind.size();
        if total > i32::MAX as usize - size {
            return Err(check::bad(STRING_PACKSIZE, 0, "format result too large"));
        }
        total += size;
    }
    Ok(one(Value::Int(total as i64)))
}

/// `string.unpack`
pub fn unpack(args: Args) -> Called<Returned> {
    let format = check::string(STRING_UNPACK, args, 0)?;
    let data = check::string(STRING_UNPACK, args, 1)?;
    let data = data.as_bytes();
    let from = check::integer_or(STRING_UNPACK, args, 2, 1)?;
    let mut at = text::start(from, data.len()) as usize - 1;
    if at > data.len() {
        return Err(check::bad(
            STRING_UNPACK,
            2,
            "initial position out of string",
        ));
    }
    let short = || Err(check::bad(STRING_UNPACK, 1, "data string too short"));
    let mut format = Format::new(STRING_UNPACK, format.as_bytes());
    let mut list = Values::new(4, Value::Nil);
    let mut count = 0;
    while let Some((kind, padding)) = format.next(at)? {
        if padding + kind.size() > data.len() - at {
            return short();
        }
        at += padding;
        let bytes = &data[at..at + kind.size()];
        at += kind.size();
        let value = match kind {
            Kind::Signed(_) => Value::Int(integer(bytes, format.big, true)?),
            Kind::Unsigned(_) => Value::Int(integer(bytes, format.big, false)?),
            Kind::Float => {
                let bits = integer(bytes, format.big, false)? as u32;
                Value::Float(f64::from(f32::from_bits(bits)))
            }
            Kind::Double => {
                let bits = integer(bytes, format.big, false)? as u64;
                Value::Float(f64::from_bits(bits))
            }
            Kind::Fixed(_) => Value::Str(LuaStr::new(bytes)),
            Kind::Counted(_) => {
                let length = integer(bytes, format.big, false)? as u64;
                if length > (data.len() - at) as u64 {
                    return short();
                }
                let end = at + length as usize;
                let text = LuaStr::new(&data[at..end]);
                at = end;
                Value::Str(text)
            }
            Kind::Terminated => {
                let Some(length) = memchr::memchr(0, &data[at..]) else {
                    let what = "unfinished string for format 'z'";
                    return Err(check::bad(STRING_UNPACK, 1, what));
                };
                let text = LuaStr::new(&data[at..at + length]);
                at += length + 1;
                Value::Str(text)
            }
            Kind::Padding | Kind::Align | Kind::Nothing => continue,
        };
        // The place for the position that comes last is always there.
        if count + 1 == list.len() {
            list = copied(list, count * 2 + 2, count);
        }
        list[count].set(value);
        count += 1;
    }
    let results = copied(list, count + 1, count);
    results[count].set(Value::Int(at as i64 + 1));
    Ok(several(results))
}

/// The first `count` values in a list of this length.
fn copied(list: Values, length: usize, count: usize) -> Values {
    let longer = Values::new(length, Value::Nil);
    for n in 0..count {
        longer[n].set(list[n].get());
    }
    longer
}

/// The integer that bytes hold.
fn integer(bytes: &[u8], big: bool, signed: bool) -> Called<i64> {
    let size = bytes.len();
    let byte = |n: usize| bytes[if big { size - 1 - n } else { n }];
    let mut value: u64 = 0;
    for n in 0..size.min(8) {
        value |= u64::from(byte(n)) << (8 * n);
    }
    if size < 8 {
        if signed {
            let unused = 64 - 8 * size as u32;
            return Ok(((value << unused) as i64) >> unused);
        }
        return Ok(value as i64);
    }
    let fill = if signed && (value as i64) < 0 {
        0xff
    } else {
        0
    };
    if (8..size).any(|n| byte(n) != fill) {
        return Err(fault::message(&format!(
            "{size}-byte integer does not fit into Lua Integer"
        )));
    }
    Ok(value as i64)
}
