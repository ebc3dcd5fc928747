//! What integers of less than 64 bits have besides. In: operands, extended to words. Out: whether
//! arithmetic overflows. Invariant: what a word computes is right, and it overflows if it is not in
//! the type.

fn add_overflows(x: T, y: T) -> bool {
    let word = x as i64 + y as i64;
    word as T as i64 != word
}
fn sub_overflows(x: T, y: T) -> bool {
    let word = x as i64 - y as i64;
    word as T as i64 != word
}
fn mul_overflows(x: T, y: T) -> bool {
    let word = x as i64 * y as i64;
    word as T as i64 != word
}
/// A bit above the type stops the count.
pub fn trailing_zeros(x: T) -> u32 {
    let stop: u64 = 1;
    let word = (x as U as u64) | (stop << T::BITS);
    op::int_trailing_zeros(word) as u32
}
