//! Where ways meet within an instruction of the guest program. In: interpreters whose instructions
//! have several ways in a row. Out: residual code. Invariant under test: it grows with the places,
//! not with the ways through them, and what has different constants stays apart.

use crate::support::no_heap::{NoHeap, check, check_with, compiled, next_arm};
use expect_test::expect;
use verdigris_jitcode::{parse, verify};
use verdigris_opt::{Optimiser, Passes};
use verdigris_specialise::{SpecialiseLimits, SpecialiserHistory, specialise};

/// An instruction that calls a function with two ways so often in a row.
fn ways_in_a_row(calls: usize) -> String {
    let call = |n: usize| format!("i1 = call pick(i1 {})\n", n + 1);
    format!(
        "code pick(i0 i1) -> int {{
            i2 = int_and i0 i1
            branch_false i2 @other
            i2 = int_mul i0 i0
            return i2
            other: i2 = int_sub i0 i1
            return i2
        }}
        code run(i0 i1) -> int {{
            merge_point (i0) (i1)
            {}
            return i1
        }}
        portal run @0",
        (0..calls).map(call).collect::<String>()
    )
}

/// The ways through an inlined call meet behind it, once enough have gone on alone: here the first.
#[test]
fn ways_meet_within_an_instruction() {
    check_with(
        &ways_in_a_row(3),
        &[0],
        SpecialiseLimits {
            separate_paths: 1,
            ..SpecialiseLimits::default()
        },
        expect![[r#"
            [i0]
            label L0(i0)
            merge_point(0)
            i1 = int_and(i0, 1)
            guard_true(i1) => L1(i0)
            i2 = int_mul(i0, i0)
            i3 = int_and(i2, 2)
            guard_true(i3) => L2(i2)
            i4 = int_mul(i2, i2)
            i5 = int_mul(i4, i4)
            finish(i5)
            label L2(i6)
            i7 = int_add(i6, -2)
            jump L4(i7)
            label L1(i8)
            i9 = int_add(i8, -1)
            i10 = int_and(i9, 2)
            guard_true(i10) => L3(i9)
            i11 = int_mul(i9, i9)
            jump L4(i11)
            label L3(i12)
            i13 = int_add(i12, -2)
            jump L4(i13)
            label L4(i14)
            i15 = int_and(i14, 3)
            guard_true(i15) => L5(i14)
            i16 = int_mul(i14, i14)
            jump L6(i16)
            label L5(i17)
            i18 = int_add(i17, -3)
            jump L6(i18)
            label L6(i19)
            finish(i19)
        "#]],
    );
}

/// The code of an instruction grows with its calls, not with the ways through them.
#[test]
fn code_does_not_double_at_each_call() {
    let compiled = |calls| {
        let unit = parse(&ways_in_a_row(calls)).expect("jitcode");
        let (done, _) = compiled(&unit, &[0], SpecialiseLimits::default());
        assert_eq!(done.left, []);
        done.operations
    };
    let [four, eight, sixteen] = [4, 8, 16].map(compiled);
    assert!(sixteen - eight < 3 * (eight - four));
}

/// Ways with different constants do not meet: what follows is compiled with each.
#[test]
fn ways_with_different_constants_stay_apart() {
    check_with(
        "code sign(i0) -> int {
            i1 = int_lt i0 0
            branch_false i1 @other
            i1 = 0
            return i1
            other: i1 = 1
            return i1
        }
        code run(i0 i1) -> int {
            merge_point (i0) (i1)
            i2 = call sign(i1)
            branch_false i2 @done
            i1 = int_add i1 5
            done: return i1
        }
        portal run @0",
        &[0],
        SpecialiseLimits {
            separate_paths: 0,
            ..SpecialiseLimits::default()
        },
        expect![[r#"
            [i0]
            label L0(i0)
            merge_point(0)
            i1 = int_lt(i0, 0)
            guard_true(i1) => L1(i0)
            jump L2(i0)
            label L1(i2)
            i3 = int_add(i2, 5)
            jump L2(i3)
            label L2(i4)
            finish(i4)
        "#]],
    );
}

/// An arm that comes to a place where ways have met goes on in the code that is there.
#[test]
fn an_arm_joins_the_ways_that_met() {
    let jitcode = "code run(i0 i1 i2 i3) -> int {
            merge_point (i0) (i1 i2 i3)
            i4 = int_and i1 3
            i5 = int_eq i4 0
            branch_false i5 @other
            i3 = promote i3
            i1 = int_add i1 i3
            goto @met
            other: i5 = int_eq i4 1
            branch_false i5 @third
            i1 = int_neg i1
            goto @met
            third: i1 = int_mul i1 i1
            met: i1 = int_xor i1 i2
            return i1
        }
        portal run @0";
    let unit = parse(jitcode).expect("jitcode");
    verify(&unit).expect("right jitcode");
    let mut optimiser = Optimiser::new(Passes::all());
    let mut history = SpecialiserHistory::default();
    let mut host = NoHeap(&unit);
    let limits = SpecialiseLimits {
        separate_paths: 0,
        ..SpecialiseLimits::default()
    };
    let done = specialise(&unit, &[0], &mut history, &mut optimiser, &mut host, limits);
    let text = verdigris_trace::print(&unit.descrs, &done.optimised.trace);
    expect![[r#"
        [i0, i1, i2]
        label L0(i0, i1, i2)
        merge_point(0)
        i3 = int_and(i0, 3)
        i4 = int_is_zero(i3)
        guard_true(i4) => L1(i0, i1, i3)
        leave()
          -> [i0, i1, i2]
          @ 0:4 r1=i0 r2=i1 r3=i2
        label L1(i5, i6, i7)
        i8 = int_eq(i7, 1)
        guard_true(i8) => L2(i5, i6)
        i9 = int_neg(i5)
        jump L3(i9, i6)
        label L2(i10, i11)
        i12 = int_mul(i10, i10)
        jump L3(i12, i11)
        label L3(i13, i14)
        i15 = int_xor(i13, i14)
        finish(i15)
    "#]]
    .assert_eq(&text);
    let (_, text) = next_arm(&unit, &mut history, &mut optimiser, &done.optimised, 9);
    expect![[r#"
        [i0, i1, i2]
        guard_value(i2, 9)
          -> [i0, i1, i2]
          @ 0:4 r1=i0 r2=i1 r3=i2
        i3 = int_add(i0, 9)
        jump L3(i3, i1)
    "#]]
    .assert_eq(&text);
}

/// A loop of the interpreter whose end is not known becomes a loop. It looks for the end of memory
/// if it makes objects.
#[test]
fn loops_of_the_interpreter_are_closed() {
    let jitcode = |makes: &str| {
        format!(
            "class Node {{ n: int }}
            fn keep(ref) opaque reads() writes()
            code run(i0 i1) -> int {{
                merge_point (i0) (i1)
                back: i1 = int_sub i1 3
                i2 = int_gt i1 0
                branch_false i2 @out
                {makes}
                goto @back
                out: return i1
            }}
            portal run @0"
        )
    };
    check(
        &jitcode(""),
        &[0],
        expect![[r#"
        [i0]
        label L0(i0)
        merge_point(0)
        i1 = int_add(i0, -3)
        i2 = int_gt(i1, 0)
        guard_true(i2) => L1(i1)
        i3 = int_add(i0, -6)
        i4 = int_gt(i3, 0)
        guard_true(i4) => L2(i3)
        i5 = int_add(i0, -9)
        i6 = int_gt(i5, 0)
        guard_true(i6) => L3(i5)
        jump L4(i5)
        label L2(i7)
        finish(i7)
        label L1(i8)
        finish(i8)
        label L3(i9)
        finish(i9)
        label L5(i10)
        finish(i10)
        label L4(i11)
        i12 = int_add(i11, -3)
        i13 = int_gt(i12, 0)
        guard_true(i13) => L5(i12)
        jump L4(i12)
    "#]],
    );
    let makes = "r3 = new Node
        call_fn keep(r3)";
    check(
        &jitcode(makes),
        &[0],
        expect![[r#"
        [i0]
        label L0(i0)
        merge_point(0)
        i1 = int_add(i0, -3)
        i2 = int_gt(i1, 0)
        guard_true(i2) => L1(i1)
        p3 = new() Node
        call(p3) keep
        guard_no_panic()
          -> [i1]
          @ 0:6 r1=i1
        i4 = int_add(i0, -6)
        i5 = int_gt(i4, 0)
        guard_true(i5) => L2(i4)
        p6 = new() Node
        call(p6) keep
        guard_no_panic()
          -> [i4]
          @ 0:6 r1=i4
        i7 = int_add(i0, -9)
        i8 = int_gt(i7, 0)
        guard_true(i8) => L3(i7)
        p9 = new() Node
        call(p9) keep
        guard_no_panic()
          -> [i7]
          @ 0:6 r1=i7
        jump L4(i7)
        label L2(i10)
        finish(i10)
        label L1(i11)
        finish(i11)
        label L3(i12)
        finish(i12)
        label L5(i13)
        finish(i13)
        label L4(i14)
        i15 = int_add(i14, -3)
        i16 = int_gt(i15, 0)
        guard_true(i16) => L5(i15)
        p17 = new() Node
        call(p17) keep
        guard_no_panic()
          -> [i15]
          @ 0:6 r1=i15
        guard_not_exhausted()
          -> [i15]
          @ 0:1 r1=i15
        jump L4(i15)
    "#]],
    );
}
