//! Changes of tier under a clock that is moved by hand: places go over to the other compiler,
//! entries of code that is left too soon are suspended, compiling waits, and results are the
//! interpreter's.

use crate::guest::Op::*;
use crate::guest::{BACKENDS, Op, execute, load, program, run, vm};
use expect_test::{Expect, expect};
use std::cell::Cell;
use verdigris_engine::{AbortReason, Options, Stats, TierStats, Vm};

/// Counts `a` down.
const DOWN: &[Op] = &[AddA, DecA, LoopA(0), Ret];

/// Promotes `a`, which is another value each time: code is left in each turn.
const EACH: &[Op] = &[PromoteA, DecA, LoopA(0), Ret];

/// Promotes one of four values: each but the first is a bridge.
const FOUR: &[Op] = &[Promote, DecA, LoopA(0), Ret];

thread_local!(static NOW: Cell<f64> = const { Cell::new(0.0) });

/// A clock by which everything between two looks takes a microsecond.
fn tick() -> f64 {
    NOW.replace(NOW.get() + 1e-6)
}

/// A clock by which everything takes less time than an entry.
fn short_tick() -> f64 {
    NOW.replace(NOW.get() + 1e-8)
}

fn with_clock(params: &str) -> Vm {
    let options = Options::parse(params).unwrap().clock(tick as fn() -> f64);
    Vm::new(program(), options).unwrap()
}

/// How often what has changed: waits, rests, places that have settled, generalised promotions.
fn changes(stats: &Stats) -> [u64; 4] {
    let TierStats {
        waits,
        rests,
        settled,
        generalised,
        ..
    } = stats.tiers;
    [waits, rests, settled, generalised]
}

#[test]
fn a_place_whose_traces_are_given_up_is_specialised() {
    for backend in BACKENDS.iter() {
        let vm = vm(&format!(
            "backend={backend},threshold=5,trace_limit=3,cut_traces=0"
        ));
        assert_eq!(execute(&vm, DOWN, 1000), 500_500);
        let stats = vm.stats();
        assert_eq!(changes(&stats), [0, 0, 1, 0]);
        assert_eq!(
            (stats.aborts[&AbortReason::TraceTooLong], stats.blocked),
            (3, 0)
        );
        assert_eq!((stats.traces, stats.specialised.pieces), (1, 1));
        assert!(stats.tiers.specialised.entries > 0);
        assert_eq!(stats.tiers.traced.entries, 0);
    }
}

#[test]
fn a_place_whose_bridges_keep_growing_is_specialised() {
    let expected = execute(&vm("off"), FOUR, 1000);
    for backend in BACKENDS.iter() {
        let run = |params: &str| {
            let vm = vm(&format!(
                "backend={backend},threshold=5,trace_eagerness=2,compile_allowance=off,{params}"
            ));
            assert_eq!(execute(&vm, FOUR, 1000), expected, "{params}");
            vm.stats()
        };
        let all = run("compiler=tracing").bridges;
        assert!(all >= 3, "one for each value but the first: {all}");
        let enough = run(&format!("max_bridges={all}"));
        assert_eq!((changes(&enough), enough.bridges), ([0, 0, 0, 0], all));
        for most in 1..all {
            let stats = run(&format!("max_bridges={most}"));
            assert_eq!(changes(&stats), [0, 0, 1, 0], "{most}");
            let traced = stats.traces + stats.bridges - stats.specialised.pieces;
            assert_eq!(traced, 1 + most, "the loop, and so many bridges");
            assert!(stats.tiers.specialised.entries > 0);
            let tracing = run(&format!("max_bridges={most},compiler=tracing"));
            assert_eq!(changes(&tracing), [0, 0, 0, 0]);
            let found = tracing.bridges;
            assert!(
                found <= all.min(most + 2),
                "the last ones hold for any value: {found}"
            );
        }
    }
}

#[test]
fn what_tracing_does_not_suit_stays_interpreted_if_that_is_asked_for() {
    let vm = vm("compiler=tracing,threshold=5,trace_limit=3,cut_traces=0");
    assert_eq!(execute(&vm, DOWN, 1000), 500_500);
    let stats = vm.stats();
    assert_eq!(changes(&stats), [0, 0, 0, 0]);
    assert_eq!((stats.traces, stats.blocked), (0, 1));
}

/// Values that are new each time, and no code for any of them.
const SPECIFIC: &str = "threshold=5,compile_allowance=1000000,polymorphic_limit=1000000";

/// The other compiler is tried, and in the end the code is entered now and then.
#[test]
fn code_that_is_left_too_soon_rests_for_longer_each_time() {
    for backend in BACKENDS.iter() {
        for (compiler, settled) in [("auto", 1), ("tracing", 0)] {
            let params = format!("backend={backend},{SPECIFIC},compiler={compiler}");
            let options = Options::parse(&params).unwrap();
            let vm = Vm::new(program(), options.clock(short_tick as fn() -> f64)).unwrap();
            assert_eq!(execute(&vm, EACH, 20_000), 200_010_000);
            let [waits, rests, specialised, generalised] = changes(&vm.stats());
            assert_eq!(
                (waits, specialised, generalised),
                (0, settled, 0),
                "{compiler}"
            );
            assert!((8..16).contains(&rests), "{compiler}: {rests}");
        }
    }
}

/// Writes down what the log says of tiers.
fn logged(params: &str, ops: &[Op], a: i64) -> String {
    let clock = match params {
        SPECIFIC => short_tick,
        _ => tick as fn() -> f64,
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let options = Options::parse(params)
        .unwrap()
        .clock(clock)
        .log(format!("tier:{}", path.display()));
    let vm = Vm::new(program(), options).unwrap();
    execute(&vm, ops, a);
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn the_log_says_why() {
    let check = |params: &str, ops, expected: Expect| {
        expected.assert_eq(&logged(params, ops, 20_000));
    };
    check(
        "threshold=5,trace_limit=3,cut_traces=0",
        DOWN,
        expect![[r#"
        # tier: header (0, ref): from now on by partial evaluation, since tracing does not suit it
    "#]],
    );
    check(
        "threshold=5,trace_eagerness=2,max_bridges=2",
        FOUR,
        expect![[r#"
            # tier: header (0, ref): it has 2 bridges after 10 failures, and wants one more
            # tier: header (0, ref): from now on by partial evaluation, since tracing does not suit it
        "#]],
    );
    check(
        SPECIFIC,
        EACH,
        expect![[r#"
            # tier: header (0, ref): left too soon: of the last entries 2.6 us were in compiled code, and 0.0 us went to find the interpreter's state
            # tier: header (0, ref): left too soon: of the last entries 2.6 us were in compiled code, and 1.1 us went to find the interpreter's state
            # tier: header (0, ref): left too soon: of the last entries 2.6 us were in compiled code, and 2.6 us went to find the interpreter's state
            # tier: header (0, ref): left too soon: of the last entries 2.6 us were in compiled code, and 2.6 us went to find the interpreter's state
            # tier: header (0, ref): from now on by partial evaluation, since tracing does not suit it
            # tier: header (0, ref): left too soon: of the last entries 2.6 us were in compiled code, and 0.0 us went to find the interpreter's state
            # tier: header (0, ref): left too soon: of the last entries 2.6 us were in compiled code, and 1.1 us went to find the interpreter's state
            # tier: header (0, ref): left too soon: of the last entries 2.6 us were in compiled code, and 2.6 us went to find the interpreter's state
            # tier: header (0, ref): left too soon: of the last entries 2.6 us were in compiled code, and 2.6 us went to find the interpreter's state
            # tier: header (0, ref): left too soon: of the last entries 2.6 us were in compiled code, and 2.6 us went to find the interpreter's state
            # tier: header (0, ref): left too soon: of the last entries 2.6 us were in compiled code, and 2.6 us went to find the interpreter's state
            # tier: header (0, ref): left too soon: of the last entries 2.6 us were in compiled code, and 2.6 us went to find the interpreter's state
            # tier: header (0, ref): left too soon: of the last entries 2.6 us were in compiled code, and 2.6 us went to find the interpreter's state
            # tier: header (0, ref): left too soon: of the last entries 2.6 us were in compiled code, and 2.6 us went to find the interpreter's state
            # tier: header (0, ref): left too soon: of the last entries 2.6 us were in compiled code, and 2.6 us went to find the interpreter's state
        "#]],
    );
    check(
        "threshold=5,compile_allowance=1000000",
        EACH,
        expect![[r#"
            # tier: header (0, ref): a promotion has seen many values, so what follows is compiled for any
            # tier: header (0, ref): a promotion has seen many values, so what follows is compiled for any
        "#]],
    );
    check(
        "threshold=5,compile_allowance=0,compile_share=0,compile_gain=0,trace_eagerness=5",
        &[SkipEven(1), AddA, Box, DecA, LoopA(0), Ret],
        expect![[r#"
            # tier: compiling waits: it has taken 0.00 ms, and may have taken 0.00
        "#]],
    );
}

#[test]
fn compiling_waits_until_there_was_something_to_gain() {
    for backend in BACKENDS.iter() {
        let jit = format!("backend={backend},threshold=5,compile_allowance=0,compile_share=0");
        // The first piece is possible, since it has cost nothing yet.
        let programs = |params: &str| {
            let vm = with_clock(&format!("{jit},{params}"));
            vm.enter(|| (0..10).for_each(|_| assert_eq!(run(load(DOWN), 0, 20), 210)));
            vm.stats()
        };
        let none = programs("compile_gain=0");
        assert_eq!((none.traces, none.tiers.waits), (1, 1));
        let all = programs("compile_gain=1000");
        assert_eq!((all.traces, all.tiers.waits), (10, 0));
    }
}

#[test]
fn tiers_that_change_at_random_change_nothing_else() {
    let ops = &[SkipEven(1), AddA, Box, DecA, LoopA(0), Ret];
    let expected = execute(&vm("off"), ops, 40);
    for backend in BACKENDS.iter() {
        let (mut rests, mut pieces) = (0, 0);
        for seed in 1..20 {
            let vm = vm(&format!(
                "backend={backend},threshold=2,trace_eagerness=2,shuffle_tiers={seed}"
            ));
            vm.enter(|| (0..20).for_each(|_| assert_eq!(run(load(ops), 0, 40), expected)));
            let stats = vm.stats();
            rests += stats.tiers.rests;
            pieces += stats.specialised.pieces;
        }
        assert!(
            rests > 0 && pieces > 0,
            "{backend}: {rests} rests, {pieces} pieces"
        );
    }
}
