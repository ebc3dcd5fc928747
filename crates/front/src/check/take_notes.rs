//! Which functions the calls in a function's source mean, noted while it is checked.
//!
//! In: callees as the checker finds them. Out: their descriptions ([`crate::callees`]), in the
//! order in which they were found. Invariants: a call in the source is noted once, however often
//! what it is in is checked: the body of a closure is where it is inlined first; calls that the
//! source does not have, but the checker makes of something else, are not noted. Nothing is noted
//! unless notes were asked for.

use crate::callee::{self, Noted as Found};
use crate::check::fcx::FnCx;
use crate::check::notes::{Noted, Skipped, Whereabouts};
use crate::check::terms::{Callee, Name};
use crate::types::generics::Inst;
use crate::types::ty::Ty;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::Visit;

impl FnCx<'_> {
    fn note(&mut self, noted: impl FnOnce() -> Noted) {
        if self.cx.callees.is_some() && self.site.quiet == 0 {
            let whereabouts = Whereabouts {
                in_guard: self.site.guards > 0,
                is_dead: self.site.dead > 0 || self.diverges,
            };
            self.notes.list.push((noted(), whereabouts));
        }
    }

    pub(super) fn note_function(&mut self, callee: Callee<'_>) {
        self.note(|| Noted::Function(callee.item, callee.subst, callee.by));
    }

    pub(super) fn note_value(&mut self, callee: Callee<'_>) {
        self.note(|| Noted::Value(callee.item, callee.subst, callee.by));
    }

    /// Takes note of a method, or a function, that a type has without the crate's doing.
    pub(super) fn note_member(&mut self, ty: &Ty, name: &str) {
        self.note(|| Noted::Member(ty.clone(), name.to_owned()));
    }

    pub(super) fn note_operator(&mut self, ty: &Ty, of_trait: &'static str, name: &'static str) {
        self.note(|| Noted::Operator(ty.clone(), of_trait, name));
    }

    pub(super) fn note_path(&mut self, (of, name): (&str, &str)) {
        self.note(|| Noted::Path(format!("{of}::{name}")));
    }

    /// Checks something whose calls are not the source's.
    pub(super) fn quietly<R>(&mut self, check: impl FnOnce(&mut Self) -> R) -> R {
        self.site.quiet += 1;
        let checked = check(self);
        self.site.quiet -= 1;
        checked
    }

    /// Takes note of what a branch calls that traced code never takes, so that it is not looked at.
    pub(super) fn note_skipped(&mut self, visit: impl FnOnce(&mut Skipped)) {
        if self.cx.callees.is_some() && self.site.quiet == 0 {
            visit(&mut self.notes.skipped);
        }
    }

    /// Takes note of a function that the engine asks. The portal's macro has rustc look at it in a
    /// closure that is never called.
    pub(super) fn note_engine_asks(&mut self, function: &syn::ExprPath) {
        if self.cx.callees.is_some() {
            self.notes.asked.see_path(function);
        }
    }

    /// Checks the guard of an arm, which rustc may have for each alternative of the pattern.
    pub(super) fn noted_in_guard<R>(
        &mut self,
        pat: &syn::Pat,
        check: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let noting = self.cx.callees.is_some();
        let alternatives = noting && pat.to_token_stream().to_string().contains('|');
        self.site.guards += u32::from(alternatives);
        let checked = check(self);
        self.site.guards -= u32::from(alternatives);
        checked
    }

    /// Checks the body of a closure, whose calls are noted the first time.
    pub(super) fn noted_once<R>(
        &mut self,
        closure: &syn::ExprClosure,
        check: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let place = std::ptr::from_ref(closure) as usize;
        if self.notes.closures.contains(&place) {
            return self.quietly(check);
        }
        self.notes.closures.push(place);
        check(self)
    }

    /// Checks something that is chosen by the value of an expression: if that is a constant, rustc
    /// leaves out what is not chosen; and what is behind it, if what is chosen leaves.
    pub(super) fn noted_under<R>(
        &mut self,
        (whole, choice): (&impl ToTokens, Option<&syn::Expr>),
        check: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let noting = self.cx.callees.is_some();
        let decided = noting && choice.is_some_and(may_be_decided);
        self.site.dead += u32::from(decided);
        let checked = check(self);
        self.site.dead -= u32::from(decided && !leaves(whole.to_token_stream()));
        checked
    }

    /// Checks a call: if one of its arguments does not go on, what it means is not called.
    pub(super) fn noted_call<R>(
        &mut self,
        call: &syn::Expr,
        check: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let name = match call {
            syn::Expr::MethodCall(e) => Some(&e.method),
            syn::Expr::Call(e) => match &*e.func {
                syn::Expr::Path(path) => path.path.segments.last().map(|s| &s.ident),
                _ => None,
            },
            _ => None,
        };
        let Some(name) = name.filter(|_| self.cx.callees.is_some() && !self.diverges) else {
            return check(self);
        };
        let before = self.notes.list.len();
        let checked = check(self);
        if self.diverges {
            let krate = &self.cx.krate;
            for (noted, whereabouts) in self.notes.list.iter_mut().skip(before) {
                whereabouts.is_dead |= match noted {
                    Noted::Function(item, ..) => *name == krate.fns[*item].name,
                    Noted::Member(_, member) => name == member,
                    Noted::Operator(_, _, member) => name == member,
                    Noted::Path(path) => path.ends_with(&name.to_string()),
                    Noted::Value(..) => false,
                };
            }
        }
        checked
    }

    /// Hands over what has been noted, at the end.
    pub(super) fn hand_over_notes(&mut self) {
        let Some(func) = self.func.filter(|_| self.cx.callees.is_some()) else {
            return;
        };
        // The body of a closure that is never called is not checked.
        for local in self.locals.values() {
            if let Name::Closure(named) = &local.name_is
                && let syn::Expr::Closure(closure) = &named.callee
                && !(self.notes.closures).contains(&(std::ptr::from_ref(closure) as usize))
            {
                self.notes.skipped.visit_expr_closure(closure);
            }
        }
        let notes = std::mem::take(&mut self.notes.list);
        let mut found: Vec<Found> = Vec::new();
        for (noted, Whereabouts { in_guard, is_dead }) in notes {
            let mut called = None;
            let is_value = matches!(noted, Noted::Value(..));
            let callee = match noted {
                Noted::Function(item, subst, by) | Noted::Value(item, subst, by) => {
                    let subst = self.cx.interned.substs.get(subst).deep(&self.infer);
                    let subst = self.cx.interned.substs.intern(subst);
                    called = Some(Inst { item, subst });
                    crate::callees::function(self.cx, (item, subst, by), &mut self.infer)
                }
                Noted::Member(ty, name) => {
                    let ty = self.infer.deep(&ty);
                    Some(crate::callees::member(self.cx, &ty, &name))
                }
                Noted::Operator(ty, of_trait, name) => {
                    let ty = self.infer.deep(&ty);
                    Some(crate::callees::operator(self.cx, &ty, of_trait, name))
                }
                Noted::Path(path) => Some(callee::Callee::Path(path)),
            };
            found.extend(callee.map(|callee| Found {
                callee,
                called,
                is_value,
                in_guard,
                is_dead,
            }));
        }
        let skipped = std::mem::take(&mut self.notes.skipped.0);
        let asked = std::mem::take(&mut self.notes.asked.0);
        if let Some(all) = &mut self.cx.callees {
            let notes = callee::Notes {
                found,
                skipped,
                asked,
            };
            all.insert(func, notes);
        }
    }
}

/// Whether the value of a condition, or whether it is looked at to its end, does not depend on a
/// variable or a call.
fn may_be_decided(choice: &syn::Expr) -> bool {
    match choice {
        syn::Expr::Paren(e) => may_be_decided(&e.expr),
        syn::Expr::Group(e) => may_be_decided(&e.expr),
        syn::Expr::Unary(e) => may_be_decided(&e.expr),
        syn::Expr::Binary(e) if matches!(e.op, syn::BinOp::And(_) | syn::BinOp::Or(_)) => {
            may_be_decided(&e.left) || may_be_decided(&e.right)
        }
        choice => is_constant(choice),
    }
}

/// Whether there may be something in a source that does not go on with what is behind.
fn leaves(source: TokenStream) -> bool {
    source.into_iter().any(|token| match token {
        TokenTree::Group(group) => leaves(group.stream()),
        TokenTree::Ident(word) => {
            let word = word.to_string();
            matches!(word.as_str(), "return" | "break" | "continue" | "loop")
                || word.contains("panic")
                || word.contains("unreachable")
        }
        TokenTree::Punct(mark) => mark.as_char() == '?',
        TokenTree::Literal(_) => false,
    })
}

fn is_constant(expr: &syn::Expr) -> bool {
    match expr {
        syn::Expr::Lit(_) => true,
        syn::Expr::Paren(e) => is_constant(&e.expr),
        syn::Expr::Group(e) => is_constant(&e.expr),
        syn::Expr::Unary(e) => is_constant(&e.expr),
        syn::Expr::Cast(e) => is_constant(&e.expr),
        syn::Expr::Binary(e) => is_constant(&e.left) && is_constant(&e.right),
        syn::Expr::Path(e) => e.path.get_ident().is_none_or(|ident| {
            let name = ident.to_string();
            name.starts_with(char::is_uppercase)
        }),
        syn::Expr::Macro(e) => e.mac.path.is_ident("cfg"),
        syn::Expr::Let(e) => is_constant(&e.expr),
        _ => false,
    }
}

/// Whether a pattern fits every value, as far as its form says it.
pub(super) fn fits_all(pat: &syn::Pat) -> bool {
    match pat {
        syn::Pat::Wild(_) | syn::Pat::Rest(_) => true,
        syn::Pat::Ident(p) => {
            let is_name = p.ident.to_string().starts_with(char::is_lowercase);
            p.subpat.as_ref().map_or(is_name, |sub| fits_all(&sub.1))
        }
        syn::Pat::Paren(p) => fits_all(&p.pat),
        syn::Pat::Type(p) => fits_all(&p.pat),
        syn::Pat::Reference(p) => fits_all(&p.pat),
        syn::Pat::Tuple(p) => p.elems.iter().all(fits_all),
        syn::Pat::Or(p) => p.cases.iter().any(fits_all),
        _ => false,
    }
}
