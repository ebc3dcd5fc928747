//! What is compiled: in: programs that are hot, in each object model. Out: how many loops and bridges there are, and what the
//! loops' bodies do. Invariant under test: with versions, a loop that calls methods has no look-up left, and nothing is given up.

mod common;

use common::guest;
use expect_test::expect;
use objmodel::machine::{MAX_DEPTH, Stage, load};
use std::path::Path;
use verdigris_testing::{Run, compiled};

/// Runs a program of the folder `programs`.
fn run(name: &str, n: i64, stage: Stage) -> Run {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("programs/{name}.om"));
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
    let image = load(&bytes, name).unwrap_or_else(|error| panic!("{error}"));
    compiled(guest(&image, &[n], stage, MAX_DEPTH), "")
}

#[test]
fn a_method_that_counts_is_arithmetic() {
    let summary = |stage| run("counter", 20_000, stage).summary();
    expect![[r#"
        loops 1, bridges 0, aborts 0
        int_lt guard_true new setfield_i setitem_r setitem_r setitem_r call guard_no_panic ptr_ne guard_true guard_value setitem_r call guard_no_panic ptr_ne guard_true guard_class getfield_i int_add int_add jump L1
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
        dict bank: loops 1, other traces 0, bridges 14, aborts 0: operations 246, guards 98, calls 32, new 6, reads 33, writes 19
        dict boxed_numbers: loops 1, other traces 0, bridges 0, aborts 0: operations 220, guards 82, calls 35, new 8, reads 26, writes 39
        dict changing_types: loops 6, other traces 0, bridges 9, aborts 0: operations 308, guards 90, calls 12, new 18, reads 55, writes 60
        dict class_methods: loops 1, other traces 0, bridges 1, aborts 0: operations 81, guards 25, calls 7, new 3, reads 12, writes 17
        dict collatz: loops 3, other traces 0, bridges 4, aborts 0: operations 24, guards 6, calls 0, new 0, reads 0, writes 0
        dict counter: loops 1, other traces 0, bridges 0, aborts 0: operations 55, guards 20, calls 7, new 2, reads 10, writes 6
        dict different_maps: loops 1, other traces 0, bridges 5, aborts 0: operations 84, guards 25, calls 10, new 5, reads 9, writes 19
        dict expression: loops 1, other traces 0, bridges 0, aborts 0: operations 48, guards 14, calls 5, new 3, reads 3, writes 12
        dict linked_list: loops 1, other traces 0, bridges 1, aborts 0: operations 20, guards 7, calls 2, new 0, reads 3, writes 4
        dict method_replaced: loops 6, other traces 0, bridges 7, aborts 0: operations 227, guards 67, calls 12, new 18, reads 1, writes 56
        dict nested_loops: loops 2, other traces 0, bridges 4, aborts 0: operations 89, guards 24, calls 9, new 4, reads 13, writes 25
        dict queue: loops 1, other traces 0, bridges 0, aborts 0: operations 146, guards 56, calls 22, new 5, reads 20, writes 16
        dict shapes: loops 1, other traces 0, bridges 3, aborts 0: operations 88, guards 31, calls 11, new 2, reads 14, writes 13
        dict sieve: loops 5, other traces 1, bridges 5, aborts 0: operations 240, guards 93, calls 24, new 4, reads 17, writes 32
    "#]].assert_eq(&digest(Stage::Dict));
    expect![[r#"
        maps bank: loops 6, other traces 0, bridges 9, aborts 0: operations 804, guards 301, calls 68, new 24, reads 56, writes 120
        maps boxed_numbers: loops 1, other traces 0, bridges 0, aborts 0: operations 124, guards 28, calls 9, new 8, reads 0, writes 65
        maps changing_types: loops 6, other traces 0, bridges 12, aborts 0: operations 85, guards 30, calls 0, new 0, reads 0, writes 0
        maps class_methods: loops 1, other traces 0, bridges 1, aborts 0: operations 76, guards 18, calls 2, new 3, reads 10, writes 24
        maps collatz: loops 3, other traces 0, bridges 4, aborts 0: operations 24, guards 6, calls 0, new 0, reads 0, writes 0
        maps counter: loops 1, other traces 0, bridges 0, aborts 0: operations 22, guards 7, calls 2, new 1, reads 1, writes 5
        maps different_maps: loops 6, other traces 0, bridges 7, aborts 0: operations 245, guards 52, calls 5, new 17, reads 23, writes 83
        maps expression: loops 1, other traces 0, bridges 0, aborts 0: operations 32, guards 7, calls 2, new 3, reads 2, writes 10
        maps linked_list: loops 1, other traces 0, bridges 1, aborts 0: operations 15, guards 6, calls 0, new 0, reads 5, writes 0
        maps method_replaced: loops 6, other traces 0, bridges 6, aborts 0: operations 182, guards 51, calls 5, new 15, reads 0, writes 45
        maps nested_loops: loops 7, other traces 1, bridges 9, aborts 0: operations 193, guards 64, calls 1, new 3, reads 60, writes 18
        maps queue: loops 1, other traces 0, bridges 0, aborts 0: operations 67, guards 19, calls 3, new 3, reads 5, writes 21
        maps shapes: loops 5, other traces 0, bridges 6, aborts 0: operations 169, guards 50, calls 10, new 10, reads 16, writes 47
        maps sieve: loops 5, other traces 1, bridges 5, aborts 0: operations 103, guards 34, calls 4, new 4, reads 5, writes 16
    "#]].assert_eq(&digest(Stage::Maps));
    expect![[r#"
        versions bank: loops 6, other traces 0, bridges 6, aborts 0: operations 311, guards 97, calls 0, new 12, reads 26, writes 24
        versions boxed_numbers: loops 1, other traces 0, bridges 0, aborts 0: operations 6, guards 1, calls 0, new 0, reads 0, writes 0
        versions changing_types: loops 6, other traces 0, bridges 12, aborts 0: operations 85, guards 30, calls 0, new 0, reads 0, writes 0
        versions class_methods: loops 6, other traces 0, bridges 5, aborts 0: operations 102, guards 36, calls 0, new 0, reads 0, writes 0
        versions collatz: loops 3, other traces 0, bridges 4, aborts 0: operations 24, guards 6, calls 0, new 0, reads 0, writes 0
        versions counter: loops 1, other traces 0, bridges 0, aborts 0: operations 5, guards 1, calls 0, new 0, reads 0, writes 0
        versions different_maps: loops 6, other traces 0, bridges 9, aborts 0: operations 191, guards 46, calls 3, new 9, reads 21, writes 51
        versions expression: loops 1, other traces 0, bridges 0, aborts 0: operations 5, guards 1, calls 0, new 0, reads 0, writes 0
        versions linked_list: loops 1, other traces 0, bridges 1, aborts 0: operations 15, guards 6, calls 0, new 0, reads 5, writes 0
        versions method_replaced: loops 6, other traces 0, bridges 8, aborts 0: operations 96, guards 36, calls 0, new 0, reads 0, writes 0
        versions nested_loops: loops 7, other traces 1, bridges 9, aborts 0: operations 177, guards 61, calls 0, new 2, reads 60, writes 8
        versions queue: loops 1, other traces 0, bridges 0, aborts 0: operations 41, guards 10, calls 0, new 2, reads 5, writes 11
        versions shapes: loops 5, other traces 0, bridges 6, aborts 0: operations 70, guards 22, calls 0, new 2, reads 14, writes 6
        versions sieve: loops 5, other traces 0, bridges 5, aborts 0: operations 63, guards 22, calls 0, new 0, reads 5, writes 0
    "#]].assert_eq(&digest(Stage::Versions));
}
