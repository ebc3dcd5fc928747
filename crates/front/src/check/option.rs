//! `Option`s of references.
//!
//! In: `Some(x)`, methods, `?`. Out: coercions, intrinsics, and matches. Invariant: an option is the reference or null,
//! so wrapping and unwrapping cost nothing but the check.

use super::FnCx;
use crate::diag::Code;
use crate::hir::{Arm, Expr, Kind, Op, Pat, PatKind};
use crate::infer::Ty;
use crate::tast::{Intrinsic, Span};

impl FnCx<'_> {
    /// `Some(value)`
    pub(super) fn some(&mut self, value: Expr, span: Span) -> Expr {
        let inner = self.infer.shallow(&value.ty);
        match inner {
            Ty::Error | Ty::Never => Expr::error(span),
            Ty::Gc(_) | Ty::Array(_) | Ty::Object(_) | Ty::Var(_) => {
                Expr::op(Op::Coerce, vec![value], inner.option(), span)
            }
            _ => {
                let shown = self.show(&inner);
                self.bad(Code::BadOption, span, &[&shown])
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
        let simple = |op, ty, receiver| Expr::op(Op::Intrinsic(op), vec![receiver], ty, span);
        match (name, args) {
            ("is_some", []) => simple(Intrinsic::IsSome, Ty::Bool, receiver),
            ("is_none", []) => simple(Intrinsic::IsNone, Ty::Bool, receiver),
            ("unwrap", []) => simple(Intrinsic::Unwrap, inner, receiver),
            ("clone", []) => receiver,
            (
                "expect",
                [
                    syn::Expr::Lit(syn::ExprLit {
                        lit: syn::Lit::Str(message),
                        ..
                    }),
                ],
            ) => {
                let panic = Expr::panic(&message.value(), span);
                self.or_else(receiver, inner, panic, span)
            }
            ("unwrap_or", [other]) => {
                let option = self.temp("option", receiver.ty.clone(), span);
                let first = Expr::bind(option, receiver);
                let other = self.coerced(other, &inner);
                let default = self.temp("default", inner.clone(), span);
                let second = Expr::bind(default, other);
                let (option, default) = (self.read(option, span), self.read(default, span));
                let choice = self.or_else(option, inner.clone(), default, span);
                Expr::block(vec![first, second, choice], inner, span)
            }
            _ => {
                let shown = self.show(&receiver.ty);
                let help =
                    "use `match`, `if let`, `is_some()`, `is_none()`, `unwrap()` or `expect(..)`";
                self.err(Code::NoMethod, at, &[name, &shown, help]);
                self.give_up(args, span)
            }
        }
    }

    /// `match option { Some(x) => x, None => other }`
    fn or_else(&mut self, option: Expr, inner: Ty, other: Expr, span: Span) -> Expr {
        let local = self.temp("some", inner.clone(), span);
        let pat = |kind| Pat { kind, span };
        let some = pat(PatKind::Some(Box::new(pat(PatKind::Bind(local, None)))));
        let arms = vec![
            Arm {
                pat: some,
                guard: None,
                body: self.read(local, span),
            },
            Arm {
                pat: pat(PatKind::None),
                guard: None,
                body: other,
            },
        ];
        Expr::new(Kind::Match(Box::new(option), arms), inner, span)
    }

    /// `option?`
    pub(super) fn try_expr(&mut self, e: &syn::ExprTry, span: Span) -> Expr {
        let value = self.expr(&e.expr, None);
        match (self.infer.shallow(&value.ty), self.infer.shallow(&self.ret)) {
            (Ty::Option(inner), ret @ Ty::Option(_)) => {
                let none = Expr::new(Kind::Null, ret, span);
                let leave = Expr::new(Kind::Return(Some(Box::new(none))), Ty::Never, span);
                self.or_else(value, *inner, leave, span)
            }
            (Ty::Error, _) | (_, Ty::Error) => Expr::error(span),
            _ => {
                let help = "`?` is for `Option`s of references in a function that returns one";
                self.bad(Code::UnsupportedWithHelp, span, &["this `?`", help])
            }
        }
    }
}
