//! Powers. In: numbers, a context. Out: results. Invariant: powers of integers are made by squaring
//! with a few digits more than wanted, all others by a logarithm and an exponential, with as many
//! digits as libmpdec has for these steps: what is lost there is lost here, too.

use super::compare::{order, order_of_sizes};
use super::{
    CLAMPED, Context, Decimal, INEXACT, INVALID_OPERATION, MAX, ROUNDED, Rounding, power_of_ten,
};
use std::cmp::Ordering;

/// How many digits more than the result has an intermediate one of powers that are no integers.
const MORE: i64 = 4 + 19;

impl Context {
    /// `a ** b`
    pub fn power(&mut self, a: &Decimal, b: &Decimal) -> Decimal {
        if let Some(nan) = self.nan_of(&[a, b]) {
            return nan;
        }
        let is_whole = b.is_integer();
        let negative = a.negative && is_whole && b.is_odd();
        if a.is_zero() {
            return match (b.is_zero(), b.negative) {
                (true, _) => self.invalid(INVALID_OPERATION),
                (false, true) => Decimal::infinity(negative),
                (false, false) => Decimal::small(negative, 0, 0),
            };
        }
        if a.negative && (!is_whole || b.is_infinite()) {
            return self.invalid(INVALID_OPERATION);
        }
        if b.is_infinite() {
            return self.infinite_power(a, b.negative, negative);
        }
        if a.is_infinite() {
            return match (b.is_zero(), b.negative) {
                (true, _) => Decimal::small(negative, 1, 0),
                (false, true) => Decimal::small(negative, 0, 0),
                (false, false) => Decimal::infinity(negative),
            };
        }
        if b.is_zero() {
            return Decimal::small(negative, 1, 0);
        }
        if order_of_sizes(a, &Decimal::integer(1)).is_eq() {
            return self.of_one(a, b, is_whole, negative);
        }
        if let Some(far) = self.far_power(a, b, negative) {
            return far;
        }
        match is_whole {
            true => self.whole_power(a, b, negative),
            false => self.real_power(a, b),
        }
    }

    fn infinite_power(&mut self, a: &Decimal, to_minus: bool, negative: bool) -> Decimal {
        let mut made = order_of_sizes(a, &Decimal::integer(1));
        if to_minus {
            made = made.reverse();
        }
        match made {
            Ordering::Equal => {
                self.note(INEXACT | ROUNDED);
                Decimal::padded_one(negative, self.precision - 1)
            }
            Ordering::Less => Decimal::small(negative, 0, 0),
            Ordering::Greater => Decimal::infinity(negative),
        }
    }

    /// A power of one, which has as many zeros as a product would have.
    fn of_one(&mut self, a: &Decimal, b: &Decimal, is_whole: bool, negative: bool) -> Decimal {
        let most = self.precision - 1;
        if !is_whole {
            self.note(INEXACT | ROUNDED);
            return Decimal::padded_one(negative, most);
        }
        if b.negative {
            return Decimal::small(negative, 1, 0);
        }
        let zeros = b.to_i64().and_then(|b| b.checked_mul(-a.exponent));
        let zeros = zeros.unwrap_or(if a.exponent < 0 { i64::MAX } else { 0 });
        if zeros > most {
            self.note(ROUNDED);
        }
        Decimal::padded_one(negative, zeros.clamp(0, most))
    }

    /// The result of a power that is certainly too large or too small. Which ones are, is what
    /// libmpdec knows by numbers of digits alone: others of that size are rounded twice.
    fn far_power(&mut self, a: &Decimal, b: &Decimal, negative: bool) -> Option<Decimal> {
        // The logarithm of the logarithm to the base of ten is at least this.
        let least = least_double_logarithm(a) + b.adjusted();
        let is_large = (a.adjusted() < 0) == b.negative;
        let bound = if is_large { self.emax } else { self.etiny() };
        if digits_of(bound) >= least {
            return None;
        }
        let exponent = if is_large { MAX + 1 } else { self.etiny() - 1 };
        Some(self.finish(Decimal::small(negative, 1, exponent)))
    }

    fn whole_power(&mut self, a: &Decimal, b: &Decimal, negative: bool) -> Decimal {
        let power = match b.exponent >= 0 {
            true => &b.coefficient * power_of_ten(b.exponent),
            false => &b.coefficient / power_of_ten(-b.exponent),
        };
        let mut working = self.working(self.precision + b.digits() + b.exponent + 2);
        let mut base = a.clone();
        if b.negative {
            working.precision += 1;
            base = working.divide(&Decimal::integer(1), a);
        }
        let mut made = base.clone();
        for bit in (0..power.bits() - 1).rev() {
            made = working.multiply(&made, &made);
            if power.bit(bit) {
                made = working.multiply(&made, &base);
            }
            if !made.is_finite() || made.is_zero() && working.status & CLAMPED != 0 {
                break;
            }
        }
        self.note(working.status);
        if made.is_infinite() {
            made = Decimal::small(negative, 1, MAX + 1);
        }
        self.finish(made.with_sign(negative))
    }

    fn real_power(&mut self, a: &Decimal, b: &Decimal) -> Decimal {
        let mut working = self.working(self.precision.max(a.digits()) + MORE);
        // What is too small or too large is found at the end.
        working.emax = MAX;
        working.emin = -MAX;
        let logarithm = working.ln(a);
        let product = working.multiply(&logarithm, b);
        let mut made = working.exp(&product);
        self.note(working.status & !(CLAMPED | super::SUBNORMAL | super::UNDERFLOW));
        self.note(INEXACT | ROUNDED);
        if made.is_infinite() {
            made = Decimal::small(false, 1, MAX + 1);
        } else if made.is_zero() {
            made = Decimal::small(false, 1, self.etiny() - 1);
        } else if order(&made, &Decimal::integer(1)).is_eq() {
            made = Decimal::padded_one(false, self.precision - 1);
        }
        self.finish(made)
    }

    /// `a ** b % c` of integers.
    pub fn modular_power(&mut self, a: &Decimal, b: &Decimal, c: &Decimal) -> Decimal {
        if let Some(nan) = self.nan_of(&[a, b, c]) {
            return nan;
        }
        let are_whole = [a, b, c].iter().all(|x| x.is_integer());
        let is_negative = b.negative && !b.is_zero();
        let is_bad = !are_whole || is_negative || c.is_zero() || a.is_zero() && b.is_zero();
        let room = Context::unlimited(Rounding::Down);
        if is_bad || c.adjusted() >= self.precision || c.exponent > room.precision {
            return self.invalid(INVALID_OPERATION);
        }
        let whole = |x: &Decimal| match x.exponent >= 0 {
            true => &x.coefficient * power_of_ten(x.exponent),
            false => &x.coefficient / power_of_ten(-x.exponent),
        };
        let made = whole(a).modpow(&whole(b), &whole(c));
        Decimal::new(a.negative && b.is_odd(), made, 0)
    }
}

/// How many digits a number has.
fn digits_of(x: i64) -> i64 {
    i64::from(x.unsigned_abs().checked_ilog10().unwrap_or(0)) + 1
}

/// A lower bound of the decimal logarithm of the size of the decimal logarithm of a number other
/// than zero and one, without its sign.
fn least_double_logarithm(a: &Decimal) -> i64 {
    let adjusted = a.adjusted();
    match adjusted {
        1.. => digits_of(adjusted) - 1,
        ..-1 => digits_of(adjusted + 1) - 1,
        _ => {
            let mut exact = Context::unlimited(Rounding::HalfEven);
            let size = a.clone().with_sign(false);
            let apart = exact.subtract(&size, &Decimal::integer(1)).adjusted();
            // It is at least a tenth of the distance from one below one, a hundredth above.
            if adjusted == 0 { apart - 2 } else { apart - 1 }
        }
    }
}
