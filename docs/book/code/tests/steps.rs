//! The steps of the tutorial. In: the programs of its chapters. Out: traces, in files that the
//! chapters include. Invariants under test: a step does the same with and without its JIT, says
//! clearly what it cannot do yet, and compiles what its chapter shows. `UPDATE_EXPECT=1` writes the
//! files.

#[path = "../../../../crates/cli/templates/dynamic/tests/fuzz/program.rs"]
mod program;

use book::steps::{BENCHMARKS, STEPS, Step, last};
use expect_test::{expect, expect_file};
use std::fmt::Write;
use verdigris::{KeptTrace, Options, TraceText};

// ANCHOR: settings
/// Without the JIT; as users have it; everything compiled at once; in code that is left at every
/// guard; with a check of what hints promise; with a collection at every allocation.
const SETTINGS: [&str; 6] = [
    "off",
    "",
    "threshold=1,function_threshold=1,trace_eagerness=1",
    "threshold=2,function_threshold=2,trace_eagerness=2,fail_guards=1",
    "threshold=2,function_threshold=2,trace_eagerness=2,check_hints=1",
    "threshold=2,function_threshold=2,trace_eagerness=2,stress=1",
];
// ANCHOR_END: settings

fn options(jit: &str) -> Options {
    Options::parse(jit).unwrap_or_else(|error| panic!("{jit}: {error}"))
}

fn step(number: usize) -> &'static Step {
    let found = STEPS.iter().find(|step| step.number == number);
    found.expect("there is such a step")
}

#[test]
fn a_step_does_the_same_with_and_without_its_jit() {
    for step in STEPS {
        for program in step.programs {
            let text = program
                .text
                .replace("20000", "300")
                .replace("n = 20\n", "n = 9\n");
            let expected = step.output(&text, options("off"));
            assert!(expected.is_ok(), "{}: {expected:?}", program.name);
            for jit in &SETTINGS[1..] {
                let found = step.output(&text, options(jit));
                assert_eq!(
                    found, expected,
                    "step {}, {}, {jit}",
                    step.number, program.name
                );
            }
        }
    }
}

#[test]
fn expressions_have_the_same_value_in_steps_1_and_2() {
    for text in ["x", "x * x - 3 * (x + 1)", "255 - (x - (x - 7) * x)"] {
        let expected = book_step1::sum(text, 3000).map(|sum| format!("{sum}\n"));
        let found = step(2).output(&format!("{text} for 3000"), Options::default());
        assert_eq!(found, expected, "{text}");
    }
    let mut errors = String::new();
    for text in [
        "x +",
        "x $ 1",
        "256",
        "(x",
        &"(".repeat(99),
        &("x-(".repeat(9) + "x"),
    ] {
        let error = book_step1::sum(text, 1).expect_err("it is wrong");
        assert_eq!(step(2).output(text, Options::default()), Err(error.clone()));
        let _ = writeln!(errors, "{error}");
    }
    expect![[r#"
        something is missing at the end
        column 3: `$` does not belong here
        column 1: numbers go up to 255
        something is missing at the end
        column 18: this is nested too deeply
        column 26: this is nested too deeply
    "#]]
    .assert_eq(&errors);
}

#[test]
fn a_step_says_what_it_cannot_do_yet() {
    let programs = [
        (3, "let x = 1\nprint x + 1.5"),
        (4, "fn f(x) { return x }\nprint f(1)"),
        (5, "print 1\nlet name = \"x\""),
        (6, "let x = 1\nfn f() { return x }\nprint f()"),
        (7, "class A { }\nlet a = A()\nprint a.x"),
    ];
    let mut said = String::new();
    for (number, text) in programs {
        let error = step(number).output(text, Options::default());
        let _ = writeln!(said, "{number}: {}", error.expect_err("it cannot"));
        // The next step can, or finds another mistake.
        let next = step(number + 1).output(text, Options::default());
        let next = next.unwrap_or_else(|error| error + "\n");
        let _ = write!(said, "{}: {next}", number + 1);
    }
    expect![[r#"
        3: 2: values other than integers come in step 4
        4: 2.5
        4: 2: functions come in step 5
        5: 1
        5: texts come in step 6
        6: 1
        6: 3: closures come in step 7
        7: 1
        7: 2: classes and objects come in step 8
        8: 3: an object has no field `x`
    "#]]
    .assert_eq(&said);
}

#[test]
fn faults_have_lines() {
    let programs = [
        "let x = 1\nprint x / 0",
        "print 1 + nil",
        "print -true",
        "let f = 1\nf(2)",
        "fn f(x) { }\nf()",
        "fn f(x) { return f(x) }\nf(1)",
        "print len(1)",
        "print sqrt(1, 2)",
        "class A { fn init(x) { self.x = x } }\nlet a = A(1)\nprint a.y",
        "class A { }\nA(1)",
        "class A { }\nlet a = A()\na.go()",
        "let x = 1\nx.y = 2",
    ];
    let mut said = String::new();
    for text in programs {
        let errors = SETTINGS.map(|jit| last(text, options(jit)).expect_err("it is wrong"));
        assert!(errors.iter().all(|error| *error == errors[0]), "{errors:?}");
        let _ = writeln!(said, "{}", errors[0]);
    }
    expect![[r#"
        2: division by zero
        1: `+` is not for an integer and nil
        1: `-` is not for a boolean
        2: an integer cannot be called
        2: `f` takes 1 arguments, 0 were given
        1: too many calls within each other
        1: `len` is not for an integer
        1: `sqrt` takes 1 arguments, 2 were given
        3: an object has no field `y`
        2: `A` takes 0 arguments, 1 were given
        3: an object has no method `go`
        2: an integer has no field `y`
    "#]]
    .assert_eq(&said);
}

/// What is compiled must depend on the program alone, and not on how long compiling takes.
const CALM: &str = "compile_allowance=off";

/// What was compiled for a program.
fn traces(step: &Step, text: &str, jit: &str) -> Vec<KeptTrace> {
    let mut options = options(jit);
    options.keep_traces = true;
    let run = step.run(text, options);
    assert_eq!(run.error, None);
    run.traces
}

fn program_text(step: &Step, name: &str) -> &'static str {
    let found = step.programs.iter().find(|program| program.name == name);
    found.expect("there is such a program").text
}

macro_rules! golden {
    ($name:expr, $text:expr) => {
        let path = format!(
            "{}/../src/tutorial/traces/{}.txt",
            env!("CARGO_MANIFEST_DIR"),
            $name
        );
        expect_file![path].assert_eq(&$text);
    };
}

/// The text of a trace without what guards need when they fail, and without merge points.
fn listing(trace: &TraceText) -> String {
    // The first line says what the trace is given; what belongs to a guard is indented.
    let lines = trace.text.lines().skip(1);
    lines
        .filter(|line| !line.is_empty() && !line.starts_with(' '))
        .filter(|line| !line.starts_with("merge_point("))
        .map(|line| format!("{line}\n"))
        .collect()
}

/// The last section of the first trace: the body of a loop, or all of another trace.
fn body(traces: &[KeptTrace]) -> String {
    let first = traces.first().expect("something was compiled");
    let body = first.sections.last().expect("it has a section");
    format!("# {}\n{}", first.title, listing(body))
}

#[test]
fn chapters_show_what_is_compiled() {
    let expression = traces(step(2), STEPS[0].programs[0].text, CALM);
    let recorded = &expression[0].recorded;
    golden!(
        "02-recorded",
        format!("# {}\n{}", expression[0].title, listing(recorded))
    );
    golden!("02-expression", body(&expression));
    for (number, name) in [
        (3, "squares"),
        (3, "branches"),
        (4, "squares"),
        (4, "mixed"),
        (5, "calls"),
        (6, "texts"),
        (7, "closures"),
        (8, "points"),
        (9, "points"),
    ] {
        let step = step(number);
        let found = traces(step, program_text(step, name), CALM);
        golden!(format!("{number:02}-{name}"), body(&found));
    }
    // Of a loop with a branch, what follows the guard that fails.
    let found = traces(step(3), program_text(step(3), "branches"), CALM);
    let bridge = found.iter().position(|t| t.title.contains("bridge"));
    golden!("03-bridge", body(&found[bridge.expect("there is one")..]));
    // A function that calls itself.
    let found = traces(step(5), program_text(step(5), "fib"), CALM);
    golden!("05-fib", body(&found));
}

// ANCHOR: claims
/// What [`chapters_show_what_is_compiled`] shows, as claims that do not depend on how it is
/// written.
#[test]
fn the_last_loop_has_no_look_up() {
    let slow = traces(step(8), program_text(step(8), "points"), CALM);
    let fast = traces(step(9), program_text(step(9), "points"), CALM);
    let last = |traces: &[KeptTrace]| traces[0].sections.last().expect("a body").clone();
    assert!(last(&slow).count_all("call") > 2, "{}", last(&slow).text);
    assert_eq!(last(&fast).count_all("call"), 0, "{}", last(&fast).text);
}
// ANCHOR_END: claims

#[test]
fn a_function_can_be_replaced() {
    let text = "fn f(x) { return x + 1 }
        let i = 0 let sum = 0
        while i < 3000 {
            if i == 2000 { f = fn(x) { return x - 1 } }
            sum = sum + f(0)
            i = i + 1
        }
        print sum";
    for jit in SETTINGS {
        assert_eq!(last(text, options(jit)), Ok("1000\n".to_string()), "{jit}");
    }
}

// ANCHOR: fuzz
#[test]
fn random_programs_agree() {
    let mut finished = 0;
    for seed in 1..=25 {
        let text = program::random(&mut fastrand::Rng::with_seed(seed));
        let expected = last(&text, options("off"));
        finished += u64::from(expected.is_ok());
        for jit in &SETTINGS[1..] {
            assert_eq!(
                last(&text, options(jit)),
                expected,
                "seed {seed}, {jit}:\n{text}"
            );
        }
    }
    assert!(finished > 5, "{finished} programs came to their end");
}
// ANCHOR_END: fuzz

/// The programs that are compared with LuaJIT's, with less to do.
#[test]
fn benchmarks_run() {
    let mut said = String::new();
    for (name, text, lua) in BENCHMARKS {
        let mut small = text.to_string();
        for (many, few) in [
            ("00000000", "000"),
            ("50000000", "5000"),
            ("100000", "1000"),
            ("< 700", "< 30"),
            ("fib(35)", "fib(15)"),
            ("< 300", "< 3"),
        ] {
            small = small.replace(many, few);
        }
        assert_ne!(small, text, "{name}");
        let expected = last(&small, options("off")).expect("it runs");
        assert_eq!(last(&small, options("")).as_ref(), Ok(&expected), "{name}");
        let _ = writeln!(said, "{name}: {}", expected.trim().replace('\n', " "));
        assert!(lua.contains("print(string.format"), "{name}");
    }
    expect![[r#"
        integers: 166167
        floats: 2693
        fib: 610
        closures: 24995000
        objects: 15000 20000
        list: 24975000
        strings: 4500
    "#]]
    .assert_eq(&said);
}
