//! Which integers are less than others: checks of indices that vanish, and those that must stay.

use crate::common::check_left;
use expect_test::expect;

#[test]
fn an_index_below_the_length_is_in_bounds() {
    check_left(
        "
        [p0, i1]
        i2 = arraylen(p0) Stack
        i3 = int_ge(i1, 0)
        guard_true(i3) @ 0:1 r0=p0
        p4 = getitem_r(p0, 0) Stack
        i5 = int_lt(i1, i2)
        guard_true(i5) @ 0:2 r0=p0
        i6 = uint_lt(i1, i2)
        guard_true(i6) @ 0:3 r0=p0
        i7 = int_add_overflows(i1, 1)
        guard_false(i7) @ 0:4 r0=p0
        finish(p4)
        ",
        expect![[r#"
            i2 = arraylen(p0) Stack
            i3 = uint_lt(i1, i2)
            guard_true(i3)
            p4 = getitem_r(p0, 0) Stack
            finish(p4)
        "#]],
    );
}

#[test]
fn an_index_that_may_be_negative_is_checked() {
    check_left(
        "
        [p0, i1]
        i2 = arraylen(p0) Stack
        i5 = int_lt(i1, i2)
        guard_true(i5) @ 0:2 r0=p0
        i6 = uint_lt(i1, i2)
        guard_true(i6) @ 0:3 r0=p0
        finish(p0)
        ",
        expect![[r#"
            i2 = arraylen(p0) Stack
            i3 = int_lt(i1, i2)
            guard_true(i3)
            i4 = uint_lt(i1, i2)
            guard_true(i4)
            finish(p0)
        "#]],
    );
}

#[test]
fn what_lies_below_a_checked_index_is_in_bounds() {
    check_left(
        "
        [p0, i1]
        i2 = arraylen(p0) Stack
        i3 = uint_lt(i1, i2)
        guard_true(i3) @ 0:1 r0=p0
        i4 = int_gt(i1, 0)
        guard_true(i4) @ 0:2 r0=p0
        i5 = int_sub(i1, 1)
        i6 = uint_lt(i5, i2)
        guard_true(i6) @ 0:3 r0=p0
        i7 = int_shr(i1, 1)
        i8 = uint_lt(i7, i2)
        guard_true(i8) @ 0:4 r0=p0
        i9 = int_and(i1, 3)
        i10 = uint_lt(i9, i2)
        guard_true(i10) @ 0:5 r0=p0
        i11 = int_add(i1, 1)
        i12 = uint_lt(i11, i2)
        guard_true(i12) @ 0:6 r0=p0
        finish(p0)
        ",
        expect![[r#"
            i2 = arraylen(p0) Stack
            i3 = uint_lt(i1, i2)
            guard_true(i3)
            i4 = int_gt(i1, 0)
            guard_true(i4)
            i5 = int_add(i1, 1)
            i6 = int_lt(i5, i2)
            guard_true(i6)
            finish(p0)
        "#]],
    );
}

#[test]
fn what_lies_below_an_index_that_may_be_zero_is_checked() {
    check_left(
        "
        [p0, i1]
        i2 = arraylen(p0) Stack
        i3 = uint_lt(i1, i2)
        guard_true(i3) @ 0:1 r0=p0
        i5 = int_sub(i1, 1)
        i6 = uint_lt(i5, i2)
        guard_true(i6) @ 0:3 r0=p0
        finish(p0)
        ",
        expect![[r#"
            i2 = arraylen(p0) Stack
            i3 = uint_lt(i1, i2)
            guard_true(i3)
            i4 = int_add(i1, -1)
            i5 = uint_lt(i4, i2)
            guard_true(i5)
            finish(p0)
        "#]],
    );
}

#[test]
fn a_remainder_is_in_bounds() {
    check_left(
        "
        [p0, i1]
        i2 = arraylen(p0) Stack
        i3 = int_gt(i2, 0)
        guard_true(i3) @ 0:1 r0=p0
        i4 = uint_rem(i1, i2)
        i5 = uint_lt(i4, i2)
        guard_true(i5) @ 0:2 r0=p0
        finish(i4)
        ",
        expect![[r#"
            i2 = arraylen(p0) Stack
            i3 = int_gt(i2, 0)
            guard_true(i3)
            i4 = uint_rem(i1, i2)
            finish(i4)
        "#]],
    );
}

#[test]
fn orders_are_transitive() {
    check_left(
        "
        [i0, i1, i2, i3]
        i4 = int_lt(i0, i1)
        guard_true(i4) @ 0:1 r0=i0
        i5 = int_gt(i1, i2)
        guard_false(i5) @ 0:2 r0=i0
        i6 = int_lt(i0, i2)
        guard_true(i6) @ 0:3 r0=i0
        i7 = int_eq(i0, i2)
        guard_false(i7) @ 0:4 r0=i0
        i8 = int_lt(i0, i3)
        guard_true(i8) @ 0:5 r0=i0
        finish(i0)
        ",
        expect![[r#"
            i4 = int_lt(i0, i1)
            guard_true(i4)
            i5 = int_lt(i2, i1)
            guard_false(i5)
            i6 = int_lt(i0, i3)
            guard_true(i6)
            finish(i0)
        "#]],
    );
}

#[test]
fn the_next_index_below_the_length_puts_this_one_in_bounds() {
    check_left(
        "
        [p0, i1]
        i2 = arraylen(p0) Stack
        i3 = int_ge(i1, 0)
        guard_true(i3) @ 0:1 r0=p0
        i4 = int_add_overflows(i1, 1)
        guard_false(i4) @ 0:2 r0=p0
        i5 = int_add(i1, 1)
        i6 = int_lt(i5, i2)
        guard_true(i6) @ 0:3 r0=p0
        i7 = uint_lt(i1, i2)
        guard_true(i7) @ 0:4 r0=p0
        finish(i5)
        ",
        expect![[r#"
            i2 = arraylen(p0) Stack
            i3 = int_ge(i1, 0)
            guard_true(i3)
            i4 = int_add_overflows(i1, 1)
            guard_false(i4)
            i5 = int_add(i1, 1)
            i6 = int_lt(i5, i2)
            guard_true(i6)
            finish(i5)
        "#]],
    );
}
