//! The origins of residual operations: removed operations, guards that do the work of later ones,
//! splits and delayed operations leave every operation with its own instruction.

use crate::support::Guest;
use expect_test::{Expect, expect};

/// The residual code for the place 0; in front of each operation but labels stands the function and
/// the instruction that it comes from.
fn check(jitcode: &str, expected: Expect) {
    let mut guest = Guest::new(jitcode, &[], "all");
    guest.keep_inputs();
    let piece = guest.specialise(&[0]);
    let given = guest.take_inputs();
    let mut sections = given.iter();
    let mut section = None;
    let mut out = String::new();
    let lines = piece.text.lines().skip(1).filter(|l| !l.starts_with(' '));
    for line in lines {
        if line.starts_with("label ") {
            section = sections.next().map(|given| (given, given.origins.iter()));
            out += &format!("      {line}\n");
            continue;
        }
        let (given, origins) = section.as_mut().expect("the code starts with a label");
        let step = origins.next().expect("each operation has its place");
        let step = step.map(|n| given.steps[n as usize]);
        let place = step.map_or(String::new(), |s| format!("{}:{}", s.code, s.pc));
        out += &format!("{place:5} {line}\n");
    }
    assert!(sections.next().is_none(), "as many sections as labels");
    expected.assert_eq(&out);
}

/// The sum that nothing needs is gone, and so is the second test, for the first does its work; the
/// object is made where it is given away, and what it holds is stored there.
#[test]
fn what_is_left_keeps_its_place() {
    check(
        "class Box { n: int }
        fn keep(ref) opaque reads() writes()
        code run(i0 i1) -> int {
            head: merge_point (i0) (i1)
            i2 = int_add i1 i1
            r3 = new Box
            setfield_i r3 i1 Box.n
            i4 = int_lt i1 10
            branch_false i4 @bad
            i5 = int_lt i1 5
            branch_false i5 @bad
            call_fn keep(r3)
            i5 = int_gt i1 0
            branch_false i5 @other
            i1 = int_mul i1 3
            return i1
            other: i1 = int_mul i1 5
            return i1
            bad: panic \"bad\"()
        }
        portal run @0",
        expect![[r#"
                  label L0(i0)
            0:0   merge_point(0)
            0:4   i1 = int_lt(i0, 10)
            0:5   i2 = int_le(i0, 4)
            0:5   guard_true(i2)
            0:8   p3 = new() Box
            0:8   setfield_i(p3, i0) Box.n
            0:8   call(p3) keep
            0:8   guard_no_panic()
            0:9   i4 = int_gt(i0, 0)
            0:10  guard_true(i4) => L1(i0)
            0:11  i5 = int_mul(i0, 3)
            0:12  finish(i5)
                  label L1(i6)
            0:13  i7 = int_mul(i6, 5)
            0:14  finish(i7)
        "#]],
    );
}
