//! `Option` and `Result`: what makes them, their methods, `?`.
//!
//! In: `Some(x)`, `Ok(x)`, method calls, `?`. Out: constructions, intrinsics, and matches. Invariant: what a method does
//! is written with the same operations that the user could have written.

use super::FnCx;
use super::aggregate::{ERR, NONE, OK, SOME, result_ty};
use crate::diag::Code;
use crate::hir::{Arm, Expr, Kind, Op, Pat, PatKind};
use crate::infer::Ty;
use crate::tast::{Intrinsic, Span};

impl FnCx<'_> {
    /// `Some(value)`
    pub(super) fn some(&mut self, value: Expr, span: Span) -> Expr {
        match self.infer.shallow(&value.ty) {
            Ty::Error | Ty::Never => Expr::error(span),
            inner => self.make(SOME, vec![value], inner.option(), span),
        }
    }

    /// `Ok(value)`, `Err(value)`
    pub(super) fn result(&mut self, variant: u32, value: Expr, span: Span) -> Expr {
        match self.infer.shallow(&value.ty) {
            Ty::Error | Ty::Never => Expr::error(span),
            inner => {
                let ty = result_ty(&mut self.infer, variant, inner, span);
                self.make(variant, vec![value], ty, span)
            }
        }
    }

    pub(super) fn option_method(
        &mut self,
        receiver: Expr,
        inner: Ty,
        name: &str,
        args: &[&syn::Expr],
        (span, at): (Span, Span),
    ) -> Expr {
        let test = |op, receiver| Expr::op(Op::Intrinsic(op), vec![receiver], Ty::Bool, span);
        match (name, args) {
            ("is_some", []) => test(Intrinsic::IsSecond, receiver),
            ("is_none", []) => test(Intrinsic::IsFirst, receiver),
            ("unwrap", []) => {
                let message = "called `Option::unwrap()` on a `None` value";
                self.or_else(receiver, SOME, inner, Expr::panic(message, span), span)
            }
            ("clone", []) => receiver,
            ("expect", [message]) if let Some(text) = literal_text(message) => {
                self.or_else(receiver, SOME, inner, Expr::panic(&text, span), span)
            }
            ("unwrap_or", [other]) => self.unwrap_or(receiver, SOME, inner, other, span),
            ("or", [other]) => self.or(receiver, other, span),
            ("ok_or", [error]) => self.ok_or(receiver, inner, error, span),
            _ => {
                let help =
                    "use `match`, `if let`, `is_some()`, `is_none()`, `unwrap()` or `expect(..)`";
                self.no_such_method(receiver, name, args, help, (span, at))
            }
        }
    }

    pub(super) fn result_method(
        &mut self,
        receiver: Expr,
        (ok, err): (Ty, Ty),
        name: &str,
        args: &[&syn::Expr],
        (span, at): (Span, Span),
    ) -> Expr {
        let test = |op, receiver| Expr::op(Op::Intrinsic(op), vec![receiver], Ty::Bool, span);
        match (name, args) {
            ("is_ok", []) => test(Intrinsic::IsFirst, receiver),
            ("is_err", []) => test(Intrinsic::IsSecond, receiver),
            ("clone", []) => receiver,
            ("unwrap_or", [other]) => self.unwrap_or(receiver, OK, ok, other, span),
            ("ok", []) => self.half(receiver, OK, ok, span),
            ("err", []) => self.half(receiver, ERR, err, span),
            _ => {
                let help = "use `match`, `if let`, `?`, `is_ok()`, `is_err()`, `ok()` or `err()`";
                self.no_such_method(receiver, name, args, help, (span, at))
            }
        }
    }

    fn no_such_method(
        &mut self,
        receiver: Expr,
        name: &str,
        args: &[&syn::Expr],
        help: &str,
        (span, at): (Span, Span),
    ) -> Expr {
        let shown = self.show(&receiver.ty);
        self.err(Code::NoMethod, at, &[name, &shown, help]);
        self.give_up(args, span)
    }

    /// `match value { variant(x) => some(x), _ => other }`
    fn split(
        &mut self,
        value: Expr,
        (variant, inner): (u32, Ty),
        some: impl FnOnce(&mut Self, Expr) -> Expr,
        other: Expr,
        span: Span,
    ) -> Expr {
        let local = self.temp("some", inner, span);
        let pat = |kind| Pat { kind, span };
        let bound = vec![pat(PatKind::Bind(local, None))];
        let found = pat(PatKind::Variant(variant, bound));
        let read = self.read(local, span);
        let body = some(self, read);
        let ty = body.ty.clone();
        let arm = |pat, body| Arm {
            pat,
            guard: None,
            body,
        };
        let arms = vec![arm(found, body), arm(pat(PatKind::Wild), other)];
        Expr::new(Kind::Match(Box::new(value), arms), ty, span)
    }

    /// `match value { variant(x) => x, _ => other }`
    fn or_else(&mut self, value: Expr, variant: u32, inner: Ty, other: Expr, span: Span) -> Expr {
        self.split(value, (variant, inner), |_, x| x, other, span)
    }

    /// As Rust does, the default is evaluated whatever the value is.
    fn unwrap_or(
        &mut self,
        value: Expr,
        variant: u32,
        inner: Ty,
        other: &syn::Expr,
        span: Span,
    ) -> Expr {
        let other = self.coerced(other, &inner);
        self.after_both(value, other, inner.clone(), span, |fcx, value, other| {
            fcx.or_else(value, variant, inner, other, span)
        })
    }

    /// `option.or(other)`
    fn or(&mut self, value: Expr, other: &syn::Expr, span: Span) -> Expr {
        let ty = value.ty.clone();
        let inner = self.variant_fields(&ty, SOME).remove(0);
        let other = self.coerced(other, &ty);
        self.after_both(value, other, ty, span, |fcx, value, other| {
            fcx.split(
                value,
                (SOME, inner),
                |fcx, x| fcx.some(x, span),
                other,
                span,
            )
        })
    }

    /// `option.ok_or(error)`
    fn ok_or(&mut self, value: Expr, inner: Ty, error: &syn::Expr, span: Span) -> Expr {
        let error = self.expr(error, None);
        let ty = Ty::Result(Box::new(inner.clone()), Box::new(error.ty.clone()));
        let result = ty.clone();
        self.after_both(value, error, ty.clone(), span, |fcx, value, error| {
            let err = fcx.make(ERR, vec![error], result.clone(), span);
            let ok = |fcx: &mut Self, x| fcx.make(OK, vec![x], result, span);
            fcx.split(value, (SOME, inner), ok, err, span)
        })
    }

    /// One variant of a result as an option.
    fn half(&mut self, value: Expr, variant: u32, inner: Ty, span: Span) -> Expr {
        let none = self.make(NONE, Vec::new(), inner.clone().option(), span);
        let some = |fcx: &mut Self, x| fcx.some(x, span);
        self.split(value, (variant, inner), some, none, span)
    }

    /// Evaluates two operands, then what is made of variables that hold them.
    fn after_both(
        &mut self,
        first: Expr,
        second: Expr,
        ty: Ty,
        span: Span,
        make: impl FnOnce(&mut Self, Expr, Expr) -> Expr,
    ) -> Expr {
        let mut list = Vec::new();
        let mut temps = Vec::new();
        for (name, value) in [("value", first), ("other", second)] {
            let temp = self.temp(name, value.ty.clone(), span);
            temps.push(self.read(temp, span));
            list.push(Expr::bind(temp, value));
        }
        let (Some(second), Some(first)) = (temps.pop(), temps.pop()) else {
            unreachable!("two were pushed");
        };
        list.push(make(self, first, second));
        Expr::block(list, ty, span)
    }

    /// `option?`, `result?`
    pub(super) fn try_expr(&mut self, e: &syn::ExprTry, span: Span) -> Expr {
        let value = self.expr(&e.expr, None);
        match (self.infer.shallow(&value.ty), self.infer.shallow(&self.ret)) {
            (Ty::Option(inner), ret @ Ty::Option(_)) => {
                let none = self.make(NONE, Vec::new(), ret, span);
                let leave = Expr::new(Kind::Return(Some(Box::new(none))), Ty::Never, span);
                self.or_else(value, SOME, *inner, leave, span)
            }
            (Ty::Result(ok, err), ret @ Ty::Result(..)) => self.try_result(value, *ok, *err, ret),
            (Ty::Error, _) | (_, Ty::Error) => Expr::error(span),
            _ => {
                let help = "`?` is for an `Option` in a function that returns one, and for a `Result` in a function that returns one";
                self.bad(Code::UnsupportedWithHelp, span, &["this `?`", help])
            }
        }
    }

    fn try_result(&mut self, value: Expr, ok: Ty, err: Ty, ret: Ty) -> Expr {
        let span = value.span;
        let wanted = self.variant_fields(&ret, ERR).remove(0);
        let (good, bad) = (
            self.temp("ok", ok.clone(), span),
            self.temp("error", err.clone(), span),
        );
        let mut error = self.read(bad, span);
        if !self.infer.try_unify(&wanted, &err) {
            error = self.convert(error, &wanted, (span, span));
        }
        let error = self.make(ERR, vec![error], ret, span);
        let leave = Expr::new(Kind::Return(Some(Box::new(error))), Ty::Never, span);
        let arm = |variant, local, body| Arm {
            pat: Pat {
                kind: PatKind::Variant(
                    variant,
                    vec![Pat {
                        kind: PatKind::Bind(local, None),
                        span,
                    }],
                ),
                span,
            },
            guard: None,
            body,
        };
        let arms = vec![arm(OK, good, self.read(good, span)), arm(ERR, bad, leave)];
        Expr::new(Kind::Match(Box::new(value), arms), ok, span)
    }
}

/// The text of a string literal.
fn literal_text(expr: &syn::Expr) -> Option<String> {
    match expr {
        syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Str(text),
            ..
        }) => Some(text.value()),
        _ => None,
    }
}
