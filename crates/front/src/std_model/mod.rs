//! Modules of the standard library that are written in the subset.
//!
//! In: the words that a crate mentions. Out: modules, with the items that the crate may name, and
//! traits that have the methods which the standard library provides. The texts are in the directory
//! `texts`. Invariants: an item is found where the standard library has it, a trait is the standard
//! library's; a text is read if a word of it is mentioned, or if something is wanted of it.

pub(crate) mod cmp;
pub(crate) mod library;
pub(crate) mod scalars;

use crate::collect::{Own, collect_own, index_impls};
use crate::items::*;
use rustc_hash::FxHashSet;

/// A module.
struct Text {
    /// Its name in `core`.
    name: &'static str,
    /// A crate that names its items, or calls its methods, mentions one of these.
    words: &'static [&'static str],
    source: fn() -> String,
}

const TEXTS: &[Text] = &[
    Text {
        name: "cmp",
        words: &[
            "Ord",
            "Ordering",
            "PartialOrd",
            "cmp",
            "ne",
            "partial_cmp",
            "total_cmp",
        ],
        source: crate::std_model::cmp::text,
    },
    // It is read when a method is called on an array.
    Text {
        name: "array",
        words: &[],
        source: || include_str!("texts/array.rs").to_owned(),
    },
    // These are read when one of their methods is called.
    Text {
        name: "option",
        words: &[],
        source: || include_str!("texts/option.rs").to_owned(),
    },
    Text {
        name: "result",
        words: &[],
        source: || include_str!("texts/result.rs").to_owned(),
    },
    Text {
        name: "bool",
        words: &[],
        source: || include_str!("texts/bool.rs").to_owned(),
    },
    Text {
        name: "mem",
        words: &["mem", "drop"],
        source: || include_str!("texts/mem.rs").to_owned(),
    },
];

impl Crate {
    /// Reads the texts of which a word is mentioned.
    pub fn read_mentioned(&mut self) {
        let words: FxHashSet<&str> = TEXTS.iter().flat_map(|t| t.words).copied().collect();
        let mut mentioned: FxHashSet<&str> = FxHashSet::default();
        let mut read = 0;
        for text in TEXTS {
            // The texts that have been read until now mention words too.
            for file in self.files.values().skip(read) {
                mentioned.extend(library::mentioned(&file.text, &words));
            }
            read = self.files.len();
            if text.words.iter().any(|word| mentioned.contains(word)) {
                self.read_text(text.name);
            }
        }
    }

    /// Reads the text of a module, if there is one and that has not been done.
    pub fn read_text(&mut self, name: &str) {
        let Some(text) = TEXTS.iter().find(|t| t.name == name) else {
            return;
        };
        if self.text(name).is_some() {
            return;
        }
        let first = self.impls.len();
        // No module can have this name, so paths in the text are like no others.
        let path = format!("core::{name}");
        let own = Own {
            parent: self.root(),
            name: &path,
            block: false,
        };
        let module = collect_own(self, own, &format!("{name}.rs"), (text.source)());
        self.texts.push((text.name, module));
        self.forget_imports();
        let traits: Vec<TraitId> = self.modules[module]
            .items
            .types()
            .filter_map(|def| match def {
                Def::Trait(id) => Some(*id),
                _ => None,
            })
            .collect();
        for id in traits {
            self.adopt_trait(id);
        }
        index_impls(self, first..self.impls.len());
    }

    /// Makes a trait of a text the standard library's.
    fn adopt_trait(&mut self, id: TraitId) {
        let item = self.traits[id].clone();
        let key = TraitKey::Std(item.name.clone());
        for name in item.members.keys() {
            if let Some(traits) = self.trait_members.get_mut(name) {
                traits.retain(|of| *of != id);
            }
            let traits = self.std_members.entry(name.clone()).or_default();
            traits.insert(key.clone());
        }
        self.std_traits.push((item.name.clone(), id));
    }

    /// The module that a text has become.
    pub fn text(&self, name: &str) -> Option<ModId> {
        self.texts.iter().find(|t| t.0 == name).map(|t| t.1)
    }

    /// Whether a module is one of these, or has what a derive stands for: what the standard library
    /// has does nothing that matters.
    pub fn is_text(&self, module: ModId) -> bool {
        self.files[self.modules[module].file].is_ours() && !self.is_library(module)
    }

    /// The item of a trait of the standard library that a text has.
    pub fn std_trait(&self, name: &str) -> Option<TraitId> {
        let found = self.std_traits.iter().find(|t| t.0 == name);
        found.map(|t| t.1)
    }

    /// The trait that an item declares.
    pub fn key_of_trait(&self, id: TraitId) -> TraitKey {
        match self.std_traits.iter().find(|t| t.1 == id) {
            Some((name, _)) => TraitKey::Std(name.clone()),
            None => TraitKey::User(id),
        }
    }

    /// What a path into the standard library means, if a text has it.
    pub fn text_def(&self, path: &str, ns: Ns) -> Option<Def> {
        // The prelude has this one.
        let path = if path == "drop" {
            "core::mem::drop"
        } else {
            path
        };
        let mut segs = path.split("::");
        let (Some("std" | "core"), Some(module), Some(name), None) =
            (segs.next(), segs.next(), segs.next(), segs.next())
        else {
            return None;
        };
        let items = &self.modules[self.text(module)?].items;
        items.get(ns, name).cloned()
    }
}
