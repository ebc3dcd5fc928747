//! What unsigned integer types have besides. In and out: as for all integer types. Invariant:
//! `add_overflows` and its like are those of the type's width.

fn div_overflows(x: T, y: T) -> bool {
    false
}
fn neg_overflows(x: T) -> bool {
    x != 0
}
fn holds_signed(x: i64) -> bool {
    x >= 0 && x as u64 <= T::MAX as u64
}

pub fn saturating_add(x: T, y: T) -> T {
    if add_overflows(x, y) { T::MAX } else { x + y }
}
pub fn saturating_sub(x: T, y: T) -> T {
    if x < y { 0 } else { x - y }
}
pub fn saturating_mul(x: T, y: T) -> T {
    if mul_overflows(x, y) { T::MAX } else { x * y }
}
pub fn saturating_div(x: T, y: T) -> T {
    x / y
}
pub fn saturating_pow(x: T, n: u32) -> T {
    if pow_overflows(x, n) { T::MAX } else { wrapping_pow(x, n) }
}

pub fn rem_euclid(x: T, y: T) -> T {
    x % y
}
pub fn div_euclid(x: T, y: T) -> T {
    x / y
}
pub fn div_ceil(x: T, y: T) -> T {
    let quotient = x / y;
    if x % y > 0 { quotient + 1 } else { quotient }
}
pub fn next_multiple_of(x: T, y: T) -> T {
    let rest = x % y;
    if rest == 0 { x } else { x + (y - rest) }
}
pub fn checked_next_multiple_of(x: T, y: T) -> Option<T> {
    if y == 0 {
        return None;
    }
    let rest = x % y;
    if rest == 0 { Some(x) } else { checked_add(x, y - rest) }
}
pub fn is_multiple_of(x: T, y: T) -> bool {
    if y == 0 { x == 0 } else { x % y == 0 }
}
pub fn is_power_of_two(x: T) -> bool {
    x != 0 && x & (x - 1) == 0
}
/// Zero if the power does not fit.
fn next_power(x: T) -> T {
    if x <= 1 {
        return 1;
    }
    (T::MAX >> leading_zeros(x - 1)) + 1
}
pub fn next_power_of_two(x: T) -> T {
    next_power(x)
}
pub fn checked_next_power_of_two(x: T) -> Option<T> {
    let power = next_power(x);
    if power == 0 { None } else { Some(power) }
}
pub fn unbounded_shr(x: T, n: u32) -> T {
    if n < T::BITS { x >> n } else { 0 }
}
pub fn cast_signed(x: T) -> S {
    x as S
}
pub fn isqrt(x: T) -> T {
    root(x)
}
pub fn midpoint(x: T, y: T) -> T {
    ((x ^ y) >> 1) + (x & y)
}

fn add_signed_overflows(x: T, y: S) -> bool {
    add_overflows(x, y as T) != (y < 0)
}
fn sub_signed_overflows(x: T, y: S) -> bool {
    sub_overflows(x, y as T) != (y < 0)
}
pub fn wrapping_add_signed(x: T, y: S) -> T {
    x + y as T
}
pub fn wrapping_sub_signed(x: T, y: S) -> T {
    x - y as T
}
pub fn checked_add_signed(x: T, y: S) -> Option<T> {
    if add_signed_overflows(x, y) { None } else { Some(x + y as T) }
}
pub fn checked_sub_signed(x: T, y: S) -> Option<T> {
    if sub_signed_overflows(x, y) { None } else { Some(x - y as T) }
}
pub fn overflowing_add_signed(x: T, y: S) -> (T, bool) {
    (x + y as T, add_signed_overflows(x, y))
}
pub fn overflowing_sub_signed(x: T, y: S) -> (T, bool) {
    (x - y as T, sub_signed_overflows(x, y))
}
pub fn saturating_add_signed(x: T, y: S) -> T {
    if !add_signed_overflows(x, y) {
        x + y as T
    } else if y < 0 {
        0
    } else {
        T::MAX
    }
}
pub fn saturating_sub_signed(x: T, y: S) -> T {
    if !sub_signed_overflows(x, y) {
        x - y as T
    } else if y < 0 {
        T::MAX
    } else {
        0
    }
}
