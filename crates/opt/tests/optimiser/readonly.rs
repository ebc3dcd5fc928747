//! Read-only calls: their results are used again until something is written that they read, also in
//! the next iteration.

use crate::common::{check, check_left};
use expect_test::expect;
use verdigris_opt::Passes;

#[test]
fn the_same_question_is_asked_once() {
    check_left(
        "
        [p0, i1]
        i2 = call(p0, i1) find
        guard_no_panic() @ 0:1 r0=p0
        setfield_r(p0, p0) Node.next
        call(p0, p0) cut
        guard_no_panic() @ 0:1 r0=p0
        i3 = call(p0, 5) find
        guard_no_panic() @ 0:1 r0=p0
        setfield_i(p0, i3) Frame.sp
        i4 = call(p0, 5) find
        guard_no_panic() @ 0:1 r0=p0
        i5 = int_add(i2, i3)
        i6 = int_add(i5, i4)
        finish(i6)
        ",
        expect![[r#"
            i2 = call(p0, i1) find
            guard_no_panic()
            call(p0, p0) cut
            guard_no_panic()
            i3 = call(p0, 5) find
            guard_no_panic()
            i4 = int_add(i2, i3)
            i5 = int_add(i4, i3)
            setfield_r(p0, p0) Node.next
            setfield_i(p0, i3) Frame.sp
            finish(i5)
        "#]],
    );
}

#[test]
fn a_store_to_what_is_read_makes_the_answer_unknown() {
    check_left(
        "
        [p0, p1, i1]
        i2 = call(p0, i1) find
        guard_no_panic() @ 0:1 r0=p0
        setfield_i(p1, i2) Node.value
        i3 = call(p0, i1) find
        guard_no_panic() @ 0:1 r0=p0
        i4 = arraylen(p1) Stack
        i5 = uint_lt(i1, i4)
        guard_true(i5) @ 0:2 r0=p0
        setitem_r(p1, i1, p0) Stack
        i6 = call(p0, i1) find
        guard_no_panic() @ 0:1 r0=p0
        call(p0) bump
        guard_no_panic() @ 0:1 r0=p0
        i7 = call(p0, i1) find
        guard_no_panic() @ 0:1 r0=p0
        finish(i7)
        ",
        expect![[r#"
            i3 = call(p0, i2) find
            guard_no_panic()
            setfield_i(p1, i3) Node.value
            i4 = call(p0, i2) find
            guard_no_panic()
            i5 = arraylen(p1) Stack
            i6 = uint_lt(i2, i5)
            guard_true(i6)
            setitem_r(p1, i2, p0) Stack
            i7 = call(p0, i2) find
            guard_no_panic()
            call(p0) bump
            guard_no_panic()
            i8 = call(p0, i2) find
            guard_no_panic()
            finish(i8)
        "#]],
    );
}

#[test]
fn a_call_of_which_nothing_is_known_makes_the_answer_unknown() {
    check_left(
        "
        [p0]
        i2 = call(p0, 1) find
        guard_no_panic() @ 0:1 r0=p0
        call() touch
        guard_no_panic() @ 0:1 r0=p0
        i3 = call(p0, 1) find
        guard_no_panic() @ 0:1 r0=p0
        i4 = int_add(i2, i3)
        finish(i4)
        ",
        expect![[r#"
            i1 = call(p0, 1) find
            guard_no_panic()
            call() touch
            guard_no_panic()
            i2 = call(p0, 1) find
            guard_no_panic()
            i3 = int_add(i1, i2)
            finish(i3)
        "#]],
    );
}

#[test]
fn a_look_up_that_the_loop_leaves_alone_is_made_before_it() {
    check(
        Passes::all(),
        "
        [p0, i1]
        i2 = call(p0, 3) find
        guard_no_panic() @ 0:1 r0=p0 r1=i1
        i3 = int_add(i1, i2)
        setfield_i(p0, i3) Frame.sp
        i4 = int_lt(i3, 100)
        guard_true(i4) @ 0:2 r0=p0 r1=i3
        jump(p0, i3)
        ",
        expect![[r#"
            [p0, i1]
            label L0(p0, i1)
            i2 = call(p0, 3) find
            guard_no_panic()
              -> [p0, i1]
              @ 0:1 r0=p0 r1=i1
            i3 = int_add(i1, i2)
            i4 = int_lt(i3, 100)
            guard_true(i4)
              -> [p0, i3]
              p0.Frame.sp = i3
              @ 0:2 r0=p0 r1=i3
            jump L1(p0, i3, i2)
            label L1(p5, i6, i7)
            i8 = int_add(i6, i7)
            i9 = int_lt(i8, 100)
            guard_true(i9)
              -> [p5, i8]
              p5.Frame.sp = i8
              @ 0:2 r0=p5 r1=i8
            jump L1(p5, i8, i7)
        "#]],
    );
}

#[test]
fn a_look_up_that_the_loop_disturbs_stays_in_it() {
    check(
        Passes::all(),
        "
        [p0, i1]
        i2 = call(p0, 3) find
        guard_no_panic() @ 0:1 r0=p0 r1=i1
        i3 = int_add(i1, i2)
        setfield_i(p0, i3) Node.value
        i4 = int_lt(i3, 100)
        guard_true(i4) @ 0:2 r0=p0 r1=i3
        jump(p0, i3)
        ",
        expect![[r#"
            [p0, i1]
            label L0(p0, i1)
            i2 = call(p0, 3) find
            guard_no_panic()
              -> [p0, i1]
              @ 0:1 r0=p0 r1=i1
            i3 = int_add(i1, i2)
            i4 = int_lt(i3, 100)
            guard_true(i4)
              -> [p0, i3]
              p0.Node.value = i3
              @ 0:2 r0=p0 r1=i3
            jump L1(p0, i3)
            label L1(p5, i6)
            setfield_i(p5, i6) Node.value
            i7 = call(p5, 3) find
            guard_no_panic()
              -> [p5, i6]
              @ 0:1 r0=p5 r1=i6
            i8 = int_add(i6, i7)
            i9 = int_lt(i8, 100)
            guard_true(i9)
              -> [p5, i8]
              p5.Node.value = i8
              @ 0:2 r0=p5 r1=i8
            jump L1(p5, i8)
        "#]],
    );
}

/// Nothing that it is given and nothing that it reads changes in the loop, not even by a call of
/// which nothing is known.
#[test]
fn a_call_that_takes_and_reads_nothing_is_made_before_the_loop() {
    check(
        Passes::all(),
        "
        [i0]
        i1 = call() base
        guard_no_panic() @ 0:1 r1=i0
        call() touch
        guard_no_panic() @ 0:1 r1=i0
        i2 = int_add(i0, i1)
        i3 = int_lt(i2, 100)
        guard_true(i3) @ 0:2 r1=i2
        jump(i2)
        ",
        expect![[r#"
            [i0]
            label L0(i0)
            i1 = call() base
            guard_no_panic()
              -> [i0]
              @ 0:1 r1=i0
            call() touch
            guard_no_panic()
              -> [i0]
              @ 0:1 r1=i0
            i2 = int_add(i0, i1)
            i3 = int_lt(i2, 100)
            guard_true(i3)
              -> [i2]
              @ 0:2 r1=i2
            jump L1(i2, i1)
            label L1(i4, i5)
            call() touch
            guard_no_panic()
              -> [i4]
              @ 0:1 r1=i4
            i6 = int_add(i4, i5)
            i7 = int_lt(i6, 100)
            guard_true(i7)
              -> [i6]
              @ 0:2 r1=i6
            jump L1(i6, i5)
        "#]],
    );
}
