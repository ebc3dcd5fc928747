//! `verdigris specialise` on TLC's `abs`, the example of the 2009 paper, and on commands that
//! compile nothing. In: command lines. Out: standard output and errors.

use crate::started::{Program, start, tlc};
use expect_test::{Expect, expect, expect_file};
use std::process::{Command, Output};

/// Runs the tool on a program of TLC.
fn specialise(args: &[&str], name: &str, argument: i64) -> Output {
    let mut tool = Command::new(env!("CARGO_BIN_EXE_verdigris"));
    tool.arg("specialise").arg(tlc()).args(args);
    let program = Program {
        best: "off",
        file: &format!("programs/{name}.tlc"),
        name,
        argument,
    };
    let output = start(&mut tool, &program).output();
    output.expect("the tool runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the tool says UTF-8")
}

/// Standard output of the tool, which must succeed.
fn shown(args: &[&str], name: &str, argument: i64) -> String {
    let output = specialise(args, name, argument);
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

/// As in the papers: all arms of a switch are compiled at once.
const WHOLE: &str = "--jit=lazy_arms=none";

/// Figure 8 of 2009 by the real interpreter: what is left of the whole program.
#[test]
fn abs() {
    let output = specialise(&["--stage", "opt", WHOLE], "abs", -42);
    assert!(output.status.success(), "{}", text(&output.stderr));
    expect_file!["golden/abs.txt"].assert_eq(&text(&output.stdout));
    let said = text(&output.stderr);
    assert!(
        said.contains("\n42\n"),
        "what the program prints is on standard error: {said}"
    );
}

/// What the optimiser is given for the first instruction. Both stages are shown if none are named.
#[test]
fn given() {
    let all = shown(&[WHOLE], "abs", -42);
    let (given, opt) = all
        .split_once("\n## opt: what is left\n")
        .expect("both stages");
    let label = opt.lines().find(|line| line.starts_with("label L0("));
    assert!(label.is_some(), "{opt}");
    let first: Vec<&str> = given
        .lines()
        .take_while(|line| !line.starts_with("section L1"))
        .collect();
    expect![[r#"
        # trace 0: entry at abs:4 in main (0, 0, ref), leaves at g1, g4, g5, g7, g9, g10, g13

        ## given: 357 operations
        section L0 [p0, p1]
          guest abs:4 in main (0, 0, ref(0))
            src/interp.rs:219  if at.pc >= code.bytes.len() {
              p2 = getfield_r(ref(0)) object::Code.bytes
              i3 = arraylen(p2) GcArray<u8>
              i4 = uint_ge(0, i3)
            src/interp.rs:222  let byte = code.bytes[at.pc];
              p5 = getfield_r(ref(0)) object::Code.bytes
              i6 = arraylen(p5) GcArray<u8>
              i7 = uint_lt(0, i6)
              w8 = word_from_int(0)
              i9 = getitem_i(p5, 0) GcArray<u8>
            src/interp.rs:170  opcode::PUSHARG => push(frame.args[0].get(), code, stack, at),
              p10 = getfield_r(p0) object::Frame.args
              i11 = arraylen(p10) GcArray<Cell<object::Obj>,object::InFrame>
              i12 = uint_lt(0, i11)
              guard_true(i12)
                @ interp::step at 196 (src/interp.rs:170) r0=ref(0) r1=p0 r2=p1 r3=i11 r4=i12 r8=1 r9=0 r10=p10 | interp::run at 3 (src/interp.rs:63) r0=ref(0) r3=0
              p13 = getitem_r(p10, 0) GcArray<Cell<object::Obj>,object::InFrame>
            src/interp.rs:271  if at.sp >= stack.len() {
              i14 = arraylen(p1) GcArray<Register<object::Obj>,object::OnStack>
              i15 = uint_ge(0, i14)
            src/interp.rs:302  let larger = Stack::new(stack.len() * 2, code.nil);
              i16 = arraylen(p1) GcArray<Register<object::Obj>,object::OnStack>
              i17 = int_mul(i16, 2)
              p18 = getfield_r(ref(0)) object::Code.nil
              i19 = uint_lt(i17, 1099511627776)
              guard_room(i17) GcArray<Register<object::Obj>,object::OnStack>
                @ interp::grow at 5 (src/interp.rs:302) r0=p18 r1=p1 r2=i17 | interp::push at 3 (src/interp.rs:272) r0=p13 r3=1 r4=0 | interp::step at 198 (src/interp.rs:170) r1=p0 | interp::run at 3 (src/interp.rs:63) r0=ref(0) r3=0
              p20 = new_array(i17) GcArray<Register<object::Obj>,object::OnStack>
              fill_items_r(p20, p18) GcArray<Register<object::Obj>,object::OnStack>
            src/interp.rs:303  for index in 0..stack.len() {
              i21 = arraylen(p1) GcArray<Register<object::Obj>,object::OnStack>
              i22 = uint_lt(0, i21)
            src/interp.rs:275  slots[at.sp].set(value);
              i23 = arraylen(p20) GcArray<Register<object::Obj>,object::OnStack>
              i24 = uint_lt(0, i23)
              leave
    "#]].assert_eq(&(first.join("\n") + "\n"));
}

/// What was gone through to compile the first instruction: the dispatch leaves nothing.
#[test]
fn jitcode() {
    let all = shown(&["--stage", "jitcode", WHOLE], "abs", -42);
    let first: Vec<&str> = all.lines().take(24).collect();
    expect![[r#"
        # trace 0: entry at abs:4 in main (0, 0, ref), leaves at g1, g4, g5, g7, g9, g10, g13

        ## jitcode: a + where there are operations for an instruction
        section L0
            src/interp.rs:61  merge_point!(greens = [at, code], reds = [frame, stack]);
            + interp::run 2: merge_point (i3 i4 r0) (r1 r2)
          guest abs:4 in main (0, 0, ref(0))
            src/interp.rs:63  match step(code, &mut frame, &mut stack, &mut at) {
              interp::run 3: i4 i5 r1 i6 w7 w8 r2 r9 i10 i11 = call interp::step(r0 r1 r2 i3 i4)
            src/interp.rs:81  let op = fetch(code, at)?;
              interp::step 0: i3 i4 i5 w6 w7 i8 i9 = call interp::fetch(r0 i3 i4)
            src/interp.rs:219  if at.pc >= code.bytes.len() {
            + interp::fetch 0: r3 = getfield_r r0 object::Code.bytes
            + interp::fetch 1: i4 = arraylen r3 GcArray<u8>
            + interp::fetch 2: i4 = uint_ge i1 i4
              interp::fetch 3: branch_false i4 @6
            src/interp.rs:222  let byte = code.bytes[at.pc];
            + interp::fetch 6: r0 = getfield_r r0 object::Code.bytes
            + interp::fetch 7: i4 = arraylen r0 GcArray<u8>
            + interp::fetch 8: i6 = uint_lt i1 i4
              interp::fetch 9: branch_false i6 @14
            + interp::fetch 10: w5 = word_from_int 0
            + interp::fetch 11: i4 = getitem_i r0 i1 GcArray<u8>
            src/interp.rs:223  at.pc += 1;
    "#]]
    .assert_eq(&(first.join("\n") + "\n"));
}

/// Code that grows: an exit that waits for the shape of a receiver gets an arm when the shape has
/// come. The loop's entry for the interpreter is a piece of its own.
#[test]
fn pieces_say_what_they_are_for() {
    let all = shown(&["--stage", "opt", WHOLE], "abs_loop", 6);
    let titles: Vec<&str> = all.lines().filter(|line| line.starts_with("# ")).collect();
    expect![[r#"
        # trace 0: entry at abs_loop:5 in main (0, 0, ref), leaves at g0, g15, g33, g37, g38, g39, g40, g43
        # trace 1: bridge from g40 of trace 0 at abs_loop:16 in loop, the arm for ref(0, leaves at g50, g51
        # trace 2: entry at abs_loop:9 in loop (5, 3, ref)
    "#]]
    .assert_eq(&(titles.join("\n") + "\n"));
}

#[test]
fn machine_code() {
    let all = shown(&["--stage", "asm", WHOLE], "abs", -42);
    assert!(
        all.starts_with("# trace 0: entry at abs:4 in main (0, 0, ref)"),
        "{all}"
    );
    assert!(all.contains("## asm\n"), "{all}");
    assert!(all.lines().count() > 50, "{all}");
}

/// What the tool says about a command that compiles nothing.
fn refused(args: &[&str], command: &[&str], expected: Expect) {
    let mut tool = Command::new(env!("CARGO_BIN_EXE_verdigris"));
    tool.arg("specialise")
        .arg(tlc())
        .args(args)
        .arg("--")
        .args(command);
    let output = tool.output().expect("the tool runs");
    assert!(!output.status.success() && output.stdout.is_empty());
    expected.assert_eq(&text(&output.stderr));
}

#[test]
fn commands_that_compile_nothing() {
    refused(
        &[],
        &["/no/such/command"],
        expect![[r#"
        error: cannot run /no/such/command: No such file or directory (os error 2)
    "#]],
    );
    let tool = env!("CARGO_BIN_EXE_verdigris");
    let output = Command::new(tool)
        .arg("specialise")
        .arg(tlc())
        .args(["--", tool, "--version"])
        .output();
    let output = output.expect("the tool runs");
    assert!(!output.status.success());
    let said = text(&output.stderr).replace(tool, "TOOL");
    expect![[r#"
        verdigris 0.1.0
        error: TOOL has compiled nothing; is it a language made with this version of Verdigris, and did it run a program?
    "#]].assert_eq(&said);
}

/// Parameters that make no sense are the language's to refuse.
#[test]
fn wrong_parameters() {
    let output = specialise(&["--jit", "threshold=0"], "abs", -42);
    assert!(!output.status.success());
    let said = text(&output.stderr);
    assert!(
        said.contains("VERDIGRIS_JIT: threshold=0: less than 1"),
        "{said}"
    );
    assert!(
        said.contains("has compiled nothing: exit status: 101"),
        "{said}"
    );
}
