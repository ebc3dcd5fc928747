//! The findings of the search for references off the heap, and the check of one written type.

use crate::items::{Crate, ModId};
use crate::off_heap::types::{Params, Types};
use crate::source::load::span_of;
use crate::tast::{FileId, Span};
use rustc_hash::FxHashSet;
use syn::spanned::Spanned;

pub(super) fn key(span: Span) -> (FileId, u32, u32) {
    (span.file, span.lo, span.hi)
}

/// What keeps a reference.
pub(super) enum What {
    Type,
    Static,
    Value(&'static str),
}

pub(super) struct Found {
    pub(super) span: Span,
    pub(super) what: What,
}

/// The search through the tables of the crate.
pub(super) struct Search<'a> {
    pub(super) krate: &'a Crate,
    pub(super) found: Vec<Found>,
    /// Functions that are called and traced stand in the tables twice.
    pub(super) seen: FxHashSet<(FileId, u32, u32)>,
}

impl<'a> Search<'a> {
    pub(super) fn types(&self) -> Types<'a> {
        Types { krate: self.krate }
    }

    /// Complains about the containers in a type that is written somewhere.
    pub(super) fn written(&mut self, module: ModId, params: &Params, ty: &syn::Type) {
        for span in self.types().bad_in(module, params, ty) {
            self.report(module, span, What::Type);
        }
    }

    /// Complains about a type of something that lives as long as the program or the thread.
    pub(super) fn kept_forever(&mut self, module: ModId, name: &syn::Ident, ty: &syn::Type) {
        let params = Params::default();
        match self.types().holds(module, &params, ty) {
            true => self.report(module, name.span(), What::Static),
            false => self.written(module, &params, ty),
        }
    }

    pub(super) fn report(&mut self, module: ModId, span: proc_macro2::Span, what: What) {
        let span = span_of(self.krate.modules[module].file, span);
        if self.seen.insert(key(span)) {
            self.found.push(Found { span, what });
        }
    }

    pub(super) fn report_value(&mut self, module: ModId, at: &impl Spanned, what: &'static str) {
        self.report(module, at.span(), What::Value(what));
    }
}
