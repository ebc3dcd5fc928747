//! Values that are made of others mean the same whatever the JIT does. In: programs for the stack machine. Out:
//! the output of the binary for each of the parameters below. Invariant: the body of a hot loop whose types are stable
//! holds only arithmetic on payloads.

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

/// Adds the numbers below the input.
const SUM: &str = "i0s0i0s1[g0g1+s0g1i1+s1g1I<]g0a.";

fn values(program: &str, input: i64, params: &str, log: &str) -> (String, String) {
    let input = input.to_string();
    let mut command = Command::new(env!("CARGO_BIN_EXE_values"));
    command.args([program, &input, params]);
    match log {
        "" => command.env_remove("VERDIGRIS_LOG"),
        log => command.env("VERDIGRIS_LOG", log),
    };
    let output = command.output().expect("the binary runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_string();
    (text(&output.stdout), text(&output.stderr))
}

/// Checks the answer without the JIT, and that it is the same with it.
fn check(program: &str, input: i64, expected: &str) {
    let native = values(program, input, "off", "");
    assert_eq!(native, (expected.to_string(), String::new()), "{program}");
    same(program, input, PARAMS, &native);
}

fn same(program: &str, input: i64, params: &[&str], native: &(String, String)) {
    for params in params {
        let got = values(program, input, params, "");
        assert_eq!(got, *native, "{program} {input} {params}");
    }
}

#[test]
fn sums() {
    check(SUM, 3, "3");
    check(SUM, 300, "44850");
    check("f0s0i0s1[g0g1f1*+s0g1i1+s1g1I<]g0a.", 200, "9950.0");
}

#[test]
fn types_that_change_in_the_loop() {
    // An integer, from the second turn on a float.
    check("i1s0i0s1[g0f3+s0g1i1+s1g1I<]g0a.", 100, "151.0");
    // Nil, a boolean, and the number of the turn in turns.
    check("i0s1[g1i2/i2*g1=s2g2pg2ag1i1+s1g1I<]A.", 60, "false");
    // The accumulator is a pair in one turn, what it was made of in the next.
    check("nai0s1[Ag1cag1i1+s1g1I<]A12.", 1, "trap 1");
    check(
        "ni0s1s0[g0g1cs0g1i1+s1g1I<]g0a.",
        6,
        "((((.. . 2) . 3) . 4) . 5)",
    );
}

#[test]
fn pairs_are_allocated_and_changed() {
    check("i0s1i0ncs0[g0g0s2g21g1+mpg1i1+s1g1I<]g01a.", 90, "4005");
    check("i0s1[g1f1*g1cs0g1i1+s1g1I<]g0a.", 70, "(34.5 . 69)");
}

#[test]
fn traps() {
    check("i0s1[i9i8g1-/pg1i1+s1g1I<]g1a.", 50, "trap 2");
    check("i0s1[ng1+pg1i1+s1g1I<]g1a.", 50, "trap 1");
    check("i0s1[g1i1+s1g1i9<]?", 50, "trap 1063");
}

/// The operations of the loop's body, which is the last label of the first trace.
fn body(program: &str) -> Vec<String> {
    let (_, log) = values(program, 20_000, "", "opt");
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
fn the_body_of_a_hot_loop_is_payload_arithmetic() {
    let integers = ["int_add", "int_add", "int_lt", "guard_true", "jump L1"];
    assert_eq!(body(SUM), integers);
    let floats = ["float_add", "int_add", "int_lt", "guard_true", "jump L1"];
    assert_eq!(body("f0s0i0s1[g0f1+s0g1i1+s1g1I<]g0a."), floats);
    // The pair of each turn is the sum and the number of the turn: it is never made.
    let pairs = ["int_add", "int_add", "int_lt", "guard_true", "jump L1"];
    assert_eq!(body("i0ncai0s1[A1g1+g1cag1i1+s1g1I<]A."), pairs);
}
