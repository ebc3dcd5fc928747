//! The packages of the workspace. In: the text that `cargo metadata` prints. Out: packages with
//! their folders, test targets, and the packages that they depend on. Invariant: dependencies
//! outside of the workspace are left out.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

/// A test target of a package.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Suite {
    /// The tests among the sources of the library.
    Lib,
    /// A file or folder of `tests`.
    Test(String),
    /// The tests among the sources of a command.
    Bin(String),
    /// The examples in the documentation.
    Doc,
}

impl Suite {
    /// How cargo is told to run it.
    pub fn arguments(&self) -> Vec<&str> {
        match self {
            Suite::Lib => vec!["--lib"],
            Suite::Test(name) => vec!["--test", name],
            Suite::Bin(name) => vec!["--bin", name],
            Suite::Doc => vec!["--doc"],
        }
    }
}

impl fmt::Display for Suite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Suite::Lib => f.write_str("lib"),
            Suite::Test(name) => f.write_str(name),
            Suite::Bin(name) => write!(f, "bin:{name}"),
            Suite::Doc => f.write_str("doc"),
        }
    }
}

/// A package of the workspace.
#[derive(Clone, Debug)]
pub struct Package {
    /// Its name.
    pub name: String,
    /// Its folder, relative to the root.
    pub folder: PathBuf,
    /// Its test targets.
    pub suites: Vec<Suite>,
    /// The packages without which it cannot be built.
    pub needs: Vec<String>,
    /// The packages that its tests need beside those.
    pub tests_need: Vec<String>,
}

/// All packages, by name.
#[derive(Clone, Default, Debug)]
pub struct Workspace {
    /// The packages.
    pub packages: BTreeMap<String, Package>,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<RawPackage>,
    workspace_root: PathBuf,
}

#[derive(Deserialize)]
struct RawPackage {
    name: String,
    manifest_path: PathBuf,
    dependencies: Vec<RawDependency>,
    targets: Vec<RawTarget>,
}

#[derive(Deserialize)]
struct RawDependency {
    name: String,
    kind: Option<String>,
    path: Option<PathBuf>,
}

#[derive(Deserialize)]
struct RawTarget {
    name: String,
    kind: Vec<String>,
    test: bool,
    doctest: bool,
}

impl Workspace {
    /// Reads what `cargo metadata --no-deps` prints.
    ///
    /// # Errors
    /// If the text is something else.
    pub fn parse(json: &str) -> Result<Workspace, String> {
        let metadata: Metadata = serde_json::from_str(json).map_err(|error| error.to_string())?;
        let mut packages = BTreeMap::new();
        for raw in metadata.packages {
            let folder = raw.manifest_path.parent().unwrap_or(Path::new(""));
            let folder = folder.strip_prefix(&metadata.workspace_root);
            let folder = folder.map_err(|_| format!("{} is outside of the workspace", raw.name))?;
            let inside = |dev: bool| {
                let of = raw.dependencies.iter().filter(|d| d.path.is_some());
                let of = of.filter(|d| (d.kind.as_deref() == Some("dev")) == dev);
                of.map(|d| d.name.clone()).collect::<Vec<_>>()
            };
            let package = Package {
                folder: folder.to_path_buf(),
                suites: raw.targets.iter().flat_map(suites).collect(),
                needs: inside(false),
                tests_need: inside(true),
                name: raw.name,
            };
            packages.insert(package.name.clone(), package);
        }
        Ok(Workspace { packages })
    }

    /// The package in whose folder a file is; the innermost one.
    pub fn owner(&self, file: &Path) -> Option<&Package> {
        let owners = self.packages.values();
        let owners = owners.filter(|package| file.starts_with(&package.folder));
        owners.max_by_key(|package| package.folder.components().count())
    }

    /// How far each package is from some that have changed: 0 for these, and 1 more for each step
    /// to a package that depends on the last one. What depends on a package for its tests alone
    /// hands nothing on.
    pub fn distances<'a>(&'a self, changed: &[&'a str]) -> BTreeMap<&'a str, usize> {
        let mut distances = BTreeMap::new();
        let mut built: Vec<&'a str> = changed.to_vec();
        distances.extend(built.iter().map(|&name| (name, 0)));
        for distance in 1.. {
            let mut next = Vec::new();
            for package in self.packages.values() {
                let on = |list: &[String]| list.iter().any(|name| built.contains(&name.as_str()));
                if on(&package.needs) && !changed.contains(&package.name.as_str()) {
                    next.push(package.name.as_str());
                }
                if on(&package.needs) || on(&package.tests_need) {
                    distances.entry(package.name.as_str()).or_insert(distance);
                }
            }
            // Cargo sees to it that packages do not need each other to be built.
            if next.is_empty() {
                break;
            }
            built = next;
        }
        distances
    }
}

/// The test targets that a target of cargo's is.
fn suites(target: &RawTarget) -> Vec<Suite> {
    let is = |kind: &str| target.kind.iter().any(|k| k == kind);
    let mut suites = Vec::new();
    match () {
        () if !target.test => {}
        () if is("test") => suites.push(Suite::Test(target.name.clone())),
        () if is("bin") => suites.push(Suite::Bin(target.name.clone())),
        () if is("lib") || is("proc-macro") => suites.push(Suite::Lib),
        () => {}
    }
    if target.doctest && (is("lib") || is("proc-macro")) {
        suites.push(Suite::Doc);
    }
    suites
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// `base` is needed by `middle` and `fuzz`, `middle` by `top`, and that by `conformance`; the
    /// tests of `side` need `base`, and `after` needs `side`.
    pub(crate) fn example() -> Workspace {
        let package = |name: &str, needs: &str, tests_need: &str| {
            let depend = |names: &str, kind: &str| {
                let names = names.split_whitespace();
                let one =
                    |n: &str| format!(r#"{{"name": "{n}", "kind": {kind}, "path": "/w/{n}"}}"#);
                names.map(one).collect::<Vec<_>>()
            };
            let mut all = depend(needs, "null");
            all.extend(depend(tests_need, "\"dev\""));
            all.push(r#"{"name": "serde", "kind": null, "path": null}"#.to_string());
            format!(
                r#"{{"name": "{name}", "manifest_path": "/w/{name}/Cargo.toml", "dependencies": [{}], "targets": [
                    {{"name": "{name}", "kind": ["lib"], "test": true, "doctest": false}},
                    {{"name": "agree", "kind": ["test"], "test": true, "doctest": false}},
                    {{"name": "build-script-build", "kind": ["custom-build"], "test": false, "doctest": false}}
                ]}}"#,
                all.join(", ")
            )
        };
        let packages = [
            package("base", "", ""),
            package("middle", "base", ""),
            package("top", "middle", ""),
            package("side", "", "base"),
            package("after", "side", ""),
            package("conformance", "top", ""),
            package("fuzz", "base", ""),
        ];
        let packages = packages.join(", ");
        let json = format!(r#"{{"workspace_root": "/w", "packages": [{packages}]}}"#);
        Workspace::parse(&json).expect("metadata")
    }

    #[test]
    fn packages_have_folders_suites_and_needs() {
        let workspace = example();
        let middle = &workspace.packages["middle"];
        assert_eq!(middle.folder, Path::new("middle"));
        assert_eq!(middle.needs, ["base"]);
        assert_eq!(
            middle.suites,
            [Suite::Lib, Suite::Test("agree".to_string())]
        );
        assert_eq!(workspace.packages["side"].tests_need, ["base"]);
        let owner = workspace.owner(Path::new("top/src/lib.rs"));
        assert_eq!(owner.expect("a package").name, "top");
        assert!(
            workspace
                .owner(Path::new("docs/book/src/reference/frame.md"))
                .is_none()
        );
    }

    #[test]
    fn tests_alone_hand_nothing_on() {
        let workspace = example();
        let distances = workspace.distances(&["base"]);
        let expected = [
            ("base", 0),
            ("conformance", 3),
            ("fuzz", 1),
            ("middle", 1),
            ("side", 1),
            ("top", 2),
        ];
        assert_eq!(distances, BTreeMap::from(expected));
        let of_top = [("conformance", 1), ("top", 0)];
        assert_eq!(workspace.distances(&["top"]), BTreeMap::from(of_top));
    }

    #[test]
    fn what_is_not_metadata_is_an_error() {
        assert!(Workspace::parse("{}").is_err());
    }
}
