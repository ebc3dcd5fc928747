//! The variables that are in scope at a place in the portal. In: parameters and patterns, in the
//! order of the source. Out: whether a name is a variable there, and how it was declared.
//! Invariant: the innermost declaration wins, as in Rust.

use super::Ident;
use syn::visit::{self, Visit};
use syn::{FnArg, Pat, PatIdent, Signature, Type};

/// How a variable was declared.
#[derive(Clone, Copy, PartialEq)]
pub enum BindingKind {
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
pub struct PortalScope(Vec<(Ident, BindingKind)>);

impl PortalScope {
    /// The parameters of a function.
    pub fn of_params(sig: &Signature) -> PortalScope {
        let mut scope = PortalScope(Vec::new());
        for input in &sig.inputs {
            if let FnArg::Typed(arg) = input {
                scope.declare(&arg.pat);
                if let (Pat::Ident(_), Type::Reference(reference)) = (&*arg.pat, &*arg.ty)
                    && let Some((_, kind @ BindingKind::Fixed)) = scope.0.last_mut()
                {
                    *kind = match reference.mutability {
                        Some(_) => BindingKind::Unique,
                        None => BindingKind::Shared,
                    };
                }
            }
        }
        scope
    }

    /// The current depth, for [`PortalScope::release`].
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
    pub fn lookup(&self, name: &Ident) -> Option<BindingKind> {
        let found = self.0.iter().rev().find(|(n, _)| n == name);
        found.map(|(_, kind)| *kind)
    }
}

impl<'ast> Visit<'ast> for PortalScope {
    fn visit_pat_ident(&mut self, node: &'ast PatIdent) {
        let mutable = node.by_ref.is_none() && node.mutability.is_some();
        let kind = if mutable {
            BindingKind::Mutable
        } else {
            BindingKind::Fixed
        };
        self.0.push((node.ident.clone(), kind));
        visit::visit_pat_ident(self, node);
    }

    // A constant or a range's bound in a pattern declares nothing.
    fn visit_expr(&mut self, _: &'ast syn::Expr) {}
}

/// The variable that tells an activation of the portal from others.
pub fn frame() -> Ident {
    Ident::new("frame", proc_macro2::Span::mixed_site())
}
