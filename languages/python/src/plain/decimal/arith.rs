//! Sums, differences, products, and what changes signs. In: numbers, a context. Out: results.

use super::{Context, Decimal, INVALID_OPERATION, Rounding, power_of_ten};
use num_bigint::BigUint;

impl Context {
    /// `a + b`
    pub fn add(&mut self, a: &Decimal, b: &Decimal) -> Decimal {
        self.sum(a, b, b.negative)
    }

    /// `a - b`
    pub fn subtract(&mut self, a: &Decimal, b: &Decimal) -> Decimal {
        match self.nan_of(&[a, b]) {
            Some(nan) => nan,
            None => self.sum(a, b, !b.negative),
        }
    }

    /// The sum of `a` and `b` with this sign.
    fn sum(&mut self, a: &Decimal, b: &Decimal, negative: bool) -> Decimal {
        if let Some(nan) = self.nan_of(&[a, b]) {
            return nan;
        }
        match (a.is_infinite(), b.is_infinite()) {
            (true, true) if a.negative != negative => return self.invalid(INVALID_OPERATION),
            (true, _) => return a.clone(),
            (false, true) => return Decimal::infinity(negative),
            (false, false) => {}
        }
        let b = b.clone().with_sign(negative);
        let made = exact_sum(a, &b, self.precision, self.rounding);
        self.finish(made)
    }

    /// `a * b`
    pub fn multiply(&mut self, a: &Decimal, b: &Decimal) -> Decimal {
        match self.product(a, b) {
            Ok(made) => self.finish(made),
            Err(made) => made,
        }
    }

    /// The exact product; what there is instead if one is not finite.
    fn product(&mut self, a: &Decimal, b: &Decimal) -> Result<Decimal, Decimal> {
        if let Some(nan) = self.nan_of(&[a, b]) {
            return Err(nan);
        }
        let negative = a.negative != b.negative;
        if a.is_infinite() || b.is_infinite() {
            return Err(match a.is_zero() || b.is_zero() {
                true => self.invalid(INVALID_OPERATION),
                false => Decimal::infinity(negative),
            });
        }
        let coefficient = &a.coefficient * &b.coefficient;
        Ok(Decimal::new(negative, coefficient, a.exponent + b.exponent))
    }

    /// `a * b + c`, rounded once.
    pub fn fused(&mut self, a: &Decimal, b: &Decimal, c: &Decimal) -> Decimal {
        if let Some(nan) = self.nan_of(&[a, b, c]) {
            return nan;
        }
        match self.product(a, b) {
            Err(made) if made.is_nan() => made,
            Ok(made) | Err(made) => self.add(&made, c),
        }
    }

    /// `+a`
    pub fn plus(&mut self, a: &Decimal) -> Decimal {
        self.signed(a, a.negative)
    }

    /// `-a`
    pub fn minus(&mut self, a: &Decimal) -> Decimal {
        self.signed(a, !a.negative)
    }

    /// `abs(a)`
    pub fn absolute(&mut self, a: &Decimal) -> Decimal {
        self.signed(a, false)
    }

    fn signed(&mut self, a: &Decimal, negative: bool) -> Decimal {
        if let Some(nan) = self.nan_of(&[a]) {
            return nan;
        }
        // A zero is positive, but where zeros that are sums are not.
        let negative = match a.is_zero() {
            true => negative && self.rounding == Rounding::Floor,
            false => negative,
        };
        self.finish(a.clone().with_sign(negative))
    }
}

/// The sum of two finite numbers, or one that is rounded to the same result.
fn exact_sum(a: &Decimal, b: &Decimal, precision: i64, rounding: Rounding) -> Decimal {
    let (big, small) = match a.exponent >= b.exponent {
        true => (a, b),
        false => (b, a),
    };
    let mut small_part = small.coefficient.clone();
    let mut exponent = small.exponent;
    let mut big_part = big.coefficient.clone();
    if big.exponent != small.exponent && !big.is_zero() {
        // One that is far below all digits of the result counts as one that is not quite as far.
        let digits = big.digits();
        let far = match digits > precision {
            true => big.exponent - 1,
            false => big.exponent - 1 + digits - precision - 1,
        };
        if small.adjusted() < far {
            exponent = far;
            small_part = match small.is_zero() {
                true => BigUint::ZERO,
                false => BigUint::from(1u32),
            };
        }
        big_part *= power_of_ten(big.exponent - exponent);
    }
    let (negative, coefficient) = if big.negative == small.negative {
        (big.negative, big_part + small_part)
    } else if big_part > small_part {
        (big.negative, big_part - small_part)
    } else if big_part < small_part {
        (small.negative, small_part - big_part)
    } else {
        (rounding == Rounding::Floor, BigUint::ZERO)
    };
    Decimal::new(negative, coefficient, exponent)
}
