//! The counter language gives the same answers whatever the JIT does. In: programs. Out: the output of the binary for
//! each of the parameters below. Invariant: also a panic is the same.

use std::process::{Command, Output};

const PARAMS: &[&str] = &[
    "off",
    "",
    "threshold=1,trace_eagerness=1",
    "threshold=7,trace_eagerness=3",
    "threshold=2,backend=oracle",
    "threshold=2,enable_opts=none",
    "threshold=2,stress=1",
    "threshold=2,fail_guards=1",
    "threshold=2,backend=oracle,fail_guards=1,enable_opts=none",
    "threshold=2,trace_limit=10",
];

fn counter(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_counter"));
    command.args(args).env_remove("VERDIGRIS_LOG");
    command.output().expect("the binary runs")
}

/// Standard output and error, and the exit status.
fn show(output: &Output) -> (String, String, Option<i32>) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    // The thread's number is in the message of a panic.
    let error = text(&output.stderr);
    let error = match error.split_once("panicked at") {
        Some((_, place)) => place.to_string(),
        None => error,
    };
    (text(&output.stdout), error, output.status.code())
}

fn check(program: &str, number: &str, expected: &str) {
    for params in PARAMS {
        let (out, error, status) = show(&counter(&[program, number, params]));
        assert_eq!(
            (out.trim_end(), error.as_str(), status),
            (expected, "", Some(0)),
            "{program} {number} {params}"
        );
    }
}

#[test]
fn sums() {
    check("+-?.", "4", "10");
    check("+-?.", "1", "1");
    check("+-?.", "-7", "-7");
    check("+-?.", "3000", "4501500");
}

#[test]
fn loops_with_a_side_exit() {
    check("-?+.", "3000", "0");
    check("-?+-?.", "3000", "0");
    check("+--?.", "3001", "2253001");
    check("++--+-?+.", "3000", "4502500");
}

#[test]
fn panics() {
    for number in ["1", "3000"] {
        let native = show(&counter(&["+-?", number, "off"]));
        assert!(
            native.1.contains("the len is 3 but the index is 3"),
            "{native:?}"
        );
        for params in PARAMS {
            let (out, error, status) = show(&counter(&["+-?", number, params]));
            // Compiled code has no source lines: the place may differ, the message may not.
            assert!(
                error.contains("index out of bounds: the len is 3 but the index is 3"),
                "{params}: {error}"
            );
            assert_eq!((out, status), (native.0.clone(), native.2), "{params}");
        }
    }
}

#[test]
fn the_loop_is_compiled() {
    let output = Command::new(env!("CARGO_BIN_EXE_counter"))
        .args(["+-?.", "100000"])
        .env("VERDIGRIS_LOG", "opt")
        .output()
        .expect("the binary runs");
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(log.contains("int_gt"), "{log}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "5000050000\n");
}

#[test]
fn wrong_arguments() {
    let (out, error, status) = show(&counter(&["+-?."]));
    assert_eq!((out.as_str(), status), ("", Some(1)));
    assert!(error.contains("usage: counter"), "{error}");
    let (_, error, status) = show(&counter(&["+-?.", "4", "treshold=1"]));
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
