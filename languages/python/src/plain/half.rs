//! Floats of 16 bits. In, out: floats, and bits of IEEE 754's binary16. Invariant: the nearest one,
//! ties to even.

/// The bits of a float; `None` if it is too large.
pub fn from_f64(x: f64) -> Option<u16> {
    let sign = if x.is_sign_negative() { 0x8000 } else { 0 };
    if x.is_nan() {
        return Some(sign | 0x7e00);
    }
    if x.is_infinite() {
        return Some(sign | 0x7c00);
    }
    // Below the least normal one, steps are equally large.
    let magnitude = x.abs();
    let exponent = match magnitude < 2f64.powi(-14) {
        true => -14,
        false => ((magnitude.to_bits() >> 52) as i32) - 1023,
    };
    let steps = (magnitude / 2f64.powi(exponent - 10)).round_ties_even();
    if exponent > 15 || exponent == 15 && steps >= 2048.0 {
        return None;
    }
    // A carry goes into the exponent, and from the subnormal ones to the normal ones.
    let biased = (exponent + 14) as u32;
    Some(sign | ((biased << 10) + steps as u32) as u16)
}

/// The float of these bits.
pub fn to_f64(bits: u16) -> f64 {
    let fraction = f64::from(bits & 0x3ff);
    let magnitude = match (bits >> 10) & 0x1f {
        0 => fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        exponent => (1024.0 + fraction) * 2f64.powi(i32::from(exponent) - 25),
    };
    if bits & 0x8000 == 0 {
        magnitude
    } else {
        -magnitude
    }
}

#[cfg(test)]
mod tests {
    use super::{from_f64, to_f64};

    #[test]
    fn all_go_there_and_back() {
        for bits in 0..=u16::MAX {
            let x = to_f64(bits);
            if !x.is_nan() {
                assert_eq!(from_f64(x), Some(bits));
            }
        }
    }

    #[test]
    fn the_nearest_is_taken() {
        assert_eq!(from_f64(65519.0), Some(0x7bff));
        assert_eq!(from_f64(65520.0), None);
        assert_eq!(from_f64(5.96e-8), Some(1));
        assert_eq!(from_f64(2f64.powi(-25)), Some(0));
        assert_eq!(from_f64(1.0 + 2f64.powi(-11)), Some(0x3c00));
    }
}
