//! Residual calls with effects: which stores are done before them, and what is still known behind
//! them.

use crate::common::{check, straight};
use expect_test::expect;
use verdigris_opt::Passes;

#[test]
fn a_call_without_effects_lets_stores_and_knowledge_pass() {
    straight(
        "
        [p0, i1]
        setfield_i(p0, i1) Node.value
        i2 = getfield_i(p0) Frame.sp
        call() log
        guard_no_panic() @ 0:1 r0=p0
        i3 = getfield_i(p0) Frame.sp
        i4 = getfield_i(p0) Node.value
        i5 = int_add(i3, i4)
        finish(i5)
        ",
        expect![[r#"
            [p0, i1]
            label L0(p0, i1)
            i2 = getfield_i(p0) Frame.sp
            call() log
            guard_no_panic()
              -> [p0, i1]
              p0.Node.value = i1
              @ 0:1 r0=p0
            i3 = int_add(i2, i1)
            setfield_i(p0, i1) Node.value
            finish(i3)
        "#]],
    );
}

#[test]
fn a_function_of_which_nothing_is_known_sees_and_changes_everything() {
    straight(
        "
        [p0, i1]
        setfield_i(p0, i1) Node.value
        call() touch
        guard_no_panic() @ 0:1 r0=p0
        i4 = getfield_i(p0) Node.value
        finish(i4)
        ",
        expect![[r#"
            [p0, i1]
            label L0(p0, i1)
            setfield_i(p0, i1) Node.value
            call() touch
            guard_no_panic()
              -> [p0]
              @ 0:1 r0=p0
            i2 = getfield_i(p0) Node.value
            finish(i2)
        "#]],
    );
}

#[test]
fn what_is_read_is_stored_before_and_known_behind() {
    straight(
        "
        [p0, p1, i2]
        setfield_i(p0, i2) Node.value
        setfield_r(p0, p1) Node.next
        call(p1) peek
        guard_no_panic() @ 0:1 r0=p0
        i3 = getfield_i(p0) Node.value
        p4 = getfield_r(p0) Node.next
        i5 = ptr_eq(p4, p1)
        i6 = int_add(i5, i3)
        finish(i6)
        ",
        expect![[r#"
            [p0, p1, i2]
            label L0(p0, p1, i2)
            setfield_i(p0, i2) Node.value
            call(p1) peek
            guard_no_panic()
              -> [p0, p1]
              p0.Node.next = p1
              @ 0:1 r0=p0
            i3 = int_add(i2, 1)
            setfield_r(p0, p1) Node.next
            finish(i3)
        "#]],
    );
}

#[test]
fn what_is_written_is_stored_before_and_forgotten() {
    straight(
        "
        [p0, p1, p2]
        setfield_r(p0, p1) Pair.first
        setfield_r(p0, p1) Pair.second
        call(p1, p2) cut
        guard_no_panic() @ 0:1 r0=p0
        p3 = getfield_r(p0) Pair.first
        p4 = getfield_r(p0) Pair.second
        i5 = ptr_eq(p3, p4)
        finish(i5)
        ",
        expect![[r#"
            [p0, p1, p2]
            label L0(p0, p1, p2)
            setfield_r(p0, p1) Pair.first
            call(p1, p2) cut
            guard_no_panic()
              -> [p0, p1]
              p0.Pair.second = p1
              @ 0:1 r0=p0
            p3 = getfield_r(p0) Pair.first
            i4 = ptr_eq(p3, p1)
            setfield_r(p0, p1) Pair.second
            finish(i4)
        "#]],
    );
}

#[test]
fn items_count_by_class() {
    straight(
        "
        [p0, p1, p2]
        setitem_r(p0, 0, p2) Stack
        setitem_r(p1, 0, p2) Attrs
        call(p2, p2) cut
        guard_no_panic() @ 0:1 r0=p0
        p3 = getitem_r(p0, 0) Stack
        p4 = getitem_r(p1, 0) Attrs
        i5 = ptr_eq(p3, p4)
        finish(i5)
        ",
        expect![[r#"
            [p0, p1, p2]
            label L0(p0, p1, p2)
            setitem_r(p0, 0, p2) Stack
            call(p2, p2) cut
            guard_no_panic()
              -> [p0, p1, p2]
              p1.Attrs[0] = p2
              @ 0:1 r0=p0
            p3 = getitem_r(p0, 0) Stack
            i4 = ptr_eq(p3, p2)
            setitem_r(p1, 0, p2) Attrs
            finish(i4)
        "#]],
    );
}

#[test]
fn all_reads_are_not_all_writes() {
    straight(
        "
        [p0, i1]
        setfield_i(p0, i1) Node.value
        i2 = getfield_i(p0) Frame.sp
        call(p0) scan
        guard_no_panic() @ 0:1 r0=p0
        i3 = getfield_i(p0) Node.value
        i4 = getfield_i(p0) Frame.sp
        i5 = int_sub(i3, i4)
        finish(i5)
        ",
        expect![[r#"
            [p0, i1]
            label L0(p0, i1)
            setfield_i(p0, i1) Node.value
            call(p0) scan
            guard_no_panic()
              -> [p0]
              @ 0:1 r0=p0
            i2 = getfield_i(p0) Frame.sp
            i3 = int_sub(i1, i2)
            finish(i3)
        "#]],
    );
}

#[test]
fn an_argument_escapes_but_what_is_delayed_elsewhere_does_not() {
    straight(
        "
        [p0, i1]
        p2 = new() Node
        setfield_i(p2, i1) Node.value
        p3 = new() Pair
        setfield_r(p0, p3) Pair.second
        setfield_r(p2, p0) Node.next
        call(p2) peek
        guard_no_panic() @ 0:1 r0=p0
        finish(p2)
        ",
        expect![[r#"
            [p0, i1]
            label L0(p0, i1)
            p2 = new() Node
            setfield_r(p2, p0) Node.next
            setfield_i(p2, i1) Node.value
            call(p2) peek
            guard_no_panic()
              -> [p0]
              v0 = Pair{}
              p0.Pair.second = v0
              @ 0:1 r0=p0
            p3 = new() Pair
            setfield_r(p0, p3) Pair.second
            finish(p2)
        "#]],
    );
}

#[test]
fn an_object_that_the_argument_holds_is_allocated_with_it() {
    straight(
        "
        [p0, i1]
        p2 = new() Node
        p3 = new() Node
        setfield_r(p2, p3) Node.next
        setfield_i(p3, i1) Node.value
        call(p2) peek
        guard_no_panic() @ 0:1 r0=p3
        finish(p3)
        ",
        expect![[r#"
            [p0, i1]
            label L0(p0, i1)
            p2 = new() Node
            p3 = new() Node
            setfield_i(p3, i1) Node.value
            setfield_r(p2, p3) Node.next
            call(p2) peek
            guard_no_panic()
              -> [p3]
              @ 0:1 r0=p3
            finish(p3)
        "#]],
    );
}

#[test]
fn the_order_of_stores_to_one_place_stays() {
    straight(
        "
        [p0, p1, i2, i3]
        setfield_i(p0, i2) Node.value
        setfield_i(p1, i3) Node.value
        call(p0) peek
        guard_no_panic() @ 0:1 r0=p0
        i4 = getfield_i(p0) Node.value
        finish(i4)
        ",
        expect![[r#"
            [p0, p1, i2, i3]
            label L0(p0, p1, i2, i3)
            setfield_i(p0, i2) Node.value
            setfield_i(p1, i3) Node.value
            call(p0) peek
            guard_no_panic()
              -> [p0]
              @ 0:1 r0=p0
            i4 = getfield_i(p0) Node.value
            finish(i4)
        "#]],
    );
}

#[test]
fn a_store_passes_several_calls_and_is_overwritten() {
    straight(
        "
        [p0, i1, i2]
        setfield_i(p0, i1) Frame.sp
        call(p0) peek
        guard_no_panic() @ 0:1 r0=p0
        setfield_i(p0, i2) Frame.sp
        call(p0) bump
        guard_no_panic() @ 0:2 r0=p0
        finish(p0)
        ",
        expect![[r#"
            [p0, i1, i2]
            label L0(p0, i1, i2)
            call(p0) peek
            guard_no_panic()
              -> [p0, i1]
              p0.Frame.sp = i1
              @ 0:1 r0=p0
            call(p0) bump
            guard_no_panic()
              -> [p0, i2]
              p0.Frame.sp = i2
              @ 0:2 r0=p0
            setfield_i(p0, i2) Frame.sp
            finish(p0)
        "#]],
    );
}

#[test]
fn a_store_stays_delayed_around_a_loop_with_a_call() {
    straight(
        "
        [p0, i1]
        i2 = getfield_i(p0) Frame.sp
        i3 = int_add(i2, 1)
        setfield_i(p0, i3) Frame.sp
        call() log
        guard_no_panic() @ 0:1 r0=p0 r1=i1
        i4 = int_sub(i1, 1)
        i5 = int_gt(i4, 0)
        guard_true(i5) @ 0:2 r0=p0 r1=i4
        jump(p0, i4)
        ",
        expect![[r#"
            [p0, i1]
            label L0(p0, i1)
            i2 = getfield_i(p0) Frame.sp
            i3 = int_add(i2, 1)
            call() log
            guard_no_panic()
              -> [p0, i1, i3]
              p0.Frame.sp = i3
              @ 0:1 r0=p0 r1=i1
            i4 = int_add(i1, -1)
            i5 = int_gt(i4, 0)
            guard_true(i5)
              -> [p0, i4, i3]
              p0.Frame.sp = i3
              @ 0:2 r0=p0 r1=i4
            jump L1(p0, i4, i3)
            label L1(p6, i7, i8)
            i9 = int_add(i8, 1)
            call() log
            guard_no_panic()
              -> [p6, i7, i9]
              p6.Frame.sp = i9
              @ 0:1 r0=p6 r1=i7
            i10 = int_add(i7, -1)
            i11 = int_gt(i10, 0)
            guard_true(i11)
              -> [p6, i10, i9]
              p6.Frame.sp = i9
              @ 0:2 r0=p6 r1=i10
            jump L1(p6, i10, i9)
        "#]],
    );
}

#[test]
fn a_call_that_writes_the_place_ends_that() {
    straight(
        "
        [p0, i1]
        i2 = getfield_i(p0) Frame.sp
        i3 = int_add(i2, 1)
        setfield_i(p0, i3) Frame.sp
        call(p0) scan
        guard_no_panic() @ 0:1 r0=p0 r1=i1
        i4 = int_sub(i1, 1)
        i5 = int_gt(i4, 0)
        guard_true(i5) @ 0:2 r0=p0 r1=i4
        jump(p0, i4)
        ",
        expect![[r#"
            [p0, i1]
            label L0(p0, i1)
            i2 = getfield_i(p0) Frame.sp
            i3 = int_add(i2, 1)
            setfield_i(p0, i3) Frame.sp
            call(p0) scan
            guard_no_panic()
              -> [p0, i1]
              @ 0:1 r0=p0 r1=i1
            i4 = int_add(i1, -1)
            i5 = int_gt(i4, 0)
            guard_true(i5)
              -> [p0, i4]
              @ 0:2 r0=p0 r1=i4
            jump L1(p0, i4)
            label L1(p6, i7)
            i8 = getfield_i(p6) Frame.sp
            i9 = int_add(i8, 1)
            setfield_i(p6, i9) Frame.sp
            call(p6) scan
            guard_no_panic()
              -> [p6, i7]
              @ 0:1 r0=p6 r1=i7
            i10 = int_add(i7, -1)
            i11 = int_gt(i10, 0)
            guard_true(i11)
              -> [p6, i10]
              @ 0:2 r0=p6 r1=i10
            jump L1(p6, i10)
        "#]],
    );
}

#[test]
fn a_delayed_virtual_is_made_when_the_guard_fails() {
    straight(
        "
        [p0, i1]
        p2 = new() Int
        setfield_i(p2, i1) Int.value
        setfield_r(p0, p2) Pair.second
        call(p0) peek
        guard_no_panic() @ 0:1 r0=p0
        p3 = new() Int
        setfield_i(p3, 7) Int.value
        setfield_r(p0, p3) Pair.second
        finish(p0)
        ",
        expect![[r#"
            [p0, i1]
            label L0(p0, i1)
            call(p0) peek
            guard_no_panic()
              -> [p0, i1]
              v0 = Int{value: i1}
              p0.Pair.second = v0
              @ 0:1 r0=p0
            p2 = new() Int
            setfield_i(p2, 7) Int.value
            setfield_r(p0, p2) Pair.second
            finish(p0)
        "#]],
    );
}

#[test]
fn without_the_heap_pass_nothing_is_delayed() {
    check(
        Passes::parse("all-heap").expect("known passes"),
        "
        [p0, i1]
        setfield_i(p0, i1) Node.value
        call() log
        guard_no_panic() @ 0:1 r0=p0
        i4 = getfield_i(p0) Node.value
        finish(i4)
        ",
        expect![[r#"
            [p0, i1]
            label L0(p0, i1)
            setfield_i(p0, i1) Node.value
            call() log
            guard_no_panic()
              -> [p0]
              @ 0:1 r0=p0
            i2 = getfield_i(p0) Node.value
            finish(i2)
        "#]],
    );
}
