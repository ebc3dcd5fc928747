//! `translate` as a build script calls it: the files it writes, what it tells cargo, and what rustc
//! then shows.
//!
//! The test starts its own executable as the build script, since `translate` reads the environment.

use expect_test::expect;
use std::path::{Path, PathBuf};
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
        .args(["--exact", "build_script::build_script", "--nocapture"])
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
            ::verdigris::rt::ProgramParts {
                unit: ::core::include_bytes!(::core::concat!(::core::env!("OUT_DIR"), "/verdigris.unit")),
                graphs: ::core::include_str!(::core::concat!(::core::env!("OUT_DIR"), "/verdigris.graph")),
                portal: &crate::__vd_portal_run,
                red_dispatch: "",
                classes: &[
                    crate::heap::__vd_class_Node,
                    ::verdigris::rt::array_class::<::verdigris::Cell<i64>, ()>,
                ],
                fns: &[
                    crate::__vd_fn_limit,
                ],
                types: &[
                    (crate::heap::__vd_text_Node, "struct Node{next:Cell<Option<Gc<Node>>>}"),
                ],
                places: &[
                    ("heap::Node.next", "src/heap.rs:4"),
                    ("limit", "src/main.rs:7"),
                ],
                advice: &[
                ],
            }
            .program()
        }
    "#]].assert_eq(&text("verdigris.rs"));
    let unit = Unit::from_bytes(&read("verdigris.unit")).expect("deserialises");
    verify(&unit).expect("verifies");
    let graphs = verdigris_graph::parse(&text("verdigris.graph")).expect("parses");
    assert_eq!(graphs.descrs, unit.descrs);
    assert_eq!(graphs.graphs.len(), unit.codes.len());
}

/// Runs the build script on sources with mistakes; answers what it leaves for the macros, without
/// the folder's name.
fn mistakes_of(dir: &Path) -> String {
    let output = run(dir);
    let stderr = String::from_utf8(output.stderr).expect("is text");
    assert!(output.status.success(), "{stderr}");
    assert!(!dir.join("verdigris.unit").exists());
    let stub = std::fs::read_to_string(dir.join("verdigris.rs")).expect("was written");
    assert!(stub.contains("pub fn program()"));
    let text = std::fs::read_to_string(dir.join("verdigris.mistakes")).expect("was written");
    let root = dir.canonicalize().expect("exists");
    text.replace(root.to_str().expect("is text"), "ROOT")
        .replace('\t', "|")
}

#[test]
fn mistakes_are_left_to_the_macros() {
    let main = MAIN.replace("[node, items]", "[node]");
    let dir = package(&[("src/main.rs", &main), ("src/heap.rs", HEAP)]);
    expect![[r#"
        ROOT/src/main.rs|8|0|12|8|12|50|VD0051: variable `items` is used after `merge_point!` but is neither green nor red\nneeded here: src/main.rs:14:34\nhelp: add it to `greens` if it is part of the position in the guest program, otherwise to `reds`\nnote: `verdigris error VD0051` says more
        |0|0|0|0|0|0|verdigris: 1 mistake, the interpreter has no JIT
    "#]].assert_eq(&mistakes_of(dir.path()));
    let main = MAIN.replace("mod heap;", "mod heap;\nmod missing;");
    std::fs::write(dir.path().join("src/main.rs"), main).expect("written");
    expect![[r#"
        |0|0|0|0|0|0|VD0003: cannot read the file of module `missing`\n --> src/main.rs:4:5\n  |\n4 | mod missing;\n  |     ^^^^^^^\n  |\n  = help: the module should be in `src/missing.rs` or `src/missing/mod.rs`\n  = note: `verdigris error VD0003` says more
        |0|0|0|0|0|0|verdigris: 1 mistake, the interpreter has no JIT
    "#]]
    .assert_eq(&mistakes_of(dir.path()));
    // Without mistakes nothing is left of them.
    std::fs::write(dir.path().join("src/main.rs"), MAIN).expect("written");
    assert!(run(dir.path()).status.success());
    assert!(!dir.path().join("verdigris.mistakes").exists());
    assert!(dir.path().join("verdigris.unit").exists());
}

/// The stand-in for the crate `verdigris`: the macros, and no heap.
const FACADE: &str = "
pub mod prelude {
    pub use verdigris_macros::*;
    pub struct Gc<T>(pub T);
    pub struct GcArray<T>(pub T);
    pub struct Cell<T>(pub T);
}
#[macro_export]
macro_rules! include_jit {
    () => { verdigris_macros::mistakes!(); };
}
";

/// The library with the macros that this test was built with.
fn macros() -> PathBuf {
    let deps = std::env::current_exe().expect("has a path");
    let deps = deps.parent().expect("lies in a folder");
    let ours = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.contains("verdigris_macros-") && name.ends_with(std::env::consts::DLL_SUFFIX)
    };
    let entries = std::fs::read_dir(deps).expect("can be read");
    let paths = entries.map(|e| e.expect("can be read").path());
    let age = |path: &PathBuf| std::fs::metadata(path).and_then(|m| m.modified()).ok();
    paths.filter(ours).max_by_key(age).expect("is a dependency")
}

/// The errors that rustc shows for a package whose build script has run, in short form: ours, and
/// those about glue in its main file, which cannot find the heap.
fn shown(dir: &Path) -> Vec<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let compile = |file: &str, name: &str, kind: &str| {
        let library = macros();
        let deps = library.parent().expect("lies in a folder");
        let macros = format!("verdigris_macros={}", library.display());
        let mut command = Command::new(&rustc);
        command.args(["--edition=2024", "--error-format=short", "--emit=metadata"]);
        command.args([
            "--crate-name",
            name,
            "--crate-type",
            kind,
            "--extern",
            &macros,
            file,
        ]);
        command
            .arg("-L")
            .arg(format!("dependency={}", deps.display()));
        command.env("OUT_DIR", dir).current_dir(dir);
        command
    };
    std::fs::write(dir.join("facade.rs"), FACADE).expect("written");
    let facade = compile("facade.rs", "verdigris", "lib")
        .output()
        .expect("starts");
    assert!(
        facade.status.success(),
        "{}",
        String::from_utf8_lossy(&facade.stderr)
    );
    let mut command = compile("src/main.rs", "play", "bin");
    let output = command
        .args(["--extern", "verdigris=libverdigris.rmeta"])
        .output()
        .expect("starts");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let of_glue = |l: &str| l.starts_with("src/main.rs") && l.contains("`rt`");
    let lines = stderr
        .lines()
        .filter(|l| l.contains("error: VD") || l.contains("verdigris: ") || of_glue(l));
    lines.map(str::to_owned).collect()
}

#[test]
fn the_compiler_shows_mistakes_at_their_tokens() {
    let main = MAIN
        .replace(
            "return limit(items[at].get())",
            "return limit(sum(items[at].get()))",
        )
        .replace("at += 1;", "let é = 1; at += std::hint::black_box(é);")
        .replace(
            "fn main",
            "fn sum(n: i64) -> i64 { let mut i = 0; while i < n { i += 1; } i }\nfn main",
        );
    let heap = HEAP.replace("pub next", "pub name: String, pub next");
    let dir = package(&[("src/main.rs", &main), ("src/heap.rs", &heap)]);
    assert!(run(dir.path()).status.success());
    expect![[r#"
        src/heap.rs:4:29: error: VD0013: type `String` cannot be used in traced code
        src/main.rs:5:1: error: VD0034: function `sum` has a loop; it cannot be inlined into a trace
        src/main.rs:5:1: error: verdigris: 3 mistakes, the interpreter has no JIT
        src/main.rs:17:26: error: VD0025: call to `std::hint::black_box`, whose source is not a part of this crate
    "#]]
    .assert_eq(&(shown(dir.path()).join("\n") + "\n"));
    std::fs::write(dir.path().join("src/main.rs"), MAIN).expect("written");
    std::fs::write(dir.path().join("src/heap.rs"), HEAP).expect("written");
    assert!(run(dir.path()).status.success());
    // Without mistakes there is glue.
    let shown = shown(dir.path());
    assert!(!shown.is_empty());
    assert!(shown.iter().all(|l| l.contains("`rt`")), "{shown:?}");
}

#[test]
fn advice_is_a_line_for_cargo_and_no_failure() {
    let main = MAIN.replace("at += 1;", "at += items.len();");
    let dir = package(&[("src/main.rs", &main), ("src/heap.rs", HEAP)]);
    let output = run(dir.path());
    let stdout = String::from_utf8(output.stdout).expect("is text");
    let stderr = String::from_utf8(output.stderr).expect("is text");
    assert!(output.status.success(), "{stderr}");
    let line = "cargo::warning=src/main.rs:12:32: the green `at` changes with red values";
    assert!(stdout.contains(line), "{stdout}");
    assert!(
        stderr.contains("`items` is red in `merge_point!`"),
        "{stderr}"
    );
    assert!(dir.path().join("verdigris.unit").is_file());
}
