//! The examples of "Get Your Own Just-In-Time Specializing Compiler For Free" (2007), sections 2.2
//! to 2.6: what the paper computes at compile time leaves nothing in the residual code.
//!
//! The paper shows pseudo-assembler for section 2.3 alone (`residual.rs` has that example and its
//! growing switch, and `power`); of the rest it describes what is compiled. Its timeshifted graphs
//! call a generating extension; here one interpreter of jitcode does their work.

use crate::support::{Guest, PROGRAM, Piece};
use expect_test::{Expect, expect};

/// The code for these greens, with all passes of the optimiser.
fn check(jitcode: &str, greens: &[u64], expected: Expect) -> Piece {
    let piece = Guest::new(jitcode, &[], "all").specialise(greens);
    expected.assert_eq(&piece.text);
    piece
}

/// Section 2.2, red and green operations: what has green operands alone is computed, and so is a
/// red operation that happens to have constants.
#[test]
fn red_and_green_operations() {
    check(
        "code run(i0 i1) -> int {
            i2 = 0
            head: merge_point (i0) (i1 i2)
            i3 = int_mul i0 i0
            i2 = int_add i3 1
            i4 = int_add i2 i2
            i2 = int_add i1 i4
            return i2
        }
        portal run @1",
        &[7],
        expect![[r#"
            [i0, i1]
            label L0(i0, i1)
            merge_point(7)
            i2 = int_add(i0, 100)
            finish(i2)
        "#]],
    );
}

/// Section 2.2, splits and merges: both branches are compiled; different constants merge as a value
/// of the run time, and the richer things that are known stay: both branches bring a `Box`, so
/// there is none, also behind the merge. A constant that both agree on is one inside of an object.
#[test]
fn merges_widen() {
    check(
        "class Box { n: int, kind: int }
        code run(i0 i1 i2 r3) -> int {
            head: merge_point (i0) (i1 i2 r3)
            switch i0 [0: @test, else @use]
            test: i0 = 1
            r3 = new Box
            setfield_i r3 3 Box.kind
            i4 = int_lt i1 0
            branch_false i4 @other
            i2 = 10
            setfield_i r3 i1 Box.n
            goto @head
            other: i2 = 20
            setfield_i r3 7 Box.n
            goto @head
            use: i4 = getfield_i r3 Box.n
            i5 = getfield_i r3 Box.kind
            i4 = int_mul i4 i5
            i4 = int_add i4 i2
            return i4
        }
        portal run @0",
        &[0],
        expect![[r#"
            [i0, i1, p2]
            label L0(i0, i1, p2)
            merge_point(0)
            i3 = int_lt(i0, 0)
            guard_true(i3) => L1(i0)
            jump L2(i0, 10, i0)
            label L1(i4)
            jump L2(i4, 20, 7)
            label L2(i5, i6, i7)
            merge_point(1)
            i8 = int_mul(i7, 3)
            i9 = int_add(i8, i6)
            finish(i9)
        "#]],
    );
}

/// Section 2.2, calls: functions of the interpreter are inlined, and inlining stops at a call of
/// the main loop. The runner is the main loop from a merge point on; what is left of the call is a
/// call of it, with the callee's greens as constants, so that it can go to the callee's code.
#[test]
fn inlining_stops_at_the_main_loop() {
    check(
        "fn run(int, int) -> int portal
        fn go_on(int, int) -> int runner
        code twice(i0) -> int {
            i1 = int_add i0 i0
            return i1
        }
        code run(i0 i1) -> int {
            head: merge_point (i0) (i1)
            switch i0 [0: @outer, else @inner]
            outer: i2 = call twice(i1)
            i2 = call_fn run(1 i2)
            i2 = call twice(i2)
            return i2
            inner: i2 = int_sub i1 1
            return i2
        }
        portal run @0",
        &[0],
        expect![[r#"
            [i0]
            label L0(i0)
            merge_point(0)
            i1 = int_add(i0, i0)
            i2 = call(1, i1) run
            guard_no_panic()
              -> [i2]
              @ 1:4 r2=i2
            i3 = int_add(i2, i2)
            finish(i3)
        "#]],
    );
}

/// Section 2.3, the implementation notes: promotions in both arms of a condition. Each waits in an
/// exit of its own. The paper rebuilds the compiler's state from the last snapshot, by the path of
/// decisions; an exit has the frames and what was known, so an arm starts there and takes no path
/// again.
#[test]
fn promotions_behind_a_condition() {
    let jitcode = "fn show(int) opaque reads() writes()
        code run(i0 i1 i2) -> int {
            head: merge_point (i0) (i1 i2)
            i3 = int_lt i1 i2
            branch_false i3 @other
            i4 = promote i1
            i4 = int_add i4 5
            goto @rest
            other: i4 = promote i2
            i4 = int_mul i4 2
            rest: call_fn show(i4)
            return i4
        }
        portal run @0";
    let mut guest = Guest::new(jitcode, &[], "all");
    let code = guest.specialise(&[0]);
    assert_eq!(code.left, ["promotion: 2"]);
    expect![[r#"
        [i0, i1]
        label L0(i0, i1)
        merge_point(0)
        i2 = int_lt(i0, i1)
        guard_true(i2) => L1(i1)
        leave()
          -> [i0]
          @ 0:3 r1=i0
        label L1(i3)
        leave()
          -> [i3]
          @ 0:6 r2=i3
    "#]]
    .assert_eq(&code.text);
    let arms = [0, 1].map(|n| guest.arm(&code, n, 4).text);
    expect![[r#"
        [i0]
        guard_value(i0, 4)
          -> [i0]
          @ 0:3 r1=i0
        call(9) show
        guard_no_panic()
          -> []
          @ 0:9 r4=9
        finish(9)
        [i0]
        guard_value(i0, 4)
          -> [i0]
          @ 0:6 r2=i0
        call(8) show
        guard_no_panic()
          -> []
          @ 0:9 r4=8
        finish(8)
    "#]]
    .assert_eq(&arms.concat());
}

/// An addition of boxed numbers as section 2.4 has it: the types of both operands are promoted. A
/// type is a number in the object; 0 is `W_IntObject`. The program is an expression in postfix
/// form: 0, 1 and 2 are arguments, 3 is `+`, 4 ends it. Nothing in it goes back; the instructions
/// that would say so are there, or each merge point would be taken for the header of a loop.
const ADDITIONS: &str = "
    class Code [int]
    class W_Object { type: int, intval: int }
    class Args [ref]
    class Stack [cell ref]
    fn type_error() opaque reads() writes()
    code add(r0 r1) -> ref {
        i2 = getfield_i r0 W_Object.type
        i2 = promote i2
        i3 = getfield_i r1 W_Object.type
        i3 = promote i3
        switch i2 [0: @int, else @error]
        int: switch i3 [0: @ints, else @error]
        ints: i4 = getfield_i r0 W_Object.intval
        i5 = getfield_i r1 W_Object.intval
        i4 = int_add i4 i5
        r6 = new W_Object
        setfield_i r6 i4 W_Object.intval
        return r6
        error: call_fn type_error()
        return null
    }
    code run(i0 i1 r2 r3 r4) -> ref {
        head: merge_point (i0 i1 r2) (r3 r4)
        switch i0 [0: @enter, else @fetch]
        enter: r4 = new_array 4 Stack
        fetch: i5 = getitem_i r2 i0 Code
        i0 = int_add i0 1
        switch i5 [3: @add, 4: @end, else @argument]
        argument: r6 = getitem_r r3 i5 Args
        goto @push
        add: i1 = int_sub i1 1
        r6 = getitem_r r4 i1 Stack
        setitem_r r4 i1 null Stack
        i1 = int_sub i1 1
        r7 = getitem_r r4 i1 Stack
        setitem_r r4 i1 null Stack
        r6 = call add(r7 r6)
        push: setitem_r r4 i1 r6 Stack
        i1 = int_add i1 1
        goto @head
        end: i1 = int_sub i1 1
        r6 = getitem_r r4 i1 Stack
        setitem_r r4 i1 null Stack
        return r6
        loop_header
        goto @head
    }
    portal run @0";

/// How many type switches a program of additions of integers needs, and the pieces of its code.
fn switches(program: &[i64]) -> (usize, Vec<String>) {
    let mut guest = Guest::new(ADDITIONS, program, "all");
    let mut pieces = vec![guest.specialise(&[0, 0, PROGRAM])];
    let mut switches = 0;
    loop {
        let last = pieces.last().expect("there is one");
        // The exit that waits comes last; a switch that has an arm already has its exit in front.
        let tests = last.all("guard_value").len();
        if last.all("leave").is_empty() {
            break;
        }
        switches += 1;
        let next = guest.arm(last, tests, 0);
        pieces.push(next);
    }
    (
        switches,
        pieces.into_iter().map(|piece| piece.text).collect(),
    )
}

/// Section 2.4: `a + b` has two type switches, and `a + b + c` three, not four: the sum in the
/// middle is a virtual structure, of which the type is known. It is never made.
#[test]
fn three_switches_for_two_additions() {
    assert_eq!(switches(&[0, 1, 3, 4]).0, 2);
    assert_eq!(switches(&[0, 1, 3, 2, 3, 0, 3, 4]).0, 3);
    let (count, pieces) = switches(&[0, 1, 3, 2, 3, 4]);
    assert_eq!(count, 3);
    expect![[r#"
        [p0, p1]
        label L0(p0, p1)
        merge_point(0, 0, ref(0))
        p2 = getitem_r(p0, 0) Args
        merge_point(1, 1, ref(0))
        p3 = getitem_r(p0, 1) Args
        merge_point(2, 2, ref(0))
        i4 = getfield_i(p2) W_Object.type
        leave()
          -> [p0, p2, p3, i4]
          v0 = Stack[4]{}
          @ 0:1 r0=p2 r1=p3 r2=i4 | 1:14 r0=3 r1=0 r2=ref(0) r3=p0 r4=v0

        [p0, p1, p2, i3]
        guard_value(i3, 0)
          -> [p0, p1, p2, i3]
          v0 = Stack[4]{}
          @ 0:1 r0=p1 r1=p2 r2=i3 | 1:14 r0=3 r1=0 r2=ref(0) r3=p0 r4=v0
        i4 = getfield_i(p2) W_Object.type
        leave()
          -> [p0, p1, p2, i4]
          v0 = Stack[4]{}
          @ 0:3 r0=p1 r1=p2 r2=0 r3=i4 | 1:14 r0=3 r1=0 r2=ref(0) r3=p0 r4=v0

        [p0, p1, p2, i3]
        guard_value(i3, 0)
          -> [p0, p1, p2, i3]
          v0 = Stack[4]{}
          @ 0:3 r0=p1 r1=p2 r2=0 r3=i3 | 1:14 r0=3 r1=0 r2=ref(0) r3=p0 r4=v0
        i4 = getfield_i(p1) W_Object.intval
        i5 = getfield_i(p2) W_Object.intval
        i6 = int_add(i4, i5)
        merge_point(3, 1, ref(0))
        p7 = getitem_r(p0, 2) Args
        merge_point(4, 2, ref(0))
        i8 = getfield_i(p7) W_Object.type
        leave()
          -> [p0, p7, i8, i6]
          v0 = Stack[4]{}
          v1 = W_Object{intval: i6}
          @ 0:3 r0=v1 r1=p7 r2=0 r3=i8 | 1:14 r0=5 r1=0 r2=ref(0) r3=p0 r4=v0

        [p0, p1, i2, i3]
        guard_value(i2, 0)
          -> [p0, p1, i2, i3]
          v0 = Stack[4]{}
          v1 = W_Object{intval: i3}
          @ 0:3 r0=v1 r1=p1 r2=0 r3=i2 | 1:14 r0=5 r1=0 r2=ref(0) r3=p0 r4=v0
        i4 = getfield_i(p1) W_Object.intval
        i5 = int_add(i3, i4)
        merge_point(5, 1, ref(0))
        p6 = new() W_Object
        setfield_i(p6, i5) W_Object.intval
        finish(p6)
    "#]]
    .assert_eq(&pieces.join("\n"));
}

/// Section 2.5: a frame that other code can look at. `line` is virtualizable, so a loop neither
/// stores nor loads it, and the frame in the heap stays as it was; what other code finds there is
/// copied to it when it looks. What is stored where nothing is virtualizable is `count`, for
/// comparison.
#[test]
fn a_virtualizable_frame_stays_empty() {
    check(
        "class PathFrame { line: virtualizable int, count: cell int }
        fn introspect() opaque reads(*) writes(*)
        code run(i0 i1 r2) -> int {
            head: merge_point (i0) (i1 r2)
            reclaim r2
            i3 = getfield_i r2 PathFrame.line
            i3 = int_add i3 1
            reclaim r2
            setfield_i r2 i3 PathFrame.line
            i4 = getfield_i r2 PathFrame.count
            i4 = int_add i4 1
            setfield_i r2 i4 PathFrame.count
            call_fn introspect()
            i1 = int_sub i1 1
            i5 = int_gt i1 0
            branch_false i5 @out
            loop_header
            goto @head
            out: reclaim r2
            i3 = getfield_i r2 PathFrame.line
            return i3
        }
        portal run @0",
        &[0],
        expect![[r#"
            [i0, p1]
            label L0(i0, p1)
            merge_point(0)
            reclaim(p1)
            i2 = getfield_i(p1) PathFrame.line
            i3 = int_add(i2, 1)
            i4 = getfield_i(p1) PathFrame.count
            i5 = int_add(i4, 1)
            setfield_i(p1, i5) PathFrame.count
            call() introspect
            guard_not_forced()
              -> [i0, p1, i3]
              p1.PathFrame.line = i3
              keeps p1
              @ 0:10 r0=0 r1=i0 r2=p1
            i6 = int_add(i0, -1)
            i7 = int_gt(i6, 0)
            guard_true(i7) => L1(p1, i3)
            jump L2(i6, p1, i3)
            label L1(p8, i9)
            setfield_i(p8, i9) PathFrame.line
            finish(i9)
            label L3(p10, i11)
            setfield_i(p10, i11) PathFrame.line
            finish(i11)
            label L2(i12, p13, i14)
            merge_point(0)
            reclaim(p13)
            i15 = int_add(i14, 1)
            i16 = getfield_i(p13) PathFrame.count
            i17 = int_add(i16, 1)
            setfield_i(p13, i17) PathFrame.count
            call() introspect
            guard_not_forced()
              -> [i12, p13, i15]
              p13.PathFrame.line = i15
              keeps p13
              @ 0:10 r0=0 r1=i12 r2=p13
            i18 = int_add(i12, -1)
            i19 = int_gt(i18, 0)
            guard_true(i19) => L3(p13, i15)
            jump L2(i18, p13, i15)
        "#]],
    );
}

/// Section 2.6: what is deeply frozen is read at compile time (the guest program is), and a field
/// of an object that is only known at run time, if it was promoted once, is a constant from then
/// on.
#[test]
fn a_promoted_field_is_remembered() {
    let jitcode = "class Shape { size: int }
        class Code [int]
        code area(r0) -> int {
            i1 = getfield_i r0 Shape.size
            i1 = int_mul i1 i1
            return i1
        }
        code run(i0 r1 r2) -> int {
            head: merge_point (i0 r1) (r2)
            i3 = getitem_i r1 i0 Code
            i4 = getfield_i r2 Shape.size
            i4 = promote i4
            i5 = call area(r2)
            i5 = int_add i5 i3
            return i5
        }
        portal run @0";
    let mut guest = Guest::new(jitcode, &[100, 200], "all");
    let code = guest.specialise(&[1, PROGRAM]);
    expect![[r#"
        [p0]
        label L0(p0)
        merge_point(1, ref(0))
        i1 = getfield_i(p0) Shape.size
        leave()
          -> [p0, i1]
          @ 1:3 r2=p0 r3=200 r4=i1
    "#]]
    .assert_eq(&code.text);
    expect![[r#"
        [p0, i1]
        guard_value(i1, 9)
          -> [p0, i1]
          @ 1:3 r2=p0 r3=200 r4=i1
        finish(281)
    "#]]
    .assert_eq(&guest.arm(&code, 0, 9).text);
}

/// Section 2.6: lists and dictionaries are virtual too. The list has room for as many items as it
/// is made with; the dictionary is two lists, in which a key is looked for: keys are green, so the
/// loop that looks runs at compile time.
#[test]
fn lists_and_dictionaries_are_virtual() {
    check(
        "class Items [cell int]
        class Dict { keys: ref, values: ref }
        code find(r0 i1) -> int {
            i2 = 0
            next: i3 = getitem_i r0 i2 Items
            i3 = int_eq i3 i1
            branch_false i3 @other
            return i2
            other: i2 = int_add i2 1
            goto @next
        }
        code run(i0 i1 i2) -> int {
            head: merge_point (i0) (i1 i2)
            r3 = new Dict
            r4 = new_array 3 Items
            setitem_i r4 0 70 Items
            setitem_i r4 1 71 Items
            setfield_r r3 r4 Dict.keys
            r4 = new_array 3 Items
            setitem_i r4 0 i1 Items
            setitem_i r4 1 i2 Items
            setfield_r r3 r4 Dict.values
            r4 = getfield_r r3 Dict.keys
            i5 = call find(r4 71)
            r4 = getfield_r r3 Dict.values
            i6 = getitem_i r4 i5 Items
            setitem_i r4 2 i6 Items
            i7 = getitem_i r4 2 Items
            i8 = getitem_i r4 0 Items
            i7 = int_sub i7 i8
            return i7
        }
        portal run @0",
        &[0],
        expect![[r#"
            [i0, i1]
            label L0(i0, i1)
            merge_point(0)
            i2 = int_sub(i1, i0)
            finish(i2)
        "#]],
    );
}

/// Section 2.6: the state of exceptions is virtual. A call that may fail has its error as a second
/// result, an object; the handler takes it apart. Nothing is made, and of the tests whether there
/// is an exception the one that asks the value is left.
#[test]
fn exceptions_are_virtual() {
    check(
        "class ZeroDivision { dividend: int }
        code div(i0 i1) -> (int, ref) {
            i2 = int_eq i1 0
            branch_false i2 @divide
            r3 = new ZeroDivision
            setfield_i r3 i0 ZeroDivision.dividend
            return 0 r3
            divide: i2 = int_div i0 i1
            return i2 null
        }
        code middle(i0 i1) -> (int, ref) {
            i2 r3 = call div(i0 i1)
            i4 = ptr_eq r3 null
            branch_false i4 @raised
            i2 = int_add i2 1
            return i2 null
            raised: return 0 r3
        }
        code run(i0 i1 i2) -> int {
            head: merge_point (i0) (i1 i2)
            i3 r4 = call middle(i1 i2)
            i5 = ptr_eq r4 null
            branch_false i5 @handler
            return i3
            handler: i5 = getfield_i r4 ZeroDivision.dividend
            i5 = int_neg i5
            return i5
        }
        portal run @0",
        &[0],
        expect![[r#"
            [i0, i1]
            label L0(i0, i1)
            merge_point(0)
            i2 = int_is_zero(i1)
            guard_true(i2) => L1(i0, i1)
            i3 = int_neg(i0)
            finish(i3)
            label L1(i4, i5)
            i6 = int_div(i4, i5)
            i7 = int_add(i6, 1)
            finish(i7)
        "#]],
    );
}
