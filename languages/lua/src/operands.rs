//! What instructions do with operands that they do not handle themselves. In: the instruction and
//! the registers. Out: a register that is set, or a fault.
//!
//! Invariant: nothing of an instruction is handed over but its place, and operands are read again.
//! A value that is passed to a function lies in memory, from where it is read on: an instruction
//! that never passes its operands on has them in machine registers.

use crate::access;
use crate::arith;
use crate::compare;
use crate::fault::Fault;
use crate::levels;
use crate::opcode;
use crate::value::{Proto, Value, Values};
use verdigris::prelude::*;

/// `R[a] = R[b] op R[c]`
#[inline(never)]
pub fn arithmetic(proto: Gc<Proto>, pc: usize, r: Values, depth: i64) -> Result<(), Gc<Fault>> {
    levels::note(proto, pc, r, depth);
    let word = proto.code[pc];
    let (x, y) = (r[opcode::b(word)].get(), r[opcode::c(word)].get());
    let result = arith::binary(proto.world, opcode::op(word), x, y, depth)?;
    r[opcode::a(word)].set(result);
    Ok(())
}

/// `R[a] = R[b] op c`, a number with a sign.
#[inline(never)]
pub fn with_int(
    proto: Gc<Proto>,
    op: u8,
    pc: usize,
    r: Values,
    depth: i64,
) -> Result<(), Gc<Fault>> {
    levels::note(proto, pc, r, depth);
    let word = proto.code[pc];
    let (x, y) = (r[opcode::b(word)].get(), Value::Int(opcode::signed_c(word)));
    r[opcode::a(word)].set(arith::binary(proto.world, op, x, y, depth)?);
    Ok(())
}

/// `R[a] = R[b] op floats[c]`
#[inline(never)]
pub fn with_float(
    proto: Gc<Proto>,
    op: u8,
    pc: usize,
    r: Values,
    depth: i64,
) -> Result<(), Gc<Fault>> {
    levels::note(proto, pc, r, depth);
    let word = proto.code[pc];
    let (x, y) = (r[opcode::b(word)].get(), proto.floats[opcode::c(word)]);
    let result = arith::binary(proto.world, op, x, Value::Float(y), depth)?;
    r[opcode::a(word)].set(result);
    Ok(())
}

/// `R[a] = -R[b]`
#[inline(never)]
pub fn negate(proto: Gc<Proto>, pc: usize, r: Values, depth: i64) -> Result<(), Gc<Fault>> {
    levels::note(proto, pc, r, depth);
    let word = proto.code[pc];
    let result = arith::negated(proto.world, r[opcode::b(word)].get(), depth)?;
    r[opcode::a(word)].set(result);
    Ok(())
}

/// `R[a] = R[b].strings[c]`
#[inline(never)]
pub fn get_field(proto: Gc<Proto>, pc: usize, r: Values, depth: i64) -> Result<(), Gc<Fault>> {
    levels::note(proto, pc, r, depth);
    let word = proto.code[pc];
    let (object, key) = (r[opcode::b(word)].get(), proto.strings[opcode::c(word)]);
    let value = access::get_field(proto.world, object, key, depth)?;
    r[opcode::a(word)].set(value);
    Ok(())
}

/// `R[a + 1] = R[b]; R[a] = R[b].strings[c]`
#[inline(never)]
pub fn method(proto: Gc<Proto>, pc: usize, r: Values, depth: i64) -> Result<(), Gc<Fault>> {
    levels::note(proto, pc, r, depth);
    let word = proto.code[pc];
    let (object, key) = (r[opcode::b(word)].get(), proto.strings[opcode::c(word)]);
    r[opcode::a(word) + 1].set(object);
    let value = access::get_field(proto.world, object, key, depth)?;
    r[opcode::a(word)].set(value);
    Ok(())
}

/// `R[a].strings[b] = R[c]`
#[inline(never)]
pub fn set_field(proto: Gc<Proto>, pc: usize, r: Values, depth: i64) -> Result<(), Gc<Fault>> {
    levels::note(proto, pc, r, depth);
    let word = proto.code[pc];
    let (object, key) = (r[opcode::a(word)].get(), proto.strings[opcode::b(word)]);
    access::set_field(proto.world, object, key, r[opcode::c(word)].get(), depth)
}

/// `R[a] = R[b][R[c]]`
#[inline(never)]
pub fn get_index(proto: Gc<Proto>, pc: usize, r: Values, depth: i64) -> Result<(), Gc<Fault>> {
    levels::note(proto, pc, r, depth);
    let word = proto.code[pc];
    let (object, key) = (r[opcode::b(word)].get(), r[opcode::c(word)].get());
    let value = access::get(proto.world, object, key, depth)?;
    r[opcode::a(word)].set(value);
    Ok(())
}

/// `R[a][R[b]] = R[c]`
#[inline(never)]
pub fn set_index(proto: Gc<Proto>, pc: usize, r: Values, depth: i64) -> Result<(), Gc<Fault>> {
    levels::note(proto, pc, r, depth);
    let word = proto.code[pc];
    let (object, key) = (r[opcode::a(word)].get(), r[opcode::b(word)].get());
    access::set(proto.world, object, key, r[opcode::c(word)].get(), depth)
}

/// `R[a] = R[b][c]`
#[inline(never)]
pub fn get_item(proto: Gc<Proto>, pc: usize, r: Values, depth: i64) -> Result<(), Gc<Fault>> {
    levels::note(proto, pc, r, depth);
    let word = proto.code[pc];
    let key = Value::Int(opcode::c(word) as i64);
    let value = access::get(proto.world, r[opcode::b(word)].get(), key, depth)?;
    r[opcode::a(word)].set(value);
    Ok(())
}

/// `R[a][b] = R[c]`
#[inline(never)]
pub fn set_item(proto: Gc<Proto>, pc: usize, r: Values, depth: i64) -> Result<(), Gc<Fault>> {
    levels::note(proto, pc, r, depth);
    let word = proto.code[pc];
    let (object, key) = (r[opcode::a(word)].get(), opcode::b(word) as i64);
    let value = r[opcode::c(word)].get();
    access::set(proto.world, object, Value::Int(key), value, depth)
}

/// `R[a] < R[b]`
#[inline(never)]
pub fn less(proto: Gc<Proto>, pc: usize, r: Values, depth: i64) -> Result<bool, Gc<Fault>> {
    levels::note(proto, pc, r, depth);
    let word = proto.code[pc];
    let (x, y) = (r[opcode::a(word)].get(), r[opcode::b(word)].get());
    compare::less(proto.world, x, y, depth)
}

/// `R[a] <= R[b]`
#[inline(never)]
pub fn at_most(proto: Gc<Proto>, pc: usize, r: Values, depth: i64) -> Result<bool, Gc<Fault>> {
    levels::note(proto, pc, r, depth);
    let word = proto.code[pc];
    let (x, y) = (r[opcode::a(word)].get(), r[opcode::b(word)].get());
    compare::at_most(proto.world, x, y, depth)
}

/// `R[a] < b`, a number with a sign.
#[inline(never)]
pub fn less_int(proto: Gc<Proto>, pc: usize, r: Values, depth: i64) -> Result<bool, Gc<Fault>> {
    levels::note(proto, pc, r, depth);
    let word = proto.code[pc];
    let (x, y) = (r[opcode::a(word)].get(), Value::Int(opcode::signed_b(word)));
    compare::less(proto.world, x, y, depth)
}

/// `R[a] <= b`
#[inline(never)]
pub fn at_most_int(proto: Gc<Proto>, pc: usize, r: Values, depth: i64) -> Result<bool, Gc<Fault>> {
    levels::note(proto, pc, r, depth);
    let word = proto.code[pc];
    let (x, y) = (r[opcode::a(word)].get(), Value::Int(opcode::signed_b(word)));
    compare::at_most(proto.world, x, y, depth)
}

/// `R[a] > b`
#[inline(never)]
pub fn more_int(proto: Gc<Proto>, pc: usize, r: Values, depth: i64) -> Result<bool, Gc<Fault>> {
    levels::note(proto, pc, r, depth);
    let word = proto.code[pc];
    let (x, y) = (r[opcode::a(word)].get(), Value::Int(opcode::signed_b(word)));
    compare::less(proto.world, y, x, depth)
}

/// `R[a] >= b`
#[inline(never)]
pub fn at_least_int(proto: Gc<Proto>, pc: usize, r: Values, depth: i64) -> Result<bool, Gc<Fault>> {
    levels::note(proto, pc, r, depth);
    let word = proto.code[pc];
    let (x, y) = (r[opcode::a(word)].get(), Value::Int(opcode::signed_b(word)));
    compare::at_most(proto.world, y, x, depth)
}
