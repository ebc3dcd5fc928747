//! The levels of compilation. In: the paper's programs, whose calls name a level, and the level of
//! a program's first function. Out: which compiler has made the code of which loop. Invariant under
//! test: a function runs on the level that its call says, whatever compiler the parameters choose
//! for the rest, and the result is always the same.

use crate::common::{DEPTH, guest_on, image};
use expect_test::expect;
use tla::image::Image;
use tla::level::Level;
use tla::machine::load;
use verdigris_testing::{Run, agree_under, compiled, fast_settings, for_each};

/// The compiler of places that have no level of their own.
const COMPILERS: [&str; 3] = ["tracing", "specialising", "both"];

/// The levels by the numbers that they have as greens.
const LEVELS: [&str; 4] = ["any", "interpreter", "baseline", "tracing"];

/// Runs a program until all of its loops are hot.
fn run(image: &Image, main: Level, compiler: &str) -> Run {
    let jit = format!("threshold=5,function_threshold=5,trace_eagerness=2,compiler={compiler}");
    compiled(guest_on(image, &[200], DEPTH, main), &jit)
}

/// The functions that have code, each with its level, and how the code was made.
fn made(run: &Run) -> String {
    let mut lines = Vec::new();
    let mut without_run = 0;
    for trace in &run.traces {
        let is_recorded = trace.recorded.count_all("") > 0;
        without_run += u64::from(!is_recorded);
        // What hangs on the exits of code is where the code is.
        if trace.title.contains(": bridge from ") {
            continue;
        }
        let (place, greens) = trace.title.rsplit_once(" (").expect("greens");
        let (_, function) = place.rsplit_once(" in ").expect("a function");
        let level = greens.trim_end_matches(')').rsplit(", ").next();
        let level: usize = level.and_then(|n| n.parse().ok()).expect("a level");
        let level = LEVELS[level];
        let how = if is_recorded {
            "traces"
        } else {
            "partial evaluation"
        };
        lines.push(format!("{function} ({level}): {how}\n"));
    }
    assert_eq!(without_run, run.stats.specialised.pieces);
    lines.sort();
    lines.dedup();
    lines.concat()
}

/// What hangs on the exits of code is made by the compiler of the code, too.
fn kinds(run: &Run) -> [bool; 2] {
    [true, false].map(|recorded| {
        let mut traces = run.traces.iter();
        traces.any(|trace| (trace.recorded.count_all("") > 0) == recorded)
    })
}

#[test]
fn each_variant_has_code_of_the_levels_that_it_names() {
    let variants = [
        "callabit_baseline_interp",
        "callabit_baseline_only",
        "callabit_baseline_tracing",
        "callabit_tracing_baseline",
        "callabit_tracing_only",
    ];
    let shown = COMPILERS.map(|compiler| {
        let variants = variants.map(|name| {
            let image = image(name);
            let run = run(&image, Level::Any, compiler);
            assert_eq!(run.outcome.to_string(), "0", "{name}, {compiler}");
            let [traces, partial] = kinds(&run);
            assert_eq!(traces, name.contains("tracing"), "{name}, {compiler}");
            assert_eq!(partial, name.contains("baseline"), "{name}, {compiler}");
            format!("{name}\n{}", made(&run))
        });
        variants.concat()
    });
    expect![[r#"
        callabit_baseline_interp
        loop_of_calls (baseline): partial evaluation
        callabit_baseline_only
        loop_of_calls (baseline): partial evaluation
        sub_loop (baseline): partial evaluation
        callabit_baseline_tracing
        loop_of_calls (baseline): partial evaluation
        sub_loop (tracing): traces
        callabit_tracing_baseline
        loop_of_calls (tracing): traces
        sub_loop (baseline): partial evaluation
        callabit_tracing_only
        loop_of_calls (tracing): traces
        sub_loop (tracing): traces
    "#]]
    .assert_eq(&shown[0]);
    assert!(shown.iter().all(|other| *other == shown[0]), "{shown:?}");
}

/// The main function of these has the level that the command says; the parameters say it if it says
/// nothing.
#[test]
fn the_first_function_has_the_level_that_it_is_given() {
    for name in [
        "loop",
        "loopabit",
        "callabit_interp",
        "callabit",
        "callabit_tracing",
    ] {
        let image = image(name);
        for compiler in COMPILERS {
            let made = |main| made(&run(&image, main, compiler));
            let of_main = |made: &str| {
                let lines = made.lines().filter(|line| line.starts_with("main "));
                lines.map(str::to_string).collect::<Vec<_>>()
            };
            assert_eq!(of_main(&made(Level::Interpreter)), [""; 0], "{name}");
            assert_eq!(
                of_main(&made(Level::Baseline)),
                ["main (baseline): partial evaluation"],
                "{name}"
            );
            assert_eq!(
                of_main(&made(Level::Tracing)),
                ["main (tracing): traces"],
                "{name}"
            );
            let any = match compiler {
                "tracing" => "main (any): traces",
                _ => "main (any): partial evaluation",
            };
            assert_eq!(of_main(&made(Level::Any)), [any], "{name}");
        }
    }
}

/// A function is compiled for each level on which it is called.
#[test]
fn a_function_that_is_called_on_three_levels_has_code_of_two() {
    let text = "
        main(1):
        loop:
            DUP
            CALL count
            POP
            DUP
            CALL_JIT count
            POP
            DUP
            CALL_NORMAL count
            POP
            CONST_INT 1
            SUB
            DUP
            JUMP_IF loop
            EXIT
        count(1):
            DUP
        again:
            CONST_INT 1
            SUB
            DUP
            JUMP_IF again
            RET 1
        ";
    let image = load(text, "levels.tla").unwrap_or_else(|error| panic!("{error}"));
    let shown = COMPILERS.map(|compiler| {
        let run = run(&image, Level::Interpreter, compiler);
        assert_eq!(run.outcome.to_string(), "0");
        made(&run)
    });
    expect![[r#"
        count (baseline): partial evaluation
        count (tracing): traces
    "#]]
    .assert_eq(&shown[0]);
    assert!(shown.iter().all(|other| *other == shown[0]), "{shown:?}");
}

/// Results do not depend on the level, under any setting.
#[test]
fn the_level_of_the_first_function_changes_nothing_else() {
    let levels = [Level::Interpreter, Level::Baseline, Level::Tracing];
    let cases: Vec<(&str, Level)> = [
        "ackermann",
        "callabit_tracing",
        "changing_types",
        "even_odd",
    ]
    .into_iter()
    .flat_map(|name| levels.map(|level| (name, level)))
    .collect();
    let cases: Vec<_> = cases.into_iter().enumerate().collect();
    for_each(&cases, |&(number, (name, level))| {
        let args: &[i64] = match name {
            "ackermann" => &[1, 5],
            _ => &[40],
        };
        let settings = fast_settings(number);
        if let Err(difference) = agree_under(settings, guest_on(&image(name), args, DEPTH, level)) {
            panic!("{name}, {level:?}: {difference}");
        }
    });
}
