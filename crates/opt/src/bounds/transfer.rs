//! The bound of an operation's result, given the bounds of its operands.
//!
//! It agrees with `eval` for every word of every operand; the tests compare the two on every word
//! of small bounds at the edges of the signed words.

use super::compare::Relation;
use super::int_bound::IntBound;
use crate::sabotage::Sabotage;
use verdigris_ops::DataOp;

impl IntBound {
    /// The bound of an operation's result, given the bounds of its operands.
    pub fn of_op(op: DataOp, args: &[IntBound]) -> IntBound {
        if let Some(relation) = Relation::of_op(op) {
            return truth(relation.decided(args[0], args[1]));
        }
        if op.gives_boolean() {
            return match *args {
                [a] => unary_test(op, a),
                [a, b] => truth(overflows(op, a, b)),
                _ => IntBound::BOOL,
            };
        }
        match *args {
            [a] => unary(op, a),
            [a, b] => binary(op, a, b),
            _ => IntBound::TOP,
        }
    }
}

fn truth(known: Option<bool>) -> IntBound {
    match known {
        Some(holds) => IntBound::constant(i64::from(holds)),
        None => IntBound::BOOL,
    }
}

fn unary_test(op: DataOp, a: IntBound) -> IntBound {
    let is_true = match a.as_word() {
        Some(word) => Some(word != 0),
        None => (!a.contains(0)).then_some(true),
    };
    match op {
        DataOp::IntIsTrue => truth(is_true),
        DataOp::IntIsZero => truth(is_true.map(|t| !t)),
        _ => IntBound::BOOL,
    }
}

fn unary(op: DataOp, a: IntBound) -> IntBound {
    match op {
        DataOp::IntLeadingZeros => leading_zeros(a),
        DataOp::IntTrailingZeros => trailing_zeros(a),
        DataOp::IntCountOnes => {
            let (known, possible) = (a.ones.count_ones(), (!a.zeros).count_ones());
            IntBound::interval(known.into(), possible.into())
        }
        DataOp::IntSwapBytes => IntBound::bits(a.zeros.swap_bytes(), a.ones.swap_bytes()),
        DataOp::IntNeg => sub(IntBound::constant(0), a),
        DataOp::IntNot => IntBound {
            lo: !a.hi,
            hi: !a.lo,
            zeros: a.ones,
            ones: a.zeros,
        },
        DataOp::IntSext8 => sign_extend(a, 8),
        DataOp::IntSext16 => sign_extend(a, 16),
        DataOp::IntSext32 => sign_extend(a, 32),
        _ => IntBound::TOP,
    }
}

fn binary(op: DataOp, a: IntBound, b: IntBound) -> IntBound {
    match op {
        DataOp::IntAdd => add(a, b),
        DataOp::IntSub => sub(a, b),
        DataOp::IntMul => mul(a, b),
        DataOp::IntDiv => div(a, b),
        DataOp::IntRem => rem(a, b),
        DataOp::UintDiv => uint_div(a, b),
        DataOp::UintRem => uint_rem(a, b),
        DataOp::IntAnd => and(a, b),
        DataOp::IntOr => or(a, b),
        DataOp::IntXor => xor(a, b),
        DataOp::IntShl => by_count(a, b, shl),
        DataOp::IntShr => by_count(a, b, shr),
        DataOp::UintShr => by_count(a, b, uint_shr),
        _ => IntBound::TOP,
    }
}

/// Signed numbers for arithmetic that does not wrap.
fn wide(x: i64) -> i128 {
    i128::from(x)
}

fn add(a: IntBound, b: IntBound) -> IntBound {
    let interval = IntBound::wrapped(wide(a.lo) + wide(b.lo), wide(a.hi) + wide(b.hi));
    // Between the sum of the least and the sum of the greatest values of the unknown bits, a bit is
    // known where neither an operand nor a carry can change it.
    let least = a.ones.wrapping_add(b.ones);
    let greatest = (!a.zeros).wrapping_add(!b.zeros);
    let known = a.known() & b.known() & !(least ^ greatest);
    interval.and(IntBound::bits(!least & known, least & known))
}

fn sub(a: IntBound, b: IntBound) -> IntBound {
    let least_subtracted = if Sabotage::WrongBound.is_on() {
        b.hi
    } else {
        b.lo
    };
    let interval = IntBound::wrapped(wide(a.lo) - wide(b.hi), wide(a.hi) - wide(least_subtracted));
    let least = a.ones.wrapping_sub(!b.zeros);
    let greatest = (!a.zeros).wrapping_sub(b.ones);
    let known = a.known() & b.known() & !(least ^ greatest);
    interval.and(IntBound::bits(!least & known, least & known))
}

fn mul(a: IntBound, b: IntBound) -> IntBound {
    let (lo, hi) = corners(a, b, |x, y| x * y);
    // With the factors of two taken out, as many low bits of the product are known as of both
    // operands.
    let known_low = |x: IntBound| (!x.known()).trailing_zeros();
    let twos = |x: IntBound| (!x.zeros).trailing_zeros();
    let (za, zb) = (twos(a), twos(b));
    let low = (known_low(a) - za).min(known_low(b) - zb) + za + zb;
    let known = match low {
        64.. => u64::MAX,
        _ => (1 << low) - 1,
    };
    let product = a.ones.wrapping_mul(b.ones);
    IntBound::wrapped(lo, hi).and(IntBound::bits(!product & known, product & known))
}

/// The least and the greatest result of a function that is monotonic in each argument.
pub(super) fn corners(a: IntBound, b: IntBound, f: impl Fn(i128, i128) -> i128) -> (i128, i128) {
    let (p, q) = (f(wide(a.lo), wide(b.lo)), f(wide(a.lo), wide(b.hi)));
    let (r, s) = (f(wide(a.hi), wide(b.lo)), f(wide(a.hi), wide(b.hi)));
    (p.min(q).min(r).min(s), p.max(q).max(r).max(s))
}

/// A divisor's negative and positive words.
fn halves(b: IntBound) -> [Option<IntBound>; 2] {
    [
        b.meet(IntBound::interval(i64::MIN, -1)),
        b.meet(IntBound::interval(1, i64::MAX)),
    ]
}

fn div(a: IntBound, b: IntBound) -> IntBound {
    // Division by zero gives zero.
    let by_zero = b.contains(0).then_some((0, 0));
    let quotients = halves(b).map(|half| half.map(|b| corners(a, b, |x, y| x / y)));
    let all = quotients.into_iter().chain([by_zero]).flatten();
    let (lo, hi) = all
        .reduce(|x, y| (x.0.min(y.0), x.1.max(y.1)))
        .expect("a divisor is negative, zero or positive");
    IntBound::wrapped(lo, hi)
}

fn rem(a: IntBound, b: IntBound) -> IntBound {
    let magnitude = |x: i64| wide(x).abs();
    let least = match b {
        _ if b.lo > 0 => wide(b.lo),
        _ if b.hi < 0 => -wide(b.hi),
        _ => 0,
    };
    if magnitude(a.lo).max(magnitude(a.hi)) < least {
        return a;
    }
    // The sign is that of the dividend; the magnitude is at most its, and less than the divisor's.
    let most = (magnitude(b.lo).max(magnitude(b.hi)) - 1).max(0);
    let lo = wide(a.lo).min(0).max(-most);
    let hi = wide(a.hi).max(0).min(most);
    IntBound::wrapped(lo, hi).and(low_bits_of_rem(a, b))
}

/// A multiple of a power of two leaves the bits below that power alone. (Division by zero does
/// not.)
fn low_bits_of_rem(a: IntBound, b: IntBound) -> IntBound {
    if b.contains(0) {
        return IntBound::TOP;
    }
    let low = (1u64 << (!b.zeros).trailing_zeros()) - 1;
    IntBound::bits(a.zeros & low, a.ones & low)
}

fn uint_div(a: IntBound, b: IntBound) -> IntBound {
    let ((a_lo, a_hi), (b_lo, b_hi)) = (a.unsigned_ends(), b.unsigned_ends());
    let lo = match b_lo {
        0 => 0,
        _ => a_lo / b_hi,
    };
    IntBound::unsigned(lo, a_hi / b_lo.max(1))
}

fn uint_rem(a: IntBound, b: IntBound) -> IntBound {
    let ((_, a_hi), (b_lo, b_hi)) = (a.unsigned_ends(), b.unsigned_ends());
    if a_hi < b_lo {
        return a;
    }
    let hi = a_hi.min(b_hi.saturating_sub(1));
    IntBound::unsigned(0, hi).and(low_bits_of_rem(a, b))
}

fn and(a: IntBound, b: IntBound) -> IntBound {
    // Clearing bits makes a word of the same sign less.
    let mut hi = i64::MAX;
    if a.lo >= 0 || a.hi < 0 && b.hi < 0 {
        hi = hi.min(a.hi);
    }
    if b.lo >= 0 || a.hi < 0 && b.hi < 0 {
        hi = hi.min(b.hi);
    }
    IntBound::interval(i64::MIN, hi).and(IntBound::bits(a.zeros | b.zeros, a.ones & b.ones))
}

fn or(a: IntBound, b: IntBound) -> IntBound {
    // Setting bits makes a word of the same sign greater.
    let mut lo = i64::MIN;
    if a.hi < 0 || a.lo >= 0 && b.lo >= 0 {
        lo = lo.max(a.lo);
    }
    if b.hi < 0 || a.lo >= 0 && b.lo >= 0 {
        lo = lo.max(b.lo);
    }
    IntBound::interval(lo, i64::MAX).and(IntBound::bits(a.zeros & b.zeros, a.ones | b.ones))
}

fn xor(a: IntBound, b: IntBound) -> IntBound {
    let known = a.known() & b.known();
    let word = a.ones ^ b.ones;
    IntBound::bits(!word & known, word & known)
}

/// A shift for every count that there can be; only the low six bits count.
fn by_count(a: IntBound, b: IntBound, shift: fn(IntBound, u32) -> IntBound) -> IntBound {
    let (zeros, ones) = (b.zeros as u32 & 63, b.ones as u32 & 63);
    if zeros | ones == 63 {
        return shift(a, ones);
    }
    let small = (0..64).contains(&b.lo) && b.hi < 64;
    let (first, last) = if small { (b.lo, b.hi) } else { (0, 63) };
    let possible = (first as u32..=last as u32).filter(|c| c & zeros == 0 && !c & ones == 0);
    let mut all: Option<IntBound> = None;
    for count in possible {
        let one = shift(a, count);
        let joined = all.map_or(one, |all| all.join(one));
        if joined == IntBound::TOP {
            return joined;
        }
        all = Some(joined);
    }
    all.expect("some count is possible")
}

fn shl(a: IntBound, count: u32) -> IntBound {
    let interval = IntBound::wrapped(wide(a.lo) << count, wide(a.hi) << count);
    let low = (1 << count) - 1;
    interval.and(IntBound::bits(a.zeros << count | low, a.ones << count))
}

fn shr(a: IntBound, count: u32) -> IntBound {
    let signed = |bits: u64| (bits as i64 >> count) as u64;
    let bits = IntBound::bits(signed(a.zeros), signed(a.ones));
    IntBound::interval(a.lo >> count, a.hi >> count).and(bits)
}

fn uint_shr(a: IntBound, count: u32) -> IntBound {
    let (lo, hi) = a.unsigned_ends();
    let high = !(u64::MAX >> count);
    let bits = IntBound::bits(a.zeros >> count | high, a.ones >> count);
    IntBound::unsigned(lo >> count, hi >> count).and(bits)
}

/// The highest bit that is 1 is not above the highest that can be, and not below the highest that
/// must be.
fn leading_zeros(a: IntBound) -> IntBound {
    let (lo, hi) = a.unsigned_ends();
    IntBound::interval(hi.leading_zeros().into(), lo.leading_zeros().into())
}

/// As for the highest bits; which is the lowest one cannot be told from an interval.
fn trailing_zeros(a: IntBound) -> IntBound {
    let least = (!a.zeros).trailing_zeros();
    let most = match a.ones {
        0 if !a.contains(0) => 63,
        ones => ones.trailing_zeros(),
    };
    IntBound::interval(least.into(), most.into())
}

fn sign_extend(a: IntBound, width: u32) -> IntBound {
    let extend = |x: i64| x << (64 - width) >> (64 - width);
    let bits = IntBound::bits(extend(a.zeros as i64) as u64, extend(a.ones as i64) as u64);
    // An interval that does not straddle the end of the narrow type is moved as a whole.
    let moved = |x: i64| wide(x) - wide(extend(x));
    let interval = if moved(a.lo) == moved(a.hi) {
        IntBound::interval(extend(a.lo), extend(a.hi))
    } else {
        IntBound::interval(extend(1 << (width - 1)), (1 << (width - 1)) - 1)
    };
    interval.and(bits)
}

/// Whether the arithmetic behind an overflow check leaves the words.
fn overflows(op: DataOp, a: IntBound, b: IntBound) -> Option<bool> {
    if op == DataOp::UintMulOverflows {
        let ((a_lo, a_hi), (b_lo, b_hi)) = (a.unsigned_ends(), b.unsigned_ends());
        return match (a_hi.checked_mul(b_hi), a_lo.checked_mul(b_lo)) {
            (Some(_), _) => Some(false),
            (None, None) => Some(true),
            (None, Some(_)) => None,
        };
    }
    let (lo, hi) = match op {
        DataOp::IntAddOverflows => (wide(a.lo) + wide(b.lo), wide(a.hi) + wide(b.hi)),
        DataOp::IntSubOverflows => (wide(a.lo) - wide(b.hi), wide(a.hi) - wide(b.lo)),
        DataOp::IntMulOverflows => corners(a, b, |x, y| x * y),
        _ => return None,
    };
    let (min, max) = (wide(i64::MIN), wide(i64::MAX));
    if lo >= min && hi <= max {
        return Some(false);
    }
    (hi < min || lo > max).then_some(true)
}

/// Whether the sum of these, as numbers, is always a word.
pub(crate) fn sum_is_exact(a: IntBound, b: IntBound) -> bool {
    overflows(DataOp::IntAddOverflows, a, b) == Some(false)
}

/// Which operand an operation gives back as it is.
pub(crate) fn unchanged(op: DataOp, args: &[IntBound]) -> Option<usize> {
    let fits = |a: IntBound, width: u32| {
        let limit = 1i64 << (width - 1);
        a.lo >= -limit && a.hi < limit
    };
    let only_clears_zeros = |x: IntBound, mask: IntBound| !x.zeros & !mask.ones == 0;
    let only_sets_ones = |x: IntBound, mask: IntBound| !mask.zeros & !x.ones == 0;
    let first = match (op, args) {
        (DataOp::IntSext8, &[a]) => fits(a, 8),
        (DataOp::IntSext16, &[a]) => fits(a, 16),
        (DataOp::IntSext32, &[a]) => fits(a, 32),
        (DataOp::IntAnd, &[a, b]) if only_clears_zeros(b, a) => return Some(1),
        (DataOp::IntAnd, &[a, b]) => only_clears_zeros(a, b),
        (DataOp::IntOr, &[a, b]) if only_sets_ones(b, a) => return Some(1),
        (DataOp::IntOr, &[a, b]) => only_sets_ones(a, b),
        (DataOp::IntRem, &[a, b]) => {
            let largest = a.lo.unsigned_abs().max(a.hi.unsigned_abs());
            b.lo > 0 && largest < b.lo as u64 || b.hi < 0 && largest < b.hi.unsigned_abs()
        }
        (DataOp::UintRem, &[a, b]) => a.unsigned_ends().1 < b.unsigned_ends().0,
        _ => false,
    };
    first.then_some(0)
}
