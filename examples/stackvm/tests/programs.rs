//! The programs answer the same whatever the JIT does, and their hot loops hold what they should. In: the files of
//! `programs`. Out: the output of the binary for each of the parameters below. Invariant: the body of a loop over integers
//! or floats has no load, no store and no allocation.

use std::process::Command;

const PARAMS: &[&str] = &[
    "",
    "threshold=1,trace_eagerness=1",
    "threshold=3,trace_eagerness=2",
    "threshold=2,backend=oracle",
    "threshold=2,enable_opts=none",
    "threshold=2,stress=1",
    "threshold=2,fail_guards=1",
    "threshold=2,trace_eagerness=1,backend=oracle,fail_guards=1,enable_opts=none",
];

/// Both outputs of a program.
fn run(program: &str, arg: i64, params: &str, log: &str) -> (String, String) {
    let file = format!("{}/programs/{program}.svm", env!("CARGO_MANIFEST_DIR"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_stackvm"));
    command.args([&file, &arg.to_string(), "--jit", params]);
    match log {
        "" => command.env_remove("VERDIGRIS_LOG"),
        log => command.env("VERDIGRIS_LOG", log),
    };
    let output = command.output().expect("the binary runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_string();
    let errors = text(&output.stderr);
    // Errors begin with the path of the program.
    let errors = errors.strip_prefix(&format!("{file}: ")).unwrap_or(&errors);
    (text(&output.stdout), errors.to_string())
}

/// Checks the answer without the JIT, and that it is the same with it.
fn check(program: &str, arg: i64, answer: &str, error: &str) {
    let expected = (answer.to_string(), error.to_string());
    assert_eq!(run(program, arg, "off", ""), expected, "{program}");
    for params in PARAMS {
        assert_eq!(
            run(program, arg, params, ""),
            expected,
            "{program} {params}"
        );
    }
}

#[test]
fn numbers() {
    check("sum", 200, "399", "");
    check("floats", 100, "0.8358933994881687", "");
    check("fibonacci", 12, "144", "");
}

#[test]
fn lists_and_calls() {
    check("lists", 2, "1000000", "");
    check("calls", 100, "200", "");
}

#[test]
fn strings() {
    let output = "[#abababababababababab, 29]\n[29, nil, true]";
    check("strings", 30, output, "");
}

#[test]
fn faults() {
    check("errors", 40, "", "index 3 of a list of 3, in `main` at 11");
    check("errors", 0, "", "division by zero, in `main` at 10");
    check("overflow", 3, "", "integer overflow, in `main` at 2");
}

/// The operations of the loop's body, which is the last label of the first trace.
fn body(program: &str) -> Vec<String> {
    let (_, log) = run(program, 20_000, "", "opt");
    let trace = log.split("# opt: ").nth(1).expect("something is compiled");
    let body = trace.rsplit("label ").next().expect("it has a label");
    let operations = body.lines().skip(1).filter(|line| !line.starts_with("  "));
    let name = |line: &str| {
        let operation = line.split_once(" = ").map_or(line, |(_, rest)| rest);
        operation.split('(').next().unwrap_or("").to_string()
    };
    let names = operations.map(name);
    names
        .filter(|name| !name.is_empty() && name != "merge_point")
        .collect()
}

#[test]
fn the_bodies_of_hot_loops_are_arithmetic() {
    let sum = [
        "int_lt",
        "guard_true",
        "int_mul_overflows",
        "guard_false",
        "int_mul",
        "int_rem",
        "int_add_overflows",
        "guard_false",
        "int_add",
        "int_add",
        "jump L1",
    ];
    assert_eq!(body("sum"), sum);
    let floats = [
        "int_lt",
        "guard_true",
        "float_mul",
        "float_sub",
        "float_mul",
        "int_add",
        "jump L1",
    ];
    assert_eq!(body("floats"), floats);
}

#[test]
fn wrong_texts_are_refused_with_their_line() {
    let dir = tempfile::tempdir().expect("a directory");
    let refused = |text: &str| {
        let file = dir.path().join("wrong.svm");
        std::fs::write(&file, text).expect("the file is written");
        let output = Command::new(env!("CARGO_BIN_EXE_stackvm"))
            .arg(&file)
            .output();
        let errors = output.expect("the binary runs").stderr;
        let errors = String::from_utf8_lossy(&errors).trim_end().to_string();
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

/// What is there for the JIT and the heap: the lines that use the API of Verdigris, and the build script. The mere mention of a
/// type is not counted: an interpreter without a JIT would name another pointer type in its place.
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
