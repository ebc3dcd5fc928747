//! Arithmetic of floats that the processor has no instruction for.

use verdigris::elidable;

const SIGN: u64 = 1 << 63;
/// Bits of a significand, without the leading one.
const FRACTION: u32 = 52;
/// The bits of 2^53. Non-negative floats below it, if they are whole, are integers without loss.
const ALL_WHOLE: u64 = (1023 + 53) << FRACTION;

/// The remainder `x % y`, bit for bit but for the payload of a NaN.
///
/// For whole numbers between 0 and 2^53, a few instructions in compiled code; for others a call,
/// which makes a division for each eleven bits that their exponents differ by. What rustc makes of
/// `%` is a loop over single bits: of a second of a program that computes with 32-bit words by
/// divisions and remainders of floats, half went there.
///
/// ```
/// use verdigris::library::remainder;
///
/// assert_eq!(remainder(1e9 + 7.0, 16.0), (1e9 + 7.0) % 16.0);
/// assert_eq!(remainder(-7.25, 2.0), -1.25);
/// assert!(remainder(1.0, 0.0).is_nan());
/// ```
#[inline]
pub fn remainder(x: f64, y: f64) -> f64 {
    // One comparison each, which leaves out signs (that of zero too), infinities and NaNs.
    if x.to_bits() < ALL_WHOLE && y.to_bits() < ALL_WHOLE {
        let (a, b) = (x as i64, y as i64);
        if b > 0 && a as f64 == x && b as f64 == y {
            return (a as u64 % b as u64) as i64 as f64;
        }
    }
    exact_remainder(x, y)
}

/// A finite positive float as an integer and its exponent, that of the smallest float being 0.
fn parts(x: f64) -> (u64, u64) {
    let (exponent, fraction) = (x.to_bits() >> FRACTION, x.to_bits() & ((1 << FRACTION) - 1));
    match exponent {
        0 => (fraction, 0),
        _ => (fraction | 1 << FRACTION, exponent - 1),
    }
}

/// A power of two that is a float, by its exponent, that of the smallest float being 0.
fn power_of_two(exponent: u64) -> f64 {
    let smallest_normal = u64::from(FRACTION);
    f64::from_bits(match exponent < smallest_normal {
        true => 1 << exponent,
        false => (exponent - smallest_normal + 1) << FRACTION,
    })
}

/// The remainder of any floats, for [`remainder`]: long division, with as many bits at a time as
/// are left in a word beside the divisor's.
#[elidable]
pub fn exact_remainder(x: f64, y: f64) -> f64 {
    let (dividend, divisor) = (x.abs(), y.abs());
    let is_nan = !dividend.is_finite() || divisor.is_nan() || divisor == 0.0;
    if is_nan || dividend < divisor {
        return if is_nan { f64::NAN } else { x };
    }
    let ((mut rest, from), (by, to)) = (parts(dividend), parts(divisor));
    rest %= by;
    let mut left = from - to;
    while left > 0 && rest != 0 {
        let bits = left.min(u64::from(u64::BITS - FRACTION - 1));
        rest = (rest << bits) % by;
        left -= bits;
    }
    f64::from_bits((rest as f64 * power_of_two(to)).to_bits() | (x.to_bits() & SIGN))
}
