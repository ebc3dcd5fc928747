//! The conditions of jumps. In: an instruction that compares, and the registers. Out: whether it
//! holds, or the fault of a metamethod. Invariant: numbers are compared here, exactly; everything
//! else is up to [`crate::compare`].

use crate::compare;
use crate::fault::Fault;
use crate::opcode;
use crate::string;
use crate::value::{Proto, Value, Values};
use verdigris::prelude::*;

/// `R[a] < R[b]`
#[inline(always)]
pub fn less(proto: Gc<Proto>, word: u64, r: Values, depth: i64) -> Result<bool, Gc<Fault>> {
    match (r[opcode::a(word)].get(), r[opcode::b(word)].get()) {
        (Value::Int(x), Value::Int(y)) => Ok(x < y),
        (Value::Float(x), Value::Float(y)) => Ok(x < y),
        (x, y) => compare::less(proto.world, x, y, depth),
    }
}

/// `R[a] <= R[b]`
#[inline(always)]
pub fn at_most(proto: Gc<Proto>, word: u64, r: Values, depth: i64) -> Result<bool, Gc<Fault>> {
    match (r[opcode::a(word)].get(), r[opcode::b(word)].get()) {
        (Value::Int(x), Value::Int(y)) => Ok(x <= y),
        (Value::Float(x), Value::Float(y)) => Ok(x <= y),
        (x, y) => compare::at_most(proto.world, x, y, depth),
    }
}

/// `R[a] == b`, a number with a sign.
#[inline(always)]
pub fn equals_int(word: u64, r: Values) -> bool {
    let number = opcode::signed_b(word);
    match r[opcode::a(word)].get() {
        Value::Int(x) => x == number,
        Value::Float(x) => x == number as f64,
        _ => false,
    }
}

/// `R[a] < b`
#[inline(always)]
pub fn less_int(proto: Gc<Proto>, word: u64, r: Values, depth: i64) -> Result<bool, Gc<Fault>> {
    let number = opcode::signed_b(word);
    match r[opcode::a(word)].get() {
        Value::Int(x) => Ok(x < number),
        Value::Float(x) => Ok(x < number as f64),
        x => compare::less(proto.world, x, Value::Int(number), depth),
    }
}

/// `R[a] <= b`
#[inline(always)]
pub fn at_most_int(proto: Gc<Proto>, word: u64, r: Values, depth: i64) -> Result<bool, Gc<Fault>> {
    let number = opcode::signed_b(word);
    match r[opcode::a(word)].get() {
        Value::Int(x) => Ok(x <= number),
        Value::Float(x) => Ok(x <= number as f64),
        x => compare::at_most(proto.world, x, Value::Int(number), depth),
    }
}

/// `R[a] > b`
#[inline(always)]
pub fn more_int(proto: Gc<Proto>, word: u64, r: Values, depth: i64) -> Result<bool, Gc<Fault>> {
    let number = opcode::signed_b(word);
    match r[opcode::a(word)].get() {
        Value::Int(x) => Ok(x > number),
        Value::Float(x) => Ok(x > number as f64),
        x => compare::less(proto.world, Value::Int(number), x, depth),
    }
}

/// `R[a] >= b`
#[inline(always)]
pub fn at_least_int(proto: Gc<Proto>, word: u64, r: Values, depth: i64) -> Result<bool, Gc<Fault>> {
    let number = opcode::signed_b(word);
    match r[opcode::a(word)].get() {
        Value::Int(x) => Ok(x >= number),
        Value::Float(x) => Ok(x >= number as f64),
        x => compare::at_most(proto.world, Value::Int(number), x, depth),
    }
}

/// `R[a] == strings[b]`
#[inline(always)]
pub fn equals_string(proto: Gc<Proto>, word: u64, r: Values) -> bool {
    match r[opcode::a(word)].get() {
        Value::Str(s) => string::same(s, proto.strings[opcode::b(word)]),
        _ => false,
    }
}
