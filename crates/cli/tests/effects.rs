//! `verdigris effects` on interpreters of this repository, and on what is none.

use std::path::Path;
use std::process::{Command, Output};

fn effects(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_verdigris"));
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
    let output = command.arg("effects").args(args).output();
    output.expect("the tool runs")
}

fn text(args: &[&str]) -> String {
    let output = effects(args);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The look-up in a dictionary writes nothing, and reads only what dictionaries are made of,
/// whatever else there is in the crate.
#[test]
fn a_lookup_reads() {
    let text = text(&["languages/objmodel", "--only", "dict_get"]);
    assert!(text.starts_with("dict::dict_get (opaque)\n"), "{text}");
    assert!(text.contains("        reads "), "{text}");
    assert!(
        !text.contains("writes") && !text.contains("anything"),
        "{text}"
    );
    let others = ["library::list", "InInstance", "InFrame"];
    assert!(!others.iter().any(|o| text.contains(o)), "{text}");
}

/// Functions of Lua's interpreter that enter it again, change to another coroutine, call hooks or
/// functions of the embedder, read files, or collect.
const ANYTHING: [&str; 13] = [
    "call::native_outside (opaque)",
    "collected::note (opaque)",
    "finalize::look (opaque)",
    "native::collector::call (opaque)",
    "native::coroutine::create (opaque)",
    "native::coroutine::switch_back (opaque)",
    "native::coroutine::switch_to (opaque)",
    "native::embedded::call (opaque)",
    "native::io::call (opaque)",
    "native::outside::call (opaque)",
    "native::outside::guarded (opaque)",
    "native::outside::handle (opaque)",
    "watch::look (opaque)",
];

/// These may do anything, and the others may not.
#[test]
fn only_few_functions_of_lua_may_do_anything() {
    let text = text(&["languages/lua"]);
    let lines: Vec<&str> = text.lines().collect();
    let anything = lines
        .windows(2)
        .filter(|w| !w[0].starts_with(' ') && w[1].contains("may do anything"));
    let names: Vec<&str> = anything.map(|w| w[0]).collect();
    assert!(names.contains(&ANYTHING[0]), "{names:?}");
    let others: Vec<_> = (names.iter().filter(|name| !ANYTHING.contains(name))).collect();
    assert!(others.is_empty(), "{others:?}");
}

/// Who reads that effects count by names is told what to do about it, beside what the tool prints
/// for others.
#[test]
fn what_counts_by_names_can_be_said() {
    let output = effects(&["examples/stackvm"]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("by the names in it"), "{said}");
    let note = String::from_utf8_lossy(&output.stderr);
    assert!(
        note.contains("`#[opaque(reads(..), writes(..))]`"),
        "{note}"
    );
}

#[test]
fn what_is_no_interpreter_is_an_error() {
    let output = effects(&["crates/ops"]);
    assert!(!output.status.success());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("portal"), "{errors}");
}
