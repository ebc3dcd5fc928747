//! The Cranelift backend against the oracle: the same traces on both, with the same exits, words
//! and effects on the heap.

mod calls;
mod control;
mod heap;
mod holes;
mod ops;
mod portal;
mod random;
mod threads;

use expect_test::Expect;
use verdigris_heap::HeapOptions;
use verdigris_traces::vm::{Vm, check_both};

/// Runs a script on both backends; the logs must be equal and as expected.
pub fn check(script: impl Fn(&mut Vm), expected: Expect) {
    let log = check_both(HeapOptions::default(), script);
    expected.assert_eq(&log);
}

/// A double as the word that it is.
pub fn bits(value: f64) -> u64 {
    value.to_bits()
}
