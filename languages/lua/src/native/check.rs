//! Checks of arguments. In: arguments and a number. Out: the argument in the type that is wanted,
//! or a fault that names the function. Invariant: only a failing check leaves traced code.

use super::names::name_of;
use crate::arith;
use crate::fault::{self, Fault};
use crate::number;
use crate::string::LuaStr;
use crate::table::{self, Table};
use crate::value::{Args, Value};
use verdigris::prelude::*;

/// What [`failed`] says: an index that is not allowed.
pub const INDEX_RANGE: usize = 1;
/// A number that must be an integer.
pub const NO_INTEGER: usize = 3;
/// A position in a list that does not exist.
pub const POSITION: usize = 4;
/// A divisor of zero.
pub const ZERO: usize = 5;
/// An interval without a number.
pub const INTERVAL: usize = 6;
/// No value at all.
pub const VALUE: usize = 7;
/// More values than there can be.
pub const TOO_MANY: usize = 8;

/// A fault about an argument; the first has the number 0.
#[opaque]
pub fn failed(id: usize, index: usize, what: usize) -> Gc<Fault> {
    bad(
        id,
        index,
        match what {
            INDEX_RANGE => "index out of range",
            NO_INTEGER => "number has no integer representation",
            POSITION => "position out of bounds",
            ZERO => "zero",
            INTERVAL => "interval is empty",
            TOO_MANY => "too many results",
            _ => "value expected",
        },
    )
}

/// A fault about an argument, for native code.
pub fn bad(id: usize, index: usize, what: &str) -> Gc<Fault> {
    let name = name_of(id).1;
    fault::about(
        &format!("bad argument #{} to '{name}' ({what})", index + 1),
        fault::ARGUMENT,
    )
}

/// A fault about an argument that has not the type that is wanted: 0 a number, 1 a string, 2 a
/// table, 3 a function, 4 a table or a string, 5 nil or a table, 6 what `gsub`
/// replaces by, 7 a file, 8 a thread.
#[opaque]
pub fn mismatch(id: usize, index: usize, wanted: usize, found: Value, present: bool) -> Gc<Fault> {
    let wanted = [
        "number",
        "string",
        "table",
        "function",
        "table or string",
        "nil or table",
        "string/function/table",
        "FILE*",
        "thread",
    ][wanted];
    let found = match found {
        _ if !present => "no value".to_string(),
        Value::Table(t) => table::metatable(t)
            .and_then(table_name)
            .unwrap_or("table".to_string()),
        Value::File(_) => "FILE*".to_string(),
        Value::Host(host) => table_name(host.meta).unwrap_or("userdata".to_string()),
        _ => type_of(found).to_string(),
    };
    bad(id, index, &format!("{wanted} expected, got {found}"))
}

/// What messages about arguments call a value with this metatable: its `__name`, if that is a
/// string.
fn table_name(meta: Gc<Table>) -> Option<String> {
    let mut place = table::entry_from(meta, 0);
    while place >= 0 {
        if let (Value::Str(key), Value::Str(name)) =
            (table::key_at(meta, place), table::value_at(meta, place))
            && key.as_bytes() == b"__name"
        {
            return Some(name.text());
        }
        place = table::entry_from(meta, place + 1);
    }
    None
}

/// The name of a value's type, for native code.
pub fn type_of(value: Value) -> &'static str {
    match value {
        Value::Nil => "nil",
        Value::Bool(_) => "boolean",
        Value::Int(_) | Value::Float(_) => "number",
        Value::Str(_) => "string",
        Value::Table(_) => "table",
        Value::Thread(_) => "thread",
        Value::File(_) | Value::Host(_) => "userdata",
        _ => "function",
    }
}

/// An argument that has to be there.
#[inline]
pub fn present(id: usize, args: Args, index: usize) -> Result<(), Gc<Fault>> {
    if index < args.count {
        Ok(())
    } else {
        Err(failed(id, index, VALUE))
    }
}

/// An argument that has to be a table.
#[inline]
pub fn table(id: usize, args: Args, index: usize) -> Result<Gc<Table>, Gc<Fault>> {
    match args.at(index) {
        Value::Table(t) => Ok(t),
        other => Err(mismatch(id, index, 2, other, index < args.count)),
    }
}

/// An argument that has to be a string; a number is one too.
#[inline]
pub fn string(id: usize, args: Args, index: usize) -> Result<Gc<LuaStr>, Gc<Fault>> {
    match args.at(index) {
        Value::Str(s) => Ok(s),
        Value::Int(_) | Value::Float(_) => Ok(number_text(args.at(index))),
        other => Err(mismatch(id, index, 1, other, index < args.count)),
    }
}

/// A number as a string. What it promises cannot be read off its source: that writes floats by
/// functions of another crate.
#[opaque(writes())]
pub fn number_text(value: Value) -> Gc<LuaStr> {
    match value {
        Value::Int(i) => LuaStr::new(i.to_string().as_bytes()),
        Value::Float(f) => LuaStr::new(number::show_float(f).as_bytes()),
        _ => LuaStr::new(b""),
    }
}

/// An argument that has to be a number; a numeral is one too.
#[inline]
pub fn number(id: usize, args: Args, index: usize) -> Result<Value, Gc<Fault>> {
    let value = args.at(index);
    match value {
        Value::Int(_) | Value::Float(_) => Ok(value),
        _ => {
            let number = arith::to_number(value);
            if number.is_nil() {
                return Err(mismatch(id, index, 0, value, index < args.count));
            }
            Ok(number)
        }
    }
}

/// An argument that has to be a number, as a float.
#[inline]
pub fn float(id: usize, args: Args, index: usize) -> Result<f64, Gc<Fault>> {
    Ok(arith::float(number(id, args, index)?))
}

/// An argument that has to be an integer.
#[inline]
pub fn integer(id: usize, args: Args, index: usize) -> Result<i64, Gc<Fault>> {
    match args.at(index) {
        Value::Int(i) => Ok(i),
        _ => {
            let number = number(id, args, index)?;
            match arith::to_integer(number) {
                Some(i) => Ok(i),
                None => Err(failed(id, index, NO_INTEGER)),
            }
        }
    }
}

/// An argument that has to be an integer if it is there.
#[inline]
pub fn integer_or(id: usize, args: Args, index: usize, default: i64) -> Result<i64, Gc<Fault>> {
    if args.at(index).is_nil() {
        Ok(default)
    } else {
        integer(id, args, index)
    }
}

/// The fault of a loop over something that `next` does not know.
#[opaque]
pub fn no_iterator(state: Value) -> Gc<Fault> {
    let found = type_of(state);
    fault::message(&format!(
        "bad argument #1 to 'for iterator' (table expected, got {found})"
    ))
}
