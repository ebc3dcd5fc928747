//! The translator, for a few seconds: broken sources with a fixed seed. A failure shows
//! the smallest failing source. (Functions of the subset are compared in the tests of the
//! package `random-functions`.)

use fuzz::campaign::{self, Effort};
use fuzz::front::Mutations;
use fuzz::kept::Case;

/// Broken sources.
const CASES: u64 = 70;

#[test]
fn broken_sources_are_translated_or_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let effort = Effort::of_cases(2, CASES, folder.path().to_path_buf());
    let hangs = |case: Case| {
        eprintln!("{}\ndoes not end", case.print());
        std::process::exit(1);
    };
    let report = campaign::run(&Mutations, &effort, hangs);
    println!("{:.1} s, {}", report.time.as_secs_f64(), report.tally);
    if let Some(failure) = &report.failure {
        panic!("{}\n{}", failure.story, failure.case.print());
    }
    assert_eq!(report.lack, None);
    assert!(
        report.tally.get("translated") * 20 > CASES,
        "{}",
        report.tally
    );
    assert!(report.tally.get("refused") * 2 > CASES, "{}", report.tally);
}
