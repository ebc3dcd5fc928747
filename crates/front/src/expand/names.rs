//! Names in expansions, once they have been parsed.
//!
//! In: syntax trees with marked names. Out: the same with marks on names of variables and labels
//! alone, and there only where a function has another name that is written the same. Invariant: a
//! name that is left without its mark means the same with and without it.

use crate::expand::tokens::{MARK, plain_ident, plain_tokens, unmarked};
use proc_macro2::{TokenStream, TokenTree};
use rustc_hash::{FxHashMap, FxHashSet};
use syn::visit_mut::{self, VisitMut};
use syn::{Item, Meta};

pub(super) fn plain_attr(attr: &mut syn::Attribute) {
    let path = match &mut attr.meta {
        Meta::Path(path) => path,
        Meta::List(list) => &mut list.path,
        Meta::NameValue(pair) => &mut pair.path,
    };
    Plain.visit_path_mut(path);
    match &mut attr.meta {
        Meta::List(list) => list.tokens = plain_tokens(list.tokens.clone(), false),
        Meta::NameValue(pair) => Plain.visit_expr_mut(&mut pair.value),
        Meta::Path(_) => {}
    }
}

/// Takes off the marks of what says which items there are: attributes, imports, names of modules
/// and macros.
pub(super) fn plain_head(item: &mut Item) {
    match item {
        Item::Mod(item) => {
            item.attrs.iter_mut().for_each(plain_attr);
            Plain.visit_visibility_mut(&mut item.vis);
            item.ident = plain_ident(&item.ident);
        }
        Item::Use(item) => Plain.visit_item_use_mut(item),
        Item::Macro(item) => {
            item.attrs.iter_mut().for_each(plain_attr);
            item.ident = item.ident.as_ref().map(plain_ident);
            Plain.visit_path_mut(&mut item.mac.path);
        }
        item => crate::source::syntax::attributes_mut(item)
            .iter_mut()
            .for_each(plain_attr),
    }
}

/// Takes off all marks.
pub(super) struct Plain;

impl VisitMut for Plain {
    fn visit_ident_mut(&mut self, ident: &mut syn::Ident) {
        *ident = plain_ident(ident);
    }

    fn visit_attribute_mut(&mut self, attr: &mut syn::Attribute) {
        plain_attr(attr);
    }
}

/// Where variables and labels are named.
trait Kept {
    fn ident(&mut self, ident: &mut syn::Ident);
    fn tokens(&mut self, tokens: &mut TokenStream);
}

struct Visitor<K>(K);

impl<K: Kept> VisitMut for Visitor<K> {
    fn visit_pat_ident_mut(&mut self, pat: &mut syn::PatIdent) {
        self.0.ident(&mut pat.ident);
        if let Some((_, inner)) = &mut pat.subpat {
            self.visit_pat_mut(inner);
        }
    }

    fn visit_expr_path_mut(&mut self, e: &mut syn::ExprPath) {
        match &mut e.path.segments.first_mut() {
            Some(only) if e.qself.is_none() && only.arguments.is_none() => {
                self.0.ident(&mut only.ident)
            }
            _ => visit_mut::visit_expr_path_mut(self, e),
        }
    }

    fn visit_lifetime_mut(&mut self, lifetime: &mut syn::Lifetime) {
        self.0.ident(&mut lifetime.ident);
    }

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        self.0.tokens(&mut mac.tokens);
    }
}

/// The ways in which each name is written.
#[derive(Default)]
struct Written(FxHashMap<String, FxHashSet<String>>);

impl Kept for &mut Written {
    fn ident(&mut self, ident: &mut syn::Ident) {
        let name = ident.to_string();
        let plain = unmarked(&name).to_owned();
        self.0.entry(plain).or_default().insert(name);
    }

    fn tokens(&mut self, tokens: &mut TokenStream) {
        for token in tokens.clone() {
            match token {
                TokenTree::Ident(mut ident) => self.ident(&mut ident),
                TokenTree::Group(group) => self.tokens(&mut group.stream()),
                _ => {}
            }
        }
    }
}

struct Strip<'w>(&'w Written);

impl Kept for Strip<'_> {
    fn ident(&mut self, ident: &mut syn::Ident) {
        let name = ident.to_string();
        let ways = self.0.0.get(unmarked(&name));
        if name.contains(MARK) && ways.is_none_or(|ways| ways.len() <= 1) {
            *ident = plain_ident(ident);
        }
    }

    fn tokens(&mut self, tokens: &mut TokenStream) {
        let plain = |token| match token {
            TokenTree::Ident(mut ident) => {
                self.ident(&mut ident);
                TokenTree::Ident(ident)
            }
            TokenTree::Group(group) => {
                let mut inner = group.stream();
                self.tokens(&mut inner);
                TokenTree::Group(crate::expand::tokens::regrouped(&group, inner))
            }
            token => token,
        };
        *tokens = tokens.clone().into_iter().map(plain).collect();
    }
}

/// Takes off the marks that tell nothing apart in something that can be visited.
pub(super) fn settle(mut visit: impl FnMut(&mut dyn VisitMut)) {
    let mut written = Written::default();
    visit(&mut Visitor(&mut written));
    if written.0.values().flatten().any(|name| name.contains(MARK)) {
        visit(&mut Visitor(Strip(&written)));
    }
}
