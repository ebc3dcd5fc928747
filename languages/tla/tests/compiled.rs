//! The compiled code. In: programs that are hot. Out: the operations of the loops' bodies, and how
//! many loops and bridges there are. Invariant under test: a loop of integers works in registers,
//! inlined calls included; what is given up is counted.

use crate::common::{DEPTH, guest, image, with_baseline_calls};
use expect_test::expect;
use verdigris_testing::{Run, compiled, listing};

fn run(name: &str, n: i64) -> Run {
    compiled(guest(&image(name), &[n], DEPTH), "")
}

#[test]
fn loop_bodies_work_in_registers() {
    let programs = [
        ("loop", 20_000),
        ("callabit_tracing", 300),
        ("loopabit", 300),
    ];
    let summaries = programs.map(|(name, n)| format!("{name}: {}", run(name, n).summary()));
    expect![[r#"
        loop: loops 1, bridges 0, aborts 0
        int_lt guard_false int_add jump L1
        callabit_tracing: loops 1, bridges 1, aborts 0
        int_add int_lt guard_false jump L1
        loopabit: loops 1, bridges 1, aborts 0
        int_add int_lt guard_false jump L1
    "#]]
    .assert_eq(&summaries.concat());
}

/// Of each program, the most operations, calls, allocations, and reads and writes of memory that
/// the bodies of its loops may have together. What does nothing but recurse has no loop.
#[test]
fn loops_hold_little() {
    let programs = [
        ("callabit_interp", 300, [0, 0, 0, 0]),
        ("callabit_tracing", 300, [6, 0, 0, 0]),
        ("changing_types", 20_000, [43, 3, 0, 0]),
        ("collatz", 2_000, [58, 1, 5, 18]),
        ("even_odd", 500, [0, 0, 0, 0]),
        ("fib", 22, [0, 0, 0, 0]),
        ("strings", 3_000, [17, 2, 0, 0]),
    ];
    for (name, n, most) in programs {
        run(name, n).holds_at_most(name, most);
    }
}

/// By the second compiler a function that recurses is compiled from its start, if its calls say
/// that it is the one. A call is looked into up to the callee's first merge point; what is left is
/// a call of the runner, which is the interpreter from there on, with the callee's place as
/// constants. So compiled code calls compiled code, and no exit is taken in a run of 57,313 calls.
#[test]
fn recursion_is_a_call_of_compiled_code() {
    let jit =
        "compiler=specialising,threshold=1,function_threshold=1,trace_eagerness=1,lazy_arms=none";
    let run = compiled(guest(&with_baseline_calls("fib"), &[22], DEPTH), jit);
    assert_eq!(run.outcome.to_string(), "17711");
    let texts: Vec<String> = run
        .traces
        .iter()
        .flat_map(|t| &t.sections)
        .map(listing)
        .collect();
    let calls: Vec<&str> = texts
        .iter()
        .flat_map(|text| text.lines())
        .filter(|line| line.ends_with("__vd_from_run"))
        .collect();
    let stats = &run.stats;
    expect![[r#"
        pieces 2, entered from outside 2, exits taken 0
        i8, p9 = call(2, ref(1), 2, p6, i5) interp::__vd_from_run
        i9, p10 = call(2, ref(1), 2, p7, i6) interp::__vd_from_run
        i8, p9 = call(2, ref(1), 2, p6, i5) interp::__vd_from_run
        i9, p10 = call(2, ref(1), 2, p7, i6) interp::__vd_from_run
    "#]]
    .assert_eq(&format!(
        "pieces {}, entered from outside {}, exits taken {}\n{}\n",
        stats.traces + stats.bridges,
        stats.entries,
        stats.guard_failures.total,
        calls.join("\n")
    ));
}
