//! Strings of bytes, fixed ones and such that change. In: values, or bytes as Rust has them. Out:
//! the same. Invariant: what an operation makes is of the kind of its left operand.

use crate::bytecode::opcode::{OP_ADD, OP_MUL};
use crate::heap::exception::Thrown;
use crate::heap::value::{self, Value};
use crate::heap::world::{World, type_name};
use crate::plain::fault;
use memchr::memmem;
use std::borrow::Cow;
use verdigris::{List, prelude::*};

/// Whether a value is a string of bytes of either kind.
#[inline]
pub fn is(value: Value) -> bool {
    matches!(value, Value::Bytes(_) | Value::ByteArray(_))
}

/// The bytes of a value, for native code; `None` of other values.
pub fn of(value: &Value) -> Option<Cow<'_, [u8]>> {
    match value {
        Value::Bytes(bytes) => Some(Cow::Borrowed(bytes.as_slice())),
        Value::ByteArray(bytes) => Some(Cow::Owned(copy(*bytes))),
        _ => None,
    }
}

/// The bytes of a bytearray.
pub fn copy(own: Gc<List<u8>>) -> Vec<u8> {
    own.iter().collect()
}

/// A bytearray of these bytes.
pub fn array(data: &[u8]) -> Gc<List<u8>> {
    List::from_slice(data)
}

/// A string of these bytes that is of the kind of another value.
pub fn like(kind: Value, data: &[u8]) -> Value {
    match kind {
        Value::ByteArray(_) => Value::ByteArray(array(data)),
        _ => value::bytes(data),
    }
}

/// Gives a bytearray these bytes in place of its own.
pub fn assign(own: Gc<List<u8>>, data: &[u8]) {
    own.clear();
    extend(own, data);
}

/// Puts bytes behind those of a bytearray.
pub fn extend(own: Gc<List<u8>>, data: &[u8]) {
    own.reserve(data.len());
    data.iter().for_each(|&byte| own.push(byte));
}

/// `x + y` of which `x` is a string of bytes.
///
/// # Errors
/// A `TypeError` if `y` is none.
pub fn concat(world: Gc<World>, x: Value, y: Value) -> Result<Value, Thrown> {
    let (Some(a), Some(b)) = (of(&x), of(&y)) else {
        let (left, right) = (type_name(world, x), type_name(world, y));
        let message = format!("can't concat {right} to {left}");
        return Err(fault::type_error(world, &message));
    };
    Ok(like(x, &[a.as_ref(), b.as_ref()].concat()))
}

/// `own op= y`. Whether it was done.
pub fn inplace(own: Gc<List<u8>>, op: usize, y: Value) -> bool {
    match (op, of(&y), y) {
        (OP_ADD, Some(more), _) => extend(own, &more),
        (OP_MUL, _, Value::Int(count)) => {
            let Ok(data) = usize::try_from(count.max(0)).map(|count| copy(own).repeat(count))
            else {
                return false;
            };
            assign(own, &data);
        }
        _ => return false,
    }
    true
}

/// How a string of bytes is written. One that changes has all of its apostrophes escaped.
pub fn repr(data: &[u8], changes: bool) -> String {
    let quote = match data.contains(&b'\'') && !data.contains(&b'"') {
        true => '"',
        false => '\'',
    };
    let mut made = format!("b{quote}");
    for &byte in data {
        match byte {
            b'\\' => made += "\\\\",
            b'\n' => made += "\\n",
            b'\r' => made += "\\r",
            b'\t' => made += "\\t",
            b'\'' if changes || quote == '\'' => made += "\\'",
            b' '..=b'~' => made.push(char::from(byte)),
            _ => made += &format!("\\x{byte:02x}"),
        }
    }
    made.push(quote);
    match changes {
        true => format!("bytearray({made})"),
        false => made,
    }
}

/// The first place of one string in another.
pub fn find(data: &[u8], wanted: &[u8]) -> Option<usize> {
    match wanted {
        [] => Some(0),
        [byte] => memchr::memchr(*byte, data),
        // A searcher would take longer to make than this takes.
        _ if data.len() < 64 => data.windows(wanted.len()).position(|part| part == wanted),
        _ => memmem::find(data, wanted),
    }
}

/// The last place.
pub fn rfind(data: &[u8], wanted: &[u8]) -> Option<usize> {
    match wanted {
        [] => Some(data.len()),
        [byte] => memchr::memrchr(*byte, data),
        _ => memmem::rfind(data, wanted),
    }
}

/// Whether a byte is white space.
pub fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

#[cfg(test)]
mod tests {
    use super::{find, repr, rfind};

    #[test]
    fn bytes_are_written_as_in_cpython() {
        assert_eq!(repr(b"it's", false), "b\"it's\"");
        assert_eq!(repr(b"'\"", false), "b'\\'\"'");
        assert_eq!(repr(b"\x00\n\xff", false), "b'\\x00\\n\\xff'");
        assert_eq!(repr(b"a'", true), "bytearray(b\"a\\'\")");
    }

    #[test]
    fn parts_are_found() {
        assert_eq!(find(b"abcabc", b"bc"), Some(1));
        assert_eq!(rfind(b"abcabc", b"bc"), Some(4));
        assert_eq!(find(b"ab", b"abc"), None);
        assert_eq!(rfind(b"ab", b""), Some(2));
    }
}
