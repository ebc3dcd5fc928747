//! The shape of the repository: which crates may depend on which, that every file says what it is,
//! that documents name files that exist and fit on their pages, that the glossary has its terms,
//! that `unsafe` lives where docs/book/src/internals/unsafe.md says, and that the packages can be
//! published.

#[path = "structure/documents.rs"]
mod documents;
#[path = "structure/glossary.rs"]
mod glossary;
#[path = "structure/marks.rs"]
mod marks;
#[path = "structure/packages.rs"]
mod packages;
#[path = "structure/rules.rs"]
mod rules;

use std::collections::{BTreeMap, BTreeSet};
use structure::repository::{files, read, root};

/// The indented lines `name : dep dep` of ARCHITECTURE.md.
fn allowed() -> BTreeMap<String, BTreeSet<String>> {
    read(&root().join("ARCHITECTURE.md"))
        .lines()
        .filter(|l| l.starts_with("    "))
        .filter_map(|l| l.trim().split_once(':'))
        .filter(|(name, _)| {
            name.trim()
                .chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
        })
        .map(|(name, deps)| {
            let deps = deps.split_whitespace().map(str::to_string).collect();
            (name.trim().to_string(), deps)
        })
        .collect()
}

/// The crates of this workspace that a manifest's `[dependencies]` names.
fn dependencies(manifest: &str) -> BTreeSet<String> {
    let section = manifest
        .split("[dependencies]")
        .nth(1)
        .unwrap_or("")
        .split("\n[")
        .next()
        .unwrap_or("");
    section
        .lines()
        .filter_map(|l| l.trim().strip_prefix("verdigris-"))
        .map(|l| l.split(['.', ' ', '=']).next().unwrap_or("").to_string())
        .collect()
}

#[test]
fn dependencies_go_one_way() {
    let allowed = allowed();
    let mut seen = BTreeSet::new();
    for entry in std::fs::read_dir(root().join("crates")).expect("crates") {
        let dir = entry.expect("an entry").path();
        let name = dir
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .to_string();
        let deps = dependencies(&read(&dir.join("Cargo.toml")));
        let may = allowed
            .get(&name)
            .unwrap_or_else(|| panic!("ARCHITECTURE.md has no line for {name}"));
        for dep in &deps {
            assert!(may.contains(dep), "{name} must not depend on {dep}");
        }
        seen.insert(name);
    }
    assert_eq!(seen, allowed.keys().cloned().collect(), "a line per crate");
    // One way: every crate can be removed once those it depends on have been.
    let mut left = allowed;
    while !left.is_empty() {
        let done: Vec<String> = left
            .iter()
            .filter(|(_, deps)| deps.iter().all(|d| !left.contains_key(d)))
            .map(|(name, _)| name.clone())
            .collect();
        assert!(!done.is_empty(), "a cycle among {:?}", left.keys());
        left.retain(|name, _| !done.contains(name));
    }
}

#[test]
fn every_file_says_what_it_is() {
    let mute: Vec<String> = files()
        .into_iter()
        .filter(|f| f.ends_with(".rs") && !f.contains("/tests/ui/"))
        .filter(|f| !read(&root().join(f)).starts_with("//!"))
        .collect();
    assert!(mute.is_empty(), "no //! at the top of {mute:?}");
}

/// Whether a section of a manifest says this.
fn says(manifest: &str, section: &str, line: &str) -> bool {
    let mut sections = manifest.split("\n[");
    sections.any(|s| s.starts_with(section) && s.lines().any(|l| l == line))
}

/// Whether a file's documentation has an example that rustdoc would run.
fn has_example(text: &str) -> bool {
    let lines = text.lines().map(str::trim_start);
    let docs = lines.filter(|l| l.starts_with("///") || l.starts_with("//!"));
    let fences = docs.filter_map(|l| l[3..].trim_start().strip_prefix("```"));
    // Every other fence ends a block.
    fences.step_by(2).any(|kind| kind != "text")
}

/// Cargo is told not to look for tests where there are none, which saves minutes. Those that come
/// later must be run.
#[test]
fn tests_are_run() {
    let files = files();
    let manifests = files.iter().filter(|f| f.ends_with("Cargo.toml"));
    for manifest in manifests {
        let text = read(&root().join(manifest));
        let source = manifest.replace("Cargo.toml", "src/");
        let main = source.clone() + "main.rs";
        let has_lib = files.contains(&(source.clone() + "lib.rs"));
        for file in files.iter().filter(|f| f.starts_with(&source)) {
            let section = match has_lib && *file != main {
                true => "lib]",
                false => "[bin]",
            };
            let content = read(&root().join(file));
            if says(&text, section, "test = false") {
                let tests = content.contains("#[test]") || content.contains("proptest!");
                assert!(!tests, "{file}: {manifest} says that there are no tests");
            }
            if says(&text, section, "doctest = false") {
                let example = has_example(&content);
                assert!(
                    !example,
                    "{file}: {manifest} says that there are no examples"
                );
            }
        }
    }
}

/// Where a package's tests are one program, cargo does not look for others: a file of `tests` is a
/// module of `tests/main.rs`, or a program that the manifest names.
#[test]
fn no_file_of_tests_is_left_out() {
    let files = files();
    for main in files.iter().filter(|f| f.ends_with("/tests/main.rs")) {
        let folder = main.trim_end_matches("main.rs");
        let manifest = read(&root().join(folder).join("../Cargo.toml"));
        let modules = read(&root().join(main));
        for file in files.iter().filter_map(|f| f.strip_prefix(folder)) {
            let Some(name) = file
                .strip_suffix("/main.rs")
                .or_else(|| file.strip_suffix("/mod.rs"))
                .or_else(|| file.strip_suffix(".rs"))
                .filter(|name| !name.contains('/') && *name != "main")
            else {
                continue;
            };
            let is_module = modules.lines().any(|l| l == format!("mod {name};"));
            let is_program = says(&manifest, "[test]", &format!("name = \"{name}\""));
            assert!(is_module || is_program, "{folder}{file} is not run");
        }
    }
}

/// Files, and functions in them: `folder/file.rs::function`.
#[test]
fn documents_name_files_that_exist() {
    let folders = [
        "crates/",
        "languages/",
        "examples/",
        "docs/",
        "bench/",
        "conformance/",
        "testing/",
        "fuzz/",
        ".ci/",
    ];
    let mut checked = 0;
    for file in files().iter().filter(|f| f.ends_with(".md")) {
        let text = read(&root().join(file));
        let words = text.split(|c: char| c.is_whitespace() || "`()[]|,;".contains(c));
        for word in words {
            let word = word.trim_end_matches(['.', ':']);
            if folders.iter().any(|f| word.starts_with(f)) {
                let (path, function) = match word.split_once("::") {
                    Some((path, function)) => (path, Some(function)),
                    None => (word, None),
                };
                // A section of a page.
                let path = path.split('#').next().unwrap_or(path);
                assert!(root().join(path).exists(), "{file} names {word}");
                if let Some(function) = function {
                    let text = read(&root().join(path));
                    let is_there = text.contains(&format!("fn {function}("));
                    assert!(is_there, "{file} names {word}: no such function there");
                }
                checked += 1;
            }
        }
    }
    assert!(checked > 20, "only {checked} paths were found");
}

#[test]
fn the_readme_shows_the_example() {
    let readme = read(&root().join("README.md"));
    let blocks: Vec<&str> = readme.split("```").skip(1).step_by(2).collect();
    let rust: Vec<&str> = blocks
        .iter()
        .filter_map(|b| b.strip_prefix("rust\n"))
        .collect();
    assert!(rust.len() >= 2, "the build script and the interpreter");
    let sources = read(&root().join("examples/counter/src/lib.rs"))
        + &read(&root().join("examples/counter/build.rs"));
    for block in rust {
        assert!(sources.contains(block.trim()), "not the example:\n{block}");
    }
}

#[test]
fn unsafe_code_is_where_the_table_says() {
    let text = read(&root().join("docs/book/src/internals/unsafe.md"));
    let listed: BTreeSet<String> = text
        .lines()
        .filter_map(|l| l.strip_prefix("| `"))
        .filter_map(|l| l.split('`').next())
        .map(str::to_string)
        .collect();
    let mut found = BTreeSet::new();
    for file in files() {
        let source = file.ends_with(".rs") && file.contains("/src/");
        if !source {
            continue;
        }
        let text = read(&root().join(&file));
        let code = text.lines().map(str::trim).filter(|l| !l.starts_with("//"));
        let uses = code
            .filter(|l| {
                l.contains("unsafe {") || l.contains("unsafe fn") || l.contains("unsafe impl")
            })
            .count();
        if uses > 0 {
            found.insert(file);
        }
    }
    assert_eq!(found, listed, "files with unsafe code against the table");
}
