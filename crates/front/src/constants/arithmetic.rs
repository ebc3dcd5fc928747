//! Operators on constants.
//!
//! In: values, the types of operands. Out: the value that the compiled program would compute.
//! Invariant: integers are words whose bits beyond their type repeat its sign, or are zero.

use crate::cx::sources::ConstValue;
use crate::tast::{BinOp, IntTy, Type, UnOp};
use crate::types::ty::int_range;

/// The word of the integer type that has the same low bits.
fn wrap(value: i64, ty: &Type) -> i64 {
    let Type::Int(int) = ty else { return value };
    let shift = 64 - int.bits();
    match int.signed() {
        true => value << shift >> shift,
        false => ((value as u64) << shift >> shift) as i64,
    }
}

pub(crate) fn unary(op: UnOp, x: ConstValue, ty: &Type) -> ConstValue {
    match (op, x) {
        (UnOp::Neg, ConstValue::Int(x)) => ConstValue::Int(wrap(x.wrapping_neg(), ty)),
        (UnOp::Neg, ConstValue::Float(x)) => ConstValue::Float(-x),
        (UnOp::Not, ConstValue::Int(x)) if *ty == Type::Bool => ConstValue::Int(x ^ 1),
        (UnOp::Not, ConstValue::Int(x)) => ConstValue::Int(wrap(!x, ty)),
        (_, x) => x,
    }
}

pub(crate) fn cast(x: ConstValue, from: &Type, to: &Type) -> ConstValue {
    let unsigned = matches!(from, Type::Int(int) if !int.signed());
    match (x, to) {
        (ConstValue::Int(x), Type::F64) if unsigned => ConstValue::Float(x as u64 as f64),
        (ConstValue::Int(x), Type::F64) => ConstValue::Float(x as f64),
        (ConstValue::Int(x), to) => ConstValue::Int(wrap(x, to)),
        (ConstValue::Float(x), Type::Int(int)) => ConstValue::Int(saturate(x, *int)),
        (x, _) => x,
    }
}

/// None on division by zero.
pub(crate) fn binary(op: BinOp, x: ConstValue, y: ConstValue, ty: &Type) -> Option<ConstValue> {
    match (x, y) {
        (ConstValue::Int(x), ConstValue::Int(y)) => int_binary(op, x, y, ty).map(ConstValue::Int),
        (ConstValue::Float(x), ConstValue::Float(y)) => Some(float_binary(op, x, y)),
        (x, _) => Some(x),
    }
}

fn int_binary(op: BinOp, x: i64, y: i64, ty: &Type) -> Option<i64> {
    let (signed, bits) = match ty {
        Type::Int(int) => (int.signed(), int.bits()),
        _ => (false, 64),
    };
    let (ux, uy) = (x as u64, y as u64);
    let amount = y as u32 & (bits - 1);
    let order = if signed { x.cmp(&y) } else { ux.cmp(&uy) };
    let value = match op {
        BinOp::Add => x.wrapping_add(y),
        BinOp::Sub => x.wrapping_sub(y),
        BinOp::Mul => x.wrapping_mul(y),
        BinOp::Div | BinOp::Rem if y == 0 => return None,
        BinOp::Div if signed => x.wrapping_div(y),
        BinOp::Div => (ux / uy) as i64,
        BinOp::Rem if signed => x.wrapping_rem(y),
        BinOp::Rem => (ux % uy) as i64,
        BinOp::And => x & y,
        BinOp::Or => x | y,
        BinOp::Xor => x ^ y,
        BinOp::Shl => x.wrapping_shl(amount),
        BinOp::Shr if signed => x.wrapping_shr(amount),
        BinOp::Shr => ux.wrapping_shr(amount) as i64,
        BinOp::Eq => return Some(i64::from(order.is_eq())),
        BinOp::Ne => return Some(i64::from(order.is_ne())),
        BinOp::Lt => return Some(i64::from(order.is_lt())),
        BinOp::Le => return Some(i64::from(order.is_le())),
        BinOp::Gt => return Some(i64::from(order.is_gt())),
        BinOp::Ge => return Some(i64::from(order.is_ge())),
    };
    Some(wrap(value, ty))
}

fn float_binary(op: BinOp, x: f64, y: f64) -> ConstValue {
    let bit = |b: bool| ConstValue::Int(i64::from(b));
    match op {
        BinOp::Add => ConstValue::Float(x + y),
        BinOp::Sub => ConstValue::Float(x - y),
        BinOp::Mul => ConstValue::Float(x * y),
        BinOp::Div => ConstValue::Float(x / y),
        BinOp::Eq => bit(x == y),
        BinOp::Ne => bit(x != y),
        BinOp::Lt => bit(x < y),
        BinOp::Le => bit(x <= y),
        BinOp::Gt => bit(x > y),
        BinOp::Ge => bit(x >= y),
        // The other operators are not defined on floats.
        _ => ConstValue::Float(x),
    }
}

fn saturate(x: f64, int: IntTy) -> i64 {
    let (min, max) = int_range(int);
    match int.signed() {
        true => (x as i64).clamp(min, max),
        false => (x as u64).min(max as u64) as i64,
    }
}
