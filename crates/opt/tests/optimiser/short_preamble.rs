//! Arriving at a loop that exists: what a bridge does to get into the specialised body, and when it
//! goes through the entry instead.
//!
//! Each test says what the heap looks like and what the jump passed when the bridge was recorded.

use expect_test::{Expect, expect};
use verdigris_ops::Descrs;
use verdigris_opt::{GuardKnowledge, Optimiser, Passes};
use verdigris_trace::{parse, parse_descrs, print, verify};
use verdigris_traces::model::Machine;
use verdigris_traces::{DESCRS, Looking, NoObjects};

/// Adds the limit in a box to a sum. The body knows the box's class and has its value in a
/// register.
const LIMITED: &str = "
    [p0, i1, i2]
    i3 = int_gt(i1, 0)
    guard_true(i3) @ 0:1 r0=p0 r1=i1 r2=i2
    guard_class(p0) Int @ 0:2 r0=p0 r1=i1 r2=i2
    i4 = getfield_i(p0) Int.value
    i5 = int_add(i2, i4)
    i6 = int_sub(i1, 1)
    close(p0, i6, i5)
";

/// Optimises a loop, then a bridge that ends in a jump to its entry. `passed` are the words of the
/// jump when the bridge was recorded, in a heap that `heap` has filled.
fn check(
    recorded: &str,
    heap: impl FnOnce(&Descrs, &mut Machine),
    passed: &[u64],
    bridge: &str,
    expected: Expect,
) {
    check_from(None, recorded, heap, passed, bridge, expected);
}

/// The same for a bridge that knows what was known at a guard of the loop.
fn check_from(
    guard: Option<usize>,
    recorded: &str,
    heap: impl FnOnce(&Descrs, &mut Machine),
    passed: &[u64],
    bridge: &str,
    expected: Expect,
) {
    let descrs = parse_descrs(DESCRS).expect("the descriptors parse");
    let mut optimiser = Optimiser::new(Passes::all());
    let recorded = parse(&descrs, recorded).expect("the loop parses");
    let loop_ = optimiser
        .optimise_loop(&recorded, None, &descrs, &mut NoObjects)
        .expect("the loop is consistent");
    let entry = loop_.entry.expect("a loop has an entry").as_u32();
    let bridge = bridge.replace("entry", &format!("L{entry}"));
    let recorded = parse(&descrs, &bridge).unwrap_or_else(|e| panic!("{e:?}"));
    let mut machine = Machine::default();
    heap(&descrs, &mut machine);
    let mut host = Looking(&descrs, machine);
    let facts = guard.map_or_else(GuardKnowledge::default, |g| {
        loop_.guard_knowledge[g].clone()
    });
    let done = optimiser
        .optimise_bridge(&recorded, &facts, Some(passed), &descrs, &mut host)
        .expect("the bridge is consistent");
    verify(&descrs, &done.trace).unwrap_or_else(|e| panic!("{e:?}"));
    let missed_loop = match done.missed_loop {
        Some(_) => "misses the loop's bodies\n",
        None => "",
    };
    expected.assert_eq(&format!("{}{missed_loop}", print(&descrs, &done.trace)));
}

/// One object of this class, with this word in its first field or item.
fn one(class: &'static str, word: u64) -> impl FnOnce(&Descrs, &mut Machine) {
    move |descrs, machine| {
        let id = descrs.class_by_name(class).expect("declared");
        machine.add(descrs, id, 3);
        machine.objects[0].words[0] = word;
    }
}

#[test]
fn a_class_is_guarded_and_a_field_loaded() {
    check(
        LIMITED,
        one("Int", 7),
        &[1, 5, 6],
        "
        [p0, i1]
        i2 = int_mul(i1, 3)
        jump entry(p0, i1, i2) @ 0:0 r0=p0 r1=i1 r2=i2
        ",
        expect![[r#"
            [p0, i1]
            i2 = int_mul(i1, 3)
            i3 = ptr_ne(p0, null)
            guard_true(i3)
              -> [p0, i1, i2]
              @ 0:0 r0=p0 r1=i1 r2=i2
            guard_class(p0) Int
              -> [p0, i1, i2]
              @ 0:0 r0=p0 r1=i1 r2=i2
            i4 = getfield_i(p0) Int.value
            jump L1(p0, i1, i2, i4)
        "#]],
    );
}

#[test]
fn a_guard_that_would_have_failed_is_not_put_there() {
    cov_mark::check!(arrival_guard_would_have_failed);
    check(
        LIMITED,
        one("Float", 7),
        &[1, 5, 6],
        "
        [p0, i1, i2]
        jump entry(p0, i1, i2) @ 0:0 r0=p0 r1=i1 r2=i2
        ",
        expect![[r#"
            [p0, i1, i2]
            jump L0(p0, i1, i2)
            misses the loop's bodies
        "#]],
    );
}

#[test]
fn without_frames_there_is_no_guard() {
    cov_mark::check!(arrival_has_no_frames);
    check(
        LIMITED,
        one("Int", 7),
        &[1, 5, 6],
        "
        [p0, i1, i2]
        jump entry(p0, i1, i2)
        ",
        expect![[r#"
            [p0, i1, i2]
            jump L0(p0, i1, i2)
            misses the loop's bodies
        "#]],
    );
}

#[test]
fn a_null_has_no_class() {
    cov_mark::check!(arrival_guard_would_have_failed);
    check(
        LIMITED,
        |_, _| {},
        &[0, 5, 6],
        "
        [p0, i1, i2]
        jump entry(p0, i1, i2) @ 0:0 r0=p0 r1=i1 r2=i2
        ",
        expect![[r#"
            [p0, i1, i2]
            jump L0(p0, i1, i2)
            misses the loop's bodies
        "#]],
    );
}

/// A loop that keeps its counter in a box: virtual in the body.
const BOXED: &str = "
    [p0, i1]
    guard_class(p0) Int @ 0:1 r0=p0 r1=i1
    i2 = getfield_i(p0) Int.value
    i3 = int_add(i2, i1)
    i4 = int_lt(i3, 100)
    guard_true(i4) @ 0:2 r0=p0 r1=i1
    p5 = new() Int
    setfield_i(p5, i3) Int.value
    close(p5, i1)
";

#[test]
fn an_object_that_exists_is_not_taken_apart() {
    cov_mark::check!(object_is_not_taken_apart);
    // The body has no object any more: that two references are the same object would be lost.
    check(
        BOXED,
        one("Int", 7),
        &[1, 5],
        "
        [p0, i1]
        jump entry(p0, i1) @ 0:0 r0=p0 r1=i1
        ",
        expect![[r#"
            [p0, i1]
            jump L0(p0, i1)
            misses the loop's bodies
        "#]],
    );
}

/// A loop over a constant type tag: promoted, so that the body knows it.
const TAGGED: &str = "
    [i0, i1]
    guard_value(i0, 3) @ 0:1 r0=i0 r1=i1
    i2 = int_add(i1, i0)
    i3 = int_lt(i2, 100)
    guard_true(i3) @ 0:2 r0=i0 r1=i1
    close(i0, i2)
";

#[test]
fn a_constant_is_guarded() {
    check(
        TAGGED,
        |_, _| {},
        &[3, 5],
        "
        [i0, i1]
        jump entry(i0, i1) @ 0:0 r0=i0 r1=i1
        ",
        expect![[r#"
            [i0, i1]
            guard_value(i0, 3)
              -> [i0, i1]
              @ 0:0 r0=i0 r1=i1
            jump L1(i1)
        "#]],
    );
}

#[test]
fn another_constant_misses() {
    cov_mark::check!(arrives_with_another_constant);
    check(
        TAGGED,
        |_, _| {},
        &[4, 5],
        "
        [i0, i1]
        jump entry(i0, i1) @ 0:0 r0=i0 r1=i1
        ",
        expect![[r#"
            [i0, i1]
            jump L0(i0, i1)
            misses the loop's bodies
        "#]],
    );
}

/// A loop that reads the same item of an array again and again; the body has it in a register.
const INDEXED: &str = "
    [p0, i1]
    i2 = arraylen(p0) Stack
    i3 = uint_lt(2, i2)
    guard_true(i3) @ 0:1 r0=p0 r1=i1
    p4 = getitem_r(p0, 2) Stack
    guard_class(p4) Int @ 0:2 r0=p0 r1=i1
    i5 = getfield_i(p4) Int.value
    i6 = int_add(i1, i5)
    i7 = int_lt(i6, 100)
    guard_true(i7) @ 0:3 r0=p0 r1=i1
    close(p0, i6)
";

#[test]
fn an_item_is_loaded_behind_its_check() {
    let heap = |descrs: &Descrs, machine: &mut Machine| {
        one("Stack", 0)(descrs, machine);
        let int = descrs.class_by_name("Int").expect("declared");
        let number = machine.add(descrs, int, 0);
        machine.objects[0].words[2] = number;
    };
    check(
        INDEXED,
        heap,
        &[1, 5],
        "
        [p0, i1]
        jump entry(p0, i1) @ 0:0 r0=p0 r1=i1
        ",
        expect![[r#"
            [p0, i1]
            i2 = ptr_ne(p0, null)
            guard_true(i2)
              -> [p0, i1]
              @ 0:0 r0=p0 r1=i1
            i3 = arraylen(p0) Stack
            i4 = int_gt(i3, 2)
            guard_true(i4)
              -> [p0, i1]
              @ 0:0 r0=p0 r1=i1
            p5 = getitem_r(p0, 2) Stack
            i6 = ptr_ne(p5, null)
            guard_true(i6)
              -> [p0, i1]
              @ 0:0 r0=p0 r1=i1
            guard_class(p5) Int
              -> [p0, i1]
              @ 0:0 r0=p0 r1=i1
            i7 = getfield_i(p5) Int.value
            jump L1(p0, i1, i7)
            misses the loop's bodies
        "#]],
    );
}

#[test]
fn an_item_that_is_not_there_misses() {
    cov_mark::check!(arrival_has_nothing_to_load);
    let short = |descrs: &Descrs, machine: &mut Machine| {
        let stack = descrs.class_by_name("Stack").expect("declared");
        machine.add(descrs, stack, 1);
    };
    check(
        INDEXED,
        short,
        &[1, 5],
        "
        [p0, i1]
        jump entry(p0, i1) @ 0:0 r0=p0 r1=i1
        ",
        expect![[r#"
            [p0, i1]
            jump L0(p0, i1)
            misses the loop's bodies
        "#]],
    );
}

/// A loop that needs a box behind an array at its first guard, and only the array at its second.
const BEHIND: &str = "
    [p0, i1]
    i2 = arraylen(p0) Stack
    i3 = uint_lt(2, i2)
    guard_true(i3) @ 0:1 r0=p0 r1=i1
    p4 = getitem_r(p0, 2) Stack
    guard_class(p4) Int @ 0:2 r0=p0 r1=i1
    i5 = int_lt(i1, 100)
    guard_true(i5) @ 0:3 r0=p0 r1=i1 r2=p4
    i6 = getfield_i(p4) Int.value
    i7 = int_add(i1, i6)
    i8 = int_gt(i7, i1)
    guard_true(i8) @ 0:4 r0=p0 r1=i1
    close(p0, i7)
";

#[test]
fn what_is_only_known_of_is_loaded_again_in_order() {
    cov_mark::check!(arrival_brings_what_is_only_known_of);
    let heap = |descrs: &Descrs, machine: &mut Machine| {
        one("Stack", 0)(descrs, machine);
        let int = descrs.class_by_name("Int").expect("declared");
        let number = machine.add(descrs, int, 0);
        machine.objects[0].words[2] = number;
    };
    // Guard 5 is the body's second.
    check_from(
        Some(5),
        BEHIND,
        heap,
        &[1, 50],
        "
        [p0, i1]
        i2 = int_sub(i1, 50)
        jump entry(p0, i2) @ 0:0 r0=p0 r1=i2
        ",
        expect![[r#"
            [p0, i1]
            i2 = int_add(i1, -50)
            p3 = getitem_r(p0, 2) Stack
            i4 = getfield_i(p3) Int.value
            jump L1(p0, i2, p3, i4)
            misses the loop's bodies
        "#]],
    );
}

/// Another version of a loop is preferred where the first does not fit.
#[test]
fn a_bridge_chooses_the_version_that_fits() {
    let descrs = parse_descrs(DESCRS).expect("the descriptors parse");
    let mut optimiser = Optimiser::new(Passes::all());
    let first = parse(&descrs, TAGGED).expect("the loop parses");
    let first = optimiser
        .optimise_loop(&first, None, &descrs, &mut NoObjects)
        .expect("the loop is consistent");
    let entry = first.entry.expect("a loop has an entry");
    assert_eq!(optimiser.versions(entry), 1);
    let second = parse(&descrs, &TAGGED.replace("(i0, 3)", "(i0, 4)")).expect("the loop parses");
    let second = optimiser
        .optimise_version(&second, entry, &descrs, &mut NoObjects)
        .expect("the loop is consistent");
    assert_eq!(optimiser.versions(entry), 2);
    let text = format!("[i0]\njump L{}(4, i0)", entry.as_u32());
    let bridge = parse(&descrs, &text).expect("the bridge parses");
    let facts = GuardKnowledge::default();
    let done = optimiser
        .optimise_bridge(&bridge, &facts, None, &descrs, &mut NoObjects)
        .expect("the bridge is consistent");
    expect![[r#"
        [i0]
        jump L3(i0)
    "#]]
    .assert_eq(&print(&descrs, &done.trace));
    assert_eq!(done.missed_loop, None);
    optimiser.forget(&second.targets);
    assert_eq!(optimiser.versions(entry), 1);
}
