//! Programs mean the same whatever the JIT does, and lists and maps that do not escape leave no trace. In: programs. Out: the
//! output of the binary for each of the parameters below, and the operations of hot loops.

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

/// The sum of the numbers below the input.
const SUM: &str = "i=0;s=0;[s=si+;i=i1+;]ni-;!s;@0;";
/// The same with `f(i) = i * (i + 1)`.
const APPLY: &str = "i=0;s=0;[t~i;s=st+;i=i1+;]ni-;!s;@pq*;";

fn calculator(program: &str, input: i64, params: &str, log: &str) -> (String, String) {
    let input = input.to_string();
    let mut command = Command::new(env!("CARGO_BIN_EXE_calculator"));
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
    let native = calculator(program, input, "off", "");
    assert_eq!(native, (expected.to_string(), String::new()), "{program}");
    for params in PARAMS {
        let got = calculator(program, input, params, "");
        assert_eq!(got, native, "{program} {input} {params}");
    }
}

#[test]
fn programs_agree() {
    check(SUM, 3, "3");
    check(SUM, 300, "44850");
    check(APPLY, 200, "2666600");
    // Two paths, one of which makes new variables late.
    check(
        "i=0;[a=i2*;i=i1+;j=i7<;x=aj*b+;b=bx+;]ni-;!bx+;@0;",
        40,
        "2937757630464",
    );
    // A stack that grows while it is virtual.
    check(
        "i=0;[s=111111111111iiiiis++++++++++++++++;i=i1+;]ni-;!s;@0;",
        60,
        "9510",
    );
    // More variables than a small map has, so that the index is used.
    check(
        "a=1;b=2;c=3;d=4;e=5;g=6;h=7;i=0;j=9;k=8;[s=si+k+;i=i1+;]ni-;!sj+;@0;",
        100,
        "5759",
    );
}

/// The operations of the loop's body, which is the last label of the first trace.
fn body(program: &str) -> Vec<String> {
    let (_, log) = calculator(program, 20_000, "", "opt");
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
fn stacks_and_variables_leave_no_trace() {
    let sum = [
        "int_add",
        "int_add",
        "int_sub",
        "int_gt",
        "guard_true",
        "jump L1",
    ];
    assert_eq!(body(SUM), sum);
    // The variables of `f` are in a map of their own, which is never made.
    let apply = [
        "int_add",
        "int_mul",
        "int_add",
        "int_sub",
        "int_gt",
        "guard_true",
        "jump L1",
    ];
    assert_eq!(body(APPLY), apply);
}
