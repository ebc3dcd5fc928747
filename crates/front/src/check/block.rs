//! Blocks and statements.
//!
//! In: statements. Out: an expression list. Invariant: the list's last value is the block's: a block whose last
//! statement has a semicolon ends with `()` or cannot be left.

use super::FnCx;
use crate::collect::{collect_block, name_of};
use crate::diag::Code;
use crate::hir::{Arm, Expr, Kind, Pat, PatKind};
use crate::infer::{Ty, VarKind};
use crate::tast::{LocalId, Span};
use syn::Stmt;

impl FnCx<'_> {
    /// A block with its own scope.
    pub(super) fn block(&mut self, block: &syn::Block, expect: Option<&Ty>) -> Expr {
        let span = self.span(block);
        self.scoped(|fcx| {
            fcx.block_items(block);
            fcx.stmts(&block.stmts, expect, span)
        })
    }

    /// Declares the items in a block.
    fn block_items(&mut self, block: &syn::Block) {
        let items: Vec<syn::Item> = block
            .stmts
            .iter()
            .filter_map(|s| match s {
                Stmt::Item(item) => Some(item.clone()),
                _ => None,
            })
            .collect();
        if !items.is_empty() {
            let cx = &mut *self.cx;
            self.env.module = collect_block(&mut cx.krate, self.env.module, items, &mut cx.diags);
        }
    }

    /// Statements in the current scope.
    pub(super) fn stmts(&mut self, stmts: &[Stmt], expect: Option<&Ty>, span: Span) -> Expr {
        let mut list = Vec::new();
        let mut tail_ty = None;
        let outer = std::mem::replace(&mut self.diverges, false);
        for (i, stmt) in stmts.iter().enumerate() {
            let last = i + 1 == stmts.len();
            if let Some(expr) = self.stmt(stmt, last, expect) {
                if last && is_tail(stmt) {
                    tail_ty = Some(self.infer.shallow(&expr.ty));
                }
                match expr.kind {
                    // The variables of `let .. else` belong to this block.
                    Kind::Block(inner) if is_let_else(stmt) => list.extend(inner),
                    _ => list.push(expr),
                }
            }
        }
        let ty = match tail_ty {
            Some(ty) => ty,
            None if self.diverges => Ty::Never,
            None => {
                // The place of the value that may be missing is the closing brace.
                let end = Span {
                    lo: span.hi.saturating_sub(1).max(span.lo),
                    ..span
                };
                list.push(Expr::unit(end));
                Ty::Unit
            }
        };
        self.diverges |= outer;
        Expr::block(list, ty, span)
    }

    /// One statement; `expect` is for the value of the block.
    fn stmt(&mut self, stmt: &Stmt, last: bool, expect: Option<&Ty>) -> Option<Expr> {
        match stmt {
            Stmt::Item(_) => None,
            Stmt::Local(local) => match crate::cfg::enabled(&local.attrs) {
                true => self.local(local),
                false => None,
            },
            Stmt::Expr(expr, semi) => {
                if semi.is_none() && last {
                    return Some(self.expr(expr, expect));
                }
                let unit = semi.is_none() && !matches!(expr, syn::Expr::Macro(_));
                let checked = match unit {
                    true => self.expr(expr, Some(&Ty::Unit)),
                    false => self.expr(expr, None),
                };
                Some(if unit {
                    self.coerce(checked, &Ty::Unit)
                } else {
                    checked
                })
            }
            Stmt::Macro(stmt) => match crate::cfg::enabled(&stmt.attrs) {
                true => {
                    let expect = expect.filter(|_| last && stmt.semi_token.is_none());
                    let expr = self.macro_expr(&stmt.mac, expect);
                    self.diverges |= expr.ty == Ty::Never;
                    Some(expr)
                }
                false => None,
            },
        }
    }

    /// `let`
    fn local(&mut self, local: &syn::Local) -> Option<Expr> {
        let span = self.span(local);
        let (pat, annotated) = match &local.pat {
            syn::Pat::Type(typed) => {
                let ty = self.cx.lower(&typed.ty, self.env, Some(&mut self.infer));
                (&*typed.pat, Some(ty))
            }
            pat => (pat, None),
        };
        let Some(init) = &local.init else {
            let ty = annotated.unwrap_or_else(|| self.hole(span));
            let name = self.binding_name(pat)?;
            let id = self.declare(name, ty, span);
            return Some(Expr::new(Kind::Declare(id), Ty::Unit, span));
        };
        let value = match &annotated {
            Some(ty) => self.coerced(&init.expr, ty),
            None => self.expr(&init.expr, None),
        };
        let ty = match (annotated, self.infer.shallow(&value.ty)) {
            (Some(ty), _) => ty,
            (None, Ty::Never) => self.infer.var(VarKind::Diverging, span),
            (None, ty) => ty,
        };
        if let Some((_, diverge)) = &init.diverge {
            return Some(self.let_else(pat, value, &ty, diverge, span));
        }
        if matches!(pat, syn::Pat::Wild(_)) {
            return Some(value);
        }
        let Some(name) = plain_name(pat) else {
            // As in Rust, the pattern's names are behind the annotation's type, not the value's.
            let value = self.coerce(value, &ty);
            return Some(self.destructure(pat, value, span));
        };
        let id = self.declare(name, ty, self.span(pat));
        Some(Expr::new(Kind::Let(id, Box::new(value)), Ty::Unit, span))
    }

    /// The name of a variable that gets its value later.
    fn binding_name(&mut self, pat: &syn::Pat) -> Option<String> {
        let name = plain_name(pat);
        if name.is_none() {
            let span = self.span(pat);
            let words = [
                "this pattern without a value",
                "declare the names one by one",
            ];
            self.err(Code::UnsupportedPattern, span, &words);
            self.declare_names(pat);
        }
        name
    }

    /// Declares what a pattern that has been complained about would bind, so that uses are not complained about.
    fn declare_names(&mut self, pat: &syn::Pat) {
        use syn::visit::Visit;
        struct Names(Vec<syn::Ident>);
        impl<'ast> Visit<'ast> for Names {
            fn visit_pat_ident(&mut self, node: &'ast syn::PatIdent) {
                self.0.push(node.ident.clone());
                syn::visit::visit_pat_ident(self, node);
            }
        }
        let mut names = Names(Vec::new());
        names.visit_pat(pat);
        for ident in names.0 {
            let span = self.span(&ident);
            self.declare(name_of(&ident), Ty::Error, span);
        }
    }

    /// `let PAT = value else { .. }`: the variables are declared outside the match that assigns them.
    fn let_else(
        &mut self,
        pat: &syn::Pat,
        value: Expr,
        ty: &Ty,
        diverge: &syn::Expr,
        span: Span,
    ) -> Expr {
        let before = self.diverges;
        let other = self.expr(diverge, None);
        if !self.diverges && !matches!(other.ty, Ty::Never | Ty::Error) {
            self.mismatch(&other.ty, "!", other.span);
        }
        self.diverges = before;
        let mark = self.scope.len();
        let pat = self.pat(pat, ty);
        let inner: Vec<(String, LocalId)> = self.scope.split_off(mark);
        let mut list = Vec::new();
        let mut assigns = Vec::new();
        for (name, from) in inner {
            let (ty, at) = (self.locals[from].ty.clone(), self.locals[from].span);
            let to = self.declare(name, ty, at);
            list.push(Expr::new(Kind::Declare(to), Ty::Unit, at));
            assigns.push(Expr::assign(to, self.read(from, at)));
        }
        assigns.push(Expr::unit(span));
        let wild = Pat {
            kind: PatKind::Wild,
            span,
        };
        let arms = vec![
            Arm {
                pat,
                guard: None,
                body: Expr::block(assigns, Ty::Unit, span),
            },
            Arm {
                pat: wild,
                guard: None,
                body: other,
            },
        ];
        list.push(Expr::new(
            Kind::Match(Box::new(value), arms),
            Ty::Unit,
            span,
        ));
        Expr::block(list, Ty::Unit, span)
    }
}

/// The name, if a pattern is just that.
fn plain_name(pat: &syn::Pat) -> Option<String> {
    match pat {
        syn::Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() => Some(name_of(&p.ident)),
        syn::Pat::Paren(p) => plain_name(&p.pat),
        _ => None,
    }
}

fn is_let_else(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Local(local) if local.init.as_ref().is_some_and(|i| i.diverge.is_some()))
}

/// Whether the statement, as the last one, gives the block its value.
fn is_tail(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Expr(_, semi) => semi.is_none(),
        Stmt::Macro(m) => m.semi_token.is_none(),
        _ => false,
    }
}
