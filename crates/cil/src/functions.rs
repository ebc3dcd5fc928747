//! Pure operations that CIL has no instruction for, as functions that methods call by their
//! addresses.

/// A function of an integer.
type OfInt = extern "C" fn(i64) -> i64;
/// A function of a double.
type OfFloat = extern "C" fn(f64) -> f64;
/// A function of two integers.
type OfInts = extern "C" fn(i64, i64) -> i64;

pub(crate) const INT_LEADING_ZEROS: OfInt = int_leading_zeros;
pub(crate) const INT_TRAILING_ZEROS: OfInt = int_trailing_zeros;
pub(crate) const INT_COUNT_ONES: OfInt = int_count_ones;
pub(crate) const INT_SWAP_BYTES: OfInt = int_swap_bytes;
pub(crate) const INT_MUL_OVERFLOWS: OfInts = int_mul_overflows;
pub(crate) const UINT_MUL_OVERFLOWS: OfInts = uint_mul_overflows;
pub(crate) const FLOAT_ABS: OfFloat = float_abs;
pub(crate) const FLOAT_SQRT: OfFloat = float_sqrt;
pub(crate) const FLOAT_FLOOR: OfFloat = float_floor;
pub(crate) const FLOAT_CEIL: OfFloat = float_ceil;
pub(crate) const FLOAT_TRUNC: OfFloat = float_trunc;
pub(crate) const FLOAT_NEAREST: OfFloat = float_nearest;
pub(crate) const FLOAT_TO_INT: extern "C" fn(f64) -> i64 = float_to_int;

extern "C" fn int_leading_zeros(x: i64) -> i64 {
    i64::from(x.leading_zeros())
}

extern "C" fn int_trailing_zeros(x: i64) -> i64 {
    i64::from(x.trailing_zeros())
}

extern "C" fn int_count_ones(x: i64) -> i64 {
    i64::from(x.count_ones())
}

extern "C" fn int_swap_bytes(x: i64) -> i64 {
    x.swap_bytes()
}

extern "C" fn int_mul_overflows(x: i64, y: i64) -> i64 {
    i64::from(x.checked_mul(y).is_none())
}

extern "C" fn uint_mul_overflows(x: i64, y: i64) -> i64 {
    i64::from((x as u64).checked_mul(y as u64).is_none())
}

extern "C" fn float_abs(x: f64) -> f64 {
    x.abs()
}

extern "C" fn float_sqrt(x: f64) -> f64 {
    x.sqrt()
}

extern "C" fn float_floor(x: f64) -> f64 {
    x.floor()
}

extern "C" fn float_ceil(x: f64) -> f64 {
    x.ceil()
}

extern "C" fn float_trunc(x: f64) -> f64 {
    x.trunc()
}

extern "C" fn float_nearest(x: f64) -> f64 {
    x.round_ties_even()
}

extern "C" fn float_to_int(x: f64) -> i64 {
    x as i64
}
