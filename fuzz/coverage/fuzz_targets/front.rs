//! Broken sources, from bytes that a coverage-guided fuzzer writes. In: a tape: which source of the
//! corpus, and what is done to it. Out: nothing, or the end of the process with the failing source.
//! Invariant: as in the campaign; only the tapes come from elsewhere.

#![no_main]

use coverage::check;
use fuzz::front::Mutations;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| check(&Mutations, bytes));
