//! The variables of a body. In: its syntax. Out: the names that it binds, and of them those that
//! one place binds, and binds to a closure. Invariant: a name that stands in a macro counts as
//! bound by it.

use crate::source::syntax::name_of;
use rustc_hash::FxHashSet;
use syn::visit::{self, Visit};

/// Collects the names of variables, those that are bound more than once, and those that are bound
/// to closures.
#[derive(Default)]
pub(crate) struct Once {
    pub seen: FxHashSet<String>,
    pub again: FxHashSet<String>,
    /// What `let` binds to a closure.
    pub closures: FxHashSet<String>,
}

impl<'ast> Visit<'ast> for Once {
    fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
        let name = name_of(&pat.ident);
        if !self.seen.insert(name.clone()) {
            self.again.insert(name);
        }
        visit::visit_pat_ident(self, pat);
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        if let (syn::Pat::Ident(pat), Some(init)) = (&local.pat, &local.init)
            && matches!(*init.expr, syn::Expr::Closure(_))
        {
            self.closures.insert(name_of(&pat.ident));
        }
        visit::visit_local(self, local);
    }

    /// Tokens in a macro are not parsed here.
    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        self.again.extend(idents(mac.tokens.clone()));
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

/// All identifiers in tokens.
fn idents(tokens: proc_macro2::TokenStream) -> Vec<String> {
    tokens
        .into_iter()
        .flat_map(|token| match token {
            proc_macro2::TokenTree::Group(group) => idents(group.stream()),
            proc_macro2::TokenTree::Ident(ident) => vec![name_of(&ident)],
            _ => Vec::new(),
        })
        .collect()
}

/// Collects the names of variables.
pub(crate) struct Binder<'a>(pub &'a mut FxHashSet<String>);

impl<'ast> Visit<'ast> for Binder<'_> {
    fn visit_receiver(&mut self, _: &'ast syn::Receiver) {
        self.0.insert("self".to_owned());
    }

    fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
        self.0.insert(name_of(&pat.ident));
        visit::visit_pat_ident(self, pat);
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}
