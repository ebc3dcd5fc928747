//! The same as the original: in: texts. Out: what they print here and under `lua5.4`. Invariant
//! under test: numbers, conversions, metamethods and messages are what they are there. If the
//! system has no `lua5.4`, only the expectations in `programs` are tested, and this says so.

use crate::common::output;
use std::io::Write;
use std::process::Command;

/// The output of `lua5.4`, and its error behind it.
fn original(text: &str) -> Option<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("test.lua");
    let mut file = std::fs::File::create(&path).expect("a file");
    file.write_all(text.as_bytes()).expect("it can be written");
    let run = Command::new("lua5.4")
        .current_dir(folder.path())
        .arg("test.lua")
        .output()
        .ok()?;
    let mut said = String::from_utf8_lossy(&run.stdout).into_owned();
    let error = String::from_utf8_lossy(&run.stderr);
    if let Some(first) = error.lines().next() {
        said += &format!(
            "error: {}\n",
            first.strip_prefix("lua5.4: ").unwrap_or(first)
        );
    }
    Some(said)
}

#[track_caller]
fn same(text: &str) {
    match original(text) {
        Some(expected) => assert_eq!(output(text), expected, "{text}"),
        None => eprintln!("skipped: there is no lua5.4"),
    }
}

/// Every line is a program of its own.
#[track_caller]
fn all_same(lines: &str) {
    for line in lines.lines().filter(|line| !line.is_empty()) {
        same(line);
    }
}

#[test]
fn numbers() {
    same(include_str!("reference/numbers.lua"));
}

#[test]
fn lists() {
    same(include_str!("reference/lists.lua"));
}

#[test]
fn language() {
    same(include_str!("reference/language.lua"));
}

#[test]
fn order_of_evaluation() {
    let program = include_str!("reference/order.lua");
    assert_eq!(output(program), include_str!("reference/order.expected"));
    same(program);
}

#[test]
fn messages() {
    same(include_str!("reference/messages.lua"));
}

#[test]
fn tables_agree_with_a_slow_model() {
    assert_eq!(output(include_str!("reference/tables.lua")), "ok\n");
}

#[test]
fn uncaught_errors_and_syntax_errors() {
    all_same(include_str!("reference/errors.txt"));
}
