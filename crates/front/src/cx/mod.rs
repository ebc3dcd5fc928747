//! The state of checking: tables that grow while the program is checked, at the end those of
//! [`crate::tast::TypedProgram`]. An item gets its identity when it is first reached, so the tables
//! hold what is reachable and no more.

pub(crate) mod sources;
mod tables;

use crate::cx::sources::SourceType;
use crate::cx::tables::{Diags, Generated, Glue, Interned, Queue};
use crate::items::tables::Answers;
use crate::items::*;
use crate::source::diag::{DiagCode, Diagnostic};
use crate::source::extent::{Extent, joined};
use crate::source::load::span_of;
use crate::tast::{FileId, FuncId, Span};
use proc_macro2::LineColumn;
use std::cell::RefCell;
use std::collections::BTreeMap;
use verdigris_ops::Descrs;

/// The state of checking. A copy ([`Cx::apart`]) can grow by itself, see [`crate::effects::typed`].
#[derive(Clone)]
pub(crate) struct Cx {
    pub krate: Crate,
    pub interned: Interned,
    pub queue: Queue,
    pub glue: Glue,
    pub diags: Diags,
    pub generated: Generated,
    pub descrs: Descrs,
    /// By the name of functions: the source type that they return, if all agree.
    pub source_types: RefCell<Answers<Option<SourceType>>>,
    /// Whether functions are checked for what native code does, in every configuration, instead of
    /// what traced code does.
    pub native: bool,
    /// The callees in the source of each traced function, if they are to be listed.
    pub callees: Option<BTreeMap<FuncId, crate::callee::Notes>>,
}

impl Cx {
    pub fn new(krate: Crate, diags: Vec<Diagnostic>) -> Cx {
        Cx {
            krate,
            interned: Interned::new(),
            queue: Queue::default(),
            glue: Glue::default(),
            diags: Diags::new(diags),
            generated: Generated::default(),
            descrs: Descrs::default(),
            source_types: RefCell::default(),
            native: false,
            callees: None,
        }
    }

    /// A copy that grows by itself.
    pub fn apart(&self) -> Cx {
        Cx {
            interned: self.interned.apart(),
            ..self.clone()
        }
    }

    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.diags.list.push(diagnostic);
    }

    pub fn err(&mut self, code: DiagCode, span: Span, words: &[&str]) {
        self.report(Diagnostic::new(code, span, words));
    }

    pub fn file(&self, module: ModId) -> FileId {
        self.krate.modules[module].file
    }

    pub fn span(&self, module: ModId, node: &impl Extent) -> Span {
        let file = self.file(module);
        // The parser writes parentheses around what a macro has put where they are needed: they are
        // in no tree.
        let is_expanded = |at: proc_macro2::Span| {
            let at = self.place(file, at);
            self.krate.expansions.cover(at.file, at.lo)
        };
        let ends = node.ends().filter(|&(first, last)| {
            self.krate.expansions.is_empty() || !is_expanded(first) && !is_expanded(last)
        });
        let extent = ends.map_or_else(|| node.span(), |(first, last)| joined(first, last));
        self.place(file, extent)
    }

    fn place(&self, file: FileId, extent: proc_macro2::Span) -> Span {
        let file = self.krate.expansions.file_of(extent).unwrap_or(file);
        let (first, last) = (extent.start(), extent.end());
        let ends = (self.offset(file, first), self.offset(file, last));
        match ends {
            (Some(lo), Some(hi)) => Span { file, lo, hi },
            _ => span_of(file, extent),
        }
    }

    /// How far from the start of a file a place is, in bytes. The parser counts in characters, and
    /// goes through the text to say where bytes are; lines and columns it has at hand.
    fn offset(&self, file: FileId, at: LineColumn) -> Option<u32> {
        let text = &self.krate.files[file].text;
        self.with_line_ends(file, |line_ends| {
            let start = match at.line {
                0 => return None,
                1 => 0,
                line => line_ends.get(line - 2)? + 1,
            };
            let end = line_ends.get(at.line - 1).map_or(text.len(), |at| at + 1);
            let line = text.get(start..end)?;
            let column = match line.is_ascii() {
                true => at.column,
                false => line
                    .char_indices()
                    .nth(at.column)
                    .map_or(line.len(), |c| c.0),
            };
            Some((start + column) as u32)
        })
    }

    /// Asks where the lines of a file end.
    pub fn with_line_ends<T>(&self, file: FileId, ask: impl FnOnce(&[usize]) -> T) -> T {
        let mut line_ends = self.diags.line_ends.borrow_mut();
        let line_ends = line_ends.entry(file).or_insert_with(|| {
            let bytes = self.krate.files[file].text.bytes().enumerate();
            bytes.filter(|b| b.1 == b'\n').map(|b| b.0).collect()
        });
        ask(line_ends)
    }

    /// The source text of a span on one line.
    pub fn text(&self, span: Span) -> String {
        let text = &self.krate.files[span.file].text;
        let slice = text.get(span.lo as usize..span.hi as usize).unwrap_or("..");
        slice.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}
