//! `Option` and `Result`: what makes them, their methods, `?`.
//!
//! In: `Some(x)`, `Ok(x)`, method calls, `?`. Out: constructions, intrinsics, and matches.
//! Invariant: what a method does is written with the same operations that the user could have
//! written.

use crate::check::expr::aggregate::{ERR, NONE, OK, SOME, result_ty};
use crate::check::fcx::FnCx;
use crate::check::hir::{Arm, Expr, Kind, Pat, PatKind};
use crate::check::terms::CallAt;
use crate::source::diag::DiagCode;
use crate::tast::Span;
use crate::types::infer::VarKind;
use crate::types::ty::Ty;

impl FnCx<'_> {
    /// `Some(value)`
    pub(in crate::check) fn some(&mut self, value: Expr, span: Span) -> Expr {
        match self.infer.shallow(&value.ty) {
            Ty::Error => Expr::error(span),
            Ty::Never => value,
            inner => self.make(SOME, vec![value], inner.option(), span),
        }
    }

    /// `Ok(value)`, `Err(value)`
    pub(in crate::check) fn result(&mut self, variant: u32, value: Expr, span: Span) -> Expr {
        match self.infer.shallow(&value.ty) {
            Ty::Error => Expr::error(span),
            Ty::Never => value,
            inner => {
                let ty = result_ty(&mut self.infer, variant, inner, span);
                self.make(variant, vec![value], ty, span)
            }
        }
    }

    /// `match value { variant(x) => x, _ => other }`
    fn or_else(&mut self, value: Expr, variant: u32, inner: Ty, other: Expr, span: Span) -> Expr {
        let local = self.temp("some", inner.clone(), span);
        let pat = |kind| Pat { kind, span };
        let bound = vec![pat(PatKind::Bind(local, None))];
        let found = pat(PatKind::Variant(variant, bound));
        let arm = |pat, body| Arm {
            pat,
            guard: None,
            body,
        };
        let arms = vec![
            arm(found, self.read(local, span)),
            arm(pat(PatKind::Wild), other),
        ];
        Expr::new(Kind::Match(Box::new(value), arms), inner, span)
    }

    /// `option?`, `result?`
    pub(in crate::check) fn try_expr(&mut self, e: &syn::ExprTry, span: Span) -> Expr {
        let value = self.expr(&e.expr, None);
        if let (Some(_), Ty::Var(_)) = (&self.closure, self.infer.shallow(&self.ret)) {
            self.closure_fails_as(&value.ty, span);
        }
        match (self.infer.shallow(&value.ty), self.infer.shallow(&self.ret)) {
            (Ty::Option(inner), ret @ Ty::Option(_)) => {
                let none = self.make(NONE, Vec::new(), ret, span);
                let leave = self.leave_with(Some(none), span);
                self.or_else(value, SOME, *inner, leave, span)
            }
            (Ty::Result(ok, err), ret @ Ty::Result(..)) => self.try_result(value, *ok, *err, ret),
            (Ty::Error, _) | (_, Ty::Error) => Expr::error(span),
            _ => {
                let help = "`?` is for an `Option` in a function that returns one, and for a `Result` in a function that returns one";
                self.bad(DiagCode::UnsupportedWithHelp, span, &["this `?`", help])
            }
        }
    }

    /// The result of a closure, of which only this `?` says what it is.
    fn closure_fails_as(&mut self, ty: &Ty, span: Span) {
        let ret = self.ret.clone();
        match self.infer.shallow(ty) {
            Ty::Option(_) => {
                let some = self.infer.var(VarKind::Diverging, span);
                self.infer.unify(&ret, &some.option());
            }
            Ty::Result(_, err) => {
                let ok = self.infer.var(VarKind::Diverging, span);
                self.infer.unify(&ret, &Ty::Result(Box::new(ok), err));
            }
            _ => {}
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
            error = self.quietly(|fcx| fcx.convert(error, &wanted, CallAt::whole(span)));
        }
        let error = self.make(ERR, vec![error], ret, span);
        let leave = self.leave_with(Some(error), span);
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
