//! An oracle for the translator's names: does each call in traced code mean what it means to rustc?
//!
//! In: the source of an interpreter. Out: differences between the callees that the front end
//! resolved and those that `rustc --emit=mir` prints, and counts of all that was compared and of
//! what was not, by reason ([`rules`]). Invariants: the text of `--emit=mir` has no places in the
//! source, so callees are compared as a multiset for each function, the bodies of closures with it;
//! a callee is compared with what a generic function's parameters stand for in each of its
//! instances.
//!
//! What the oracle does not see: two callees of one function that are exchanged for each other;
//! what a function is called with, and in which order; operators and conversions of scalars, which
//! are no calls to rustc either; functions that are named as values; calls that rustc evaluates at
//! compile time; and what a rule explains.

#![forbid(unsafe_code)]

pub mod built;
pub mod callee;
pub mod compare;
pub mod mir;
pub mod rules;
pub mod rustc;
pub mod types;

pub use compare::{Difference, Report, compare, modules};

use verdigris_front::Resolved;

/// Compares what calls mean to the translator with the text of rustc's MIR of the same crate.
///
/// # Errors
/// With the line of a call in the text that cannot be read.
pub fn compare_with_text(ours: &[Resolved], mir: &str) -> Result<Report, String> {
    Ok(compare(ours, &mir::read(mir, &modules(ours))?))
}
