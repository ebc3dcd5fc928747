//! The commonest cases: finite numbers of at most 18 digits with small exponents, in a context that
//! has room for them. In: numbers. Out: results and conditions; nothing where the general way has
//! to decide. Invariant: what there is, is what the general way gives.

use super::round::{Lost, rounds_up};
use super::{Context, INEXACT, ROUNDED, Rounding};
use num_bigint::BigUint;
use std::cmp::Ordering;

/// How many digits a number has at most.
const DIGITS: u32 = 18;
/// How far exponents are from zero at most.
const FAR: i64 = 1000;
/// Exponents that a context has room for at least.
const ROOM: i64 = 10_000;

/// A finite number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Small {
    /// Whether the sign is negative.
    pub negative: bool,
    /// The digits.
    pub coefficient: u64,
    /// The exponent.
    pub exponent: i64,
}

impl Small {
    /// A number, if it is small enough.
    pub fn new(negative: bool, coefficient: i64, exponent: i64) -> Option<Small> {
        let made = Small {
            negative,
            coefficient: coefficient.unsigned_abs(),
            exponent,
        };
        (made.fits(DIGITS) && exponent.abs() <= FAR).then_some(made)
    }

    fn fits(self, digits: u32) -> bool {
        self.coefficient < 10u64.pow(digits.min(DIGITS))
    }

    fn signed(self) -> i128 {
        match self.negative {
            true => -i128::from(self.coefficient),
            false => i128::from(self.coefficient),
        }
    }
}

/// `10 ** n` of a small `n`.
fn power(n: i64) -> Option<i128> {
    (0..=i64::from(DIGITS))
        .contains(&n)
        .then(|| 10i128.pow(n as u32))
}

/// Both numbers with the same exponent, which is the third part.
fn aligned(a: Small, b: Small) -> Option<(i128, i128, i64)> {
    let exponent = a.exponent.min(b.exponent);
    let left = a.signed() * power(a.exponent - exponent)?;
    let right = b.signed() * power(b.exponent - exponent)?;
    Some((left, right, exponent))
}

/// The order of two numbers.
pub fn order(a: Small, b: Small) -> Option<Ordering> {
    aligned(a, b).map(|(left, right, _)| left.cmp(&right))
}

impl Context {
    /// Whether small numbers are neither rounded nor clamped for their exponents.
    pub fn has_room(&self) -> bool {
        !self.clamp && self.emax >= ROOM && self.emin <= -ROOM
    }

    /// A result with its conditions, if it is small and has no more digits than there can be.
    fn small(&self, made: Small, conditions: u32) -> Option<(Small, u32)> {
        let digits = u32::try_from(self.precision).unwrap_or(DIGITS);
        made.fits(digits).then_some((made, conditions))
    }

    /// `a + b`, or `a - b` if `b` has the other sign.
    pub fn add_small(&self, a: Small, b: Small) -> Option<(Small, u32)> {
        let (left, right, exponent) = aligned(a, b)?;
        let sum = left + right;
        if sum == 0 {
            // Its sign depends on how results are rounded.
            return None;
        }
        let made = Small {
            negative: sum < 0,
            coefficient: u64::try_from(sum.unsigned_abs()).ok()?,
            exponent,
        };
        self.small(made, 0)
    }

    /// `a * b`
    pub fn multiply_small(&self, a: Small, b: Small) -> Option<(Small, u32)> {
        let made = Small {
            negative: a.negative != b.negative,
            coefficient: a.coefficient.checked_mul(b.coefficient)?,
            exponent: a.exponent + b.exponent,
        };
        self.small(made, 0)
    }

    /// `a` with the exponent of `b`.
    pub fn quantize_small(&self, a: Small, b: Small) -> Option<(Small, u32)> {
        let shift = a.exponent - b.exponent;
        let with = |coefficient: i128, conditions: u32| {
            let made = Small {
                negative: a.negative,
                coefficient: u64::try_from(coefficient).ok()?,
                exponent: b.exponent,
            };
            self.small(made, conditions)
        };
        let size = i128::from(a.coefficient);
        if shift >= 0 || size == 0 {
            return with(size * power(shift.max(0))?, 0);
        }
        let unit = power(-shift)?;
        let (kept, rest) = (size / unit, size % unit);
        let lost = match (rest * 2).cmp(&unit) {
            _ if rest == 0 => return with(kept, ROUNDED),
            Ordering::Less => Lost::Less,
            Ordering::Equal => Lost::Half,
            Ordering::Greater => Lost::More,
        };
        let up = match self.rounding {
            Rounding::Down => false,
            Rounding::Up => true,
            // What is looked at is the last digit.
            rounding => rounds_up(
                rounding,
                a.negative,
                &BigUint::from((kept % 10) as u32),
                lost,
            ),
        };
        with(kept + i128::from(up), ROUNDED | INEXACT)
    }
}
