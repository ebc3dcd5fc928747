//! Square roots, exponentials and logarithms. In: numbers, a context. Out: results, each the one
//! that is nearest to the true one, halves to even. Invariant: a result is calculated with more
//! digits than are wanted, as a number that is off by a few units at most; where that does not say
//! how it is rounded, with more digits still (Ziv 1991).

use super::round::{rounds_up, shifted};
use super::{
    CLAMPED, Context, Decimal, INEXACT, INVALID_OPERATION, OVERFLOW, ROUNDED, Rounding, SUBNORMAL,
    UNDERFLOW, count_digits, power_of_ten, trailing_zeros,
};
use num_bigint::{BigInt, BigUint, Sign};

/// How many digits more than wanted are calculated at first.
const EXTRA: i64 = 10;
/// By how many units an approximation is off at most.
const OFF: u32 = 40;
/// Digits of arguments of `exp` before the point from which no exponent fits the result.
const MOST_DIGITS: i64 = 19;

/// A number `mantissa / 10 ** scale` that is off by [`OFF`] units at most.
struct Near {
    mantissa: BigInt,
    scale: i64,
}

impl Near {
    /// The nearest number of so many digits, if it is known.
    fn rounded(&self, digits: i64) -> Option<Decimal> {
        let low = nearest(&(&self.mantissa - OFF), self.scale, digits)?;
        let high = nearest(&(&self.mantissa + OFF), self.scale, digits)?;
        (low == high).then_some(low)
    }
}

/// A number rounded to exactly so many digits; `None` if it has fewer.
fn nearest(mantissa: &BigInt, scale: i64, digits: i64) -> Option<Decimal> {
    let size = mantissa.magnitude();
    let too_many = count_digits(size) - digits;
    if too_many < 0 || *size == BigUint::ZERO {
        return None;
    }
    let negative = mantissa.sign() == Sign::Minus;
    let (mut kept, lost) = shifted(size, too_many);
    let mut exponent = too_many - scale;
    if rounds_up(Rounding::HalfEven, negative, &kept, lost) {
        kept += 1u32;
        if count_digits(&kept) > digits {
            kept /= 10u32;
            exponent += 1;
        }
    }
    Some(Decimal::new(negative, kept, exponent))
}

fn ten_to(n: i64) -> BigInt {
    BigInt::from(power_of_ten(n))
}

/// `a * 10 ** scale` without its fraction.
fn scaled(a: &Decimal, scale: i64) -> BigInt {
    let shift = a.exponent + scale;
    let size = match shift >= 0 {
        true => &a.coefficient * power_of_ten(shift),
        false => shifted(&a.coefficient, -shift).0,
    };
    let sign = if a.negative { Sign::Minus } else { Sign::Plus };
    BigInt::from_biguint(sign, size)
}

/// `atanh(1 / n) * unit`
fn inverse_atanh(n: u32, unit: &BigInt) -> BigInt {
    let mut power = unit / n;
    let mut sum = power.clone();
    let square = n * n;
    let mut k = 1u32;
    while power.sign() != Sign::NoSign {
        power /= square;
        k += 2;
        sum += &power / k;
    }
    sum
}

/// `ln(10) * 10 ** scale`
fn ln_of_ten(scale: i64) -> BigInt {
    let guard = 6;
    let unit = ten_to(scale + guard);
    let sum = inverse_atanh(31, &unit) * 46u32
        + inverse_atanh(49, &unit) * 34u32
        + inverse_atanh(161, &unit) * 20u32;
    sum / ten_to(guard)
}

/// `exp(x / 10 ** scale) * 10 ** scale` of an `x` that is not far from zero.
fn exp_near_zero(x: &BigInt, scale: i64) -> BigInt {
    // Halves the argument until the series is short, and squares the result as often.
    let halvings = (scale as u64).isqrt() as i64 + 4;
    let guard = halvings / 3 + 8;
    let unit = ten_to(scale + guard);
    let argument = (x * ten_to(guard)) >> halvings;
    let mut term = unit.clone();
    let mut sum = unit.clone();
    let mut k = 1u32;
    while term.sign() != Sign::NoSign {
        term = term * &argument / &unit / k;
        sum += &term;
        k += 1;
    }
    for _ in 0..halvings {
        sum = &sum * &sum / &unit;
    }
    sum / ten_to(guard)
}

/// `exp(a)` with a power of ten beside it.
fn exp_near(a: &Decimal, digits: i64) -> (Near, i64) {
    let scale = digits + 2;
    let more = a.adjusted().max(0) + 2;
    let x = scaled(a, scale + more);
    let ten = ln_of_ten(scale + more);
    let mut power = &x / &ten;
    let mut rest = x - &power * &ten;
    if rest.sign() == Sign::Minus {
        power -= 1;
        rest += ten;
    }
    let mantissa = exp_near_zero(&(rest / ten_to(more)), scale);
    let power = i64::try_from(power).unwrap_or(0);
    (Near { mantissa, scale }, power)
}

/// `ln(a)` of a positive number. `scale`: where the digits end that are known.
fn ln_near(a: &Decimal, scale: i64) -> Near {
    let guard = 6;
    let inner = scale + guard;
    let power = a.adjusted();
    // Between 1 and 10.
    let first = Decimal::new(false, a.coefficient.clone(), a.exponent - power);
    let x = scaled(&first, inner);
    let start = scaled(&first, 17);
    let start = i128::try_from(start).unwrap_or(1) as f64 / 1e17;
    let mut y = BigInt::from((start.ln() * 1e15) as i64) * ten_to(inner) / ten_to(15);
    // Halley's method triples the number of digits that are right.
    let mut right = 13;
    while right < inner {
        let e = exp_near_zero(&y, inner);
        let difference: BigInt = (&x - &e) * 2u32;
        y += difference * ten_to(inner) / (&x + e);
        right *= 3;
    }
    y += ln_of_ten(inner + 20) * power / ten_to(20);
    Near {
        mantissa: y / ten_to(guard),
        scale,
    }
}

/// How many zeros are behind the point of `ln(a)`.
fn zeros_of_ln(a: &Decimal) -> i64 {
    if !matches!(a.adjusted(), -1 | 0) {
        return 0;
    }
    let digits = a.digits();
    let one = power_of_ten((-a.exponent).max(0));
    let value = match a.exponent >= 0 {
        true => &a.coefficient * power_of_ten(a.exponent),
        false => a.coefficient.clone(),
    };
    let apart = if value > one {
        value - one
    } else {
        one - value
    };
    match apart == BigUint::ZERO {
        true => 0,
        false => (digits + 1 - count_digits(&apart)).max(0),
    }
}

impl Context {
    /// The square root.
    pub fn sqrt(&mut self, a: &Decimal) -> Decimal {
        if let Some(nan) = self.nan_of(&[a]) {
            return nan;
        }
        let ideal = a.exponent.div_euclid(2);
        if a.is_zero() {
            return self.finish(Decimal::small(a.negative, 0, ideal));
        }
        if a.negative {
            return self.invalid(INVALID_OPERATION);
        }
        if a.is_infinite() {
            return a.clone();
        }
        let (mut square, mut exponent) = (a.coefficient.clone(), ideal);
        if a.exponent.rem_euclid(2) == 1 {
            square *= 10u32;
        }
        // One digit more than wanted.
        let shift = self.precision + 1 - (count_digits(&square) + 1) / 2;
        let mut is_exact = true;
        if shift >= 0 {
            square *= power_of_ten(2 * shift);
        } else {
            let power = power_of_ten(-2 * shift);
            let kept = &square / &power;
            is_exact = &kept * power == square;
            square = kept;
        }
        exponent -= shift;
        let mut root = square.sqrt();
        is_exact = is_exact && &root * &root == square;
        if is_exact {
            if shift >= 0 {
                let zeros = trailing_zeros(&root, shift);
                root /= power_of_ten(zeros);
                exponent += zeros;
            } else {
                root *= power_of_ten(-shift);
                exponent += shift;
            }
        } else {
            super::divide::stick(&mut root);
        }
        self.finish_to_even(Decimal::new(false, root, exponent))
    }

    /// A result that is rounded to the nearest number, whatever the context says.
    fn finish_to_even(&mut self, x: Decimal) -> Decimal {
        let rounding = std::mem::replace(&mut self.rounding, Rounding::HalfEven);
        let made = self.finish(x);
        self.rounding = rounding;
        made
    }

    /// `e ** a`
    pub fn exp(&mut self, a: &Decimal) -> Decimal {
        if let Some(nan) = self.nan_of(&[a]) {
            return nan;
        }
        if a.is_infinite() {
            return match a.negative {
                true => Decimal::small(false, 0, 0),
                false => a.clone(),
            };
        }
        if a.is_zero() {
            return Decimal::small(false, 1, 0);
        }
        if a.adjusted() + 1 > MOST_DIGITS {
            if a.negative {
                self.note(INEXACT | ROUNDED | SUBNORMAL | UNDERFLOW | CLAMPED);
                return Decimal::small(false, 0, self.etiny());
            }
            self.note(OVERFLOW | INEXACT | ROUNDED);
            return Decimal::infinity(false);
        }
        self.note(INEXACT | ROUNDED);
        let precision = self.precision;
        let mut digits = precision + EXTRA;
        let made = loop {
            let (near, power) = exp_near(a, digits);
            if let Some(mut made) = near.rounded(precision) {
                made.exponent += power;
                break made;
            }
            digits += digits / 2;
        };
        self.finish_to_even(made)
    }

    /// What logarithms are of numbers that have none among the finite numbers.
    fn simple_logarithm(&mut self, a: &Decimal) -> Option<Decimal> {
        if let Some(nan) = self.nan_of(&[a]) {
            return Some(nan);
        }
        if a.is_zero() {
            // The specification has a division by zero here; libmpdec has none.
            return Some(Decimal::infinity(true));
        }
        if a.negative {
            return Some(self.invalid(INVALID_OPERATION));
        }
        a.is_infinite().then(|| a.clone())
    }

    /// The natural logarithm.
    pub fn ln(&mut self, a: &Decimal) -> Decimal {
        if let Some(made) = self.simple_logarithm(a) {
            return made;
        }
        if super::compare::order(a, &Decimal::integer(1)).is_eq() {
            return Decimal::small(false, 0, 0);
        }
        self.logarithm(a, ln_near)
    }

    /// The decimal logarithm.
    pub fn log10(&mut self, a: &Decimal) -> Decimal {
        if let Some(made) = self.simple_logarithm(a) {
            return made;
        }
        let digits = a.digits();
        if a.coefficient == power_of_ten(digits - 1) {
            return self.finish_to_even(Decimal::integer(a.adjusted()));
        }
        self.logarithm(a, |a, scale| {
            let more = 4;
            let ln = ln_near(a, scale + more).mantissa;
            let ten = ln_of_ten(scale + more + 20);
            let mantissa = ln * ten_to(scale + 20) / ten;
            Near { mantissa, scale }
        })
    }

    fn logarithm(&mut self, a: &Decimal, near: impl Fn(&Decimal, i64) -> Near) -> Decimal {
        self.note(INEXACT | ROUNDED);
        let zeros = zeros_of_ln(a);
        let mut scale = self.precision + EXTRA + zeros;
        let made = loop {
            if let Some(made) = near(a, scale).rounded(self.precision) {
                break made;
            }
            scale += scale / 2;
        };
        self.finish_to_even(made)
    }
}
