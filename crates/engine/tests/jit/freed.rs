//! Freeing code that is unused or over the budget: it goes with its constants, code that runs
//! stays, and programs mean what they mean without a JIT.

use crate::guest::Op::*;
use crate::guest::{BACKENDS, Op, load, program, run, vm};
use expect_test::expect;
use verdigris_engine::{Options, Stats, Vm};

/// A loop with a branch, so that it gets a bridge.
const BRANCHES: &[Op] = &[SkipEven(1), AddA, Box, DecA, LoopA(0), Ret];

/// Runs a new program, hot.
fn another(vm: &Vm) {
    let result = vm.enter(|| run(load(BRANCHES), 0, 100));
    assert_eq!(result, 2600);
}

/// The figures after so many programs.
fn after(programs: usize, params: &str) -> Stats {
    let vm = vm(&format!("threshold=5,trace_eagerness=5,{params}"));
    (0..programs).for_each(|_| another(&vm));
    vm.stats()
}

#[test]
fn loops_that_go_unused_are_freed_with_everything_they_mention() {
    for backend in BACKENDS.iter() {
        let few = after(20, &format!("backend={backend},loop_longevity=10"));
        let many = after(200, &format!("backend={backend},loop_longevity=10"));
        assert_eq!((many.traces, many.bridges), (200, 200));
        assert_eq!(many.freed, many.traces - many.alive.trees);
        assert_eq!(many.alive, few.alive, "{backend}");
        assert!(many.alive.trees <= 7, "two traces each: {:?}", many.alive);
        assert_eq!(many.machine_code_bytes, few.machine_code_bytes);
        let all = after(200, &format!("backend={backend},loop_longevity=0"));
        assert_eq!(
            (all.freed, all.alive.trees, all.alive.bridges),
            (0, 200, 200)
        );
    }
}

#[test]
fn programs_that_could_not_be_compiled_are_forgotten() {
    let stats = after(
        100,
        "compiler=tracing,trace_limit=5,cut_traces=0,max_aborts=1,loop_longevity=10",
    );
    assert_eq!((stats.traces, stats.blocked), (0, 100));
    assert!(stats.alive.cells <= 12, "{:?}", stats.alive);
    assert!(stats.alive.pinned <= 12, "{:?}", stats.alive);
}

#[test]
fn a_loop_whose_code_was_freed_gets_hot_again() {
    for backend in BACKENDS.iter() {
        let vm = vm(&format!("backend={backend},threshold=5,loop_longevity=3"));
        vm.enter(|| {
            let guest = load(BRANCHES);
            for round in 1..5 {
                assert_eq!(run(guest, 0, 100), 2600);
                assert_eq!(vm.stats().traces, round * 10 - 9, "{backend}");
                assert_eq!(run(guest, 0, 3), 7);
                assert_eq!(vm.stats().traces, round * 10 - 9, "it is hot");
                (0..9).for_each(|_| another(&vm));
            }
        });
    }
}

#[test]
fn what_is_entered_now_and_then_stays() {
    let vm = vm("threshold=5,loop_longevity=3");
    vm.enter(|| {
        let guest = load(BRANCHES);
        for _ in 0..30 {
            assert_eq!(run(guest, 0, 100), 2600);
            another(&vm);
        }
    });
    assert_eq!(vm.stats().traces, 31);
}

/// Recursion from compiled code, in which inner loops are compiled while the outer one waits on the
/// native stack.
#[test]
fn code_on_the_native_stack_stays() {
    // main: { b += run(inner, a - 1); a -= 1 } until a is 0; inner: loops, and calls two other
    // loops.
    let ops = &[
        Call(6),
        DecA,
        LoopA(0),
        Ret, // 0: the outer loop
        AddA,
        Box,
        DecA,
        Call(17),
        LoopA(6),
        Ret, // 6
        SetC(9),
        Total,
        DecC,
        LoopC(19),
        Ret, // 17
    ];
    let result = |params: &str| {
        let vm = vm(params);
        let results = [12, 3, 12, 9].map(|a| vm.enter(|| run(load(ops), 0, a)));
        (results, vm.stats())
    };
    let (expected, _) = result("off");
    let mut freed = 0;
    for backend in BACKENDS.iter() {
        for params in [
            "threshold=1,trace_eagerness=1,loop_longevity=1",
            "threshold=2,trace_eagerness=1,loop_longevity=1",
            "threshold=3,trace_eagerness=2,loop_longevity=2,fail_guards=1",
            "threshold=2,trace_eagerness=1,code_budget=1",
            "threshold=2,trace_eagerness=1,code_budget=3k",
            "threshold=2,trace_eagerness=1,loop_longevity=1,stress=1",
            "threshold=2,trace_eagerness=1,loop_longevity=1,enable_opts=none",
            "function_threshold=1,trace_eagerness=1,max_unroll_recursion=0,loop_longevity=1",
            "threshold=2,function_threshold=2,max_unroll_recursion=0,code_budget=2k",
        ] {
            let params = format!("backend={backend},{params}");
            let (results, stats) = result(&params);
            assert_eq!(results, expected, "{params}");
            freed += stats.freed + stats.evicted;
        }
    }
    assert!(freed > 40, "{freed}");
}

#[test]
fn code_stays_within_its_budget() {
    let unlimited = after(100, "");
    let budget = unlimited.machine_code_bytes / 4;
    let stats = after(100, &format!("code_budget={budget}"));
    assert_eq!((stats.traces, stats.bridges), (100, 100));
    assert!(stats.evicted > 50, "{}", stats.evicted);
    assert_eq!(stats.alive.trees + stats.evicted, 100);
    let one = unlimited.machine_code_bytes / 50;
    assert!(stats.machine_code_bytes <= budget + one);
    assert!(
        stats.machine_code_bytes + 2 * one >= budget,
        "all of it is used"
    );
}

/// The loop that is used stays however much other code comes and goes.
#[test]
fn what_was_not_used_for_longest_goes_first() {
    let vm = vm("threshold=5,trace_eagerness=5,code_budget=8k");
    vm.enter(|| {
        let guest = load(BRANCHES);
        for _ in 0..100 {
            assert_eq!(run(guest, 0, 100), 2600);
            another(&vm);
        }
    });
    let stats = vm.stats();
    // One program for each pass, and the one that stays; now and then that one needs a bridge
    // again.
    assert_eq!(stats.traces, 101);
    assert!((101..105).contains(&stats.bridges), "{}", stats.bridges);
    assert!(stats.evicted > 50);
}

#[test]
fn with_no_room_tracing_waits() {
    // An outer loop that is compiled first, then runs and calls a loop that gets hot meanwhile.
    let ops = &[
        Call(6),
        DecA,
        LoopA(0),
        Ret, // 0: the outer loop
        SetC(2),
        Total,
        DecC,
        SkipEven(2),
        LoopC(8),
        Ret, // 6: passes its back edge at every other call
    ];
    let measure = |params: &str| {
        let vm = vm(&format!(
            "threshold=9,trace_eagerness=1000,max_unroll_recursion=0,{params}"
        ));
        assert_eq!(vm.enter(|| run(load(ops), 0, 50)), 0);
        vm
    };
    let room = measure("").stats();
    assert_eq!(room.alive.trees, 3, "with an entry for the function");
    let vm = measure(&format!("code_budget={}", room.machine_code_bytes / 4));
    let waited = vm.stats();
    assert!(waited.alive.trees < 3);
    assert_eq!(waited.evicted, 0, "they run");
    another(&vm);
    let after = vm.stats();
    assert!(after.evicted > 0);
}

#[test]
fn the_log_says_what_is_freed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let jit = "backend=oracle,threshold=5,trace_eagerness=5,loop_longevity=4";
    let options = Options::parse(jit)
        .unwrap()
        .log(format!("free:{}", path.display()));
    let vm = Vm::new(program(), options).unwrap();
    (0..5).for_each(|_| another(&vm));
    expect![[r#"
        # free: unused, 0 bytes
        trace 0: loop at (0, ref), 1 bridges, 5 guards

        # free: unused, 0 bytes
        trace 2: loop at (0, ref), 1 bridges, 5 guards

    "#]]
    .assert_eq(&std::fs::read_to_string(path).unwrap());
}
