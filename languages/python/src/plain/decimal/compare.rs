//! Order. In: numbers, a context. Out: which is the smaller one, as order or as a number.

use super::{Context, Decimal, INVALID_OPERATION, Kind, power_of_ten};
use std::cmp::Ordering;

/// The order of two numbers that are no NaNs.
pub fn order(a: &Decimal, b: &Decimal) -> Ordering {
    let sign = |x: &Decimal| match (x.is_zero(), x.negative) {
        (true, _) => 0,
        (false, true) => -1,
        (false, false) => 1,
    };
    let (left, right) = (sign(a), sign(b));
    if left != right || left == 0 {
        return left.cmp(&right);
    }
    let made = order_of_sizes(a, b);
    if a.negative { made.reverse() } else { made }
}

/// The order of two numbers that are no NaNs, without their signs.
pub fn order_of_sizes(a: &Decimal, b: &Decimal) -> Ordering {
    match (a.is_infinite(), b.is_infinite()) {
        (false, false) => {}
        (left, right) => return left.cmp(&right),
    }
    if a.is_zero() || b.is_zero() {
        return (!a.is_zero()).cmp(&!b.is_zero());
    }
    match a.adjusted().cmp(&b.adjusted()) {
        Ordering::Equal => {}
        other => return other,
    }
    // They have the same first digit's place, so neither is moved far.
    let exponent = a.exponent.min(b.exponent);
    let left = &a.coefficient * power_of_ten(a.exponent - exponent);
    let right = &b.coefficient * power_of_ten(b.exponent - exponent);
    left.cmp(&right)
}

/// The order of all numbers, also of those that are equal and of NaNs.
pub fn total_order(a: &Decimal, b: &Decimal) -> Ordering {
    if a.negative != b.negative {
        return b.negative.cmp(&a.negative);
    }
    let made = total_order_of_sizes(a, b);
    if a.negative { made.reverse() } else { made }
}

/// The same without signs.
pub fn total_order_of_sizes(a: &Decimal, b: &Decimal) -> Ordering {
    let rank = |x: &Decimal| match x.kind {
        Kind::Finite | Kind::Infinity => 0,
        Kind::Signaling => 1,
        Kind::Quiet => 2,
    };
    let (left, right) = (rank(a), rank(b));
    if left != right {
        return left.cmp(&right);
    }
    if left > 0 {
        return a.coefficient.cmp(&b.coefficient);
    }
    order_of_sizes(a, b).then(a.exponent.cmp(&b.exponent))
}

fn number(order: Ordering) -> Decimal {
    Decimal::integer(order as i64)
}

impl Context {
    /// -1, 0 or 1, or a NaN if one of them is.
    pub fn compare(&mut self, a: &Decimal, b: &Decimal) -> Decimal {
        match self.nan_of(&[a, b]) {
            Some(nan) => nan,
            None => number(order(a, b)),
        }
    }

    /// The same, but each NaN is a mistake.
    pub fn compare_signal(&mut self, a: &Decimal, b: &Decimal) -> Decimal {
        if a.is_nan() || b.is_nan() {
            self.note(INVALID_OPERATION);
        }
        self.compare(a, b)
    }

    /// -1, 0 or 1 in the order of all numbers.
    pub fn compare_total(a: &Decimal, b: &Decimal) -> Decimal {
        number(total_order(a, b))
    }

    /// The same without signs.
    pub fn compare_total_size(a: &Decimal, b: &Decimal) -> Decimal {
        number(total_order_of_sizes(a, b))
    }

    /// The greater or the smaller one; without signs if `of_sizes`. A NaN that is none of the other
    /// counts as nothing.
    pub fn extreme(&mut self, a: &Decimal, b: &Decimal, greater: bool, of_sizes: bool) -> Decimal {
        let is_quiet = |x: &Decimal| x.kind == Kind::Quiet;
        if is_quiet(a) && !b.is_nan() {
            return self.finish(b.clone());
        }
        if is_quiet(b) && !a.is_nan() {
            return self.finish(a.clone());
        }
        if let Some(nan) = self.nan_of(&[a, b]) {
            return nan;
        }
        let mut made = match of_sizes {
            true => order_of_sizes(a, b),
            false => order(a, b),
        };
        if made == Ordering::Equal {
            made = total_order(a, b);
        }
        let is_first = match greater {
            true => made == Ordering::Greater,
            false => made != Ordering::Greater,
        };
        self.finish(if is_first { a.clone() } else { b.clone() })
    }
}
