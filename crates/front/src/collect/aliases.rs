//! Aliases that stand for themselves. In: the aliases of a crate or of a block. Out: complaints.
//! Invariant: behind it, following aliases from one to the next ends. rustc
//! refuses them too, but only after the build script.

use crate::items::*;
use crate::source::diag::{DiagCode, Diagnostic};
use crate::source::load::span_of;
use crate::source::syntax::plain;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::rc::Rc;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// Complains about each alias that leads to itself, and makes it stand for `()`.
pub(super) fn check(krate: &mut Crate, which: Range<usize>, diags: &mut Vec<Diagnostic>) {
    let ids = || which.clone().map(|index| AliasId::from_u32(index as u32));
    let mut reached: FxHashMap<AliasId, Progress> = FxHashMap::default();
    let mut endless = Vec::new();
    for id in ids() {
        follow(krate, id, &mut reached, &mut endless);
    }
    for id in endless {
        let alias = krate.aliases[id].clone();
        let span = span_of(krate.modules[alias.module].file, alias.ty.span());
        diags.push(Diagnostic::new(DiagCode::EndlessAlias, span, &[]));
        krate.aliases[id] = Rc::new(AliasItem {
            module: alias.module,
            generics: alias.generics.clone(),
            ty: syn::parse_quote!(()),
        });
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Progress {
    /// Something that it mentions is being followed.
    Open,
    Done,
}

/// Notes what leads back to something that is open.
fn follow(
    krate: &Crate,
    id: AliasId,
    reached: &mut FxHashMap<AliasId, Progress>,
    endless: &mut Vec<AliasId>,
) {
    match reached.get(&id) {
        Some(Progress::Done) => return,
        Some(Progress::Open) => {
            if !endless.contains(&id) {
                endless.push(id);
            }
            return;
        }
        None => {}
    }
    reached.insert(id, Progress::Open);
    for next in mentioned(krate, id) {
        follow(krate, next, reached, endless);
    }
    reached.insert(id, Progress::Done);
}

/// The aliases that the type of an alias mentions.
fn mentioned(krate: &Crate, id: AliasId) -> Vec<AliasId> {
    struct Search<'k> {
        krate: &'k Crate,
        alias: &'k AliasItem,
        found: Vec<AliasId>,
    }
    impl<'t> Visit<'t> for Search<'_> {
        fn visit_path(&mut self, path: &'t syn::Path) {
            let written = plain(path);
            let is_param = !written.global
                && (written.segs.first()).is_some_and(|name| self.alias.generics.names(name));
            if !is_param
                && let Some((Def::Alias(id), _)) =
                    self.krate
                        .resolve(self.alias.module, written.global, &written.segs, Ns::Types)
            {
                self.found.push(id);
            }
            visit::visit_path(self, path);
        }

        /// The length of an array is no type: a constant may have the name of an alias.
        fn visit_expr(&mut self, _: &'t syn::Expr) {}
    }
    let mut search = Search {
        krate,
        alias: &krate.aliases[id],
        found: Vec::new(),
    };
    search.visit_type(&krate.aliases[id].ty);
    search.found
}
