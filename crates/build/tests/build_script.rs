//! `translate` as a build script calls it: the files it writes, what it tells cargo, and how it fails.
//!
//! The test starts its own executable as the build script, since `translate` ends the process on mistakes.

use expect_test::{Expect, expect};
use std::path::Path;
use std::process::{Command, Output};
use verdigris_jitcode::{Unit, verify};

/// Set in the process that plays the build script.
const PLAY: &str = "VERDIGRIS_TEST_BUILD_SCRIPT";

#[test]
fn build_script() {
    if std::env::var_os(PLAY).is_some() {
        verdigris_build::translate("src/main.rs");
    }
}

fn run(package: &Path) -> Output {
    let program = std::env::current_exe().expect("has a path");
    Command::new(program)
        .args(["--exact", "build_script", "--nocapture"])
        .current_dir(package)
        .env(PLAY, "1")
        .env("OUT_DIR", package)
        .output()
        .expect("starts")
}

fn package(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a directory");
    std::fs::create_dir(dir.path().join("src")).expect("created");
    std::fs::write(dir.path().join("Cargo.toml"), "").expect("written");
    for (path, text) in files {
        std::fs::write(dir.path().join(path), text).expect("written");
    }
    dir
}

const MAIN: &str = "
use verdigris::prelude::*;
mod heap;
use heap::Node;
verdigris::include_jit!();
#[elidable]
fn limit(of: i64) -> i64 { of }
#[portal]
fn run(mut node: Gc<Node>, items: GcArray<Cell<i64>>) -> i64 {
    let mut at: usize = 0;
    loop {
        merge_point!(greens = [at], reds = [node, items]);
        match node.next.get() {
            None => return limit(items[at].get()),
            Some(next) => node = next,
        }
        at += 1;
        can_enter_jit!();
    }
}
fn main() {}
";

const HEAP: &str = "
use verdigris::prelude::*;
#[gc]
pub struct Node { pub next: Cell<Option<Gc<Node>>> }
";

#[test]
fn files_are_written_and_cargo_is_told() {
    let dir = package(&[("src/main.rs", MAIN), ("src/heap.rs", HEAP)]);
    let output = run(dir.path());
    let stdout = String::from_utf8(output.stdout).expect("is text");
    let stderr = String::from_utf8(output.stderr).expect("is text");
    assert!(output.status.success(), "{stderr}");
    let mut told: Vec<&str> = stdout.lines().filter(|l| l.starts_with("cargo")).collect();
    told.sort_unstable();
    told.dedup();
    expect![[r#"
        cargo::rerun-if-changed=src/heap.rs
        cargo::rerun-if-changed=src/main.rs"#]]
    .assert_eq(&told.join("\n"));
    let read = |name: &str| std::fs::read(dir.path().join(name)).expect("was written");
    let text = |name: &str| String::from_utf8(read(name)).expect("is text");
    expect![[r#"
        // Written by verdigris-build from src/main.rs src/heap.rs.

        /// The interpreter as the JIT sees it.
        pub fn program() -> ::verdigris::rt::Program {
            ::verdigris::rt::Program {
                unit: ::core::include_bytes!(::core::concat!(::core::env!("OUT_DIR"), "/verdigris.unit")),
                graphs: ::core::include_str!(::core::concat!(::core::env!("OUT_DIR"), "/verdigris.graph")),
                classes: &[
                    crate::heap::__vd_class_Node,
                    ::verdigris::rt::array_class::<::verdigris::Cell<i64>, ()>,
                ],
                fns: &[
                    crate::__vd_fn_limit,
                ],
            }
        }
    "#]].assert_eq(&text("verdigris.rs"));
    let unit = Unit::from_bytes(&read("verdigris.unit")).expect("deserialises");
    verify(&unit).expect("verifies");
    let graphs = verdigris_graph::parse(&text("verdigris.graph")).expect("parses");
    assert_eq!(graphs.descrs, unit.descrs);
    assert_eq!(graphs.graphs.len(), unit.codes.len());
}

fn fails(main: &str, expect: Expect) {
    let dir = package(&[("src/main.rs", main), ("src/heap.rs", HEAP)]);
    let output = run(dir.path());
    let stderr = String::from_utf8(output.stderr).expect("is text");
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(!dir.path().join("verdigris.unit").exists());
    expect.assert_eq(&stderr);
}

#[test]
fn mistakes_end_the_build_with_diagnostics() {
    fails(
        &MAIN.replace("[node, items]", "[node]"),
        expect![[r#"
        error[VD0051]: variable `items` is used after `merge_point!` but is neither green nor red
          --> src/main.rs:12:9
           |
        12 |         merge_point!(greens = [at], reds = [node]);
           |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
        13 |         match node.next.get() {
        14 |             None => return limit(items[at].get()),
           |                                  ----- needed here
           |
           = help: add it to `greens` if it is part of the position in the guest program, otherwise to `reds`

        verdigris: 1 mistake, the interpreter has no JIT
    "#]],
    );
    fails(
        &MAIN.replace("mod heap;", "mod heap;\nmod missing;"),
        expect![[r#"
            error[VD0003]: cannot read the file of module `missing`
             --> src/main.rs:4:5
              |
            4 | mod missing;
              |     ^^^^^^^
              |
              = help: the module should be in `src/missing.rs` or `src/missing/mod.rs`

            verdigris: 1 mistake, the interpreter has no JIT
        "#]],
    );
}
