//! Broken sources, from bytes that a coverage-guided fuzzer writes. In: a tape: which source of the
//! corpus, and what is done to it. The process ends with the failing source, if there is one.
//! Invariant: as in the campaign; only the tapes come from elsewhere.

#![no_main]

use coverage::check;
use fuzz::front::Mutations;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| check(&Mutations, bytes));
