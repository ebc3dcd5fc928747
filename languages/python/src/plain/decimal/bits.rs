//! Logical operations on numbers whose digits are 0 and 1. In: numbers, a context. Out: results.

use super::{Context, Decimal, INVALID_OPERATION};
use num_bigint::BigUint;

/// A logical operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Logical {
    /// Both.
    And,
    /// One or both.
    Or,
    /// One.
    Xor,
}

/// The digits of an operand, the last first; `None` if it is none.
fn operand(x: &Decimal) -> Option<Vec<u8>> {
    if !x.is_finite() || x.negative || x.exponent != 0 {
        return None;
    }
    let mut digits = x.coefficient.to_string().into_bytes();
    digits.reverse();
    let is_fine = digits.iter().all(|digit| matches!(digit, b'0' | b'1'));
    is_fine.then_some(digits)
}

impl Context {
    /// `a op b`, digit by digit.
    pub fn logical(&mut self, op: Logical, a: &Decimal, b: &Decimal) -> Decimal {
        let (Some(a), Some(b)) = (operand(a), operand(b)) else {
            return self.invalid(INVALID_OPERATION);
        };
        let length = (a.len().max(b.len()) as i64).min(self.precision) as usize;
        let digit = |digits: &[u8], n: usize| digits.get(n) == Some(&b'1');
        self.of_digits(length, |n| {
            let (x, y) = (digit(&a, n), digit(&b, n));
            match op {
                Logical::And => x && y,
                Logical::Or => x || y,
                Logical::Xor => x != y,
            }
        })
    }

    /// Each of the digits that there can be, inverted.
    pub fn invert(&mut self, a: &Decimal) -> Decimal {
        let Some(a) = operand(a) else {
            return self.invalid(INVALID_OPERATION);
        };
        let length = self.precision as usize;
        self.of_digits(length, |n| a.get(n) != Some(&b'1'))
    }

    fn of_digits(&self, length: usize, is_one: impl Fn(usize) -> bool) -> Decimal {
        let digits: Vec<u8> = (0..length)
            .rev()
            .map(|n| if is_one(n) { b'1' } else { b'0' })
            .collect();
        let coefficient = BigUint::parse_bytes(&digits, 10).unwrap_or_default();
        Decimal::new(false, coefficient, 0)
    }
}
