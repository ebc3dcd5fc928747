//! What hints make of a loop. In: functions of the area `hints`. Out: the operations of the loops
//! around them. Invariant under test: a hint does what its documentation says, not merely no harm.

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
    // ANCHOR: look_inside
    check(
        "looked_into_with_a_constant",
        expect![[r#"
        loops 1, bridges 0, aborts 0
        int_le guard_false int_lt guard_true getitem_i int_lt guard_true getitem_i int_eq guard_false int_shl uint_shr int_or int_eq guard_false int_shl uint_shr int_or int_xor int_eq guard_false int_shl uint_shr int_or int_xor int_eq guard_false int_shl uint_shr int_or int_add setitem_i int_add jump L1
    "#]],
    );
    // ANCHOR_END: look_inside
    check(
        "looked_into_with_a_promoted_argument",
        expect![[r#"
        loops 1, bridges 0, aborts 0
        int_le guard_false int_lt guard_true getitem_i int_lt guard_true getitem_i int_and guard_value int_eq guard_false int_shl uint_shr int_or int_eq guard_false int_shl uint_shr int_or int_xor setitem_i int_add jump L1
    "#]],
    );
    check(
        "looked_into_for_a_virtual",
        expect![[r#"
        loops 1, bridges 0, aborts 0
        int_le guard_false int_lt guard_true getitem_i int_lt guard_true getitem_i setfield_i call guard_no_panic int_add int_xor call guard_no_panic int_mul int_xor getfield_i int_xor setitem_i int_add jump L1
    "#]],
    );
}

#[test]
fn and_called_if_not() {
    // ANCHOR: called
    check(
        "called_without_one",
        expect![[r#"
        loops 1, bridges 0, aborts 0
        int_le guard_false int_lt guard_true getitem_i int_lt guard_true getitem_i int_and setfield_i call guard_no_panic setitem_i int_add jump L1
    "#]],
    );
    // ANCHOR_END: called
}

#[test]
fn calls_with_promoted_arguments_fold() {
    // ANCHOR: elidable_promote
    check(
        "look_ups_of_promoted_keys",
        expect![[r#"
        loops 1, bridges 0, aborts 0
        int_le guard_false int_lt guard_true getitem_i int_lt guard_true getitem_i int_and guard_value int_add setitem_i int_add jump L1
    "#]],
    );
    // ANCHOR_END: elidable_promote
    check(
        "look_ups_of_values",
        expect![[r#"
        loops 1, bridges 0, aborts 0
        int_le guard_false int_lt guard_true getitem_i int_lt guard_true getitem_i int_and guard_value int_mul setitem_i int_add jump L1
    "#]],
    );
    check(
        "found_values_are_stored",
        expect![[r#"
        loops 1, bridges 0, aborts 0
        int_le guard_false int_lt guard_true getitem_i int_lt guard_true getitem_i setfield_i call guard_no_panic int_and guard_value setfield_i word_from_ref setfield_w call guard_no_panic getfield_i getfield_w guard_value ref_from_word getfield_i getfield_i int_xor setitem_i int_add jump L1
    "#]],
    );
    check(
        "look_ups_of_found_values",
        expect![[r#"
        loops 1, bridges 0, aborts 0
        int_le guard_false int_lt guard_true getitem_i int_lt guard_true getitem_i int_and guard_value int_xor setitem_i int_add jump L1
    "#]],
    );
    check(
        "some_arguments_are_promoted",
        expect![[r#"
        loops 1, bridges 0, aborts 0
        int_le guard_false int_lt guard_true getitem_i int_lt guard_true getitem_i int_and guard_value call guard_no_panic setitem_i int_add jump L1
    "#]],
    );
}

/// Objects differ from one iteration to the next; their text is compared once, and what is asked of
/// it folds.
#[test]
fn text_is_promoted_by_what_is_in_it() {
    check(
        "bytes_are_promoted",
        expect![[r#"
        loops 1, bridges 0, aborts 0
        int_le guard_false int_lt guard_true getitem_i int_lt guard_true getitem_i setfield_i call guard_no_panic getfield_i guard_value call guard_no_panic guard_true int_xor setitem_i int_add jump L1
    "#]],
    );
    check(
        "text_is_promoted",
        expect![[r#"
        loops 1, bridges 0, aborts 0
        int_le guard_false int_lt guard_true getitem_i int_lt guard_true getitem_i setfield_i call guard_no_panic getfield_i guard_value call guard_no_panic guard_true call guard_no_panic call guard_no_panic int_mul int_xor setitem_i int_add jump L1
    "#]],
    );
}

#[test]
fn invariant_calls_are_made_before_the_loop() {
    // ANCHOR: loop_invariant
    check(
        "invariant_calls",
        expect![[r#"
        loops 1, bridges 0, aborts 0
        int_le guard_false int_lt guard_true getitem_i int_lt guard_true getitem_i setfield_i call guard_no_panic int_mul int_xor int_xor setitem_i int_add setfield_i jump L1
    "#]],
    );
    // ANCHOR_END: loop_invariant
}

#[test]
fn a_call_on_a_condition_stays_in_the_trace() {
    check(
        "called_on_a_condition",
        expect![[r#"
        loops 1, bridges 0, aborts 0
        int_le guard_false int_lt guard_true getitem_i int_lt guard_true getitem_i setfield_i call guard_no_panic int_lt int_and call guard_no_panic int_and int_eq call guard_no_panic getfield_i setitem_i int_add jump L1
    "#]],
    );
    // ANCHOR: never_called
    check(
        "never_called",
        expect![[r#"
        loops 1, bridges 0, aborts 0
        int_le guard_false int_lt guard_true getitem_i int_lt guard_true getitem_i int_xor setitem_i int_add jump L1
    "#]],
    );
    // ANCHOR_END: never_called
}
