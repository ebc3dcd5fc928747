//! What signed integer types have besides. In and out: as for all integer types. Invariant:
//! `add_overflows` and its like are those of the type's width.

fn div_overflows(x: T, y: T) -> bool {
    y == -1 && x == T::MIN
}
fn neg_overflows(x: T) -> bool {
    x == T::MIN
}
fn holds_signed(x: i64) -> bool {
    x as T as i64 == x
}

pub fn checked_abs(x: T) -> Option<T> {
    if x == T::MIN { None } else { Some(x.abs()) }
}
pub fn overflowing_abs(x: T) -> (T, bool) {
    (x.abs(), x == T::MIN)
}
pub fn saturating_abs(x: T) -> T {
    if x == T::MIN { T::MAX } else { x.abs() }
}
pub fn strict_abs(x: T) -> T {
    if x == T::MIN {
        panic!("attempt to negate with overflow");
    }
    x.abs()
}
pub fn unsigned_abs(x: T) -> U {
    x.abs() as U
}
pub fn saturating_neg(x: T) -> T {
    if x == T::MIN { T::MAX } else { -x }
}
pub fn saturating_add(x: T, y: T) -> T {
    if !add_overflows(x, y) {
        x + y
    } else if x < 0 {
        T::MIN
    } else {
        T::MAX
    }
}
pub fn saturating_sub(x: T, y: T) -> T {
    if !sub_overflows(x, y) {
        x - y
    } else if x < 0 {
        T::MIN
    } else {
        T::MAX
    }
}
pub fn saturating_mul(x: T, y: T) -> T {
    if !mul_overflows(x, y) {
        x * y
    } else if (x < 0) == (y < 0) {
        T::MAX
    } else {
        T::MIN
    }
}
pub fn saturating_div(x: T, y: T) -> T {
    if div_overflows(x, y) { T::MAX } else { x / y }
}
pub fn saturating_pow(x: T, n: u32) -> T {
    if !pow_overflows(x, n) {
        wrapping_pow(x, n)
    } else if x < 0 && n & 1 == 1 {
        T::MIN
    } else {
        T::MAX
    }
}

pub fn signum(x: T) -> T {
    (x > 0) as T - (x < 0) as T
}
pub fn is_positive(x: T) -> bool {
    x > 0
}
pub fn is_negative(x: T) -> bool {
    x < 0
}
pub fn rem_euclid(x: T, y: T) -> T {
    let rest = x % y;
    if rest < 0 { rest.wrapping_add(y.wrapping_abs()) } else { rest }
}
pub fn div_euclid(x: T, y: T) -> T {
    let quotient = x / y;
    if x % y < 0 {
        if y > 0 { quotient - 1 } else { quotient + 1 }
    } else {
        quotient
    }
}
pub fn unbounded_shr(x: T, n: u32) -> T {
    if n < T::BITS { x >> n } else { x >> (T::BITS - 1) }
}
pub fn cast_unsigned(x: T) -> U {
    x as U
}
pub fn isqrt(x: T) -> T {
    if x < 0 {
        panic!("argument of integer square root cannot be negative");
    }
    root(x)
}
pub fn checked_isqrt(x: T) -> Option<T> {
    if x < 0 { None } else { Some(root(x)) }
}
/// Rounds towards zero.
pub fn midpoint(x: T, y: T) -> T {
    let below = ((x ^ y) >> 1) + (x & y);
    if below < 0 { below + ((x ^ y) & 1) } else { below }
}

fn add_unsigned_overflows(x: T, y: U) -> bool {
    add_overflows(x, y as T) != ((y as T) < 0)
}
fn sub_unsigned_overflows(x: T, y: U) -> bool {
    sub_overflows(x, y as T) != ((y as T) < 0)
}
pub fn wrapping_add_unsigned(x: T, y: U) -> T {
    x + y as T
}
pub fn wrapping_sub_unsigned(x: T, y: U) -> T {
    x - y as T
}
pub fn checked_add_unsigned(x: T, y: U) -> Option<T> {
    if add_unsigned_overflows(x, y) { None } else { Some(x + y as T) }
}
pub fn checked_sub_unsigned(x: T, y: U) -> Option<T> {
    if sub_unsigned_overflows(x, y) { None } else { Some(x - y as T) }
}
pub fn overflowing_add_unsigned(x: T, y: U) -> (T, bool) {
    (x + y as T, add_unsigned_overflows(x, y))
}
pub fn overflowing_sub_unsigned(x: T, y: U) -> (T, bool) {
    (x - y as T, sub_unsigned_overflows(x, y))
}
pub fn saturating_add_unsigned(x: T, y: U) -> T {
    if add_unsigned_overflows(x, y) { T::MAX } else { x + y as T }
}
pub fn saturating_sub_unsigned(x: T, y: U) -> T {
    if sub_unsigned_overflows(x, y) { T::MIN } else { x - y as T }
}
