//! Threaded code: instructions are compiled once for all places, arms are added, places go over to
//! other compilers, and results are the interpreter's.

use crate::guest::Op::*;
use crate::guest::{BACKENDS, Op, execute, program, vm};
use std::cell::Cell;
use verdigris_engine::{Options, Stats, Vm};

/// Adds, twenty instructions with the same code in a row.
const MANY: &[Op] = &[
    AddA,
    AddA,
    AddA,
    AddA,
    AddA,
    AddA,
    AddA,
    AddA,
    AddA,
    AddA,
    AddA,
    AddA,
    AddA,
    AddA,
    AddA,
    AddA,
    AddA,
    AddA,
    AddA,
    AddA,
    DecA,
    LoopA(0),
    Ret,
];

/// A loop that calls a function.
const CALLS: &[Op] = &[Call(6), DecA, LoopA(0), Ret, AddA, Box, Ret];

/// 1 + 2 + .. + a, one call within the other.
const SUM: &[Op] = &[SkipNeg(2), Call(0), AddA, Ret];

fn check(ops: &[Op], a: i64, params: &str, test: impl Fn(&Stats)) {
    let right = execute(&vm("off"), ops, a);
    for backend in BACKENDS.iter() {
        let vm = vm(&format!("backend={backend},{params}"));
        assert_eq!(execute(&vm, ops, a), right, "{backend} {params}");
        test(&vm.stats());
    }
}

#[test]
fn places_with_the_same_instruction_share_its_code() {
    check(MANY, 1000, "threshold=5,compiler=threaded", |stats| {
        assert_eq!((stats.traces, stats.bridges), (0, 0));
        let tiers = &stats.tiers;
        assert!(tiers.threaded.entries > 0);
        assert!(tiers.threads >= 22, "{}", tiers.threads);
        // The shared code, additions, the other three instructions, and some of these again.
        assert!(tiers.stencils <= 9, "{}", tiers.stencils);
    });
}

#[test]
fn an_arm_is_left_until_it_is_learnt() {
    let ops = &[Peek, Keep, Peek, DecA, LoopA(0), Ret];
    check(ops, 2000, "threshold=5,compiler=threaded", |stats| {
        let failures = stats.guard_failures.total;
        assert!(failures < 100, "{failures}");
    });
}

#[test]
fn calls_go_from_threaded_code_to_threaded_code() {
    check(
        CALLS,
        1000,
        "threshold=5,function_threshold=5,compiler=threaded",
        |stats| {
            // The oracle calls through the engine.
            let is_oracle = stats.backend == "oracle";
            let entries = stats.tiers.threaded.entries;
            assert!(is_oracle || entries < 100, "{:?}", stats.tiers);
        },
    );
    check(
        SUM,
        300,
        "threshold=5,function_threshold=5,compiler=threaded",
        |_| {},
    );
}

#[test]
fn a_hot_loop_goes_over_to_another_compiler() {
    check(MANY, 1000, "threshold=40,thread_threshold=5", |stats| {
        assert!(stats.tiers.threaded.entries > 0);
        assert_eq!(stats.traces, 1);
        assert!(stats.tiers.traced.entries > 0);
    });
    check(
        MANY,
        1000,
        "threshold=40,thread_threshold=5,compiler=specialising",
        |stats| {
            assert_eq!((stats.specialised.pieces, stats.loops), (1, 0));
        },
    );
    check(
        CALLS,
        1000,
        "threshold=40,function_threshold=40,thread_threshold=5",
        |stats| {
            assert!(stats.traces > 0);
        },
    );
}

thread_local!(static NOW: Cell<f64> = const { Cell::new(0.0) });

#[test]
fn threaded_code_is_freed_with_time() {
    let right = execute(&vm("off"), MANY, 1000);
    for backend in BACKENDS.iter() {
        let vm = vm(&format!(
            "backend={backend},threshold=20,function_threshold=20,thread_threshold=3,loop_longevity=4"
        ));
        let mut most = 0;
        // Each program has a loop of its own, which is hot at once.
        for _ in 0..20 {
            assert_eq!(execute(&vm, MANY, 1000), right, "{backend}");
            let threads = vm.stats().tiers.threads;
            assert!(threads < 200, "{backend}: {threads}");
            most = most.max(threads);
        }
        assert!(most > 0 && vm.stats().freed > 0, "{backend}");
    }
}

#[test]
fn records_make_room() {
    let right = execute(&vm("off"), MANY, 1000);
    let vm = vm("threshold=5,compiler=threaded,code_budget=6k");
    for _ in 0..20 {
        assert_eq!(execute(&vm, MANY, 1000), right);
        let stats = vm.stats();
        let bytes = stats.machine_code_bytes + stats.tiers.thread_bytes;
        assert!(bytes < 8 * 1024, "{bytes}");
    }
    assert!(vm.stats().evicted > 0);
}

/// Code that does not fit in its budget is not made again at each merge point: it waits twice as
/// long each time.
#[test]
fn code_that_does_not_fit_waits() {
    let right = execute(&vm("off"), MANY, 3000);
    let vm = vm("threshold=1,compiler=threaded,code_budget=1k");
    assert_eq!(execute(&vm, MANY, 3000), right);
    let evicted = vm.stats().evicted;
    assert!((1..=13).contains(&evicted), "{evicted}");
}

/// Nor is code that is old before all of it is there.
#[test]
fn code_that_is_old_at_once_waits() {
    let right = execute(&vm("off"), MANY, 1000);
    let vm = vm("threshold=20,function_threshold=20,thread_threshold=1,loop_longevity=1");
    for _ in 0..60 {
        assert_eq!(execute(&vm, MANY, 1000), right);
    }
    let freed = vm.stats().freed;
    assert!((1..60).contains(&freed), "{freed}");
}

/// A clock by which everything between two looks takes a microsecond.
fn tick() -> f64 {
    NOW.replace(NOW.get() + 1e-6)
}

/// There is time for none of the instructions, for some, or for all: what is wanting is not waited
/// for by leaving code again and again.
#[test]
fn threaded_code_does_not_wait_for_the_budget() {
    let right = execute(&vm("off"), MANY, 3000);
    for backend in BACKENDS.iter() {
        let stats = (0..60).map(|allowance| {
            let params = format!(
                "backend={backend},threshold=5,compiler=threaded,compile_allowance={allowance},compile_share=0,compile_gain=0"
            );
            let options = Options::parse(&params).unwrap().clock(tick as fn() -> f64);
            let vm = Vm::new(program(), options).unwrap();
            assert_eq!(execute(&vm, MANY, 3000), right);
            let stats = vm.stats();
            let failures = stats.guard_failures.total;
            assert!(failures < 200, "{failures} with {allowance}");
            stats
        });
        let stats: Vec<Stats> = stats.collect();
        // What all threaded code shares is made first: how it is entered, and how it is left where
        // there is none.
        let none = |stats: &Stats| stats.tiers.stencils == 2;
        let some = |stats: &&Stats| stats.tiers.waits > 0 && stats.tiers.stencils > 2;
        assert!(stats.iter().any(none));
        assert!(stats.iter().filter(some).count() > 3);
    }
}

#[test]
fn no_hint_can_be_compared_with_a_run() {
    check(
        MANY,
        300,
        "threshold=5,compiler=threaded,check_hints=1",
        |stats| {
            assert_eq!(stats.tiers.threaded.entries, 0);
        },
    );
}
