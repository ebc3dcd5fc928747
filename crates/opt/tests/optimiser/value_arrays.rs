//! Arrays whose items have several words, and long ones: frames, lists of arguments. What is
//! written costs a word, the rest nothing.

use crate::common::{check_left, optimised, straight};
use expect_test::expect;
use std::fmt::Write;
use verdigris_opt::{MAX_VIRTUAL_WORDS, MissedOptimisation, Optimiser, Passes};
use verdigris_trace::{parse, parse_descrs};
use verdigris_traces::{DESCRS, NoObjects};

#[test]
fn a_frame_of_values_is_never_made() {
    // 250 items of three words; the exit is told of three words.
    straight(
        "
        [i0, p1]
        p2 = new_array(250) Unions
        setitem_i(p2, 3, 2) Unions
        setitem_i(p2, 3, i0) Unions#1
        setitem_r(p2, 3, p1) Unions#2
        setitem_i(p2, 249, 0) Unions
        setitem_i(p2, 249, 0) Unions#1
        setitem_r(p2, 249, null) Unions#2
        i3 = arraylen(p2) Unions
        i4 = uint_lt(3, i3)
        guard_true(i4) @ 0:1 r0=p2
        i5 = getitem_i(p2, 3) Unions
        guard_value(i5, 2) @ 0:2 r0=p2
        i6 = getitem_i(p2, 3) Unions#1
        i7 = getitem_i(p2, 100) Unions#1
        p8 = getitem_r(p2, 249) Unions#2
        i9 = int_add(i6, i7)
        i10 = int_gt(i9, 5)
        guard_true(i10) @ 0:3 r0=p2 r1=p8
        finish(i9)
        ",
        expect![[r#"
            [i0, p1]
            label L0(i0, p1)
            i2 = int_gt(i0, 5)
            guard_true(i2)
              -> [i0, p1]
              v0 = Unions[250]{3: 2, 3#1: i0, 3#2: p1}
              @ 0:3 r0=v0 r1=null
            finish(i0)
        "#]],
    );
}

#[test]
fn what_is_written_again_with_zero_costs_nothing() {
    straight(
        "
        [i0]
        p1 = new_array(9) Links
        setitem_i(p1, 7, i0) Links
        setitem_i(p1, 8, i0) Links
        setitem_i(p1, 7, 0) Links
        guard_true(i0) @ 0:1 r0=p1
        finish(p1)
        ",
        expect![[r#"
            [i0]
            label L0(i0)
            guard_true(i0)
              -> []
              v0 = Links[9]{8: 0}
              @ 0:1 r0=v0
            p1 = new_array(9) Links
            setitem_i(p1, 8, i0) Links
            finish(p1)
        "#]],
    );
}

#[test]
fn all_that_a_value_refers_to_exists_before_its_first_word_is_stored() {
    // A collection at the allocation of the `Int` would find a tag without its object.
    straight(
        "
        [i0, p1]
        p2 = new_array(100) Unions
        setitem_i(p2, 60, 3) Unions
        p3 = new() Int
        setfield_i(p3, i0) Int.value
        setitem_r(p2, 60, p3) Unions#2
        setitem_i(p2, 4, 1) Unions
        setitem_i(p2, 4, i0) Unions#1
        setfield_r(p1, p2) Pair.first
        call() touch
        guard_no_panic() @ 0:1 r0=p1
        finish(p1)
        ",
        expect![[r#"
            [i0, p1]
            label L0(i0, p1)
            p2 = new_array(100) Unions
            p3 = new() Int
            setfield_i(p3, i0) Int.value
            setitem_i(p2, 4, 1) Unions
            setitem_i(p2, 4, i0) Unions#1
            setitem_i(p2, 60, 3) Unions
            setitem_r(p2, 60, p3) Unions#2
            setfield_r(p1, p2) Pair.first
            call() touch
            guard_no_panic()
              -> [p1]
              @ 0:1 r0=p1
            finish(p1)
        "#]],
    );
}

#[test]
fn an_index_that_is_not_constant_needs_the_array() {
    straight(
        "
        [i0, i1]
        p2 = new_array(100) Links
        setitem_i(p2, 60, i0) Links
        i3 = uint_lt(i1, 100)
        guard_true(i3) @ 0:1 r0=p2
        i4 = getitem_i(p2, i1) Links
        finish(i4)
        ",
        expect![[r#"
            [i0, i1]
            label L0(i0, i1)
            i2 = uint_lt(i1, 100)
            guard_true(i2)
              -> [i0]
              v0 = Links[100]{60: i0}
              @ 0:1 r0=v0
            p3 = new_array(100) Links
            setitem_i(p3, 60, i0) Links
            i4 = getitem_i(p3, i1) Links
            finish(i4)
        "#]],
    );
}

#[test]
fn an_index_that_is_constant_in_the_loop_alone() {
    // The first iteration needs the array, the loop does not.
    check_left(
        "
        [i0, i1]
        i2 = int_gt(i0, 0)
        guard_true(i2) @ 0:1 r0=i0
        i3 = uint_lt(i1, 100)
        guard_true(i3) @ 0:2 r0=i0
        p4 = new_array(100) Links
        setitem_i(p4, i1, i0) Links
        i5 = getitem_i(p4, i1) Links
        i6 = int_sub(i5, 1)
        jump(i6, 70)
        ",
        expect![[r#"
            i2 = int_gt(i0, 0)
            guard_true(i2)
            i3 = uint_lt(i1, 100)
            guard_true(i3)
            p4 = new_array(100) Links
            setitem_i(p4, i1, i0) Links
            i5 = int_add(i0, -1)
            jump L1(i5)
            label L1(i6)
            i7 = int_gt(i6, 0)
            guard_true(i7)
            i8 = int_add(i6, -1)
            jump L1(i8)
        "#]],
    );
}

#[test]
fn a_frame_goes_around_the_loop_in_values() {
    // A frame with an array of values, one of which is an object that is not made either. The
    // frame's first item is a counter.
    check_left(
        "
        [p0]
        guard_class(p0) Pair @ 0:1 r0=p0
        p1 = getfield_r(p0) Pair.first
        guard_class(p1) Unions @ 0:2 r0=p0
        p2 = getitem_r(p1, 0) Unions#2
        guard_class(p2) Int @ 0:3 r0=p0
        i3 = getfield_i(p2) Int.value
        i4 = int_gt(i3, 0)
        guard_true(i4) @ 0:4 r0=p0
        i5 = int_sub(i3, 1)
        p6 = new() Int
        setfield_i(p6, i5) Int.value
        p7 = new_array(200) Unions
        setitem_i(p7, 0, 3) Unions
        setitem_r(p7, 0, p6) Unions#2
        p8 = new() Pair
        setfield_r(p8, p7) Pair.first
        jump(p8)
        ",
        expect![[r#"
            guard_class(p0) Pair
            p1 = getfield_r(p0) Pair.first
            guard_class(p1) Unions
            p2 = getitem_r(p1, 0) Unions#2
            guard_class(p2) Int
            i3 = getfield_i(p2) Int.value
            i4 = int_gt(i3, 0)
            guard_true(i4)
            i5 = int_add(i3, -1)
            jump L1(i5)
            label L1(i6)
            i7 = int_gt(i6, 0)
            guard_true(i7)
            i8 = int_add(i6, -1)
            jump L1(i8)
        "#]],
    );
}

#[test]
fn iterations_may_write_different_items() {
    // Behind the first iteration item 1 holds a value, behind all others zero: the loop takes it
    // for a value.
    check_left(
        "
        [i0, p1, i2]
        guard_class(p1) Links @ 0:1 r0=i0
        i3 = getitem_i(p1, 1) Links
        i4 = getitem_i(p1, 150) Links
        i5 = int_add(i4, i3)
        i6 = int_gt(i5, 0)
        guard_true(i6) @ 0:3 r0=p1
        p7 = new_array(200) Links
        setitem_i(p7, 150, i5) Links
        setitem_i(p7, 1, i2) Links
        jump(i5, p7, 0)
        ",
        expect![[r#"
            guard_class(p1) Links
            i3 = getitem_i(p1, 1) Links
            i4 = getitem_i(p1, 150) Links
            i5 = int_add(i4, i3)
            i6 = int_gt(i5, 0)
            guard_true(i6)
            jump L1(i5, i2)
            label L1(i7, i8)
            i9 = int_add(i7, i8)
            i10 = int_gt(i9, 0)
            guard_true(i10)
            jump L1(i9, 0)
        "#]],
    );
}

#[test]
fn an_array_full_of_one_value_is_made_with_it() {
    let stores = |n: u32| {
        (0..n).fold(String::new(), |s, i| {
            s + &format!("setitem_r(p2, {i}, p1) Stack\n")
        })
    };
    check_left(
        &format!(
            "
            [p0, p1]
            p2 = new_array(100) Stack
            fill_items_r(p2, p1) Stack
            setitem_r(p2, 7, p0) Stack
            p3 = new_array(3) Stack
            fill_items_r(p3, p1) Stack
            p4 = new_array(90) Stack
            {}
            finish(p2, p3, p4)
            ",
            stores(5).replace("p2", "p4")
        ),
        expect![[r#"
            p2 = new_array(100) Stack
            fill_items_r(p2, p1) Stack
            setitem_r(p2, 7, p0) Stack
            p3 = new_array(3) Stack
            setitem_r(p3, 0, p1) Stack
            setitem_r(p3, 1, p1) Stack
            setitem_r(p3, 2, p1) Stack
            p4 = new_array(90) Stack
            setitem_r(p4, 0, p1) Stack
            setitem_r(p4, 1, p1) Stack
            setitem_r(p4, 2, p1) Stack
            setitem_r(p4, 3, p1) Stack
            setitem_r(p4, 4, p1) Stack
            finish(p2, p3, p4)
        "#]],
    );
}

/// A trace that writes so many words of an array, and what is left of it: operations by name, and
/// the classes that were too full.
fn writes(words: usize) -> (usize, usize, Vec<String>) {
    let mut text = "[i0]\np1 = new_array(100000) Links\n".to_owned();
    for n in 0..words {
        writeln!(text, "setitem_i(p1, {}, i0) Links", 2 * n).expect("a string");
    }
    text += "guard_true(i0) @ 0:1 r0=p1\nfinish()\n";
    let descrs = parse_descrs(DESCRS).expect("the descriptors parse");
    let trace = parse(&descrs, &text).expect("a trace");
    let mut optimiser = Optimiser::new(Passes::all());
    let done = optimiser.optimise_loop(&trace, None, &descrs, &mut NoObjects);
    let done = done.expect("the trace is consistent");
    let text = verdigris_trace::print(&descrs, &done.trace);
    let crowded = done
        .remarks
        .iter()
        .filter(|note| note.missed == MissedOptimisation::Crowded);
    let names = crowded.map(|note| note.what.clone());
    let count = |what: &str| text.lines().filter(|l| l.contains(what)).count();
    (count("new_array"), count("setitem"), names.collect())
}

#[test]
fn an_array_may_hold_many_words() {
    assert_eq!(writes(MAX_VIRTUAL_WORDS), (0, 0, vec![]));
    // One word more, and it is made in front of that store; it is said why.
    let (made, _, crowded) = writes(MAX_VIRTUAL_WORDS + 1);
    assert_eq!((made, crowded), (1, vec!["a Links".to_owned()]));
}

#[test]
fn a_long_array_that_is_full_from_the_start_is_made() {
    let (_, trace) = optimised(
        Passes::all(),
        "
        [p0]
        p1 = new_array(100000) Stack
        fill_items_r(p1, p0) Stack
        p2 = new_array(100000) Stack
        fill_items_r(p2, null) Stack
        guard_class(p0) Int @ 0:1 r0=p1 r1=p2
        finish()
        ",
    );
    let made = trace
        .ops()
        .iter()
        .filter(|op| op.opcode().name().starts_with("new_array"));
    assert_eq!(made.count(), 1);
}
