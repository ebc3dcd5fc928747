//! The programs answer the same whatever the JIT does, and their hot loops hold what they should.
//! In: the files of `programs`. Out: what they print and answer under every setting. Invariant: the
//! body of a loop over integers or floats has no load, no store and no allocation.

use expect_test::expect;
use std::fs::read_to_string;
use verdigris::Options;
use verdigris_testing::{Run, agreed, compiled, on_stack, said};

fn file(program: &str) -> String {
    format!("{}/programs/{program}.svm", env!("CARGO_MANIFEST_DIR"))
}

/// Its output, then its result.
fn program(name: &str, arg: i64) -> impl Fn(Options) -> Run {
    let text = read_to_string(file(name)).expect("the program is there");
    of_text(text, arg)
}

fn of_text(text: String, arg: i64) -> impl Fn(Options) -> Run {
    move |options| {
        let vm = stackvm::machine(options).expect("a VM");
        let answer = || stackvm::answer(&vm, &text, &[arg]);
        let (printed, mut run) = stackvm::collect(|| Run::on(&vm, answer));
        run.outcome.output.insert_str(0, &printed);
        run
    }
}

fn check(name: &str, arg: i64, expected: &str) {
    let outcome = agreed(program(name, arg));
    assert_eq!(outcome.to_string(), expected, "{name} {arg}");
}

#[test]
fn numbers() {
    check("sum", 200, "399");
    check("floats", 100, "0.8358933994881687");
    check("fibonacci", 12, "144");
}

#[test]
fn lists_and_calls() {
    check("lists", 2, "1000000");
    check("calls", 100, "200");
    check("add", 100, "4950");
    check("varargs", 100, "5350");
}

#[test]
fn strings() {
    let output = "[#abababababababababab, 29]\n[29, nil, true]";
    check("strings", 30, output);
}

#[test]
fn faults() {
    check(
        "errors",
        40,
        "error: index 3 of a list of 3, in `main` at 11",
    );
    check("errors", 0, "error: division by zero, in `main` at 10");
    check("overflow", 3, "error: integer overflow, in `main` at 2");
}

/// The same limit in the interpreter, compiled code and the oracle.
#[test]
fn calls_within_each_other_have_a_limit() {
    // A call that the oracle does not inline takes kilobytes of the native stack.
    on_stack(16 << 20, || {
        check("deep", 999, "999");
        check(
            "deep",
            1000,
            "error: too many calls within each other, in `down` at 10",
        );
    });
}

/// A program that is loaded once gets hot from run to run; one that is read anew never does here.
#[test]
fn what_stays_loaded_gets_hot() {
    let text = read_to_string(file("sum")).expect("the program is there");
    let options = || Options::parse("threshold=150").expect("there is such a parameter");
    let vm = stackvm::machine(options()).expect("a VM");
    let answers = stackvm::again(&vm, &text, |run| {
        let mut answer = || {
            let answer = run(&[100]).expect("it goes on");
            (answer, vm.stats().traces)
        };
        [answer(), answer()]
    });
    let sum = "197".to_string();
    assert_eq!(
        answers.expect("it is a program"),
        [(sum.clone(), 0), (sum, 1)]
    );
    let vm = stackvm::machine(options()).expect("a VM");
    for _ in 0..2 {
        stackvm::answer(&vm, &text, &[100]).expect("it goes on");
    }
    assert_eq!(vm.stats().traces, 0);
    let error = stackvm::again(&vm, "nothing", |_| ()).expect_err("it is no program");
    assert!(error.to_string().contains("line 1"), "{error}");
}

/// The compiled code of a program whose loop is hot.
fn hot(name: &str) -> String {
    compiled(program(name, 20_000), "").summary()
}

#[test]
fn the_bodies_of_hot_loops_are_arithmetic() {
    expect![[r#"
        loops 1, bridges 0, aborts 0
        int_lt guard_true int_mul_overflows guard_false int_mul int_rem int_add_overflows guard_false int_add int_add jump L1
    "#]]
    .assert_eq(&hot("sum"));
    expect![[r#"
        loops 1, bridges 0, aborts 0
        int_lt guard_true float_mul float_sub float_mul int_add word_from_float jump L1
    "#]]
    .assert_eq(&hot("floats"));
}

/// The program `add` with a function whose frame has this many slots; it uses four of them on the
/// way that is taken.
fn add_with_slots(slots: usize) -> String {
    let text = read_to_string(file("add")).expect("the program is there");
    let (main, _) = text.split_once("fn add").expect("it is there");
    let others: String = (3..slots)
        .map(|n| format!("push {n}\nset local{n}\n"))
        .collect();
    format!(
        "{main}fn add(a, b)\nget a\nunless never\nget a\nget b\nadd\nreturn\nnever:\n{others}push 0\nreturn\nend\n"
    )
}

#[test]
fn the_frame_of_an_inlined_call_is_not_made() {
    let sums = expect![[r#"
        loops 1, bridges 0, aborts 0
        int_lt guard_true int_add_overflows guard_false int_add int_add word_from_int jump L1
    "#]];
    for slots in [8, 200] {
        let text = add_with_slots(slots);
        let outcome = agreed(of_text(text.clone(), 100));
        assert_eq!(outcome.to_string(), "4950", "{slots} slots");
        sums.assert_eq(&compiled(of_text(text, 20_000), "").summary());
    }
    sums.assert_eq(&hot("add"));
}

#[test]
fn a_frame_that_holds_too_much_is_made_and_the_log_says_so() {
    let text = read_to_string(file("add")).expect("the program is there");
    let (main, _) = text.split_once("fn add").expect("it is there");
    let locals: String = (1..=300)
        .map(|n| format!("push {n}\nset local{n}\n"))
        .collect();
    let text = format!("{main}fn add(a, b)\n{locals}get a\nget b\nadd\nreturn\nend\n");
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("log");
    let mut options = Options::parse("threshold=20,trace_limit=20000").expect("they are options");
    options.log = Some(format!("lost:{}", log.display()));
    let run = of_text(text, 100)(options);
    assert_eq!(run.outcome.to_string(), "4950");
    let log = read_to_string(log).expect("a log");
    let said = "a GcArray<Register<value::Value>,interp::InFrame> is allocated: it would hold more words other than zero";
    assert!(log.contains(said), "{} bytes", log.len());
}

#[test]
fn a_list_of_arguments_is_not_made() {
    let run = compiled(program("varargs", 20_000), "");
    assert!(
        run.digest().contains(" calls 0, new 0, reads 0,"),
        "{}",
        run.digest()
    );
}

#[test]
fn programs_compile_to_as_little_as_before() {
    let programs = [("calls", 20_000), ("fibonacci", 20), ("strings", 2_000)];
    let digests = programs.map(|(name, n)| {
        let run = compiled(program(name, n), "");
        format!("{name}: {}", run.digest())
    });
    expect![[r#"
        calls: loops 1, other traces 1, bridges 0, aborts 0: operations 11, guards 3, calls 0, new 0, reads 0, writes 0
        fibonacci: loops 0, other traces 1, bridges 5, aborts 0: operations 0, guards 0, calls 0, new 0, reads 0, writes 0
        strings: loops 1, other traces 0, bridges 1, aborts 0: operations 28, guards 5, calls 1, new 2, reads 2, writes 9
    "#]].assert_eq(&digests.concat());
}

#[test]
fn the_command() {
    let stackvm = |args: &[&str]| said(env!("CARGO_BIN_EXE_stackvm"), args);
    let (strings, errors) = (file("strings"), file("errors"));
    for jit in ["off", "", "threshold=2,fail_guards=1"] {
        let output = "[#abababababababababab, 29]\n[29, nil, true]".to_string();
        let expected = (output, String::new(), Some(0));
        assert_eq!(stackvm(&[&strings, "30", "--jit", jit]), expected);
        let message = format!("{errors}: division by zero, in `main` at 10");
        let expected = (String::new(), message, Some(1));
        assert_eq!(stackvm(&[&errors, "0", "--jit", jit]), expected);
    }
}

#[test]
fn an_item_that_stays_an_integer_is_stored_in_one_word() {
    // One check of the bound, which is the loop's condition, and one of the tag. The float and the
    // reference of an item are loaded for the tag's guard only: machine code does that in its exit.
    expect![[r#"
        loops 1, bridges 1, aborts 0
        int_lt guard_true getitem_i getitem_w guard_value int_from_word int_add_overflows guard_false int_add int_add_overflows guard_false int_add word_from_int setitem_w int_add jump L1
    "#]].assert_eq(&hot("lists"));
}

#[test]
fn wrong_texts_are_refused_with_their_line() {
    let dir = tempfile::tempdir().expect("a directory");
    let refused = |text: &str| {
        let file = dir.path().join("wrong.svm");
        std::fs::write(&file, text).expect("the file is written");
        let file = file.to_string_lossy();
        let (_, errors, _) = said(env!("CARGO_BIN_EXE_stackvm"), &[&file]);
        errors
            .rsplit_once(".svm: ")
            .map_or(errors.clone(), |e| e.1.to_string())
    };
    for (text, message) in [
        ("", "line 1: there is no function"),
        (
            "push 1",
            "line 1: this is outside of a function: begin one with `fn name(..)`",
        ),
        (
            "fn main()\n add\nend",
            "line 2: this takes 2 operands, and there are 0",
        ),
        (
            "fn main()\n push 1\nend",
            "line 2: the function ends without a `return`",
        ),
        (
            "fn main()\n jump x\nend",
            "line 2: there is no label `x` in this function",
        ),
        (
            "fn main()\n get x\nend",
            "line 2: `x` has not been set above",
        ),
        (
            "fn main()\n push @f\nend",
            "line 2: there is no function `f`",
        ),
        ("fn main()\n push 1x\nend", "line 2: `1x` is no constant"),
        (
            "fn main()\n list 300\nend",
            "line 2: `300` is no count below 256",
        ),
        (
            "fn main()\n fly\nend",
            "line 2: `fly` is no instruction, or lacks its operand",
        ),
        ("fn main()\n push 1\n", "line 1: `main` has no `end`"),
        (
            "fn main()\na:\n push 1\n jump a\nend",
            "line 3: there are 0 operands here, or 1, by another way",
        ),
        (
            "fn main(n)\n get n\n return\nend",
            "`main` takes 1 arguments, and 0 are given",
        ),
    ] {
        assert_eq!(refused(text), message, "{text}");
    }
}

/// What is there for the JIT and the heap: the lines that use the API of Verdigris, and the build
/// script. The mere mention of a type is not counted: an interpreter without a JIT would name
/// another pointer type in its place.
#[test]
fn the_glue_is_less_than_60_lines() {
    let sources = [
        include_str!("../src/arith.rs"),
        include_str!("../src/asm.rs"),
        include_str!("../src/check.rs"),
        include_str!("../src/interp.rs"),
        include_str!("../src/lib.rs"),
        include_str!("../src/main.rs"),
        include_str!("../src/show.rs"),
        include_str!("../src/trap.rs"),
        include_str!("../src/value.rs"),
    ];
    let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src"));
    assert_eq!(files.expect("the sources").count(), sources.len());
    let names = [
        "verdigris",
        "#[gc]",
        "#[value]",
        "#[portal]",
        "#[opaque]",
        "#[unroll_safe]",
        "merge_point!",
        "can_enter_jit!",
        "promote(",
        "Vm",
        "vm.",
        "vm:",
        "jit",
        "Gc::",
        "GcArray::",
        "Root",
    ];
    let code = |line: &&str| !line.trim_start().starts_with("//") && !line.trim().is_empty();
    let glue = sources
        .iter()
        .flat_map(|source| source.lines())
        .filter(code)
        .filter(|line| names.iter().any(|name| line.contains(name)));
    let build = include_str!("../build.rs").lines().filter(code);
    let lines = glue.count() + build.count();
    assert!((30..60).contains(&lines), "{lines}");
}

/// A disk without room is an error, for what is printed and for the answer.
#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_an_error() {
    for (name, place) in [("sum", ""), ("strings", ", in `main` at ")] {
        let file = file(name);
        let (text, status) =
            verdigris_testing::said_to_full(env!("CARGO_BIN_EXE_stackvm"), &[&file, "30"]);
        let expected = format!(
            "{file}: cannot write the output: No space left on device (os error 28){place}"
        );
        assert!(text.starts_with(&expected), "{text}");
        assert_eq!((text.lines().count(), status), (1, Some(1)));
    }
}

/// Lines are those of the text, and functions have their names.
#[test]
fn code_says_where_it_is() {
    let run = compiled(program("sum", 1000), "threshold=3");
    let titles: Vec<&str> = run.traces.iter().map(|trace| &*trace.title).collect();
    expect!["trace 0: loop at line 8 in main (ref, 4, 3, ref)"].assert_eq(&titles.join("\n"));
}
