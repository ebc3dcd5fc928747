//! Bounds of integers: an interval of signed words, and bits that are known to be 0 or 1.
//!
//! Invariant: every operation over-approximates. If each operand is one of the words that its bound
//! admits, so is the result.
//!
//! Source: "Sound, Precise, and Fast Abstract Interpretation with Tristate Numbers" (2022),
//! sections 2 and 3, for known bits.

mod compare;
mod int_bound;
mod inverse;
mod range;
mod transfer;

#[cfg(test)]
mod tests;

pub(crate) use compare::{Relation, taught};
pub(crate) use int_bound::IntBound;
pub(crate) use inverse::{checked, exact, operand};
pub(crate) use range::{MAX_ASSUMPTIONS, Needs, Range};
pub(crate) use transfer::{sum_is_exact, unchanged};
