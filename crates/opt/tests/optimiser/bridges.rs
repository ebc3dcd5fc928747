//! Bridges: from a failed guard into a loop that exists.

use expect_test::{Expect, expect};
use verdigris_opt::{GuardKnowledge, Optimiser, Passes};
use verdigris_trace::{parse, parse_descrs, print, verify};
use verdigris_traces::{DESCRS, NoObjects};

const LOOP: &str = "
    [p0, i1]
    i2 = int_gt(i1, 0)
    guard_true(i2) @ 0:1 r0=p0 r1=i1
    p3 = getitem_r(p0, 0) Stack
    guard_class(p3) Int @ 0:2 r0=p0 r1=i1
    i4 = getfield_i(p3) Int.value
    i5 = int_add(i4, i1)
    p6 = new() Int
    setfield_i(p6, i5) Int.value
    setitem_r(p0, 0, p6) Stack
    i7 = int_sub(i1, 1)
    close(p0, i7)
";

/// Optimises the loop, then a bridge from one of its guards (with what is known there, or with
/// nothing) that ends in a jump to the loop's entry label.
fn check(guard: Option<usize>, bridge: &str, expected: Expect) {
    check_with(LOOP, guard, bridge, expected);
}

fn check_with(recorded: &str, guard: Option<usize>, bridge: &str, expected: Expect) {
    let descrs = parse_descrs(DESCRS).expect("the descriptors parse");
    let mut optimiser = Optimiser::new(Passes::all());
    let recorded = parse(&descrs, recorded).expect("the loop parses");
    let done = optimiser
        .optimise_loop(&recorded, None, &descrs, &mut NoObjects)
        .expect("the loop is consistent");
    let facts = guard.map_or_else(GuardKnowledge::default, |g| done.guard_knowledge[g].clone());
    let entry = done.entry.expect("a loop has an entry").as_u32();
    let bridge = bridge.replace("entry", &format!("L{entry}"));
    let recorded = parse(&descrs, &bridge).unwrap_or_else(|e| panic!("{e:?}"));
    let done = optimiser
        .optimise_bridge(&recorded, &facts, None, &descrs, &mut NoObjects)
        .expect("the bridge is consistent");
    verify(&descrs, &done.trace).unwrap_or_else(|e| panic!("{e:?}"));
    expected.assert_eq(&print(&descrs, &done.trace));
}

#[test]
fn a_bridge_that_has_what_the_body_assumes_goes_there() {
    check(
        None,
        "
        [p0, i1, i2]
        p3 = new() Int
        setfield_i(p3, i2) Int.value
        setitem_r(p0, 0, p3) Stack
        jump entry(p0, i1)
        ",
        expect![[r#"
            [p0, i1, i2]
            jump L1(p0, i1, i2)
        "#]],
    );
}

/// A loop that checks the bounds of its stack; the body knows they hold.
const CHECKED: &str = "
    [p0, i1]
    i2 = int_gt(i1, 0)
    guard_true(i2) @ 0:1 r0=p0 r1=i1
    i3 = arraylen(p0) Stack
    i4 = uint_lt(2, i3)
    guard_true(i4) @ 0:2 r0=p0 r1=i1
    p5 = getitem_r(p0, 1) Stack
    guard_class(p5) Int @ 0:3 r0=p0 r1=i1
    i6 = getfield_i(p5) Int.value
    i7 = int_sub(i1, i6)
    close(p0, i7)
";

#[test]
fn a_bridge_knows_what_its_guard_knew() {
    // Guard 3 is the body's first. Its fail arguments are the stack and the counter; the limit in
    // the box is known of.
    check_with(
        CHECKED,
        Some(3),
        "
        [p0, i1]
        i2 = int_add(i1, 100)
        i3 = arraylen(p0) Stack
        i4 = uint_lt(2, i3)
        guard_true(i4) @ 0:2 r0=p0 r1=i2
        p5 = getitem_r(p0, 1) Stack
        guard_class(p5) Int @ 0:3 r0=p0 r1=i2
        i6 = getfield_i(p5) Int.value
        i7 = int_sub(i2, i6)
        jump entry(p0, i7)
        ",
        expect![[r#"
            [p0, i1]
            i2 = int_add(i1, 100)
            p3 = getitem_r(p0, 1) Stack
            i4 = getfield_i(p3) Int.value
            i5 = int_sub(i2, i4)
            jump L1(p0, i5, i4)
        "#]],
    );
}

/// A loop that passes on what it has read behind a call: the body forgets it at the call without
/// having used it.
const FORGETFUL: &str = "
    [p0, i1]
    i2 = int_gt(i1, 0)
    guard_true(i2) @ 0:1 r0=p0 r1=i1
    call() touch
    guard_no_panic() @ 0:2 r0=p0 r1=i1
    i3 = getfield_i(p0) Frame.sp
    close(p0, i3)
";

#[test]
fn a_bridge_does_not_know_what_the_body_does_not_demand() {
    // At guard 2, the body's first, the field holds i1 when the entry comes in; another bridge may
    // come in without that.
    check_with(
        FORGETFUL,
        Some(2),
        "
        [p0, i1]
        i2 = getfield_i(p0) Frame.sp
        finish(i2)
        ",
        expect![[r#"
            [p0, i1]
            i2 = getfield_i(p0) Frame.sp
            finish(i2)
        "#]],
    );
}

#[test]
fn another_bridge_goes_to_the_entry() {
    check(
        None,
        "
        [p0, i1, p2]
        setitem_r(p0, 0, p2) Stack
        jump entry(p0, i1)
        ",
        expect![[r#"
            [p0, i1, p2]
            setitem_r(p0, 0, p2) Stack
            jump L0(p0, i1)
        "#]],
    );
}

/// A loop that makes an object which other code keeps, and goes one way or the other behind it.
const KEPT: &str = "
    [p0, i1]
    p2 = new() Int
    call(p2) show
    guard_no_panic() @ 0:1 r0=p0 r1=i1
    i3 = int_gt(i1, 0)
    guard_true(i3) @ 0:2 r0=p0 r1=i1
    i4 = int_sub(i1, 1)
    guard_not_exhausted() @ 0:3 r0=p0 r1=i4
    close(p0, i4)
";

#[test]
fn a_bridge_looks_for_the_memory_that_was_used_in_front_of_it() {
    let back = "
        [p0, i1]
        guard_not_exhausted() @ 0:3 r0=p0 r1=i1
        jump entry(p0, i1)
        ";
    // Guard 4 is the body's second; nothing makes objects in the other loop.
    check_with(
        KEPT,
        Some(4),
        back,
        expect![[r#"
        [p0, i1]
        guard_not_exhausted()
          -> [p0, i1]
          @ 0:3 r0=p0 r1=i1
        jump L1(p0, i1)
    "#]],
    );
    check_with(
        FORGETFUL,
        Some(1),
        back,
        expect![[r#"
        [p0, i1]
        jump L1(p0, i1)
    "#]],
    );
}
