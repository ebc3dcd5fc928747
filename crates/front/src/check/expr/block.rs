//! Blocks and statements.
//!
//! In: statements. Out: an expression list. Invariant: the list's last value is the block's: a
//! block whose last statement has a semicolon ends with `()` or cannot be left.

use crate::check::fcx::FnCx;
use crate::check::hir::{Arm, Expr, Kind, Pat, PatKind};
use crate::check::take_notes::fits_all;
use crate::check::terms::{Borrowed, Name, Place, Subject};
use crate::collect::collect_block;
use crate::sabotage::Sabotage;
use crate::source::diag::DiagCode;
use crate::source::syntax::name_of;
use crate::tast::{LocalId, Span};
use crate::types::infer::VarKind;
use crate::types::ty::Ty;
use syn::Stmt;

impl FnCx<'_> {
    /// A block with its own scope.
    pub(in crate::check) fn block(&mut self, block: &syn::Block, expect: Option<&Ty>) -> Expr {
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
            self.site.env.module = collect_block(
                &mut cx.krate,
                self.site.env.module,
                items,
                &mut cx.diags.list,
            );
        }
    }

    /// Statements in the current scope.
    pub(in crate::check) fn stmts(
        &mut self,
        stmts: &[Stmt],
        expect: Option<&Ty>,
        span: Span,
    ) -> Expr {
        let mut list = Vec::new();
        let mut tail_ty = None;
        let outer = std::mem::replace(&mut self.diverges, false);
        self.site.dead += u32::from(outer);
        let stmts: Vec<&Stmt> = stmts.iter().filter(|s| keeps(s)).collect();
        for (i, &stmt) in stmts.iter().enumerate() {
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
        self.site.dead -= u32::from(outer);
        Expr::block(list, ty, span)
    }

    /// One statement; `expect` is for the value of the block.
    fn stmt(&mut self, stmt: &Stmt, last: bool, expect: Option<&Ty>) -> Option<Expr> {
        match stmt {
            Stmt::Item(item) => {
                if let Some(number) = crate::expand::local_macro(item) {
                    self.site.scope.define_macro(number);
                }
                None
            }
            Stmt::Local(local) => self.local(local),
            Stmt::Expr(syn::Expr::Call(call), Some(_)) if Sabotage::LoseEffect.is_on() => {
                Some(Expr::unit(self.span(call)))
            }
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
            Stmt::Macro(stmt) => {
                let expect = expect.filter(|_| last && stmt.semi_token.is_none());
                let expr = self.macro_expr(&stmt.mac, expect);
                self.diverges |= expr.ty == Ty::Never;
                Some(expr)
            }
        }
    }

    /// `let`
    fn local(&mut self, local: &syn::Local) -> Option<Expr> {
        let value = local.init.as_ref().map(|init| &*init.expr);
        let forms = value.map_or(Vec::new(), |value| self.let_forms(&local.pat, value));
        let init = local.init.as_ref();
        let choice = init.filter(|init| init.diverge.is_some());
        let choice = choice.map(|init| &*init.expr);
        let checked = self.noted_under((local, choice), |fcx| fcx.declared(local));
        self.set_forms(forms);
        checked
    }

    fn declared(&mut self, local: &syn::Local) -> Option<Expr> {
        let span = self.span(local);
        let (pat, annotated) = match &local.pat {
            syn::Pat::Type(typed) => {
                let ty = match &*typed.ty {
                    syn::Type::Reference(r) if crate::types::lower_ty::is_unsized(&r.elem) => {
                        self.cx.foreign_ty(r, self.site.env)
                    }
                    // What the value is says that it is a reference.
                    syn::Type::Reference(r) => {
                        self.cx.lower(&r.elem, self.site.env, Some(&mut self.infer))
                    }
                    ty => self.cx.lower(ty, self.site.env, Some(&mut self.infer)),
                };
                (&*typed.pat, Some(ty))
            }
            pat => (pat, None),
        };
        if let Some(init) = &local.init
            && let syn::Expr::Closure(closure) = &*init.expr
            && let Some(name) = plain_name(pat)
            && !matches!(annotated, Some(Ty::Fn(_)))
        {
            self.let_closure(name, closure, span);
            return None;
        }
        let Some(init) = &local.init else {
            let ty = annotated.unwrap_or_else(|| self.hole(span));
            return Some(self.declare_later(pat, ty, span));
        };
        if init.diverge.is_none()
            && let Some((first, place)) = self.lent_place(&init.expr)
        {
            return Some(self.let_mut(pat, annotated, first, place, span));
        }
        let mut subject = match init.diverge {
            Some(_) => self.subject(&init.expr),
            None => Subject {
                place: self.find_place(&init.expr),
                borrowed: Borrowed::No,
                value: match &annotated {
                    Some(ty) => self.expected(&init.expr, ty),
                    None => self.expr(&init.expr, None),
                },
            },
        };
        if let Some(ty) = &annotated {
            subject.value = self.coerce(subject.value, ty);
        }
        let Subject {
            value,
            place,
            borrowed,
        } = subject;
        let ty = match (annotated, self.infer.shallow(&value.ty)) {
            (Some(ty), _) => ty,
            (None, Ty::Never) => self.infer.var(VarKind::Diverging, span),
            (None, ty) => ty,
        };
        if let Some((_, diverge)) = &init.diverge {
            let subject = Subject {
                value,
                place,
                borrowed,
            };
            return Some(self.let_else(pat, subject, &ty, diverge, span));
        }
        if matches!(pat, syn::Pat::Wild(_)) {
            return Some(value);
        }
        let Some(name) = plain_name(pat) else {
            // As in Rust, the pattern's names are behind the annotation's type, not the value's.
            let value = self.coerce(value, &ty);
            let subject = Subject {
                value,
                place: place.filter(|_| by_ref_mut(pat)),
                borrowed: Borrowed::No,
            };
            return Some(self.destructure(pat, subject, span));
        };
        let id = self.declare(name, ty, self.span(pat));
        Some(Expr::new(Kind::Let(id, Box::new(value)), Ty::Unit, span))
    }

    /// `let PAT = &mut place;`: the names are other names of the place or of its parts.
    fn let_mut(
        &mut self,
        pat: &syn::Pat,
        annotated: Option<Ty>,
        first: Option<Expr>,
        place: Place,
        span: Span,
    ) -> Expr {
        let ty = self.place_ty(&place);
        if let Some(annotated) = annotated {
            self.equate(&annotated, &ty, span);
        }
        let mut list = Vec::from_iter(first);
        match plain_name(pat) {
            Some(name) => {
                let local = self.declare(name, ty, self.span(pat));
                self.locals[local].name_is = Name::Alias(place);
            }
            None => {
                let subject = Subject {
                    value: self.read_place(&place, span),
                    place: Some(place),
                    borrowed: Borrowed::Whole,
                };
                list.push(self.destructure(pat, subject, span));
            }
        }
        list.push(Expr::unit(span));
        Expr::block(list, Ty::Unit, span)
    }

    /// Variables that get their values later: a name, or a tuple of these.
    fn declare_later(&mut self, pat: &syn::Pat, ty: Ty, span: Span) -> Expr {
        let at = self.span(pat);
        match pat {
            syn::Pat::Paren(p) => self.declare_later(&p.pat, ty, span),
            syn::Pat::Wild(_) => Expr::unit(at),
            syn::Pat::Tuple(p) if !p.elems.iter().any(|p| matches!(p, syn::Pat::Rest(_))) => {
                let parts: Vec<Ty> = p
                    .elems
                    .iter()
                    .map(|elem| {
                        let span = self.span(elem);
                        self.hole(span)
                    })
                    .collect();
                self.equate(&ty, &Ty::Tuple(parts.clone()), at);
                let elems = p.elems.iter().zip(parts);
                let list: Vec<Expr> = elems
                    .map(|(elem, ty)| self.declare_later(elem, ty, span))
                    .collect();
                Expr::block(list, Ty::Unit, span)
            }
            pat => match plain_name(pat) {
                Some(name) => {
                    let id = self.declare(name, ty, at);
                    Expr::new(Kind::Declare(id), Ty::Unit, span)
                }
                None => {
                    let words = [
                        "this pattern without a value",
                        "declare the names one by one",
                    ];
                    self.err(DiagCode::UnsupportedPattern, at, &words);
                    self.declare_names(pat);
                    Expr::unit(span)
                }
            },
        }
    }

    /// Declares what a pattern that has been complained about would bind, so that uses are not
    /// complained about.
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

    /// `let PAT = value else { .. }`: the variables are declared outside the match that assigns
    /// them.
    fn let_else(
        &mut self,
        pat: &syn::Pat,
        subject: Subject,
        ty: &Ty,
        diverge: &syn::Expr,
        span: Span,
    ) -> Expr {
        let before = self.diverges;
        self.site.dead += u32::from(fits_all(pat));
        let other = self.expr(diverge, None);
        self.site.dead -= u32::from(fits_all(pat));
        if !self.diverges && !matches!(other.ty, Ty::Never | Ty::Error) {
            self.mismatch(&other.ty, "!", other.span);
        }
        self.diverges = before;
        let mark = self.site.scope.len();
        let pat = self.pat_on(pat, &subject, ty);
        let inner: Vec<(String, LocalId)> = self.site.scope.split_off(mark);
        let mut list = Vec::new();
        let mut assigns = Vec::new();
        for (name, from) in inner {
            if self.is_lent(from) {
                // Another name of a place needs no variable.
                self.site.scope.push(&name, from);
                continue;
            }
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
            Kind::Match(Box::new(subject.value), arms),
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

/// Whether a pattern has a `ref mut` in it.
fn by_ref_mut(pat: &syn::Pat) -> bool {
    use syn::visit::Visit;
    struct Search(bool);
    impl<'ast> Visit<'ast> for Search {
        fn visit_pat_ident(&mut self, node: &'ast syn::PatIdent) {
            self.0 |= node.by_ref.is_some() && node.mutability.is_some();
            syn::visit::visit_pat_ident(self, node);
        }
    }
    let mut search = Search(false);
    search.visit_pat(pat);
    search.0
}

/// Whether the configuration keeps a statement.
fn keeps(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Local(local) => crate::source::cfg::enabled(&local.attrs),
        Stmt::Macro(stmt) => crate::source::cfg::enabled(&stmt.attrs),
        Stmt::Expr(expr, _) => crate::source::cfg::keeps(expr),
        // They have been declared.
        Stmt::Item(item) => crate::expand::local_macro(item).is_some(),
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
