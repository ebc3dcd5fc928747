//! Every program under every configuration. In: `programs/*.tlc` with `*.out`. Out: the same text each time.
//! Invariant under test: the JIT, its backends, its optimiser, the collector and deoptimisation change nothing that a user
//! of TLC can see, errors included.
//!
//! A program begins with `; args: 20`, the arguments for which `.out` is right; `; stress: 6` in the second line gives
//! smaller ones for the configurations that are slow by design (`; hot: 20000`, larger ones, is for benchmarks).

use std::fs;
use std::path::{Path, PathBuf};
use tlc::image::Image;
use tlc::machine::{MAX_DEPTH, Machine, load};
use verdigris::{Options, Stats};

struct Program {
    name: String,
    image: Image,
    args: Vec<i64>,
    small_args: Vec<i64>,
    expected: String,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("programs")
}

fn programs() -> Vec<Program> {
    let entries = fs::read_dir(folder()).expect("the folder is there");
    let mut names: Vec<String> = entries
        .map(|entry| {
            entry
                .expect("it can be listed")
                .file_name()
                .into_string()
                .expect("names are UTF-8")
        })
        .filter_map(|name| name.strip_suffix(".tlc").map(str::to_string))
        .collect();
    names.sort();
    assert!(names.len() >= 9, "only {} programs", names.len());
    names.into_iter().map(read_program).collect()
}

fn read_program(name: String) -> Program {
    let read = |extension: &str| {
        let path = folder().join(&name).with_extension(extension);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let source = read("tlc");
    let image =
        load(source.as_bytes(), &format!("{name}.tlc")).unwrap_or_else(|error| panic!("{error}"));
    let args = arguments(&source, "; args:")
        .unwrap_or_else(|| panic!("{name} does not say its arguments"));
    let small_args = arguments(&source, "; stress:").unwrap_or_else(|| args.clone());
    let expected = read("out");
    Program {
        name,
        image,
        args,
        small_args,
        expected,
    }
}

fn arguments(source: &str, mark: &str) -> Option<Vec<i64>> {
    let line = source.lines().find_map(|line| line.strip_prefix(mark))?;
    let number = |word: &str| word.parse().expect("arguments are integers");
    Some(line.split_whitespace().map(number).collect())
}

/// What a program prints under a configuration, and what the VM did.
fn run(program: &Program, args: &[i64], jit: &str, max_depth: i64) -> (String, Stats) {
    let options = Options::parse(jit).unwrap_or_else(|error| panic!("{jit}: {error}"));
    let machine = Machine::new(options, max_depth).unwrap_or_else(|error| panic!("{jit}: {error}"));
    let text = machine.run(&program.image, args, true).to_string();
    (text, machine.stats())
}

/// All programs print what their `.out` says.
fn check_expected(jit: &str) {
    for program in programs() {
        let (text, _) = run(&program, &program.args, jit, MAX_DEPTH);
        assert_eq!(text, program.expected, "{} under `{jit}`", program.name);
    }
}

/// All programs print with small arguments what they print without the JIT.
fn check_small(jit: &str, max_depth: i64) {
    for program in programs() {
        let (expected, _) = run(&program, &program.small_args, "off", max_depth);
        let (text, _) = run(&program, &program.small_args, jit, max_depth);
        assert_eq!(text, expected, "{} under `{jit}`", program.name);
    }
}

#[test]
fn without_jit() {
    check_expected("off");
}

#[test]
fn with_jit() {
    check_expected("");
}

#[test]
fn every_loop_is_traced_at_once() {
    check_expected("threshold=1");
}

#[test]
fn bridges_come_early() {
    check_expected("threshold=7,trace_eagerness=3");
}

#[test]
fn the_oracle_as_backend() {
    check_expected("threshold=7,trace_eagerness=3,backend=oracle");
}

#[test]
fn without_optimisations() {
    check_expected("threshold=7,trace_eagerness=3,enable_opts=none");
}

#[test]
fn every_guard_fails_once() {
    check_expected("threshold=7,trace_eagerness=3,fail_guards=1");
    check_expected("threshold=7,fail_guards=1,backend=oracle");
    check_expected("threshold=7,fail_guards=1,enable_opts=none");
}

#[test]
fn traces_are_given_up_early() {
    check_expected("threshold=3,trace_eagerness=2,trace_limit=100");
}

#[test]
fn the_heap_is_collected_at_every_allocation() {
    check_small("off,stress=1", 50);
    check_small("threshold=2,trace_eagerness=2,stress=1", 50);
    check_small("threshold=2,trace_eagerness=2,stress=1,backend=oracle", 50);
    check_small("threshold=2,trace_eagerness=2,stress=1,fail_guards=1", 50);
}
