//! GLOSSARY.md has the nouns that authors of interpreters meet. In: the types that the crates
//! `verdigris` and `verdigris-build` export, and terms of the papers. Invariant under
//! test: each is at the head of an entry, or a word that needs none; no term has two entries.

use std::collections::BTreeSet;
use structure::repository::{read, root};

/// Exported types that are no terms, with the reason.
const ORDINARY: &[(&str, &[&str])] = &[
    (
        "errors: what has gone wrong stands in their text",
        &[
            "BackendError",
            "LinkError",
            "LogError",
            "ParamError",
            "VmError",
        ],
    ),
    (
        "settings: docs/book/src/reference/parameters.md has them",
        &["Allowance", "HeapOptions", "JitParams", "Options", "Passes"],
    ),
    (
        "figures, each explained where it is declared",
        &[
            "AbortReason",
            "AbortStats",
            "CodeKind",
            "CodeStats",
            "CollectorStats",
            "CompilerKind",
            "CompilerStats",
            "GuardFailures",
            "HeapStats",
            "JitSeconds",
            "LiveStats",
            "OpCounts",
            "SourcePos",
            "SpecialisedStats",
            "Stats",
            "TierStats",
        ],
    ),
    ("the forms of what `--stats` prints", &["StatsForm"]),
    ("what a question to a VM is answered from", &["RunReports"]),
    (
        "what a hook is told: the operations of one trace",
        &["CompiledEvent"],
    ),
    (
        "data structures that Rust has too; docs/book/src/reference/library.md says how they differ",
        &[
            "Bytes",
            "HashSecret",
            "List",
            "Map",
            "Order",
            "Str",
            "StrBuilder",
        ],
    ),
    ("as Rust's, but the collector sees it", &["Cell"]),
];

/// What the papers call things.
const OF_THE_PAPERS: &[&str] = &[
    // 2007, 2009: a compiler for free.
    "binding time",
    "green",
    "red",
    "promotion",
    "virtual",
    "virtualizable",
    "specialisation",
    "dispatch",
    "residual call",
    // 2011: allocation removal.
    "allocation removal",
    "escape",
    "lifting",
    "peeling",
    "bridge",
    "trace",
    "guard",
    "tracer",
    // 2011: runtime feedback.
    "runtime feedback",
    "elidable",
    "map",
    "versioned class",
    // 2022: two levels.
    "portal",
    "merge point",
    "hint",
    "hot",
];

/// The heads of the entries: the term, and the code names behind it.
fn heads() -> Vec<(String, Vec<String>)> {
    let text = read(&root().join("GLOSSARY.md"));
    let entries = text.split("\n\n").filter_map(|entry| {
        let entry = entry.replace('\n', " ");
        let (head, _) = entry.split_once(" – ")?;
        let (term, names) = head.strip_prefix("**")?.split_once("**")?;
        let names = names.split('`').skip(1).step_by(2).map(str::to_string);
        Some((term.to_string(), names.collect()))
    });
    entries.collect()
}

/// The types that a crate's root exports by `pub use`.
fn exported(file: &str) -> BTreeSet<String> {
    let text = read(&root().join(file));
    let uses = text.split("\npub use ").skip(1);
    let lists = uses.filter_map(|rest| rest.split(';').next());
    let words = lists.flat_map(|list| list.split(|c: char| !c.is_alphanumeric() && c != '_'));
    let types = words.filter(|w| w.starts_with(|c: char| c.is_ascii_uppercase()));
    types.map(str::to_string).collect()
}

#[test]
fn exported_types_are_explained() {
    let mut types = exported("crates/verdigris/src/lib.rs");
    types.extend(exported("crates/build/src/lib.rs"));
    assert!(types.len() > 40, "only {} types are exported", types.len());
    let heads = heads();
    let explained: BTreeSet<&str> = heads
        .iter()
        .flat_map(|h| &h.1)
        .map(String::as_str)
        .collect();
    let ordinary: BTreeSet<&str> = ORDINARY.iter().flat_map(|row| row.1).copied().collect();
    let missing: Vec<&String> = types
        .iter()
        .filter(|t| !explained.contains(&***t) && !ordinary.contains(&***t))
        .collect();
    assert!(missing.is_empty(), "not in GLOSSARY.md: {missing:?}");
    for &word in explained.union(&ordinary) {
        assert!(types.contains(word), "{word} is not exported any more");
        let twice = explained.contains(word) && ordinary.contains(word);
        assert!(!twice, "{word} is in GLOSSARY.md, so it needs no reason");
    }
}

#[test]
fn terms_of_the_papers_are_explained() {
    let heads = heads();
    for term in OF_THE_PAPERS {
        let found = heads.iter().any(|head| head.0 == *term);
        assert!(found, "GLOSSARY.md has no entry for {term}");
    }
}

#[test]
fn each_term_stands_once_and_in_order() {
    let heads = heads();
    assert!(heads.len() > 80, "only {} entries were found", heads.len());
    let text = read(&root().join("GLOSSARY.md"));
    let bold = text.lines().filter(|line| line.starts_with("**")).count();
    assert_eq!(bold, heads.len(), "each entry is `**term** – meaning`");
    let keys: Vec<String> = heads
        .iter()
        .map(|h| h.0.to_lowercase().replace('-', " "))
        .collect();
    for pair in keys.windows(2) {
        assert!(pair[0] < pair[1], "{} stands before {}", pair[0], pair[1]);
    }
    let names: Vec<&String> = heads.iter().flat_map(|h| &h.1).collect();
    let different: BTreeSet<&String> = names.iter().copied().collect();
    assert_eq!(names.len(), different.len(), "a type stands for two terms");
}
