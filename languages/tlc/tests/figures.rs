//! TLC compiled by partial evaluation of its interpreter. In: programs of the paper, and recursive ones. Out: what is left of them, pinned. Invariant under
//! test: the first run makes code, without a recorded run, and the code does what the interpreter does.
//!
//! Source: "Automatic Generation of JIT Compilers for Dynamic Languages in .NET" (2009), figures 1, 8 and 9. The figures between them need an interpreter with
//! fewer hints and with the paper's: `crates/specialise/tests/paper_2009.rs`.

mod common;

use common::{guest, image};
use expect_test::expect;
use tlc::asm::assemble;
use tlc::image::Image;
use tlc::machine::{Loaded, MAX_DEPTH, Machine};
use verdigris::Options;
use verdigris_testing::{Run, compiled, listing};

/// Everything is compiled when it is first passed, and nothing is recorded.
const AT_ONCE: &str = "compiler=specialising,threshold=1,function_threshold=1,trace_eagerness=1";

fn run(image: &Image, n: i64, more: &str) -> Run {
    let run = compiled(guest(image, &[n], MAX_DEPTH), &format!("{AT_ONCE},{more}"));
    assert_eq!(run.stats.aborts.values().sum::<u64>(), 0, "{:?}", run.stats);
    run
}

/// What was compiled, one piece after the other.
fn pieces(run: &Run) -> String {
    let pieces = run.traces.iter().map(|trace| {
        let sections: String = trace.sections.iter().map(listing).collect();
        format!("{}\n{sections}", trace.title)
    });
    pieces.collect::<Vec<_>>().join("\n")
}

/// Figure 8 by the real interpreter. It asks for classes with a `match`, whose arms are all there from the start, so it waits for nothing: a value that is no integer goes
/// to the arms that end the program with an error, where the paper has its `default`. The integer that the program returns is the only object that is made.
#[test]
fn abs() {
    let negative = run(&image("abs"), -42, "");
    assert_eq!(negative.outcome.to_string(), "42\n");
    expect![[r#"
        trace 0: entry at (0, 0, ref)
        label L0(p0, p1)
        p2 = getfield_r(p0) object::Frame.args
        i3 = arraylen(p2) GcArray<Cell<object::Obj>,object::InFrame>
        i4 = int_is_true(i3)
        guard_true(i4)
        p5 = getitem_r(p2, 0) GcArray<Cell<object::Obj>,object::InFrame>
        i6 = arraylen(p1) GcArray<Register<object::Obj>,object::OnStack>
        i7 = int_is_zero(i6)
        guard_true(i7) => L1(p0, p5, p1)
        leave()
        label L1(p0, p1, p2)
        i3 = arraylen(p2) GcArray<Register<object::Obj>,object::OnStack>
        i4 = int_is_true(i3)
        guard_true(i4)
        i5 = int_le(i3, 1)
        guard_true(i5) => L2(p0, p2, p1)
        setitem_r(p2, 0, p1) GcArray<Register<object::Obj>,object::OnStack>
        p6 = new_array(2) GcArray<Register<object::Obj>,object::OnStack>
        p7 = new() object::IntObj
        setitem_r(p6, 0, p1) GcArray<Register<object::Obj>,object::OnStack>
        setitem_r(p6, 1, p7) GcArray<Register<object::Obj>,object::OnStack>
        jump L3(p0, p6)
        label L2(p0, p1, p2)
        i3 = arraylen(p1) GcArray<Register<object::Obj>,object::OnStack>
        i4 = int_gt(i3, 1)
        guard_true(i4)
        setitem_r(p1, 0, p2) GcArray<Register<object::Obj>,object::OnStack>
        p5 = new() object::IntObj
        setitem_r(p1, 1, p5) GcArray<Register<object::Obj>,object::OnStack>
        jump L3(p0, p1)
        label L7(p0, p1, p2, p3)
        leave()
        label L6(p0, p1, p2, p3)
        guard_class(p2) object::Instance => L7(p0, p1, p2, p3)
        w4 = word_from_ref(p2)
        w5 = word_from_ref(p3)
        setitem_r(p1, 1, ref(0)) GcArray<Register<object::Obj>,object::OnStack>
        finish(1, null, 3, 1, w4, w5)
        label L5(p0, p1, p2, p3)
        guard_class(p2) object::Cons => L6(p0, p1, p2, p3)
        w4 = word_from_ref(p2)
        w5 = word_from_ref(p3)
        setitem_r(p1, 1, ref(0)) GcArray<Register<object::Obj>,object::OnStack>
        finish(1, null, 3, 1, w4, w5)
        label L4(p0, p1, p2, p3)
        guard_class(p2) object::NilObj => L5(p0, p1, p2, p3)
        w4 = word_from_ref(p2)
        w5 = word_from_ref(p3)
        setitem_r(p1, 1, ref(0)) GcArray<Register<object::Obj>,object::OnStack>
        finish(1, null, 3, 1, w4, w5)
        label L11(p0, p1, i2, p3, p4)
        leave()
        label L10(p0, p1, i2, p3, p4)
        guard_class(p4) object::Instance => L11(p0, p1, i2, p3, p4)
        w5 = word_from_ref(p3)
        w6 = word_from_ref(p4)
        setitem_r(p1, 1, ref(0)) GcArray<Register<object::Obj>,object::OnStack>
        finish(1, null, 3, 1, w5, w6)
        label L9(p0, p1, i2, p3, p4)
        guard_class(p4) object::Cons => L10(p0, p1, i2, p3, p4)
        w5 = word_from_ref(p3)
        w6 = word_from_ref(p4)
        setitem_r(p1, 1, ref(0)) GcArray<Register<object::Obj>,object::OnStack>
        finish(1, null, 3, 1, w5, w6)
        label L8(p0, p1, i2, p3, p4)
        guard_class(p4) object::NilObj => L9(p0, p1, i2, p3, p4)
        w5 = word_from_ref(p3)
        w6 = word_from_ref(p4)
        setitem_r(p1, 1, ref(0)) GcArray<Register<object::Obj>,object::OnStack>
        finish(1, null, 3, 1, w5, w6)
        label L12(p0, p1)
        p2 = getfield_r(p0) object::Frame.args
        i3 = arraylen(p2) GcArray<Cell<object::Obj>,object::InFrame>
        i4 = int_is_true(i3)
        guard_true(i4)
        p5 = getitem_r(p2, 0) GcArray<Cell<object::Obj>,object::InFrame>
        i6 = arraylen(p1) GcArray<Register<object::Obj>,object::OnStack>
        i7 = int_is_zero(i6)
        guard_true(i7) => L13(p0, p5, p1)
        leave()
        label L13(p0, p1, p2)
        i3 = arraylen(p2) GcArray<Register<object::Obj>,object::OnStack>
        i4 = int_is_true(i3)
        guard_true(i4)
        p5 = getfield_r(p0) object::Frame.back
        i6 = ptr_ne(p5, null)
        guard_true(i6) => L14(p0, p2, p1)
        i7 = getfield_i(p0) object::Frame.return_pc
        i8 = getfield_i(p0) object::Frame.return_sp
        leave()
        label L14(p0, p1, p2)
        w3 = word_from_int(0)
        setitem_r(p1, 1, ref(0)) GcArray<Register<object::Obj>,object::OnStack>
        setitem_r(p1, 0, p2) GcArray<Register<object::Obj>,object::OnStack>
        finish(0, p2, 0, 0, w3, w3)
        label L18(p0, p1, p2)
        leave()
        label L17(p0, p1, p2)
        guard_class(p2) object::Instance => L18(p0, p1, p2)
        p3 = new() object::IntObj
        w4 = word_from_ref(p3)
        w5 = word_from_ref(p2)
        setitem_r(p1, 0, p3) GcArray<Register<object::Obj>,object::OnStack>
        setitem_r(p1, 1, ref(0)) GcArray<Register<object::Obj>,object::OnStack>
        finish(1, null, 11, 1, w4, w5)
        label L16(p0, p1, p2)
        guard_class(p2) object::Cons => L17(p0, p1, p2)
        p3 = new() object::IntObj
        w4 = word_from_ref(p3)
        w5 = word_from_ref(p2)
        setitem_r(p1, 0, p3) GcArray<Register<object::Obj>,object::OnStack>
        setitem_r(p1, 1, ref(0)) GcArray<Register<object::Obj>,object::OnStack>
        finish(1, null, 11, 1, w4, w5)
        label L15(p0, p1, p2)
        guard_class(p2) object::NilObj => L16(p0, p1, p2)
        p3 = new() object::IntObj
        w4 = word_from_ref(p3)
        w5 = word_from_ref(p2)
        setitem_r(p1, 0, p3) GcArray<Register<object::Obj>,object::OnStack>
        setitem_r(p1, 1, ref(0)) GcArray<Register<object::Obj>,object::OnStack>
        finish(1, null, 11, 1, w4, w5)
        label L3(p0, p1)
        i2 = arraylen(p1) GcArray<Register<object::Obj>,object::OnStack>
        i3 = int_gt(i2, 1)
        guard_true(i3)
        p4 = getitem_r(p1, 1) GcArray<Register<object::Obj>,object::OnStack>
        p5 = getitem_r(p1, 0) GcArray<Register<object::Obj>,object::OnStack>
        guard_class(p5) object::IntObj => L4(p0, p1, p5, p4)
        i6 = getfield_i(p5) object::IntObj.value
        guard_class(p4) object::IntObj => L8(p0, p1, i6, p5, p4)
        i7 = getfield_i(p4) object::IntObj.value
        i8 = int_lt(i6, i7)
        guard_true(i8) => L12(p0, p1)
        p9 = getfield_r(p0) object::Frame.args
        i10 = arraylen(p9) GcArray<Cell<object::Obj>,object::InFrame>
        i11 = int_is_true(i10)
        guard_true(i11)
        p12 = getitem_r(p9, 0) GcArray<Cell<object::Obj>,object::InFrame>
        guard_class(p12) object::IntObj => L15(p0, p1, p12)
        i13 = getfield_i(p12) object::IntObj.value
        i14 = int_neg(i13)
        p15 = getfield_r(p0) object::Frame.back
        i16 = ptr_ne(p15, null)
        guard_true(i16) => L19(p0, p1, i14)
        i17 = getfield_i(p0) object::Frame.return_pc
        i18 = getfield_i(p0) object::Frame.return_sp
        leave()
        label L19(p0, p1, i2)
        p3 = new() object::IntObj
        setfield_i(p3, i2) object::IntObj.value
        w4 = word_from_int(0)
        setitem_r(p1, 1, ref(0)) GcArray<Register<object::Obj>,object::OnStack>
        setitem_r(p1, 0, p3) GcArray<Register<object::Obj>,object::OnStack>
        finish(0, p3, 0, 0, w4, w4)
    "#]]
    .assert_eq(&pieces(&negative));
    let positive = run(&image("abs"), 42, "");
    assert_eq!(positive.outcome.to_string(), "42\n");
    assert_eq!(
        pieces(&positive),
        pieces(&negative),
        "the code depends on the program alone"
    );
}

/// Figure 9: the switch on the shape of a receiver is an exit until a shape has come. Each shape adds a piece, in which the method is inlined, and where the next shape
/// goes past it. The list has objects of three shapes, the first of them twice.
#[test]
fn a_switch_grows_with_the_shapes_that_come() {
    let text = "
        main:
            PUSH 0
            NIL
            NEW f=three
            CONS
            NEW f=two
            CONS
            NEW f=one
            PICK 0
            ROLL -3
            CONS
            SWAP
            POP
            NEW f=one
            CONS                # [sum objects]
        loop:
            PICK 0
            CAR
            SEND f/0
            ROLL 3
            ADD
            SWAP
            CDR                 # [sum' rest]
            PICK 0
            BR_COND loop
            POP
            RETURN
        one:
            PUSH 1
            RETURN
        two:
            PUSH 2
            RETURN
        three:
            PUSH 3
            RETURN";
    let image = assemble(text, "shapes").unwrap_or_else(|errors| panic!("{errors:?}"));
    // The first object goes by before the loop is one.
    let run = run(&image, 0, "function_threshold=1000");
    let mut switch = run.outcome.to_string();
    for trace in &run.traces {
        switch += &format!("{}\n", trace.title);
        let texts = trace.sections.iter().map(listing).collect::<String>();
        let tests = texts.lines().filter(|line| line.starts_with("guard_value"));
        tests.for_each(|test| switch += &format!("    {test}\n"));
    }
    expect![[r#"
        7
        trace 0: entry at (21, 2, ref)
        trace 1: bridge from g5 of trace 0
            guard_value(p2, ref(0))
        trace 2: bridge from g7 of trace 1
            guard_value(p2, ref(0))
        trace 3: bridge from g25 of trace 2
            guard_value(p2, ref(0))
    "#]]
    .assert_eq(&switch);
}

/// Calls of TLC do not recurse in the interpreter, so nothing calls the runner (`languages/tla/tests/compiled.rs` has calls that do): a frame is an object, and where the
/// guest program is says nothing of the caller. A recursive function is a loop over frames, and its return a switch on the place where it goes on. No jump of it goes back, so
/// its code is entered where the program starts, and a run leaves it for good at the first exit that nothing waits behind: it takes a run for each arm.
#[test]
fn recursive_functions_are_compiled() {
    let mut report = String::new();
    for (name, n) in [("recursive_fibonacci", 12), ("sum", 40)] {
        let image = match name {
            "sum" => assemble(SUM, "sum").unwrap_or_else(|errors| panic!("{errors:?}")),
            name => image(name),
        };
        let machine = |jit: &str| {
            let options = Options::parse(jit).expect("right parameters");
            Machine::new(options, MAX_DEPTH).expect("a machine")
        };
        let run = |program: &Loaded<'_>| program.run_to_int(&[n]).expect("an integer");
        let interpreted = machine("off").enter(&image, run).expect("enough memory");
        let machine = machine(AT_ONCE);
        let runs = machine.enter(&image, |program| {
            (1..100).find(|_| {
                let failures = machine.stats().guard_failures.total;
                assert_eq!(run(program), interpreted, "{name}");
                machine.stats().guard_failures.total == failures
            })
        });
        let runs = runs
            .expect("enough memory")
            .expect("the code is complete some time");
        let stats = machine.stats();
        report += &format!("{name}: {runs} runs, {} bridges\n", stats.bridges);
    }
    expect![[r#"
        recursive_fibonacci: 17 runs, 16 bridges
        sum: 10 runs, 9 bridges
    "#]]
    .assert_eq(&report);
}

/// sum(n) = n == 0 ? 0 : n + sum(n - 1)
const SUM: &str = "
    main:
        NEW sum=sum
        PUSHARG
        SEND sum/1
        RETURN
    sum:
        PUSHARGN 1
        BR_COND more
        PUSH 0
        RETURN
    more:
        PUSHARGN 1
        PUSHARG
        PUSHARGN 1
        PUSH 1
        SUB
        SEND sum/1
        ADD
        RETURN";
