//! Arithmetic and comparison, traced. In: an opcode and two values. Out: a value, or why there is
//! none. Invariant: the opcode is constant in a trace, so that of `binary` one arm remains.
//!
//! Integers wrap at 64 bits; `DIV` rounds down, as in the language that the original interpreter
//! was written in. `EQ` and `NE` take any two values, see [`list::same`].

use crate::list;
use crate::object::{Obj, ObjKind, int};
use crate::opcode;
use crate::trap::Trap;

/// `left op right`.
#[inline(always)]
pub fn binary(op: u8, left: Obj, right: Obj) -> Result<Obj, Trap> {
    match op {
        opcode::ADD => add(left, right),
        opcode::DIV => div(left, right),
        opcode::EQ => Ok(int(equal(left, right) as i64)),
        opcode::NE => Ok(int(!equal(left, right) as i64)),
        _ => {
            let (a, b) = (operand(left, left, right)?, operand(right, left, right)?);
            Ok(int(on_integers(op, a, b)))
        }
    }
}

/// The operations that only integers have.
#[inline(always)]
fn on_integers(op: u8, a: i64, b: i64) -> i64 {
    match op {
        opcode::SUB => a.wrapping_sub(b),
        opcode::MUL => a.wrapping_mul(b),
        opcode::LT => (a < b) as i64,
        opcode::LE => (a <= b) as i64,
        opcode::GT => (a > b) as i64,
        opcode::GE => (a >= b) as i64,
        _ => unreachable!(),
    }
}

/// One of two operands that both have to be integers.
#[inline(always)]
fn operand(value: Obj, left: Obj, right: Obj) -> Result<i64, Trap> {
    int_value(value).or(Err(Trap::Operands(left, right)))
}

/// A value that has to be an integer.
#[inline(always)]
pub fn int_value(value: Obj) -> Result<i64, Trap> {
    match value.kind() {
        ObjKind::Int(int) => Ok(int.value),
        _ => Err(Trap::Operand(value)),
    }
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

#[inline(always)]
fn add(left: Obj, right: Obj) -> Result<Obj, Trap> {
    match left.kind() {
        ObjKind::Int(a) => Ok(int(a.value.wrapping_add(operand(right, left, right)?))),
        ObjKind::Nil(_) => match right.kind() {
            ObjKind::Nil(_) | ObjKind::Cons(_) => Ok(right),
            _ => Err(Trap::Operands(left, right)),
        },
        ObjKind::Cons(_) => list::concat(left, right),
        _ => Err(Trap::Operands(left, right)),
    }
}

#[inline(always)]
fn div(left: Obj, right: Obj) -> Result<Obj, Trap> {
    match left.kind() {
        ObjKind::Int(a) => Ok(int(floor_div(a.value, operand(right, left, right)?)?)),
        ObjKind::Nil(_) | ObjKind::Cons(_) => list::nth(left, operand(right, left, right)?),
        _ => Err(Trap::Operands(left, right)),
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

#[inline(always)]
fn equal(left: Obj, right: Obj) -> bool {
    match left.kind() {
        ObjKind::Int(a) => match right.kind() {
            ObjKind::Int(b) => a.value == b.value,
            _ => false,
        },
        _ => list::same(left, right),
    }
}
