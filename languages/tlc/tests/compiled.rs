//! What is compiled: in: programs whose loops are hot. Out: the traces that the VM kept, and its
//! statistics. Invariant under test: the loops of the papers' programs hold no allocation, no
//! access to the heap and no call, and control stays in them.

mod common;

use common::{guest, image};
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

#[test]
fn programs_compile_to_as_little_as_before() {
    let programs = [
        ("abs_loop", 6_000),
        ("calls", 20_000),
        ("changing_types", 20_000),
        ("collatz", 1_000),
        ("computed_branch", 20_000),
        ("linked_queue", 20_000),
        ("lists", 20_000),
        ("mandelbrot", 40),
        ("nested_loops", 300),
        ("objects", 20_000),
        ("primes", 3_000),
        ("recursive_fibonacci", 20),
        ("sort_in_place", 150),
        ("wrap", 20_000),
    ];
    let digests = programs.map(|(name, n)| format!("{name}: {}", run(name, n, "").digest()));
    expect![[r#"
        abs_loop: loops 2, other traces 0, bridges 1, aborts 0: operations 19, guards 4, calls 0, new 0, reads 0, writes 0
        calls: loops 1, other traces 0, bridges 0, aborts 0: operations 5, guards 1, calls 0, new 0, reads 0, writes 0
        changing_types: loops 1, other traces 0, bridges 5, aborts 0: operations 39, guards 8, calls 0, new 2, reads 7, writes 9
        collatz: loops 1, other traces 0, bridges 3, aborts 0: operations 7, guards 2, calls 0, new 0, reads 0, writes 0
        computed_branch: loops 1, other traces 0, bridges 3, aborts 0: operations 13, guards 3, calls 0, new 0, reads 0, writes 0
        linked_queue: loops 1, other traces 0, bridges 1, aborts 0: operations 22, guards 4, calls 0, new 3, reads 0, writes 6
        lists: loops 3, other traces 0, bridges 0, aborts 0: operations 29, guards 8, calls 1, new 3, reads 5, writes 5
        mandelbrot: loops 1, other traces 0, bridges 13, aborts 0: operations 35, guards 8, calls 0, new 0, reads 0, writes 0
        nested_loops: loops 3, other traces 0, bridges 4, aborts 0: operations 25, guards 6, calls 0, new 0, reads 0, writes 0
        objects: loops 1, other traces 0, bridges 3, aborts 0: operations 26, guards 7, calls 0, new 1, reads 9, writes 3
        primes: loops 2, other traces 0, bridges 4, aborts 0: operations 40, guards 12, calls 0, new 0, reads 5, writes 0
        recursive_fibonacci: loops 0, other traces 0, bridges 0, aborts 0: operations 0, guards 0, calls 0, new 0, reads 0, writes 0
        sort_in_place: loops 1, other traces 0, bridges 1, aborts 0: operations 22, guards 8, calls 1, new 0, reads 6, writes 2
        wrap: loops 1, other traces 0, bridges 5, aborts 0: operations 23, guards 4, calls 0, new 0, reads 0, writes 0
    "#]].assert_eq(&digests.concat());
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
