//! Residual calls with several results: they are folded, shared, and kept as one.

use crate::common::straight;
use expect_test::expect;

#[test]
fn an_elidable_call_with_constants_folds_to_all_its_words() {
    straight(
        "
        [i0]
        i1, f2 = call(7) split
        guard_no_panic() @ 0:1 r0=i1
        i3 = int_add(i0, i1)
        guard_true(i3) @ 0:2 r0=f2
        finish(i3)
        ",
        expect![[r#"
            [i0]
            label L0(i0)
            i1 = int_add(i0, 7)
            guard_true(i1)
              -> []
              @ 0:2 r0=3.5e-323
            finish(i1)
        "#]],
    );
}

#[test]
fn an_elidable_call_is_made_once() {
    straight(
        "
        [i0]
        i1, f2 = call(i0) split
        guard_no_panic() @ 0:1 r0=i0
        i3, f4 = call(i0) split
        guard_no_panic() @ 0:2 r0=i0
        i5 = int_sub(i1, i3)
        f6 = float_add(f2, f4)
        guard_true(i0) @ 0:3 r0=i5 r1=f6
        finish(i1)
        ",
        expect![[r#"
            [i0]
            label L0(i0)
            i1, f2 = call(i0) split
            guard_no_panic()
              -> [i0]
              @ 0:1 r0=i0
            f3 = float_add(f2, f2)
            guard_true(i0)
              -> [f3]
              @ 0:3 r0=0 r1=f3
            finish(i1)
        "#]],
    );
}

#[test]
fn in_a_loop_the_results_are_carried_around() {
    straight(
        "
        [i0, i1]
        i2, f3 = call(i1) split
        guard_no_panic() @ 0:1 r0=i0
        i4 = float_to_int(f3)
        i5 = int_add(i4, i2)
        i6 = int_add(i0, i5)
        i7 = int_lt(i6, 100)
        guard_true(i7) @ 0:2 r0=i6
        jump(i6, i1)
        ",
        expect![[r#"
            [i0, i1]
            label L0(i0, i1)
            i2, f3 = call(i1) split
            guard_no_panic()
              -> [i0]
              @ 0:1 r0=i0
            i4 = float_to_int(f3)
            i5 = int_add(i4, i2)
            i6 = int_add(i0, i5)
            i7 = int_lt(i6, 100)
            guard_true(i7)
              -> [i6]
              @ 0:2 r0=i6
            jump L1(i6, i5)
            label L1(i8, i9)
            i10 = int_add(i8, i9)
            i11 = int_lt(i10, 100)
            guard_true(i11)
              -> [i10]
              @ 0:2 r0=i10
            jump L1(i10, i9)
        "#]],
    );
}

#[test]
fn a_virtual_argument_escapes_and_the_results_are_unknown() {
    straight(
        "
        [i0]
        p1 = new() Node
        setfield_i(p1, i0) Node.value
        p2, i3 = call(p1) both
        guard_no_panic() @ 0:1 r0=p1 r1=p2 r2=i3
        i4 = getfield_i(p2) Node.value
        i5 = getfield_i(p1) Node.value
        i6 = int_add(i4, i5)
        finish(i6, p2, i3)
        ",
        expect![[r#"
            [i0]
            label L0(i0)
            p1 = new() Node
            setfield_i(p1, i0) Node.value
            p2, i3 = call(p1) both
            guard_no_panic()
              -> [p1, p2, i3]
              @ 0:1 r0=p1 r1=p2 r2=i3
            i4 = getfield_i(p2) Node.value
            i5 = getfield_i(p1) Node.value
            i6 = int_add(i4, i5)
            finish(i6, p2, i3)
        "#]],
    );
}
