//! What a result says about an operand.
//!
//! Invariant: if the operands and the result are words that their bounds admit, the returned bound
//! admits the operand. Wrapping is no obstacle where the operation can be undone on all words
//! (`x + y`, `x ^ y`).

use super::int_bound::IntBound;
use super::transfer::corners;
use verdigris_ops::DataOp;

/// The bound of operand `which`.
pub(crate) fn operand(op: DataOp, which: usize, args: &[IntBound], result: IntBound) -> IntBound {
    let x = args[which];
    let undo = |op: DataOp, args: &[IntBound]| IntBound::of_op(op, args);
    let learned = match *args {
        [x] => match op {
            DataOp::IntNeg | DataOp::IntNot => undo(op, &[result]),
            DataOp::IntSext8 => low_bits(x, result, 8),
            DataOp::IntSext16 => low_bits(x, result, 16),
            DataOp::IntSext32 => low_bits(x, result, 32),
            _ => IntBound::TOP,
        },
        [_, _] => {
            let y = args[1 - which];
            match (op, which) {
                (DataOp::IntAdd, _) => undo(DataOp::IntSub, &[result, y]),
                (DataOp::IntSub, 0) => undo(DataOp::IntAdd, &[result, y]),
                (DataOp::IntSub, _) => undo(DataOp::IntSub, &[y, result]),
                (DataOp::IntXor, _) => undo(DataOp::IntXor, &[result, y]),
                (DataOp::IntAnd, _) => IntBound::bits(
                    agreeing(result.zeros & y.ones, x.ones | result.ones),
                    result.ones,
                ),
                (DataOp::IntOr, _) => IntBound::bits(
                    result.zeros,
                    agreeing(result.ones & y.zeros, x.zeros | result.zeros),
                ),
                (DataOp::IntShl, 0) => shifted_left(x, y, result),
                (DataOp::IntShr | DataOp::UintShr, 0) => shifted_right(op, y, result),
                _ => IntBound::TOP,
            }
        }
        _ => IntBound::TOP,
    };
    x.and(learned)
}

/// Bits that do not contradict what else is known; a contradiction only stands in code that never
/// runs.
fn agreeing(bits: u64, contrary: u64) -> u64 {
    bits & !contrary
}

/// `result` is `x` extended from its low bits.
fn low_bits(x: IntBound, result: IntBound, width: u32) -> IntBound {
    let shift = 64 - width;
    let fits = |x: i64| x << shift >> shift == x;
    if fits(x.lo) && fits(x.hi) {
        // Nothing was cut off.
        return result;
    }
    let low = u64::MAX >> shift;
    IntBound::bits(result.zeros & low, result.ones & low)
}

/// `result` is `x << count`.
fn shifted_left(x: IntBound, count: IntBound, result: IntBound) -> IntBound {
    let Some(count) = count.as_word().map(|c| c as u32 & 63) else {
        return IntBound::TOP;
    };
    let kept = u64::MAX >> count;
    let bits = IntBound::bits(result.zeros >> count & kept, result.ones >> count & kept);
    let fits = |x: i64| x << count >> count == x;
    if fits(x.lo) && fits(x.hi) {
        return bits.and(IntBound::interval(result.lo >> count, result.hi >> count));
    }
    bits
}

/// `result` is `x >> count`, with or without the sign.
fn shifted_right(op: DataOp, count: IntBound, result: IntBound) -> IntBound {
    let Some(count) = count.as_word().map(|c| c as u32 & 63) else {
        return IntBound::TOP;
    };
    let bits = IntBound::bits(result.zeros << count, result.ones << count);
    let wide = |x: i64| i128::from(x) << count;
    let (lo, hi) = (wide(result.lo), wide(result.hi) + (1 << count) - 1);
    let in_range = match op {
        DataOp::IntShr => lo >= i128::from(i64::MIN) && hi <= i128::from(i64::MAX),
        _ => lo >= 0 && hi <= i128::from(u64::MAX),
    };
    if in_range {
        return bits.and(IntBound::wrapped(lo, hi));
    }
    bits
}

/// The bound of operand `which` if the arithmetic behind an overflow check does not overflow (or
/// does).
pub(crate) fn checked(op: DataOp, which: usize, args: &[IntBound], overflows: bool) -> IntBound {
    let (x, y) = (args[which], args[1 - which]);
    let (min, max) = (i128::from(i64::MIN), i128::from(i64::MAX));
    let (y_lo, y_hi) = (i128::from(y.lo), i128::from(y.hi));
    let limits = match (op, which, overflows) {
        (DataOp::IntAddOverflows, _, false) => (min - y_hi, max - y_lo),
        (DataOp::IntAddOverflows, _, true) if y.lo >= 0 => (max + 1 - y_hi, max),
        (DataOp::IntAddOverflows, _, true) if y.hi < 0 => (min, min - 1 - y_lo),
        (DataOp::IntSubOverflows, 0, false) => (min + y_lo, max + y_hi),
        (DataOp::IntSubOverflows, 0, true) if y.lo >= 0 => (min, min - 1 + y_hi),
        (DataOp::IntSubOverflows, 0, true) if y.hi < 0 => (max + 1 + y_lo, max),
        // Here `x` is what is subtracted from `y`.
        (DataOp::IntSubOverflows, 1, false) => (y_lo - max, y_hi - min),
        (DataOp::IntMulOverflows, _, false) if y.lo > 0 => (min / y_lo, max / y_lo),
        (DataOp::IntMulOverflows, _, false) if y.hi < 0 => (max / y_hi, min / y_hi),
        _ => return x,
    };
    x.and(clipped(limits))
}

/// The result of arithmetic that is known not to leave the words.
pub(crate) fn exact(check: DataOp, a: IntBound, b: IntBound) -> IntBound {
    let wide = |x: i64| i128::from(x);
    clipped(match check {
        DataOp::IntAddOverflows => (wide(a.lo) + wide(b.lo), wide(a.hi) + wide(b.hi)),
        DataOp::IntSubOverflows => (wide(a.lo) - wide(b.hi), wide(a.hi) - wide(b.lo)),
        DataOp::IntMulOverflows => corners(a, b, |x, y| x * y),
        _ => return IntBound::TOP,
    })
}

/// The words of an interval; all if there is none, which contradicts what is known.
fn clipped((lo, hi): (i128, i128)) -> IntBound {
    let lo = lo.max(i128::from(i64::MIN));
    let hi = hi.min(i128::from(i64::MAX));
    if lo > hi {
        return IntBound::TOP;
    }
    IntBound::interval(lo as i64, hi as i64)
}
