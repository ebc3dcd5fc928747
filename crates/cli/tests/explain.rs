//! `verdigris explain` on a program of TLC, and on commands that write no report. In: command
//! lines. Out: standard output and errors.

use crate::started::{Program, start, tlc};
use expect_test::{Expect, expect};
use std::process::{Command, Output};
use verdigris::explain::Report;

/// Runs the tool on a program of TLC.
fn explain(args: &[&str]) -> Output {
    let mut tool = Command::new(env!("CARGO_BIN_EXE_verdigris"));
    tool.arg("explain").args(args);
    let file = "programs/factorial.tlc";
    let program = Program {
        best: "threshold=3",
        file,
        name: &tlc().join(file).display().to_string(),
        argument: 20_000,
    };
    let output = start(&mut tool, &program).output();
    output.expect("the tool runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the tool says UTF-8")
}

#[test]
fn the_report_is_for_people() {
    let output = explain(&[]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines[0].contains(" in all: "), "{said}");
    assert!(said.contains("\ncompiled:\n"), "{said}");
    assert!(said.contains("factorial.tlc:"), "{said}");
    assert!(
        text(&output.stderr).contains("\n0\n"),
        "what the program prints is on standard error: {}",
        text(&output.stderr)
    );
}

#[test]
fn the_report_is_for_programs() {
    let output = explain(&["--json"]);
    let said = text(&output.stdout);
    let report = Report::from_json(said.trim_end()).expect("one report");
    assert!(
        report
            .code
            .iter()
            .any(|code| code.kind.to_string() == "loop"),
        "{said}"
    );
}

/// What the tool says of a command that it cannot explain.
fn refused(command: &[&str], expected: Expect) {
    let mut tool = Command::new(env!("CARGO_BIN_EXE_verdigris"));
    let output = tool.arg("explain").arg("--").args(command).output();
    let output = output.expect("the tool runs");
    assert!(!output.status.success());
    expected.assert_eq(&text(&output.stderr));
}

#[test]
fn commands_without_a_report_are_refused() {
    refused(
        &["true"],
        expect![[r#"
            error: true has written no report (exit status: 0); is it a language made with this version of Verdigris, and did it drop its VM before it ended?
        "#]],
    );
    refused(
        &["/no/such/command"],
        expect![[r#"
            error: cannot run /no/such/command: No such file or directory (os error 2)
        "#]],
    );
}
