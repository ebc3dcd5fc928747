//! Loops: what is left of them once allocations and checks have been removed across iterations.

use crate::common::check;
use expect_test::expect;
use verdigris_opt::Passes;

/// Two boxed numbers in the stack of a frame that outlives the loop:
/// `acc *= n; n -= 1; while n > 1`.
const FACTORIAL: &str = "
    [p0]
    i1 = arraylen(p0) Stack
    i2 = uint_lt(1, i1)
    guard_true(i2) @ 0:1 r0=p0
    p3 = getitem_r(p0, 0) Stack
    guard_class(p3) Int @ 0:2 r0=p0 r1=p3
    p4 = getitem_r(p0, 1) Stack
    guard_class(p4) Int @ 0:3 r0=p0 r1=p3 r2=p4
    i5 = getfield_i(p3) Int.value
    i6 = getfield_i(p4) Int.value
    i7 = int_mul(i5, i6)
    p8 = new() Int
    setfield_i(p8, i7) Int.value
    setitem_r(p0, 0, p8) Stack
    i9 = int_sub(i6, 1)
    p10 = new() Int
    setfield_i(p10, i9) Int.value
    setitem_r(p0, 1, p10) Stack
    p11 = getitem_r(p0, 1) Stack
    guard_class(p11) Int @ 0:4 r0=p0
    i12 = getfield_i(p11) Int.value
    i13 = int_gt(i12, 1)
    guard_true(i13) @ 0:5 r0=p0
    jump(p0)
";

/// A number is squared when it is the next one, and again two iterations later. The body uses the
/// square that it was handed over, and what it hands over next is a square that it has not used, so
/// the label has to know of both.
#[test]
fn what_is_known_of_the_next_value_is_kept() {
    check(
        Passes::all(),
        "
        [p0, p1, i2]
        guard_class(p0) Int @ 0:1 r0=p0 r1=p1
        i3 = getfield_i(p0) Int.value
        i4 = int_mul(i3, i3)
        i5 = int_add(i2, i4)
        guard_class(p1) Int @ 0:2 r0=p0 r1=p1
        i6 = getfield_i(p1) Int.value
        i7 = int_add(i6, 1)
        i8 = int_mul(i7, i7)
        i9 = int_lt(i8, i5)
        guard_true(i9) @ 0:3 r0=p1
        p10 = new() Int
        setfield_i(p10, i7) Int.value
        jump(p1, p10, i5)
        ",
        expect![[r#"
            [p0, p1, i2]
            label L0(p0, p1, i2)
            guard_class(p0) Int
              -> [p0, p1]
              @ 0:1 r0=p0 r1=p1
            i3 = getfield_i(p0) Int.value
            i4 = int_mul(i3, i3)
            i5 = int_add(i2, i4)
            guard_class(p1) Int
              -> [p0, p1]
              @ 0:2 r0=p0 r1=p1
            i6 = getfield_i(p1) Int.value
            i7 = int_add(i6, 1)
            i8 = int_mul(i7, i7)
            i9 = int_lt(i8, i5)
            guard_true(i9)
              -> [p1]
              @ 0:3 r0=p1
            i10 = int_mul(i6, i6)
            i11 = int_add(i5, i10)
            i12 = int_add(i6, 2)
            i13 = int_mul(i12, i12)
            i14 = int_lt(i13, i11)
            guard_true(i14)
              -> [i7]
              v0 = Int{value: i7}
              @ 0:3 r0=v0
            jump L1(i12, i11, i8, i13)
            label L1(i15, i16, i17, i18)
            i19 = int_add(i16, i17)
            i20 = int_add(i15, 1)
            i21 = int_mul(i20, i20)
            i22 = int_lt(i21, i19)
            guard_true(i22)
              -> [i15]
              v0 = Int{value: i15}
              @ 0:3 r0=v0
            jump L1(i20, i19, i18, i21)
        "#]],
    );
}

#[test]
fn boxes_in_a_stack_become_registers() {
    check(
        Passes::all(),
        FACTORIAL,
        expect![[r#"
            [p0]
            label L0(p0)
            i1 = arraylen(p0) Stack
            i2 = int_gt(i1, 1)
            guard_true(i2)
              -> [p0]
              @ 0:1 r0=p0
            p3 = getitem_r(p0, 0) Stack
            guard_class(p3) Int
              -> [p0, p3]
              @ 0:2 r0=p0 r1=p3
            p4 = getitem_r(p0, 1) Stack
            guard_class(p4) Int
              -> [p0, p3, p4]
              @ 0:3 r0=p0 r1=p3 r2=p4
            i5 = getfield_i(p3) Int.value
            i6 = getfield_i(p4) Int.value
            i7 = int_mul(i5, i6)
            i8 = int_add(i6, -1)
            i9 = int_gt(i8, 1)
            guard_true(i9)
              -> [p0, i7, i8]
              v0 = Int{value: i7}
              v1 = Int{value: i8}
              p0.Stack[0] = v0
              p0.Stack[1] = v1
              @ 0:5 r0=p0
            jump L1(p0, i7, i8)
            label L1(p10, i11, i12)
            i13 = int_mul(i11, i12)
            i14 = int_add(i12, -1)
            i15 = int_gt(i14, 1)
            guard_true(i15)
              -> [p10, i13, i14]
              v0 = Int{value: i13}
              v1 = Int{value: i14}
              p10.Stack[0] = v0
              p10.Stack[1] = v1
              @ 0:5 r0=p10
            jump L1(p10, i13, i14)
        "#]],
    );
}

#[test]
fn numbers_that_chase_each_other_need_a_second_entry_iteration() {
    cov_mark::check!(entry_runs_another_iteration);
    check(
        Passes::all(),
        "
        [p0, p1, i2]
        i3 = int_gt(i2, 0)
        guard_true(i3) @ 0:1 r0=p0 r1=p1 r2=i2
        guard_class(p0) Int @ 0:2 r0=p0 r1=p1 r2=i2
        guard_class(p1) Int @ 0:3 r0=p0 r1=p1 r2=i2
        i4 = getfield_i(p0) Int.value
        i5 = getfield_i(p1) Int.value
        i6 = int_add(i4, i5)
        p7 = new() Int
        setfield_i(p7, i6) Int.value
        i8 = int_sub(i2, 1)
        jump(p1, p7, i8)
        ",
        expect![[r#"
            [p0, p1, i2]
            label L0(p0, p1, i2)
            i3 = int_gt(i2, 0)
            guard_true(i3)
              -> [p0, p1, i2]
              @ 0:1 r0=p0 r1=p1 r2=i2
            guard_class(p0) Int
              -> [p0, p1, i2]
              @ 0:2 r0=p0 r1=p1 r2=i2
            guard_class(p1) Int
              -> [p0, p1, i2]
              @ 0:3 r0=p0 r1=p1 r2=i2
            i4 = getfield_i(p0) Int.value
            i5 = getfield_i(p1) Int.value
            i6 = int_add(i4, i5)
            i7 = int_add(i2, -1)
            i8 = int_gt(i2, 1)
            guard_true(i8)
              -> [p1, i7, i6]
              v0 = Int{value: i6}
              @ 0:1 r0=p1 r1=v0 r2=i7
            i9 = int_add(i5, i6)
            i10 = int_add(i2, -2)
            jump L1(i6, i9, i10)
            label L1(i11, i12, i13)
            i14 = int_gt(i13, 0)
            guard_true(i14)
              -> [i13, i11, i12]
              v0 = Int{value: i11}
              v1 = Int{value: i12}
              @ 0:1 r0=v0 r1=v1 r2=i13
            i15 = int_add(i11, i12)
            i16 = int_add(i13, -1)
            jump L1(i12, i15, i16)
        "#]],
    );
}

#[test]
fn without_passes_the_trace_stays() {
    check(
        Passes::none(),
        FACTORIAL,
        expect![[r#"
        [p0]
        label L0(p0)
        i1 = arraylen(p0) Stack
        i2 = uint_lt(1, i1)
        guard_true(i2)
          -> [p0]
          @ 0:1 r0=p0
        p3 = getitem_r(p0, 0) Stack
        guard_class(p3) Int
          -> [p0, p3]
          @ 0:2 r0=p0 r1=p3
        p4 = getitem_r(p0, 1) Stack
        guard_class(p4) Int
          -> [p0, p3, p4]
          @ 0:3 r0=p0 r1=p3 r2=p4
        i5 = getfield_i(p3) Int.value
        i6 = getfield_i(p4) Int.value
        i7 = int_mul(i5, i6)
        p8 = new() Int
        setfield_i(p8, i7) Int.value
        setitem_r(p0, 0, p8) Stack
        i9 = int_sub(i6, 1)
        p10 = new() Int
        setfield_i(p10, i9) Int.value
        setitem_r(p0, 1, p10) Stack
        p11 = getitem_r(p0, 1) Stack
        guard_class(p11) Int
          -> [p0]
          @ 0:4 r0=p0
        i12 = getfield_i(p11) Int.value
        i13 = int_gt(i12, 1)
        guard_true(i13)
          -> [p0]
          @ 0:5 r0=p0
        jump L0(p0)
    "#]],
    );
}

/// The remarks on what a loop has lost.
fn lost(passes: &str, text: &str) -> String {
    let descrs = verdigris_trace::parse_descrs(verdigris_traces::DESCRS).expect("descriptors");
    let text = text.replace("jump(", "close(");
    let trace = verdigris_trace::parse(&descrs, &text).unwrap_or_else(|e| panic!("{e:?}"));
    let mut optimiser = verdigris_opt::Optimiser::new(Passes::parse(passes).expect("passes"));
    let host = &mut verdigris_traces::NoObjects;
    let done = optimiser.optimise_loop(&trace, None, &descrs, host);
    let done = done.expect("the trace is consistent");
    let remarks = done.remarks.iter();
    remarks
        .map(|n| format!("{}: {n}\n", n.missed.name()))
        .collect()
}

/// Begins in an inner loop, which counts `Node.value` down, leaves it, and comes back through the
/// outer loop, which counts `i1`.
const THROUGH_THE_OUTER_LOOP: &str = "
    [p0, i1]
    guard_class(p0) Node @ 0:0 r0=p0 r1=i1
    i2 = getfield_i(p0) Node.value
    i3 = int_sub(i2, 1)
    setfield_i(p0, i3) Node.value
    i4 = int_gt(i3, 0)
    guard_false(i4) @ 0:1 r0=p0 r1=i1
    i5 = int_sub(i1, 1)
    i6 = int_gt(i5, 0)
    guard_true(i6) @ 0:2 r0=p0 r1=i1
    setfield_i(p0, 3) Node.value
    jump(p0, i5)
    ";

#[test]
fn a_loop_that_its_own_end_does_not_go_through_keeps_its_registers() {
    cov_mark::check!(constants_of_the_end_are_given_up);
    check(
        Passes::all(),
        THROUGH_THE_OUTER_LOOP,
        expect![[r#"
        [p0, i1]
        label L0(p0, i1)
        guard_class(p0) Node
          -> [p0, i1]
          @ 0:0 r0=p0 r1=i1
        i2 = getfield_i(p0) Node.value
        i3 = int_add(i2, -1)
        i4 = int_gt(i3, 0)
        guard_false(i4)
          -> [p0, i1, i3]
          p0.Node.value = i3
          @ 0:1 r0=p0 r1=i1
        i5 = int_add(i1, -1)
        i6 = int_gt(i5, 0)
        guard_true(i6)
          -> [p0, i1, i3]
          p0.Node.value = i3
          @ 0:2 r0=p0 r1=i1
        jump L1(p0, i5, 3)
        label L1(p7, i8, i9)
        i10 = int_add(i9, -1)
        i11 = int_gt(i10, 0)
        guard_false(i11)
          -> [p7, i8, i10]
          p7.Node.value = i10
          @ 0:1 r0=p7 r1=i8
        i12 = int_add(i8, -1)
        i13 = int_gt(i12, 0)
        guard_true(i13)
          -> [p7, i8, i10]
          p7.Node.value = i10
          @ 0:2 r0=p7 r1=i8
        jump L1(p7, i12, 3)
    "#]],
    );
    expect![[r#"
        other path: input 0 > Node.value is a constant at the loop's end with which its own trace would be left at once
    "#]].assert_eq(&lost("all", THROUGH_THE_OUTER_LOOP));
}

/// Ends with an object that has not been written to: it holds the zero with which the trace would
/// be left.
const WITH_A_NEW_OBJECT: &str = "
    [p0, i1]
    guard_class(p0) Node @ 0:0 r0=p0 r1=i1
    i2 = getfield_i(p0) Node.value
    i3 = int_gt(i2, 0)
    guard_true(i3) @ 0:1 r0=p0 r1=i1
    i4 = int_add(i1, i2)
    p5 = new() Node
    jump(p5, i4)
    ";

#[test]
fn a_zero_that_nobody_has_written_is_given_up_too() {
    cov_mark::check!(constants_of_the_end_are_given_up);
    check(
        Passes::all(),
        WITH_A_NEW_OBJECT,
        expect![[r#"
        [p0, i1]
        label L0(p0, i1)
        guard_class(p0) Node
          -> [p0, i1]
          @ 0:0 r0=p0 r1=i1
        i2 = getfield_i(p0) Node.value
        i3 = int_gt(i2, 0)
        guard_true(i3)
          -> [p0, i1]
          @ 0:1 r0=p0 r1=i1
        i4 = int_add(i1, i2)
        jump L1(i4, 0)
        label L1(i5, i6)
        i7 = int_gt(i6, 0)
        guard_true(i7)
          -> [i5, i6]
          v0 = Node{value: i6}
          @ 0:1 r0=v0 r1=i5
        i8 = int_add(i5, i6)
        jump L1(i8, 0)
    "#]],
    );
    expect![[r#"
        other path: input 0 > Node.value is a constant at the loop's end with which its own trace would be left at once
    "#]].assert_eq(&lost("all", WITH_A_NEW_OBJECT));
}

#[test]
fn iterations_of_several_kinds_share_the_body_that_assumes_nothing() {
    cov_mark::check!(trace_contradicts_its_end);
    let by_value = WITH_A_NEW_OBJECT.replace("i3 = int_gt(i2, 0)\n", "");
    let by_value = by_value.replace("guard_true(i3)", "guard_value(i2, 7)");
    expect![[r#"
        contradiction: the loop keeps nothing in registers: the trace contradicts what its own end says
    "#]].assert_eq(&lost("all", &by_value));
}

#[test]
fn what_a_loop_loses_has_a_reason() {
    let mut reasons: std::collections::BTreeMap<&str, usize> = Default::default();
    let descrs = verdigris_trace::parse_descrs(verdigris_traces::DESCRS).expect("descriptors");
    for seed in 0..1000 {
        let text = verdigris_traces::generate::random_loop(seed);
        let trace = verdigris_trace::parse(&descrs, &text).unwrap_or_else(|e| panic!("{e:?}"));
        let passes = Passes::parse("all+delayed=2").expect("passes");
        let mut optimiser = verdigris_opt::Optimiser::new(passes);
        let host = &mut verdigris_traces::NoObjects;
        if let Ok(done) = optimiser.optimise_loop(&trace, None, &descrs, host) {
            for note in &done.remarks {
                assert!(!note.what.is_empty());
                *reasons.entry(note.missed.name()).or_default() += 1;
            }
        }
    }
    let seen: Vec<&str> = reasons.into_keys().collect();
    expect![[r#"
        [
            "contradiction",
            "other path",
            "too many stores",
        ]
    "#]]
    .assert_debug_eq(&seen);
}
