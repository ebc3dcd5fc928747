//! Algebraic simplification as data: a table of named rules, and the engine that applies them.
//!
//! A rule replaces a pure operation by a value that it equals, or by a cheaper operation, for all
//! words that satisfy its conditions.
//!
//! * `algebra.rules` holds the rules, one per line. To add one, add a line; the tests find it.
//! * `parse.rs` reads that text while the crate is compiled, and says what may stand in it.
//! * `pattern.rs` says what a rule is made of.
//! * `matching.rs` finds the rule that fits; `conditions.rs` decides what must hold for it.
//!
//! **Proof.** A test evaluates both sides of every rule on all words of a width of 8, and on edges
//! and random words at 64; rules on doubles on special values and random bit patterns.
//!
//! **Termination.** A rule looks at an operation and what its operands were computed by, and makes
//! at most one operation. It never names a value more often than its pattern does. So if the
//! pattern has more operations than what it makes, the expression shrinks. Otherwise the new
//! operation is cheaper, or it is the same one with a constant that is smaller as an unsigned word.
//! A test checks this of every rule.
//!
//! **Doubles.** Rules keep every bit of every result, zeros' signs and NaNs included, because
//! interpreters put tags into the bits of NaNs. A NaN operand is assumed to come out of arithmetic
//! as it went in, which is what machines do with quiet ones; a signalling NaN, which only
//! `float_from_bits` and memory can give, may stay signalling where arithmetic would have made it
//! quiet. Rust promises no more. So `x * 1.0` is `x`, but `x * -1.0` is not `-x`: that changes the
//! sign of a NaN.

mod conditions;
mod matching;
mod parse;
mod pattern;
mod table;

#[cfg(test)]
mod tests;

pub(crate) use matching::{Rewrite, apply};
