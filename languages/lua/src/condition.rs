//! The conditions of jumps. In: an instruction that compares, and the registers. Out: whether it
//! holds, or the fault of a metamethod. Invariant: numbers are compared here, exactly; everything
//! else is up to [`crate::operands`].

use crate::compare;
use crate::fault::Fault;
use crate::opcode;
use crate::operands;
use crate::string;
use crate::value::{Proto, Value, Values};
use verdigris::prelude::*;

/// `R[a] < R[b]`
#[inline(always)]
pub fn less(
    proto: Gc<Proto>,
    word: u64,
    pc: usize,
    r: Values,
    depth: i64,
) -> Result<bool, Gc<Fault>> {
    match (r[opcode::a(word)].get(), r[opcode::b(word)].get()) {
        (Value::Int(x), Value::Int(y)) => Ok(x < y),
        (Value::Float(x), Value::Float(y)) => Ok(x < y),
        (Value::Int(x), Value::Float(y)) => Ok(compare::int_less_float(x, y)),
        (Value::Float(x), Value::Int(y)) => Ok(compare::float_less_int(x, y)),
        _ => operands::less(proto, pc, r, depth),
    }
}

/// `R[a] <= R[b]`
#[inline(always)]
pub fn at_most(
    proto: Gc<Proto>,
    word: u64,
    pc: usize,
    r: Values,
    depth: i64,
) -> Result<bool, Gc<Fault>> {
    match (r[opcode::a(word)].get(), r[opcode::b(word)].get()) {
        (Value::Int(x), Value::Int(y)) => Ok(x <= y),
        (Value::Float(x), Value::Float(y)) => Ok(x <= y),
        (Value::Int(x), Value::Float(y)) => Ok(compare::int_at_most_float(x, y)),
        (Value::Float(x), Value::Int(y)) => Ok(compare::float_at_most_int(x, y)),
        _ => operands::at_most(proto, pc, r, depth),
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
pub fn less_int(
    proto: Gc<Proto>,
    word: u64,
    pc: usize,
    r: Values,
    depth: i64,
) -> Result<bool, Gc<Fault>> {
    let number = opcode::signed_b(word);
    match r[opcode::a(word)].get() {
        Value::Int(x) => Ok(x < number),
        Value::Float(x) => Ok(x < number as f64),
        _ => operands::less_int(proto, pc, r, depth),
    }
}

/// `R[a] <= b`
#[inline(always)]
pub fn at_most_int(
    proto: Gc<Proto>,
    word: u64,
    pc: usize,
    r: Values,
    depth: i64,
) -> Result<bool, Gc<Fault>> {
    let number = opcode::signed_b(word);
    match r[opcode::a(word)].get() {
        Value::Int(x) => Ok(x <= number),
        Value::Float(x) => Ok(x <= number as f64),
        _ => operands::at_most_int(proto, pc, r, depth),
    }
}

/// `R[a] > b`
#[inline(always)]
pub fn more_int(
    proto: Gc<Proto>,
    word: u64,
    pc: usize,
    r: Values,
    depth: i64,
) -> Result<bool, Gc<Fault>> {
    let number = opcode::signed_b(word);
    match r[opcode::a(word)].get() {
        Value::Int(x) => Ok(x > number),
        Value::Float(x) => Ok(x > number as f64),
        _ => operands::more_int(proto, pc, r, depth),
    }
}

/// `R[a] >= b`
#[inline(always)]
pub fn at_least_int(
    proto: Gc<Proto>,
    word: u64,
    pc: usize,
    r: Values,
    depth: i64,
) -> Result<bool, Gc<Fault>> {
    let number = opcode::signed_b(word);
    match r[opcode::a(word)].get() {
        Value::Int(x) => Ok(x >= number),
        Value::Float(x) => Ok(x >= number as f64),
        _ => operands::at_least_int(proto, pc, r, depth),
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
