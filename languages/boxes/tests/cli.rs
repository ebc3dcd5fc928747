//! The command. In: command lines. Out: standard output, standard error, exit status. Invariant
//! under test: what goes wrong is said with status 1 (it cannot be done) or 2 (faulty command
//! line), never by a crash.

use expect_test::{Expect, expect};
use std::process::Output;
use verdigris_testing::command;

fn boxes(args: &[&str]) -> Output {
    let mut command = command(env!("CARGO_BIN_EXE_boxes"));
    command.args(args).output().expect("boxes can be started")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("output is UTF-8")
}

/// Checks the output of a command that succeeds.
fn check(args: &[&str], expected: &str) {
    let output = boxes(args);
    assert!(output.status.success(), "{args:?}: {output:?}");
    assert_eq!(text(&output.stdout), expected, "{args:?}");
    assert_eq!(text(&output.stderr), "", "{args:?}");
}

/// Checks the message and status of a command that fails.
fn check_failure(args: &[&str], expected: Expect) {
    let output = boxes(args);
    assert_eq!(text(&output.stdout), "", "{args:?}");
    let status = output.status.code().expect("no signal ended it");
    expected.assert_eq(&format!("{}status {status}\n", text(&output.stderr)));
}

#[test]
fn numbers_of_both_types() {
    check(&["run", "1000"], "400500\n");
    check(&["run", "1000.5"], "400900.5\n");
    check(&["run", "1e3"], "400500.0\n");
    check(&["run", "0.5"], "-99.5\n");
    check(&["run", "+2"], "-197\n");
}

#[test]
fn numbers_that_are_not_positive() {
    for y in [
        "0",
        "-7",
        "-9223372036854775808",
        "0.0",
        "-0.0",
        "-1000.5",
        "NaN",
        "-1e300",
    ] {
        check(&["run", y], "0\n");
    }
    // What could be options must stand behind `--`.
    for y in ["-inf", "-NaN"] {
        check(&["run", "--", y], "0\n");
    }
}

#[test]
fn parameters_change_nothing() {
    for jit in [
        "off",
        "threshold=1",
        "backend=oracle",
        "enable_opts=none",
        "stress=1",
    ] {
        check(&["run", "--jit", jit, "2000"], "1801000\n");
        check(&["run", "2000.25", "--jit", jit], "1801400.25\n");
    }
}

#[test]
fn statistics_are_json() {
    for args in [
        ["run", "--stats=json", "5000"],
        ["run", "5000", "--stats=json"],
    ] {
        let output = boxes(&args);
        assert_eq!(text(&output.stdout), "12002500\n");
        let stats: serde_json::Value =
            serde_json::from_slice(&output.stderr).expect("statistics are JSON");
        assert_eq!(stats["loops"], 1, "{stats}");
    }
    let output = boxes(&["run", "--stats", "5000"]);
    let table = text(&output.stderr);
    assert!(table.contains("trace 0: loop at f (0)"), "{table}");
}

#[test]
fn figures_are_printed() {
    let output = boxes(&["figures"]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(text(&output.stdout), include_str!("golden/figures.txt"));
}

#[test]
fn numbers_for_which_the_loop_would_not_end() {
    check_failure(
        &["run", "inf"],
        expect![[r#"
            boxes: f(inf) may never end: a float above 2^53 can be too large to change when 1 is subtracted
            status 1
        "#]],
    );
    check_failure(
        &["run", "1e300"],
        expect![[r#"
            boxes: f(1e300) may never end: a float above 2^53 can be too large to change when 1 is subtracted
            status 1
        "#]],
    );
    check_failure(
        &["run", "9007199254740994.0"],
        expect![[r#"
            boxes: f(9007199254740994.0) may never end: a float above 2^53 can be too large to change when 1 is subtracted
            status 1
        "#]],
    );
}

#[test]
fn absurd_numbers() {
    check_failure(
        &["run", "many"],
        expect![[r#"
        error: invalid value 'many' for '<N>': neither an integer such as `1000` nor a float such as `1000.5`

        For more information, try '--help'.
        status 2
    "#]],
    );
    check_failure(
        &["run", ""],
        expect![[r#"
        error: invalid value '' for '<N>': neither an integer such as `1000` nor a float such as `1000.5`

        For more information, try '--help'.
        status 2
    "#]],
    );
    check_failure(
        &["run", "-"],
        expect![[r#"
        error: invalid value '-' for '<N>': neither an integer such as `1000` nor a float such as `1000.5`

        For more information, try '--help'.
        status 2
    "#]],
    );
    check_failure(
        &["run", "0x10"],
        expect![[r#"
        error: invalid value '0x10' for '<N>': neither an integer such as `1000` nor a float such as `1000.5`

        For more information, try '--help'.
        status 2
    "#]],
    );
    check_failure(
        &["run", "99999999999999999999"],
        expect![[r#"
        error: invalid value '99999999999999999999' for '<N>': an integer has 64 bits; for the float write `99999999999999999999.0`

        For more information, try '--help'.
        status 2
    "#]],
    );
}

#[test]
fn absurd_command_lines() {
    check_failure(
        &["run"],
        expect![[r#"
        error: the following required arguments were not provided:
          <N>

        Usage: boxes run <N>

        For more information, try '--help'.
        status 2
    "#]],
    );
    check_failure(
        &["run", "1", "2"],
        expect![[r#"
        error: unexpected argument '2' found

        Usage: boxes run [OPTIONS] <N>

        For more information, try '--help'.
        status 2
    "#]],
    );
    check_failure(
        &["run", "--quick", "1"],
        expect![[r#"
            error: unexpected argument '--quick' found

              tip: to pass '--quick' as a value, use '-- --quick'

            Usage: boxes run [OPTIONS] <N>

            For more information, try '--help'.
            status 2
        "#]],
    );
    check_failure(
        &["walk", "1"],
        expect![[r#"
        error: unrecognized subcommand 'walk'

        Usage: boxes <COMMAND>

        For more information, try '--help'.
        status 2
    "#]],
    );
}

#[test]
fn absurd_parameters() {
    for jit in ["treshold=1", "threshold=0"] {
        let output = boxes(&["run", "1", "--jit", jit]);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(text(&output.stderr).contains("threshold"), "{output:?}");
    }
}
