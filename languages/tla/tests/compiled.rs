//! What is compiled: in: programs that are hot. Out: the operations of the loops' bodies, and how many loops and bridges there are.
//! Invariant under test: a loop of integers works in registers, inlined calls included; what is given up is counted.

mod common;

use common::{DEPTH, guest, image};
use expect_test::expect;
use verdigris_testing::{Run, compiled};

fn run(name: &str, n: i64) -> Run {
    compiled(guest(&image(name), &[n], DEPTH), "")
}

#[test]
fn loop_bodies_work_in_registers() {
    let programs = [("loop", 20_000), ("callabit", 300), ("loopabit", 300)];
    let summaries = programs.map(|(name, n)| format!("{name}: {}", run(name, n).summary()));
    expect![[r#"
        loop: loops 1, bridges 0, aborts 0
        int_lt guard_false int_add jump L1
        callabit: loops 1, bridges 1, aborts 0
        int_add int_lt guard_false jump L1
        loopabit: loops 1, bridges 1, aborts 0
        int_add int_lt guard_false jump L1
    "#]]
    .assert_eq(&summaries.concat());
}

/// What does nothing but recurse has no loop. `fib` is traced until the trace is too long, once.
#[test]
fn programs_compile_to_as_little_as_before() {
    let programs = [
        ("callabit_interp", 300),
        ("callabit_tracing", 300),
        ("changing_types", 20_000),
        ("collatz", 2_000),
        ("even_odd", 500),
        ("fib", 22),
        ("strings", 3_000),
    ];
    let digests = programs.map(|(name, n)| format!("{name}: {}", run(name, n).digest()));
    expect![[r#"
        callabit_interp: loops 0, other traces 0, bridges 0, aborts 0: operations 0, guards 0, calls 0, new 0, reads 0, writes 0
        callabit_tracing: loops 1, other traces 0, bridges 1, aborts 0: operations 4, guards 1, calls 0, new 0, reads 0, writes 0
        changing_types: loops 3, other traces 0, bridges 6, aborts 0: operations 60, guards 17, calls 3, new 3, reads 0, writes 15
        collatz: loops 2, other traces 0, bridges 4, aborts 0: operations 52, guards 12, calls 1, new 5, reads 5, writes 13
        even_odd: loops 0, other traces 0, bridges 0, aborts 0: operations 0, guards 0, calls 0, new 0, reads 0, writes 0
        fib: loops 0, other traces 1, bridges 6, aborts 1: operations 0, guards 0, calls 0, new 0, reads 0, writes 0
        strings: loops 1, other traces 0, bridges 1, aborts 0: operations 27, guards 6, calls 2, new 3, reads 0, writes 8
    "#]].assert_eq(&digests.concat());
}
