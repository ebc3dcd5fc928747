//! The examples that the paper on allocation removal works through, as trace text. In: a trace as
//! the paper prints it. Out: what the paper says that becomes of it; where ours differs in an
//! inessential way, a comment says how.
//!
//! Source: "Allocation Removal by Partial Evaluation in a Tracing JIT" (2011), sections 2, 4 and 5.
//! A recorded guard has a snapshot, which the paper leaves out: it names what the rest of the
//! iteration needs. The optimised guard says how to get it.

use expect_test::{Expect, expect};
use verdigris_ops::Descrs;
use verdigris_opt::{OptError, Optimised, Optimiser, Passes};
use verdigris_trace::{parse, parse_descrs, print, verify};
use verdigris_traces::NoObjects;

/// The paper's classes, and what makes objects escape. The objects of section 5 have the fields L
/// and R.
const DESCRS: &str = "
    class BoxedInteger { intval: int imm }
    class BoxedFloat { floatval: float imm }
    class T1 { L: ref, R: ref }
    class T2 { L: ref, R: ref }
    fn escape(ref) opaque
";

fn descrs() -> Descrs {
    parse_descrs(DESCRS).expect("the descriptors parse")
}

fn optimise(enable_opts: &str, text: &str) -> Result<Optimised, OptError> {
    let descrs = descrs();
    let passes = Passes::parse(enable_opts).expect("the passes exist");
    let trace = parse(&descrs, text).unwrap_or_else(|e| panic!("{e:?}"));
    verify(&descrs, &trace).unwrap_or_else(|e| panic!("recorded: {e:?}"));
    Optimiser::new(passes).optimise_loop(&trace, None, &descrs, &mut NoObjects)
}

/// The optimised form of a trace.
fn optimised(enable_opts: &str, text: &str) -> String {
    let done = optimise(enable_opts, text).expect("the trace is consistent");
    let descrs = descrs();
    verify(&descrs, &done.trace).unwrap_or_else(|e| panic!("optimised: {e:?}"));
    print(&descrs, &done.trace)
}

/// Checks what becomes of a trace.
fn check(enable_opts: &str, text: &str, expected: Expect) {
    expected.assert_eq(&optimised(enable_opts, text));
}

/// Checks that traces become the same, with allocation removal alone and with everything.
fn check_same(texts: &[impl AsRef<str>], expected: Expect) {
    let first = optimised("virtuals", texts[0].as_ref());
    for text in texts {
        let text = text.as_ref();
        assert_eq!(optimised("virtuals", text), first, "{text}");
        assert_eq!(optimised("all", text), first, "{text}");
    }
    expected.assert_eq(&first);
}

/// Figure 2: one iteration of `f` on integers, its comments included.
const FIGURE_2: &str = "
    [p0, p1]
    // inside f: res.add(y)
    guard_class(p1) BoxedInteger @ 0:1 r0=p0 r1=p1
    i2 = getfield_i(p1) BoxedInteger.intval
    guard_class(p0) BoxedInteger @ 1:1 r0=p0 r1=i2 | 0:1 r0=p0
    i3 = getfield_i(p0) BoxedInteger.intval
    i4 = int_add(i2, i3)
    p5 = new() BoxedInteger
    setfield_i(p5, i4) BoxedInteger.intval
    // inside f: BoxedInteger(-100)
    p6 = new() BoxedInteger
    setfield_i(p6, -100) BoxedInteger.intval
    // inside f: .add(BoxedInteger(-100))
    guard_class(p5) BoxedInteger @ 0:2 r0=p0 r1=p5 r2=p6
    i7 = getfield_i(p5) BoxedInteger.intval
    guard_class(p6) BoxedInteger @ 1:1 r0=p6 r1=i7 | 0:2 r0=p0
    i8 = getfield_i(p6) BoxedInteger.intval
    i9 = int_add(i7, i8)
    p10 = new() BoxedInteger
    setfield_i(p10, i9) BoxedInteger.intval
    // inside f: BoxedInteger(-1)
    p11 = new() BoxedInteger
    setfield_i(p11, -1) BoxedInteger.intval
    // inside f: y.add(BoxedInteger(-1))
    guard_class(p0) BoxedInteger @ 0:3 r0=p0 r1=p10 r2=p11
    i12 = getfield_i(p0) BoxedInteger.intval
    guard_class(p11) BoxedInteger @ 1:1 r0=p11 r1=i12 | 0:3 r1=p10
    i13 = getfield_i(p11) BoxedInteger.intval
    i14 = int_add(i12, i13)
    p15 = new() BoxedInteger
    setfield_i(p15, i14) BoxedInteger.intval
    // inside f: y.is_positive()
    guard_class(p15) BoxedInteger @ 0:4 r0=p15 r1=p10
    i16 = getfield_i(p15) BoxedInteger.intval
    i17 = int_gt(i16, 0)
    // inside f
    guard_true(i17) @ 0:5 r0=p15 r1=p10
    close(p15, p10)
";

/// Figure 4. The values are numbered in the order of the optimised trace, where the paper keeps the
/// names that they had before; and what the guards know of the two boxes is printed with them.
#[test]
fn figure_2_becomes_figure_4() {
    check(
        "virtuals",
        FIGURE_2,
        expect![[r#"
        [p0, p1]
        label L0(p0, p1)
        guard_class(p1) BoxedInteger
          -> [p0, p1]
          @ 0:1 r0=p0 r1=p1
        i2 = getfield_i(p1) BoxedInteger.intval
        guard_class(p0) BoxedInteger
          -> [p0, i2]
          @ 1:1 r0=p0 r1=i2 | 0:1 r0=p0
        i3 = getfield_i(p0) BoxedInteger.intval
        i4 = int_add(i2, i3)
        i5 = int_add(i4, -100)
        guard_class(p0) BoxedInteger
          -> [p0, i5]
          v0 = BoxedInteger{intval: i5}
          v1 = BoxedInteger{intval: -1}
          @ 0:3 r0=p0 r1=v0 r2=v1
        i6 = getfield_i(p0) BoxedInteger.intval
        i7 = int_add(i6, -1)
        i8 = int_gt(i7, 0)
        guard_true(i8)
          -> [i7, i5]
          v0 = BoxedInteger{intval: i7}
          v1 = BoxedInteger{intval: i5}
          @ 0:5 r0=v0 r1=v1
        p9 = new() BoxedInteger
        setfield_i(p9, i7) BoxedInteger.intval
        p10 = new() BoxedInteger
        setfield_i(p10, i5) BoxedInteger.intval
        jump L0(p9, p10)
    "#]],
    );
}

/// The paper leaves the objects that survive the jump ("category 3") to a later one: that is loop
/// peeling.
#[test]
fn figure_2_after_everything() {
    check(
        "all",
        FIGURE_2,
        expect![[r#"
        [p0, p1]
        label L0(p0, p1)
        guard_class(p1) BoxedInteger
          -> [p0, p1]
          @ 0:1 r0=p0 r1=p1
        i2 = getfield_i(p1) BoxedInteger.intval
        guard_class(p0) BoxedInteger
          -> [p0, i2]
          @ 1:1 r0=p0 r1=i2 | 0:1 r0=p0
        i3 = getfield_i(p0) BoxedInteger.intval
        i4 = int_add(i2, i3)
        i5 = int_add(i4, -100)
        i6 = int_add(i3, -1)
        i7 = int_gt(i6, 0)
        guard_true(i7)
          -> [i6, i5]
          v0 = BoxedInteger{intval: i6}
          v1 = BoxedInteger{intval: i5}
          @ 0:5 r0=v0 r1=v1
        jump L1(i6, i5)
        label L1(i8, i9)
        i10 = int_add(i9, i8)
        i11 = int_add(i10, -100)
        i12 = int_add(i8, -1)
        i13 = int_gt(i12, 0)
        guard_true(i13)
          -> [i12, i11]
          v0 = BoxedInteger{intval: i12}
          v1 = BoxedInteger{intval: i11}
          @ 0:5 r0=v0 r1=v1
        jump L1(i12, i11)
    "#]],
    );
}

/// Section 4: the operations of lines 10 to 26 of figure 2, which need only the addition of line 26
/// in the end.
#[test]
fn static_objects_of_section_4() {
    check_same(
        &["
        [i4]
        p5 = new() BoxedInteger
        setfield_i(p5, i4) BoxedInteger.intval
        p6 = new() BoxedInteger
        setfield_i(p6, -100) BoxedInteger.intval
        guard_class(p5) BoxedInteger @ 0:1 r0=p5 r1=p6
        i7 = getfield_i(p5) BoxedInteger.intval
        guard_class(p6) BoxedInteger @ 0:2 r0=i7 r1=p6
        i8 = getfield_i(p6) BoxedInteger.intval
        i9 = int_add(i7, i8)
        finish(i9)
        "],
        expect![[r#"
            [i0]
            label L0(i0)
            i1 = int_add(i0, -100)
            finish(i1)
        "#]],
    );
}

/// Section 4: lifting is needed in any operation "apart from get, set, and guard". So a guard that
/// stays describes the static objects that its frames need; one that several frames share is
/// described once.
#[test]
fn guards_describe_static_objects() {
    check_same(
        &["
        [i0, i1]
        p2 = new() BoxedInteger
        setfield_i(p2, i0) BoxedInteger.intval
        p3 = new() BoxedInteger
        setfield_i(p3, -100) BoxedInteger.intval
        p4 = new() T1
        setfield_r(p4, p2) T1.L
        setfield_r(p4, p4) T1.R
        guard_true(i1) @ 1:7 r0=p2 r1=p3 | 0:3 r0=p4 r1=p2
        i5 = getfield_i(p2) BoxedInteger.intval
        finish(i5)
        "],
        expect![[r#"
            [i0, i1]
            label L0(i0, i1)
            guard_true(i1)
              -> [i0]
              v0 = T1{L: v1, R: v0}
              v1 = BoxedInteger{intval: i0}
              v2 = BoxedInteger{intval: -100}
              @ 1:7 r0=v1 r1=v2 | 0:3 r0=v0 r1=v1
            finish(i0)
        "#]],
    );
}

/// A type check of a static object that cannot hold. In the rules of figure 6 the guard is
/// residualised, and its object lifted. No interpreter ever does that; with all passes on, the
/// trace is refused.
#[test]
fn a_type_check_that_cannot_hold() {
    let text = "
        [i0]
        p1 = new() BoxedInteger
        setfield_i(p1, i0) BoxedInteger.intval
        guard_class(p1) BoxedFloat @ 0:1 r0=p1
        finish(i0)
    ";
    check(
        "virtuals",
        text,
        expect![[r#"
        [i0]
        label L0(i0)
        p1 = new() BoxedInteger
        setfield_i(p1, i0) BoxedInteger.intval
        guard_class(p1) BoxedFloat
          -> [p1]
          @ 0:1 r0=p1
        finish(i0)
    "#]],
    );
    assert!(matches!(
        optimise("all", text),
        Err(OptError::Contradiction)
    ));
}

/// The object is made again whenever the code runs, so it never is the one of the recording.
#[test]
fn a_promotion_of_an_object_of_the_trace() {
    let text = "
        [i0]
        p1 = new() BoxedInteger
        setfield_i(p1, i0) BoxedInteger.intval
        guard_value(p1, ref(1)) @ 0:1 r0=p1
        finish(i0)
    ";
    assert!(matches!(optimise("all", text), Err(OptError::PromotesNew)));
}

/// Of a constant, whatever the passes: what comes behind the guard would be loaded from an object
/// of another class.
#[test]
fn a_check_of_a_constant_that_cannot_hold() {
    let text = "
        [i0]
        i1 = int_add(2, 3)
        guard_value(i1, 6) @ 0:1 r0=i1
        finish(i0)
    ";
    for passes in ["all", "all-guards", "fold"] {
        let done = optimise(passes, text);
        assert!(matches!(done, Err(OptError::Contradiction)), "{passes}");
    }
}

/// The static heap of section 5.1: `v = (T1, w, v)` and `w = (T2, u, u)`, with the fields set in
/// several orders, on which the lifting does not depend. Then an object escapes, and a guard looks
/// at `v`. (`u` is p0, `v` is p2, `w` is p3.)
fn section_5(escapes: &str) -> Vec<String> {
    let (v_l, v_r) = ("setfield_r(p2, p3) T1.L", "setfield_r(p2, p2) T1.R");
    let (w_l, w_r) = ("setfield_r(p3, p0) T2.L", "setfield_r(p3, p0) T2.R");
    let orders = [
        [v_l, v_r, w_l, w_r],
        [w_l, w_r, v_l, v_r],
        [w_r, v_l, w_l, v_r],
    ];
    let traces = orders.iter().map(|sets| {
        format!(
            "
            [p0, i1]
            p2 = new() T1
            p3 = new() T2
            {}
            call({escapes}) escape
            guard_no_panic() @ 0:1
            guard_true(i1) @ 0:2 r0=p2
            finish()
            ",
            sets.join("\n")
        )
    });
    traces.collect()
}

/// Lifting `v` lifts `w`: both are made, then the fields of `w` are set, then those of `v`.
#[test]
fn lifting_v_lifts_w() {
    check_same(
        &section_5("p2"),
        expect![[r#"
        [p0, i1]
        label L0(p0, i1)
        p2 = new() T1
        p3 = new() T2
        setfield_r(p3, p0) T2.L
        setfield_r(p3, p0) T2.R
        setfield_r(p2, p3) T1.L
        setfield_r(p2, p2) T1.R
        call(p2) escape
        guard_no_panic()
          -> []
          @ 0:1
        guard_true(i1)
          -> [p2]
          @ 0:2 r0=p2
        finish()
    "#]],
    );
}

/// Lifting `w` leaves `v` static, which the guard shows: its `L` is the object that has been made.
#[test]
fn lifting_w_leaves_v() {
    check_same(
        &section_5("p3"),
        expect![[r#"
        [p0, i1]
        label L0(p0, i1)
        p2 = new() T2
        setfield_r(p2, p0) T2.L
        setfield_r(p2, p0) T2.R
        call(p2) escape
        guard_no_panic()
          -> []
          @ 0:1
        guard_true(i1)
          -> [p2]
          v0 = T1{L: p2, R: v0}
          @ 0:2 r0=v0
        finish()
    "#]],
    );
}

/// Section 5: a store of a static object into one that is not static lifts the former, before the
/// store. With all passes the store itself is delayed, until an operation could see it.
#[test]
fn a_store_lifts_what_it_stores() {
    let text = "
        [p0, i1]
        p2 = new() BoxedInteger
        setfield_i(p2, i1) BoxedInteger.intval
        setfield_r(p0, p2) T1.L
        guard_true(i1) @ 0:1 r0=p2
        finish()
    ";
    check(
        "virtuals",
        text,
        expect![[r#"
        [p0, i1]
        label L0(p0, i1)
        p2 = new() BoxedInteger
        setfield_i(p2, i1) BoxedInteger.intval
        setfield_r(p0, p2) T1.L
        guard_true(i1)
          -> [p2]
          @ 0:1 r0=p2
        finish()
    "#]],
    );
    check(
        "all",
        text,
        expect![[r#"
            [p0, i1]
            label L0(p0, i1)
            guard_true(i1)
              -> [p0]
              v0 = BoxedInteger{intval: 0}
              p0.T1.L = v0
              @ 0:1 r0=v0
            p2 = new() BoxedInteger
            setfield_i(p2, i1) BoxedInteger.intval
            setfield_r(p0, p2) T1.L
            finish()
        "#]],
    );
}
