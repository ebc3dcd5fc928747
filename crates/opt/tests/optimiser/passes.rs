//! Each pass by itself: what it removes, and what it must leave alone.

use crate::common::check;
use expect_test::expect;
use verdigris_opt::Passes;

fn straight(text: &str, expected: expect_test::Expect) {
    check(Passes::all(), text, expected);
}

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
fn a_virtual_that_does_not_escape_is_never_made() {
    straight(
        "
        [i0]
        p1 = new() Int
        setfield_i(p1, i0) Int.value
        guard_class(p1) Int @ 0:1 r0=p1
        i2 = getfield_i(p1) Int.value
        i3 = int_gt(i2, 5)
        guard_true(i3) @ 0:2 r0=p1
        finish(i2)
        ",
        expect![[r#"
            [i0]
            label L0(i0)
            i1 = int_gt(i0, 5)
            guard_true(i1)
              -> [i0]
              v0 = Int{value: i0}
              @ 0:2 r0=v0
            finish(i0)
        "#]],
    );
}

#[test]
fn guards_of_virtuals_go_with_the_virtuals() {
    // Allocation removal alone: the class of p1 is known without a check; that of p0 is checked twice, as recorded.
    let virtuals = Passes {
        virtuals: true,
        ..Passes::none()
    };
    check(
        virtuals,
        "
        [p0]
        guard_class(p0) Int @ 0:1 r0=p0
        p1 = new() Int
        guard_class(p1) Int @ 0:2 r0=p0 r1=p1
        guard_class(p0) Int @ 0:3 r0=p0 r1=p1
        call(p1) show
        guard_no_panic() @ 0:4 r0=p0 r1=p1
        guard_class(p1) Int @ 0:5 r0=p0 r1=p1
        finish(p0)
        ",
        expect![[r#"
            [p0]
            label L0(p0)
            guard_class(p0) Int
              -> [p0]
              @ 0:1 r0=p0
            guard_class(p0) Int
              -> [p0]
              v0 = Int{}
              @ 0:3 r0=p0 r1=v0
            p1 = new() Int
            call(p1) show
            guard_no_panic()
              -> [p0, p1]
              @ 0:4 r0=p0 r1=p1
            guard_class(p1) Int
              -> [p0, p1]
              @ 0:5 r0=p0 r1=p1
            finish(p0)
        "#]],
    );
}

#[test]
fn fields_are_lifted_in_the_order_of_the_class() {
    straight(
        "
        [p0, i1]
        p2 = new() Node
        setfield_i(p2, i1) Node.value
        setfield_r(p2, p0) Node.next
        finish(p2)
        ",
        expect![[r#"
            [p0, i1]
            label L0(p0, i1)
            p2 = new() Node
            setfield_r(p2, p0) Node.next
            setfield_i(p2, i1) Node.value
            finish(p2)
        "#]],
    );
}

#[test]
fn a_cycle_is_lifted_as_a_whole() {
    // Two objects that refer to each other; storing one of them in an object that exists lifts both.
    straight(
        "
        [p0, i1]
        p2 = new() Pair
        p3 = new() Pair
        setfield_r(p2, p3) Pair.first
        setfield_r(p3, p2) Pair.first
        setfield_r(p0, p2) Pair.first
        call() touch
        guard_no_panic() @ 0:1 r0=p0
        finish(p0)
        ",
        expect![[r#"
            [p0, i1]
            label L0(p0, i1)
            p2 = new() Pair
            p3 = new() Pair
            setfield_r(p3, p2) Pair.first
            setfield_r(p2, p3) Pair.first
            setfield_r(p0, p2) Pair.first
            call() touch
            guard_no_panic()
              -> [p0]
              @ 0:1 r0=p0
            finish(p0)
        "#]],
    );
}

#[test]
fn a_cycle_in_an_exit_keeps_its_sharing() {
    straight(
        "
        [i0]
        p1 = new() Pair
        p2 = new() Pair
        setfield_r(p1, p2) Pair.first
        setfield_r(p2, p1) Pair.second
        setfield_r(p2, p2) Pair.first
        guard_true(i0) @ 0:1 r0=p1 r1=p2
        finish()
        ",
        expect![[r#"
            [i0]
            label L0(i0)
            guard_true(i0)
              -> []
              v0 = Pair{first: v1}
              v1 = Pair{second: v0, first: v1}
              @ 0:1 r0=v0 r1=v1
            finish()
        "#]],
    );
}

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
    // The backend computes the sum once for both. An unchecked one may as well start from the older value.
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
fn a_promised_class_needs_no_guard() {
    check(
        Passes::all(),
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
