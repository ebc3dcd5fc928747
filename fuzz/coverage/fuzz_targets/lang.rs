//! Programs of all languages, from bytes that a coverage-guided fuzzer writes. In: a byte that
//! chooses the language, then a tape. The process ends with the failing case in words, if there is
//! one. Invariant: as in the campaigns; only the tapes come from elsewhere.

#![no_main]

use coverage::check;
use fuzz::differ::Differ;
use fuzz::registry::LANGUAGES;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Some((first, tape)) = bytes.split_first() {
        let language = LANGUAGES[usize::from(*first) % LANGUAGES.len()];
        check(&Differ { language }, tape);
    }
});
