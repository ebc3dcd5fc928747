//! Arithmetic and comparison, traced. In: an opcode and two values. Out: a value, or an error of the guest program.
//! Invariant: the opcode is constant in a trace, so that of `binary` one arm remains.
//!
//! Integers wrap at 64 bits; `DIV` rounds down, as in the language that the original interpreter was written in.
//! `EQ` and `NE` take any two values, see [`list::same`].

use crate::error;
use crate::list;
use crate::object::{Obj, ObjKind, int};
use crate::opcode;

/// `left op right`.
#[inline(always)]
pub fn binary(op: u8, left: Obj, right: Obj, at: usize) -> Obj {
    match op {
        opcode::ADD => add(left, right, at),
        opcode::DIV => div(left, right, at),
        opcode::EQ => int(equal(left, right) as i64),
        opcode::NE => int(!equal(left, right) as i64),
        _ => {
            let a = int_operand(left, left, right, at);
            let b = int_operand(right, left, right, at);
            int(on_integers(op, a, b))
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
fn int_operand(value: Obj, left: Obj, right: Obj, at: usize) -> i64 {
    match value.kind() {
        ObjKind::Int(int) => int.value,
        _ => {
            error::bad_operands(at, left, right);
            unreachable!()
        }
    }
}

/// A value that has to be an integer.
#[inline(always)]
pub fn int_value(value: Obj, at: usize) -> i64 {
    match value.kind() {
        ObjKind::Int(int) => int.value,
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

#[inline(always)]
fn add(left: Obj, right: Obj, at: usize) -> Obj {
    match left.kind() {
        ObjKind::Int(a) => int(a.value.wrapping_add(int_operand(right, left, right, at))),
        ObjKind::Nil(_) => list_operand(left, right, at),
        ObjKind::Cons(_) => list::concat(left, right, at),
        _ => {
            error::bad_operands(at, left, right);
            unreachable!()
        }
    }
}

/// The right operand of a concatenation.
#[inline(always)]
fn list_operand(left: Obj, right: Obj, at: usize) -> Obj {
    match right.kind() {
        ObjKind::Nil(_) | ObjKind::Cons(_) => right,
        _ => {
            error::bad_operands(at, left, right);
            unreachable!()
        }
    }
}

#[inline(always)]
fn div(left: Obj, right: Obj, at: usize) -> Obj {
    match left.kind() {
        ObjKind::Int(a) => int(floor_div(a.value, int_operand(right, left, right, at), at)),
        ObjKind::Nil(_) | ObjKind::Cons(_) => {
            list::nth(left, int_operand(right, left, right, at), at)
        }
        _ => {
            error::bad_operands(at, left, right);
            unreachable!()
        }
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
