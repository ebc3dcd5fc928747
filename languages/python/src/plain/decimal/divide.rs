//! Quotients and remainders. In: numbers, a context. Out: results.

use super::{
    CLAMPED, Context, DIVISION_BY_ZERO, DIVISION_IMPOSSIBLE, DIVISION_UNDEFINED, Decimal,
    INVALID_OPERATION, power_of_ten, trailing_zeros,
};
use num_bigint::BigUint;
use std::cmp::Ordering;

impl Context {
    /// `a / b`
    pub fn divide(&mut self, a: &Decimal, b: &Decimal) -> Decimal {
        if let Some(nan) = self.nan_of(&[a, b]) {
            return nan;
        }
        let negative = a.negative != b.negative;
        match (a.is_infinite(), b.is_infinite()) {
            (true, true) => return self.invalid(INVALID_OPERATION),
            (true, false) => return Decimal::infinity(negative),
            (false, true) => {
                self.note(CLAMPED);
                return Decimal::small(negative, 0, self.etiny());
            }
            (false, false) => {}
        }
        if b.is_zero() {
            return self.by_zero(a, negative);
        }
        let ideal = a.exponent - b.exponent;
        if a.is_zero() {
            return self.finish(Decimal::small(negative, 0, ideal));
        }
        let shift = b.digits() - a.digits() + self.precision + 1;
        let (above, below) = match shift >= 0 {
            true => (&a.coefficient * power_of_ten(shift), b.coefficient.clone()),
            false => (a.coefficient.clone(), &b.coefficient * power_of_ten(-shift)),
        };
        let mut quotient = &above / &below;
        let is_exact = &quotient * below == above;
        let mut exponent = ideal - shift;
        if !is_exact {
            stick(&mut quotient);
        } else if exponent < ideal {
            let zeros = trailing_zeros(&quotient, ideal - exponent);
            quotient /= power_of_ten(zeros);
            exponent += zeros;
        }
        self.finish(Decimal::new(negative, quotient, exponent))
    }

    /// Something other than a NaN or an infinity is divided by zero.
    fn by_zero(&mut self, a: &Decimal, negative: bool) -> Decimal {
        if a.is_zero() {
            return self.invalid(DIVISION_UNDEFINED);
        }
        self.note(DIVISION_BY_ZERO);
        Decimal::infinity(negative)
    }

    /// `a // b`
    pub fn divide_integer(&mut self, a: &Decimal, b: &Decimal) -> Decimal {
        if let Some(nan) = self.nan_of(&[a, b]) {
            return nan;
        }
        let negative = a.negative != b.negative;
        match (a.is_infinite(), b.is_infinite()) {
            (true, true) => return self.invalid(INVALID_OPERATION),
            (true, false) => return Decimal::infinity(negative),
            (false, true) => return Decimal::small(negative, 0, 0),
            (false, false) => {}
        }
        if b.is_zero() {
            return self.by_zero(a, negative);
        }
        match self.parts(a, b) {
            Some((quotient, _)) => self.finish(quotient),
            None => self.invalid(DIVISION_IMPOSSIBLE),
        }
    }

    /// `a % b`
    pub fn remainder(&mut self, a: &Decimal, b: &Decimal) -> Decimal {
        match self.simple_remainder(a, b) {
            Some(made) => made,
            None => match self.parts(a, b) {
                Some((_, remainder)) => self.finish(remainder),
                None => self.invalid(DIVISION_IMPOSSIBLE),
            },
        }
    }

    /// A remainder for which nothing has to be divided.
    fn simple_remainder(&mut self, a: &Decimal, b: &Decimal) -> Option<Decimal> {
        if let Some(nan) = self.nan_of(&[a, b]) {
            return Some(nan);
        }
        if a.is_infinite() {
            return Some(self.invalid(INVALID_OPERATION));
        }
        if b.is_infinite() {
            return Some(self.finish(a.clone()));
        }
        if b.is_zero() {
            return Some(match a.is_zero() {
                true => self.invalid(DIVISION_UNDEFINED),
                false => self.invalid(INVALID_OPERATION),
            });
        }
        None
    }

    /// `divmod(a, b)`
    pub fn divide_both(&mut self, a: &Decimal, b: &Decimal) -> (Decimal, Decimal) {
        if let Some(nan) = self.nan_of(&[a, b]) {
            return (nan.clone(), nan);
        }
        let negative = a.negative != b.negative;
        if a.is_infinite() {
            let quotient = match b.is_infinite() {
                true => Decimal::nan(),
                false => Decimal::infinity(negative),
            };
            return (quotient, self.invalid(INVALID_OPERATION));
        }
        if b.is_infinite() {
            return (Decimal::small(negative, 0, 0), self.finish(a.clone()));
        }
        if b.is_zero() {
            if a.is_zero() {
                let made = self.invalid(DIVISION_UNDEFINED);
                return (made.clone(), made);
            }
            self.note(DIVISION_BY_ZERO);
            let remainder = self.invalid(INVALID_OPERATION);
            return (Decimal::infinity(negative), remainder);
        }
        match self.parts(a, b) {
            Some((quotient, remainder)) => (self.finish(quotient), self.finish(remainder)),
            None => {
                let made = self.invalid(DIVISION_IMPOSSIBLE);
                (made.clone(), made)
            }
        }
    }

    /// The remainder of the quotient that is rounded to the nearest integer.
    pub fn remainder_near(&mut self, a: &Decimal, b: &Decimal) -> Decimal {
        if let Some(made) = self.simple_remainder(a, b) {
            return made;
        }
        let Some((quotient, remainder)) = self.parts(a, b) else {
            return self.invalid(DIVISION_IMPOSSIBLE);
        };
        if remainder.is_zero() {
            return self.finish(remainder);
        }
        // The remainder has the exponent of both.
        let whole = &b.coefficient * power_of_ten(b.exponent - remainder.exponent);
        let doubled = &remainder.coefficient * 2u32;
        let is_nearer = match doubled.cmp(&whole) {
            Ordering::Greater => true,
            Ordering::Equal => quotient.coefficient.bit(0),
            Ordering::Less => false,
        };
        if !is_nearer {
            return self.finish(remainder);
        }
        if super::count_digits(&(quotient.coefficient + 1u32)) > self.precision {
            return self.invalid(DIVISION_IMPOSSIBLE);
        }
        let rest = whole - remainder.coefficient;
        let made = Decimal::new(!remainder.negative, rest, remainder.exponent);
        self.finish(made)
    }

    /// The whole quotient and the remainder of finite numbers; `None` if the quotient has too many
    /// digits.
    fn parts(&self, a: &Decimal, b: &Decimal) -> Option<(Decimal, Decimal)> {
        let negative = a.negative != b.negative;
        let exponent = a.exponent.min(b.exponent);
        let zero = Decimal::small(negative, 0, 0);
        if a.is_zero() {
            return Some((zero, Decimal::small(a.negative, 0, exponent)));
        }
        let apart = a.adjusted() - b.adjusted();
        if apart < 0 {
            let coefficient = &a.coefficient * power_of_ten(a.exponent - exponent);
            return Some((zero, Decimal::new(a.negative, coefficient, exponent)));
        }
        if apart > self.precision {
            return None;
        }
        let above = &a.coefficient * power_of_ten(a.exponent - exponent);
        let below = &b.coefficient * power_of_ten(b.exponent - exponent);
        let quotient = &above / &below;
        let remainder = above - &quotient * below;
        if super::count_digits(&quotient) > self.precision {
            return None;
        }
        Some((
            Decimal::new(negative, quotient, 0),
            Decimal::new(a.negative, remainder, exponent),
        ))
    }
}

/// Makes the last digit of a number, behind which others were lost, one that is not rounded as if
/// nothing was.
pub fn stick(x: &mut BigUint) {
    if &*x % 5u32 == BigUint::ZERO {
        *x += 1u32;
    }
}
