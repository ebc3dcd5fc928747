//! Integers beside floats. In: one of each. Out: how they are ordered. Invariant: the comparison is
//! exact: no integer is rounded.

use std::cmp::Ordering;

/// Whether an integer, as all from -2^53 to 2^53, is a float exactly.
#[inline(always)]
pub fn fits_float(x: i64) -> bool {
    (-(1 << 53)..=1 << 53).contains(&x)
}

/// Whether an integer is equal to a float, exactly.
pub fn int_equals_float(a: i64, b: f64) -> bool {
    compare_int_float(a, b) == Some(Ordering::Equal)
}

/// How an integer and a float are ordered, exactly.
pub fn compare_int_float(a: i64, b: f64) -> Option<Ordering> {
    if b.is_nan() {
        return None;
    }
    // All integers are below 2^63, and not below its negative.
    if b >= 9_223_372_036_854_775_808.0 {
        return Some(Ordering::Less);
    }
    if b < -9_223_372_036_854_775_808.0 {
        return Some(Ordering::Greater);
    }
    let whole = b.trunc() as i64;
    match a.cmp(&whole) {
        Ordering::Equal => 0.0.partial_cmp(&b.fract()),
        other => Some(other),
    }
}

#[cfg(test)]
mod tests {
    use super::compare_int_float;
    use std::cmp::Ordering;

    #[test]
    fn integers_and_floats_are_compared_exactly() {
        let large = (1 << 53) + 1;
        assert_eq!(
            compare_int_float(large, large as f64),
            Some(Ordering::Greater)
        );
        assert_eq!(compare_int_float(1, 1.5), Some(Ordering::Less));
        assert_eq!(compare_int_float(-1, -1.5), Some(Ordering::Greater));
        assert_eq!(
            compare_int_float(i64::MAX, 2f64.powi(63)),
            Some(Ordering::Less)
        );
        assert_eq!(compare_int_float(0, f64::NAN), None);
    }
}
