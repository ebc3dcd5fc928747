//! Each pass by itself: what it removes, and what it must leave alone.

use crate::common::straight;
use expect_test::expect;

#[test]
fn folding_sees_through_chains() {
    straight(
        "
        [i0]
        i1 = int_add(2, 3)
        i2 = int_mul(i1, 1)
        i3 = int_add(i0, 0)
        i4 = int_sub(i3, i2)
        finish(i4)
        ",
        expect![[r#"
            [i0]
            label L0(i0)
            i1 = int_add(i0, -5)
            finish(i1)
        "#]],
    );
}

#[test]
fn a_repeated_operation_and_guard_go() {
    straight(
        "
        [i0, i1]
        i2 = int_lt(i0, i1)
        guard_true(i2) @ 0:1 r0=i0
        i3 = int_lt(i0, i1)
        guard_true(i3) @ 0:2 r0=i0
        i4 = int_ge(i0, i1)
        guard_false(i4) @ 0:3 r0=i0
        finish(i0)
        ",
        expect![[r#"
            [i0, i1]
            label L0(i0, i1)
            i2 = int_lt(i0, i1)
            guard_true(i2)
              -> [i0]
              @ 0:1 r0=i0
            finish(i0)
        "#]],
    );
}

#[test]
fn promotion_makes_constants() {
    straight(
        "
        [i0]
        i1 = int_div(i0, 10)
        guard_value(i1, 7) @ 0:1 r0=i1
        i2 = int_add(i1, 5)
        finish(i2)
        ",
        expect![[r#"
            [i0]
            label L0(i0)
            i1 = int_div(i0, 10)
            guard_value(i1, 7)
              -> [i1]
              @ 0:1 r0=i1
            finish(12)
        "#]],
    );
}

#[test]
fn elidable_calls_fold_and_are_shared() {
    straight(
        "
        [i0]
        i1 = call(3, 4) sum
        guard_no_panic() @ 0:1 r0=i0
        i2 = call(i0, i1) sum
        guard_no_panic() @ 0:2 r0=i0
        i3 = call(i0, 7) sum
        guard_no_panic() @ 0:3 r0=i0
        i4 = int_add(i2, i3)
        finish(i4)
        ",
        expect![[r#"
            [i0]
            label L0(i0)
            i1 = call(i0, 7) sum
            guard_no_panic()
              -> [i0]
              @ 0:2 r0=i0
            i2 = int_add(i1, i1)
            finish(i2)
        "#]],
    );
}

#[test]
fn doubles_keep_their_bits() {
    straight(
        "
        [f0]
        f1 = float_add(f0, 0.0)
        f2 = float_mul(f1, 1.0)
        f3 = float_sub(f2, f2)
        i4 = float_eq(f3, f3)
        guard_true(i4) @ 0:1 r0=f3
        finish(f3)
        ",
        expect![[r#"
            [f0]
            label L0(f0)
            f1 = float_add(f0, 0.0)
            f2 = float_sub(f1, f1)
            i3 = float_eq(f2, f2)
            guard_true(i3)
              -> [f2]
              @ 0:1 r0=f2
            finish(f2)
        "#]],
    );
}

#[test]
fn a_checked_sum_stays_with_its_check() {
    // The backend computes the sum once for both. An unchecked one may as well start from the older
    // value.
    straight(
        "
        [i0]
        i1 = int_add(i0, 1)
        i2 = int_add_overflows(i1, 1)
        guard_false(i2) @ 0:1 r0=i0
        i3 = int_add(i1, 1)
        i4 = int_add(i3, 1)
        i5 = int_sub_overflows(i4, 8)
        guard_false(i5) @ 0:2 r0=i0
        i6 = int_sub(i4, 8)
        i7 = int_mul(i3, i6)
        finish(i7)
        ",
        expect![[r#"
            [i0]
            label L0(i0)
            i1 = int_add(i0, 1)
            i2 = int_add_overflows(i1, 1)
            guard_false(i2)
              -> [i0]
              @ 0:1 r0=i0
            i3 = int_add(i1, 1)
            i4 = int_add(i0, 3)
            i5 = int_add_overflows(i4, -8)
            guard_false(i5)
              -> [i0]
              @ 0:2 r0=i0
            i6 = int_add(i4, -8)
            i7 = int_mul(i3, i6)
            finish(i7)
        "#]],
    );
}

#[test]
fn a_comparison_is_known_whichever_way_it_is_written() {
    straight(
        "
        [i0, i1]
        i2 = int_lt(i0, i1)
        guard_true(i2) @ 0:1 r0=i0
        i3 = int_gt(i1, i0)
        guard_true(i3) @ 0:2 r0=i0
        i4 = int_le(i1, i0)
        guard_false(i4) @ 0:3 r0=i0
        i5 = int_add(i0, i1)
        i6 = int_add(i1, i0)
        i7 = int_xor(i5, i6)
        finish(i7)
        ",
        expect![[r#"
            [i0, i1]
            label L0(i0, i1)
            i2 = int_lt(i0, i1)
            guard_true(i2)
              -> [i0]
              @ 0:1 r0=i0
            finish(0)
        "#]],
    );
}

#[test]
fn a_failing_guard_says_what_its_value_is() {
    // The second guard's value is no boolean: its failure says only that it is not 0.
    straight(
        "
        [i0, i1]
        i2 = int_lt(i0, 10)
        guard_true(i2) @ 0:1 r0=i0 r1=i2
        i3 = int_lt(i1, i0)
        guard_false(i3) @ 0:2 r0=i0 r1=i3
        guard_false(i1) @ 0:3 r0=i1
        finish(i0)
        ",
        expect![[r#"
            [i0, i1]
            label L0(i0, i1)
            i2 = int_lt(i0, 10)
            guard_true(i2)
              -> [i0]
              @ 0:1 r0=i0 r1=0
            i3 = int_lt(i1, i0)
            guard_false(i3)
              -> [i0]
              @ 0:2 r0=i0 r1=1
            guard_false(i1)
              -> [i1]
              @ 0:3 r0=i1
            finish(i0)
        "#]],
    );
}

#[test]
fn a_promised_class_needs_no_guard() {
    straight(
        "[p0, i1]
        i2 = has_class(p0) Int
        guard_true(i2) @ 0:1 r0=p0
        guard_class(p0) Int @ 0:2 r0=p0
        i3 = getfield_i(p0) Int.value
        i4 = int_add(i1, i3)
        finish(i4)",
        expect![[r#"
            [p0, i1]
            label L0(p0, i1)
            i2 = getfield_i(p0) Int.value
            i3 = int_add(i1, i2)
            finish(i3)
        "#]],
    );
}
