//! The text form: what it looks like, and what it rejects.

mod random;
mod stencils;

use expect_test::{Expect, expect};
use verdigris_ops::{ClassKind, DataOp, Descrs, Ty};
use verdigris_trace::Descr;
use verdigris_trace::*;

const DECLS: &str = "
class IntObj { value: int imm }
class lang::Frame { sp: int, top: ref, w: float, tag: u8, small: i16 imm }
array Stack { ref }
array GcArray<Cell<f64>, Tag> { float }
array Code { u8 imm }
class Value { tag: int, word: word imm }
array Words { word }
fn get(word) -> (int, word) opaque
array Values { int }
array Values#1 { float }
fn interp::lookup(ref, int) -> ref elidable
fn print(int) opaque
fn Obj::call#2(ref) opaque
fn `<T as Odd>::\\`name`(int) opaque
fn run(ref, float) -> float portal
fn peek(ref) -> int opaque reads(lang::Frame.sp, GcArray<Cell<f64>, Tag>[]) writes()
fn push(ref) opaque reads(*) writes(Stack[]) suspects(*)
";

fn descrs() -> Descrs {
    parse_descrs(DECLS).unwrap()
}

fn check(input: &str, expected: Expect) {
    let descrs = descrs();
    let out = match input.contains("->") {
        true => read::<Exits>(&descrs, input),
        false => read::<Snapshots>(&descrs, input),
    };
    expected.assert_eq(&out);
}

fn read<F: TraceForm>(descrs: &Descrs, input: &str) -> String {
    let trace = match parse::<F>(descrs, input) {
        Err(error) => return format!("parse: {error}\n"),
        Ok(trace) => trace,
    };
    let text = print(descrs, &trace);
    let again = parse::<F>(descrs, &text).unwrap();
    assert_eq!(print(descrs, &again), text);
    match verify(descrs, &trace) {
        Ok(()) => text,
        Err(error) => format!("{text}verify: {error}\n"),
    }
}

#[test]
fn descriptors_round_trip() {
    let descrs = descrs();
    let text = print_descrs(&descrs);
    assert_eq!(parse_descrs(&text).unwrap(), descrs);
    expect![[r#"
        class IntObj { value: int imm }
        class lang::Frame { sp: int, top: ref, w: float, tag: u8, small: i16 imm }
        array Stack { ref }
        array GcArray<Cell<f64>, Tag> { float }
        array Code { u8 imm }
        class Value { tag: int, word: word imm }
        array Words { word }
        array Values { int }
        array Values#1 { float }
        fn get(word) -> (int, word) opaque
        fn interp::lookup(ref, int) -> ref elidable
        fn print(int) opaque
        fn Obj::call#2(ref) opaque
        fn `<T as Odd>::\`name`(int) opaque
        fn run(ref, float) -> float portal
        fn peek(ref) -> int opaque reads(lang::Frame.sp, GcArray<Cell<f64>, Tag>[]) writes()
        fn push(ref) opaque reads(*) writes(Stack[]) suspects(*)
    "#]]
    .assert_eq(&text);
}

#[test]
fn descriptors_get_a_plain_layout() {
    let descrs = descrs();
    let frame = descrs.class_by_name("lang::Frame").unwrap();
    let ClassKind::Struct { fields } = &descrs.classes[frame].kind else {
        panic!()
    };
    let offsets: Vec<u32> = fields
        .iter()
        .map(|&f| descrs.fields[f].layout.offset)
        .collect();
    assert_eq!(offsets, [8, 16, 24, 32, 34]);
    assert_eq!(descrs.classes[frame].size, 40);
}

#[test]
fn bad_descriptors_are_errors() {
    let error = |text: &str| parse_descrs(text).unwrap_err().to_string();
    assert_eq!(
        error("class A { x: int }\nclass A {}"),
        "2:7: the class `A` is declared twice"
    );
    assert_eq!(
        error("class A { x: i64 }"),
        "1:14: `i64` is not a type of a field"
    );
    assert_eq!(
        error("struct A {}"),
        "1:1: expected a declaration: `class`, `array` or `fn`"
    );
    assert_eq!(
        error("fn f(i8)"),
        "1:6: `i8` is not one of int, ref, float, word"
    );
    assert_eq!(
        error("fn f() opaque reads(A.x) writes()"),
        "1:21: there is no field `A.x`"
    );
    assert_eq!(
        error("class A { x: int } fn f() opaque reads(A[]) writes()"),
        "1:40: `A` is not an array class"
    );
    assert_eq!(
        error("fn f() opaque reads()"),
        "1:22: expected `writes`, found the end of the text"
    );
}

#[test]
fn a_recorded_loop() {
    check(
        "
        [i5: int, p9: ref] // the reds
        merge_point(3, ref(7))
        guard_class(p9) IntObj
          @ 2:17 r3=i5 r4=p9 | 0:5 r1=i5
        i2 = getfield_i(p9) IntObj.value
        i3 = int_sub(i5, 1)
        i4 = int_gt(i3, -9223372036854775808)
        guard_true(i4) @ 2:19 r0=i3 | 0:5 r1=i5
        guard_value(i3, 8) @ 0:6
        p8 = call(p9, i3) interp::lookup
        guard_no_panic() @ 0:7 r2=p8
        call(i3) print
        guard_no_panic() @ 0:8
        jump L0(i3, p8)
        ",
        expect![[r#"
            [i0, p1]
            merge_point(3, ref(0))
            guard_class(p1) IntObj
              @ 2:17 r3=i0 r4=p1 | 0:5 r1=i0
            i2 = getfield_i(p1) IntObj.value
            i3 = int_sub(i0, 1)
            i4 = int_gt(i3, -9223372036854775808)
            guard_true(i4)
              @ 2:19 r0=i3 | 0:5 r1=i0
            guard_value(i3, 8)
              @ 0:6
            p5 = call(p1, i3) interp::lookup
            guard_no_panic()
              @ 0:7 r2=p5
            call(i3) print
            guard_no_panic()
              @ 0:8
            jump L0(i3, p5)
        "#]],
    );
}

#[test]
fn an_optimised_loop() {
    check(
        "
        [i0, p1, f2]
        label L4(i0, p1, f2)
        guard_true(i0) g12
          -> [i0, p1, f2]
          v0 = lang::Frame{sp: i0, top: v1, w: f2, tag: 3}
          v1 = Stack[3]{0: v0, 2: p1}
          v2 = GcArray<Cell<f64>, Tag>[0]{}
          v3 = Values[250]{0: 1, 0#1: f2, 17: i0, 249#1: 0.5}
          p1.lang::Frame.top = v2
          v0.Stack[2] = p1
          v2.GcArray<Cell<f64>, Tag>[4] = -1.5
          @ 1:3 r0=v2 r2=4.0 | 0:5
        jump L5(f2)
        label L5(f3)
        guard_no_panic() -> [] @
        jump L5(f3)
        ",
        expect![[r#"
            [i0, p1, f2]
            label L4(i0, p1, f2)
            guard_true(i0) g12
              -> [i0, p1, f2]
              v0 = lang::Frame{sp: i0, top: v1, w: f2, tag: 3}
              v1 = Stack[3]{0: v0, 2: p1}
              v2 = GcArray<Cell<f64>, Tag>[0]{}
              v3 = Values[250]{0: 1, 0#1: f2, 17: i0, 249#1: 0.5}
              p1.lang::Frame.top = v2
              v0.Stack[2] = p1
              v2.GcArray<Cell<f64>, Tag>[4] = -1.5
              @ 1:3 r0=v2 r2=4.0 | 0:5
            jump L5(f2)
            label L5(f3)
            guard_no_panic()
              -> []
              @
            jump L5(f3)
            verify: operation 4: guard_no_panic stands directly behind a call
        "#]],
    );
}

#[test]
fn constants_of_every_kind() {
    check(
        "[] i0 = float_lt(inf, -inf) i1 = float_lt(NaN, float(0x7ff8000000000001))
         i2 = float_lt(1e300, -2.5e-7) i3 = ptr_eq(ref(1), null) i4 = ptr_eq(ref(0), ref(1)) finish(i4)",
        expect![[r#"
            []
            i0 = float_lt(inf, -inf)
            i1 = float_lt(NaN, float(0x7ff8000000000001))
            i2 = float_lt(1e300, -2.5e-7)
            i3 = ptr_eq(ref(0), null)
            i4 = ptr_eq(ref(1), ref(0))
            finish(i4)
        "#]],
    );
}

#[test]
fn parse_errors_say_where() {
    check(
        "[i0] i1 = int_add(i0, i7) finish()",
        expect![[r#"
        parse: 1:23: `i7` is not defined here
    "#]],
    );
    check(
        "[x0] finish()",
        expect![[r#"
        parse: 1:2: `x0` is not a value: expected i, p or f and a number
    "#]],
    );
    check(
        "[i0: ref] finish()",
        expect![[r#"
        parse: 1:2: `i0` cannot be ref: i is int, p ref, f float, w word
    "#]],
    );
    check(
        "[i0] i1 = frob(i0)",
        expect![[r#"
        parse: 1:6: `frob` is not an operation
    "#]],
    );
    check(
        "[i0] i0 = int_neg(i0)",
        expect![[r#"
        parse: 1:6: `i0` is defined twice
    "#]],
    );
    check(
        "[p0] i1 = getfield_i(p0) IntObj.valu",
        expect![[r#"
        parse: 1:26: no field is called `IntObj.valu`
    "#]],
    );
    check(
        "[p0] guard_class(p0) Int",
        expect![[r#"
        parse: 1:22: no class is called `Int`
    "#]],
    );
    check(
        "[i0] call(i0) println",
        expect![[r#"
        parse: 1:15: no function is called `println`
    "#]],
    );
    check(
        "[i0] finish(99999999999999999999)",
        expect![[r#"
        parse: 1:13: `99999999999999999999` is not a 64-bit number
    "#]],
    );
    check(
        "[i0] guard_true(i0) -> [3] @",
        expect![[r#"
        parse: 1:25: a fail argument is not a constant
    "#]],
    );
    check(
        "[i0] guard_true(i0) -> [] @ 0:1 r2=i0",
        expect![[r#"
        parse: 1:36: `i0` is not a fail argument
    "#]],
    );
    check(
        "[i0] guard_true(i0) -> [] v1 = Stack[] @",
        expect![[r#"
        parse: 1:27: the next object must be v0
    "#]],
    );
    check(
        "[i0",
        expect![[r#"
        parse: 1:4: expected `]`, found the end of the text
    "#]],
    );
}

#[test]
fn verify_errors() {
    check(
        "[i0]",
        expect![[r#"
            [i0]
            verify: operation 0: the last operation must be jump, close, finish, thread or leave
        "#]],
    );
    check(
        "[i0] i1 = int_add(i0) finish()",
        expect![[r#"
        [i0]
        i1 = int_add(i0)
        finish()
        verify: operation 0: int_add has 2 arguments, not 1
    "#]],
    );
    check(
        "[p0] i1 = int_neg(p0) finish()",
        expect![[r#"
        [p0]
        i1 = int_neg(p0)
        finish()
        verify: operation 0: int_neg wants int where it has ref
    "#]],
    );
    check(
        "[i0] p1 = int_neg(i0) finish()",
        expect![[r#"
        [i0]
        p1 = int_neg(i0)
        finish()
        verify: operation 0: int_neg has a result of another type
    "#]],
    );
    check(
        "[i0] int_neg(i0) finish()",
        expect![[r#"
        [i0]
        int_neg(i0)
        finish()
        verify: operation 0: int_neg has a result of another type
    "#]],
    );
    check(
        "[p0] p1 = getfield_r(p0) IntObj.value finish()",
        expect![[r#"
            [p0]
            p1 = getfield_r(p0) IntObj.value
            finish()
            verify: operation 0: the field value is int
        "#]],
    );
    check(
        "[p0] f1 = getitem_f(p0, 1) Stack finish()",
        expect![[r#"
        [p0]
        f1 = getitem_f(p0, 1) Stack
        finish()
        verify: operation 0: the items of Stack are ref
    "#]],
    );
    check(
        "[p0] i1 = arraylen(p0) IntObj finish()",
        expect![[r#"
        [p0]
        i1 = arraylen(p0) IntObj
        finish()
        verify: operation 0: IntObj is the wrong kind of class here
    "#]],
    );
    check(
        "[] p1 = new() Stack finish()",
        expect![[r#"
        []
        p0 = new() Stack
        finish()
        verify: operation 0: Stack is the wrong kind of class here
    "#]],
    );
    check(
        "[i0] guard_true(i0) finish()",
        expect![[r#"
            parse: 1:21: expected `@`, found `finish()`
        "#]],
    );
    check(
        "[i0] guard_value(i0, i0) @ 0:1 finish()",
        expect![[r#"
        [i0]
        guard_value(i0, i0)
          @ 0:1
        finish()
        verify: operation 0: guard_value compares with a constant
    "#]],
    );
    check(
        "[i0] guard_value(i0, null) @ 0:1 finish()",
        expect![[r#"
            [i0]
            guard_value(i0, null)
              @ 0:1
            finish()
            verify: operation 0: guard_value wants int where it has ref
        "#]],
    );
    check(
        "[i0] guard_true(i0) @ 0:1 r3=i0 r3=i0 finish()",
        expect![[r#"
            [i0]
            guard_true(i0)
              @ 0:1 r3=i0 r3=i0
            finish()
            verify: operation 0: register r3 is not in ascending order
        "#]],
    );
    check(
        "[i0] guard_true(i0) -> [i0, i0] @ finish()",
        expect![[r#"
        [i0]
        guard_true(i0)
          -> [i0, i0]
          @
        finish()
        verify: operation 0: fail argument v0 is there twice
    "#]],
    );
    check(
        "[i0] guard_true(i0) -> [i0] v0 = IntObj{value: null} @ finish()",
        expect![[r#"
            [i0]
            guard_true(i0)
              -> [i0]
              v0 = IntObj{value: null}
              @
            finish()
            verify: operation 0: a ref stands where a int belongs
        "#]],
    );
    check(
        "[i0] guard_true(i0) -> [i0] @ 0:1 r0=v0 finish()",
        expect![[r#"
            [i0]
            guard_true(i0)
              -> [i0]
              @ 0:1 r0=v0
            finish()
            verify: operation 0: there is no virtual v0
        "#]],
    );
    check(
        "[i0] guard_true(i0) -> [i0] i0.lang::Frame.sp = 1 @ finish()",
        expect![[r#"
            [i0]
            guard_true(i0)
              -> [i0]
              i0.lang::Frame.sp = 1
              @
            finish()
            verify: operation 0: a int stands where a ref belongs
        "#]],
    );
    check(
        "[i0] finish() i1 = int_neg(i0) finish()",
        expect![[r#"
            [i0]
            finish()
            i1 = int_neg(i0)
            finish()
            verify: operation 1: behind jump, close, finish, thread or leave only a label can follow
        "#]],
    );
    check(
        "[i0] finish() label L1(i1) finish(i0)",
        expect![[r#"
        [i0]
        finish()
        label L1(i1)
        finish(i0)
        verify: operation 2: v0 belongs to another section
    "#]],
    );
    check(
        "[i0] label L1(i1) jump L1(i1)",
        expect![[r#"
        [i0]
        label L1(i1)
        jump L1(i1)
    "#]],
    );
    check(
        "[i0] label L1(i1) <- (i0) jump L1(2.0)",
        expect![[r#"
        [i0]
        label L1(i1) <- (i0)
        jump L1(2.0)
        verify: operation 1: jump wants int where it has float
    "#]],
    );
    check(
        "[i0] jump L1(i0) label L1(i1) jump L1()",
        expect![[r#"
        [i0]
        jump L1(i0)
        label L1(i1)
        jump L1()
        verify: operation 2: jump has 1 arguments, not 0
    "#]],
    );
    check(
        "[i0] label L1(i0) jump L1(i0) label L1() finish()",
        expect![[r#"
            [i0]
            label L1(i0)
            jump L1(i0)
            label L1()
            finish()
            verify: operation 2: label L1 stands here twice
        "#]],
    );
    check(
        "[i0] finish(i0, i0)",
        expect![[r#"
            [i0]
            finish(i0, i0)
        "#]],
    );
    check(
        "[i0] p1 = call(i0) interp::lookup finish()",
        expect![[r#"
        [i0]
        p1 = call(i0) interp::lookup
        finish()
        verify: operation 0: call has 2 arguments, not 1
    "#]],
    );
}

#[test]
fn objects_print_as_their_places_in_a_table() {
    let descrs = descrs();
    let text = "[]\nmerge_point(ref(1), ref(0))\nfinish()\n";
    let trace: RecordedTrace = parse_with(&descrs, text, &[0x1000, 0x2000]).unwrap();
    assert_eq!(trace.ops().at(0).arg(0), Arg::Const(Const::Ref(0x2000)));
    assert_eq!(print_with(&descrs, &trace, &mut vec![0x1000, 0x2000]), text);
    assert_eq!(
        print(&descrs, &trace),
        "[]\nmerge_point(ref(0), ref(1))\nfinish()\n"
    );
    let error = parse_with::<Snapshots>(&descrs, text, &[0x1000]).unwrap_err();
    assert_eq!(error.to_string(), "2:13: there is no object number 1");
}

#[test]
fn numbering_is_canonical() {
    let mut trace = RecordedTrace::default();
    let dead = trace.value(Ty::Int);
    let b = trace.value(Ty::Int);
    let a = trace.value(Ty::Int);
    trace.inputs = vec![a];
    let add = Opcode::Data(DataOp::IntAdd);
    trace.push_defining(add, &[Arg::Ref(a), Arg::int(1)], Descr::None, b, 1);
    trace.push(Opcode::Finish, &[Arg::Ref(dead)], Descr::None);
    expect![[r#"
        [i0]
        i1 = int_add(i0, 1)
        finish(undefined_i0)
    "#]]
    .assert_eq(&print(&descrs(), &trace));
}

#[test]
fn exits_belong_to_guards() {
    let descrs = descrs();
    let text = "[i0] guard_true(i0) -> [i0] @ guard_false(i0) -> [] @ finish()";
    let mut trace: OptimisedTrace = parse(&descrs, text).unwrap();
    trace.retain(|op| op.opcode() != Opcode::GuardTrue);
    assert_eq!(verify(&descrs, &trace), Ok(()));
    assert_eq!(
        trace,
        parse(&descrs, "[i0] guard_false(i0) -> [] @ finish()").unwrap()
    );
    trace.exits.push(Resume::default().into());
    let error = |trace: &OptimisedTrace| verify(&descrs, trace).unwrap_err().to_string();
    assert_eq!(
        error(&trace),
        "operation 2: there is an exit without a guard"
    );
    trace.exits.clear();
    assert_eq!(
        error(&trace),
        "operation 0: guard 0 of the trace has the exit x0"
    );
}

#[test]
fn a_section_is_appended_with_values_and_exits_of_its_own() {
    let descrs = descrs();
    let section = |text| parse::<Exits>(&descrs, text).unwrap();
    let mut trace = section("[i0] label L0(i0) guard_true(i0) -> [i0] @ 0:1 r0=i0 jump L1(i0, 2)");
    let body =
        "[i0, i1] label L1(i0, i1) i2 = int_add(i0, i1) guard_true(i2) -> [i1] @ jump L1(i0, 2)";
    trace.append(section(body));
    assert_eq!(verify(&descrs, &trace), Ok(()));
    expect![[r#"
        [i0]
        label L0(i0)
        guard_true(i0)
          -> [i0]
          @ 0:1 r0=i0
        jump L1(i0, 2)
        label L1(i1, i2)
        i3 = int_add(i1, i2)
        guard_true(i3)
          -> [i2]
          @
        jump L1(i1, 2)
    "#]]
    .assert_eq(&print(&descrs, &trace));
}

#[test]
fn a_guard_goes_to_a_section_of_its_region() {
    let descrs = descrs();
    let read = |text| parse::<Exits>(&descrs, text).unwrap();
    let mut trace = read(
        "[i0] label L0(i0) i1 = int_sub(i0, 1) guard_true(i1) g4 -> [i1] @
         guard_value(i1, 7) g5 -> [i0, i1] @ jump L0(i1)",
    );
    let exits: Vec<ExitId> = trace.exits.keys().collect();
    let bridge = "[i0, i1] i2 = int_add(i0, i1) guard_true(i2) g6 -> [] @ jump L0(i2)";
    trace.absorb(exits[1], TargetId::from_u32(1), read(bridge));
    let other = "[i0] label L3(i0) i1 = int_sub(i0, 1) guard_true(i1) g7 -> [] @ jump L3(i1)";
    trace.absorb(exits[0], TargetId::from_u32(2), read(other));
    assert_eq!(verify(&descrs, &trace), Ok(()));
    let text = print(&descrs, &trace);
    expect![[r#"
        [i0]
        label L0(i0)
        i1 = int_sub(i0, 1)
        guard_true(i1) => L2(i1)
        guard_value(i1, 7) => L1(i0, i1)
        jump L0(i1)
        label L1(i2, i3)
        i4 = int_add(i2, i3)
        guard_true(i4) g6
          -> []
          @
        jump L0(i4)
        label L2(i5)
        jump L3(i5)
        label L3(i6)
        i7 = int_sub(i6, 1)
        guard_true(i7) g7
          -> []
          @
        jump L3(i7)
    "#]]
    .assert_eq(&text);
    assert_eq!(print(&descrs, &read(&text)), text);
}

#[test]
fn what_is_wrong_in_a_region() {
    let error = |text| {
        let descrs = descrs();
        let trace = parse::<Exits>(&descrs, text).unwrap();
        verify(&descrs, &trace).unwrap_err().to_string()
    };
    assert_eq!(
        error("[i0] guard_true(i0) => L1(i0) finish()"),
        "operation 0: guard_true goes to L1, which is not in this trace"
    );
    assert_eq!(
        error("[i0] guard_true(i0) => L1() finish() label L1(i1) finish(i1)"),
        "operation 0: guard_true does not fit the parameters of L1"
    );
    assert_eq!(
        error("[i0] guard_true(i0) => L1(i0, i0) finish() label L1(i1, i2) finish(i1)"),
        "operation 0: fail argument v0 is there twice"
    );
    assert_eq!(
        error("[i0] guard_no_signal() => L1(i0) finish() label L1(i1) finish(i1)"),
        "operation 0: guard_no_signal leads out of the trace"
    );
    assert_eq!(
        error("[i0] guard_count(i0) => L1(i0) finish() label L1(i1) finish(i1)"),
        "operation 0: guard_count leads out of the trace"
    );
    assert_eq!(
        error("[i0] leave() => L1(i0) label L1(i1) finish(i1)"),
        "operation 0: leave leads out of the trace"
    );
    assert_eq!(
        error("[i0] leave() -> [i0] @ finish()"),
        "operation 1: behind jump, close, finish, thread or leave only a label can follow"
    );
    let descrs = descrs();
    // A recorded trace that was too long ends in one, too.
    let recorded: RecordedTrace = parse(&descrs, "[i0] leave() @ 0:1").unwrap();
    verify(&descrs, &recorded).expect("it is right");
}

#[test]
fn each_form_has_its_own_text_behind_guards() {
    let descrs = descrs();
    let (recorded, optimised) = (
        "[i0] guard_true(i0) @ 0:1 finish()",
        "[i0] guard_true(i0) -> [] @ finish()",
    );
    assert_eq!(
        read::<Exits>(&descrs, recorded),
        "parse: 1:21: expected `->`, found `@`\n"
    );
    assert_eq!(
        read::<Snapshots>(&descrs, optimised),
        "parse: 1:21: expected `@`, found `->`\n"
    );
}

#[test]
fn words_are_values_without_constants() {
    check(
        "[w0, i1, p2]
         w3 = word_from_int(i1)
         w4 = word_from_ref(p2)
         w5 = word_from_float(1.5)
         i6 = int_from_word(w0)
         p7 = ref_from_word(w3)
         f8 = float_from_word(w4)
         setfield_w(p2, w5) Value.word
         w9 = getfield_w(p2) Value.word
         p10 = new_array(3) Words
         fill_items_w(p10, w9) Words
         setitem_w(p10, 0, w0) Words
         w11 = getitem_w(p10, i6) Words
         i12, w13 = call(w11) get
         guard_no_panic() @ 0:1 r0=w13 r1=f8
         finish(i12, p7, w13)",
        expect![[r#"
            [w0, i1, p2]
            w3 = word_from_int(i1)
            w4 = word_from_ref(p2)
            w5 = word_from_float(1.5)
            i6 = int_from_word(w0)
            p7 = ref_from_word(w3)
            f8 = float_from_word(w4)
            setfield_w(p2, w5) Value.word
            w9 = getfield_w(p2) Value.word
            p10 = new_array(3) Words
            fill_items_w(p10, w9) Words
            setitem_w(p10, 0, w0) Words
            w11 = getitem_w(p10, i6) Words
            i12, w13 = call(w11) get
            guard_no_panic()
              @ 0:1 r0=w13 r1=f8
            finish(i12, p7, w13)
        "#]],
    );
    check(
        "[p0, i1] setfield_w(p0, i1) Value.word finish()",
        expect![[r#"
            [p0, i1]
            setfield_w(p0, i1) Value.word
            finish()
            verify: operation 0: setfield_w wants word where it has int
        "#]],
    );
    check(
        "[w0] guard_value(w0, 3) @ 0:0 finish()",
        expect![[r#"
            [w0]
            guard_value(w0, 3)
              @ 0:0
            finish()
            verify: operation 0: guard_value is never of a word
        "#]],
    );
    check(
        "[w0] i1 = int_neg(w0) guard_same(w0, w0) @ 0:0 finish(i1)",
        expect![[r#"
            [w0]
            i1 = int_neg(w0)
            guard_same(w0, w0)
              @ 0:0
            finish(i1)
            verify: operation 0: int_neg wants int where it has word
        "#]],
    );
    check(
        "[w0] guard_same(w0, w0) @ 0:0 finish()",
        expect![[r#"
            [w0]
            guard_same(w0, w0)
              @ 0:0
            finish()
            verify: operation 0: guard_same is never of a word
        "#]],
    );
}

#[test]
fn a_word_in_resume_data_is_a_value_of_any_type() {
    check(
        "[i0, w1, p2]
         guard_true(i0) g1 -> [i0, w1, p2] v0 = Value{tag: i0, word: v0} v1 = Words[4]{0: i0, 1: w1, 2: 2.5}
         p2.Value.word = v1 v1.Words[0] = i0 @ 0:1 r0=w1 r1=v0
         finish()",
        expect![[r#"
            [i0, w1, p2]
            guard_true(i0) g1
              -> [i0, w1, p2]
              v0 = Value{tag: i0, word: v0}
              v1 = Words[4]{0: i0, 1: w1, 2: 2.5}
              p2.Value.word = v1
              v1.Words[0] = i0
              @ 0:1 r0=w1 r1=v0
            finish()
        "#]],
    );
}
