//! Residual operations of optimised traces: why objects escape, and what could see that a store was
//! not done. Each reason names the operation to blame, inside loops and outside.

use expect_test::{Expect, expect};
use verdigris_opt::{Residual, ResidualEscape};
use verdigris_trace::{parse, parse_descrs};

const DESCRS: &str = "
    class Int { value: int imm }
    class Cell { at: ref }
    class Count { n: int }
    array Operands { int }
    fn a::show(ref) opaque
    fn a::look() opaque reads(Count.n) writes()
    fn a::other() opaque reads(Cell.at) writes()
";

fn found(text: &str, expected: Expect) {
    let descrs = parse_descrs(DESCRS).expect("classes");
    let trace = parse(&descrs, text).expect("a trace");
    let residual = Residual::of(&trace, &descrs, &[]);
    let place = |at: usize| match residual.in_loop[at] {
        true => "in the loop",
        false => "before it",
    };
    let mut lines = String::new();
    for made in &residual.made {
        let why: Vec<String> = made.escapes.iter().map(ResidualEscape::to_string).collect();
        lines += &format!("{} {}: {}\n", made.class, place(made.at), why.join("; "));
    }
    for stored in &residual.stored {
        lines += &format!("{} {}: {}\n", stored.what, place(stored.at), stored.seen_by);
    }
    expected.assert_eq(&lines);
}

#[test]
fn objects_escape() {
    let text = "
        [p0, i1]
        label L0(p0, i1)
        p2 = new() Int
        setfield_i(p2, i1) Int.value
        call(p2) a::show
        guard_no_panic() -> [p0, i1] @ 0:1 r0=i1
        jump L1(p0, i1)
        label L1(p3, i4)
        p5 = new() Cell
        p6 = new() Int
        setfield_i(p6, i4) Int.value
        setfield_r(p5, p6) Cell.at
        setfield_r(p3, p5) Cell.at
        call() a::other
        guard_no_panic() -> [p3, i4] @ 0:1 r0=i4
        p8 = new() Cell
        jump L1(p8, i4)
        ";
    found(
        text,
        expect![[r#"
            Int before it: passed to `a::show`
            Cell in the loop: stored into Cell.at, which is seen by `a::other`, which may read it
            Int in the loop: stored into Cell.at, which is made as well
            Cell in the loop: carried over the loop's label L1
            Cell.at in the loop: `a::other`, which may read it
        "#]],
    );
}

#[test]
fn stores_are_seen() {
    let text = "
        [p0, p1, i2]
        label L0(p0, p1, i2)
        setfield_i(p0, i2) Count.n
        call() a::other
        guard_no_panic() -> [p0, i2] @ 0:1 r0=i2
        call() a::look
        guard_no_panic() -> [p0, i2] @ 0:1 r0=i2
        setfield_i(p0, 7) Count.n
        i3 = getfield_i(p1) Count.n
        setfield_i(p0, i3) Count.n
        jump L0(p0, p1, i3)
        ";
    found(
        text,
        expect![[r#"
            Count.n in the loop: `a::look`, which may read it
            Count.n in the loop: a load of what may be the same place
            Count.n in the loop: the code behind the loop's label L0
        "#]],
    );
}

/// Where an index is no constant, that is the reason, and not that there are two arrays.
#[test]
fn items_at_any_index_are_seen() {
    let text = "
        [p0, p1, i2]
        label L0(p0, p1, i2)
        setitem_i(p0, i2, 7) Operands
        i3 = getitem_i(p0, 3) Operands
        setitem_i(p0, 0, i3) Operands
        i4 = getitem_i(p0, i3) Operands
        setitem_i(p0, 1, i4) Operands
        i5 = getitem_i(p1, 1) Operands
        jump L0(p0, p1, i5)
        ";
    found(
        text,
        expect![[r#"
            Operands in the loop: a load at an index that may be the same one
            Operands in the loop: a load at an index that may be the same one
            Operands in the loop: a load of what may be the same place
        "#]],
    );
}
