//! Random loops over a small heap: whatever passes run, the optimised loop leaves at the same
//! guard, with the same frames, the same heap, and the same history of calls as the recorded one.
//!
//! The campaign `traces` of the fuzzer runs any number of them; here are some thousand.

use verdigris_opt::Passes;
use verdigris_traces::{bridges, loops};

#[test]
fn bridges() {
    let compared = (0..1500)
        .filter(|&seed| bridges::compare(seed).compared > 0)
        .count();
    assert!(compared > 200, "only {compared} bridges were compared");
}

fn compare_many(passes: &str, seeds: std::ops::Range<u64>) {
    let passes = Passes::parse(passes).expect("known passes");
    // More than half contradict themselves.
    let wanted = (seeds.end - seeds.start) as usize / 4;
    let (mut compared, mut generic) = (0, Vec::new());
    for seed in seeds {
        let work = loops::compare(seed, passes);
        compared += usize::from(work.compared > 0);
        generic.extend((work.generic > 0).then_some(seed));
    }
    assert!(compared > wanted, "only {compared} loops were compared");
    // Whatever an iteration ends with, the loop keeps something of it.
    assert!(generic.is_empty(), "these keep nothing: {generic:?}");
}

#[test]
fn all_passes() {
    compare_many("all", 0..2000);
}

#[test]
fn without_peeling() {
    compare_many("all-peel", 100_000..100_300);
}

#[test]
fn without_virtuals() {
    compare_many("all-virtuals", 200_000..200_300);
}

#[test]
fn without_heap() {
    compare_many("all-heap", 300_000..300_300);
}

#[test]
fn with_little_room_to_wait() {
    for (n, most) in [0, 1, 2, 3, 5].into_iter().enumerate() {
        let first = 800_000 + 250 * n as u64;
        compare_many(&format!("all+delayed={most}"), first..first + 250);
    }
}

#[test]
fn without_folding() {
    compare_many("all-fold-pure", 400_000..400_300);
}

#[test]
fn without_guard_removal() {
    compare_many("all-guards", 500_000..500_300);
}

#[test]
fn without_bounds() {
    compare_many("all-bounds", 700_000..700_300);
}

#[test]
fn without_strengthening() {
    compare_many("all-strengthen", 900_000..900_300);
}

/// For a change of a pass; takes minutes.
#[test]
#[ignore = "long"]
fn a_long_run() {
    compare_many("all", 1_000_000..1_300_000);
    compare_many("all-peel-heap", 1_300_000..1_400_000);
    let compared = (1_400_000..1_500_000).filter(|&seed| bridges::compare(seed).compared > 0);
    assert!(compared.count() > 10_000);
}

#[test]
fn without_any() {
    compare_many("none", 600_000..600_300);
}
