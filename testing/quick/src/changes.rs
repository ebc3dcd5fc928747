//! Changed files. In: git's answer for a commit, one file a line. Out: for each file, what its
//! change can break: a package and all that depends on it, or one test target. Invariant: a file of
//! which nothing is known counts for the documents' test alone, which is always among what is run.

use crate::workspace::{Suite, Workspace};
use std::path::Path;
use std::process::Command;

/// The packages that a change can break.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Change {
    /// A package, and what depends on it.
    Package(String),
    /// The tests of a package, and nothing else.
    Tests(String),
    /// One test target of a package.
    One(String, Suite),
    /// Everything: manifests of the workspace.
    Everything,
}

/// Files that only one test reads: how their paths begin, its package, and its target.
const READ_BY: &[(&str, &str, &str)] = &[
    ("crates/front/errors/", "verdigris-build", "tests"),
    (
        "docs/book/src/reference/parameters.md",
        "verdigris-engine",
        "lib",
    ),
    ("docs/book/src/", "book", "book"),
];

/// The target of a package whose files of tests are modules of one program.
const ALL_IN_ONE: &str = "tests";

/// The tests that read all files: documents, headings of sources, `unsafe`.
pub const OVERVIEW: (&str, &str) = ("structure", "structure");

/// The files that differ from a commit, with those that git does not know yet; relative to the
/// root.
///
/// # Errors
/// Git's message, such as that there is no such commit.
pub fn changed_files(root: &Path, base: &str) -> Result<Vec<String>, String> {
    // What has happened to the base since is no change of ours.
    let since = git(root, &["merge-base", base, "HEAD"])?;
    let mut files = git(root, &["diff", "--name-only", since.trim()])?;
    files += &git(root, &["ls-files", "--others", "--exclude-standard"])?;
    let mut files: Vec<String> = files.lines().map(str::to_string).collect();
    files.sort();
    files.dedup();
    Ok(files)
}

fn git(root: &Path, arguments: &[&str]) -> Result<String, String> {
    let output = Command::new("git")
        .current_dir(root)
        .args(arguments)
        .output();
    let output = output.map_err(|error| format!("git: {error}"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(String::from_utf8_lossy(&output.stderr).trim().to_string()),
    }
}

impl Change {
    /// The packages that changes of these files can break, each once.
    pub fn of(workspace: &Workspace, files: &[String]) -> Vec<Change> {
        let mut changes: Vec<Change> = files.iter().filter_map(|f| one(workspace, f)).collect();
        changes.sort();
        changes.dedup();
        changes
    }
}

fn one(workspace: &Workspace, file: &str) -> Option<Change> {
    if file == "Cargo.toml" || file == "Cargo.lock" {
        return Some(Change::Everything);
    }
    if let Some(&(_, package, suite)) = READ_BY.iter().find(|row| file.starts_with(row.0)) {
        let suite = match suite {
            "lib" => Suite::Lib,
            name => Suite::Test(name.to_string()),
        };
        return Some(Change::One(package.to_string(), suite));
    }
    let package = workspace.owner(Path::new(file))?;
    let inside = Path::new(file).strip_prefix(&package.folder).ok()?;
    if inside.extension().is_some_and(|ending| ending == "md") {
        return None;
    }
    let name = package.name.clone();
    let Ok(test) = inside.strip_prefix("tests") else {
        return Some(Change::Package(name));
    };
    // `tests/agree.rs`, or a file in `tests/agree`. Other files are modules of `tests/main.rs`, if
    // the package has one; else, as `tests/common`, they belong to all targets.
    let target = test.components().next()?.as_os_str().to_string_lossy();
    let suites = [target.trim_end_matches(".rs"), ALL_IN_ONE];
    let mut suites = suites.map(|name| Suite::Test(name.to_string())).into_iter();
    Some(match suites.find(|suite| package.suites.contains(suite)) {
        Some(suite) => Change::One(name, suite),
        None => Change::Tests(name),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::tests::example;

    fn of(files: &[&str]) -> Vec<Change> {
        let files: Vec<String> = files.iter().map(|f| f.to_string()).collect();
        Change::of(&example(), &files)
    }

    #[test]
    fn files_count_for_what_reads_them() {
        let agree = Suite::Test("agree".to_string());
        assert_eq!(
            of(&["base/src/lib.rs", "base/build.rs"]),
            [Change::Package("base".to_string())]
        );
        assert_eq!(
            of(&["base/tests/agree.rs", "base/tests/agree/more.rs"]),
            [Change::One("base".to_string(), agree)]
        );
        assert_eq!(
            of(&["base/tests/common/mod.rs"]),
            [Change::Tests("base".to_string())]
        );
        assert_eq!(
            of(&["crates/front/errors/VD0001.md"]),
            [Change::One(
                "verdigris-build".to_string(),
                Suite::Test("tests".to_string())
            )]
        );
        assert_eq!(of(&["Cargo.lock"]), [Change::Everything]);
        assert_eq!(of(&["README.md", "base/README.md", ".ci/run"]), []);
    }

    #[test]
    fn an_unknown_commit_is_an_error() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert!(changed_files(root, "no-such-commit").is_err());
    }
}
