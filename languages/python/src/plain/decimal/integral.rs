//! What works on exponents and places: numbers of another exponent, integers, neighbours, and moved
//! digits. In: numbers, a context. Out: results.

use super::round::without_digits;
use super::{
    Context, DIVISION_BY_ZERO, Decimal, INEXACT, INVALID_OPERATION, ROUNDED, Rounding,
    power_of_ten, trailing_zeros,
};
use num_bigint::BigUint;
use std::cmp::Ordering;

impl Context {
    /// `a` with the exponent of `b`.
    pub fn quantize(&mut self, a: &Decimal, b: &Decimal) -> Decimal {
        if let Some(nan) = self.nan_of(&[a, b]) {
            return nan;
        }
        if a.is_infinite() || b.is_infinite() {
            return match a.is_infinite() && b.is_infinite() {
                true => a.clone(),
                false => self.invalid(INVALID_OPERATION),
            };
        }
        self.rescale(a, b.exponent)
    }

    /// A finite number with this exponent.
    pub fn rescale(&mut self, a: &Decimal, exponent: i64) -> Decimal {
        if exponent > self.emax || exponent < self.etiny() {
            return self.invalid(INVALID_OPERATION);
        }
        if a.is_zero() {
            return self.finish(Decimal::small(a.negative, 0, exponent));
        }
        let shift = a.exponent - exponent;
        if a.digits() + shift > self.precision {
            return self.invalid(INVALID_OPERATION);
        }
        let mut conditions = 0;
        let coefficient = match shift >= 0 {
            true => &a.coefficient * power_of_ten(shift),
            false => {
                let (kept, is_inexact) = without_digits(a, -shift, self.rounding);
                conditions = match is_inexact {
                    true => ROUNDED | INEXACT,
                    false => ROUNDED,
                };
                kept
            }
        };
        let made = Decimal::new(a.negative, coefficient, exponent);
        if made.digits() > self.precision || made.adjusted() > self.emax {
            return self.invalid(INVALID_OPERATION);
        }
        self.note(conditions);
        self.finish(made)
    }

    /// An integer; conditions are noted if `is_exact`.
    pub fn to_integral(&mut self, a: &Decimal, is_exact: bool) -> Decimal {
        if let Some(nan) = self.nan_of(&[a]) {
            return nan;
        }
        if !a.is_finite() || a.exponent >= 0 {
            return a.clone();
        }
        if a.is_zero() {
            return Decimal::small(a.negative, 0, 0);
        }
        let (kept, is_inexact) = without_digits(a, -a.exponent, self.rounding);
        if is_exact {
            self.note(ROUNDED);
            if is_inexact {
                self.note(INEXACT);
            }
        }
        Decimal::new(a.negative, kept, 0)
    }

    /// A number without zeros at its end.
    pub fn normalize(&mut self, a: &Decimal) -> Decimal {
        if let Some(nan) = self.nan_of(&[a]) {
            return nan;
        }
        let mut made = self.finish(a.clone());
        if !made.is_finite() {
            return made;
        }
        if made.is_zero() {
            return Decimal::small(made.negative, 0, 0);
        }
        let most = if self.clamp { self.etop() } else { self.emax };
        let room = (most - made.exponent).max(0);
        let zeros = trailing_zeros(&made.coefficient, room);
        made.coefficient /= power_of_ten(zeros);
        made.exponent += zeros;
        made
    }

    /// The exponent of the first digit.
    pub fn logb(&mut self, a: &Decimal) -> Decimal {
        if let Some(nan) = self.nan_of(&[a]) {
            return nan;
        }
        if a.is_infinite() {
            return Decimal::infinity(false);
        }
        if a.is_zero() {
            self.note(DIVISION_BY_ZERO);
            return Decimal::infinity(true);
        }
        self.finish(Decimal::integer(a.adjusted()))
    }

    /// `a * 10 ** b`
    pub fn scaleb(&mut self, a: &Decimal, b: &Decimal) -> Decimal {
        if let Some(nan) = self.nan_of(&[a, b]) {
            return nan;
        }
        let limit = self.emax.saturating_add(self.precision).saturating_mul(2);
        let by = self.small_integer(b, limit);
        let Some(by) = by else {
            return self.invalid(INVALID_OPERATION);
        };
        if a.is_infinite() {
            return a.clone();
        }
        let exponent = a.exponent + by;
        self.finish(Decimal::new(a.negative, a.coefficient.clone(), exponent))
    }

    /// An integer that is given with the exponent 0 and is not beyond a limit.
    fn small_integer(&self, b: &Decimal, limit: i64) -> Option<i64> {
        if !b.is_finite() || b.exponent != 0 {
            return None;
        }
        b.to_i64().filter(|by| by.unsigned_abs() <= limit as u64)
    }

    /// The digits moved; those that leave are lost, others are zeros.
    pub fn shift(&mut self, a: &Decimal, b: &Decimal) -> Decimal {
        self.moved(a, b, false)
    }

    /// The digits moved; those that leave come in at the other end.
    pub fn rotate(&mut self, a: &Decimal, b: &Decimal) -> Decimal {
        self.moved(a, b, true)
    }

    fn moved(&mut self, a: &Decimal, b: &Decimal, is_round: bool) -> Decimal {
        if let Some(nan) = self.nan_of(&[a, b]) {
            return nan;
        }
        let Some(by) = self.small_integer(b, self.precision) else {
            return self.invalid(INVALID_OPERATION);
        };
        if a.is_infinite() {
            return a.clone();
        }
        let all = power_of_ten(self.precision);
        let digits = &a.coefficient % &all;
        let coefficient = if by >= 0 {
            let moved = digits * power_of_ten(by);
            let lost = &moved / &all;
            let kept = moved % all;
            if is_round { kept + lost } else { kept }
        } else {
            let power = power_of_ten(-by);
            let lost = &digits % &power;
            let kept = digits / power;
            match is_round {
                true => kept + lost * power_of_ten(self.precision + by),
                false => kept,
            }
        };
        Decimal::new(a.negative, coefficient, a.exponent)
    }

    /// The next number upwards, or downwards.
    pub fn next(&mut self, a: &Decimal, up: bool) -> Decimal {
        if let Some(nan) = self.nan_of(&[a]) {
            return nan;
        }
        if a.is_infinite() {
            if a.negative != up {
                return a.clone();
            }
            let digits = power_of_ten(self.precision) - 1u32;
            return Decimal::new(a.negative, digits, self.etop());
        }
        let mut working = *self;
        working.rounding = if up {
            Rounding::Ceiling
        } else {
            Rounding::Floor
        };
        working.status = 0;
        let made = working.finish(a.clone());
        if working.status & INEXACT != 0 || working.status & super::OVERFLOW != 0 {
            return made;
        }
        // Less than any digit, so that it is rounded away from the number.
        let tiny = Decimal::small(!up, 1, self.etiny() - 1);
        working.add(&made, &tiny)
    }

    /// The next number from `a` towards `b`.
    pub fn next_toward(&mut self, a: &Decimal, b: &Decimal) -> Decimal {
        if let Some(nan) = self.nan_of(&[a, b]) {
            return nan;
        }
        let order = super::compare::order(a, b);
        if order == Ordering::Equal {
            return a.clone().with_sign(b.negative);
        }
        let made = self.next(a, order == Ordering::Less);
        if made.is_infinite() {
            self.note(super::OVERFLOW | ROUNDED | INEXACT);
        } else if made.adjusted() < self.emin {
            self.note(super::UNDERFLOW | super::SUBNORMAL | ROUNDED | INEXACT);
            if made.is_zero() {
                self.note(super::CLAMPED);
            }
        }
        made
    }

    /// Whether two numbers have the same exponent.
    pub fn same_quantum(a: &Decimal, b: &Decimal) -> bool {
        match a.is_finite() && b.is_finite() {
            true => a.exponent == b.exponent,
            false => a.is_nan() && b.is_nan() || a.is_infinite() && b.is_infinite(),
        }
    }

    /// A finite number with so many digits, for formats.
    pub fn to_digits(&mut self, a: &Decimal, digits: i64) -> Decimal {
        let too_many = a.digits() - digits;
        if a.coefficient == BigUint::ZERO || too_many <= 0 {
            return a.clone();
        }
        let mut working = *self;
        working.precision = digits;
        working.emax = super::MAX;
        working.emin = -super::MAX;
        working.finish(a.clone())
    }
}
