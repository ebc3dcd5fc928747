//! Broken sources, from bytes that a coverage-guided fuzzer writes. In: a tape: which source of the corpus, and what is done to it. Out:
//! nothing, or the end of the process with the failing source. Invariant: as in the campaign; only the tapes come from elsewhere.

#![no_main]

use fuzz::campaign::{Bench, Campaign};
use fuzz::front::Mutations;
use fuzz::journal::Journal;
use fuzz::tally::Tally;
use libfuzzer_sys::fuzz_target;
use std::time::Duration;

fuzz_target!(|bytes: &[u8]| {
    let folder = std::env::temp_dir().join("verdigris-coverage");
    let journal = Journal::new(&folder, 1, Duration::from_secs(60));
    let mut bench = Bench {
        tally: Tally::default(),
        page: journal.page(0),
    };
    if let Some(failure) = Mutations.check(bytes, &mut bench) {
        panic!("{}\n{}", failure.story, failure.case.print());
    }
});
