//! The counter language gives the same answers whatever the JIT does. In: programs. Out: what they
//! answer under every setting, and what the binary says. Invariant: also a panic is the same.

use expect_test::expect;
use verdigris::Options;
use verdigris_testing::{Run, agreed, compiled, said};

fn counter(program: &str, number: i64) -> impl Fn(Options) -> Run {
    move |options| {
        let vm = counter::machine(options).expect("a VM");
        Run::on(&vm, || Ok::<_, String>(counter::sum(&vm, program, number)))
    }
}

fn check(program: &str, number: i64, expected: &str) {
    let outcome = agreed(counter(program, number));
    assert_eq!(outcome.to_string(), expected, "{program} {number}");
}

#[test]
fn sums() {
    check("+-?.", 4, "10");
    check("+-?.", 1, "1");
    check("+-?.", -7, "-7");
    check("+-?.", 3000, "4501500");
}

#[test]
fn loops_with_a_side_exit() {
    check("-?+.", 3000, "0");
    check("-?+-?.", 3000, "0");
    check("+--?.", 3001, "2253001");
    check("++--+-?+.", 3000, "4502500");
}

#[test]
fn panics() {
    let message = "error: panicked: index out of bounds: the len is 3 but the index is 3";
    check("+-?", 1, message);
    check("+-?", 3000, message);
}

#[test]
fn the_loop_is_compiled() {
    let run = compiled(counter("+-?.", 100_000), "");
    assert_eq!(run.outcome.to_string(), "5000050000");
    expect![[r#"
        loops 1, bridges 0, aborts 0
        int_add int_add int_gt guard_true jump L1
    "#]]
    .assert_eq(&run.summary());
}

#[test]
fn the_command() {
    let counter = |args: &[&str]| said(env!("CARGO_BIN_EXE_counter"), args);
    for params in ["off", "", "threshold=2,trace_eagerness=1,fail_guards=1"] {
        let answer = ("4501500".to_string(), String::new(), Some(0));
        assert_eq!(counter(&["+-?.", "3000", params]), answer);
        let (out, error, status) = counter(&["+-?", "3000", params]);
        assert_eq!((out.as_str(), status), ("", Some(101)));
        // Compiled code has no source lines: the place may differ, the message may not.
        assert!(
            error.contains("index out of bounds: the len is 3 but the index is 3"),
            "{params}: {error}"
        );
    }
    let (out, error, status) = counter(&["+-?."]);
    assert_eq!((out.as_str(), status), ("", Some(1)));
    assert!(error.contains("usage: counter"), "{error}");
    let (_, error, status) = counter(&["+-?.", "4", "treshold=1"]);
    assert_eq!(status, Some(1));
    assert!(error.contains("threshold"), "{error}");
}

/// The glue that the README counts.
#[test]
fn the_glue_is_less_than_30_lines() {
    let source = include_str!("../src/lib.rs");
    let build = include_str!("../build.rs");
    let names = [
        "verdigris",
        "#[",
        "merge_point!",
        "can_enter_jit!",
        "Vm::",
        "vm.",
        "Gc",
        "jit::",
    ];
    let code = |line: &&str| !line.trim_start().starts_with("//") && !line.trim().is_empty();
    let glue = source
        .lines()
        .filter(code)
        .filter(|line| names.iter().any(|name| line.contains(name)));
    let lines = glue.count() + build.lines().filter(code).count();
    assert!((10..30).contains(&lines), "{lines}");
}
