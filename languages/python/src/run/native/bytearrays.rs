//! Methods of bytearrays that change them. In: arguments. Out: results. Invariant: nothing is
//! changed if an argument is wrong.

use super::given::Given;
use super::names::*;
use super::new_bytes;
use crate::heap::exception::Thrown;
use crate::heap::value::Value;
use crate::heap::world::{classes, type_name};
use crate::plain::bytes;
use crate::plain::exports;
use crate::plain::fault;
use crate::run::items::bytes::{byte, collected};
use crate::run::items::iterate;
use verdigris::{List, prelude::*};

/// Calls such a method.
///
/// # Errors
/// What it raises.
pub fn call(given: Given) -> Result<Value, Thrown> {
    let Value::ByteArray(own) = given.at(0) else {
        return Err(given.wrong_object());
    };
    let (world, depth) = (given.world, given.depth);
    if given.id == BYTEARRAY_INIT {
        let data = new_bytes::data(given, 1, "bytearray")?;
        if data.len() != own.len() {
            exports::check(world, own)?;
        }
        bytes::assign(own, &data);
        return Ok(Value::None);
    }
    given.check_keywords(&[])?;
    let resizes = match given.id {
        BYTEARRAY_APPEND | BYTEARRAY_INSERT => true,
        BYTEARRAY_POP | BYTEARRAY_CLEAR => !own.is_empty(),
        _ => false,
    };
    if resizes {
        exports::check(world, own)?;
    }
    match given.id {
        BYTEARRAY_APPEND => own.push(byte(world, given.at(1), depth)?),
        BYTEARRAY_EXTEND => {
            let more = given.at(1);
            if !iterate::is_iterable(world, more) {
                let class = type_name(world, more);
                return Err(given.type_error(&format!("can't extend bytearray with {class}")));
            }
            let more = collected(world, more, depth)?;
            if !more.is_empty() {
                exports::check(world, own)?;
            }
            bytes::extend(own, &more);
        }
        BYTEARRAY_INSERT => {
            let (at, len) = (given.int(given.at(1))?, own.len() as i64);
            let at = if at < 0 {
                (at + len).max(0)
            } else {
                at.min(len)
            };
            own.insert(at as usize, byte(world, given.at(2), depth)?);
        }
        BYTEARRAY_POP => return pop(given, own),
        BYTEARRAY_REMOVE => {
            let wanted = byte(world, given.at(1), depth)?;
            let found = (0..own.len()).find(|&n| own.at(n) == wanted);
            let found = found.ok_or_else(|| given.value_error("value not found in bytearray"))?;
            exports::check(world, own)?;
            own.remove(found);
        }
        BYTEARRAY_CLEAR => own.clear(),
        BYTEARRAY_REVERSE => own.reverse(),
        _ => return Ok(Value::ByteArray(bytes::array(&bytes::copy(own)))),
    }
    Ok(Value::None)
}

fn pop(given: Given, own: Gc<List<u8>>) -> Result<Value, Thrown> {
    let fail = |message| Err(fault::new(given.world, classes::INDEX_ERROR, message));
    if own.is_empty() {
        return fail("pop from empty bytearray");
    }
    let len = own.len() as i64;
    let index = match given.at(1) {
        Value::Unbound => -1,
        index => given.int(index)?,
    };
    let index = if index < 0 { index + len } else { index };
    if !(0..len).contains(&index) {
        return fail("pop index out of range");
    }
    Ok(Value::Int(i64::from(own.remove(index as usize))))
}
