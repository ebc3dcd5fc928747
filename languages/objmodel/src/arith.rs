//! Arithmetic and comparison, traced. In: an opcode and values. Out: a value, or why there is none.
//! Invariant: the opcode is constant in a trace, so that one arm of a match on it remains.
//!
//! Integers wrap at 64 bits; division rounds down. Any two values can be tested for equality:
//! integers by value, everything else by identity.

use crate::object::{Obj, ObjKind, int};
use crate::opcode;
use crate::trap::Trap;

/// `left op right`.
#[inline(always)]
pub fn binary(op: u8, left: Obj, right: Obj) -> Result<Obj, Trap> {
    match op {
        opcode::EQ => Ok(int(equal(left, right) as i64)),
        opcode::NE => Ok(int(!equal(left, right) as i64)),
        _ => {
            let a = operand(left).or(Err(Trap::Operands(left, right)))?;
            let b = operand(right).or(Err(Trap::Operands(left, right)))?;
            Ok(int(on_integers(op, a, b)?))
        }
    }
}

/// The operations that only integers have.
#[inline(always)]
fn on_integers(op: u8, a: i64, b: i64) -> Result<i64, Trap> {
    Ok(match op {
        opcode::ADD => a.wrapping_add(b),
        opcode::SUB => a.wrapping_sub(b),
        opcode::MUL => a.wrapping_mul(b),
        opcode::DIV => floor_div(a, b)?,
        opcode::MOD => floor_mod(a, b)?,
        opcode::LT => (a < b) as i64,
        opcode::LE => (a <= b) as i64,
        opcode::GT => (a > b) as i64,
        opcode::GE => (a >= b) as i64,
        _ => unreachable!(),
    })
}

/// A value that has to be an integer.
#[inline(always)]
fn operand(value: Obj) -> Result<i64, Trap> {
    match value.kind() {
        ObjKind::Int(int) => Ok(int.value),
        _ => Err(Trap::Operand(value)),
    }
}

/// `-value`.
#[inline(always)]
pub fn negated(value: Obj) -> Result<Obj, Trap> {
    Ok(int(operand(value)?.wrapping_neg()))
}

/// Whether a condition holds: all but 0 and nil.
#[inline(always)]
pub fn truth(value: Obj) -> bool {
    match value.kind() {
        ObjKind::Int(int) => int.value != 0,
        ObjKind::Nil(_) => false,
        _ => true,
    }
}

/// The quotient rounded down.
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

/// What that leaves: 0, or of the divisor's sign.
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

#[inline(always)]
fn equal(left: Obj, right: Obj) -> bool {
    match left.kind() {
        ObjKind::Int(a) => match right.kind() {
            ObjKind::Int(b) => a.value == b.value,
            _ => false,
        },
        _ => Obj::ptr_eq(left, right),
    }
}
