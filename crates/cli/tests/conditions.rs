//! Conditions of a crate's own, which no build script tells the tool.

use std::process::{Command, Output};

/// What calls depends on a condition.
const SOURCE: &str = r#"
use verdigris::prelude::*;
verdigris::include_jit!();

#[opaque]
fn narrow(n: i64) -> i64 { n }

#[opaque]
fn wide(n: i64) -> i64 { n }

#[portal]
fn run(code: i64, mut n: i64) -> i64 {
    loop {
        merge_point!(greens = [code], reds = [n]);
        #[cfg(words = "64")]
        let next = wide(n);
        #[cfg(not(words = "64"))]
        let next = narrow(n);
        if next == 0 {
            return n;
        }
        n = next;
        can_enter_jit!();
    }
}
"#;

fn effects(conditions: &[&str]) -> Output {
    let dir = tempfile::tempdir().expect("a directory");
    let root = dir.path().join("main.rs");
    std::fs::write(&root, SOURCE).expect("written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_verdigris"));
    command.arg("effects").arg(&root);
    for condition in conditions {
        command.args(["--cfg", condition]);
    }
    command.output().expect("the tool runs")
}

fn called(conditions: &[&str]) -> String {
    let output = effects(conditions);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let text = String::from_utf8_lossy(&output.stdout);
    let name = text.split_whitespace().next();
    name.expect("a function is called").to_owned()
}

#[test]
fn what_is_called_is_what_the_conditions_say() {
    assert_eq!(called(&[]), "narrow");
    assert_eq!(called(&["words=32"]), "narrow");
    assert_eq!(called(&["words=\"64\""]), "wide");
    assert_eq!(called(&["words=32", "words=64"]), "wide");
    assert_eq!(called(&["words="]), "narrow");
}

#[test]
fn others_must_be_said_too() {
    let errors = |conditions: &[&str]| {
        let output = effects(conditions);
        assert!(!output.status.success());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(errors(&["small"]).contains("error[VD0068]"));
    assert!(errors(&["6=x"]).contains("`6` is no name"));
}
