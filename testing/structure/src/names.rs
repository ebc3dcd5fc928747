//! The public types of the published crates. A reader meets them in many files and should have to
//! learn each name once.

use crate::modules::is_for_tests;
use crate::repository::{files, read, root};
use std::collections::{BTreeMap, BTreeSet};
use syn::{Item, Visibility};

/// The names of types, traits and aliases that are `pub`, each with the files of `crates` that
/// declare it. Templates, which are languages of their own, are left out.
///
/// # Panics
/// If a file is no Rust.
pub fn public_types() -> BTreeMap<String, Vec<String>> {
    let mut types: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let files = files();
    let sources = files.iter().filter(|file| {
        let in_source = file.starts_with("crates/") && file.contains("/src/");
        let is_test = file.contains("/tests/") || file.ends_with("/tests.rs");
        in_source && file.ends_with(".rs") && !file.contains("/templates/") && !is_test
    });
    for file in sources {
        let text = read(&root().join(file));
        let syntax = syn::parse_file(&text).unwrap_or_else(|e| panic!("{file}: {e}"));
        let mut found = BTreeSet::new();
        collect(&syntax.items, &mut found);
        for name in found {
            types.entry(name).or_default().push(file.clone());
        }
    }
    types
}

/// The public types whose name stands in more than one crate.
pub fn ambiguous_types() -> BTreeMap<String, Vec<String>> {
    let mut types = public_types();
    types.retain(|_, files| {
        let crates: BTreeSet<_> = files.iter().filter_map(|f| f.split('/').nth(1)).collect();
        crates.len() > 1
    });
    types
}

fn collect(items: &[Item], found: &mut BTreeSet<String>) {
    for item in items.iter().filter(|item| !is_for_tests(item)) {
        let (visibility, ident) = match item {
            Item::Enum(i) => (&i.vis, &i.ident),
            Item::Struct(i) => (&i.vis, &i.ident),
            Item::Trait(i) => (&i.vis, &i.ident),
            Item::Type(i) => (&i.vis, &i.ident),
            Item::Union(i) => (&i.vis, &i.ident),
            Item::Mod(i) => {
                if let Some((_, items)) = &i.content {
                    collect(items, found);
                }
                continue;
            }
            _ => continue,
        };
        if matches!(visibility, Visibility::Public(_)) {
            found.insert(ident.to_string());
        }
    }
}
