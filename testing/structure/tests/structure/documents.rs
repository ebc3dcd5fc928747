//! The shape of documents. In: all files that end in `.md`. Invariants under test:
//! prose fits into lines of 120 columns, and commands name packages and test targets that there
//! are.

use std::collections::BTreeMap;
use structure::repository::{files, read, root};

/// How wide prose may be.
const COLUMNS: usize = 120;

/// The lines of a document that are prose, with their numbers: neither tables nor code.
fn prose(text: &str) -> Vec<(usize, &str)> {
    let mut in_code = false;
    let mut prose = Vec::new();
    for (n, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
            continue;
        }
        let is_code = in_code || line.starts_with("    ");
        if !is_code && !line.starts_with('|') {
            prose.push((n + 1, line));
        }
    }
    prose
}

/// Whether a line has a place where it could be broken: a space behind the mark of an item.
fn can_be_broken(line: &str) -> bool {
    let item = line.trim_start();
    let text = ["* ", "- "].iter().find_map(|mark| item.strip_prefix(mark));
    text.unwrap_or(item).trim().contains(' ')
}

#[test]
fn prose_fits_into_the_columns() {
    let mut wide = Vec::new();
    let mut lines = 0;
    for file in files().iter().filter(|f| f.ends_with(".md")) {
        let text = read(&root().join(file));
        for (n, line) in prose(&text) {
            lines += 1;
            if line.chars().count() > COLUMNS && can_be_broken(line) {
                wide.push(format!("{file}:{n}"));
            }
        }
    }
    assert!(lines > 1000, "only {lines} lines of prose were found");
    assert!(wide.is_empty(), "wider than {COLUMNS}: {wide:#?}");
}

#[test]
fn what_is_prose_is_found() {
    let text = "a\n| b |\n```\nc\n```\n    d\n* e";
    assert_eq!(prose(text), [(1, "a"), (7, "* e")]);
    assert!(can_be_broken("* two words"));
    assert!(!can_be_broken("* https://one.word"));
}

#[test]
fn the_architecture_fits_on_its_page() {
    let text = read(&root().join("ARCHITECTURE.md"));
    let lines = text.lines().count();
    assert!(lines <= 300, "{lines} lines, and 300 are the limit");
}

/// The folders of all packages, by name.
fn packages() -> BTreeMap<String, String> {
    let files = files();
    let manifests = files.iter().filter(|f| f.ends_with("Cargo.toml"));
    let packages = manifests.filter_map(|manifest| {
        let text = read(&root().join(manifest));
        let section = text.split("[package]").nth(1)?;
        let name = section.lines().find_map(|l| l.strip_prefix("name = "))?;
        let folder = manifest.strip_suffix("Cargo.toml")?;
        Some((name.trim_matches('"').to_string(), folder.to_string()))
    });
    packages.collect()
}

#[test]
fn commands_name_packages_and_tests_that_exist() {
    let packages = packages();
    let files = files();
    let mut checked = 0;
    for file in files.iter().filter(|f| f.ends_with(".md")) {
        let text = read(&root().join(file));
        for line in text.lines().filter(|l| l.contains("cargo ")) {
            let words: Vec<&str> = line
                .split(|c: char| c.is_whitespace() || "`'()".contains(c))
                .collect();
            let behind = |mark: &str| {
                let pairs = words.windows(2).filter(move |pair| pair[0] == mark);
                pairs.map(|pair| pair[1]).collect::<Vec<_>>()
            };
            let named: Vec<&str> = behind("-p")
                .into_iter()
                .filter(|n| *n != "PACKAGE")
                .collect();
            for &name in &named {
                assert!(
                    packages.contains_key(name),
                    "{file}: no package {name}: {line}"
                );
                checked += 1;
            }
            for test in behind("--test") {
                let is_there = named.iter().any(|&name| {
                    let target = format!("{}tests/{test}", packages[name]);
                    files.contains(&format!("{target}.rs"))
                        || files.contains(&format!("{target}/main.rs"))
                });
                assert!(is_there, "{file}: no test {test} of {named:?}: {line}");
            }
        }
    }
    assert!(checked > 30, "only {checked} packages are named");
}

/// A table headed `| in `crates/opt/src` | ..` names files of that folder in its first column.
#[test]
fn tables_name_files_of_their_folder() {
    let mut checked = 0;
    for file in files().iter().filter(|f| f.ends_with(".md")) {
        let text = read(&root().join(file));
        let mut folder = None;
        for line in text.lines() {
            let quoted = |cell: &str| {
                let names = cell.split('`').skip(1).step_by(2);
                names.map(str::to_string).collect::<Vec<_>>()
            };
            if let Some(rest) = line.strip_prefix("| in ") {
                folder = quoted(rest).into_iter().next();
            } else if let Some(row) = line.strip_prefix('|') {
                let first = row.split('|').next().unwrap_or_default();
                for name in folder.iter().flat_map(|folder| {
                    let names = quoted(first).into_iter();
                    names.map(move |name| format!("{folder}/{name}"))
                }) {
                    assert!(root().join(&name).exists(), "{file} names {name}");
                    checked += 1;
                }
            } else {
                folder = None;
            }
        }
    }
    assert!(checked > 20, "only {checked} files were found");
}
