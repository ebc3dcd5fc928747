//! The packages as crates.io would get them. In: what cargo knows of the manifests. Out: whether
//! all that is to be published can be, and nothing else. Invariant under test: what lies in
//! `crates` is published, in one version, and needs nothing that is not.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use structure::repository::root;

/// What cargo says.
fn cargo(args: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO"));
    let output = command.current_dir(root()).args(args).output();
    let output = output.expect("cargo starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo {args:?}:\n{errors}");
    String::from_utf8(output.stdout).expect("a text")
}

/// All packages, by their folders.
fn packages() -> BTreeMap<String, Value> {
    let text = cargo(&["metadata", "--no-deps", "--offline", "--format-version=1"]);
    let metadata: Value = serde_json::from_str(&text).expect("JSON");
    let packages = metadata["packages"].as_array().expect("packages").clone();
    let folder = |package: &Value| {
        let manifest = Path::new(text_of(&package["manifest_path"])).to_owned();
        let folder = manifest.parent().expect("a folder");
        let folder = folder.strip_prefix(root()).expect("in the workspace");
        folder.display().to_string()
    };
    packages.into_iter().map(|p| (folder(&p), p)).collect()
}

fn text_of(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn items(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], |items| items)
}

/// The names of the packages that are published.
fn published() -> BTreeSet<String> {
    let packages = packages().into_values().filter(|p| p["publish"].is_null());
    packages.map(|p| text_of(&p["name"]).to_string()).collect()
}

#[test]
fn crates_are_published_and_nothing_else() {
    let mut versions = BTreeSet::new();
    for (folder, package) in packages() {
        let name = text_of(&package["name"]);
        let Some(krate) = folder.strip_prefix("crates/") else {
            let kept = package["publish"].is_array() && items(&package["publish"]).is_empty();
            assert!(kept, "{folder}: `publish = false` is missing");
            continue;
        };
        assert!(package["publish"].is_null(), "{folder} is to be published");
        // `verdigris` is another package on crates.io.
        let expected = match krate {
            "verdigris" => "verdigris-jit".to_string(),
            _ => format!("verdigris-{krate}"),
        };
        assert_eq!(name, expected);
        for field in ["description", "license", "readme"] {
            assert_ne!(text_of(&package[field]), "", "{name} has no {field}");
        }
        for field in ["keywords", "categories"] {
            assert!(!items(&package[field]).is_empty(), "{name} has no {field}");
        }
        versions.insert(text_of(&package["version"]).to_string());
        let lib = items(&package["targets"]).iter().find(|target| {
            let kinds = items(&target["kind"]);
            kinds
                .iter()
                .any(|k| matches!(text_of(k), "lib" | "proc-macro"))
        });
        if let Some(lib) = lib {
            let expected = format!("verdigris_{krate}").replace("verdigris_verdigris", "verdigris");
            assert_eq!(text_of(&lib["name"]), expected);
        }
    }
    assert_eq!(versions.len(), 1, "{versions:?}");
}

/// Dependencies among packages have the version of these, and there is an order to publish them in.
/// A dependency of tests by path alone is left out of the package.
#[test]
fn packages_can_be_published_in_some_order() {
    let published = published();
    let mut needs: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for package in packages().into_values().filter(|p| p["publish"].is_null()) {
        let name = text_of(&package["name"]).to_string();
        let needed = needs.entry(name.clone()).or_default();
        for dependency in items(&package["dependencies"]) {
            if !dependency["path"].is_string() {
                continue;
            }
            let (other, version) = (text_of(&dependency["name"]), text_of(&dependency["req"]));
            if dependency["kind"] == "dev" && version == "*" {
                continue;
            }
            let expected = format!("^{}", text_of(&package["version"]));
            assert_eq!(version, expected, "{name} needs {other}");
            assert!(published.contains(other), "{name} needs {other}");
            needed.insert(other.to_string());
        }
    }
    while !needs.is_empty() {
        let next = needs
            .iter()
            .find(|(_, n)| n.iter().all(|n| !needs.contains_key(n)));
        let next = next.map(|(name, _)| name.clone());
        let next = next.unwrap_or_else(|| panic!("a cycle among {:?}", needs.keys()));
        needs.remove(&next);
    }
}

/// The packages can be made. (What is in them is built when they are published:
/// `cargo publish --workspace --dry-run`.)
#[test]
fn packages_can_be_made() {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("packages");
    let mut args = vec!["package", "--no-verify", "--allow-dirty", "--offline"];
    args.extend(["--target-dir", target.to_str().expect("a text")]);
    let published = published();
    args.extend(published.iter().flat_map(|name| ["--package", name]));
    cargo(&args);
    let made = std::fs::read_dir(target.join("package")).expect("a folder");
    let made = made.filter(|entry| {
        let path = entry.as_ref().expect("an entry").path();
        path.extension().is_some_and(|ending| ending == "crate")
    });
    assert!(made.count() >= published.len());
    // Cargo leaves out what looks like a package of its own; the templates of the command must not.
    contains(
        "verdigris-cli",
        &[
            "templates/minimal/src/interpreter.rs",
            "templates/common/Cargo.toml.in",
            "templates/objects/README.md",
        ],
    );
    // It follows links, which lead to pages out of the package.
    contains("verdigris-front", &["errors/VD0000.md"]);
}

/// Makes sure that a package has files.
fn contains(package: &str, files: &[&str]) {
    let package = format!("--package={package}");
    let list = cargo(&["package", "--list", "--allow-dirty", "--offline", &package]);
    for file in files {
        assert!(
            list.lines().any(|line| line == *file),
            "{file} is not in {list}"
        );
    }
}

/// What `cargo tree` lists: names with versions.
fn tree(args: &[&str]) -> Vec<String> {
    let all = ["tree", "--offline", "--prefix", "none"];
    let text = cargo(&[&all, args].concat());
    let packages = text.lines().filter_map(|line| {
        let mut words = line.split(' ');
        Some(format!("{} {}", words.next()?, words.next()?))
    });
    packages.collect()
}

/// Build scripts contain the translator, and tests of it do: cargo builds it for both at once if
/// whatever it is made of has the same features in both.
#[test]
fn the_translator_is_built_once() {
    let translator = tree(&["--package", "verdigris-build", "--edges", "normal"]);
    let translator = BTreeSet::from_iter(translator);
    assert!(translator.iter().any(|part| part.starts_with("syn v2")));
    // What is built for different features is listed as often.
    let mut seen = BTreeSet::new();
    for package in tree(&["--workspace", "--duplicates", "--depth", "0"]) {
        assert!(
            seen.insert(package.clone()) || !translator.contains(&package),
            "{package} has other features in build scripts than in tests: see the build dependencies of `conformance`"
        );
    }
}
