//! The text and the verifier of code with records: holes, counts and threads.

use crate::check;
use expect_test::expect;

#[test]
fn a_stencil_reads_holes_counts_and_threads() {
    check(
        "[i0, i1, p2, f3]
         label L0(i0, i1, p2, f3)
         guard_count(i0) g0 -> [i0, i1, p2, f3] @
         i4 = hole(i0, 4)
         p5 = hole(i0, 5)
         f6 = hole(i0, 6)
         i7 = int_add(i1, i4)
         guard_true(i7) g1 -> [i0, i4, p5, f6] @ 0:1 r0=i4 r1=p5 r2=f6
         i8 = hole(i0, 7)
         thread(i8, i7, p5, f6)
         label L1()
         thread(9)",
        expect![[r#"
            [i0, i1, p2, f3]
            label L0(i0, i1, p2, f3)
            guard_count(i0) g0
              -> [i0, i1, p2, f3]
              @
            i4 = hole(i0, 4)
            p5 = hole(i0, 5)
            f6 = hole(i0, 6)
            i7 = int_add(i1, i4)
            guard_true(i7) g1
              -> [i0, i4, p5, f6]
              @ 0:1 r0=i4 r1=p5 r2=f6
            i8 = hole(i0, 7)
            thread(i8, i7, p5, f6)
            label L1()
            thread(9)
        "#]],
    );
    check(
        "[i0, p1] guard_count(i0) @ 0:1 r0=p1 i2 = hole(i0, 2) thread(i2, p1)",
        expect![[r#"
            [i0, p1]
            guard_count(i0)
              @ 0:1 r0=p1
            i2 = hole(i0, 2)
            thread(i2, p1)
        "#]],
    );
}

#[test]
fn what_is_wrong_in_a_stencil() {
    check(
        "[i0, i1] i2 = hole(i0, i1) thread(i2)",
        expect![[r#"
            [i0, i1]
            i2 = hole(i0, i1)
            thread(i2)
            verify: operation 0: the number of a hole is a constant
        "#]],
    );
    check(
        "[i0] i1 = hole(i0) thread(i1)",
        expect![[r#"
        [i0]
        i1 = hole(i0)
        thread(i1)
        verify: operation 0: hole has 2 arguments, not 1
    "#]],
    );
    check(
        "[p0] i1 = hole(p0, 2) thread(i1)",
        expect![[r#"
        [p0]
        i1 = hole(p0, 2)
        thread(i1)
        verify: operation 0: hole wants int where it has ref
    "#]],
    );
    check(
        "[i0] i1 = hole(i0, 2.0) thread(i1)",
        expect![[r#"
        [i0]
        i1 = hole(i0, 2.0)
        thread(i1)
        verify: operation 0: hole wants int where it has float
    "#]],
    );
    check(
        "[i0] w1 = hole(i0, 2) finish()",
        expect![[r#"
        [i0]
        w1 = hole(i0, 2)
        finish()
        verify: operation 0: a hole is an int, a ref or a float
    "#]],
    );
    check(
        "[i0] hole(i0, 2) finish()",
        expect![[r#"
        [i0]
        hole(i0, 2)
        finish()
        verify: operation 0: a hole is an int, a ref or a float
    "#]],
    );
    check(
        "[i0] i1, i2 = hole(i0, 2) finish()",
        expect![[r#"
        [i0]
        i1, i2 = hole(i0, 2)
        finish()
        verify: operation 0: a hole is an int, a ref or a float
    "#]],
    );
    check(
        "[] i0 = hole(i0, 2) finish()",
        expect![[r#"
        parse: 1:14: `i0` is not defined here
    "#]],
    );
    check(
        "[p0] guard_count(p0) @ 0:1 finish()",
        expect![[r#"
        [p0]
        guard_count(p0)
          @ 0:1
        finish()
        verify: operation 0: guard_count wants int where it has ref
    "#]],
    );
    check(
        "[] guard_count() @ 0:1 finish()",
        expect![[r#"
        []
        guard_count()
          @ 0:1
        finish()
        verify: operation 0: guard_count has 1 arguments, not 0
    "#]],
    );
    check(
        "[i0] i1 = guard_count(i0) @ 0:1 finish()",
        expect![[r#"
        parse: 1:6: `guard_count` has no results
    "#]],
    );
    check(
        "[] thread()",
        expect![[r#"
        []
        thread()
        verify: operation 0: thread wants the address of a record first
    "#]],
    );
    check(
        "[p0, i1] thread(p0, i1)",
        expect![[r#"
        [p0, i1]
        thread(p0, i1)
        verify: operation 0: thread wants the address of a record first
    "#]],
    );
    check(
        "[f0] thread(f0)",
        expect![[r#"
        [f0]
        thread(f0)
        verify: operation 0: thread wants the address of a record first
    "#]],
    );
    check(
        "[i0] i1 = thread(i0)",
        expect![[r#"
        [i0]
        i1 = thread(i0)
        verify: operation 0: thread has a result of another type
    "#]],
    );
    check(
        "[i0] thread(i0) finish()",
        expect![[r#"
        [i0]
        thread(i0)
        finish()
        verify: operation 1: behind jump, close, finish, thread or leave only a label can follow
    "#]],
    );
    check(
        "[i0] thread(i0) label L1(i1) thread(i0)",
        expect![[r#"
        [i0]
        thread(i0)
        label L1(i1)
        thread(i0)
        verify: operation 2: v0 belongs to another section
    "#]],
    );
}
