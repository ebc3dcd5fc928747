//! Coverage marks. In: all sources. Invariant under test: each mark in the code is
//! looked at by a test, each test's mark is in the code, and no two places share one.

use std::collections::BTreeSet;
use structure::repository::{files, read, root};

/// The names in calls of a macro.
fn named(text: &str, call: &str) -> Vec<String> {
    let calls = text.split(call).skip(1);
    let names = calls.filter_map(|rest| rest.split([')', ',']).next());
    let is_name = |name: &&str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    names.filter(is_name).map(str::to_string).collect()
}

#[test]
fn marks_are_looked_at() {
    let (mut hit, mut checked) = (Vec::new(), BTreeSet::new());
    let sources = files();
    let sources = sources
        .iter()
        .filter(|f| f.ends_with(".rs") && f.starts_with("crates/"));
    for file in sources.filter(|f| !f.ends_with("structure/marks.rs")) {
        let text = read(&root().join(file));
        hit.extend(named(&text, "cov_mark::hit!("));
        hit.extend(named(&text, " mark!("));
        checked.extend(named(&text, "cov_mark::check!("));
        checked.extend(named(&text, "cov_mark::check_count!("));
    }
    assert!(hit.len() > 20, "only {hit:?}");
    let different: BTreeSet<String> = hit.iter().cloned().collect();
    assert_eq!(hit.len(), different.len(), "a mark stands in two places");
    assert_eq!(
        different, checked,
        "marks in the code, and those that tests look at"
    );
}
