//! What `f64` has. In: doubles. Out: a function for each method. Invariant: bit for bit what the
//! standard library gives on the same machine; only the payloads of NaNs are free, as they are
//! there.

const SIGN: u64 = 1 << 63;

pub fn sqrt(x: f64) -> f64 {
    op::float_sqrt(x)
}
pub fn floor(x: f64) -> f64 {
    op::float_floor(x)
}
pub fn ceil(x: f64) -> f64 {
    op::float_ceil(x)
}
pub fn trunc(x: f64) -> f64 {
    op::float_trunc(x)
}
pub fn round_ties_even(x: f64) -> f64 {
    op::float_nearest(x)
}
/// The greatest number below a half is added: a half itself would carry numbers just below one up
/// to the next.
pub fn round(x: f64) -> f64 {
    op::float_trunc(x + copysign(0.49999999999999994, x))
}
pub fn fract(x: f64) -> f64 {
    x - op::float_trunc(x)
}
pub fn copysign(x: f64, sign: f64) -> f64 {
    f64::from_bits((x.to_bits() & !SIGN) | (sign.to_bits() & SIGN))
}
pub fn signum(x: f64) -> f64 {
    if x != x { f64::NAN } else { copysign(1.0, x) }
}
pub fn recip(x: f64) -> f64 {
    1.0 / x
}
pub fn to_degrees(x: f64) -> f64 {
    x * (180.0 / std::f64::consts::PI)
}
pub fn to_radians(x: f64) -> f64 {
    x * (std::f64::consts::PI / 180.0)
}
pub fn rem_euclid(x: f64, y: f64) -> f64 {
    let rest = rem(x, y);
    if rest < 0.0 { rest + y.abs() } else { rest }
}
pub fn div_euclid(x: f64, y: f64) -> f64 {
    let quotient = op::float_trunc(x / y);
    if rem(x, y) < 0.0 {
        if y > 0.0 { quotient - 1.0 } else { quotient + 1.0 }
    } else {
        quotient
    }
}
pub fn clamp(x: f64, min: f64, max: f64) -> f64 {
    if min <= max {
        if x < min {
            min
        } else if x > max {
            max
        } else {
            x
        }
    } else {
        clamp_fails(min, max);
        x
    }
}
/// Panics with the bounds.
#[opaque]
fn clamp_fails(min: f64, max: f64) {}

pub fn is_nan(x: f64) -> bool {
    x != x
}
pub fn is_finite(x: f64) -> bool {
    x.abs() < f64::INFINITY
}
pub fn is_infinite(x: f64) -> bool {
    x.abs() == f64::INFINITY
}
pub fn is_normal(x: f64) -> bool {
    x.abs() >= f64::MIN_POSITIVE && x.abs() < f64::INFINITY
}
pub fn is_subnormal(x: f64) -> bool {
    x != 0.0 && x.abs() < f64::MIN_POSITIVE
}
pub fn is_sign_positive(x: f64) -> bool {
    x.to_bits() < SIGN
}
pub fn is_sign_negative(x: f64) -> bool {
    x.to_bits() >= SIGN
}
pub fn sin_cos(x: f64) -> (f64, f64) {
    (sin(x), cos(x))
}

// The rest is called: what one machine gives for a transcendental function, another may not.

#[elidable]
pub fn exp(x: f64) -> f64 {}
#[elidable]
pub fn exp2(x: f64) -> f64 {}
#[elidable]
pub fn exp_m1(x: f64) -> f64 {}
#[elidable]
pub fn ln(x: f64) -> f64 {}
#[elidable]
pub fn log2(x: f64) -> f64 {}
#[elidable]
pub fn log10(x: f64) -> f64 {}
#[elidable]
pub fn ln_1p(x: f64) -> f64 {}
#[elidable]
pub fn cbrt(x: f64) -> f64 {}
#[elidable]
pub fn sin(x: f64) -> f64 {}
#[elidable]
pub fn cos(x: f64) -> f64 {}
#[elidable]
pub fn tan(x: f64) -> f64 {}
#[elidable]
pub fn asin(x: f64) -> f64 {}
#[elidable]
pub fn acos(x: f64) -> f64 {}
#[elidable]
pub fn atan(x: f64) -> f64 {}
#[elidable]
pub fn sinh(x: f64) -> f64 {}
#[elidable]
pub fn cosh(x: f64) -> f64 {}
#[elidable]
pub fn tanh(x: f64) -> f64 {}
#[elidable]
pub fn asinh(x: f64) -> f64 {}
#[elidable]
pub fn acosh(x: f64) -> f64 {}
#[elidable]
pub fn atanh(x: f64) -> f64 {}
#[elidable]
pub fn next_up(x: f64) -> f64 {}
#[elidable]
pub fn next_down(x: f64) -> f64 {}
#[elidable]
pub fn rem(x: f64, y: f64) -> f64 {}
#[elidable]
pub fn min(x: f64, y: f64) -> f64 {}
#[elidable]
pub fn max(x: f64, y: f64) -> f64 {}
#[elidable]
pub fn powf(x: f64, y: f64) -> f64 {}
#[elidable]
pub fn log(x: f64, y: f64) -> f64 {}
#[elidable]
pub fn hypot(x: f64, y: f64) -> f64 {}
#[elidable]
pub fn atan2(x: f64, y: f64) -> f64 {}
#[elidable]
pub fn midpoint(x: f64, y: f64) -> f64 {}
#[elidable]
pub fn powi(x: f64, n: i32) -> f64 {}
#[elidable]
pub fn mul_add(x: f64, y: f64, z: f64) -> f64 {}

/// Bits that are ordered as the numbers are.
fn ordered(x: f64) -> i64 {
    let bits = x.to_bits() as i64;
    bits ^ ((bits >> 63) as u64 >> 1) as i64
}
pub fn total_cmp(x: f64, y: f64) -> core::cmp::Ordering {
    Ord::cmp(&ordered(x), &ordered(y))
}

pub fn from_be_bytes(bytes: [u8; 8]) -> f64 {
    f64::from_bits(u64::from_be_bytes(bytes))
}
pub fn from_le_bytes(bytes: [u8; 8]) -> f64 {
    f64::from_bits(u64::from_le_bytes(bytes))
}
pub fn from_ne_bytes(bytes: [u8; 8]) -> f64 {
    f64::from_bits(u64::from_ne_bytes(bytes))
}
pub fn to_be_bytes(x: f64) -> [u8; 8] {
    x.to_bits().to_be_bytes()
}
pub fn to_le_bytes(x: f64) -> [u8; 8] {
    x.to_bits().to_le_bytes()
}
pub fn to_ne_bytes(x: f64) -> [u8; 8] {
    x.to_bits().to_ne_bytes()
}
