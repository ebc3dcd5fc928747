//! What hints make of a loop. In: functions of the area `hints`. Out: the operations of the loops around them. Invariant under
//! test: a hint does what its documentation says, not merely no harm.

use conformance::harness::driven;
use conformance::{AREAS, jit_program};
use expect_test::{Expect, expect};
use verdigris::Vm;
use verdigris_testing::{Run, compiled};

/// The loop around a function; the pairs differ, but the low bits of their numbers do not.
fn check(name: &str, expected: Expect) {
    let area = AREAS.iter().position(|area| area.0 == "hints");
    let area = area.expect("the area is there");
    let case = AREAS[area].1.iter().position(|case| *case == name);
    let case = case.expect("the function is there");
    let inputs: Vec<(i64, i64)> = (1..3000).map(|n| (n * 16 + 1, n * 8 + 2)).collect();
    let guest = |options| {
        let vm = Vm::new(jit_program(), options).expect("a VM");
        Run::on(&vm, || {
            let outcomes = driven(&vm, area, case, &inputs);
            Ok::<usize, String>(outcomes.len())
        })
    };
    expected.assert_eq(&compiled(guest, "").summary());
}

#[test]
fn a_function_is_looked_into_if_its_predicate_holds() {
    check("looked_into_with_a_constant", expect![""]);
    check("looked_into_with_a_promoted_argument", expect![""]);
    check("looked_into_for_a_virtual", expect![""]);
}

#[test]
fn and_called_if_not() {
    check("called_without_one", expect![""]);
}

#[test]
fn calls_with_promoted_arguments_fold() {
    check("look_ups_of_promoted_keys", expect![""]);
    check("some_arguments_are_promoted", expect![""]);
}

#[test]
fn invariant_calls_are_made_before_the_loop() {
    check("invariant_calls", expect![""]);
}
