//! Numbers as texts. In: texts, numbers. Out: numbers, texts. Invariant: the text of a number is
//! read as the same number, with the same digits and the same exponent.

use super::{Context, Decimal, Kind, MAX};
use num_bigint::BigUint;

/// The number of a text, exactly; `None` if it is no number.
pub fn parse(text: &str) -> Option<Decimal> {
    let text: String = text.trim().chars().filter(|&c| c != '_').collect();
    let (negative, rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(&text)),
    };
    let lower = rest.to_ascii_lowercase();
    if lower == "inf" || lower == "infinity" {
        return Some(Decimal::infinity(negative));
    }
    for (name, kind) in [("snan", Kind::Signaling), ("nan", Kind::Quiet)] {
        if let Some(payload) = lower.strip_prefix(name) {
            let payload = plain_digits(payload)?;
            return Some(Decimal {
                negative,
                kind,
                coefficient: number(&payload),
                exponent: 0,
            });
        }
    }
    let (digits, exponent) = match lower.split_once('e') {
        Some((digits, exponent)) => (digits, exponent_of(exponent)?),
        None => (lower.as_str(), 0),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let (whole, fraction) = (plain_digits(whole)?, plain_digits(fraction)?);
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let coefficient = number(&format!("{whole}{fraction}"));
    let exponent = exponent.saturating_sub(fraction.len() as i64);
    Some(Decimal::new(negative, coefficient, exponent))
}

/// The digits of a text of digits, as those of ASCII.
fn plain_digits(text: &str) -> Option<String> {
    let digit = |c: char| match c.to_digit(10) {
        Some(_) => Some(c),
        None => crate::plain::unicode::decimal(c).and_then(|n| char::from_digit(n, 10)),
    };
    text.chars().map(digit).collect()
}

fn number(digits: &str) -> BigUint {
    BigUint::parse_bytes(digits.as_bytes(), 10).unwrap_or_default()
}

/// An exponent; one that is too large for any number is as large as can be.
fn exponent_of(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let digits = plain_digits(digits)?;
    if digits.is_empty() {
        return None;
    }
    // Far enough from the ends that sums with it do not overflow.
    let size = digits
        .parse::<i64>()
        .unwrap_or(i64::MAX / 4)
        .min(i64::MAX / 4);
    Some(if negative { -size } else { size })
}

impl Context {
    /// The number of a text, exactly: one that no context has room for is a mistake.
    pub fn parse_exactly(&mut self, text: &str) -> Decimal {
        let Some(made) = parse(text) else {
            return self.invalid(super::CONVERSION_SYNTAX);
        };
        let most = Context::unlimited(self.rounding);
        let fits =
            !made.is_finite() || made.adjusted() <= most.emax && made.exponent >= most.etiny();
        if fits {
            return made;
        }
        let mut unlimited = most;
        let made = unlimited.finish(made);
        match unlimited.status & (super::INEXACT | super::ROUNDED) {
            0 => {
                self.note(unlimited.status);
                made
            }
            _ => self.invalid(super::INVALID_OPERATION),
        }
    }

    /// The number of a text, rounded.
    pub fn parse_rounded(&mut self, text: &str) -> Decimal {
        let Some(made) = parse(text) else {
            return self.invalid(super::CONVERSION_SYNTAX);
        };
        if made.is_nan() && made.digits() > self.precision - i64::from(self.clamp) {
            return self.invalid(super::CONVERSION_SYNTAX);
        }
        self.finish(made)
    }
}

/// The text of a number. `engineering`: exponents are multiples of three.
pub fn show(x: &Decimal, capitals: bool, engineering: bool) -> String {
    let sign = if x.negative { "-" } else { "" };
    match x.kind {
        Kind::Infinity => return format!("{sign}Infinity"),
        Kind::Quiet | Kind::Signaling => {
            let name = if x.kind == Kind::Quiet { "NaN" } else { "sNaN" };
            return match x.coefficient == BigUint::ZERO {
                true => format!("{sign}{name}"),
                false => format!("{sign}{name}{}", x.coefficient),
            };
        }
        Kind::Finite => {}
    }
    let digits = x.coefficient.to_string();
    let length = digits.len() as i64;
    let left = x.exponent + length;
    let point = if x.exponent <= 0 && left > -6 {
        left
    } else if !engineering {
        1
    } else if x.is_zero() {
        (left + 1).rem_euclid(3) - 1
    } else {
        (left - 1).rem_euclid(3) + 1
    };
    let mut made = sign.to_string();
    if point <= 0 {
        made += "0.";
        made += &"0".repeat(-point as usize);
        made += &digits;
    } else if point >= length {
        made += &digits;
        made += &"0".repeat((point - length) as usize);
    } else {
        let (whole, fraction) = digits.split_at(point as usize);
        made += &format!("{whole}.{fraction}");
    }
    let exponent = left - point;
    if exponent != 0 {
        made += &format!("{}{exponent:+}", if capitals { 'E' } else { 'e' });
    }
    made
}

/// Whether an exponent is one that a number can have.
pub fn is_exponent(exponent: i64) -> bool {
    exponent.unsigned_abs() <= 2 * MAX as u64
}
