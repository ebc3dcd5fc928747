//! The library's source, which is read together with the crate's when the crate may use it.
//!
//! In: the texts that the library exports. Out: a second root in the tables of the crate, whose
//! public items have paths that begin with `verdigris::library`, and are found as `verdigris::Name`
//! too. Invariant: a crate that mentions no name of the library pays
//! for nothing: the library is not even parsed.

use crate::items::{Crate, Def, ModId, Ns};
use crate::source::load::{Files, Memory};
use rustc_hash::FxHashSet;
use std::path::PathBuf;
use verdigris_library::SOURCES;

/// The paths of the library's files begin with this, in messages too; no file of a crate is called
/// so.
pub(crate) const PREFIX: &str = "<verdigris>/";

/// The files of the library, and the path of their root.
pub(crate) fn files() -> (impl Files, PathBuf) {
    let path = |path: &str| PathBuf::from(format!("{PREFIX}{path}"));
    let files = SOURCES
        .iter()
        .map(|(p, text)| (path(p), (*text).to_owned()));
    let root = SOURCES.first().map_or(PathBuf::new(), |(p, _)| path(p));
    (Memory(files.collect()), root)
}

/// The words of a text that are among these, in the order of the text.
pub(crate) fn mentioned<'n>(
    text: &str,
    names: &FxHashSet<&'n str>,
) -> impl Iterator<Item = &'n str> {
    // Most of a text is ASCII, whose letters can be told by a byte alone; what has other letters is
    // looked at again.
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_' || !b.is_ascii();
    let runs = text
        .as_bytes()
        .split(move |b| !is_part(b))
        .filter(|run| !run.is_empty())
        .filter_map(|run| std::str::from_utf8(run).ok());
    let words = runs.flat_map(|run| run.split(|c: char| !c.is_alphanumeric() && c != '_'));
    words.filter_map(|word| names.get(word).copied())
}

/// The names that the library's root exports, and its own.
pub(crate) fn names() -> FxHashSet<&'static str> {
    let mut names = FxHashSet::from_iter(["library"]);
    for line in SOURCES.first().map_or("", |s| s.1).lines() {
        let Some(exported) = line.trim_start().strip_prefix("pub use ") else {
            continue;
        };
        let words = exported.split(|c: char| !c.is_alphanumeric() && c != '_');
        // The paths before the names do not hurt: they are the names of modules.
        names.extend(words.filter(|w| !w.is_empty()));
    }
    names
}

impl Crate {
    /// The root of the crate or the library that a module is in.
    pub fn root_of(&self, mut module: ModId) -> ModId {
        while let Some(parent) = self.modules[module].parent {
            module = parent;
        }
        module
    }

    /// Whether a module is the library's.
    pub fn is_library(&self, module: ModId) -> bool {
        self.library
            .is_some_and(|root| self.root_of(module) == root)
    }

    /// What a path into our own crate means, if the library has it.
    pub fn library_def(&self, path: &str, ns: Ns) -> Option<Def> {
        let root = self.library?;
        let inner = path.strip_prefix("verdigris::")?;
        // The library has a prelude as well.
        if inner.split("::").next() == Some("prelude") {
            return None;
        }
        if inner == "library" {
            return Some(Def::Mod(root));
        }
        let inner = inner.strip_prefix("library::").unwrap_or(inner);
        let segs: Vec<String> = inner.split("::").map(str::to_owned).collect();
        let first = segs.first()?;
        // What the root does not export is private, or an import of its own.
        let exported = self.modules[root].exports.contains(first);
        let path = [vec!["self".to_owned()], segs.clone()].concat();
        match self.resolve(root, false, &path, ns) {
            Some((def, used)) if exported && used == path.len() => Some(def),
            _ => None,
        }
    }
}
