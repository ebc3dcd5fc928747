//! The tests that every backend has to pass.
//!
//! Each test runs a script on all backends: it compiles traces, enters and patches them, and logs
//! every exit with its words and the objects behind them. The logs have to be equal. The oracle
//! (`crates/backend/src/oracle.rs`) interprets traces and is right by definition; it is one of the
//! backends of the list. The layered backend comes twice, once with methods so small that most
//! sections are methods of their own.
//!
//! A new backend is one entry in [`all`](verdigris_traces::vm::all) in `testing/traces/src/vm.rs`.
//! From then on all tests here run on it, and so do the random traces and the fuzzer. A good order
//! to make them pass:
//!
//! 1. `ops`: pure operations on edge values, in registers, as constants, and in front of guards.
//! 2. `control`: loops, bridges, invalidation, forced failures, freeing, errors.
//! 3. `heap`: fields, items, allocation, collections in compiled code.
//! 4. `calls`, `portal`: residual calls, and calls of compiled code.
//! 5. `holes`, `threaded_code`: code that records name.
//! 6. `random`: random traces.
//!
//! Tests of the code that one backend makes are in that backend's crate.

use expect_test::Expect;
use verdigris_heap::HeapOptions;
use verdigris_traces::vm::{Vm, check_all};

/// Runs a script on all backends, whose logs have to be equal and as expected.
///
/// # Panics
/// If they are not.
pub fn check(script: impl Fn(&mut Vm), expected: Expect) {
    expected.assert_eq(&check_all(HeapOptions::default(), script));
}

/// A double as the word that it is.
pub fn bits(value: f64) -> u64 {
    value.to_bits()
}
