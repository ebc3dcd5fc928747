//! Random traces, by decisions of proptest.

use proptest::prelude::*;
use verdigris_heap::Stress;
use verdigris_traces::backends;

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, max_shrink_iters: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn machine_code_agrees_with_the_oracle(words in prop::collection::vec(any::<u32>(), 20..400), stress: bool) {
        let log = backends::compare(&words, stressed(words.len(), stress));
        prop_assert!(!log.is_empty());
    }

    #[test]
    fn threaded_code_agrees_with_the_oracle(words in prop::collection::vec(any::<u32>(), 20..200), stress: bool) {
        let log = backends::compare_threads(&words, stressed(words.len(), stress));
        prop_assert!(!log.is_empty());
    }
}

/// A few are stressed, which takes long.
fn stressed(len: usize, stress: bool) -> Stress {
    match len % 8 {
        0 if stress => Stress::All,
        4 if stress => Stress::Young,
        _ => Stress::Off,
    }
}
