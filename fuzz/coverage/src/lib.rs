//! The part that the targets share. In: a campaign and the bytes that libfuzzer writes. Out:
//! nothing, or a panic, which libfuzzer takes for a crash. Invariant: a target checks what the
//! campaign checks.

use fuzz::campaign::{Bench, Campaign};
use fuzz::journal::Journal;
use fuzz::language::on_stack;
use fuzz::tally::Tally;
use std::time::Duration;

/// Tries the case of a tape.
///
/// # Panics
/// If it fails.
pub fn check(campaign: &dyn Campaign, tape: &[u8]) {
    let folder = std::env::temp_dir().join("verdigris-coverage");
    let journal = Journal::new(&folder, 1, Duration::from_secs(60));
    let failure = on_stack(|| {
        let mut bench = Bench {
            tally: Tally::default(),
            page: journal.page(0),
            // libfuzzer makes cases smaller in its own way.
            shrinking: Duration::ZERO.into(),
        };
        campaign.check(tape, &mut bench)
    });
    if let Some(failure) = failure {
        panic!("{}\n{}", failure.story, failure.case.print());
    }
}
