//! Quasi-immutable fields of constant objects: loads become constants, and `guard_not_invalidated`
//! stays where something is assumed.

use expect_test::{Expect, expect};
use verdigris_ops::{ClassId, DataOp, Descrs, FieldId, FnId};
use verdigris_opt::{Host, Optimiser, Passes};
use verdigris_trace::{Descr, RecordedTrace, parse, parse_descrs, print, verify};

const DESCRS: &str = "
    class Type { version: int quasi, base: ref quasi, count: int, mode: word quasi }
    fn touch() opaque
    fn count(ref) opaque reads() writes(Type.count)
    fn bump(ref) opaque reads() writes(Type.version)
";

/// Objects whose integer fields hold 7, and whose references lead to the object 64.
struct Sevens {
    may_assume: bool,
}

impl Host for Sevens {
    fn load(&mut self, op: DataOp, _: &[u64], _: Descr) -> u64 {
        match op {
            DataOp::GetFieldR => 64,
            _ => 7,
        }
    }

    fn assume(&mut self, _: u64, _: FieldId) -> bool {
        self.may_assume
    }

    fn call(&mut self, _: FnId, _: &[u64]) -> Option<Vec<u64>> {
        None
    }

    fn is_object(&mut self, _: u64) -> bool {
        false
    }

    fn class_of(&self, _: u64) -> Option<ClassId> {
        Some(ClassId::from_u32(0))
    }
}

fn recorded(descrs: &Descrs, text: &str) -> RecordedTrace {
    let trace = parse(descrs, text).unwrap_or_else(|e| panic!("{e:?}"));
    verify(descrs, &trace).unwrap_or_else(|e| panic!("recorded: {e:?}"));
    trace
}

/// Optimises traces one after the other; each but the first leads to what the first has made, which
/// `own` stands for.
fn check(passes: Passes, may_assume: bool, texts: &[&str], expected: Expect) {
    let descrs = parse_descrs(DESCRS).expect("the descriptors parse");
    let mut optimiser = Optimiser::new(passes);
    let mut out = String::new();
    for text in texts {
        let trace = recorded(&descrs, text);
        let mut host = Sevens { may_assume };
        let done = optimiser.optimise_loop(&trace, None, &descrs, &mut host);
        let done = done.expect("the trace is consistent");
        verify(&descrs, &done.trace).unwrap_or_else(|e| panic!("optimised: {e:?}"));
        let text = print(&descrs, &done.trace);
        // Resume data is not what this is about.
        for line in text.lines().filter(|l| !l.starts_with("  ")) {
            out += &format!("{line}\n");
        }
        let fields = done.assumptions.iter().map(|&(_, f)| descrs.field_name(f));
        out += &format!("assumes {:?}\n", fields.collect::<Vec<_>>());
    }
    expected.assert_eq(&out);
}

fn loop_of(text: &str, expected: Expect) {
    check(Passes::all(), true, &[text], expected);
}

const READS: &str = "
    [i0]
    i1 = getfield_i(ref(0)) Type.version
    i2 = int_add(i0, i1)
    call(ref(0)) bump
    guard_no_panic() @ 0:1 r0=i2
    guard_not_invalidated() @ 0:1 r0=i2
    close(i2)
";

#[test]
fn a_read_is_a_constant_and_has_a_guard_behind_what_may_write() {
    loop_of(
        READS,
        expect![[r#"
        [i0]
        label L0(i0)
        i1 = int_add(i0, 7)
        call(ref(0)) bump
        guard_no_panic()
        guard_not_invalidated()
        jump L1(i1)
        label L1(i2)
        i3 = int_add(i2, 7)
        call(ref(0)) bump
        guard_no_panic()
        guard_not_invalidated()
        jump L1(i3)
        assumes ["Type.version"]
    "#]],
    );
}

#[test]
fn a_chain_of_fields_is_followed() {
    loop_of(
        "
        [i0]
        p1 = getfield_r(ref(0)) Type.base
        i2 = getfield_i(p1) Type.version
        i3 = int_add(i0, i2)
        close(i3)
        ",
        expect![[r#"
            [i0]
            label L0(i0)
            jump L1()
            label L1()
            jump L1()
            assumes ["Type.base", "Type.version"]
        "#]],
    );
}

/// What the word is, the cast says: that is behind the tag, which is assumed, too.
#[test]
fn a_word_is_a_constant_where_it_is_cast() {
    loop_of(
        "
        [i0]
        w1 = getfield_w(ref(0)) Type.mode
        i2 = int_from_word(w1)
        i3 = int_add(i0, i2)
        call(ref(0)) count
        guard_no_panic() @ 0:1 r0=i3
        w4 = getfield_w(ref(0)) Type.mode
        i5 = int_from_word(w4)
        i6 = int_add(i3, i5)
        close(i6)
        ",
        expect![[r#"
            [i0]
            label L0(i0)
            i1 = int_add(i0, 7)
            call(ref(0)) count
            guard_no_panic()
            i2 = int_add(i0, 14)
            jump L1(i2)
            label L1(i3)
            i4 = int_add(i3, 7)
            call(ref(0)) count
            guard_no_panic()
            i5 = int_add(i3, 14)
            jump L1(i5)
            assumes ["Type.mode"]
        "#]],
    );
}

#[test]
fn an_object_that_is_not_constant_has_a_field_as_any_other() {
    loop_of(
        "
        [p0, i1]
        i2 = getfield_i(p0) Type.version
        i3 = int_add(i1, i2)
        call(p0) bump
        guard_no_panic() @ 0:1 r0=i3
        guard_not_invalidated() @ 0:1 r0=i3
        i4 = getfield_i(p0) Type.version
        i5 = int_add(i3, i4)
        close(p0, i5)
        ",
        expect![[r#"
            [p0, i1]
            label L0(p0, i1)
            i2 = getfield_i(p0) Type.version
            i3 = int_add(i1, i2)
            call(p0) bump
            guard_no_panic()
            i4 = getfield_i(p0) Type.version
            i5 = int_add(i3, i4)
            jump L1(p0, i5, i4)
            label L1(p6, i7, i8)
            i9 = int_add(i7, i8)
            call(p6) bump
            guard_no_panic()
            i10 = getfield_i(p6) Type.version
            i11 = int_add(i9, i10)
            jump L1(p6, i11, i10)
            assumes []
        "#]],
    );
}

#[test]
fn a_trace_that_writes_the_field_does_not_assume_it() {
    loop_of(
        "
        [i0]
        i1 = getfield_i(ref(0)) Type.version
        i2 = int_add(i0, i1)
        setfield_i(ref(0), i2) Type.version
        invalidate(ref(0)) Type.version
        guard_not_invalidated() @ 0:1 r0=i2
        i3 = getfield_i(ref(0)) Type.version
        close(i3)
        ",
        expect![[r#"
            [i0]
            label L0(i0)
            i1 = getfield_i(ref(0)) Type.version
            i2 = int_add(i0, i1)
            setfield_i(ref(0), i2) Type.version
            invalidate(ref(0)) Type.version
            jump L1(i2)
            label L1(i3)
            i4 = int_add(i3, i3)
            setfield_i(ref(0), i4) Type.version
            invalidate(ref(0)) Type.version
            jump L1(i4)
            assumes []
        "#]],
    );
}

#[test]
fn a_write_to_a_virtual_is_nobodys_concern() {
    loop_of(
        "
        [i0]
        p1 = new() Type
        setfield_i(p1, i0) Type.version
        invalidate(p1) Type.version
        guard_not_invalidated() @ 0:1 r0=i0
        i2 = getfield_i(p1) Type.version
        i3 = int_add(i2, i0)
        close(i3)
        ",
        expect![[r#"
            [i0]
            label L0(i0)
            jump L1()
            label L1()
            jump L1()
            assumes []
        "#]],
    );
}

#[test]
fn nothing_is_assumed_where_that_was_wrong_too_often() {
    check(
        Passes::all(),
        false,
        &[READS],
        expect![[r#"
        [i0]
        label L0(i0)
        i1 = getfield_i(ref(0)) Type.version
        i2 = int_add(i0, i1)
        call(ref(0)) bump
        guard_no_panic()
        jump L1(i2)
        label L1(i3)
        i4 = getfield_i(ref(0)) Type.version
        i5 = int_add(i3, i4)
        call(ref(0)) bump
        guard_no_panic()
        jump L1(i5)
        assumes []
    "#]],
    );
}

#[test]
fn without_folding_nothing_is_assumed() {
    let passes = Passes::parse("all-fold").expect("a pass");
    check(
        passes,
        true,
        &[READS],
        expect![[r#"
        [i0]
        label L0(i0)
        i1 = getfield_i(ref(0)) Type.version
        i2 = int_add(i0, i1)
        call(ref(0)) bump
        guard_no_panic()
        jump L1(i2)
        label L1(i3)
        i4 = getfield_i(ref(0)) Type.version
        i5 = int_add(i3, i4)
        call(ref(0)) bump
        guard_no_panic()
        jump L1(i5)
        assumes []
    "#]],
    );
}

#[test]
fn what_leads_to_code_that_assumes_has_guards_too() {
    let leads = "
        [i0]
        call() touch
        guard_no_panic() @ 0:1 r0=i0
        guard_not_invalidated() @ 0:1 r0=i0
        jump L0(i0) @ 0:1 r0=i0
    ";
    check(
        Passes::all(),
        true,
        &[READS, leads],
        expect![[r#"
        [i0]
        label L0(i0)
        i1 = int_add(i0, 7)
        call(ref(0)) bump
        guard_no_panic()
        guard_not_invalidated()
        jump L1(i1)
        label L1(i2)
        i3 = int_add(i2, 7)
        call(ref(0)) bump
        guard_no_panic()
        guard_not_invalidated()
        jump L1(i3)
        assumes ["Type.version"]
        [i0]
        label L2(i0)
        call() touch
        guard_no_panic()
        guard_not_invalidated()
        jump L1(i0)
        assumes []
    "#]],
    );
    let idle = "
        [i0]
        i1 = int_add(i0, 1)
        close(i1)
    ";
    check(
        Passes::all(),
        true,
        &[idle, leads],
        expect![[r#"
        [i0]
        label L0(i0)
        jump L1()
        label L1()
        jump L1()
        assumes []
        [i0]
        label L2(i0)
        call() touch
        guard_no_panic()
        jump L1()
        assumes []
    "#]],
    );
}
