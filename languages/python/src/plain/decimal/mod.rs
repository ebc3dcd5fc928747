//! Decimal numbers of any precision. In: numbers, and a context that says how results are rounded.
//! Out: numbers, and the conditions that were met. Invariant: nothing here knows of a heap;
//! results, signs, exponents and conditions are those of the General Decimal Arithmetic
//! Specification, and where that leaves something open those of CPython's C module, which is on
//! libmpdec.
//!
//! Sources: Mike Cowlishaw, General Decimal Arithmetic Specification 1.70; IEEE 754-2008.

pub mod arith;
pub mod bits;
pub mod compare;
pub mod divide;
pub mod exponential;
pub mod integral;
pub mod power;
pub mod round;
pub mod small;
pub mod text;

use num_bigint::BigUint;

/// What a number is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A finite number.
    Finite,
    /// An infinity.
    Infinity,
    /// A NaN that says nothing more.
    Quiet,
    /// A NaN that is a mistake to calculate with.
    Signaling,
}

/// A decimal number: `coefficient * 10 ** exponent`. That of a NaN is its payload.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decimal {
    /// Whether the sign is negative.
    pub negative: bool,
    /// What it is.
    pub kind: Kind,
    /// The digits.
    pub coefficient: BigUint,
    /// The exponent.
    pub exponent: i64,
}

/// How results are rounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rounding {
    /// Away from zero.
    Up,
    /// Towards zero.
    Down,
    /// Towards infinity.
    Ceiling,
    /// Towards minus infinity.
    Floor,
    /// To the nearest one, halves away from zero.
    HalfUp,
    /// To the nearest one, halves towards zero.
    HalfDown,
    /// To the nearest one, halves to an even digit.
    HalfEven,
    /// Away from zero if the last digit would be 0 or 5.
    ZeroFiveUp,
}

impl Rounding {
    /// All of them, by their numbers.
    pub const ALL: [Rounding; 8] = [
        Rounding::Up,
        Rounding::Down,
        Rounding::Ceiling,
        Rounding::Floor,
        Rounding::HalfUp,
        Rounding::HalfDown,
        Rounding::HalfEven,
        Rounding::ZeroFiveUp,
    ];
}

/// A condition: it signals an invalid operation.
pub const INVALID_OPERATION: u32 = 1;
/// A text is no number.
pub const CONVERSION_SYNTAX: u32 = 1 << 1;
/// A quotient has too many digits.
pub const DIVISION_IMPOSSIBLE: u32 = 1 << 2;
/// Zero was divided by zero.
pub const DIVISION_UNDEFINED: u32 = 1 << 3;
/// A finite number was divided by zero, and the like.
pub const DIVISION_BY_ZERO: u32 = 1 << 5;
/// A result is too large.
pub const OVERFLOW: u32 = 1 << 6;
/// A result is too small, and was rounded.
pub const UNDERFLOW: u32 = 1 << 7;
/// A result has less than the least exponent.
pub const SUBNORMAL: u32 = 1 << 8;
/// Digits other than zero were lost.
pub const INEXACT: u32 = 1 << 9;
/// Digits were lost.
pub const ROUNDED: u32 = 1 << 10;
/// An exponent was changed to fit.
pub const CLAMPED: u32 = 1 << 11;

/// How results are made.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    /// How many digits they have at most.
    pub precision: i64,
    /// How they are rounded.
    pub rounding: Rounding,
    /// The greatest exponent of the first digit.
    pub emax: i64,
    /// The least one of a normal number.
    pub emin: i64,
    /// Whether exponents are kept such that a coefficient of all digits fits.
    pub clamp: bool,
    /// The conditions that were met.
    pub status: u32,
}

/// The greatest precision and exponent that there is.
pub const MAX: i64 = 999_999_999_999_999_999;

impl Context {
    /// A context that rounds nothing.
    pub fn unlimited(rounding: Rounding) -> Context {
        Context {
            precision: MAX,
            rounding,
            emax: MAX,
            emin: -MAX,
            clamp: false,
            status: 0,
        }
    }

    /// A context for a step of a calculation, with another precision.
    pub fn working(&self, precision: i64) -> Context {
        Context {
            precision,
            rounding: Rounding::HalfEven,
            clamp: false,
            status: 0,
            ..*self
        }
    }

    /// The least exponent.
    pub fn etiny(&self) -> i64 {
        self.emin - (self.precision - 1)
    }

    /// The greatest exponent of a coefficient of all digits.
    pub fn etop(&self) -> i64 {
        self.emax - (self.precision - 1)
    }

    /// Notes conditions.
    pub fn note(&mut self, conditions: u32) {
        self.status |= conditions;
    }

    /// Notes a condition, for which there is no result.
    pub fn invalid(&mut self, condition: u32) -> Decimal {
        self.note(condition);
        Decimal::nan()
    }
}

impl Decimal {
    /// A finite number.
    pub fn new(negative: bool, coefficient: BigUint, exponent: i64) -> Decimal {
        Decimal {
            negative,
            kind: Kind::Finite,
            coefficient,
            exponent,
        }
    }

    /// A small one.
    pub fn small(negative: bool, coefficient: u64, exponent: i64) -> Decimal {
        Decimal::new(negative, BigUint::from(coefficient), exponent)
    }

    /// A small integer with a sign.
    pub fn integer(value: i64) -> Decimal {
        Decimal::small(value < 0, value.unsigned_abs(), 0)
    }

    /// One with as many zeros behind its point.
    pub fn padded_one(negative: bool, zeros: i64) -> Decimal {
        Decimal::new(negative, power_of_ten(zeros), -zeros)
    }

    /// A NaN.
    pub fn nan() -> Decimal {
        Decimal {
            negative: false,
            kind: Kind::Quiet,
            coefficient: BigUint::ZERO,
            exponent: 0,
        }
    }

    /// An infinity.
    pub fn infinity(negative: bool) -> Decimal {
        Decimal {
            negative,
            kind: Kind::Infinity,
            ..Decimal::nan()
        }
    }

    /// Whether it is finite.
    pub fn is_finite(&self) -> bool {
        self.kind == Kind::Finite
    }

    /// Whether it is an infinity.
    pub fn is_infinite(&self) -> bool {
        self.kind == Kind::Infinity
    }

    /// Whether it is a NaN.
    pub fn is_nan(&self) -> bool {
        matches!(self.kind, Kind::Quiet | Kind::Signaling)
    }

    /// Whether it is a zero.
    pub fn is_zero(&self) -> bool {
        self.is_finite() && self.coefficient == BigUint::ZERO
    }

    /// How many digits it has; a zero has one.
    pub fn digits(&self) -> i64 {
        count_digits(&self.coefficient)
    }

    /// The exponent of the first digit.
    pub fn adjusted(&self) -> i64 {
        self.exponent + self.digits() - 1
    }

    /// Whether it is a finite integer.
    pub fn is_integer(&self) -> bool {
        self.is_finite()
            && (self.is_zero()
                || self.exponent >= 0
                || trailing_zeros(&self.coefficient, -self.exponent) == -self.exponent)
    }

    /// Whether an integer is odd.
    pub fn is_odd(&self) -> bool {
        if self.exponent > 0 {
            return false;
        }
        let whole = &self.coefficient / power_of_ten(-self.exponent);
        whole.bit(0)
    }

    /// The integer that an integer is, if it fits.
    pub fn to_i64(&self) -> Option<i64> {
        let whole = match self.exponent {
            exponent @ 0..=20 => &self.coefficient * power_of_ten(exponent),
            1.. => return self.is_zero().then_some(0),
            exponent => &self.coefficient / power_of_ten(-exponent),
        };
        let size = i64::try_from(whole).ok()?;
        Some(if self.negative { -size } else { size })
    }

    /// The same with this sign.
    pub fn with_sign(mut self, negative: bool) -> Decimal {
        self.negative = negative;
        self
    }
}

/// `10 ** n`
pub fn power_of_ten(n: i64) -> BigUint {
    let n = u32::try_from(n).expect("a number with that many digits fits in no memory");
    if n < 20 {
        return BigUint::from(10u64.pow(n));
    }
    BigUint::from(10u32).pow(n)
}

/// How many decimal digits a number has; zero has one.
pub fn count_digits(x: &BigUint) -> i64 {
    if let Ok(small) = u64::try_from(x) {
        return i64::from(small.checked_ilog10().unwrap_or(0)) + 1;
    }
    // log10(2) is a little less than 30103 / 100000: the estimate is right or one too small.
    let bits = x.bits() as i128;
    let least = ((bits - 1) * 30_102_999 / 100_000_000) as i64;
    let mut digits = least.max(1);
    let mut bound = power_of_ten(digits);
    while *x >= bound {
        bound *= 10u32;
        digits += 1;
    }
    digits
}

/// How many zeros a number ends with, up to a limit.
pub fn trailing_zeros(x: &BigUint, limit: i64) -> i64 {
    if *x == BigUint::ZERO {
        return limit;
    }
    // There are not more than twos.
    let limit = limit.min(x.trailing_zeros().unwrap_or(0) as i64);
    let mut rest = x.clone();
    let mut count = 0;
    let mut step = 1;
    while step * 2 <= limit {
        step *= 2;
    }
    while step > 0 {
        if count + step <= limit {
            let power = power_of_ten(step);
            let quotient = &rest / &power;
            if &quotient * power == rest {
                rest = quotient;
                count += step;
                continue;
            }
        }
        step /= 2;
    }
    count
}
