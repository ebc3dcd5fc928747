//! Stores that wait at the end of an iteration: what leads to their objects, and what is done if
//! nothing does.

use crate::common::straight;
use expect_test::expect;

/// The object that an iteration stores into is loaded under an index that differs each time.
#[test]
fn a_store_into_an_item_is_done() {
    straight(
        "
        [p0, i1]
        i2 = arraylen(p0) Stack
        i3 = uint_lt(i1, i2)
        guard_true(i3) @ 0:1 r0=p0 r1=i1
        p4 = getitem_r(p0, i1) Stack
        guard_class(p4) Node @ 0:2 r0=p0 r1=i1
        i5 = getfield_i(p4) Node.value
        i6 = int_add(i5, 1)
        setfield_i(p4, i6) Node.value
        i7 = int_add(i1, 1)
        jump(p0, i7)
        ",
        expect![[r#"
            [p0, i1]
            label L0(p0, i1)
            i2 = arraylen(p0) Stack
            i3 = uint_lt(i1, i2)
            guard_true(i3)
              -> [p0, i1]
              @ 0:1 r0=p0 r1=i1
            p4 = getitem_r(p0, i1) Stack
            guard_class(p4) Node
              -> [p0, i1]
              @ 0:2 r0=p0 r1=i1
            i5 = getfield_i(p4) Node.value
            i6 = int_add(i5, 1)
            i7 = int_add(i1, 1)
            setfield_i(p4, i6) Node.value
            jump L1(p0, i7, i2)
            label L1(p8, i9, i10)
            i11 = int_lt(i9, i10)
            guard_true(i11)
              -> [p8, i9]
              @ 0:1 r0=p8 r1=i9
            p12 = getitem_r(p8, i9) Stack
            guard_class(p12) Node
              -> [p8, i9]
              @ 0:2 r0=p8 r1=i9
            i13 = getfield_i(p12) Node.value
            i14 = int_add(i13, 1)
            i15 = int_add(i9, 1)
            setfield_i(p12, i14) Node.value
            jump L1(p8, i15, i10)
        "#]],
    );
}

/// The frame keeps the last item. A field of that leads to the object that is stored into, but the
/// next iteration overwrites the frame's variable and does not look there.
#[test]
fn a_fact_that_no_iteration_uses_leads_to_no_object() {
    straight(
        "
        [p0, p1, i2]
        i3 = arraylen(p1) Stack
        i4 = uint_lt(i2, i3)
        guard_true(i4) @ 0:1 r0=p0 r1=p1 r2=i2
        p5 = getitem_r(p1, i2) Stack
        setfield_r(p0, p5) Pair.first
        guard_class(p5) Pair @ 0:2 r0=p0 r1=p1 r2=i2
        p6 = getfield_r(p5) Pair.second
        guard_class(p6) Node @ 0:3 r0=p0 r1=p1 r2=i2
        i7 = getfield_i(p6) Node.value
        i8 = int_add(i7, 1)
        setfield_i(p6, i8) Node.value
        i9 = int_add(i2, 1)
        jump(p0, p1, i9)
        ",
        expect![[r#"
            [p0, p1, i2]
            label L0(p0, p1, i2)
            i3 = arraylen(p1) Stack
            i4 = uint_lt(i2, i3)
            guard_true(i4)
              -> [p0, p1, i2]
              @ 0:1 r0=p0 r1=p1 r2=i2
            p5 = getitem_r(p1, i2) Stack
            guard_class(p5) Pair
              -> [p0, p1, i2, p5]
              p0.Pair.first = p5
              @ 0:2 r0=p0 r1=p1 r2=i2
            p6 = getfield_r(p5) Pair.second
            guard_class(p6) Node
              -> [p0, p1, i2, p5]
              p0.Pair.first = p5
              @ 0:3 r0=p0 r1=p1 r2=i2
            i7 = getfield_i(p6) Node.value
            i8 = int_add(i7, 1)
            i9 = int_add(i2, 1)
            setfield_i(p6, i8) Node.value
            jump L1(p0, p1, i9, p5, i3)
            label L1(p10, p11, i12, p13, i14)
            i15 = int_lt(i12, i14)
            guard_true(i15)
              -> [p10, p11, i12, p13]
              p10.Pair.first = p13
              @ 0:1 r0=p10 r1=p11 r2=i12
            p16 = getitem_r(p11, i12) Stack
            guard_class(p16) Pair
              -> [p10, p11, i12, p16]
              p10.Pair.first = p16
              @ 0:2 r0=p10 r1=p11 r2=i12
            p17 = getfield_r(p16) Pair.second
            guard_class(p17) Node
              -> [p10, p11, i12, p16]
              p10.Pair.first = p16
              @ 0:3 r0=p10 r1=p11 r2=i12
            i18 = getfield_i(p17) Node.value
            i19 = int_add(i18, 1)
            i20 = int_add(i12, 1)
            setfield_i(p17, i19) Node.value
            jump L1(p10, p11, i20, p16, i14)
        "#]],
    );
}

/// What is reached through a fact that all iterations use stays in registers.
#[test]
fn a_used_fact_leads_to_the_object() {
    straight(
        "
        [p0, i1]
        i2 = int_lt(i1, 100)
        guard_true(i2) @ 0:1 r0=p0 r1=i1
        p3 = getfield_r(p0) Pair.first
        guard_class(p3) Node @ 0:2 r0=p0 r1=i1
        i4 = getfield_i(p3) Node.value
        i5 = int_add(i4, i1)
        setfield_i(p3, i5) Node.value
        i6 = int_add(i1, 1)
        jump(p0, i6)
        ",
        expect![[r#"
            [p0, i1]
            label L0(p0, i1)
            i2 = int_lt(i1, 100)
            guard_true(i2)
              -> [p0, i1]
              @ 0:1 r0=p0 r1=i1
            p3 = getfield_r(p0) Pair.first
            guard_class(p3) Node
              -> [p0, i1]
              @ 0:2 r0=p0 r1=i1
            i4 = getfield_i(p3) Node.value
            i5 = int_add(i4, i1)
            i6 = int_add(i1, 1)
            jump L1(p0, i6, p3, i5)
            label L1(p7, i8, p9, i10)
            i11 = int_lt(i8, 100)
            guard_true(i11)
              -> [p7, i8, p9, i10]
              p9.Node.value = i10
              @ 0:1 r0=p7 r1=i8
            i12 = int_add(i10, i8)
            i13 = int_add(i8, 1)
            jump L1(p7, i13, p9, i12)
        "#]],
    );
}

/// Of the stores into two objects, one waits for the end of the loop and one is done.
#[test]
fn only_the_stranded_store_is_done() {
    straight(
        "
        [p0, p1, i2]
        i3 = arraylen(p1) Stack
        i4 = uint_lt(i2, i3)
        guard_true(i4) @ 0:1 r0=p0 r1=p1 r2=i2
        p5 = getitem_r(p1, i2) Stack
        guard_class(p5) Pair @ 0:2 r0=p0 r1=p1 r2=i2
        p6 = getfield_r(p5) Pair.first
        setfield_r(p5, p0) Pair.first
        p7 = getfield_r(p0) Pair.second
        guard_class(p7) Node @ 0:3 r0=p0 r1=p1 r2=i2
        i8 = getfield_i(p7) Node.value
        i9 = int_add(i8, 1)
        setfield_i(p7, i9) Node.value
        i10 = int_add(i2, 1)
        jump(p0, p1, i10)
        ",
        expect![[r#"
            [p0, p1, i2]
            label L0(p0, p1, i2)
            i3 = arraylen(p1) Stack
            i4 = uint_lt(i2, i3)
            guard_true(i4)
              -> [p0, p1, i2]
              @ 0:1 r0=p0 r1=p1 r2=i2
            p5 = getitem_r(p1, i2) Stack
            guard_class(p5) Pair
              -> [p0, p1, i2]
              @ 0:2 r0=p0 r1=p1 r2=i2
            p6 = getfield_r(p0) Pair.second
            guard_class(p6) Node
              -> [p0, p1, i2, p5]
              p5.Pair.first = p0
              @ 0:3 r0=p0 r1=p1 r2=i2
            i7 = getfield_i(p6) Node.value
            i8 = int_add(i7, 1)
            i9 = int_add(i2, 1)
            setfield_r(p5, p0) Pair.first
            jump L1(p0, p1, i9, p6, i8, i3)
            label L1(p10, p11, i12, p13, i14, i15)
            i16 = int_lt(i12, i15)
            guard_true(i16)
              -> [p10, p11, i12, p13, i14]
              p13.Node.value = i14
              @ 0:1 r0=p10 r1=p11 r2=i12
            p17 = getitem_r(p11, i12) Stack
            guard_class(p17) Pair
              -> [p10, p11, i12, p13, i14]
              p13.Node.value = i14
              @ 0:2 r0=p10 r1=p11 r2=i12
            i18 = int_add(i14, 1)
            i19 = int_add(i12, 1)
            setfield_r(p17, p10) Pair.first
            jump L1(p10, p11, i19, p13, i18, i15)
        "#]],
    );
}

/// The object is new each time, and stored where the next iteration finds another one.
#[test]
fn a_new_object_is_made_for_a_store_that_is_done() {
    straight(
        "
        [p0, i1]
        i2 = arraylen(p0) Stack
        i3 = uint_lt(i1, i2)
        guard_true(i3) @ 0:1 r0=p0 r1=i1
        p4 = getitem_r(p0, i1) Stack
        guard_class(p4) Pair @ 0:2 r0=p0 r1=i1
        p5 = getfield_r(p4) Pair.first
        guard_class(p5) Int @ 0:3 r0=p0 r1=i1
        i6 = getfield_i(p5) Int.value
        i7 = int_add(i6, 1)
        p8 = new() Int
        setfield_i(p8, i7) Int.value
        setfield_r(p4, p8) Pair.first
        i9 = int_add(i1, 1)
        jump(p0, i9)
        ",
        expect![[r#"
            [p0, i1]
            label L0(p0, i1)
            i2 = arraylen(p0) Stack
            i3 = uint_lt(i1, i2)
            guard_true(i3)
              -> [p0, i1]
              @ 0:1 r0=p0 r1=i1
            p4 = getitem_r(p0, i1) Stack
            guard_class(p4) Pair
              -> [p0, i1]
              @ 0:2 r0=p0 r1=i1
            p5 = getfield_r(p4) Pair.first
            guard_class(p5) Int
              -> [p0, i1]
              @ 0:3 r0=p0 r1=i1
            i6 = getfield_i(p5) Int.value
            i7 = int_add(i6, 1)
            i8 = int_add(i1, 1)
            p9 = new() Int
            setfield_i(p9, i7) Int.value
            setfield_r(p4, p9) Pair.first
            jump L1(p0, i8, i2)
            label L1(p10, i11, i12)
            i13 = int_lt(i11, i12)
            guard_true(i13)
              -> [p10, i11]
              @ 0:1 r0=p10 r1=i11
            p14 = getitem_r(p10, i11) Stack
            guard_class(p14) Pair
              -> [p10, i11]
              @ 0:2 r0=p10 r1=i11
            p15 = getfield_r(p14) Pair.first
            guard_class(p15) Int
              -> [p10, i11]
              @ 0:3 r0=p10 r1=i11
            i16 = getfield_i(p15) Int.value
            i17 = int_add(i16, 1)
            i18 = int_add(i11, 1)
            p19 = new() Int
            setfield_i(p19, i17) Int.value
            setfield_r(p14, p19) Pair.first
            jump L1(p10, i18, i12)
        "#]],
    );
}
