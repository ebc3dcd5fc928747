//! The verifier's errors and their places.

use expect_test::{Expect, expect};
use verdigris_graph::{parse, verify};

const HEAD: &str = "class A { x: int, y: cell ref }\nclass B [float]\nfn g(ref) -> int opaque\n";

/// A portal whose code behind the merge point is `body`, with `i0` and `r1` as its greens and reds.
fn refuse(body: &str, expect: Expect) {
    let text = format!(
        "{HEAD}graph run -> int {{\nentry(i9 r9):\ngoto head(i9 r9)\nhead(i0 r1):\nmerge_point (i0) (r1) start\n\
         start:\n{body}\n}}\nportal run\n"
    );
    let program = parse(&text).expect("parses");
    expect.assert_eq(&verify(&program).expect_err("refused").to_string());
}

#[test]
fn types() {
    refuse(
        "i2 = int_add i0 r1\nreturn i2",
        expect!["run: the operands are [Int, Ref], not [Int, Int]: `i4 = int_add i2 r3` in b2"],
    );
    refuse(
        "f2 = int_add i0 i0\nreturn i0",
        expect!["run: the results are [Float], not [Int]: `f4 = int_add i2 i2` in b2"],
    );
    refuse(
        "int_add i0 i0\nreturn i0",
        expect!["run: the results are [], not [Int]: `int_add i2 i2` in b2"],
    );
    refuse(
        "r2 = promote i0\nreturn i0",
        expect!["run: the results are [Ref], not [Int]: `r4 = promote i2` in b2"],
    );
    refuse(
        "branch r1 head(i0 r1) head(i0 r1)",
        expect!["run: the operands are [Ref], not [Int]: `branch r3 b1(i2 r3) b1(i2 r3)` in b2"],
    );
    refuse(
        "switch r1 [else head(i0 r1)]",
        expect!["run: the operands are [Ref], not [Int]: `switch r3 [else b1(i2 r3)]` in b2"],
    );
    refuse(
        "class_switch i0 [A: head(i0 r1)]",
        expect!["run: the operands are [Int], not [Ref]: `class_switch i2 [A: b1(i2 r3)]` in b2"],
    );
    refuse(
        "goto head(r1 i0)",
        expect![
            "run: the operands of the edge to b1 are [Ref, Int], not [Int, Ref]: `goto b1(r3 i2)` in b2"
        ],
    );
    refuse(
        "goto head(i0)",
        expect![
            "run: the operands of the edge to b1 are [Int], not [Int, Ref]: `goto b1(i2)` in b2"
        ],
    );
    refuse(
        "return",
        expect!["run: the operands are [], not [Int]: `return` in b2"],
    );
    refuse(
        "return r1",
        expect!["run: the operands are [Ref], not [Int]: `return r3` in b2"],
    );
    refuse(
        "i2 = call_fn g(i0)\nreturn i2",
        expect!["run: the operands are [Int], not [Ref]: `i4 = call_fn g(i2)` in b2"],
    );
    refuse(
        "i2 = call run(i0)\nreturn i2",
        expect!["run: the operands are [Int], not [Int, Ref]: `i4 = call run(i2)` in b2"],
    );
    refuse(
        "panic index_out_of_bounds(i0)",
        expect![
            "run: the operands are [Int], not [Int, Int]: `panic index_out_of_bounds(i2)` in b2"
        ],
    );
}

#[test]
fn names() {
    refuse(
        "i2 = getfield_i r1 A.y\nreturn i2",
        expect!["run: the name does not fit the operation: `i4 = getfield_i r3 A.y` in b2"],
    );
    refuse(
        "r2 = new B\nreturn i0",
        expect!["run: the name does not fit the operation: `r4 = new B` in b2"],
    );
    refuse(
        "i2 = getitem_i r1 i0 B\nreturn i2",
        expect!["run: the name does not fit the operation: `i4 = getitem_i r3 i2 B` in b2"],
    );
    refuse(
        "i2 = arraylen r1 A\nreturn i2",
        expect!["run: the name does not fit the operation: `i4 = arraylen r3 A` in b2"],
    );
    refuse(
        "class_switch r1 [A: head(i0 r1), A: head(i0 r1)]",
        expect![
            "run: a class is there twice or does not exist: `class_switch r3 [A: b1(i2 r3), A: b1(i2 r3)]` in b2"
        ],
    );
}

#[test]
fn definitions_dominate_uses() {
    refuse(
        "i3 = int_neg i2\ni2 = int_neg i0\nreturn i3",
        expect!["run: i5 is not defined on every path to its use: `i4 = int_neg i5` in b2"],
    );
    refuse(
        "branch i0 left right\nleft:\ni2 = int_neg i0\ngoto right\nright:\nreturn i2",
        expect!["run: i4 is not defined on every path to its use: `return i4` in b4"],
    );
    refuse(
        "switch i0 [2: head(i0 r1), 1: head(i0 r1), else start]",
        expect![
            "run: the cases are not sorted: `switch i2 [2: b1(i2 r3), 1: b1(i2 r3), else b2]` in b2"
        ],
    );
}

#[test]
fn merge_points() {
    refuse(
        "return i9",
        expect!["run: i0 is used behind the merge point but not in it"],
    );
    refuse(
        "goto other(i9)\nother(i2):\nreturn i2",
        expect!["run: i0 is used behind the merge point but not in it"],
    );
    refuse(
        "goto start",
        expect!["run: an edge leads behind the merge point"],
    );
    refuse(
        "goto second(i0)\nsecond(i2):\nmerge_point () (i2) last\nlast:\nreturn i2",
        expect!["run: there are 2 merge points"],
    );
    let refused = |text: &str| {
        let program = parse(text).expect("parses");
        verify(&program).expect_err("refused").to_string()
    };
    expect!["run: there are 0 merge points"]
        .assert_eq(&refused("graph run {\nb0:\nreturn\n}\nportal run"));
    expect!["run: the merge point's block has operations or is the entry"].assert_eq(&refused(
        "graph run {\nb0(i0):\nmerge_point () (i0) b1\nb1:\nreturn\n}\nportal run",
    ));
    expect!["run: an edge leads to the entry"]
        .assert_eq(&refused("graph run {\nb0:\ngoto b0\n}\nportal run"));
}
