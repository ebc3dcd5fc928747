//! Residual code of small interpreters, as text: what depends on greens alone is gone.

use crate::support::no_heap::{NoHeap, check, check_with, next_arm};
use expect_test::expect;
use verdigris_jitcode::{parse, verify};
use verdigris_opt::{Optimiser, Passes};
use verdigris_specialise::{SpecialiseLimits, SpecialiserHistory, specialise};

/// The loop of the exponent is gone, and with it the exponent.
#[test]
fn power() {
    check(
        "code power(i0 i1) -> int {
            i2 = 1
            head: merge_point (i0) (i1 i2)
            i3 = int_gt i0 0
            branch_false i3 @done
            i2 = int_mul i2 i1
            i0 = int_sub i0 1
            goto @head
            done: return i2
        }
        portal power @1",
        &[3],
        expect![[r#"
            [i0, i1]
            label L0(i0, i1)
            merge_point(3)
            i2 = int_mul(i1, i0)
            merge_point(2)
            i3 = int_mul(i2, i0)
            merge_point(1)
            i4 = int_mul(i3, i0)
            merge_point(0)
            finish(i4)
        "#]],
    );
}

/// Both arms of a branch on a red, which meet at the next merge point.
#[test]
fn arms_meet() {
    check(
        "code run(i0 i1) -> int {
            i2 = 5
            head: merge_point (i0) (i1 i2)
            switch i0 [0: @first, else @second]
            first: i3 = int_lt i1 0
            i0 = 1
            branch_false i3 @head
            i2 = int_neg i1
            goto @head
            second: i4 = int_add i1 i2
            return i4
        }
        portal run @1",
        &[0],
        expect![[r#"
            [i0, i1]
            label L0(i0, i1)
            merge_point(0)
            i2 = int_lt(i0, 0)
            guard_true(i2) => L1(i0, i1)
            i3 = int_neg(i0)
            jump L2(i0, i3)
            label L1(i4, i5)
            jump L2(i4, i5)
            label L2(i6, i7)
            merge_point(1)
            i8 = int_add(i6, i7)
            finish(i8)
        "#]],
    );
}

/// A loop of the guest program, with an object that is replaced in each iteration and never made.
#[test]
fn loops_keep_virtual_objects() {
    check(
        "class Box { n: int }
        code run(i0 i1) -> int {
            r2 = new Box
            setfield_i r2 0 Box.n
            head: merge_point (i0) (i1 r2)
            switch i0 [0: @add, 1: @test, else @done]
            add: i3 = getfield_i r2 Box.n
            i3 = int_add i3 i1
            r2 = new Box
            setfield_i r2 i3 Box.n
            i1 = int_sub i1 1
            i0 = 1
            goto @head
            test: i0 = 2
            i4 = int_gt i1 0
            branch_false i4 @head
            i0 = 0
            loop_header
            goto @head
            done: i3 = getfield_i r2 Box.n
            return i3
        }
        portal run @2",
        &[0],
        expect![[r#"
            [i0, p1]
            label L0(i0, p1)
            merge_point(0)
            i2 = getfield_i(p1) Box.n
            i3 = int_add(i2, i0)
            i4 = int_add(i0, -1)
            merge_point(1)
            i5 = int_gt(i4, 0)
            guard_true(i5) => L1(i4, i3)
            jump L2(i4, i3)
            label L2(i6, i7)
            merge_point(0)
            i8 = int_add(i7, i6)
            i9 = int_add(i6, -1)
            merge_point(1)
            i10 = int_gt(i9, 0)
            guard_true(i10) => L3(i9, i8)
            jump L2(i9, i8)
            label L1(i11, i12)
            jump L4(i11, i12)
            label L3(i13, i14)
            jump L4(i13, i14)
            label L4(i15, i16)
            merge_point(2)
            finish(i16)
        "#]],
    );
}

/// The example of section 2.3 of 2007.
const PROMOTION: &str = "fn print(int) opaque reads() writes()
        code run(i0 i1) -> int {
            head: merge_point (i0) (i1)
            i2 = int_div i1 10
            i3 = promote i2
            i4 = int_add i3 5
            call_fn print(i4)
            return i4
        }
        portal run @0";

/// What is promoted is not known: the interpreter goes on, until there is an arm for the value that
/// comes.
#[test]
fn promotion_waits() {
    check(
        PROMOTION,
        &[0],
        expect![[r#"
            ; promotion: 1
            [i0]
            label L0(i0)
            merge_point(0)
            i1 = int_div(i0, 10)
            leave()
              -> [i1]
              @ 0:2 r2=i1
        "#]],
    );
}

/// An elidable call of constants is made at once, another stays; an arm that panics is an exit.
#[test]
fn calls_and_panics() {
    check(
        "fn double(int) -> int elidable
        fn log(int) -> int opaque reads() writes()
        code helper(i0) -> int {
            i1 = int_eq i0 7
            branch_false i1 @fine
            panic \"seven\"()
            fine: i2 = int_add i0 1
            return i2
        }
        code run(i0 i1) -> int {
            head: merge_point (i0) (i1)
            i2 = call_fn double(i0)
            i3 = call helper(i1)
            i3 = int_add i3 i2
            i3 = call_fn log(i3)
            return i3
        }
        portal run @0",
        &[21],
        expect![[r#"
            [i0]
            label L0(i0)
            merge_point(21)
            i1 = int_eq(i0, 7)
            guard_false(i1)
              -> [i0]
              @ 0:1 r0=i0 r1=1 | 1:2 r2=42
            i2 = int_add(i0, 43)
            i3 = call(i2) log
            guard_no_panic()
              -> [i3]
              @ 1:5 r3=i3
            finish(i3)
        "#]],
    );
}

/// The next place depends on a red: it is known when a value has come, as that of a promotion.
#[test]
fn greens_that_follow_from_reds() {
    check(
        "code run(i0 i1) -> int {
            head: merge_point (i0) (i1)
            i0 = int_and i1 3
            i1 = int_add i1 1
            goto @head
        }
        portal run @0",
        &[0],
        expect![[r#"
            ; greens are not known: 1
            [i0]
            label L0(i0)
            merge_point(0)
            i1 = int_and(i0, 3)
            i2 = int_add(i0, 1)
            leave()
              -> [i1, i2]
              @ 0:0 r0=i1 r1=i2
        "#]],
    );
}

/// A loop of the interpreter that depends on a red ends with the limit on splits at one place.
#[test]
fn loops_of_the_interpreter_end() {
    check_with(
        "code run(i0 i1) -> int {
            head: merge_point (i0) (i1)
            back: i1 = int_sub i1 3
            i2 = int_gt i1 0
            branch_false i2 @out
            goto @back
            out: return i1
        }
        portal run @0",
        &[0],
        SpecialiseLimits {
            unrolled_splits: 2,
            ..SpecialiseLimits::default()
        },
        expect![[r#"
            ; limit: 1
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
            leave()
              -> [i5, i6]
              @ 0:3 r1=i5 r2=i6
            label L2(i7)
            finish(i7)
            label L1(i8)
            finish(i8)
        "#]],
    );
}

/// The switch that grows (2007, section 2.3): a value that comes gets an arm, in which the addition
/// is done, and the next value goes past it.
#[test]
fn a_promotion_grows() {
    let unit = parse(PROMOTION).expect("jitcode");
    let mut optimiser = Optimiser::new(Passes::all());
    let mut history = SpecialiserHistory::default();
    let done = specialise(
        &unit,
        &[0],
        &mut history,
        &mut optimiser,
        &mut NoHeap(&unit),
        SpecialiseLimits::default(),
    );
    let (four, text) = next_arm(&unit, &mut history, &mut optimiser, &done.optimised, 4);
    expect![[r#"
        [i0]
        guard_value(i0, 4)
          -> [i0]
          @ 0:2 r2=i0
        call(9) print
        guard_no_panic()
          -> []
          @ 0:5 r4=9
        finish(9)
    "#]]
    .assert_eq(&text);
    let (_, text) = next_arm(&unit, &mut history, &mut optimiser, &four, 7);
    expect![[r#"
        [i0]
        guard_value(i0, 7)
          -> [i0]
          @ 0:2 r2=i0
        call(12) print
        guard_no_panic()
          -> []
          @ 0:5 r4=12
        finish(12)
    "#]]
    .assert_eq(&text);
}

/// Two switches on the same value. The optimiser moves the guard of the second to the first, so the
/// code for another value, which begins at the first, has to have the arm of the second as well:
/// otherwise its guard fails for that value, like the one before.
#[test]
fn an_arm_takes_its_value_to_later_switches() {
    let jitcode = "code run(i0 i1) -> int {
            merge_point (i0) (i1)
            switch i1 [0: @zero, else @kind]
            kind: switch i1 [2: @two, 5: @five, else @zero]
            two: i2 = 20
            return i2
            five: i2 = 50
            return i2
            zero: i2 = 0
            return i2
        }
        portal run @0";
    let unit = parse(jitcode).expect("jitcode");
    verify(&unit).expect("right jitcode");
    let mut optimiser = Optimiser::new(Passes::all());
    let mut history = SpecialiserHistory::default();
    let (mut host, limits) = (NoHeap(&unit), SpecialiseLimits::default());
    let done = specialise(&unit, &[0], &mut history, &mut optimiser, &mut host, limits);
    let (five, text) = next_arm(&unit, &mut history, &mut optimiser, &done.optimised, 5);
    expect![[r#"
        [i0]
        guard_value(i0, 5)
          -> [i0]
          @ 0:1 r1=i0
        finish(50)
    "#]]
    .assert_eq(&text);
    let (_, text) = next_arm(&unit, &mut history, &mut optimiser, &five, 2);
    expect![[r#"
        [i0]
        i1 = int_is_zero(i0)
        guard_false(i1)
          -> [i0]
          @ 0:1 r1=i0
        i2 = int_eq(i0, 2)
        guard_false(i2) => L1()
        guard_value(i0, 5)
          -> [i0]
          @ 0:2 r1=i0
        finish(50)
        label L1()
        finish(20)
    "#]]
    .assert_eq(&text);
}

/// An arm goes on in the loop that it left. The loop makes no objects, so its header does not look
/// for the end of memory: the arm does.
#[test]
fn an_arm_joins_the_loop() {
    let jitcode = "class Node { n: int }
        fn keep(ref) opaque reads() writes()
        code run(i0 i1) -> int {
            head: merge_point (i0) (i1)
            switch i0 [0: @body, 1: @back, else @done]
            body: i0 = 1
            i2 = int_and i1 3
            i3 = int_eq i2 0
            branch_false i3 @other
            i4 = int_mul i1 i1
            i5 = promote i4
            r6 = new Node
            setfield_i r6 i5 Node.n
            call_fn keep(r6)
            goto @head
            other: i3 = int_eq i2 1
            branch_false i3 @head
            i1 = int_sub i1 2
            goto @head
            back: i1 = int_sub i1 1
            i0 = 2
            i3 = int_gt i1 0
            branch_false i3 @head
            i0 = 0
            loop_header
            goto @head
            done: return i1
        }
        portal run @0";
    let unit = parse(jitcode).expect("jitcode");
    verify(&unit).expect("right jitcode");
    let mut optimiser = Optimiser::new(Passes::all());
    let mut history = SpecialiserHistory::default();
    let (mut host, limits) = (NoHeap(&unit), SpecialiseLimits::default());
    let done = specialise(&unit, &[0], &mut history, &mut optimiser, &mut host, limits);
    let text = verdigris_trace::print(&unit.descrs, &done.optimised.trace);
    expect![[r#"
        [i0]
        label L0(i0)
        merge_point(0)
        i1 = int_and(i0, 3)
        i2 = int_is_zero(i1)
        guard_true(i2) => L1(i0, i1)
        i3 = int_mul(i0, i0)
        leave()
          -> [i0, i3]
          @ 0:7 r0=1 r1=i0 r4=i3
        label L1(i4, i5)
        i6 = int_eq(i5, 1)
        guard_true(i6) => L2(i4)
        i7 = int_add(i4, -2)
        jump L3(i7)
        label L2(i8)
        jump L3(i8)
        label L3(i9)
        merge_point(1)
        i10 = int_add(i9, -1)
        i11 = int_gt(i10, 0)
        guard_true(i11) => L4(i10)
        jump L0(i10)
        label L4(i12)
        merge_point(2)
        finish(i12)
    "#]]
    .assert_eq(&text);
    let (_, text) = next_arm(&unit, &mut history, &mut optimiser, &done.optimised, 16);
    expect![[r#"
        [i0, i1]
        guard_value(i1, 16)
          -> [i0, i1]
          @ 0:7 r0=1 r1=i0 r4=i1
        p2 = new() Node
        setfield_i(p2, 16) Node.n
        call(p2) keep
        guard_no_panic()
          -> [i0]
          @ 0:11 r0=1 r1=i0
        guard_not_exhausted()
          -> [i0]
          @ 0:0 r0=1 r1=i0
        jump L3(i0)
    "#]]
    .assert_eq(&text);
}

/// An arm that makes no objects ends a loop: the code in front of it may have made some.
#[test]
fn arms_look_for_the_memory_that_was_used_in_front_of_them() {
    let unit = parse(
        "class Node { n: int }
        fn keep(ref) opaque reads() writes()
        code run(i0 i1) -> int {
            head: merge_point (i0) (i1)
            r2 = new Node
            call_fn keep(r2)
            i1 = int_mul i1 i1
            i1 = promote i1
            goto @head
        }
        portal run @0",
    );
    let unit = unit.expect("jitcode");
    let mut optimiser = Optimiser::new(Passes::all());
    let mut history = SpecialiserHistory::default();
    let (mut host, limits) = (NoHeap(&unit), SpecialiseLimits::default());
    let start = specialise(&unit, &[0], &mut history, &mut optimiser, &mut host, limits);
    let (_, text) = next_arm(&unit, &mut history, &mut optimiser, &start.optimised, 9);
    expect![[r#"
        [i0]
        guard_value(i0, 9)
          -> [i0]
          @ 0:4 r0=0 r1=i0
        guard_not_exhausted()
          -> []
          @ 0:0 r0=0 r1=9
        jump L1(9)
        label L1(i1)
        merge_point(0)
        p2 = new() Node
        call(p2) keep
        guard_no_panic()
          -> [i1]
          @ 0:3 r0=0 r1=i1
        i3 = int_mul(i1, i1)
        leave()
          -> [i3]
          @ 0:4 r0=0 r1=i3
    "#]]
    .assert_eq(&text);
}

/// One of the ways that meet has made an object, not the first: the loop looks for the end of
/// memory.
#[test]
fn where_ways_meet_objects_may_have_been_made() {
    check(
        "class Node { n: int }
        fn keep(ref) opaque reads() writes()
        code run(i0 i1) -> int {
            head: merge_point (i0) (i1)
            switch i0 [0: @body, else @back]
            body: i0 = 1
            i2 = int_and i1 1
            branch_false i2 @make
            goto @head
            make: r3 = new Node
            call_fn keep(r3)
            goto @head
            back: i1 = int_sub i1 1
            i0 = 0
            i4 = int_gt i1 0
            branch_false i4 @out
            loop_header
            goto @head
            out: return i1
        }
        portal run @0",
        &[0],
        expect![[r#"
            [i0]
            label L0(i0)
            merge_point(0)
            i1 = int_and(i0, 1)
            guard_true(i1) => L1(i0)
            jump L2(i0)
            label L1(i2)
            p3 = new() Node
            call(p3) keep
            guard_no_panic()
              -> [i2]
              @ 0:8 r0=1 r1=i2
            jump L2(i2)
            label L3(i4)
            finish(i4)
            label L2(i5)
            merge_point(1)
            i6 = int_add(i5, -1)
            i7 = int_gt(i6, 0)
            guard_true(i7) => L3(i6)
            guard_not_exhausted()
              -> [i6]
              @ 0:0 r0=0 r1=i6
            jump L0(i6)
        "#]],
    );
}
