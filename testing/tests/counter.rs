//! The helpers on the smallest language, and on guests that do not do the same under every setting.
//! In: guests. Out: what the helpers say of them.

use expect_test::expect;
use std::collections::BTreeSet;
use verdigris::Options;
use verdigris_testing::{
    FAST_SHARES, Outcome, PASSES, PLAIN, Run, SETTINGS, SHARES, SLOW_SHARES, Setting, agree,
    agreed, all_settings, compiled, fast_settings, listing, operations, share, slow_settings,
};

fn counter(program: &str, number: i64) -> impl Fn(Options) -> Run {
    move |options| {
        let vm = counter::machine(options).expect("a VM");
        Run::on(&vm, || Ok::<_, String>(counter::sum(&vm, program, number)))
    }
}

#[test]
fn settings_are_understood_and_differ() {
    let all = || SETTINGS.iter().chain(PASSES);
    let names: BTreeSet<&str> = all().map(|s| s.name).collect();
    let options: BTreeSet<String> = all().map(|s| s.options().jit.to_string()).collect();
    assert_eq!((names.len(), options.len()), (all().count(), all().count()));
    assert_eq!(SETTINGS[0], PLAIN);
    assert!(all().all(|s| s.slow || s.options().jit.stress().is_none()));
}

#[test]
fn programs_in_a_row_have_all_settings() {
    let names = |settings: &[&Setting]| settings.iter().map(|s| s.name).collect::<Vec<_>>();
    let all: BTreeSet<&str> = SETTINGS.iter().map(|s| s.name).collect();
    for first in [0, 1, 17, usize::MAX / 2] {
        let longest = FAST_SHARES.max(SLOW_SHARES);
        let shares = (first..first + longest).flat_map(|program| {
            let fast = names(&fast_settings(program));
            assert!(fast.contains(&"defaults"), "{fast:?}");
            [fast, names(&slow_settings(program))].concat()
        });
        assert_eq!(shares.collect::<BTreeSet<_>>(), all, "from {first}");
        let few = (first..first + SHARES)
            .flat_map(|program| names(&share(SETTINGS.iter(), program, SHARES)));
        let mut few: Vec<_> = few.collect();
        few.sort_unstable();
        assert!(
            few.iter().eq(&all) || all_settings(),
            "from {first}: {few:?}"
        );
    }
}

#[test]
fn what_agrees_is_given() {
    assert_eq!(agreed(counter("+-?.", 300)), Ok::<_, String>(45150).into());
}

#[test]
fn a_panic_is_an_error() {
    let outcome = agreed(counter("+-?", 3));
    assert_eq!(
        outcome.to_string(),
        "error: panicked: index out of bounds: the len is 3 but the index is 3"
    );
}

#[test]
fn what_differs_is_said() {
    let guest = |options: Options| {
        let number = if options.jit.fail_guards() { 5 } else { 4 };
        counter("+-?.", number)(options)
    };
    let difference = agree(guest).expect_err("it differs");
    expect![[r#"
        under `threshold=2,function_threshold=2,trace_eagerness=1,compiler=specialising,fail_guards=1` (specialised, failing guards) it does
        15
        and without the JIT
        10"#]]
    .assert_eq(&difference.to_string());
    let silent = |options: Options| {
        let mut run = counter("+-?.", 4)(options.clone());
        let error = (options.jit.threshold() == 1).then(|| "out of cheese".to_string());
        run.outcome.error = error;
        run
    };
    let difference = agree(silent).expect_err("one has an error");
    assert_eq!(
        difference.found,
        Outcome {
            output: "10".to_string(),
            error: Some("out of cheese".to_string())
        }
    );
}

#[test]
fn loops_are_shown() {
    let run = compiled(counter("+-?.", 20_000), "");
    expect![[r#"
        loops 1, bridges 0, aborts 0
        int_add int_add int_gt guard_true jump L1
    "#]]
    .assert_eq(&run.summary());
    expect![[r#"
        label L1(i0, i1)
        i2 = int_add(i1, i0)
        i3 = int_add(i0, -1)
        i4 = int_gt(i3, 0)
        guard_true(i4)
        jump L1(i3, i2)
    "#]]
    .assert_eq(&listing(run.body()));
    assert_eq!(operations(run.body()).len(), run.body().total());
    // Bridges are no loops.
    let run = compiled(counter("+--?+?.", 20_001), "threshold=3,trace_eagerness=2");
    assert_eq!(run.loops().len() as u64, run.stats.loops);
    // A loop that is not peeled has no entry.
    let run = compiled(counter("+-?.", 20_000), "enable_opts=all-peel");
    assert_eq!(run.loops().len(), 1);
    let run = compiled(counter("+-?.", 3), "");
    assert_eq!(run.summary(), "loops 0, bridges 0, aborts 0\n");
}

#[test]
#[should_panic(expected = "no loop was compiled")]
fn a_body_that_is_not_there() {
    compiled(counter("+-?.", 3), "").body();
}
