//! Programs of all languages, from bytes that a coverage-guided fuzzer writes. In: a byte that chooses the language, then a tape. Out:
//! nothing, or the end of the process with the failing case in words. Invariant: as in the campaigns; only the tapes come
//! from elsewhere.

#![no_main]

use fuzz::campaign::{Bench, Campaign};
use fuzz::differ::Differ;
use fuzz::journal::Journal;
use fuzz::language::on_stack;
use fuzz::languages::ALL;
use fuzz::tally::Tally;
use libfuzzer_sys::fuzz_target;
use std::time::Duration;

fuzz_target!(|bytes: &[u8]| {
    let Some((first, tape)) = bytes.split_first() else {
        return;
    };
    let language = ALL[usize::from(*first) % ALL.len()];
    let folder = std::env::temp_dir().join("verdigris-coverage");
    let journal = Journal::new(&folder, 1, Duration::from_secs(60));
    let failure = on_stack(|| {
        let mut bench = Bench {
            tally: Tally::default(),
            page: journal.page(0),
        };
        Differ { language }.check(tape, &mut bench)
    });
    if let Some(failure) = failure {
        panic!("{}\n{}", failure.story, failure.case.print());
    }
});
