//! Random traces, from bytes that a coverage-guided fuzzer writes. In: a tape. The process ends
//! with the failing case in words, if there is one. Invariant: as in the campaign; only the tapes
//! come from elsewhere.

#![no_main]

use coverage::check;
use fuzz::traces::Traces;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| check(&Traces, bytes));
