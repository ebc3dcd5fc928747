//! The variables that are in scope at a place in the portal. In: parameters and patterns, in the order of the
//! source. Out: whether a name is a variable there, and whether it was declared `mut`. Invariant: the innermost
//! declaration wins, as in Rust.

use super::Ident;
use syn::visit::{self, Visit};
use syn::{FnArg, Pat, PatIdent, Signature};

/// A stack of declarations.
pub struct Scope(Vec<(Ident, bool)>);

impl Scope {
    /// The parameters of a function.
    pub fn of_params(sig: &Signature) -> Scope {
        let mut scope = Scope(Vec::new());
        for input in &sig.inputs {
            if let FnArg::Typed(arg) = input {
                scope.declare(&arg.pat);
            }
        }
        scope
    }

    /// The current depth, for [`Scope::release`].
    pub fn mark(&self) -> usize {
        self.0.len()
    }

    /// Forgets what has been declared since the mark.
    pub fn release(&mut self, mark: usize) {
        self.0.truncate(mark);
    }

    /// Declares the variables of a pattern.
    pub fn declare(&mut self, pat: &Pat) {
        self.visit_pat(pat);
    }

    /// Whether the name is a variable, and if so, whether it is mutable.
    pub fn lookup(&self, name: &Ident) -> Option<bool> {
        let found = self.0.iter().rev().find(|(n, _)| n == name);
        found.map(|(_, mutable)| *mutable)
    }
}

impl<'ast> Visit<'ast> for Scope {
    fn visit_pat_ident(&mut self, node: &'ast PatIdent) {
        self.0.push((
            node.ident.clone(),
            node.by_ref.is_none() && node.mutability.is_some(),
        ));
        visit::visit_pat_ident(self, node);
    }

    // A constant or a range's bound in a pattern declares nothing.
    fn visit_expr(&mut self, _: &'ast syn::Expr) {}
}
