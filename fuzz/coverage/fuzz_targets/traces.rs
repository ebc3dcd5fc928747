//! Random traces, from bytes that a coverage-guided fuzzer writes. In: a tape. Out: nothing, or the
//! end of the process with the failing case in words. Invariant: as in the campaign; only the tapes
//! come from elsewhere.

#![no_main]

use coverage::check;
use fuzz::traces::Traces;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| check(&Traces, bytes));
