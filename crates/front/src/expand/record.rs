//! What expansion leaves behind beside the items: which places belong to which macro, and which
//! calls have no expansion.
//!
//! In: expansions and failures, as they come. Out: for a place, the outermost macro that it is in;
//! for a call, why it is still there. Invariant: a call without an expansion has a name that no
//! source text contains, and its reason is kept.

use crate::expand::tokens::MARK;
use crate::source::load::span_of;
use crate::tast::{FileId, Span};
use proc_macro2::{TokenStream, TokenTree};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Why a call has no expansion.
#[derive(Clone)]
pub(crate) struct Failure {
    pub why: String,
    /// Where the macro is defined.
    pub defined: Span,
}

/// An expansion.
#[derive(Clone)]
pub(crate) struct Expansion {
    pub name: String,
    /// Where the macro is defined.
    pub defined: Span,
    /// What is between its braces.
    pub extent: Span,
}

/// Which places the tokens have that come from macros.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Places {
    /// Those of the outermost calls.
    Calls,
    /// Those in the macros' definitions: to find the token of a macro that is to blame.
    Definitions,
}

/// What expansion leaves behind.
#[derive(Clone, Default)]
pub(crate) struct Expansions {
    list: Vec<Expansion>,
    /// The first expansion with this place.
    calls: FxHashMap<(FileId, u32, u32), usize>,
    /// Where outermost calls begin, and where each ends.
    extents: BTreeMap<(FileId, u32), u32>,
    pub failures: Vec<Failure>,
    /// The files, by the parser's names for them, if tokens can be from other files than those of
    /// their modules.
    pub files: FxHashMap<String, FileId>,
}

impl Expansions {
    /// Takes note of an expansion of the call at a place.
    pub(super) fn note(&mut self, call: Span, expansion: Expansion) {
        let first = self.calls.entry((call.file, call.lo, call.hi));
        first.or_insert(self.list.len());
        self.extents.insert((call.file, call.lo), call.hi);
        self.list.push(expansion);
    }

    /// What a call is to be named that has no expansion, so that the reason can be found.
    pub(super) fn failed_name(&mut self, name: &str, failure: Failure) -> String {
        self.failures.push(failure);
        format!("{name}{MARK}{FAILURE}{}", self.failures.len() - 1)
    }

    /// The outermost expansion whose tokens have this place.
    pub fn at(&self, span: Span) -> Option<&Expansion> {
        let at = (span.file, span.lo, span.hi);
        self.calls.get(&at).map(|e| &self.list[*e])
    }

    /// The macro whose definition a place is in.
    pub fn definition_around(&self, span: Span) -> Option<&Expansion> {
        let around = |e: &&Expansion| {
            let extent = e.extent;
            extent.file == span.file && extent.lo <= span.lo && span.hi <= extent.hi
        };
        self.list
            .iter()
            .filter(around)
            .min_by_key(|e| e.extent.hi - e.extent.lo)
    }

    /// The file that tokens are from, if that is not the module's.
    pub fn file_of(&self, at: proc_macro2::Span) -> Option<FileId> {
        match self.files.is_empty() {
            true => None,
            false => self.files.get(&at.file()).copied(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether a place is in a call that has been expanded: what stands there may be an argument of
    /// the macro, or the macro's.
    pub fn cover(&self, file: FileId, at: u32) -> bool {
        let before = self.extents.range(..=(file, at)).next_back();
        before.is_some_and(|(call, end)| call.0 == file && at < *end)
    }

    /// Whether some of the tokens come from a macro, so that there is no source text of all of
    /// them.
    pub fn put_together(&self, file: FileId, tokens: TokenStream) -> bool {
        !self.list.is_empty()
            && tokens.into_iter().any(|token| {
                self.at(span_of(file, token.span())).is_some()
                    || matches!(token, TokenTree::Group(g) if self.put_together(file, g.stream()))
            })
    }
}

/// Stands behind the mark in the name of a call without an expansion.
const FAILURE: char = 'f';

/// What a call is named, and the number of the reason, if it has no expansion.
pub(crate) fn failed_call(name: &str) -> Option<(&str, usize)> {
    let (name, number) = name.split_once(MARK)?;
    Some((name, number.strip_prefix(FAILURE)?.parse().ok()?))
}
