//! Words of values: casts that vanish, casts that are made where the form wants a word, and what a
//! loop takes as a word.

use crate::common::{check_left, straight};
use expect_test::expect;

#[test]
fn a_cast_there_and_back_is_nothing() {
    check_left(
        "
        [i0, p1]
        p2 = new() Lean
        setfield_i(p2, 1) Lean.tag
        w3 = word_from_int(i0)
        setfield_w(p2, w3) Lean.word
        w4 = getfield_w(p2) Lean.word
        i5 = int_from_word(w4)
        i6 = int_add(i5, 1)
        w7 = word_from_ref(p1)
        p8 = ref_from_word(w7)
        finish(i6, p8)
        ",
        expect![[r#"
            i2 = int_add(i0, 1)
            finish(i2, p1)
        "#]],
    );
}

#[test]
fn the_form_gets_the_words_that_it_wants() {
    check_left(
        "
        [i0, p1]
        guard_class(p1) Lean @ 0:1 r0=p1
        w2 = word_from_int(i0)
        setfield_w(p1, w2) Lean.word
        call(p1) show
        guard_no_panic() @ 0:2 r0=w2
        w3 = word_from_float(1.5)
        f4 = float_from_word(w3)
        f5 = float_from_word(w2)
        finish(w2, w3, f4, f5)
        ",
        expect![[r#"
            guard_class(p1) Lean
            w2 = word_from_int(i0)
            setfield_w(p1, w2) Lean.word
            call(p1) show
            guard_no_panic()
            f3 = float_from_word(w2)
            w4 = word_from_float(1.5)
            finish(w2, w4, 1.5, f3)
        "#]],
    );
}

#[test]
fn an_object_in_a_word_stays_virtual() {
    straight(
        "
        [i0, p1]
        p2 = new() Int
        setfield_i(p2, i0) Int.value
        w3 = word_from_ref(p2)
        p4 = new() Lean
        setfield_i(p4, 3) Lean.tag
        setfield_w(p4, w3) Lean.word
        guard_class(p1) Lean @ 0:1 r0=p1 r1=w3 r2=p4
        setfield_i(p1, 3) Lean.tag
        setfield_w(p1, w3) Lean.word
        guard_true(i0) @ 0:2 r0=p1 r1=w3
        finish(i0)
        ",
        expect![[r#"
            [i0, p1]
            label L0(i0, p1)
            guard_class(p1) Lean
              -> [p1, i0]
              v0 = Int{value: i0}
              v1 = Lean{tag: 3, word: v0}
              @ 0:1 r0=p1 r1=v0 r2=v1
            guard_true(i0)
              -> [p1]
              v0 = Int{value: 0}
              p1.Lean.tag = 3
              p1.Lean.word = v0
              @ 0:2 r0=p1 r1=v0
            setfield_i(p1, 3) Lean.tag
            p2 = new() Int
            setfield_i(p2, i0) Int.value
            w3 = word_from_ref(p2)
            setfield_w(p1, w3) Lean.word
            finish(i0)
        "#]],
    );
}

#[test]
fn words_that_are_moved_need_no_guard() {
    check_left(
        "
        [p0, p1]
        guard_class(p0) Lean @ 0:1 r0=p0
        guard_class(p1) Lean @ 0:2 r0=p0
        i2 = getfield_i(p0) Lean.tag
        w3 = getfield_w(p0) Lean.word
        setfield_i(p1, i2) Lean.tag
        setfield_w(p1, w3) Lean.word
        i4 = getfield_i(p1) Lean.tag
        w5 = getfield_w(p1) Lean.word
        guard_value(i4, 1) @ 0:3 r0=w5
        i6 = int_from_word(w5)
        i7 = int_from_word(w3)
        i8 = int_add(i6, i7)
        finish(i8)
        ",
        expect![[r#"
            guard_class(p0) Lean
            guard_class(p1) Lean
            i2 = getfield_i(p0) Lean.tag
            w3 = getfield_w(p0) Lean.word
            guard_value(i2, 1)
            i4 = int_from_word(w3)
            i5 = int_add(i4, i4)
            setfield_i(p1, 1) Lean.tag
            setfield_w(p1, w3) Lean.word
            finish(i5)
        "#]],
    );
}

#[test]
fn a_loop_carries_what_its_words_are() {
    straight(
        "
        [i0, w1]
        i2 = int_from_word(w1)
        i3 = int_add(i2, i0)
        w4 = word_from_int(i3)
        i5 = int_lt(i3, 100)
        guard_true(i5) @ 0:1 r0=w4
        jump(i0, w4)
        ",
        expect![[r#"
            [i0, w1]
            label L0(i0, w1)
            i2 = int_from_word(w1)
            i3 = int_add(i2, i0)
            i4 = int_lt(i3, 100)
            guard_true(i4)
              -> [i3]
              @ 0:1 r0=i3
            jump L1(i0, i3)
            label L1(i5, i6)
            i7 = int_add(i6, i5)
            i8 = int_lt(i7, 100)
            guard_true(i8)
              -> [i7]
              @ 0:1 r0=i7
            jump L1(i5, i7)
        "#]],
    );
}

#[test]
fn a_loop_takes_a_word_for_what_differs() {
    straight(
        "
        [i0, i1, w2, p3]
        guard_class(p3) Lean @ 0:1 r0=w2
        w4 = getfield_w(p3) Lean.word
        setfield_w(p3, w2) Lean.word
        call(p3) show
        guard_no_panic() @ 0:2 r0=w4
        w5 = word_from_int(i0)
        jump(i0, 0, w5, p3)
        ",
        expect![[r#"
            [i0, i1, w2, p3]
            label L0(i0, i1, w2, p3)
            guard_class(p3) Lean
              -> [w2]
              @ 0:1 r0=w2
            w4 = getfield_w(p3) Lean.word
            setfield_w(p3, w2) Lean.word
            call(p3) show
            guard_no_panic()
              -> [w4]
              @ 0:2 r0=w4
            jump L1(i0, p3)
            label L1(i5, p6)
            w7 = getfield_w(p6) Lean.word
            w8 = word_from_int(i5)
            setfield_w(p6, w8) Lean.word
            call(p6) show
            guard_no_panic()
              -> [w7]
              @ 0:2 r0=w7
            jump L1(i5, p6)
        "#]],
    );
    straight(
        "
        [i0, w1, w2]
        i3 = int_sub(i0, 1)
        guard_true(i3) @ 0:1 r0=w1 r1=w2
        w4 = word_from_int(i3)
        jump(i3, w2, w4)
        ",
        expect![[r#"
            [i0, w1, w2]
            label L0(i0, w1, w2)
            i3 = int_add(i0, -1)
            guard_true(i3)
              -> [w1, w2]
              @ 0:1 r0=w1 r1=w2
            jump L1(i3, w2)
            label L1(i4, w5)
            i6 = int_add(i4, -1)
            guard_true(i6)
              -> [w5, i4]
              @ 0:1 r0=w5 r1=i4
            w7 = word_from_int(i4)
            jump L1(i6, w7)
        "#]],
    );
}

#[test]
fn the_bits_of_a_double_are_an_integer() {
    check_left(
        "
        [f0]
        w1 = word_from_float(f0)
        i2 = int_from_word(w1)
        w3 = word_from_float(1.0)
        i4 = int_from_word(w3)
        i5 = int_add(i2, i4)
        finish(i5)
        ",
        expect![[r#"
            w1 = word_from_float(f0)
            i2 = int_from_word(w1)
            i3 = int_add(i2, 4607182418800017408)
            finish(i3)
        "#]],
    );
}

#[test]
fn no_other_word_becomes_a_constant_object() {
    check_left(
        "
        [p0]
        w1 = word_from_int(16)
        p2 = ref_from_word(w1)
        i3 = ptr_eq(p0, p2)
        finish(i3)
        ",
        expect![[r#"
            w1 = word_from_int(16)
            p2 = ref_from_word(w1)
            i3 = ptr_eq(p0, p2)
            finish(i3)
        "#]],
    );
}

#[test]
fn an_elidable_call_with_constants_folds_to_its_words() {
    straight(
        "
        [i0]
        i1, w2 = call(1) lean
        guard_no_panic() @ 0:1 r0=i0
        guard_value(i1, 1) @ 0:2 r0=i0
        i3 = int_from_word(w2)
        i4 = int_add(i0, i3)
        guard_true(i4) @ 0:3 r0=i4
        jump(i4)
        ",
        expect![[r#"
            [i0]
            label L0(i0)
            i1 = int_add(i0, 1)
            guard_true(i1)
              -> []
              @ 0:3 r0=0
            jump L1(i1)
            label L1(i2)
            i3 = int_add(i2, 1)
            guard_true(i3)
              -> []
              @ 0:3 r0=0
            jump L1(i3)
        "#]],
    );
}

#[test]
fn an_elidable_call_with_words_is_made_once() {
    straight(
        "
        [i0, i1]
        i2, w3 = call(i1) lean
        guard_no_panic() @ 0:1 r0=i0
        guard_value(i2, 1) @ 0:2 r0=i0
        i4 = int_from_word(w3)
        i5 = int_add(i0, i4)
        guard_true(i5) @ 0:3 r0=i5
        jump(i5, i1)
        ",
        expect![[r#"
            [i0, i1]
            label L0(i0, i1)
            i2, w3 = call(i1) lean
            guard_no_panic()
              -> [i0]
              @ 0:1 r0=i0
            guard_value(i2, 1)
              -> [i0]
              @ 0:2 r0=i0
            i4 = int_from_word(w3)
            i5 = int_add(i0, i4)
            guard_true(i5)
              -> []
              @ 0:3 r0=0
            jump L1(i5, i4)
            label L1(i6, i7)
            i8 = int_add(i6, i7)
            guard_true(i8)
              -> []
              @ 0:3 r0=0
            jump L1(i8, i7)
        "#]],
    );
}

#[test]
fn items_that_are_filled_are_known() {
    check_left(
        "
        [i0, p1]
        p2 = new_array(3) Stack
        fill_items_r(p2, p1) Stack
        p3 = getitem_r(p2, 1) Stack
        i4 = ptr_eq(p3, p1)
        guard_true(i4) @ 0:1 r0=p2
        finish(i4)
        ",
        expect![[r#"
            finish(1)
        "#]],
    );
    check_left(
        "
        [i0, p1]
        p2 = new_array(i0) Stack
        fill_items_r(p2, p1) Stack
        setitem_r(p2, 0, null) Stack
        p3 = getitem_r(p2, 0) Stack
        p4 = getitem_r(p2, 1) Stack
        finish(p3, p4)
        ",
        expect![[r#"
            p2 = new_array(i0) Stack
            fill_items_r(p2, p1) Stack
            p3 = getitem_r(p2, 1) Stack
            setitem_r(p2, 0, null) Stack
            finish(null, p3)
        "#]],
    );
}
