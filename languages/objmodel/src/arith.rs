//! Arithmetic and comparison, traced. In: an opcode and values. Out: a value, or an error of the guest program.
//! Invariant: the opcode is constant in a trace, so that one arm of a match on it remains.
//!
//! Integers wrap at 64 bits; division rounds down. Any two values can be tested for equality: integers by value,
//! everything else by identity.

use crate::error;
use crate::object::{Obj, ObjKind, int};
use crate::opcode;

/// `left op right`.
#[inline(always)]
pub fn binary(op: u8, left: Obj, right: Obj, at: usize) -> Obj {
    match op {
        opcode::EQ => int(equal(left, right) as i64),
        opcode::NE => int(!equal(left, right) as i64),
        _ => {
            let a = int_operand(left, left, right, at);
            let b = int_operand(right, left, right, at);
            int(on_integers(op, a, b, at))
        }
    }
}

/// The operations that only integers have.
#[inline(always)]
fn on_integers(op: u8, a: i64, b: i64, at: usize) -> i64 {
    match op {
        opcode::ADD => a.wrapping_add(b),
        opcode::SUB => a.wrapping_sub(b),
        opcode::MUL => a.wrapping_mul(b),
        opcode::DIV => floor_div(a, b, at),
        opcode::MOD => floor_mod(a, b, at),
        opcode::LT => (a < b) as i64,
        opcode::LE => (a <= b) as i64,
        opcode::GT => (a > b) as i64,
        opcode::GE => (a >= b) as i64,
        _ => unreachable!(),
    }
}

/// One of two operands that both have to be integers.
#[inline(always)]
fn int_operand(value: Obj, left: Obj, right: Obj, at: usize) -> i64 {
    match value.kind() {
        ObjKind::Int(int) => int.value,
        _ => {
            error::bad_operands(at, left, right);
            unreachable!()
        }
    }
}

/// `-value`.
#[inline(always)]
pub fn negated(value: Obj, at: usize) -> Obj {
    match value.kind() {
        ObjKind::Int(operand) => int(operand.value.wrapping_neg()),
        _ => {
            error::bad_operand(at, value);
            unreachable!()
        }
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

/// The quotient rounded down.
#[inline(always)]
fn floor_div(a: i64, b: i64, at: usize) -> i64 {
    if b == 0 {
        error::division_by_zero(at);
    }
    let quotient = a.wrapping_div(b);
    let remainder = a.wrapping_rem(b);
    if remainder != 0 && (remainder < 0) != (b < 0) {
        quotient - 1
    } else {
        quotient
    }
}

/// What that leaves: 0, or of the divisor's sign.
#[inline(always)]
fn floor_mod(a: i64, b: i64, at: usize) -> i64 {
    if b == 0 {
        error::division_by_zero(at);
    }
    let remainder = a.wrapping_rem(b);
    if remainder != 0 && (remainder < 0) != (b < 0) {
        remainder + b
    } else {
        remainder
    }
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
