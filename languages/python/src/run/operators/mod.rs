//! Operators. In: operands. Out: values, or whether something holds. Invariant: hot cases of
//! builtin operands are in traced code, the others are called.

pub mod arith;
pub mod compare;
pub mod contains;
pub mod operate;
pub mod order;
pub mod percent;
pub mod truth;
