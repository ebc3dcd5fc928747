//! `verdigris colours` on an interpreter of this repository, and on what is none.

use crate::started::tlc;
use std::process::{Command, Output};

fn colours(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_verdigris"));
    let output = command.arg("colours").args(args).output();
    output.expect("the tool runs")
}

/// The line of marks under the first line with this text, from the text on.
fn marks<'t>(text: &'t str, of: &str) -> &'t str {
    let mut lines = text.lines();
    let line = lines
        .find(|l| l.contains(of))
        .unwrap_or_else(|| panic!("no {of}:\n{text}"));
    let at = line.find(of).expect("just found");
    lines
        .next()
        .and_then(|l| l.get(at..))
        .expect("a line of marks")
        .trim_end()
}

#[test]
fn opcode_and_pc_are_green_and_the_stack_is_red() {
    let path = tlc();
    let output = colours(&[path.to_str().expect("a path")]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.starts_with("src/interp.rs\n"), "{text}");
    assert_eq!(
        marks(&text, "op = fetch(code, at)?"),
        "gg   ggggggggggg ggg"
    );
    assert_eq!(marks(&text, "pc = at.pc"), "gg   ggggg");
    assert_eq!(marks(&text, "at.pc += 1"), "ggggg gg g");
    assert_eq!(
        marks(&text, "top = slots[at.sp - 1].get()"),
        "rrr   rrrrrrggggg g grrrrrrr"
    );
    // What is not reached from the portal is left out.
    assert!(!text.contains("impl Code"), "{text}");
}

#[test]
fn without_colours_the_text_is_plain() {
    let path = tlc();
    let output = colours(&[path.to_str().expect("a path"), "--no-color"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("ggg") && !text.contains('\x1b'), "{text}");
}

#[test]
fn a_root_file_will_do_and_a_page_is_written() {
    let dir = tempfile::tempdir().expect("a directory");
    let page = dir.path().join("tlc.html");
    let root = tlc().join("src/lib.rs");
    let args = [root.to_str(), Some("--html"), page.to_str()].map(|a| a.expect("a path"));
    let output = colours(&args);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(output.stdout.is_empty());
    let page = std::fs::read_to_string(page).expect("a page");
    assert!(page.contains("is red in `merge_point!`"));
}

#[test]
fn mistakes_are_shown_as_the_build_shows_them() {
    let dir = tempfile::tempdir().expect("a directory");
    let root = dir.path().join("main.rs");
    std::fs::write(&root, "fn main() {}\n").expect("written");
    for (path, message) in [
        (root.as_path(), "error[VD0004]"),
        (dir.path(), "is no package"),
    ] {
        let output = colours(&[path.to_str().expect("a path")]);
        assert!(!output.status.success());
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains(message), "{errors}");
    }
}
