//! Bounds across iterations: what a loop's body assumes, what bridges may know of it, and which
//! bridges fit.

use crate::common::{check, check_left};
use expect_test::{Expect, expect};
use verdigris_opt::{GuardKnowledge, Optimiser, Passes};
use verdigris_trace::{parse, parse_descrs, print, verify};
use verdigris_traces::DESCRS;

/// `while i < len { sum += code[i]; i += 1 }` with an overflow check.
const COUNTED: &str = "
    [p0, i1, i2]
    i3 = arraylen(p0) Code
    i4 = int_lt(i1, i3)
    guard_true(i4) @ 0:1 r0=p0 r1=i1 r2=i2
    i5 = uint_lt(i1, i3)
    guard_true(i5) @ 0:2 r0=p0 r1=i1 r2=i2
    i6 = getitem_i(p0, i1) Code
    i7 = int_add(i2, i6)
    i8 = int_add_overflows(i1, 1)
    guard_false(i8) @ 0:3 r0=p0 r1=i1 r2=i2
    i9 = int_add(i1, 1)
    jump(p0, i9, i7)
";

#[test]
fn a_counted_loop_checks_its_index_once() {
    check(
        Passes::all(),
        COUNTED,
        expect![[r#"
        [p0, i1, i2]
        label L0(p0, i1, i2)
        i3 = arraylen(p0) Code
        i4 = int_lt(i1, i3)
        guard_true(i4)
          -> [p0, i1, i2]
          @ 0:1 r0=p0 r1=i1 r2=i2
        i5 = uint_lt(i1, i3)
        guard_true(i5)
          -> [p0, i1, i2]
          @ 0:2 r0=p0 r1=i1 r2=i2
        i6 = getitem_i(p0, i1) Code
        i7 = int_add(i2, i6)
        i8 = int_add(i1, 1)
        jump L1(p0, i8, i7, i3)
        label L1(p9, i10, i11, i12)
        i13 = int_lt(i10, i12)
        guard_true(i13)
          -> [p9, i10, i11]
          @ 0:1 r0=p9 r1=i10 r2=i11
        i14 = getitem_i(p9, i10) Code
        i15 = int_add(i11, i14)
        i16 = int_add(i10, 1)
        jump L1(p9, i16, i15, i12)
    "#]],
    );
}

#[test]
fn a_counter_without_a_limit_keeps_its_check() {
    check_left(
        "
        [i0, i1]
        i2 = int_ge(i0, 0)
        guard_true(i2) @ 0:1 r0=i0
        i3 = int_add_overflows(i0, i1)
        guard_false(i3) @ 0:2 r0=i0
        i4 = int_add(i0, i1)
        jump(i4, i1)
        ",
        expect![[r#"
            i2 = int_ge(i0, 0)
            guard_true(i2)
            i3 = int_add_overflows(i0, i1)
            guard_false(i3)
            i4 = int_add(i0, i1)
            jump L1(i4, i1)
            label L1(i5, i6)
            i7 = int_ge(i5, 0)
            guard_true(i7)
            i8 = int_add_overflows(i5, i6)
            guard_false(i8)
            i9 = int_add(i5, i6)
            jump L1(i9, i6)
        "#]],
    );
}

#[test]
fn a_mask_survives_the_loop() {
    check_left(
        "
        [i0, i1]
        i2 = uint_lt(i0, 256)
        guard_true(i2) @ 0:1 r0=i0
        i3 = int_add(i0, i1)
        i4 = int_and(i3, 255)
        i5 = int_eq(i4, i1)
        guard_false(i5) @ 0:2 r0=i0
        jump(i4, i1)
        ",
        expect![[r#"
            i2 = uint_lt(i0, 256)
            guard_true(i2)
            i3 = int_add(i0, i1)
            i4 = int_and(i3, 255)
            i5 = int_eq(i4, i1)
            guard_false(i5)
            jump L1(i4, i1)
            label L1(i6, i7)
            i8 = int_add(i6, i7)
            i9 = int_and(i8, 255)
            i10 = int_eq(i9, i7)
            guard_false(i10)
            jump L1(i9, i7)
        "#]],
    );
}

#[test]
fn a_loop_invariant_guard_stands_in_the_entry() {
    check_left(
        "
        [i0, i1, i2]
        i3 = int_lt(i1, i2)
        guard_true(i3) @ 0:1 r0=i0
        i4 = int_gt(i0, 0)
        guard_true(i4) @ 0:2 r0=i0
        i5 = int_le(i1, i2)
        guard_true(i5) @ 0:3 r0=i0
        i6 = int_sub(i0, 1)
        jump(i6, i1, i2)
        ",
        expect![[r#"
            i3 = int_lt(i1, i2)
            guard_true(i3)
            i4 = int_gt(i0, 0)
            guard_true(i4)
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

/// A loop, and a bridge from one of its guards that ends in a jump to the loop.
fn bridge(recorded: &str, guard: usize, text: &str, expected: Expect) {
    let descrs = parse_descrs(DESCRS).expect("the descriptors parse");
    let mut optimiser = Optimiser::new(Passes::all());
    let recorded = parse(&descrs, &recorded.replace("jump(", "close(")).expect("parses");
    let mut host = verdigris_traces::NoObjects;
    let done = optimiser.optimise_loop(&recorded, None, &descrs, &mut host);
    let done = done.expect("the loop is consistent");
    let entry = done.entry.expect("a loop has an entry").as_u32();
    let text = text.replace("entry", &format!("L{entry}"));
    let text = parse(&descrs, &text).unwrap_or_else(|e| panic!("{e:?}"));
    let mut optimise = |facts: &GuardKnowledge| {
        let bridge = optimiser.optimise_bridge(&text, facts, None, &descrs, &mut host);
        let bridge = bridge.expect("the bridge is consistent");
        verify(&descrs, &bridge.trace).unwrap_or_else(|e| panic!("{e:?}"));
        print(&descrs, &bridge.trace)
    };
    let knowing = optimise(&done.guard_knowledge[guard]);
    expected.assert_eq(&format!(
        "{}\n{}\n{knowing}",
        print(&descrs, &done.trace),
        optimise(&GuardKnowledge::default())
    ));
}

#[test]
fn a_bridge_knows_the_bounds_at_its_guard() {
    bridge(
        "
        [i0, i1]
        i2 = int_gt(i0, 0)
        guard_true(i2) @ 0:1 r0=i0 r1=i1
        i3 = int_eq(i1, 77)
        guard_false(i3) @ 0:2 r0=i0 r1=i1
        i4 = int_sub(i0, 1)
        jump(i4, i1)
        ",
        1,
        "
        [i0, i1]
        i2 = int_sub_overflows(i0, 1)
        guard_false(i2) @ 0:3 r0=i0
        finish(i0)
        ",
        expect![[r#"
            [i0, i1]
            label L0(i0, i1)
            i2 = int_gt(i0, 0)
            guard_true(i2)
              -> [i0, i1]
              @ 0:1 r0=i0 r1=i1
            i3 = int_eq(i1, 77)
            guard_false(i3)
              -> [i0, i1]
              @ 0:2 r0=i0 r1=i1
            i4 = int_add(i0, -1)
            jump L1(i4, i1)
            label L1(i5, i6)
            i7 = int_gt(i5, 0)
            guard_true(i7)
              -> [i5, i6]
              @ 0:1 r0=i5 r1=i6
            i8 = int_add(i5, -1)
            jump L1(i8, i6)

            [i0, i1]
            i2 = int_add_overflows(i0, -1)
            guard_false(i2)
              -> [i0]
              @ 0:3 r0=i0
            finish(i0)

            [i0, i1]
            finish(i0)
        "#]],
    );
}

#[test]
fn a_bridge_does_not_know_a_bound_that_the_body_does_not_demand() {
    // When the entry comes in, i0 is at least 6; the body does not need that, so another bridge may
    // come in without it.
    bridge(
        "
        [i0, i1]
        i2 = int_lt(i1, 100)
        guard_true(i2) @ 0:1 r0=i0 r1=i1
        i3 = int_and(i0, 7)
        i4 = int_add(i3, 6)
        i5 = int_add(i1, i0)
        jump(i4, i5)
        ",
        1,
        "
        [i0, i1]
        i2 = int_gt(i0, 5)
        guard_true(i2) @ 0:2 r0=i0
        jump entry(i0, i1)
        ",
        expect![[r#"
            [i0, i1]
            label L0(i0, i1)
            i2 = int_lt(i1, 100)
            guard_true(i2)
              -> [i0, i1]
              @ 0:1 r0=i0 r1=i1
            i3 = int_and(i0, 7)
            i4 = int_add(i3, 6)
            i5 = int_add(i1, i0)
            jump L1(i4, i5)
            label L1(i6, i7)
            i8 = int_lt(i7, 100)
            guard_true(i8)
              -> [i6, i7]
              @ 0:1 r0=i6 r1=i7
            i9 = int_and(i6, 7)
            i10 = int_add(i9, 6)
            i11 = int_add(i7, i6)
            jump L1(i10, i11)

            [i0, i1]
            i2 = int_gt(i0, 5)
            guard_true(i2)
              -> [i0]
              @ 0:2 r0=i0
            jump L1(i0, i1)

            [i0, i1]
            i2 = int_gt(i0, 5)
            guard_true(i2)
              -> [i0]
              @ 0:2 r0=i0
            jump L1(i0, i1)
        "#]],
    );
}

#[test]
fn a_bridge_into_the_body_satisfies_its_bounds() {
    bridge(
        COUNTED,
        2,
        "
        [p0, i1, i2]
        i3 = int_add(i1, i2)
        jump entry(p0, i3, i2)
        ",
        expect![[r#"
            [p0, i1, i2]
            label L0(p0, i1, i2)
            i3 = arraylen(p0) Code
            i4 = int_lt(i1, i3)
            guard_true(i4)
              -> [p0, i1, i2]
              @ 0:1 r0=p0 r1=i1 r2=i2
            i5 = uint_lt(i1, i3)
            guard_true(i5)
              -> [p0, i1, i2]
              @ 0:2 r0=p0 r1=i1 r2=i2
            i6 = getitem_i(p0, i1) Code
            i7 = int_add(i2, i6)
            i8 = int_add(i1, 1)
            jump L1(p0, i8, i7, i3)
            label L1(p9, i10, i11, i12)
            i13 = int_lt(i10, i12)
            guard_true(i13)
              -> [p9, i10, i11]
              @ 0:1 r0=p9 r1=i10 r2=i11
            i14 = getitem_i(p9, i10) Code
            i15 = int_add(i11, i14)
            i16 = int_add(i10, 1)
            jump L1(p9, i16, i15, i12)

            [p0, i1, i2]
            i3 = int_add(i1, i2)
            jump L0(p0, i3, i2)

            [p0, i1, i2]
            i3 = int_add(i1, i2)
            jump L0(p0, i3, i2)
        "#]],
    );
    bridge(
        COUNTED,
        2,
        "
        [p0, i1, i2]
        i3 = arraylen(p0) Code
        i4 = int_and(i2, 7)
        jump entry(p0, i4, i2)
        ",
        expect![[r#"
            [p0, i1, i2]
            label L0(p0, i1, i2)
            i3 = arraylen(p0) Code
            i4 = int_lt(i1, i3)
            guard_true(i4)
              -> [p0, i1, i2]
              @ 0:1 r0=p0 r1=i1 r2=i2
            i5 = uint_lt(i1, i3)
            guard_true(i5)
              -> [p0, i1, i2]
              @ 0:2 r0=p0 r1=i1 r2=i2
            i6 = getitem_i(p0, i1) Code
            i7 = int_add(i2, i6)
            i8 = int_add(i1, 1)
            jump L1(p0, i8, i7, i3)
            label L1(p9, i10, i11, i12)
            i13 = int_lt(i10, i12)
            guard_true(i13)
              -> [p9, i10, i11]
              @ 0:1 r0=p9 r1=i10 r2=i11
            i14 = getitem_i(p9, i10) Code
            i15 = int_add(i11, i14)
            i16 = int_add(i10, 1)
            jump L1(p9, i16, i15, i12)

            [p0, i1, i2]
            i3 = arraylen(p0) Code
            i4 = int_and(i2, 7)
            jump L1(p0, i4, i2, i3)

            [p0, i1, i2]
            i3 = arraylen(p0) Code
            i4 = int_and(i2, 7)
            jump L1(p0, i4, i2, i3)
        "#]],
    );
}

/// Two numbers that follow each other; the first is tested.
const CHASED: &str = "
    [p0, p1, i2]
    guard_class(p0) Int @ 0:1 r0=p0 r1=p1 r2=i2
    guard_class(p1) Int @ 0:2 r0=p0 r1=p1 r2=i2
    i3 = getfield_i(p0) Int.value
    i4 = int_lt(i3, 100)
    guard_true(i4) @ 0:3 r0=p0 r1=p1 r2=i2
    i5 = int_eq(i2, 77)
    guard_false(i5) @ 0:4 r0=p0 r1=p1 r2=i2
    p6 = new() Int
    i7 = int_and(i2, 7)
    setfield_i(p6, i7) Int.value
    i8 = int_sub(i2, 1)
    jump(p1, p6, i8)
";

#[test]
fn what_keeps_a_bound_is_demanded_too() {
    // The body relies on the first number being small, and so on the second, which it will be in
    // the next iteration.
    bridge(
        CHASED,
        2,
        "
        [p0, p1, i2]
        p3 = new() Int
        setfield_i(p3, 5) Int.value
        p4 = new() Int
        setfield_i(p4, i2) Int.value
        jump entry(p3, p4, i2)
        ",
        expect![[r#"
            [p0, p1, i2]
            label L0(p0, p1, i2)
            guard_class(p0) Int
              -> [p0, p1, i2]
              @ 0:1 r0=p0 r1=p1 r2=i2
            guard_class(p1) Int
              -> [p0, p1, i2]
              @ 0:2 r0=p0 r1=p1 r2=i2
            i3 = getfield_i(p0) Int.value
            i4 = int_lt(i3, 100)
            guard_true(i4)
              -> [p0, p1, i2]
              @ 0:3 r0=p0 r1=p1 r2=i2
            i5 = int_eq(i2, 77)
            guard_false(i5)
              -> [p0, p1, i2]
              @ 0:4 r0=p0 r1=p1 r2=i2
            i6 = int_and(i2, 7)
            i7 = int_add(i2, -1)
            i8 = getfield_i(p1) Int.value
            i9 = int_lt(i8, 100)
            guard_true(i9)
              -> [p1, i7, i6]
              v0 = Int{value: i6}
              @ 0:3 r0=p1 r1=v0 r2=i7
            i10 = int_eq(i2, 78)
            guard_false(i10)
              -> [p1, i7, i6]
              v0 = Int{value: i6}
              @ 0:4 r0=p1 r1=v0 r2=i7
            i11 = int_and(i7, 7)
            i12 = int_add(i2, -2)
            jump L1(i6, i11, i12)
            label L1(i13, i14, i15)
            i16 = int_eq(i15, 77)
            guard_false(i16)
              -> [i15, i13, i14]
              v0 = Int{value: i13}
              v1 = Int{value: i14}
              @ 0:4 r0=v0 r1=v1 r2=i15
            i17 = int_and(i15, 7)
            i18 = int_add(i15, -1)
            jump L1(i14, i17, i18)

            [p0, p1, i2]
            p3 = new() Int
            setfield_i(p3, 5) Int.value
            p4 = new() Int
            setfield_i(p4, i2) Int.value
            jump L0(p3, p4, i2)

            [p0, p1, i2]
            p3 = new() Int
            setfield_i(p3, 5) Int.value
            p4 = new() Int
            setfield_i(p4, i2) Int.value
            jump L0(p3, p4, i2)
        "#]],
    );
    bridge(
        CHASED,
        2,
        "
        [p0, p1, i2]
        p3 = new() Int
        setfield_i(p3, 5) Int.value
        p4 = new() Int
        setfield_i(p4, 6) Int.value
        jump entry(p3, p4, i2)
        ",
        expect![[r#"
            [p0, p1, i2]
            label L0(p0, p1, i2)
            guard_class(p0) Int
              -> [p0, p1, i2]
              @ 0:1 r0=p0 r1=p1 r2=i2
            guard_class(p1) Int
              -> [p0, p1, i2]
              @ 0:2 r0=p0 r1=p1 r2=i2
            i3 = getfield_i(p0) Int.value
            i4 = int_lt(i3, 100)
            guard_true(i4)
              -> [p0, p1, i2]
              @ 0:3 r0=p0 r1=p1 r2=i2
            i5 = int_eq(i2, 77)
            guard_false(i5)
              -> [p0, p1, i2]
              @ 0:4 r0=p0 r1=p1 r2=i2
            i6 = int_and(i2, 7)
            i7 = int_add(i2, -1)
            i8 = getfield_i(p1) Int.value
            i9 = int_lt(i8, 100)
            guard_true(i9)
              -> [p1, i7, i6]
              v0 = Int{value: i6}
              @ 0:3 r0=p1 r1=v0 r2=i7
            i10 = int_eq(i2, 78)
            guard_false(i10)
              -> [p1, i7, i6]
              v0 = Int{value: i6}
              @ 0:4 r0=p1 r1=v0 r2=i7
            i11 = int_and(i7, 7)
            i12 = int_add(i2, -2)
            jump L1(i6, i11, i12)
            label L1(i13, i14, i15)
            i16 = int_eq(i15, 77)
            guard_false(i16)
              -> [i15, i13, i14]
              v0 = Int{value: i13}
              v1 = Int{value: i14}
              @ 0:4 r0=v0 r1=v1 r2=i15
            i17 = int_and(i15, 7)
            i18 = int_add(i15, -1)
            jump L1(i14, i17, i18)

            [p0, p1, i2]
            jump L1(5, 6, i2)

            [p0, p1, i2]
            jump L1(5, 6, i2)
        "#]],
    );
}
