//! Every program on every stage under every configuration. In: `programs/*.om` with `*.out`. Out: the same text each time.
//! Invariant under test: the stage of the object model, the JIT, its backends, its optimiser, the collector and
//! deoptimisation change nothing that a user of the language can see, errors included.
//!
//! A program begins with `# args: 20`, the arguments for which `.out` is right; `# stress: 6` in the second line gives
//! smaller ones for the configurations that are slow by design.

use objmodel::image::Image;
use objmodel::machine::{MAX_DEPTH, Machine, Stage, load};
use std::fs;
use std::path::{Path, PathBuf};
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
        .filter_map(|name| name.strip_suffix(".om").map(str::to_string))
        .collect();
    names.sort();
    assert!(names.len() >= 20, "only {} programs", names.len());
    names.into_iter().map(read_program).collect()
}

fn read_program(name: String) -> Program {
    let read = |extension: &str| {
        let path = folder().join(&name).with_extension(extension);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let source = read("om");
    let image =
        load(source.as_bytes(), &format!("{name}.om")).unwrap_or_else(|error| panic!("{error}"));
    let args = arguments(&source, "# args:")
        .unwrap_or_else(|| panic!("{name} does not say its arguments"));
    let small_args = arguments(&source, "# stress:").unwrap_or_else(|| args.clone());
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

fn machine(jit: &str, stage: Stage, max_depth: i64) -> Machine {
    let options = Options::parse(jit).unwrap_or_else(|error| panic!("{jit}: {error}"));
    Machine::new(options, stage, max_depth).unwrap_or_else(|error| panic!("{jit}: {error}"))
}

/// What a program prints under a configuration, and what the VM did.
fn run(program: &Program, args: &[i64], jit: &str, stage: Stage, depth: i64) -> (String, Stats) {
    let machine = machine(jit, stage, depth);
    let text = machine.run(&program.image, args, true).to_string();
    (text, machine.stats())
}

/// All programs print what their `.out` says.
fn check_expected(jit: &str) {
    for program in programs() {
        for stage in Stage::ALL {
            let (text, _) = run(&program, &program.args, jit, stage, MAX_DEPTH);
            let name = &program.name;
            assert_eq!(text, program.expected, "{name} on {stage:?} under `{jit}`");
        }
    }
}

/// All programs print with small arguments what they print with dictionaries and without the JIT.
fn check_small(jit: &str, depth: i64) {
    for program in programs() {
        let args = &program.small_args;
        let (expected, _) = run(&program, args, "off", Stage::Dict, depth);
        for stage in Stage::ALL {
            let (text, _) = run(&program, args, jit, stage, depth);
            let name = &program.name;
            assert_eq!(text, expected, "{name} on {stage:?} under `{jit}`");
        }
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

#[test]
fn loops_are_compiled_and_run() {
    for name in ["expression", "counter", "shapes", "linked_list", "queue"] {
        let program = read_program(name.to_string());
        for stage in Stage::ALL {
            let (_, stats) = run(&program, &program.args, "threshold=7", stage, MAX_DEPTH);
            assert!(stats.loops >= 1, "{name}: no loop was compiled: {stats:?}");
            assert!(stats.entries >= 1, "{name}: no code was entered: {stats:?}");
        }
    }
}

#[test]
fn calls_stay_in_compiled_code() {
    let program = read_program("counter".to_string());
    for stage in Stage::ALL {
        let (text, stats) = run(&program, &[300_000], "", stage, MAX_DEPTH);
        assert_eq!(text, "300005 300006\n");
        assert!(
            stats.guard_failures.interpreter <= 20,
            "{stage:?}: {stats:?}"
        );
    }
}

#[test]
fn objects_that_live_for_one_iteration_are_not_made() {
    let program = read_program("boxed_numbers".to_string());
    let allocated = |n: i64| {
        let (_, stats) = run(&program, &[n], "", Stage::Versions, MAX_DEPTH);
        stats.heap.allocated_bytes
    };
    let (few, many) = (allocated(10_000), allocated(110_000));
    assert!(many < few + 100_000, "{few} and {many} bytes");
}

#[test]
fn a_class_that_always_changes_is_compiled_too() {
    let program = read_program("class_changes_every_time".to_string());
    for stage in Stage::ALL {
        let (_, stats) = run(&program, &[100_000], "", stage, MAX_DEPTH);
        let failures = stats.guard_failures.interpreter;
        assert!(stats.loops >= 1 && failures <= 1000, "{stage:?}: {stats:?}");
    }
}
