//! Delayed stores, and how calls and other stores affect the knowledge of memory.

use crate::common::straight;
use expect_test::expect;

#[test]
fn stores_wait_for_a_call() {
    straight(
        "
        [p0, i1]
        guard_class(p0) Frame @ 0:1 r0=p0
        setfield_i(p0, 1) Frame.sp
        setfield_i(p0, 2) Frame.sp
        i2 = getfield_i(p0) Frame.sp
        guard_true(i1) @ 0:2 r0=p0
        setfield_i(p0, 3) Frame.sp
        call() touch
        guard_no_panic() @ 0:3 r0=p0
        i3 = getfield_i(p0) Frame.sp
        i4 = int_add(i2, i3)
        finish(i4)
        ",
        expect![[r#"
            [p0, i1]
            label L0(p0, i1)
            guard_class(p0) Frame
              -> [p0]
              @ 0:1 r0=p0
            guard_true(i1)
              -> [p0]
              p0.Frame.sp = 2
              @ 0:2 r0=p0
            setfield_i(p0, 3) Frame.sp
            call() touch
            guard_no_panic()
              -> [p0]
              @ 0:3 r0=p0
            i2 = getfield_i(p0) Frame.sp
            i3 = int_add(i2, 2)
            finish(i3)
        "#]],
    );
}

#[test]
fn a_store_through_another_reference_may_hit_the_same_place() {
    straight(
        "
        [p0, p1]
        setfield_i(p0, 1) Frame.sp
        setfield_i(p1, 2) Frame.sp
        i2 = getfield_i(p0) Frame.sp
        i3 = getfield_i(p1) Frame.sp
        i4 = int_add(i2, i3)
        finish(i4)
        ",
        expect![[r#"
            [p0, p1]
            label L0(p0, p1)
            setfield_i(p0, 1) Frame.sp
            setfield_i(p1, 2) Frame.sp
            i2 = getfield_i(p0) Frame.sp
            i3 = int_add(i2, 2)
            finish(i3)
        "#]],
    );
}

#[test]
fn arrays_of_different_classes_do_not_alias() {
    straight(
        "
        [p0, p1, p2]
        setitem_r(p0, 0, p2) Stack
        setitem_r(p1, 0, p2) Attrs
        p3 = getitem_r(p0, 0) Stack
        finish(p3)
        ",
        expect![[r#"
            [p0, p1, p2]
            label L0(p0, p1, p2)
            setitem_r(p0, 0, p2) Stack
            setitem_r(p1, 0, p2) Attrs
            finish(p2)
        "#]],
    );
}

#[test]
fn an_unknown_index_does_what_was_delayed() {
    straight(
        "
        [p0, i1, p2]
        setitem_r(p0, 0, p2) Stack
        p3 = getitem_r(p0, i1) Stack
        setitem_r(p0, i1, p2) Stack
        p4 = getitem_r(p0, 0) Stack
        i5 = ptr_eq(p3, p4)
        finish(i5)
        ",
        expect![[r#"
            [p0, i1, p2]
            label L0(p0, i1, p2)
            setitem_r(p0, 0, p2) Stack
            p3 = getitem_r(p0, i1) Stack
            setitem_r(p0, i1, p2) Stack
            p4 = getitem_r(p0, 0) Stack
            i5 = ptr_eq(p3, p4)
            finish(i5)
        "#]],
    );
}

#[test]
fn plain_fields_survive_calls() {
    straight(
        "
        [p0]
        i1 = getfield_i(p0) Int.value
        call() touch
        guard_no_panic() @ 0:1 r0=p0
        i2 = getfield_i(p0) Int.value
        i3 = int_add(i1, i2)
        finish(i3)
        ",
        expect![[r#"
            [p0]
            label L0(p0)
            i1 = getfield_i(p0) Int.value
            call() touch
            guard_no_panic()
              -> [p0]
              @ 0:1 r0=p0
            i2 = int_add(i1, i1)
            finish(i2)
        "#]],
    );
}

#[test]
fn a_call_sees_what_its_argument_refers_to() {
    straight(
        "
        [i0]
        p1 = new() Int
        setfield_i(p1, i0) Int.value
        p2 = new() Pair
        setfield_r(p2, p1) Pair.second
        call(p2) show
        guard_no_panic() @ 0:1 r0=p2
        i3 = getfield_i(p1) Int.value
        p4 = getfield_r(p2) Pair.second
        i5 = ptr_eq(p4, p1)
        i6 = int_add(i3, i5)
        finish(i6)
        ",
        expect![[r#"
            [i0]
            label L0(i0)
            p1 = new() Pair
            p2 = new() Int
            setfield_i(p2, i0) Int.value
            setfield_r(p1, p2) Pair.second
            call(p1) show
            guard_no_panic()
              -> [p1]
              @ 0:1 r0=p1
            p3 = getfield_r(p1) Pair.second
            i4 = ptr_eq(p3, p2)
            i5 = int_add(i0, i4)
            finish(i5)
        "#]],
    );
}

#[test]
fn items_at_a_variable_index_are_remembered_until_something_may_change_them() {
    straight(
        "
        [p0, i1, i2, p3]
        p4 = getitem_r(p0, i1) Stack
        p5 = getitem_r(p0, i1) Stack
        i6 = ptr_eq(p4, p5)
        guard_true(i6) @ 0:1 r0=p0
        setitem_r(p0, i1, p4) Stack
        setitem_r(p0, i1, p3) Stack
        p7 = getitem_r(p0, i1) Stack
        setitem_r(p0, i2, p4) Stack
        p8 = getitem_r(p0, i1) Stack
        setitem_r(p0, 3, p7) Stack
        p9 = getitem_r(p0, i1) Stack
        i10 = ptr_eq(p8, p9)
        guard_true(i10) @ 0:2 r0=p0
        finish(p9)
        ",
        expect![[r#"
            [p0, i1, i2, p3]
            label L0(p0, i1, i2, p3)
            p4 = getitem_r(p0, i1) Stack
            setitem_r(p0, i1, p3) Stack
            setitem_r(p0, i2, p4) Stack
            p5 = getitem_r(p0, i1) Stack
            setitem_r(p0, 3, p3) Stack
            p6 = getitem_r(p0, i1) Stack
            i7 = ptr_eq(p5, p6)
            guard_true(i7)
              -> [p0]
              @ 0:2 r0=p0
            finish(p6)
        "#]],
    );
}

#[test]
fn items_at_sums_of_one_value_and_different_constants_do_not_hide_one_another() {
    straight(
        "
        [p0, i1, p2, p3]
        i4 = int_add(i1, 1)
        i5 = int_add(i1, 2)
        i6 = int_add_overflows(i1, 1)
        i7 = int_add(i4, 1)
        setitem_r(p0, i4, p2) Stack
        setitem_r(p0, i5, p3) Stack
        setitem_r(p0, i1, p3) Stack
        p8 = getitem_r(p0, i4) Stack
        setitem_r(p0, i7, p2) Stack
        p9 = getitem_r(p0, i4) Stack
        p10 = getitem_r(p0, i5) Stack
        i11 = ptr_eq(p8, p2)
        i12 = ptr_eq(p9, p2)
        i13 = ptr_eq(p10, p2)
        i14 = int_add(i11, i12)
        i15 = int_add(i14, i13)
        i16 = int_add(i15, i6)
        finish(i16)
        ",
        expect![[r#"
            [p0, i1, p2, p3]
            label L0(p0, i1, p2, p3)
            i4 = int_add(i1, 1)
            i5 = int_add(i1, 2)
            i6 = int_add_overflows(i1, 1)
            setitem_r(p0, i4, p2) Stack
            setitem_r(p0, i5, p3) Stack
            setitem_r(p0, i1, p3) Stack
            setitem_r(p0, i5, p2) Stack
            i7 = int_add(i6, 3)
            finish(i7)
        "#]],
    );
}

#[test]
fn bounds_tell_items_apart() {
    straight(
        "
        [p0, i1, p2]
        setitem_r(p0, 0, p2) Stack
        i3 = int_gt(i1, 0)
        guard_true(i3) @ 0:1 r0=p0
        p4 = getitem_r(p0, i1) Stack
        setitem_r(p0, i1, p2) Stack
        p5 = getitem_r(p0, 0) Stack
        p6 = getitem_r(p0, 1) Stack
        i7 = ptr_eq(p5, p6)
        i8 = ptr_eq(p4, p2)
        i9 = int_add(i7, i8)
        finish(i9)
        ",
        expect![[r#"
            [p0, i1, p2]
            label L0(p0, i1, p2)
            i3 = int_gt(i1, 0)
            guard_true(i3)
              -> [p0, p2]
              p0.Stack[0] = p2
              @ 0:1 r0=p0
            p4 = getitem_r(p0, i1) Stack
            setitem_r(p0, i1, p2) Stack
            p5 = getitem_r(p0, 1) Stack
            i6 = ptr_eq(p2, p5)
            i7 = ptr_eq(p4, p2)
            i8 = int_add(i6, i7)
            setitem_r(p0, 0, p2) Stack
            finish(i8)
        "#]],
    );
}

#[test]
fn sums_that_go_around_a_loop_are_told_apart() {
    straight(
        "
        [p0, i1, p2, i3]
        i4 = int_add(i1, 1)
        i5 = int_add(i1, 2)
        setitem_r(p0, i4, p2) Stack
        setitem_r(p0, i5, p0) Stack
        p6 = getitem_r(p0, i4) Stack
        i7 = ptr_eq(p6, p2)
        guard_true(i7) @ 0:1 r0=p0
        i8 = int_sub(i3, 1)
        i9 = int_gt(i8, 0)
        guard_true(i9) @ 0:2 r0=p0
        jump(p0, i1, p2, i8)
        ",
        expect![[r#"
            [p0, i1, p2, i3]
            label L0(p0, i1, p2, i3)
            i4 = int_add(i1, 1)
            i5 = int_add(i1, 2)
            setitem_r(p0, i4, p2) Stack
            setitem_r(p0, i5, p0) Stack
            i6 = int_add(i3, -1)
            i7 = int_gt(i6, 0)
            guard_true(i7)
              -> [p0]
              @ 0:2 r0=p0
            jump L1(p0, p2, i6, i4, i5)
            label L1(p8, p9, i10, i11, i12)
            setitem_r(p8, i11, p9) Stack
            setitem_r(p8, i12, p8) Stack
            i13 = int_add(i10, -1)
            i14 = int_gt(i13, 0)
            guard_true(i14)
              -> [p8]
              @ 0:2 r0=p8
            jump L1(p8, p9, i13, i11, i12)
        "#]],
    );
}
