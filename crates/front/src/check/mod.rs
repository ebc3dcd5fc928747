//! Checks one function: names, types, and that everything is in the subset.
//!
//! In: a function's syntax and the tables. Out: [`hir`](crate::check::hir) with the equations
//! between its types solved; then [`finish`](crate::check::finish) makes the typed form.
//! Invariants: every mistake is reported once, at its place, and checking goes on behind it with
//! [`Ty::Error`]; an expected type that is passed down is one that the result is coerced to
//! afterwards, so it may be relied on.

mod binary;
mod call;
pub(crate) mod exhaust;
mod expr;
pub(crate) mod fcx;
pub(crate) mod finish;
pub(crate) mod hir;
mod notes;
mod pat;
mod scope;
pub(crate) mod std_calls;
mod take_notes;
mod terms;

pub(crate) use call::inherent_methods::has as has_itself;

use crate::check::fcx::FnCx;
use crate::check::hir::Expr;
use crate::check::terms::{Borrowed, Name, Place, Subject};
use crate::cx::Cx;
use crate::cx::sources::refs_of;
use crate::cx::sources::{ClassSrc, Env};
use crate::items::{FnItem, FnItemId};
use crate::source::diag::{DiagCode, Diagnostic};
use crate::source::syntax::name_of;
use crate::tast::{self, FuncId, LocalId, Span};
use crate::types::generics::SubstId;
use crate::types::ty::{ByRef, Sig, Ty, final_type};

/// Checks a traced function.
pub(crate) fn check_func(cx: &mut Cx, id: FuncId) -> tast::Func {
    let inst = cx.queue.func_items[id];
    let item_id = inst.item;
    let item = cx.krate.fns[item_id].clone();
    let known = cx.diags.list.len();
    let sig = cx.signature(inst);
    let env = cx.fn_env(inst);
    let mut fcx = FnCx::new(cx, env, sig.ret.clone());
    fcx.func = Some(id);
    fcx.site.in_portal = item.attrs.portal;
    let (params, mut prologue) = fcx.params(item_id, &sig);
    let body = fcx.block(&item.body, Some(&sig.ret));
    let mut body = fcx.coerce(body, &sig.ret);
    if !prologue.is_empty() {
        let (ty, span) = (body.ty.clone(), body.span);
        prologue.push(body);
        body = Expr::block(prologue, ty, span);
    }
    fcx.check_hints(item_id);
    fcx.solve();
    fcx.note_asked(item_id);
    fcx.hand_over_notes();
    if fcx.portal.merge_point.is_some() {
        fcx.policies(item_id);
        fcx.values_of_merge_point();
    }
    let lent = params.iter().zip(&sig.by_ref);
    let lent = lent.filter(|p| *p.1 == ByRef::Mut).map(|p| *p.0).collect();
    let name = fcx.cx.inst_path(inst);
    let (locals, body) = finish::finish(&mut fcx, body);
    forget_consequences(&mut fcx.cx.diags.list, known);
    if inst.subst != SubstId::EMPTY {
        // The source alone does not say for which types it is wrong.
        let diags = &mut fcx.cx.diags.list[known..];
        for d in diags
            .iter_mut()
            .filter(|d| d.code != DiagCode::EndlessInstances)
        {
            d.notes.push(format!("in `{name}`"));
        }
    }
    tast::Func {
        name,
        params,
        lent,
        ret: final_type(&sig.ret),
        locals,
        body,
        span: item.span,
        unroll_safe: item.attrs.unroll_safe,
    }
}

/// A mistake leaves types unknown: of a function with others, unknown types are no mistakes of
/// their own.
fn forget_consequences(diags: &mut Vec<Diagnostic>, known: usize) {
    if diags[known..].iter().any(|d| d.code != DiagCode::Annotate) {
        let of_function = diags.split_off(known);
        diags.extend(
            of_function
                .into_iter()
                .filter(|d| d.code != DiagCode::Annotate),
        );
    }
}

/// Checks the value of a constant.
pub(crate) fn check_const(cx: &mut Cx, value: &syn::Expr, env: Env, ty: &Ty) -> tast::Expr {
    let mut fcx = FnCx::new(cx, env, ty.clone());
    let value = fcx.coerced(value, ty);
    fcx.solve();
    finish::finish(&mut fcx, value).1
}

impl FnCx<'_> {
    /// Declares the parameters; and what takes those apart that are patterns.
    fn params(&mut self, id: FnItemId, sig: &Sig) -> (Vec<LocalId>, Vec<Expr>) {
        let item = self.cx.krate.fns[id].clone();
        let (mut params, mut prologue) = (Vec::new(), Vec::new());
        for (input, (ty, by_ref)) in item
            .sig
            .inputs
            .iter()
            .zip(sig.params.iter().zip(&sig.by_ref))
        {
            let span = self.span(input);
            let (name, pat) = match input {
                syn::FnArg::Receiver(_) => ("self".to_owned(), None),
                syn::FnArg::Typed(arg) => match &*arg.pat {
                    syn::Pat::Ident(p) if p.subpat.is_none() && p.by_ref.is_none() => {
                        (name_of(&p.ident), None)
                    }
                    syn::Pat::Wild(_) => ("_".to_owned(), None),
                    pat => ("_".to_owned(), Some(pat)),
                },
            };
            let local = self.declare(name, ty.clone(), span);
            let mut borrowed = Borrowed::No;
            if *by_ref == ByRef::Mut {
                self.locals[local].name_is = Name::Lent;
                borrowed = Borrowed::Whole;
            }
            self.locals[local].param = match input {
                syn::FnArg::Receiver(_) => item.of_trait.is_some(),
                syn::FnArg::Typed(arg) => self.names_param(&arg.ty),
            };
            self.locals[local].around = match input {
                syn::FnArg::Receiver(_) => self.around_param("Self"),
                syn::FnArg::Typed(arg) => match refs_of(&arg.ty).1 {
                    syn::Type::Path(p) => {
                        let name = p.path.get_ident().map(name_of);
                        name.and_then(|name| self.around_param(&name))
                    }
                    _ => None,
                },
            };
            self.locals[local].form = match input {
                syn::FnArg::Receiver(receiver) => self.source_type_of_type(&receiver.ty),
                syn::FnArg::Typed(arg) => self.source_type_of_type(&arg.ty),
            };
            params.push(local);
            if let Some(pat) = pat {
                let subject = Subject {
                    value: self.read(local, span),
                    place: Some(Place::of(local)),
                    borrowed,
                };
                prologue.push(self.destructure(pat, subject, span));
            }
        }
        (params, prologue)
    }

    /// Whether a type is written as a type parameter.
    fn names_param(&self, ty: &syn::Type) -> bool {
        match ty {
            syn::Type::Reference(r) => self.names_param(&r.elem),
            syn::Type::Path(p) => p.path.get_ident().is_some_and(|ident| {
                let subst = self.cx.interned.substs.get(self.site.env.subst);
                let of_trait = ident == "Self" && self.site.env.owner.is_none();
                of_trait || subst.get(&name_of(ident)).is_some()
            }),
            _ => false,
        }
    }

    /// What the function as a whole must be: the portal has its merge point, and nothing else
    /// loops.
    fn check_hints(&mut self, id: FnItemId) {
        let item = self.cx.krate.fns[id].clone();
        if item.attrs.portal {
            if self.portal.merge_point.is_none() {
                self.without_merge_point(&item);
            }
        } else if let Some(at) = self.site.first_loop.get()
            && !item.attrs.unroll_safe
        {
            self.loops(id, at);
        }
    }

    /// Complains about a portal without a merge point in its place; what follows from that is no
    /// other mistake: marks of back edges have no loop, and behind a `while` there is no value.
    fn without_merge_point(&mut self, item: &FnItem) {
        let end = self.span(&item.body).hi;
        let misplaced = self.cx.diags.list.iter();
        let misplaced = misplaced.filter(|d| d.code == DiagCode::MisplacedMergePoint);
        let misplaced: Vec<Span> = misplaced.filter_map(|d| d.span).collect();
        let follows = |at: Span| {
            let around = |m: &Span| m.file == at.file && at.lo <= m.lo && m.hi <= at.hi;
            misplaced.iter().any(|m| around(m) || at.hi == end)
        };
        self.cx.diags.list.retain(|d| match d.code {
            DiagCode::MisplacedCanEnter => false,
            DiagCode::Mismatch => !d.span.is_some_and(follows),
            _ => true,
        });
        if !self.portal.is_misplaced {
            self.err(DiagCode::NoMergePoint, item.span, &[&item.name]);
        }
    }

    /// Complains about variables of the merge point that have no form which rustc's and compiled
    /// code share.
    fn values_of_merge_point(&mut self) {
        for (local, span) in std::mem::take(&mut self.portal.variables) {
            let ty = self.infer.deep(&self.locals[local].ty);
            let Some((name, declared)) = self.cx.unmarked(&ty) else {
                continue;
            };
            let variable = self.cx.text(span);
            if variable == "self" {
                // A portal is no method, and that is said.
                continue;
            }
            let message = format!("has `{variable}`, and `{name}` is not marked `#[value]`");
            let d = Diagnostic::new(DiagCode::BadMergePoint, span, &[&message]);
            let help = format!(
                "put `#[value]` in front of `{name}`, and let it be `Copy`; or list its fields, as variables of their own"
            );
            let d = d.at(declared, "declared here").help(help);
            self.cx.report(d.attribute("#[value]", declared));
        }
    }

    /// Complains about a function's loop.
    fn loops(&mut self, id: FnItemId, at: Span) {
        let path = self.cx.krate.fn_path(id);
        let span = self.cx.krate.fns[id].span;
        let d = Diagnostic::new(DiagCode::Loop, span, &[&path]);
        let d = d.at(at, "the loop");
        self.cx.report(d.attribute("#[unroll_safe]", span));
    }

    /// Settles what is still open at the end: arrays, then defaults.
    fn solve(&mut self) {
        for (array, fill, span) in std::mem::take(&mut self.arrays) {
            match self.infer.shallow(&array) {
                Ty::Array(class) => {
                    if let ClassSrc::Array { item, .. } = &self.cx.interned.classes[class] {
                        let item = item.clone();
                        self.equate(&item, &fill, span);
                    }
                }
                Ty::Var(_) => {
                    let d = Diagnostic::new(DiagCode::Annotate, span, &["array"]);
                    self.cx.report(
                        d.help("write `GcArray::<Item>::new(..)`, or annotate the variable"),
                    );
                    self.equate(&Ty::Error, &array, span);
                }
                Ty::Error => {}
                other => self.mismatch(&other, "GcArray<_>", span),
            }
        }
        self.infer.apply_defaults();
        self.solve_pending();
    }
}
