//! Whether random programs notice when the specialiser is broken. In: the ways in which it can be.
//! Out: each of them is noticed by the programs of a language, in a bounded time. Invariant: the
//! programs and what else is drawn are those of every campaign; only the compiler is given.

use fuzz::sabotage::{notice_by_programs, ways};
use std::path::Path;
use std::time::Duration;
use verdigris_testing::for_each;

/// How long, in seconds, the programs of each language may take to notice: few at first, for
/// another language may notice soon.
const PATIENCE: [u64; 2] = [1, 40];

/// Programs of this seed notice each within a second or two; others do, too, but later.
const SEED: u64 = 6;

#[test]
fn programs_notice_every_sabotage_of_the_specialiser() {
    let mut ways = ways(None).expect("all");
    ways.retain(|way| way.campaigns().is_empty());
    assert_eq!(ways.len(), 11);
    for_each(&ways, |&way| {
        let fuzz = Path::new(env!("CARGO_BIN_EXE_fuzz"));
        let is_noticed = PATIENCE.iter().any(|&seconds| {
            let patience = Duration::from_secs(seconds);
            let noticed = notice_by_programs(fuzz, way, SEED, patience).expect("it is run");
            println!("{} {noticed}", way.name());
            noticed.by.is_some()
        });
        assert!(is_noticed, "{} is not noticed", way.name());
    });
}
