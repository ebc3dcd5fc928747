//! The verifier's errors and their places.

use expect_test::{Expect, expect};
use verdigris_jitcode::{Insn, JitCode, Opnd, Pc, Reg, Unit, liveness, parse, verify};
use verdigris_ops::UsedBy;

const HEAD: &str = "class A { x: int, y: cell ref }\nclass B [float]\nfn g(ref) -> int opaque\n";

/// A portal with the lines of `body` behind its merge point.
fn unit(body: &str) -> Unit {
    let text = format!(
        "{HEAD}code run(i0 r1) -> int {{\nmerge_point (i0) (r1)\n{body}\n}}\nportal run @0\n"
    );
    parse(&text).expect("parses")
}

fn refuse(body: &str, expect: Expect) {
    let error = verify(&unit(body)).expect_err("refused");
    expect.assert_eq(&error.to_string());
}

/// Damages a good unit in a way that no text can say.
fn damage(change: impl FnOnce(&mut JitCode), expect: Expect) {
    let mut unit = unit("i2 = int_add i0 5\nswitch i2 [1: @0, 2: @3, else @3]\nreturn i2");
    verify(&unit).expect("was good");
    let portal = unit.portal;
    change(&mut unit.codes[portal]);
    let error = verify(&unit).expect_err("refused");
    expect.assert_eq(&error.to_string());
}

#[test]
fn types() {
    refuse(
        "i2 = int_add i0 r1\nreturn i2",
        expect!["run: @1: the operands are [Int, Ref], not [Int, Int] in `i2 = int_add i0 r1`"],
    );
    refuse(
        "f2 = int_add i0 i0\nreturn i0",
        expect!["run: @1: the destinations are [Float], not [Int] in `f2 = int_add i0 i0`"],
    );
    refuse(
        "int_add i0 i0\nreturn i0",
        expect!["run: @1: the destinations are [], not [Int] in `int_add i0 i0`"],
    );
    refuse(
        "r2 = i0\nreturn i0",
        expect!["run: @1: the destinations are [Ref], not [Int] in `r2 = i0`"],
    );
    refuse(
        "branch_false r1 @0\nreturn i0",
        expect!["run: @1: the operands are [Ref], not [Int] in `branch_false r1 @0`"],
    );
    refuse(
        "class_switch i0 [A: @0, else @0]",
        expect!["run: @1: the operands are [Int], not [Ref] in `class_switch i0 [A: @0, else @0]`"],
    );
    refuse(
        "return",
        expect!["run: @1: the operands are [], not [Int] in `return`"],
    );
    refuse(
        "return r1",
        expect!["run: @1: the operands are [Ref], not [Int] in `return r1`"],
    );
    refuse(
        "i2 = call_fn g(i0)\nreturn i2",
        expect!["run: @1: the operands are [Int], not [Ref] in `i2 = call_fn g(i0)`"],
    );
    refuse(
        "i2 = call run(i0)\nreturn i2",
        expect!["run: @1: the operands are [Int], not [Int, Ref] in `i2 = call run(i0)`"],
    );
    refuse(
        "panic index_out_of_bounds(i0)",
        expect![
            "run: @1: the operands are [Int], not [Int, Int] in `panic index_out_of_bounds(i0)`"
        ],
    );
}

#[test]
fn descriptors() {
    refuse(
        "i2 = getfield_i r1 A.y\nreturn i2",
        expect!["run: @1: the descriptor does not fit the operation in `i2 = getfield_i r1 A.y`"],
    );
    refuse(
        "r2 = new B\nreturn i0",
        expect!["run: @1: the descriptor does not fit the operation in `r2 = new B`"],
    );
    refuse(
        "i2 = getitem_i r1 i0 B\nreturn i2",
        expect!["run: @1: the descriptor does not fit the operation in `i2 = getitem_i r1 i0 B`"],
    );
    refuse(
        "i2 = arraylen r1 A\nreturn i2",
        expect!["run: @1: the descriptor does not fit the operation in `i2 = arraylen r1 A`"],
    );
}

#[test]
fn control() {
    refuse(
        "i2 = int_neg i0",
        expect!["run: execution runs off the end"],
    );
    refuse(
        "goto @9",
        expect!["run: @1: a target does not exist in `goto @9`"],
    );
    refuse(
        "merge_point (i0) (r1)\nreturn i0",
        expect![
            "run: @1: there is a merge point that is not the portal's in `merge_point (i0) (r1)`"
        ],
    );
    refuse(
        "switch i0 [1: @0, 1: @0, else @0]",
        expect!["run: the keys of a switch are not sorted"],
    );
}

#[test]
fn liveness_is_checked() {
    refuse(
        "i3 = int_neg i2\nreturn i3",
        expect!["run: i2 can be read before being written"],
    );
    refuse(
        "return i0 {r1}",
        expect!["run: @0: live are {i0 r1}, not the ones recorded"],
    );
    damage(
        |code| code.params.push(Reg(0)),
        expect!["run: the parameters are not distinct registers"],
    );
    damage(
        |code| {
            code.insns[0] = Insn::MergePoint {
                greens: vec![],
                reds: vec![Reg(1)],
            };
            code.live = liveness(code);
        },
        expect!["run: @0: i0 live behind the merge point but not in it"],
    );
}

#[test]
fn indices_are_in_range() {
    let opnd = Opnd::Reg(Reg(9));
    damage(
        |code| code.insns[3] = Insn::Return { values: vec![opnd] },
        expect!["run: @3: an operand does not exist in `return ?9`"],
    );
    damage(
        |code| code.switches[0].default = Pc(77),
        expect!["run: @2: a target does not exist in `switch i2 [1: @0, 2: @3, else @77]`"],
    );
    damage(
        |code| code.switches.clear(),
        expect!["run: @2: the switch table does not exist in `switch i2 [?]`"],
    );
    damage(
        |code| code.consts.clear(),
        expect!["run: @1: an operand does not exist in `i2 = int_add i0 ?`"],
    );
    damage(
        |code| code.live.clear(),
        expect!["run: live sets and lines are not one per instruction"],
    );
}

#[test]
fn text_needs_canonical_tables() {
    damage(
        |code| code.consts.push(verdigris_jitcode::CodeConst::Null),
        expect!["run: a constant or a switch table is not used"],
    );
    damage(
        |code| code.consts.push(code.consts[0]),
        expect!["run: a constant is there twice"],
    );
}

#[test]
fn the_unit_as_a_whole() {
    let mut no_merge_point = unit("return i0");
    no_merge_point.merge_point = Pc(1);
    let error = verify(&no_merge_point).expect_err("refused");
    expect!["the portal has no merge point @1"].assert_eq(&error.to_string());

    let mut strange_tag = unit("return i0");
    let class = strange_tag.descrs.classes.keys().next().expect("a class");
    let by = UsedBy {
        tag: class,
        tags: 1,
    };
    strange_tag.descrs.used_items.insert(class, by);
    let error = verify(&strange_tag).expect_err("refused");
    expect!["the tag of the items of class 0 is not one"].assert_eq(&error.to_string());

    let mut shared_name = unit("return i0");
    let code = shared_name.portal().clone();
    shared_name.codes.push(code);
    let error = verify(&shared_name).expect_err("refused");
    expect!["two codes have one name"].assert_eq(&error.to_string());
}
