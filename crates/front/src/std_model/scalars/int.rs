//! What all integer types have. In: `T`, the type; `U` and `S`, the unsigned and the signed type of
//! its width. Out: a function for each method. Invariant: as rustc's release build has it, panics
//! included.

pub fn checked_add(x: T, y: T) -> Option<T> {
    if add_overflows(x, y) { None } else { Some(x + y) }
}
pub fn checked_sub(x: T, y: T) -> Option<T> {
    if sub_overflows(x, y) { None } else { Some(x - y) }
}
pub fn checked_mul(x: T, y: T) -> Option<T> {
    if mul_overflows(x, y) { None } else { Some(x * y) }
}
pub fn checked_div(x: T, y: T) -> Option<T> {
    if y == 0 || div_overflows(x, y) { None } else { Some(x / y) }
}
pub fn checked_rem(x: T, y: T) -> Option<T> {
    if y == 0 || div_overflows(x, y) { None } else { Some(x % y) }
}
pub fn checked_div_euclid(x: T, y: T) -> Option<T> {
    if y == 0 || div_overflows(x, y) { None } else { Some(div_euclid(x, y)) }
}
pub fn checked_rem_euclid(x: T, y: T) -> Option<T> {
    if y == 0 || div_overflows(x, y) { None } else { Some(rem_euclid(x, y)) }
}
pub fn checked_neg(x: T) -> Option<T> {
    if neg_overflows(x) { None } else { Some(wrapping_neg(x)) }
}
pub fn checked_shl(x: T, n: u32) -> Option<T> {
    if n < T::BITS { Some(x << n) } else { None }
}
pub fn checked_shr(x: T, n: u32) -> Option<T> {
    if n < T::BITS { Some(x >> n) } else { None }
}
pub fn checked_pow(x: T, n: u32) -> Option<T> {
    if pow_overflows(x, n) { None } else { Some(wrapping_pow(x, n)) }
}
pub fn checked_ilog2(x: T) -> Option<u32> {
    if x <= 0 { None } else { Some(ilog2(x)) }
}
pub fn checked_ilog10(x: T) -> Option<u32> {
    if x <= 0 { None } else { Some(log10(x)) }
}
pub fn checked_ilog(x: T, base: T) -> Option<u32> {
    if x <= 0 || base <= 1 { None } else { Some(log(x, base)) }
}

pub fn overflowing_add(x: T, y: T) -> (T, bool) {
    let over = add_overflows(x, y);
    (x + y, over)
}
pub fn overflowing_sub(x: T, y: T) -> (T, bool) {
    let over = sub_overflows(x, y);
    (x - y, over)
}
pub fn overflowing_mul(x: T, y: T) -> (T, bool) {
    let over = mul_overflows(x, y);
    (x * y, over)
}
pub fn overflowing_div(x: T, y: T) -> (T, bool) {
    if div_overflows(x, y) { (x, true) } else { (x / y, false) }
}
pub fn overflowing_rem(x: T, y: T) -> (T, bool) {
    if div_overflows(x, y) { (0, true) } else { (x % y, false) }
}
pub fn overflowing_div_euclid(x: T, y: T) -> (T, bool) {
    if div_overflows(x, y) { (x, true) } else { (div_euclid(x, y), false) }
}
pub fn overflowing_rem_euclid(x: T, y: T) -> (T, bool) {
    if div_overflows(x, y) { (0, true) } else { (rem_euclid(x, y), false) }
}
pub fn overflowing_neg(x: T) -> (T, bool) {
    (wrapping_neg(x), neg_overflows(x))
}
pub fn overflowing_shl(x: T, n: u32) -> (T, bool) {
    (x << n, n >= T::BITS)
}
pub fn overflowing_shr(x: T, n: u32) -> (T, bool) {
    (x >> n, n >= T::BITS)
}
pub fn overflowing_pow(x: T, n: u32) -> (T, bool) {
    (wrapping_pow(x, n), pow_overflows(x, n))
}

pub fn wrapping_neg(x: T) -> T {
    let zero: T = 0;
    zero - x
}
pub fn wrapping_div_euclid(x: T, y: T) -> T {
    if div_overflows(x, y) { x } else { div_euclid(x, y) }
}
pub fn wrapping_rem_euclid(x: T, y: T) -> T {
    if div_overflows(x, y) { 0 } else { rem_euclid(x, y) }
}
/// The square, by far the most frequent power, is a multiplication.
pub fn wrapping_pow(x: T, n: u32) -> T {
    if n == 2 { x * x } else { power(x, n) }
}
pub fn pow(x: T, n: u32) -> T {
    wrapping_pow(x, n)
}
#[elidable]
fn power(x: T, n: u32) -> T {}
#[elidable]
fn power_overflows(x: T, n: u32) -> bool {}
fn pow_overflows(x: T, n: u32) -> bool {
    if n == 2 { mul_overflows(x, x) } else { power_overflows(x, n) }
}

pub fn strict_add(x: T, y: T) -> T {
    if add_overflows(x, y) {
        panic!("attempt to add with overflow");
    }
    x + y
}
pub fn strict_sub(x: T, y: T) -> T {
    if sub_overflows(x, y) {
        panic!("attempt to subtract with overflow");
    }
    x - y
}
pub fn strict_mul(x: T, y: T) -> T {
    if mul_overflows(x, y) {
        panic!("attempt to multiply with overflow");
    }
    x * y
}
pub fn strict_neg(x: T) -> T {
    if neg_overflows(x) {
        panic!("attempt to negate with overflow");
    }
    wrapping_neg(x)
}
pub fn strict_div(x: T, y: T) -> T {
    x / y
}
pub fn strict_rem(x: T, y: T) -> T {
    x % y
}
pub fn strict_shl(x: T, n: u32) -> T {
    if n >= T::BITS {
        panic!("attempt to shift left with overflow");
    }
    x << n
}
pub fn strict_shr(x: T, n: u32) -> T {
    if n >= T::BITS {
        panic!("attempt to shift right with overflow");
    }
    x >> n
}
pub fn strict_pow(x: T, n: u32) -> T {
    if pow_overflows(x, n) {
        panic!("attempt to multiply with overflow");
    }
    wrapping_pow(x, n)
}

pub fn clamp(x: T, min: T, max: T) -> T {
    if min > max {
        clamp_fails(min, max);
    }
    if x < min {
        min
    } else if x > max {
        max
    } else {
        x
    }
}
/// Panics with the bounds.
#[opaque]
fn clamp_fails(min: T, max: T) {}
pub fn abs_diff(x: T, y: T) -> U {
    if x < y { (y as U) - (x as U) } else { (x as U) - (y as U) }
}

pub fn leading_zeros(x: T) -> u32 {
    let word = x as U;
    op::int_leading_zeros(word) as u32 - (64 - T::BITS)
}
pub fn leading_ones(x: T) -> u32 {
    leading_zeros(!x)
}
pub fn trailing_ones(x: T) -> u32 {
    trailing_zeros(!x)
}
pub fn count_ones(x: T) -> u32 {
    let word = x as U;
    op::int_count_ones(word) as u32
}
pub fn count_zeros(x: T) -> u32 {
    count_ones(!x)
}
pub fn rotate_left(x: T, n: u32) -> T {
    let word = x as U;
    ((word << n) | (word >> (T::BITS - (n & (T::BITS - 1))))) as T
}
pub fn rotate_right(x: T, n: u32) -> T {
    let word = x as U;
    ((word >> n) | (word << (T::BITS - (n & (T::BITS - 1))))) as T
}
pub fn unbounded_shl(x: T, n: u32) -> T {
    if n < T::BITS { x << n } else { 0 }
}
pub fn swap_bytes(x: T) -> T {
    let word = x as U;
    (op::int_swap_bytes(word) as u64 >> (64 - T::BITS)) as T
}
pub fn reverse_bits(x: T) -> T {
    let word = x as U as u64;
    let word = ((word >> 1) & 0x5555_5555_5555_5555) | ((word & 0x5555_5555_5555_5555) << 1);
    let word = ((word >> 2) & 0x3333_3333_3333_3333) | ((word & 0x3333_3333_3333_3333) << 2);
    let word = ((word >> 4) & 0x0F0F_0F0F_0F0F_0F0F) | ((word & 0x0F0F_0F0F_0F0F_0F0F) << 4);
    (op::int_swap_bytes(word) as u64 >> (64 - T::BITS)) as T
}
#[cfg(target_endian = "big")]
pub fn to_be(x: T) -> T {
    x
}
#[cfg(not(target_endian = "big"))]
pub fn to_be(x: T) -> T {
    swap_bytes(x)
}
pub fn from_be(x: T) -> T {
    to_be(x)
}
#[cfg(target_endian = "big")]
pub fn to_le(x: T) -> T {
    swap_bytes(x)
}
#[cfg(not(target_endian = "big"))]
pub fn to_le(x: T) -> T {
    x
}
pub fn from_le(x: T) -> T {
    to_le(x)
}

pub fn ilog2(x: T) -> u32 {
    if x <= 0 {
        panic!("argument of integer logarithm must be positive");
    }
    T::BITS - 1 - leading_zeros(x)
}
pub fn ilog10(x: T) -> u32 {
    if x <= 0 {
        panic!("argument of integer logarithm must be positive");
    }
    log10(x)
}
pub fn ilog(x: T, base: T) -> u32 {
    if base < 2 {
        panic!("base of integer logarithm must be at least 2");
    }
    if x <= 0 {
        panic!("argument of integer logarithm must be positive");
    }
    log(x, base)
}
#[elidable]
fn log10(x: T) -> u32 {}
#[elidable]
fn log(x: T, base: T) -> u32 {}
#[elidable]
fn root(x: T) -> T {}

pub struct TryFromIntError;

/// What `try_from` gives for an integer of a signed type.
pub fn try_from_signed(x: i64) -> Result<T, TryFromIntError> {
    if holds_signed(x) { Ok(x as T) } else { Err(TryFromIntError) }
}
/// What `try_from` gives for an integer of an unsigned type.
pub fn try_from_unsigned(x: u64) -> Result<T, TryFromIntError> {
    if x <= T::MAX as u64 { Ok(x as T) } else { Err(TryFromIntError) }
}
