//! Rounding. In: an exact result, a context. Out: the result that fits it, and conditions.
//! Invariant: rounding looks at the digits that are lost as one: whether they are nothing, less
//! than a half, a half, or more.

use super::{
    CLAMPED, Context, Decimal, INEXACT, OVERFLOW, ROUNDED, Rounding, SUBNORMAL, UNDERFLOW,
    power_of_ten,
};
use num_bigint::BigUint;
use std::cmp::Ordering;

/// What is lost of a number, beside half of its last digit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lost {
    /// Nothing.
    Nothing,
    /// Less than a half.
    Less,
    /// A half.
    Half,
    /// More than a half.
    More,
}

/// The number without its last digits, and what these are.
pub fn shifted(x: &BigUint, digits: i64) -> (BigUint, Lost) {
    if digits <= 0 {
        return (x.clone(), Lost::Nothing);
    }
    if digits > super::count_digits(x) {
        let lost = match *x == BigUint::ZERO {
            true => Lost::Nothing,
            false => Lost::Less,
        };
        return (BigUint::ZERO, lost);
    }
    let power = power_of_ten(digits);
    let quotient = x / &power;
    let rest = x - &quotient * &power;
    let lost = match (&rest * 2u32).cmp(&power) {
        _ if rest == BigUint::ZERO => Lost::Nothing,
        Ordering::Less => Lost::Less,
        Ordering::Equal => Lost::Half,
        Ordering::Greater => Lost::More,
    };
    (quotient, lost)
}

/// Whether a number becomes one larger by rounding.
pub fn rounds_up(rounding: Rounding, negative: bool, kept: &BigUint, lost: Lost) -> bool {
    if lost == Lost::Nothing {
        return false;
    }
    match rounding {
        Rounding::Up => true,
        Rounding::Down => false,
        Rounding::Ceiling => !negative,
        Rounding::Floor => negative,
        Rounding::HalfUp => matches!(lost, Lost::Half | Lost::More),
        Rounding::HalfDown => lost == Lost::More,
        Rounding::HalfEven => lost == Lost::More || lost == Lost::Half && kept.bit(0),
        Rounding::ZeroFiveUp => kept % 5u32 == BigUint::ZERO,
    }
}

/// A number without its last digits, rounded; whether something other than zeros was lost.
pub fn without_digits(x: &Decimal, digits: i64, rounding: Rounding) -> (BigUint, bool) {
    let (mut kept, lost) = shifted(&x.coefficient, digits);
    if rounds_up(rounding, x.negative, &kept, lost) {
        kept += 1u32;
    }
    (kept, lost != Lost::Nothing)
}

impl Context {
    /// An exact result as one that fits.
    pub fn finish(&mut self, mut x: Decimal) -> Decimal {
        if !x.is_finite() {
            return self.fit_payload(x);
        }
        self.fit_exponent(&mut x);
        if x.is_finite() {
            self.fit_digits(&mut x);
        }
        x
    }

    /// A NaN keeps the last digits of its payload.
    fn fit_payload(&self, mut x: Decimal) -> Decimal {
        let room = self.precision - i64::from(self.clamp);
        if x.is_nan() && x.digits() > room {
            x.coefficient %= power_of_ten(room);
        }
        x
    }

    fn fit_digits(&mut self, x: &mut Decimal) {
        let too_many = x.digits() - self.precision;
        if too_many <= 0 {
            return;
        }
        let (kept, is_inexact) = without_digits(x, too_many, self.rounding);
        x.coefficient = kept;
        x.exponent += too_many;
        if x.digits() > self.precision {
            // 999 has become 1000.
            x.coefficient /= 10u32;
            x.exponent += 1;
            self.fit_exponent(x);
        }
        self.note(ROUNDED);
        if is_inexact {
            self.note(INEXACT);
        }
    }

    fn fit_exponent(&mut self, x: &mut Decimal) {
        let adjusted = x.adjusted();
        if adjusted > self.emax {
            self.overflow(x);
        } else if self.clamp && x.exponent > self.etop() {
            let shift = x.exponent - self.etop();
            x.coefficient *= power_of_ten(shift);
            x.exponent -= shift;
            self.note(CLAMPED);
            if !x.is_zero() && adjusted < self.emin {
                self.note(SUBNORMAL);
            }
        } else if adjusted < self.emin {
            self.subnormal(x);
        }
    }

    fn overflow(&mut self, x: &mut Decimal) {
        if x.is_zero() {
            x.exponent = if self.clamp { self.etop() } else { self.emax };
            self.note(CLAMPED);
            return;
        }
        let is_largest = match self.rounding {
            Rounding::Down | Rounding::ZeroFiveUp => true,
            Rounding::Ceiling => x.negative,
            Rounding::Floor => !x.negative,
            _ => false,
        };
        *x = match is_largest {
            true => Decimal::new(x.negative, power_of_ten(self.precision) - 1u32, self.etop()),
            false => Decimal::infinity(x.negative),
        };
        self.note(OVERFLOW | INEXACT | ROUNDED);
    }

    fn subnormal(&mut self, x: &mut Decimal) {
        let etiny = self.etiny();
        if x.is_zero() {
            if x.exponent < etiny {
                x.exponent = etiny;
                self.note(CLAMPED);
            }
            return;
        }
        self.note(SUBNORMAL);
        if x.exponent >= etiny {
            return;
        }
        let (kept, is_inexact) = without_digits(x, etiny - x.exponent, self.rounding);
        x.coefficient = kept;
        x.exponent = etiny;
        self.note(ROUNDED);
        if is_inexact {
            self.note(INEXACT | UNDERFLOW);
            if x.is_zero() {
                self.note(CLAMPED);
            }
        }
    }

    /// The NaN that an operation gives that has one for an operand.
    pub fn nan_of(&mut self, operands: &[&Decimal]) -> Option<Decimal> {
        let find = |kind| operands.iter().find(|x| x.kind == kind);
        let found = find(super::Kind::Signaling);
        if found.is_some() {
            self.note(super::INVALID_OPERATION);
        }
        let found = found.or_else(|| find(super::Kind::Quiet))?;
        let mut made = (*found).clone();
        made.kind = super::Kind::Quiet;
        Some(self.fit_payload(made))
    }
}
