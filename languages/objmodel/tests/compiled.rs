//! What is compiled: in: programs that are hot, in each object model. Out: how many loops and
//! bridges there are, and what the loops' bodies do. Invariant under test: with versions, a loop
//! that calls methods has no look-up left, and nothing is given up.

mod common;

use common::{guest, image};
use expect_test::expect;
use objmodel::machine::{MAX_DEPTH, Stage};
use verdigris_testing::{Run, compiled};

/// Runs a program of the folder `programs`.
fn run(name: &str, n: i64, stage: Stage) -> Run {
    let image = image(name);
    compiled(guest(&image, &[n], stage, MAX_DEPTH), "")
}

#[test]
fn a_method_that_counts_is_arithmetic() {
    let summary = |stage| run("counter", 20_000, stage).summary();
    expect![[r#"
        loops 1, bridges 0, aborts 0
        int_lt guard_true call guard_no_panic ptr_ne guard_true guard_value call guard_no_panic ptr_ne guard_true guard_class getfield_i int_add int_add jump L1
    "#]].assert_eq(&summary(Stage::Maps));
    expect![[r#"
        loops 1, bridges 0, aborts 0
        int_lt guard_true int_add int_add jump L1
    "#]]
    .assert_eq(&summary(Stage::Versions));
}

#[test]
fn programs_compile_to_as_little_as_before() {
    let programs = [
        ("bank", 6_000),
        ("boxed_numbers", 20_000),
        ("changing_types", 20_000),
        ("class_methods", 20_000),
        ("collatz", 1_000),
        ("counter", 20_000),
        ("different_maps", 20_000),
        ("expression", 20_000),
        ("linked_list", 300),
        ("method_replaced", 20_000),
        ("nested_loops", 300),
        ("queue", 20_000),
        ("shapes", 20_000),
        ("sieve", 3_000),
    ];
    let digest = |stage: Stage| {
        let line = |(name, n)| {
            let digest = run(name, n, stage).digest();
            format!("{} {name}: {digest}", stage.name())
        };
        programs.map(line).concat()
    };
    expect![[r#"
        dict bank: loops 1, other traces 0, bridges 19, aborts 0: operations 197, guards 91, calls 32, new 4, reads 11, writes 4
        dict boxed_numbers: loops 1, other traces 0, bridges 0, aborts 0: operations 156, guards 78, calls 35, new 3, reads 7, writes 3
        dict changing_types: loops 1, other traces 0, bridges 5, aborts 0: operations 21, guards 9, calls 2, new 0, reads 0, writes 0
        dict class_methods: loops 1, other traces 0, bridges 1, aborts 0: operations 50, guards 22, calls 7, new 1, reads 2, writes 1
        dict collatz: loops 2, other traces 0, bridges 5, aborts 0: operations 16, guards 4, calls 0, new 0, reads 0, writes 0
        dict counter: loops 1, other traces 0, bridges 0, aborts 0: operations 39, guards 18, calls 7, new 1, reads 2, writes 1
        dict different_maps: loops 1, other traces 0, bridges 5, aborts 0: operations 51, guards 22, calls 10, new 0, reads 3, writes 0
        dict expression: loops 1, other traces 0, bridges 0, aborts 0: operations 33, guards 14, calls 5, new 0, reads 3, writes 0
        dict linked_list: loops 1, other traces 0, bridges 1, aborts 0: operations 16, guards 7, calls 2, new 0, reads 3, writes 0
        dict method_replaced: loops 1, other traces 0, bridges 7, aborts 0: operations 25, guards 11, calls 2, new 0, reads 0, writes 0
        dict nested_loops: loops 2, other traces 0, bridges 4, aborts 0: operations 55, guards 22, calls 9, new 2, reads 6, writes 3
        dict queue: loops 1, other traces 0, bridges 1, aborts 0: operations 116, guards 52, calls 22, new 4, reads 6, writes 5
        dict shapes: loops 1, other traces 0, bridges 3, aborts 0: operations 59, guards 27, calls 11, new 1, reads 6, writes 1
        dict sieve: loops 2, other traces 0, bridges 4, aborts 0: operations 81, guards 36, calls 9, new 0, reads 8, writes 0
    "#]].assert_eq(&digest(Stage::Dict));
    expect![[r#"
        maps bank: loops 1, other traces 0, bridges 12, aborts 0: operations 121, guards 53, calls 11, new 2, reads 11, writes 4
        maps boxed_numbers: loops 1, other traces 0, bridges 0, aborts 0: operations 51, guards 28, calls 9, new 0, reads 0, writes 0
        maps changing_types: loops 2, other traces 0, bridges 11, aborts 0: operations 23, guards 7, calls 0, new 0, reads 0, writes 0
        maps class_methods: loops 1, other traces 0, bridges 1, aborts 0: operations 29, guards 12, calls 2, new 0, reads 1, writes 0
        maps collatz: loops 2, other traces 0, bridges 5, aborts 0: operations 16, guards 4, calls 0, new 0, reads 0, writes 0
        maps counter: loops 1, other traces 0, bridges 0, aborts 0: operations 16, guards 7, calls 2, new 0, reads 1, writes 0
        maps different_maps: loops 1, other traces 0, bridges 3, aborts 0: operations 24, guards 8, calls 1, new 0, reads 1, writes 2
        maps expression: loops 1, other traces 0, bridges 0, aborts 0: operations 19, guards 7, calls 2, new 0, reads 2, writes 0
        maps linked_list: loops 1, other traces 0, bridges 1, aborts 0: operations 15, guards 6, calls 0, new 0, reads 5, writes 0
        maps method_replaced: loops 1, other traces 0, bridges 6, aborts 0: operations 21, guards 9, calls 1, new 0, reads 0, writes 0
        maps nested_loops: loops 2, other traces 0, bridges 4, aborts 0: operations 48, guards 15, calls 1, new 2, reads 10, writes 8
        maps queue: loops 1, other traces 0, bridges 1, aborts 0: operations 57, guards 20, calls 3, new 2, reads 5, writes 11
        maps shapes: loops 1, other traces 0, bridges 3, aborts 0: operations 37, guards 14, calls 2, new 1, reads 8, writes 3
        maps sieve: loops 2, other traces 0, bridges 4, aborts 0: operations 41, guards 16, calls 1, new 0, reads 5, writes 0
    "#]].assert_eq(&digest(Stage::Maps));
    expect![[r#"
        versions bank: loops 1, other traces 0, bridges 13, aborts 0: operations 59, guards 20, calls 0, new 2, reads 6, writes 4
        versions boxed_numbers: loops 1, other traces 0, bridges 0, aborts 0: operations 6, guards 1, calls 0, new 0, reads 0, writes 0
        versions changing_types: loops 2, other traces 0, bridges 11, aborts 0: operations 23, guards 7, calls 0, new 0, reads 0, writes 0
        versions class_methods: loops 1, other traces 0, bridges 1, aborts 0: operations 17, guards 6, calls 0, new 0, reads 0, writes 0
        versions collatz: loops 2, other traces 0, bridges 5, aborts 0: operations 16, guards 4, calls 0, new 0, reads 0, writes 0
        versions counter: loops 1, other traces 0, bridges 0, aborts 0: operations 5, guards 1, calls 0, new 0, reads 0, writes 0
        versions different_maps: loops 1, other traces 0, bridges 3, aborts 0: operations 24, guards 8, calls 1, new 0, reads 1, writes 2
        versions expression: loops 1, other traces 0, bridges 0, aborts 0: operations 5, guards 1, calls 0, new 0, reads 0, writes 0
        versions linked_list: loops 1, other traces 0, bridges 1, aborts 0: operations 15, guards 6, calls 0, new 0, reads 5, writes 0
        versions method_replaced: loops 1, other traces 0, bridges 7, aborts 0: operations 16, guards 6, calls 0, new 0, reads 0, writes 0
        versions nested_loops: loops 2, other traces 0, bridges 4, aborts 0: operations 43, guards 12, calls 0, new 2, reads 10, writes 8
        versions queue: loops 1, other traces 0, bridges 1, aborts 0: operations 42, guards 11, calls 0, new 2, reads 5, writes 11
        versions shapes: loops 1, other traces 0, bridges 3, aborts 0: operations 27, guards 9, calls 0, new 1, reads 7, writes 3
        versions sieve: loops 2, other traces 0, bridges 4, aborts 0: operations 36, guards 13, calls 0, new 0, reads 5, writes 0
    "#]].assert_eq(&digest(Stage::Versions));
}
