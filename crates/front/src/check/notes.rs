//! What is noted of the calls in a function's source while it is checked.
//!
//! A note may have types with holes until the
//! function is checked.

use crate::items::*;
use crate::source::syntax::name_of;
use crate::types::generics::SubstId;
use crate::types::ty::Ty;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::visit::Visit;

/// A callee, while types may have holes.
pub(super) enum Noted {
    /// A function of the crate, and the implementation by which it was found.
    Function(FnItemId, SubstId, Option<ImplId>),
    /// What the standard library, or Verdigris, has for a type: a method, or a function of the
    /// type.
    Member(Ty, String),
    /// The method of a trait of the standard library that an operator means.
    Operator(Ty, &'static str, &'static str),
    /// A function by its path.
    Path(String),
    /// A function of the crate that is named as a value.
    Value(FnItemId, SubstId, Option<ImplId>),
}

/// Where a callee is called.
#[derive(Clone, Copy)]
pub(super) struct Whereabouts {
    pub in_guard: bool,
    pub is_dead: bool,
}

/// The notes on one function.
#[derive(Default)]
pub(super) struct Notes {
    /// With where they are.
    pub list: Vec<(Noted, Whereabouts)>,
    /// The closures that have been inlined, by their place in memory.
    pub closures: Vec<usize>,
    /// The names that are called in branches that are not looked at.
    pub skipped: Skipped,
    /// The names of the functions that the portal has for the engine to ask.
    pub asked: Skipped,
}

/// The names of what is called in a piece of source.
#[derive(Default)]
pub(super) struct Skipped(pub Vec<String>);

impl Skipped {
    /// A path is called.
    pub(super) fn see_path(&mut self, path: &syn::ExprPath) {
        let last = path.path.segments.last();
        self.0.extend(last.map(|segment| name_of(&segment.ident)));
    }

    /// What a macro of the standard library gets is no tree: a name in front of a bracket is
    /// called.
    fn see_tokens(&mut self, tokens: TokenStream) {
        let mut name = None;
        for token in tokens {
            if let TokenTree::Group(group) = &token {
                if group.delimiter() == Delimiter::Parenthesis {
                    self.0.extend(name.take());
                }
                self.see_tokens(group.stream());
            }
            name = match token {
                TokenTree::Ident(ident) => Some(name_of(&ident)),
                _ => None,
            };
        }
    }
}

impl<'ast> Visit<'ast> for Skipped {
    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        if let syn::Expr::Path(path) = &*call.func {
            self.see_path(path);
        }
        syn::visit::visit_expr_call(self, call);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        self.0.push(name_of(&call.method));
        syn::visit::visit_expr_method_call(self, call);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        self.see_tokens(mac.tokens.clone());
    }
}
