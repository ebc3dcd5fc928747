//! The variables that are in scope at a place in the portal. In: parameters and patterns, in the
//! order of the source. Out: whether a name is a variable there, and how it was declared.
//! Invariant: the innermost declaration wins, as in Rust.

use super::Ident;
use syn::visit::{self, Visit};
use syn::{FnArg, Pat, PatIdent, Signature, Type};

/// How a variable was declared.
#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    /// Without `mut`.
    Fixed,
    /// With `mut`, so that its value can change.
    Mutable,
    /// As a parameter that is a shared reference.
    Shared,
    /// As a parameter that is a `&mut` reference.
    Unique,
}

/// A stack of declarations.
pub struct Scope(Vec<(Ident, Kind)>);

impl Scope {
    /// The parameters of a function.
    pub fn of_params(sig: &Signature) -> Scope {
        let mut scope = Scope(Vec::new());
        for input in &sig.inputs {
            if let FnArg::Typed(arg) = input {
                scope.declare(&arg.pat);
                if let (Pat::Ident(_), Type::Reference(reference)) = (&*arg.pat, &*arg.ty)
                    && let Some((_, kind @ Kind::Fixed)) = scope.0.last_mut()
                {
                    *kind = match reference.mutability {
                        Some(_) => Kind::Unique,
                        None => Kind::Shared,
                    };
                }
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

    /// All names that are declared, the innermost last.
    pub fn names(&self) -> impl Iterator<Item = &Ident> {
        self.0.iter().map(|(name, _)| name)
    }

    /// Whether the name is a variable, and if so, how it was declared.
    pub fn lookup(&self, name: &Ident) -> Option<Kind> {
        let found = self.0.iter().rev().find(|(n, _)| n == name);
        found.map(|(_, kind)| *kind)
    }
}

impl<'ast> Visit<'ast> for Scope {
    fn visit_pat_ident(&mut self, node: &'ast PatIdent) {
        let mutable = node.by_ref.is_none() && node.mutability.is_some();
        let kind = if mutable { Kind::Mutable } else { Kind::Fixed };
        self.0.push((node.ident.clone(), kind));
        visit::visit_pat_ident(self, node);
    }

    // A constant or a range's bound in a pattern declares nothing.
    fn visit_expr(&mut self, _: &'ast syn::Expr) {}
}
