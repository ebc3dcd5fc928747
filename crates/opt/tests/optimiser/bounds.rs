//! Bounds and known bits: what they make known, and what guards teach. Each rule, and where it must
//! stop.

use crate::common::{check, check_left};
use expect_test::expect;
use verdigris_opt::Passes;

#[test]
fn a_masked_value_is_below_the_mask() {
    check_left(
        "
        [i0]
        i1 = int_and(i0, 255)
        i2 = int_lt(i1, 256)
        guard_true(i2) @ 0:1 r0=i0
        i3 = int_ge(i1, 0)
        guard_true(i3) @ 0:2 r0=i0
        i4 = int_add_overflows(i1, 1)
        guard_false(i4) @ 0:3 r0=i0
        i5 = int_lt(i1, 255)
        guard_true(i5) @ 0:4 r0=i0
        finish(i1)
        ",
        expect![[r#"
            i1 = int_and(i0, 255)
            i2 = int_lt(i1, 255)
            guard_true(i2)
            finish(i1)
        "#]],
    );
}

#[test]
fn known_bits_decide_equality() {
    check_left(
        "
        [i0]
        i1 = int_shl(i0, 3)
        i2 = int_or(i1, 5)
        i3 = int_and(i2, 7)
        i4 = int_eq(i2, 8)
        i5 = int_is_true(i2)
        i6 = int_add(i4, i5)
        i7 = int_add(i6, i3)
        finish(i7)
        ",
        expect![[r#"
            finish(6)
        "#]],
    );
}

#[test]
fn what_changes_nothing_goes() {
    check_left(
        "
        [i0]
        i1 = int_and(i0, 127)
        i2 = int_and(i1, 255)
        i3 = int_sext8(i2)
        i4 = int_or(i3, 0)
        i5 = int_rem(i4, 200)
        i6 = uint_rem(i5, 128)
        i7 = int_sext8(i0)
        i8 = int_sext32(i7)
        i9 = int_and(i8, 255)
        i10 = int_add(i6, i9)
        finish(i10)
        ",
        expect![[r#"
            i1 = int_and(i0, 127)
            i2 = int_and(i0, 255)
            i3 = int_add(i1, i2)
            finish(i3)
        "#]],
    );
}

#[test]
fn loads_of_narrow_fields_are_narrow() {
    check_left(
        "
        [p0]
        i1 = getfield_i(p0) Small.tiny
        i2 = int_lt(i1, 256)
        guard_true(i2) @ 0:1 r0=p0
        i3 = getfield_i(p0) Small.short
        i4 = int_sext16(i3)
        i5 = int_ge(i3, 0)
        guard_true(i5) @ 0:2 r0=p0
        i6 = int_add(i1, i4)
        finish(i6)
        ",
        expect![[r#"
            i1 = getfield_i(p0) Small.tiny
            i2 = getfield_i(p0) Small.short
            i3 = int_ge(i2, 0)
            guard_true(i3)
            i4 = int_add(i1, i2)
            finish(i4)
        "#]],
    );
}

#[test]
fn lengths_are_not_negative() {
    check_left(
        "
        [p0]
        i1 = arraylen(p0) Stack
        i2 = int_lt(i1, 0)
        guard_false(i2) @ 0:1 r0=p0
        i3 = int_sub_overflows(i1, 1)
        guard_false(i3) @ 0:2 r0=p0
        i4 = int_add_overflows(i1, 1)
        guard_false(i4) @ 0:3 r0=p0
        finish(i1)
        ",
        expect![[r#"
            i1 = arraylen(p0) Stack
            i2 = int_add_overflows(i1, 1)
            guard_false(i2)
            finish(i1)
        "#]],
    );
}

#[test]
fn without_the_pass_bounds_say_nothing() {
    check(
        Passes::parse("all-bounds").expect("known passes"),
        "
        [i0]
        i1 = int_and(i0, 15)
        i2 = int_lt(i1, 16)
        guard_true(i2) @ 0:1
        finish(i1)
        ",
        expect![[r#"
            [i0]
            label L0(i0)
            i1 = int_and(i0, 15)
            i2 = int_lt(i1, 16)
            guard_true(i2)
              -> []
              @ 0:1
            finish(i1)
        "#]],
    );
}

#[test]
fn a_guard_teaches_a_bound() {
    check_left(
        "
        [i0, i1]
        i2 = int_lt(i0, 10)
        guard_true(i2) @ 0:1 r0=i0
        i3 = int_add_overflows(i0, 5)
        guard_false(i3) @ 0:2 r0=i0
        i4 = int_sub_overflows(i0, 5)
        guard_false(i4) @ 0:3 r0=i0
        i5 = int_le(i0, 9)
        guard_true(i5) @ 0:4 r0=i0
        i6 = int_lt(i0, 9)
        guard_true(i6) @ 0:5 r0=i1
        finish(i0)
        ",
        expect![[r#"
            i2 = int_le(i0, 8)
            guard_true(i2)
            i3 = int_add_overflows(i0, -5)
            guard_false(i3)
            finish(i0)
        "#]],
    );
}

#[test]
fn an_unsigned_comparison_teaches_the_sign() {
    check_left(
        "
        [i0]
        i1 = uint_lt(i0, 10)
        guard_true(i1) @ 0:1 r0=i0
        i2 = int_ge(i0, 0)
        guard_true(i2) @ 0:2 r0=i0
        i3 = int_sub_overflows(i0, 9)
        guard_false(i3) @ 0:3 r0=i0
        finish(i0)
        ",
        expect![[r#"
            i1 = uint_lt(i0, 10)
            guard_true(i1)
            finish(i0)
        "#]],
    );
}

#[test]
fn a_comparison_of_variables_teaches_both() {
    check_left(
        "
        [i0, i1]
        i2 = int_gt(i0, 7)
        guard_true(i2) @ 0:1 r0=i0
        i3 = int_lt(i0, i1)
        guard_true(i3) @ 0:2 r0=i0
        i4 = int_gt(i1, 8)
        guard_true(i4) @ 0:3 r0=i0
        i5 = int_add_overflows(i0, 1)
        guard_false(i5) @ 0:4 r0=i0
        i6 = int_gt(i1, 9)
        guard_true(i6) @ 0:5 r0=i0
        finish(i1)
        ",
        expect![[r#"
            i2 = int_gt(i0, 7)
            guard_true(i2)
            i3 = int_lt(i0, i1)
            guard_true(i3)
            i4 = int_gt(i1, 9)
            guard_true(i4)
            finish(i1)
        "#]],
    );
}

#[test]
fn an_equality_teaches_both() {
    check_left(
        "
        [i0, i1]
        i2 = int_and(i0, 3)
        i3 = int_eq(i2, i1)
        guard_true(i3) @ 0:1 r0=i0
        i4 = uint_lt(i1, 4)
        guard_true(i4) @ 0:2 r0=i0
        i5 = int_le(i1, i2)
        guard_true(i5) @ 0:3 r0=i0
        finish(i1)
        ",
        expect![[r#"
            i2 = int_and(i0, 3)
            i3 = int_eq(i2, i1)
            guard_true(i3)
            finish(i1)
        "#]],
    );
}

#[test]
fn a_guard_teaches_back_through_definitions() {
    check_left(
        "
        [i0, i1, i2, i3]
        i4 = int_add(i0, -3)
        i5 = uint_lt(i4, 4)
        guard_true(i5) @ 0:1 r0=i0
        i6 = int_ge(i0, 3)
        guard_true(i6) @ 0:2 r0=i0
        i7 = int_le(i0, 6)
        guard_true(i7) @ 0:3 r0=i0
        i8 = int_shr(i1, 2)
        guard_value(i8, 5) @ 0:4 r0=i0
        i9 = int_lt(i1, 24)
        guard_true(i9) @ 0:5 r0=i0
        i10 = int_and(i2, 1)
        guard_value(i10, 0) @ 0:6 r0=i0
        i11 = int_eq(i2, 7)
        guard_false(i11) @ 0:7 r0=i0
        i12 = int_sub(10, i3)
        i13 = int_gt(i12, 2)
        guard_true(i13) @ 0:8 r0=i0
        i14 = int_ge(i12, 5)
        guard_false(i14) @ 0:9 r0=i0
        i15 = int_gt(i3, 5)
        guard_true(i15) @ 0:10 r0=i0
        finish(i0)
        ",
        expect![[r#"
            i4 = int_add(i0, -3)
            i5 = uint_lt(i4, 4)
            guard_true(i5)
            i6 = int_shr(i1, 2)
            guard_value(i6, 5)
            i7 = int_and(i2, 1)
            guard_value(i7, 0)
            i8 = int_sub(10, i3)
            i9 = int_gt(i8, 2)
            guard_true(i9)
            i10 = int_le(i3, 5)
            guard_false(i10)
            finish(i0)
        "#]],
    );
}

#[test]
fn wrapping_teaches_nothing_wrong() {
    // i0 may be the greatest word: then i0 + 1 is the least.
    check_left(
        "
        [i0]
        i1 = int_add(i0, 1)
        i2 = int_lt(i1, 10)
        guard_true(i2) @ 0:1 r0=i0
        i3 = int_lt(i0, 9)
        guard_true(i3) @ 0:2 r0=i1
        finish(i0)
        ",
        expect![[r#"
            i1 = int_add(i0, 1)
            i2 = int_lt(i1, 10)
            guard_true(i2)
            i3 = int_lt(i0, 9)
            guard_true(i3)
            finish(i0)
        "#]],
    );
}

#[test]
fn a_value_makes_what_it_comes_from_constant() {
    check_left(
        "
        [i0]
        i1 = int_add(i0, 4)
        i2 = int_xor(i1, 1)
        guard_value(i2, 7) @ 0:1 r0=i0
        finish(i0)
        ",
        expect![[r#"
            i1 = int_add(i0, 4)
            i2 = int_xor(i1, 1)
            guard_value(i2, 7)
            finish(2)
        "#]],
    );
}

#[test]
fn the_ends_of_two_intervals_make_a_constant() {
    check_left(
        "
        [i0]
        i1 = int_ge(i0, 7)
        guard_true(i1) @ 0:1 r0=i0
        i2 = int_gt(i0, 7)
        guard_false(i2) @ 0:2 r0=i0
        i3 = int_mul(i0, 6)
        finish(i3)
        ",
        expect![[r#"
            i1 = int_ge(i0, 7)
            guard_true(i1)
            i2 = int_gt(i0, 7)
            guard_false(i2)
            finish(42)
        "#]],
    );
}

#[test]
fn a_checked_sum_is_the_sum() {
    check_left(
        "
        [i0, i1]
        i2 = int_ge(i0, 0)
        guard_true(i2) @ 0:1 r0=i0
        i3 = int_ge(i1, 1)
        guard_true(i3) @ 0:2 r0=i0
        i4 = int_add(i0, i1)
        i5 = int_add_overflows(i0, i1)
        guard_false(i5) @ 0:3 r0=i0
        i6 = int_lt(i4, 1)
        guard_false(i6) @ 0:4 r0=i0
        i7 = int_mul_overflows(i0, i1)
        guard_false(i7) @ 0:5 r0=i0
        i8 = int_mul(i0, i1)
        i9 = int_lt(i8, 0)
        guard_false(i9) @ 0:6 r0=i0
        finish(i4)
        ",
        expect![[r#"
            i2 = int_ge(i0, 0)
            guard_true(i2)
            i3 = int_ge(i1, 1)
            guard_true(i3)
            i4 = int_add(i0, i1)
            i5 = int_add_overflows(i0, i1)
            guard_false(i5)
            i6 = int_mul_overflows(i0, i1)
            guard_false(i6)
            finish(i4)
        "#]],
    );
}

#[test]
fn an_unchecked_sum_may_wrap() {
    check_left(
        "
        [i0, i1]
        i2 = int_ge(i0, 0)
        guard_true(i2) @ 0:1 r0=i0
        i3 = int_ge(i1, 1)
        guard_true(i3) @ 0:2 r0=i0
        i4 = int_add(i0, i1)
        i5 = int_lt(i4, 1)
        guard_false(i5) @ 0:3 r0=i0
        finish(i4)
        ",
        expect![[r#"
            i2 = int_ge(i0, 0)
            guard_true(i2)
            i3 = int_ge(i1, 1)
            guard_true(i3)
            i4 = int_add(i0, i1)
            i5 = int_lt(i4, 1)
            guard_false(i5)
            finish(i4)
        "#]],
    );
}
