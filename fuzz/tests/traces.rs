//! Random traces for a few seconds, and whether they notice when the optimiser is broken.

use fuzz::campaign::{self, Effort};
use fuzz::language::on_stack;
use fuzz::registry;
use fuzz::sabotage;
use verdigris_testing::for_each;

fn effort(seed: u64, cases: u64) -> (tempfile::TempDir, Effort) {
    let folder = tempfile::tempdir().expect("a folder");
    let effort = Effort::of_cases(seed, cases, folder.path().to_path_buf());
    (folder, effort)
}

#[test]
fn random_traces_mean_the_same() {
    let campaign = registry::named("traces").expect("there is one");
    let (_folder, effort) = effort(1, 1000);
    let report = campaign::run(&*campaign, &effort, |case| panic!("hangs: {case:?}"));
    let failure = report.failure.map(|failure| failure.story);
    assert_eq!((failure, report.lack), (None, None));
    assert_eq!(report.tally.get("traces"), 1000);
    assert!(
        report.tally.get("traces compared") > 500,
        "{}",
        report.tally
    );
    assert!(report.tally.get("taken") > 50, "{}", report.tally);
    assert_eq!(report.tally.get("loops that assume nothing"), 0);
}

/// Each way to break what makes code, with a seed whose first cases notice it. If the generator or
/// the optimiser changes, later ones do: then look for another seed among some hundred.
const SEEDS: [(&str, u64); 18] = [
    ("drop-guard", 30),
    ("skip-store", 12),
    ("tear-value", 12),
    ("wrong-bound", 238),
    ("forget-field", 29),
    ("forget-alias", 36),
    ("forget-index", 312),
    ("trust-call", 191),
    ("lose-pending", 13),
    ("lose-field", 4),
    ("trust-constant", 324),
    ("swap-operands", 346),
    ("wrong-view", 252),
    ("skip-barrier", 410),
    ("wrong-slot", 39),
    ("wrong-exit", 39),
    ("swap-moves", 17),
    ("stale-flags", 23),
];

/// Fuzzing that finds nothing in a broken optimiser would prove nothing.
#[test]
fn every_sabotage_is_noticed() {
    let mut ways = sabotage::ways(None).expect("all");
    ways.retain(|way| !way.campaigns().is_empty());
    let names: Vec<&str> = ways.iter().map(|way| way.name()).collect();
    assert_eq!(names, SEEDS.map(|(name, _)| name));
    for_each(&SEEDS, |&(name, seed)| {
        let way = sabotage::ways(Some(name)).expect("it is one")[0];
        let (_folder, mut effort) = effort(seed, 100_000);
        // One thread, so that it is the first case of the seed that counts.
        effort.threads = 1;
        // Soon small enough: the last lines take most of the tries.
        effort.shrinking.tries = 60;
        let noticed = sabotage::notice(way, &effort).expect("it is run");
        println!("{noticed}");
        let (_, _, failure) = noticed.by.unwrap_or_else(|| panic!("{name}"));
        // A case is worth reading only if it is short.
        assert!(failure.case.text.lines().count() < 60, "{}", failure.story);
    });
}

#[test]
fn cases_are_replayed() {
    let campaign = registry::named("traces").expect("there is one");
    for number in 0..40 {
        let tape = fuzz::tape::bytes("traces", 5, number);
        let text = campaign.show(&tape);
        let case = fuzz::kept::Case::parse(&text).expect("what is shown is a case");
        assert_eq!(case.print(), text);
        let failure = on_stack(|| campaign.replay(&case)).expect("it is one of this campaign");
        assert!(failure.is_none(), "{text}");
    }
    let case = fuzz::kept::Case::parse("# fuzz: traces\n# kind: pebbles\n").expect("a case");
    let error = campaign
        .replay(&case)
        .expect_err("there are no such traces");
    assert_eq!(error, "there are no traces of kind `pebbles`");
}
