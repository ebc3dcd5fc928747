//! Whether random programs notice when the specialiser is broken. In: the ways in which it can be.
//! Out: each of them is noticed by a bounded number of a language's programs. Invariant: the
//! programs and what else is drawn are those of every campaign; only the compiler is given.

use fuzz::sabotage::{notice_by_programs, ways};
use std::path::Path;
use std::time::Duration;
use verdigris_testing::for_each;

/// How many programs of each language may run: few at first, for another language may notice soon.
const CASES: [u64; 2] = [60, 2400];

/// The number of programs is what ends a campaign.
const LONG: Duration = Duration::from_secs(3600);

/// Programs of this seed are among the first to notice.
const SEED: u64 = 6;

#[test]
fn programs_notice_every_sabotage_of_the_specialiser() {
    let mut ways = ways(None).expect("all");
    ways.retain(|way| way.campaigns().is_empty());
    assert_eq!(ways.len(), 11);
    for_each(&ways, |&way| {
        let fuzz = Path::new(env!("CARGO_BIN_EXE_fuzz"));
        let is_noticed = CASES.iter().any(|&cases| {
            let noticed = notice_by_programs(fuzz, way, SEED, cases, LONG).expect("it is run");
            println!("{} {noticed}", way.name());
            noticed.by.is_some()
        });
        assert!(is_noticed, "{} is not noticed", way.name());
    });
}
