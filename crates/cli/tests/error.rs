//! `verdigris error`, as a user would use it. In: codes. Out: pages, lists, messages. Invariant
//! under test: what the note of a message names is printed.

use expect_test::{Expect, expect};
use std::process::{Command, Output};

fn error(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_verdigris"));
    let output = command.arg("error").args(args).output();
    output.expect("the tool runs")
}

fn shown(args: &[&str]) -> String {
    let output = error(args);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("a text")
}

fn refused(word: &str, expected: Expect) {
    let output = error(&[word]);
    assert!(!output.status.success(), "{output:?}");
    assert_eq!(output.stdout, b"");
    expected.assert_eq(&String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_code_has_its_page() {
    let page = shown(&["VD0034"]);
    assert!(page.starts_with("# VD0034: a function with a loop\n"));
    assert!(page.contains("\n## The way out\n"));
    assert_eq!(shown(&["34"]), page);
}

#[test]
fn all_codes_are_listed() {
    let list = shown(&[]);
    assert!(list.contains("\nVD0034  a function with a loop\n"));
    for (number, line) in list.lines().enumerate() {
        assert!(line.starts_with(&format!("VD{number:04}  ")), "{line}");
    }
}

#[test]
fn other_words_lead_to_codes_that_are_near() {
    refused(
        "VD0099",
        expect![[r#"
        error: there is no error `VD0099`: the codes are VD0000 to VD0072, and these are near
        VD0009  `merge_point!` is written wrongly
        VD0019  a type that is not known here
        VD0029  a `Cell`, `Quasi` or `Virtualizable` used as if it were its content
        VD0039  a constant that cannot be computed
        VD0049  a call of something that is not a function
        VD0059  a value cannot be part of a message
        VD0069  a reference where the collector does not look
    "#]],
    );
    refused(
        "VD0304",
        expect![[r#"
        error: there is no error `VD0304`: the codes are VD0000 to VD0072, and these are near
        VD0004  the crate has no `#[portal]` function
        VD0034  a function with a loop
    "#]],
    );
    refused(
        "loop",
        expect![[r#"
        error: there is no error `loop`: the codes are VD0000 to VD0072, and these are near
        VD0007  `merge_point!` is not the first statement of a loop in the portal
        VD0011  `can_enter_jit!` outside of the portal's loop
        VD0034  a function with a loop
        VD0043  `break` or `continue` that has no loop to act on
        VD0062  a function marked `#[readonly]` or `#[loop_invariant]` writes to the heap
    "#]],
    );
    refused(
        "tracing",
        expect![[r#"
        error: there is no error `tracing`: the codes are VD0000 to VD0072; `verdigris error` lists them
    "#]],
    );
    refused(
        "E0308",
        expect![[r#"
        error: there is no error `E0308`: the codes are VD0000 to VD0072; `rustc --explain E0308` explains it
    "#]],
    );
}
