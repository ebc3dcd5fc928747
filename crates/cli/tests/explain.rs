//! `verdigris explain` on a program of TLC, and on commands that write no report. In: command
//! lines. Out: standard output and errors. The command that the tool starts is this test, which
//! runs a program of TLC then: cargo builds no commands of other packages for a test.

use expect_test::{Expect, expect};
use std::path::Path;
use std::process::{Command, Output};
use tlc::machine::{MAX_DEPTH, Machine, load};
use verdigris::Options;
use verdigris::explain::Report;

/// The name of the variable that says that this is the started command.
const STARTED: &str = "TLC_EXPLAINED";

/// What the tool starts. As a test of its own it has nothing to do.
#[test]
fn command() {
    if std::env::var_os(STARTED).is_none() {
        return;
    }
    let name = "languages/tlc/programs/factorial.tlc";
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(name);
    let text = std::fs::read(&path).expect("a program");
    let image = load(&text, &path.display().to_string()).expect("a right program");
    let options = Options::parse("threshold=3")
        .and_then(Options::with_env)
        .expect("right parameters");
    let machine = Machine::new(options, MAX_DEPTH).expect("a machine");
    let outcome = machine.run(&image, &[20_000], false);
    assert_eq!(outcome.error, None);
}

/// Runs the tool with a command that is this test.
fn explain(args: &[&str]) -> Output {
    let test = std::env::current_exe().expect("a test has a file");
    let mut tool = Command::new(env!("CARGO_BIN_EXE_verdigris"));
    tool.arg("explain").args(args).arg("--").arg(test);
    tool.args(["--exact", "explain::command", "--nocapture"]);
    tool.env(STARTED, "1").output().expect("the tool runs")
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
