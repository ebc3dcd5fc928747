//! What unsigned integers of 64 bits have besides. In: operands. Out: whether arithmetic overflows.
//! Invariant: sums and differences overflow if they compare wrongly with an operand; products have
//! an operation of their own.

fn add_overflows(x: T, y: T) -> bool {
    x + y < x
}
fn sub_overflows(x: T, y: T) -> bool {
    x < y
}
fn mul_overflows(x: T, y: T) -> bool {
    op::uint_mul_overflows(x, y)
}
pub fn trailing_zeros(x: T) -> u32 {
    op::int_trailing_zeros(x) as u32
}
