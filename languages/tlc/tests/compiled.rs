//! The compiled code. In: programs whose loops are hot. Out: the traces that the VM kept, and its
//! statistics. Invariant under test: the loops of the papers' programs hold no allocation, no
//! access to the heap and no call, and control stays in them.

use crate::common::{guest, image};
use expect_test::expect;
use tlc::machine::MAX_DEPTH;
use verdigris_testing::{Run, compiled};

/// Runs a program of the folder `programs`.
fn run(name: &str, n: i64, jit: &str) -> Run {
    let image = image(name);
    compiled(guest(&image, &[n], MAX_DEPTH), jit)
}

#[test]
fn loop_bodies_work_in_registers() {
    let loops = ["factorial", "fibonacci", "accumulator"].map(|name| {
        let run = run(name, 100_000, "");
        assert_eq!(run.traces.len(), 1, "{name}");
        assert_eq!(run.traces[0].sections.len(), 2, "{name} is peeled");
        format!("{name}: {}", run.summary())
    });
    // Two pieces of arithmetic, a comparison, the guard on it, the jump.
    expect![[r#"
        factorial: loops 1, bridges 0, aborts 0
        int_le guard_false int_mul int_add jump L1
        fibonacci: loops 1, bridges 0, aborts 0
        int_le guard_false int_add int_add jump L1
        accumulator: loops 1, bridges 0, aborts 0
        int_le guard_false int_add int_add jump L1
    "#]]
    .assert_eq(&loops.concat());
}

/// Of each program, the most operations, calls, allocations, and reads and writes of memory that
/// the bodies of its loops may have together.
#[test]
fn loops_hold_little() {
    let programs = [
        ("abs_loop", 6_000, [21, 0, 0, 0]),
        ("calls", 20_000, [7, 0, 0, 0]),
        ("changing_types", 20_000, [43, 0, 2, 16]),
        ("collatz", 1_000, [9, 0, 0, 0]),
        ("computed_branch", 20_000, [15, 0, 0, 0]),
        ("linked_queue", 20_000, [24, 0, 3, 6]),
        ("lists", 20_000, [32, 1, 3, 10]),
        ("mandelbrot", 40, [39, 0, 0, 0]),
        ("nested_loops", 300, [28, 0, 0, 0]),
        ("objects", 20_000, [29, 0, 1, 12]),
        ("primes", 3_000, [45, 0, 0, 5]),
        ("recursive_fibonacci", 20, [0, 0, 0, 0]),
        ("sort_in_place", 150, [24, 1, 0, 8]),
        ("wrap", 20_000, [25, 0, 0, 0]),
    ];
    for (name, n, most) in programs {
        run(name, n, "").holds_at_most(name, most);
    }
}

#[test]
fn a_loop_whose_values_change_their_class_gets_another_version() {
    let Run {
        outcome,
        traces,
        stats,
    } = run("phases", 20_000, "");
    assert_eq!(outcome.to_string(), "19996\n");
    assert_eq!((stats.loops, stats.bridges), (2, 1), "{stats:?}");
    for trace in traces.iter().filter(|t| t.sections.len() == 2) {
        let body = &trace.sections[1];
        assert_eq!(body.count_all("new"), 0, "{}\n{}", trace.title, body.text);
    }
    let Run { outcome, stats, .. } = run("phases", 20_000, "retrace_limit=0");
    assert_eq!(outcome.to_string(), "19996\n");
    assert_eq!((stats.loops, stats.bridges), (1, 1), "{stats:?}");
}

#[test]
fn loops_are_compiled_and_run() {
    for name in [
        "factorial",
        "fibonacci",
        "accumulator",
        "nested_loops",
        "lists",
        "objects",
    ] {
        let Run { stats, .. } = run(name, 100, "threshold=7");
        assert!(stats.loops >= 1, "{name}: no loop was compiled: {stats:?}");
        assert!(
            stats.entries >= 1,
            "{name}: no compiled code was entered: {stats:?}"
        );
    }
}

#[test]
fn the_accumulator_stays_in_compiled_code() {
    let Run { outcome, stats, .. } = run("accumulator", 1_000_000, "");
    assert_eq!(outcome.to_string(), "499999500000\n");
    assert!(stats.loops >= 1, "{stats:?}");
    assert!(stats.guard_failures.interpreter <= 20, "{stats:?}");
}
