//! The compiled code. In: programs that are hot, in each object model. Out: how many loops and
//! bridges there are, and what the loops' bodies do. Invariant under test: with versions, a loop
//! that calls methods has no look-up left, and nothing is given up.

use crate::common::{guest, image};
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

/// Programs with their argument, and for each stage the most operations, calls, allocations, and
/// reads and writes of memory that the bodies of a program's loops may have together.
const MOST: &str = "\
bank 6000: 221 32 4 15, 136 11 2 15, 66 0 2 10
boxed_numbers 20000: 175 35 3 10, 57 9 0 0, 8 0 0 0
changing_types 20000: 23 2 0 0, 25 0 0 0, 25 0 0 0
class_methods 20000: 56 7 1 3, 32 2 0 1, 19 0 0 0
collatz 1000: 18 0 0 0, 18 0 0 0, 18 0 0 0
counter 20000: 43 7 1 3, 18 2 0 1, 7 0 0 0
different_maps 20000: 57 10 0 3, 27 1 0 3, 27 1 0 3
expression 20000: 37 5 0 3, 21 2 0 2, 7 0 0 0
linked_list 300: 18 2 0 3, 17 0 0 5, 17 0 0 5
method_replaced 20000: 28 2 0 0, 23 1 0 0, 18 0 0 0
nested_loops 300: 61 9 2 9, 54 1 2 18, 48 0 2 18
queue 20000: 130 22 4 11, 64 3 2 16, 47 0 2 16
shapes 20000: 66 11 1 7, 41 2 1 11, 30 0 1 10
sieve 3000: 91 9 0 8, 46 1 0 5, 40 0 0 5
";

#[test]
fn loops_hold_little() {
    for row in MOST.lines() {
        let (program, bounds) = row.split_once(": ").expect("a row");
        let (name, n) = program.split_once(' ').expect("a program with an argument");
        let n = n.parse().expect("a number");
        for (stage, bounds) in Stage::ALL.into_iter().zip(bounds.split(", ")) {
            let bounds = bounds
                .split(' ')
                .map(|bound| bound.parse().expect("a number"));
            let most: Vec<usize> = bounds.collect();
            let most = most.try_into().expect("four numbers");
            let program = format!("{name}, {}", stage.name());
            run(name, n, stage).holds_at_most(&program, most);
        }
    }
}
