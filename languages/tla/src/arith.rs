//! Arithmetic and comparison, traced. In: an instruction and two values. Out: a value, or why there
//! is none. Invariant: the instruction is constant in a trace, so that of `binary` one arm remains.
//!
//! Integers wrap at 64 bits. `DIV` rounds down and `MOD` has the sign of the divisor, as in the
//! language that the original interpreter was written in; the smallest integer divided by -1 wraps
//! to itself. Strings are compared by their bytes, and values of different types are not equal.

use crate::fault::Trap;
use crate::object::{Obj, ObjKind, int, string};
use crate::opcode;

/// `left op right`.
#[inline(always)]
pub fn binary(op: u8, left: Obj, right: Obj) -> Result<Obj, Trap> {
    match (left.kind(), right.kind()) {
        (ObjKind::Int(a), ObjKind::Int(b)) => Ok(int(on_integers(op, a.value, b.value)?)),
        (ObjKind::Str(a), ObjKind::Str(b)) => match op {
            opcode::ADD => Ok(string(a.text.concat(b.text))),
            opcode::EQ => Ok(int(a.text.equals(b.text) as i64)),
            opcode::LT => Ok(int((a.text.compare(b.text) < 0) as i64)),
            _ => Err(Trap::Operands(left, right)),
        },
        _ if op == opcode::EQ => Ok(int(0)),
        _ => Err(Trap::Operands(left, right)),
    }
}

#[inline(always)]
fn on_integers(op: u8, a: i64, b: i64) -> Result<i64, Trap> {
    match op {
        opcode::LT => Ok((a < b) as i64),
        opcode::EQ => Ok((a == b) as i64),
        opcode::ADD => Ok(a.wrapping_add(b)),
        opcode::SUB => Ok(a.wrapping_sub(b)),
        opcode::MUL => Ok(a.wrapping_mul(b)),
        opcode::DIV => floor_div(a, b),
        opcode::MOD => floor_mod(a, b),
        _ => unreachable!(),
    }
}

#[inline(always)]
fn floor_div(a: i64, b: i64) -> Result<i64, Trap> {
    if b == 0 {
        return Err(Trap::DivisionByZero);
    }
    let (quotient, remainder) = (a.wrapping_div(b), a.wrapping_rem(b));
    if remainder != 0 && (remainder < 0) != (b < 0) {
        return Ok(quotient - 1);
    }
    Ok(quotient)
}

#[inline(always)]
fn floor_mod(a: i64, b: i64) -> Result<i64, Trap> {
    if b == 0 {
        return Err(Trap::DivisionByZero);
    }
    let remainder = a.wrapping_rem(b);
    if remainder != 0 && (remainder < 0) != (b < 0) {
        return Ok(remainder + b);
    }
    Ok(remainder)
}

/// Whether a condition holds: all but 0 and the empty string.
#[inline(always)]
pub fn truth(value: Obj) -> bool {
    match value.kind() {
        ObjKind::Int(int) => int.value != 0,
        ObjKind::Str(string) => !string.text.is_empty(),
    }
}
