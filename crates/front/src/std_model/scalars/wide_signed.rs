//! What signed integers of 64 bits have besides. In: operands. Out: whether arithmetic overflows.
//! Invariant: each check is one operation of the table, which machine code does together with the
//! arithmetic.

fn add_overflows(x: T, y: T) -> bool {
    op::int_add_overflows(x, y)
}
fn sub_overflows(x: T, y: T) -> bool {
    op::int_sub_overflows(x, y)
}
fn mul_overflows(x: T, y: T) -> bool {
    op::int_mul_overflows(x, y)
}
pub fn trailing_zeros(x: T) -> u32 {
    op::int_trailing_zeros(x) as u32
}
