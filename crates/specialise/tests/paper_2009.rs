//! The figures of "Automatic Generation of JIT Compilers for Dynamic Languages in .NET" (2009) that
//! show TLC's `abs` step by step: what is gone in the paper's figure is gone here.
//!
//! The paper writes residual code as Python, in which `a` and `b` are the operands of an
//! instruction, in either order; its figure 1 branches to `neg` if `n < 0`, its figures 4 to 8 if
//! `0 < n`. Here it is as in figure 1. The real interpreter of TLC asks for classes with a `match`,
//! which is compiled at once: `languages/tlc/tests/figures.rs`.

use crate::support::{Guest, PROGRAM};
use expect_test::expect;

/// Figure 1, assembled.
const ABS: &[i64] = &[
    22, // main: PUSHARG
    2, 0,  // PUSH 0
    14, // LT
    18, 2,  // BR_COND neg
    22, // pos: PUSHARG
    21, // RETURN
    2, 0,  // neg: PUSH 0
    22, // PUSHARG
    9,  // SUB
    21, // RETURN
];

/// The main loop of figure 2: methods of objects are called. Code starts at a merge point, so the
/// stack is made at pc 0, behind it.
const FIGURE_2: &str = "
    class Code [int]
    class IntObj { value: int }
    class Args [ref]
    class Stack [cell ref]
    fn lt(ref, ref) -> int opaque reads() writes()
    fn sub(ref, ref) -> ref opaque reads() writes()
    fn is_true(ref) -> int opaque reads() writes()
    code interp_eval(i0 i1 r2 r3 r4) -> ref {
        head: merge_point (i0 i1 r2) (r3 r4)
        switch i0 [0: @enter, else @fetch]
        enter: r4 = new_array 4 Stack
        fetch: i5 = getitem_i r2 i0 Code
        i0 = int_add i0 1
        switch i5 [2: @push, 9: @sub, 14: @lt, 18: @br_cond, 21: @return, else @pusharg]
        push: i6 = getitem_i r2 i0 Code
        i0 = int_add i0 1
        goto @box
        pusharg: r7 = getitem_r r3 0 Args
        goto @append
        lt: i1 = int_sub i1 1
        r7 = getitem_r r4 i1 Stack
        setitem_r r4 i1 null Stack
        i1 = int_sub i1 1
        r8 = getitem_r r4 i1 Stack
        setitem_r r4 i1 null Stack
        i6 = call_fn lt(r8 r7)
        box: r7 = new IntObj
        setfield_i r7 i6 IntObj.value
        append: setitem_r r4 i1 r7 Stack
        i1 = int_add i1 1
        goto @head
        sub: i1 = int_sub i1 1
        r7 = getitem_r r4 i1 Stack
        setitem_r r4 i1 null Stack
        i1 = int_sub i1 1
        r8 = getitem_r r4 i1 Stack
        setitem_r r4 i1 null Stack
        r7 = call_fn sub(r8 r7)
        goto @append
        br_cond: i1 = int_sub i1 1
        r7 = getitem_r r4 i1 Stack
        setitem_r r4 i1 null Stack
        i6 = call_fn is_true(r7)
        i9 = getitem_i r2 i0 Code
        i0 = int_add i0 1
        branch_false i6 @head
        i0 = int_add i0 i9
        i9 = int_lt i9 0
        branch_false i9 @head
        loop_header
        goto @head
        return: i1 = int_sub i1 1
        r7 = getitem_r r4 i1 Stack
        setitem_r r4 i1 null Stack
        return r7
    }
    portal interp_eval @0";

/// Figure 3: the residual code of plain partial evaluation, which the optimiser leaves as it is.
/// Dispatch is gone; the stack is there, and so are boxes and calls of methods. Behind a call
/// stands a guard that the paper's language does not need: a function in Rust may panic.
#[test]
fn figure_3() {
    let mut abs = Guest::new(FIGURE_2, ABS, "all-virtuals-heap");
    expect![[r#"
        [p0, p1]
        label L0(p0, p1)
        merge_point(0, 0, ref(0))
        p2 = new_array(4) Stack
        p3 = getitem_r(p0, 0) Args
        setitem_r(p2, 0, p3) Stack
        merge_point(1, 1, ref(0))
        p4 = new() IntObj
        setfield_i(p4, 0) IntObj.value
        setitem_r(p2, 1, p4) Stack
        merge_point(3, 2, ref(0))
        p5 = getitem_r(p2, 1) Stack
        setitem_r(p2, 1, null) Stack
        p6 = getitem_r(p2, 0) Stack
        setitem_r(p2, 0, null) Stack
        i7 = call(p6, p5) lt
        guard_no_panic()
          -> [p0, p2, i7]
          @ 0:18 r0=4 r1=0 r2=ref(0) r3=p0 r4=p2 r6=i7
        p8 = new() IntObj
        setfield_i(p8, i7) IntObj.value
        setitem_r(p2, 0, p8) Stack
        merge_point(4, 1, ref(0))
        p9 = getitem_r(p2, 0) Stack
        setitem_r(p2, 0, null) Stack
        i10 = call(p9) is_true
        guard_no_panic()
          -> [p0, p2, i10]
          @ 0:35 r0=5 r1=0 r2=ref(0) r3=p0 r4=p2 r6=i10
        guard_true(i10) => L1(p0, p2)
        merge_point(8, 0, ref(0))
        p11 = new() IntObj
        setfield_i(p11, 0) IntObj.value
        setitem_r(p2, 0, p11) Stack
        merge_point(10, 1, ref(0))
        p12 = getitem_r(p0, 0) Args
        setitem_r(p2, 1, p12) Stack
        merge_point(11, 2, ref(0))
        p13 = getitem_r(p2, 1) Stack
        setitem_r(p2, 1, null) Stack
        p14 = getitem_r(p2, 0) Stack
        setitem_r(p2, 0, null) Stack
        p15 = call(p14, p13) sub
        guard_no_panic()
          -> [p0, p2, p15]
          @ 0:30 r0=12 r1=0 r2=ref(0) r3=p0 r4=p2 r7=p15
        setitem_r(p2, 0, p15) Stack
        merge_point(12, 1, ref(0))
        p16 = getitem_r(p2, 0) Stack
        setitem_r(p2, 0, null) Stack
        finish(p16)
        label L1(p17, p18)
        merge_point(6, 0, ref(0))
        p19 = getitem_r(p17, 0) Args
        setitem_r(p18, 0, p19) Stack
        merge_point(7, 1, ref(0))
        p20 = getitem_r(p18, 0) Stack
        setitem_r(p18, 0, null) Stack
        finish(p20)
    "#]]
    .assert_eq(&abs.specialise(&[0, 0, PROGRAM]).text);
}

/// Figure 4: the stack is virtual. Boxes have to be made for the methods, which are opaque.
#[test]
fn figure_4() {
    let mut abs = Guest::new(FIGURE_2, ABS, "all");
    expect![[r#"
        [p0, p1]
        label L0(p0, p1)
        merge_point(0, 0, ref(0))
        p2 = getitem_r(p0, 0) Args
        merge_point(1, 1, ref(0))
        merge_point(3, 2, ref(0))
        p3 = new() IntObj
        i4 = call(p2, p3) lt
        guard_no_panic()
          -> [p0, i4]
          v0 = Stack[4]{}
          @ 0:18 r0=4 r1=0 r2=ref(0) r3=p0 r4=v0 r6=i4
        merge_point(4, 1, ref(0))
        p5 = new() IntObj
        setfield_i(p5, i4) IntObj.value
        i6 = call(p5) is_true
        guard_no_panic()
          -> [p0, i6]
          v0 = Stack[4]{}
          @ 0:35 r0=5 r1=0 r2=ref(0) r3=p0 r4=v0 r6=i6
        guard_true(i6) => L1(p0)
        merge_point(8, 0, ref(0))
        merge_point(10, 1, ref(0))
        merge_point(11, 2, ref(0))
        p7 = new() IntObj
        p8 = call(p7, p2) sub
        guard_no_panic()
          -> [p0, p8]
          v0 = Stack[4]{}
          @ 0:30 r0=12 r1=0 r2=ref(0) r3=p0 r4=v0 r7=p8
        merge_point(12, 1, ref(0))
        finish(p8)
        label L1(p9)
        merge_point(6, 0, ref(0))
        p10 = getitem_r(p9, 0) Args
        merge_point(7, 1, ref(0))
        finish(p10)
    "#]]
    .assert_eq(&abs.specialise(&[0, 0, PROGRAM]).text);
}

/// The main loop with the hints of figure 5: `LT` and `SUB` promote the classes of their operands,
/// and the methods are looked into. A class is a number in its object: 0 is `IntObj`, 1 is
/// `NilObj`. A method has an error as a second result, with which the program is aborted.
const FIGURE_5: &str = "
    class Code [int]
    class Obj { class: int, value: int }
    class Args [ref]
    class Stack [cell ref]
    code int_o(r0) -> (int, int) {
        i1 = getfield_i r0 Obj.class
        switch i1 [0: @int, else @other]
        int: i2 = getfield_i r0 Obj.value
        return i2 0
        other: return 0 1
    }
    code lt(r0 r1) -> (int, int) {
        i2 i3 = call int_o(r0)
        branch_false i3 @first
        return 0 1
        first: i4 i3 = call int_o(r1)
        i5 = int_lt i2 i4
        return i5 i3
    }
    code sub(r0 r1) -> (int, int) {
        i2 i3 = call int_o(r0)
        branch_false i3 @first
        return 0 1
        first: i4 i3 = call int_o(r1)
        i5 = int_sub i2 i4
        return i5 i3
    }
    code interp_eval(i0 i1 r2 r3 r4) -> ref {
        head: merge_point (i0 i1 r2) (r3 r4)
        switch i0 [0: @enter, else @fetch]
        enter: r4 = new_array 4 Stack
        fetch: i5 = getitem_i r2 i0 Code
        i0 = int_add i0 1
        switch i5 [2: @push, 9: @binary, 14: @binary, 18: @br_cond, 21: @return, else @pusharg]
        push: i6 = getitem_i r2 i0 Code
        i0 = int_add i0 1
        goto @box
        pusharg: r7 = getitem_r r3 0 Args
        goto @append
        binary: i1 = int_sub i1 1
        r7 = getitem_r r4 i1 Stack
        setitem_r r4 i1 null Stack
        i1 = int_sub i1 1
        r8 = getitem_r r4 i1 Stack
        setitem_r r4 i1 null Stack
        i9 = getfield_i r7 Obj.class
        i9 = promote i9
        i9 = getfield_i r8 Obj.class
        i9 = promote i9
        switch i5 [9: @sub, else @lt]
        lt: i6 i9 = call lt(r8 r7)
        goto @check
        sub: i6 i9 = call sub(r8 r7)
        check: branch_false i9 @box
        return null
        box: r7 = new Obj
        setfield_i r7 i6 Obj.value
        append: setitem_r r4 i1 r7 Stack
        i1 = int_add i1 1
        goto @head
        br_cond: i1 = int_sub i1 1
        r7 = getitem_r r4 i1 Stack
        setitem_r r4 i1 null Stack
        i6 i9 = call int_o(r7)
        i9 = getitem_i r2 i0 Code
        i0 = int_add i0 1
        branch_false i6 @head
        i0 = int_add i0 i9
        i9 = int_lt i9 0
        branch_false i9 @head
        loop_header
        goto @head
        return: i1 = int_sub i1 1
        r7 = getitem_r r4 i1 Stack
        setitem_r r4 i1 null Stack
        return r7
    }
    portal interp_eval @0";

/// Figures 6 to 8, and what the paper says of another class: the code before a value has come, what
/// an `IntObj` adds, and what a `NilObj` adds then.
///
/// Figure 7 is the code before it is cleaned up; there is no such form here. Figure 8 returns `a`,
/// which here is read from the arguments again: what was read before a split is known behind it
/// only if it is needed there, and `PUSHARG` needs the arguments. Where the paper's
/// `continue_compilation` has the state of the compiler, the exit has the frames, from which that
/// state is made again: the objects that are not there (`IntObj(0)`, the stack) are its virtuals.
#[test]
fn figures_6_to_8() {
    let mut abs = Guest::new(FIGURE_5, ABS, "all");
    let figure_6 = abs.specialise(&[0, 0, PROGRAM]);
    assert_eq!(figure_6.left, ["promotion: 1"]);
    expect![[r#"
        [p0, p1]
        label L0(p0, p1)
        merge_point(0, 0, ref(0))
        p2 = getitem_r(p0, 0) Args
        merge_point(1, 1, ref(0))
        merge_point(3, 2, ref(0))
        i3 = getfield_i(p2) Obj.class
        leave()
          -> [p0, p2, i3]
          v0 = Stack[4]{}
          v1 = Obj{}
          @ 3:20 r0=4 r1=0 r2=ref(0) r3=p0 r4=v0 r5=14 r7=v1 r8=p2 r9=i3
    "#]]
    .assert_eq(&figure_6.text);

    let figure_8 = abs.arm(&figure_6, 0, 0);
    expect![[r#"
        [p0, p1, i2]
        guard_value(i2, 0)
          -> [p0, p1, i2]
          v0 = Stack[4]{}
          v1 = Obj{}
          @ 3:20 r0=4 r1=0 r2=ref(0) r3=p0 r4=v0 r5=14 r7=v1 r8=p1 r9=i2
        i3 = getfield_i(p1) Obj.value
        i4 = int_lt(i3, 0)
        merge_point(4, 1, ref(0))
        guard_true(i4) => L1(p0)
        merge_point(8, 0, ref(0))
        merge_point(10, 1, ref(0))
        merge_point(11, 2, ref(0))
        i5 = int_neg(i3)
        merge_point(12, 1, ref(0))
        p6 = new() Obj
        setfield_i(p6, i5) Obj.value
        finish(p6)
        label L1(p7)
        merge_point(6, 0, ref(0))
        p8 = getitem_r(p7, 0) Args
        merge_point(7, 1, ref(0))
        finish(p8)
    "#]]
    .assert_eq(&figure_8.text);

    let nil = abs.arm(&figure_8, 0, 1);
    expect![[r#"
        [p0, p1, i2]
        guard_value(i2, 1)
          -> [p0, p1, i2]
          v0 = Stack[4]{}
          v1 = Obj{}
          @ 3:20 r0=4 r1=0 r2=ref(0) r3=p0 r4=v0 r5=14 r7=v1 r8=p1 r9=i2
        finish(null)
    "#]]
    .assert_eq(&nil.text);
}

/// Figure 9: the switch has one block, which asks the compiler to go on; then each value adds one,
/// and the switch goes on asking for others. It is a chain of tests in the order in which values
/// have come, as the linear search of section 6.3 is.
#[test]
fn figure_9() {
    let mut abs = Guest::new(FIGURE_5, ABS, "all");
    let left = abs.specialise(&[0, 0, PROGRAM]);
    assert_eq!(left.all("leave"), ["leave()"]);
    let mut switch = Vec::new();
    let mut last = left;
    for class in [0, 1, 2, 3] {
        let arm = abs.arm(&last, 0, class);
        // What was in front of the switch is not done again, and no arm leaves by itself.
        assert!(arm.all("leave").is_empty(), "{}", arm.text);
        switch.extend(arm.all("guard_value").iter().map(|test| test.to_string()));
        last = arm;
    }
    expect![[r#"
        guard_value(i2, 0)
        guard_value(i2, 1)
        guard_value(i2, 2)
        guard_value(i2, 3)"#]]
    .assert_eq(&switch.join("\n"));
}
