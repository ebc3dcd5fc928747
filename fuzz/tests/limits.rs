//! Programs that keep objects, on heaps of all sizes, for a few seconds.

use fuzz::campaign::{self, Effort};
use fuzz::registry;

#[test]
fn programs_end_well_with_too_little_memory() {
    let campaign = registry::named("limits").expect("there is one");
    let folder = tempfile::tempdir().expect("a folder");
    let effort = Effort::of_cases(1, 40, folder.path().to_path_buf());
    let report = campaign::run(&*campaign, &effort, |case| panic!("hangs: {case:?}"));
    let failure = report.failure.map(|failure| failure.story);
    assert_eq!((failure, report.lack), (None, None));
}
