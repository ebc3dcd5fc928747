//! References to objects that are kept where the collector does not look: on Rust's own heap, in a
//! `static`, in a `thread_local!`.
//!
//! In: the whole crate as written, whether traced code reaches it or not. Out: a diagnostic at each
//! place that shows it. Invariant: what is complained about does hold a reference, as far as types
//! and the values of variables are written down; an item that is marked `#[rooted_elsewhere]`, or
//! is in one, is not looked at. Types that follow from inference alone are
//! not seen.

mod search;
mod types;
mod values;

use crate::cx::Cx;
use crate::items::ModId;
use crate::items::tables::Reached;
use crate::off_heap::search::{Search, What, key};
use crate::off_heap::types::Params;
use crate::source::diag::DiagCode;
use crate::tast::Span;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// Complains about all such places of the crate.
pub(crate) fn check(cx: &mut Cx) {
    let mut search = Search {
        krate: &cx.krate,
        found: Vec::new(),
        seen: FxHashSet::default(),
    };
    search.crate_items();
    let known: FxHashSet<_> = cx
        .diags
        .list
        .iter()
        .filter_map(|d| d.span)
        .map(key)
        .collect();
    for found in search.found {
        // Where traced code cannot use the type either, that is what is said.
        if known.contains(&key(found.span)) {
            continue;
        }
        let text = cx.text(found.span);
        let what = match found.what {
            What::Type => format!("`{text}`"),
            What::Static => format!("the static `{text}`"),
            What::Value(what) => what.to_owned(),
        };
        cx.err(DiagCode::OffHeap, found.span, &[&what]);
    }
}

impl<'a> Search<'a> {
    fn crate_items(&mut self) {
        let krate = self.krate;
        let rooted = |item: Reached| krate.rooted.contains(&item);
        for (id, item) in &krate.structs {
            let key = Reached::Type(crate::items::TypeKey::Struct(id));
            if !rooted(key) && self.is_looked_at(item.module) {
                let params = Params::open(&item.generics);
                for field in &item.fields {
                    self.written(item.module, &params, &field.ty);
                }
            }
        }
        for (id, item) in &krate.enums {
            let key = Reached::Type(crate::items::TypeKey::Enum(id));
            if !rooted(key) && self.is_looked_at(item.module) {
                let params = Params::open(&item.generics);
                for field in item.variants.iter().flat_map(|v| &v.fields) {
                    self.written(item.module, &params, &field.ty);
                }
            }
        }
        for (id, item) in &krate.aliases {
            if !rooted(Reached::Alias(id)) && self.is_looked_at(item.module) {
                self.written(item.module, &Params::open(&item.generics), &item.ty);
            }
        }
        for (id, item) in &krate.impls {
            if !rooted(Reached::Impl(id)) && self.is_looked_at(item.module) {
                for (_, ty) in &item.types {
                    self.written(item.module, &Params::open(&item.generics), ty);
                }
            }
        }
        for (id, item) in &krate.consts {
            let owner = item.owner.is_some_and(|owner| rooted(Reached::Impl(owner)));
            if !rooted(Reached::Const(id)) && !owner && self.is_looked_at(item.module) {
                self.written(item.module, &Params::default(), &item.ty);
            }
        }
        for item in krate.survey.statics.values().flatten() {
            if !item.rooted && self.is_looked_at(item.module) {
                self.kept_forever(item.module, &item.name, &item.ty);
            }
        }
        self.functions();
    }

    fn functions(&mut self) {
        let krate = self.krate;
        let place = |span: Span| (span.file, span.lo);
        let allowed = krate.fns.iter().filter(|(id, item)| {
            let owner = item.owner.map(Reached::Impl);
            let owner = owner.or(item.of_trait.map(Reached::Trait));
            let known = [Some(Reached::Fn(*id)), owner];
            known
                .into_iter()
                .flatten()
                .any(|r| krate.rooted.contains(&r))
        });
        // What is called of a function with a hint is an item of its own, without the attributes.
        let allowed: BTreeSet<_> = allowed.map(|(_, item)| place(item.span)).collect();
        let mut done = BTreeSet::new();
        for item in krate.fns.values() {
            let is_new = !allowed.contains(&place(item.span)) && done.insert(place(item.span));
            if is_new && self.is_looked_at(item.module) {
                values::function(self, item);
            }
        }
    }

    /// Whether a module is the interpreter's, and no module around it is marked.
    fn is_looked_at(&self, module: ModId) -> bool {
        let around = std::iter::successors(Some(module), |m| self.krate.modules[*m].parent);
        let is_rooted = |m: ModId| self.krate.rooted.contains(&Reached::Mod(m));
        let file = self.krate.modules[module].file;
        !self.krate.files[file].is_ours()
            && !self.krate.is_library(module)
            && !around.into_iter().any(is_rooted)
    }
}
