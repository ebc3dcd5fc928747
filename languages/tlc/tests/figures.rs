//! TLC compiled by partial evaluation of its interpreter. In: programs of the paper, and recursive
//! ones. Out: what is left of them, pinned. Invariant under test: the first run makes code, without
//! a recorded run, and the code does what the interpreter does.
//!
//! Source: "Automatic Generation of JIT Compilers for Dynamic Languages in .NET" (2009), figures 1,
//! 8 and 9. The figures between them need an interpreter with fewer hints and with the paper's:
//! `crates/specialise/tests/paper_2009.rs`.

use crate::common::{guest, image};
use expect_test::expect;
use tlc::asm::assemble;
use tlc::image::Image;
use tlc::machine::{Loaded, MAX_DEPTH, Machine};
use verdigris::Options;
use verdigris_testing::{Run, compiled, listing};

/// Everything is compiled when it is first passed, with all arms of its switches as in the paper,
/// and nothing is recorded.
const AT_ONCE: &str = "compiler=specialising,threshold=1,function_threshold=1,trace_eagerness=1,\
                       lazy_arms=none,arm_eagerness=1";

fn run(image: &Image, n: i64, more: &str) -> Run {
    let run = compiled(guest(image, &[n], MAX_DEPTH), &format!("{AT_ONCE},{more}"));
    assert_eq!(run.stats.aborts.values().sum::<u64>(), 0, "{:?}", run.stats);
    run
}

/// Figure 1 as a method.
const ABS: &str = "
    main:
        NEW abs=abs
        PUSHARG
        SEND abs/1
        RETURN
    abs:
        PUSHARGN 1
        PUSH 0
        LT
        BR_COND neg
    pos:
        PUSHARGN 1
        RETURN
    neg:
        PUSH 0
        PUSHARGN 1
        SUB
        RETURN";

/// Figure 8 by the real interpreter, from the method's first instruction to the return behind
/// `neg`: a test of the class, a comparison, a negation. The interpreter asks for classes with a
/// `match`, whose arms are all there from the start, so it waits for nothing: a value that is no
/// integer goes to arms that end the program with an error, where the paper has its `default`. The
/// method's frame and stack are made by the call, so there are none. What follows is the return to
/// the caller, if there is one.
#[test]
fn figure_8() {
    let image = assemble(ABS, "abs").unwrap_or_else(|errors| panic!("{errors:?}"));
    let run = run(&image, -42, "");
    assert_eq!(run.outcome.to_string(), "42\n");
    let sections = run.traces.iter().flat_map(|trace| &trace.sections);
    let methods: Vec<_> = sections
        .filter(|s| s.count("int_neg") > 0)
        .map(listing)
        .collect();
    expect![[r#"
        label L8(p0, p1, p2, p3, i4)
        guard_class(p3) object::IntObj => L9(p0, p1, p2, p3, i4)
        i5 = getfield_i(p3) object::IntObj.value
        i6 = int_lt(i5, 0)
        guard_true(i6) => L13(p0, p1, p2, p3, i4)
        i7 = int_neg(i5)
        i8 = ptr_ne(p0, null)
        guard_true(i8) => L17(p1, p2, p3, i4, i7)
        i9 = arraylen(p1) GcArray<Register<object::Obj>,object::OnStack>
        i10 = int_is_zero(i9)
        guard_true(i10) => L18(p0, i7, p1)
        leave()
    "#]]
    .assert_eq(&methods.concat());
}

/// Figure 1 as it is, the main program: its stack comes from outside, so its length is not known,
/// and each push asks whether it is full. The whole code is in `crates/cli/tests/golden`. It
/// depends on the program alone.
#[test]
fn abs() {
    let image = image("abs");
    let (negative, positive) = (run(&image, -42, ""), run(&image, 42, ""));
    assert_eq!(negative.outcome.to_string(), "42\n");
    assert_eq!(positive.outcome.to_string(), "42\n");
    assert_eq!((negative.stats.traces, negative.stats.bridges), (1, 0));
    assert_eq!(
        (negative.stats.entries, negative.stats.guard_failures.total),
        (1, 0)
    );
    assert_eq!(negative.traces, positive.traces);
}

/// Figure 9: the switch on the shape of a receiver is an exit until a shape has come. Each shape
/// adds a piece, in which the method is inlined, and where the next shape goes past it. The list
/// has objects of three shapes, the first of them twice.
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
        trace 0: entry at shapes:18 in loop (21, 2, ref)
        trace 1: bridge from g5 of trace 0 at shapes:19 in loop
            guard_value(p2, ref(0))
        trace 2: bridge from g7 of trace 1 at shapes:19 in loop
            guard_value(p2, ref(0))
        trace 3: bridge from g36 of trace 2 at shapes:19 in loop
            guard_value(p2, ref(0))
    "#]]
    .assert_eq(&switch);
}

/// Calls of TLC do not recurse in the interpreter, so nothing calls the runner
/// (`languages/tla/tests/compiled.rs` has calls that do): a frame is an object, and where the guest
/// program is says nothing of the caller. A recursive function is a loop over frames, and its
/// return a switch on the place where it goes on. No jump of it goes back, so its code is entered
/// where the program starts, and a run leaves it for good at the first exit that nothing waits
/// behind: it takes a run for each arm.
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
                let failures = machine.vm().stats().guard_failures.total;
                assert_eq!(run(program), interpreted, "{name}");
                machine.vm().stats().guard_failures.total == failures
            })
        });
        let runs = runs
            .expect("enough memory")
            .expect("the code is complete some time");
        let stats = machine.vm().stats();
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
