//! Guards that do the work of later ones, and where they must not.

use crate::common::{check, check_left};
use expect_test::{Expect, expect};
use verdigris_ops::{ClassId, DataOp, FnId};
use verdigris_opt::{Host, Optimiser, Passes};
use verdigris_trace::{Descr, parse, parse_descrs, print, verify};
use verdigris_traces::DESCRS;

/// A host with one object, an `Int`.
struct OneObject(ClassId);

impl Host for OneObject {
    fn load(&mut self, _: DataOp, _: &[u64], _: Descr) -> u64 {
        7
    }

    fn call(&mut self, _: FnId, _: &[u64]) -> Option<Vec<u64>> {
        None
    }

    fn is_object(&mut self, _: u64) -> bool {
        false
    }

    fn class_of(&self, _: u64) -> Option<ClassId> {
        Some(self.0)
    }
}

fn with_object(class: &str, text: &str, expected: Expect) {
    let descrs = parse_descrs(DESCRS).expect("the descriptors parse");
    let trace = parse(&descrs, text).unwrap_or_else(|e| panic!("{e:?}"));
    let mut host = OneObject(descrs.class_by_name(class).expect("declared"));
    let mut optimiser = Optimiser::new(Passes::all());
    let done = optimiser.optimise_loop(&trace, None, &descrs, &mut host);
    let done = done.expect("the trace is consistent");
    verify(&descrs, &done.trace).unwrap_or_else(|e| panic!("{e:?}"));
    expected.assert_eq(&print(&descrs, &done.trace));
}

const CLASS_THEN_VALUE: &str = "
    [p0, i1]
    guard_class(p0) Int @ 0:1 r0=p0 r1=i1
    i2 = int_add(i1, 1)
    guard_value(p0, ref(1)) @ 0:2 r0=p0 r1=i2
    finish(i2)
";

#[test]
fn a_class_becomes_the_value() {
    with_object(
        "Int",
        CLASS_THEN_VALUE,
        expect![[r#"
        [p0, i1]
        label L0(p0, i1)
        guard_value(p0, ref(0))
          -> [p0, i1]
          @ 0:1 r0=p0 r1=i1
        i2 = int_add(i1, 1)
        finish(i2)
    "#]],
    );
}

#[test]
fn a_class_does_not_become_the_value_of_another_class() {
    cov_mark::check!(value_is_of_another_class);
    with_object(
        "Pair",
        CLASS_THEN_VALUE,
        expect![[r#"
        [p0, i1]
        label L0(p0, i1)
        guard_class(p0) Int
          -> [p0, i1]
          @ 0:1 r0=p0 r1=i1
        i2 = int_add(i1, 1)
        guard_value(p0, ref(0))
          -> [p0, i2]
          @ 0:2 r0=p0 r1=i2
        finish(i2)
    "#]],
    );
}

#[test]
fn a_comparison_becomes_a_stricter_one() {
    check(
        Passes::all(),
        "
        [i0, p1]
        i2 = int_lt(i0, 10)
        guard_true(i2) @ 0:1 r0=i0
        setfield_i(p1, i0) Node.value
        i3 = int_ge(i0, 5)
        guard_false(i3) @ 0:2 r0=i0 r1=i0
        finish(i0)
        ",
        expect![[r#"
            [i0, p1]
            label L0(i0, p1)
            i2 = int_le(i0, 4)
            guard_true(i2)
              -> [i0]
              @ 0:1 r0=i0
            setfield_i(p1, i0) Node.value
            finish(i0)
        "#]],
    );
}

#[test]
fn a_comparison_becomes_a_value() {
    check(
        Passes::all(),
        "
        [i0]
        i1 = int_lt(i0, 10)
        guard_true(i1) @ 0:1 r0=i0
        guard_value(i0, 3) @ 0:2 r0=i0
        i2 = int_add(i0, 1)
        finish(i2)
        ",
        expect![[r#"
            [i0]
            label L0(i0)
            guard_value(i0, 3)
              -> [i0]
              @ 0:1 r0=i0
            finish(4)
        "#]],
    );
}

/// As where a tag is asked whether the value is there, and then what it is.
#[test]
fn what_is_not_one_integer_becomes_another_one() {
    for not_zero in [
        "i1 = int_is_zero(i0)\nguard_false(i1)",
        "i1 = int_is_true(i0)\nguard_true(i1)",
        "i1 = int_ne(0, i0)\nguard_true(i1)",
        "i1 = int_eq(i0, 0)\nguard_false(i1)",
    ] {
        check(
            Passes::all(),
            &format!(
                "
                [i0]
                {not_zero} @ 0:1 r0=i0
                guard_value(i0, 3) @ 0:2 r0=i0
                i2 = int_add(i0, 1)
                finish(i2)
                "
            ),
            expect![[r#"
                [i0]
                label L0(i0)
                guard_value(i0, 3)
                  -> [i0]
                  @ 0:1 r0=i0
                finish(4)
            "#]],
        );
    }
    check_left(
        "
        [i0]
        i1 = int_is_true(i0)
        guard_true(i1) @ 0:1 r0=i0
        i2 = int_ge(i0, 1)
        guard_true(i2) @ 0:2 r0=i0
        finish(i0)
        ",
        expect![[r#"
            i1 = int_ge(i0, 1)
            guard_true(i1)
            finish(i0)
        "#]],
    );
}

#[test]
fn two_sides_become_one_unsigned_comparison() {
    check_left(
        "
        [i0, i1, i2]
        i3 = int_ge(i0, 0)
        guard_true(i3) @ 0:1 r0=i0
        i4 = int_lt(i0, 10)
        guard_true(i4) @ 0:2 r0=i0
        i5 = int_lt(i1, 3)
        guard_true(i5) @ 0:3 r0=i0
        i6 = int_lt(i1, 0)
        guard_false(i6) @ 0:4 r0=i0
        finish(i0)
        ",
        expect![[r#"
            i3 = uint_le(i0, 9)
            guard_true(i3)
            i4 = uint_le(i1, 2)
            guard_true(i4)
            finish(i0)
        "#]],
    );
}

#[test]
fn an_interval_that_no_comparison_tests_takes_two_guards() {
    cov_mark::check!(interval_takes_two_comparisons);
    check_left(
        "
        [i0]
        i1 = int_ge(i0, 5)
        guard_true(i1) @ 0:1 r0=i0
        i2 = int_lt(i0, 10)
        guard_true(i2) @ 0:2 r0=i0
        finish(i0)
        ",
        expect![[r#"
            i1 = int_ge(i0, 5)
            guard_true(i1)
            i2 = int_lt(i0, 10)
            guard_true(i2)
            finish(i0)
        "#]],
    );
}

#[test]
fn a_natural_limit_makes_one_unsigned_comparison() {
    check_left(
        "
        [p0, i1]
        i2 = arraylen(p0) Stack
        i3 = int_ge(i1, 0)
        guard_true(i3) @ 0:1 r0=i1
        i4 = int_gt(i2, i1)
        guard_true(i4) @ 0:2 r0=i1
        finish(i1)
        ",
        expect![[r#"
            i2 = arraylen(p0) Stack
            i3 = uint_lt(i1, i2)
            guard_true(i3)
            finish(i1)
        "#]],
    );
}

#[test]
fn a_limit_that_is_loaded_later_cannot_be_compared_earlier() {
    cov_mark::check!(operand_is_defined_later);
    check_left(
        "
        [p0, i1]
        i3 = int_ge(i1, 0)
        guard_true(i3) @ 0:1 r0=i1
        i2 = arraylen(p0) Stack
        i4 = int_lt(i1, i2)
        guard_true(i4) @ 0:2 r0=i1
        finish(i1)
        ",
        expect![[r#"
            i2 = int_ge(i1, 0)
            guard_true(i2)
            i3 = arraylen(p0) Stack
            i4 = int_lt(i1, i3)
            guard_true(i4)
            finish(i1)
        "#]],
    );
}

#[test]
fn a_limit_that_turns_out_natural_later_cannot_be_used_earlier() {
    cov_mark::check!(limit_turns_out_natural_later);
    check_left(
        "
        [i0, i1]
        i3 = int_ge(i1, 0)
        guard_true(i3) @ 0:1 r0=i1
        i4 = int_ge(i0, 0)
        guard_true(i4) @ 0:2 r0=i1
        i5 = int_lt(i1, i0)
        guard_true(i5) @ 0:3 r0=i1
        finish(i1)
        ",
        expect![[r#"
            i2 = int_ge(i1, 0)
            guard_true(i2)
            i3 = int_ge(i0, 0)
            guard_true(i3)
            i4 = int_lt(i1, i0)
            guard_true(i4)
            finish(i1)
        "#]],
    );
}

#[test]
fn no_guard_fails_for_what_lies_behind_a_call() {
    check_left(
        "
        [i0]
        i1 = int_lt(i0, 10)
        guard_true(i1) @ 0:1 r0=i0
        call() touch
        guard_no_panic() @ 0:2 r0=i0
        i2 = int_lt(i0, 5)
        guard_true(i2) @ 0:3 r0=i0
        finish(i0)
        ",
        expect![[r#"
            i1 = int_lt(i0, 10)
            guard_true(i1)
            call() touch
            guard_no_panic()
            i2 = int_lt(i0, 5)
            guard_true(i2)
            finish(i0)
        "#]],
    );
}

#[test]
fn without_the_pass_guards_stay_where_they_are() {
    check(
        Passes::parse("all-strengthen").expect("known passes"),
        "
        [i0]
        i1 = int_lt(i0, 10)
        guard_true(i1) @ 0:1
        i2 = int_lt(i0, 5)
        guard_true(i2) @ 0:2
        finish(i0)
        ",
        expect![[r#"
            [i0]
            label L0(i0)
            i1 = int_lt(i0, 10)
            guard_true(i1)
              -> []
              @ 0:1
            i2 = int_lt(i0, 5)
            guard_true(i2)
              -> []
              @ 0:2
            finish(i0)
        "#]],
    );
}

#[test]
fn no_guard_fails_for_what_the_next_iteration_tests() {
    // The entry runs two iterations, because the object that the loop passes on may become virtual;
    // what the first tests of i0, the second does not test of the same value as i1.
    check_left(
        "
        [i0, i1, p2, p3]
        i4 = int_gt(i0, 0)
        guard_true(i4) @ 0:1 r0=i0
        guard_class(p2) Int @ 0:2 r0=i0
        guard_class(p3) Int @ 0:3 r0=i0
        guard_value(i1, 2) @ 0:4 r0=i0
        p5 = new() Int
        setfield_i(p5, i0) Int.value
        i6 = int_sub(i0, 1)
        jump(i6, i0, p3, p5)
        ",
        expect![[r#"
            i4 = int_gt(i0, 0)
            guard_true(i4)
            guard_class(p2) Int
            guard_class(p3) Int
            guard_value(i1, 2)
            i5 = int_add(i0, -1)
            guard_value(i0, 2)
            jump L1(i5, 0)
            label L1(i6, i7)
            i8 = int_gt(i7, 0)
            guard_true(i8)
            guard_value(i6, 2)
            i9 = int_add(i7, -1)
            jump L1(i7, i9)
        "#]],
    );
}
