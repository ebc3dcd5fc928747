//! `verdigris new`, as a user would use it: languages are made outside of the repository, pass
//! their tests there, and run a program. In: names and templates. Out: folders, messages. Invariant
//! under test: what a template promises holds the moment it is written.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Runs the tool in a folder.
fn new(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_verdigris"));
    let output = command.current_dir(folder).arg("new").args(args).output();
    output.expect("the tool runs")
}

fn refused(folder: &Path, args: &[&str]) -> String {
    let output = new(folder, args);
    assert!(!output.status.success(), "{args:?}");
    String::from_utf8_lossy(&output.stderr).trim().to_string()
}

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the workspace")
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

#[test]
fn bad_names_are_refused() {
    let folder = folder();
    let path = folder.path();
    for (name, why) in [
        ("", "it is made of lower-case letters"),
        ("my lang", "it is made of lower-case letters"),
        ("MyLang", "it is made of lower-case letters"),
        ("../lang", "it is made of lower-case letters"),
        ("9lang", "it is made of lower-case letters"),
        ("größe", "it is made of lower-case letters"),
        ("while", "it is a keyword of Rust"),
        ("test", "the word means something else"),
        ("proc-macro", "the word means something else"),
        (
            "clap",
            "it is the name of a package that the language depends on",
        ),
        (
            "verdigris",
            "it is the name of a package that the language depends on",
        ),
        (
            "verdigris-heap",
            "it is the name of a package that the language depends on",
        ),
    ] {
        let error = refused(path, &[name]);
        let expected = format!("error: `{name}` cannot be the name of a language: {why}");
        assert!(error.starts_with(&expected), "{error}");
    }
    let long = "a".repeat(65);
    assert!(refused(path, &[&long]).contains("longer than 64"));
    assert_eq!(path.read_dir().expect("a folder").count(), 0);
}

#[test]
fn nothing_is_overwritten() {
    let folder = folder();
    std::fs::write(folder.path().join("mylang"), "mine").expect("written");
    let error = refused(folder.path(), &["mylang"]);
    assert_eq!(
        error,
        "error: there is a `mylang` in this folder already; take another name, or go to another folder"
    );
    let kept = std::fs::read_to_string(folder.path().join("mylang"));
    assert_eq!(kept.expect("it is there"), "mine");
}

#[test]
fn a_folder_that_is_no_checkout_is_refused() {
    let folder = folder();
    let error = refused(folder.path(), &["mylang", "--path", "."]);
    assert_eq!(
        error,
        "error: . is no checkout of Verdigris: there are no crates/verdigris and crates/build in it"
    );
    assert!(!folder.path().join("mylang").exists());
}

#[test]
fn the_manifest_names_the_checkout() {
    let folder = folder();
    let root = root();
    // With and without `--path`: this tool was built in a checkout, which is still there.
    for (name, path) in [("one", None), ("two", root.to_str())] {
        let mut args = vec![name];
        args.extend(path.iter().flat_map(|path| ["--path", path]));
        let output = new(folder.path(), &args);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{output:?}");
        let checkout = format!("the checkout of Verdigris in {}", root.display());
        assert!(said.contains(&checkout), "{said}");
        let manifest = std::fs::read_to_string(folder.path().join(name).join("Cargo.toml"));
        let manifest = manifest.expect("a manifest");
        let line = format!(
            "verdigris-jit = {{ path = {:?} }}",
            root.join("crates/verdigris")
        );
        assert!(manifest.contains(&line), "{manifest}");
        assert!(
            manifest.contains(&format!("name = \"{name}\"")),
            "{manifest}"
        );
    }
}

/// Cargo in a folder. All languages share what is built of Verdigris, which is not optimised:
/// building takes longer here than running. The names differ, since to cargo packages of one name,
/// each in a workspace of its own, are one. What it says on standard output, and on standard error.
fn cargo(folder: &Path, args: &[&str]) -> (String, String) {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("languages");
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(folder).arg("--offline");
    command.args(["--config", "profile.dev.opt-level=0"]);
    command.args(["--config", "profile.dev.build-override.opt-level=0"]);
    command.args(args);
    command.env("CARGO_TARGET_DIR", target);
    command.envs([("CARGO_INCREMENTAL", "0"), ("CARGO_PROFILE_DEV_DEBUG", "0")]);
    command.env("FUZZ_PROGRAMS", "10");
    let output = command.output().expect("cargo starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "cargo {args:?}:\n{said}{errors}");
    assert!(!errors.contains("warning"), "{errors}");
    (said.into_owned(), errors.into_owned())
}

/// One test, since cargo would build one language after the other anyway.
#[test]
fn new_languages_pass_their_tests() {
    let folder = folder();
    for (name, template, program, expected, tests) in [
        ("plain-lang", "minimal", "sum", "199999990000000\n", 9),
        ("dyn_lang", "dynamic", "closures", "5500000\n", 17),
        ("objlang", "objects", "receivers", "9500000\n", 25),
    ] {
        let output = new(folder.path(), &[name, "--template", template]);
        assert!(output.status.success(), "{output:?}");
        let language = folder.path().join(name);
        // Nothing that this workspace does not have is downloaded.
        std::fs::copy(root().join("Cargo.lock"), language.join("Cargo.lock")).expect("copied");
        let (said, _) = cargo(&language, &["test"]);
        let passed = said.lines().filter(|line| line.ends_with("... ok"));
        assert_eq!(passed.count(), tests, "{said}");
        cargo(&language, &["build", "--benches"]);
        let program = format!("programs/{program}.{name}");
        let (said, explained) = cargo(&language, &["run", "--", &program, "--explain"]);
        assert_eq!(said, expected);
        // Findings name the file and the line.
        assert!(explained.contains(&format!("{program}:")), "{explained}");
        cargo(&language, &["fmt", "--check"]);
    }
}
