//! What shells and `man` know of the command, and hints for people. In: command lines. Out: text.

use std::process::{Command, Output};

fn tool(args: &[&str]) -> Output {
    let mut tool = Command::new(env!("CARGO_BIN_EXE_verdigris"));
    tool.args(args).output().expect("the tool runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the tool says UTF-8")
}

#[test]
fn every_shell_gets_a_script() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = tool(&["completions", shell]);
        assert!(output.status.success(), "{shell}: {}", text(&output.stderr));
        let script = text(&output.stdout);
        for word in ["explain", "completions", "about"] {
            assert!(script.contains(word), "{shell}: {word} in\n{script}");
        }
    }
    assert!(!tool(&["completions", "cmd"]).status.success());
}

#[test]
fn there_are_manual_pages() {
    let page = text(&tool(&["man"]).stdout);
    assert!(page.contains(".TH verdigris 1"), "{page}");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("man1");
    let output = tool(&["man", &path.display().to_string()]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    for name in ["verdigris.1", "verdigris-explain.1", "verdigris-view.1"] {
        let page = std::fs::read_to_string(path.join(name)).expect("a page");
        assert!(page.contains(".SH SYNOPSIS"), "{name}: {page}");
    }
}

#[test]
fn topics_are_printed() {
    let output = tool(&["explain", "--about", "stores"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).starts_with("Stores\n\nA place of an object"));
    let output = tool(&["explain", "--about", "sotres"]);
    assert!(!output.status.success());
    assert_eq!(
        text(&output.stderr),
        "error: there is no topic `sotres`; did you mean `stores`?\n"
    );
    let output = tool(&["explain", "--about", "nothing like it"]);
    assert!(text(&output.stderr).contains("\n    guards-that-fail\n"));
}
