//! Components that need not be loaded, stored or kept because of the tag beside them, and where
//! nothing may be concluded.

use crate::common::{check_left, check_left_with};
use expect_test::expect;

#[test]
fn a_known_tag_makes_the_unused_components_zero() {
    check_left(
        "
        [p0]
        i1 = getfield_i(p0) Union.tag
        i2 = getfield_i(p0) Union.whole
        p3 = getfield_r(p0) Union.object
        guard_value(i1, 1) @ 0:1 r0=i1 r1=i2 r2=p3
        i4 = ptr_eq(p3, null)
        i5 = int_add(i2, i4)
        finish(i5)
        ",
        expect![[r#"
            i1 = getfield_i(p0) Union.tag
            i2 = getfield_i(p0) Union.whole
            p3 = getfield_r(p0) Union.object
            guard_value(i1, 1)
            i4 = int_add(i2, 1)
            finish(i4)
        "#]],
    );
}

#[test]
fn behind_a_known_tag_nothing_unused_is_loaded() {
    check_left(
        "
        [p0]
        i1 = getfield_i(p0) Union.tag
        guard_value(i1, 3) @ 0:1 r0=i1
        i2 = getfield_i(p0) Union.whole
        p3 = getfield_r(p0) Union.object
        finish(i2, p3)
        ",
        expect![[r#"
            i1 = getfield_i(p0) Union.tag
            guard_value(i1, 3)
            p2 = getfield_r(p0) Union.object
            finish(0, p2)
        "#]],
    );
}

#[test]
fn an_item_that_keeps_its_variant_is_stored_in_one_word() {
    check_left(
        "
        [p0, i1]
        i2 = getitem_i(p0, i1) Unions
        i3 = getitem_i(p0, i1) Unions#1
        p4 = getitem_r(p0, i1) Unions#2
        guard_value(i2, 1) @ 0:1 r0=i2 r1=i3 r2=p4
        i5 = int_add(i3, 1)
        setitem_i(p0, i1, 1) Unions
        setitem_i(p0, i1, i5) Unions#1
        setitem_r(p0, i1, null) Unions#2
        finish()
        ",
        expect![[r#"
            i2 = getitem_i(p0, i1) Unions
            i3 = getitem_i(p0, i1) Unions#1
            p4 = getitem_r(p0, i1) Unions#2
            guard_value(i2, 1)
            i5 = int_add(i3, 1)
            setitem_i(p0, i1, i5) Unions#1
            finish()
        "#]],
    );
}

#[test]
fn a_component_keeps_its_relation_where_it_goes() {
    // The tag is looked at after the place has been overwritten.
    check_left(
        "
        [p0]
        i1 = getfield_i(p0) Union.tag
        i2 = getfield_i(p0) Union.whole
        p3 = getfield_r(p0) Union.object
        setfield_i(p0, 0) Union.tag
        setfield_i(p0, 0) Union.whole
        setfield_r(p0, null) Union.object
        i4 = int_eq(i1, 3)
        guard_true(i4) @ 0:1 r0=i2 r1=p3
        finish(i2)
        ",
        expect![[r#"
            i1 = getfield_i(p0) Union.tag
            i2 = getfield_i(p0) Union.whole
            p3 = getfield_r(p0) Union.object
            i4 = int_eq(i1, 3)
            guard_true(i4)
            setfield_i(p0, 0) Union.tag
            setfield_i(p0, 0) Union.whole
            setfield_r(p0, null) Union.object
            finish(0)
        "#]],
    );
}

#[test]
fn components_of_two_values_are_not_mixed() {
    // A call may have put another value there.
    check_left(
        "
        [p0]
        i1 = getfield_i(p0) Union.tag
        call() touch
        guard_no_panic() @ 0:1 r0=i1
        i2 = getfield_i(p0) Union.whole
        guard_value(i1, 3) @ 0:2 r0=i2
        finish(i2)
        ",
        expect![[r#"
            i1 = getfield_i(p0) Union.tag
            call() touch
            guard_no_panic()
            i2 = getfield_i(p0) Union.whole
            guard_value(i1, 3)
            finish(i2)
        "#]],
    );
}

#[test]
fn what_a_loop_delays_says_what_belongs_together() {
    // The value of the next iteration goes around as three words. Behind the guard on its tag the
    // reference is null.
    check_left(
        "
        [i0, p1, p2]
        i3 = getfield_i(p2) Union.tag
        guard_value(i3, 1) @ 0:1 r0=i0 r1=p1 r2=p2
        p4 = getfield_r(p2) Union.object
        i5 = ptr_eq(p4, null)
        i6 = int_sub(i0, i5)
        i7 = getitem_i(p1, i6) Unions
        i8 = getitem_i(p1, i6) Unions#1
        p9 = getitem_r(p1, i6) Unions#2
        setfield_i(p2, i7) Union.tag
        setfield_i(p2, i8) Union.whole
        setfield_r(p2, p9) Union.object
        jump(i6, p1, p2)
        ",
        expect![[r#"
            i3 = getfield_i(p2) Union.tag
            guard_value(i3, 1)
            i4 = int_add(i0, -1)
            i5 = getitem_i(p1, i4) Unions
            i6 = getitem_i(p1, i4) Unions#1
            p7 = getitem_r(p1, i4) Unions#2
            jump L1(i4, p1, p2, i5, i6, p7)
            label L1(i8, p9, p10, i11, i12, p13)
            guard_value(i11, 1)
            i14 = int_add(i8, -1)
            i15 = getitem_i(p9, i14) Unions
            i16 = getitem_i(p9, i14) Unions#1
            p17 = getitem_r(p9, i14) Unions#2
            jump L1(i14, p9, p10, i15, i16, p17)
        "#]],
    );
}

/// Functions that are said to write nothing; the second may have broken its promise.
const PROMISES: &str = "fn keeps() -> int opaque reads() writes()\n\
                        fn breaks() -> int opaque reads() writes() suspects(*)\n";

/// A tag from before the call would say of a word from behind it what it is.
#[test]
fn a_broken_promise_tears_no_value() {
    let around = |call: &str, expect| {
        let text = format!(
            "
            [p0, p1, i1]
            i2 = getitem_i(p0, 0) Unions
            guard_value(i2, 1) @ 0:1 r0=p0 r1=p1
            i3 = getitem_i(p1, i1) Unions
            guard_value(i3, 1) @ 0:1 r0=p0 r1=p1
            i4 = getfield_i(p0) Node.value
            i5 = call() {call}
            guard_no_panic() @ 0:1 r0=p0 r1=p1
            i6 = getfield_i(p0) Node.value
            i7 = getitem_i(p0, 0) Unions
            guard_value(i7, 1) @ 0:1 r0=p0 r1=p1
            i8 = getitem_i(p0, 0) Unions#1
            setitem_i(p1, i1, 1) Unions
            setitem_i(p1, i1, 4) Unions#1
            setitem_r(p1, i1, null) Unions#2
            finish(i4, i6, i8)
            "
        );
        check_left_with(PROMISES, &text, expect);
    };
    around(
        "keeps",
        expect![[r#"
        i3 = getitem_i(p0, 0) Unions
        guard_value(i3, 1)
        i4 = getitem_i(p1, i2) Unions
        guard_value(i4, 1)
        i5 = getfield_i(p0) Node.value
        i6 = call() keeps
        guard_no_panic()
        i7 = getitem_i(p0, 0) Unions#1
        setitem_i(p1, i2, 4) Unions#1
        setitem_r(p1, i2, null) Unions#2
        finish(i5, i5, i7)
    "#]],
    );
    around(
        "breaks",
        expect![[r#"
        i3 = getitem_i(p0, 0) Unions
        guard_value(i3, 1)
        i4 = getitem_i(p1, i2) Unions
        guard_value(i4, 1)
        i5 = getfield_i(p0) Node.value
        i6 = call() breaks
        guard_no_panic()
        i7 = getitem_i(p0, 0) Unions
        guard_value(i7, 1)
        i8 = getitem_i(p0, 0) Unions#1
        setitem_i(p1, i2, 1) Unions
        setitem_i(p1, i2, 4) Unions#1
        setitem_r(p1, i2, null) Unions#2
        finish(i5, i5, i8)
    "#]],
    );
}

/// What waits goes to the place as a whole, whatever is there then.
#[test]
fn what_is_delayed_is_known_behind_a_broken_promise() {
    check_left_with(
        PROMISES,
        "
        [p0, i1]
        setitem_i(p0, 0, 1) Unions
        setitem_i(p0, 0, i1) Unions#1
        setitem_r(p0, 0, null) Unions#2
        i5 = call() breaks
        guard_no_panic() @ 0:1 r0=p0
        i7 = getitem_i(p0, 0) Unions
        guard_value(i7, 1) @ 0:1 r0=p0
        i8 = getitem_i(p0, 0) Unions#1
        finish(i8)
        ",
        expect![[r#"
            i2 = call() breaks
            guard_no_panic()
            setitem_i(p0, 0, 1) Unions
            setitem_i(p0, 0, i1) Unions#1
            setitem_r(p0, 0, null) Unions#2
            finish(i1)
        "#]],
    );
}
