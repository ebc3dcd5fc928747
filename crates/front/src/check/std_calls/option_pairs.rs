//! The methods of `Option` and `Result` that have to do with two of them, beside or inside each other.
//!
//! In: calls, as in [`crate::check::std_calls::option_methods`]. Out: matches and constructions. Invariant: what that file promises.

use crate::check::expr::aggregate::{ERR, NONE, OK, SOME};
use crate::check::fcx::FnCx;
use crate::check::hir::{Expr, Op};
use crate::check::std_calls::option_methods::{Call, Case, constant, payload, result_of};
use crate::types::ty::Ty;

impl<'a> FnCx<'a> {
    /// `a.xor(b)`: one of them, if the other is `None`.
    pub(in crate::check) fn xor(&mut self, call: Call<'_>, inner: Ty, other: &syn::Expr) -> Expr {
        let (span, ty) = (call.span, inner.option());
        self.with_value(call, other, Some(&ty.clone()), |fcx, value, other| {
            let local = fcx.temp("second", ty.clone(), span);
            let (one, two) = (fcx.read(local, span), fcx.read(local, span));
            let both = ty.clone();
            let some: Case<'_, 'a> = Box::new(move |fcx, payload| {
                let made = fcx.make(SOME, payload.into_iter().collect(), both.clone(), span);
                let none = fcx.make(NONE, Vec::new(), both, span);
                fcx.cases(two, [constant(made), constant(none)], None, span)
            });
            let choice = fcx.cases(value, [constant(one), some], None, span);
            Expr::block(vec![Expr::bind(local, other), choice], ty, span)
        })
    }

    /// `a.zip(b)`
    pub(in crate::check) fn zip(&mut self, call: Call<'_>, inner: Ty, other: &syn::Expr) -> Expr {
        let span = call.span;
        let second = self.hole(span);
        let both = Ty::Tuple(vec![inner, second.clone()]);
        let ty = both.clone().option();
        self.with_value(call, other, Some(&second.option()), |fcx, value, other| {
            let none = fcx.wrap(NONE, ty.clone(), span);
            let some: Case<'_, 'a> = Box::new(move |fcx, first| {
                let none = fcx.wrap(NONE, ty.clone(), span);
                let pair: Case<'_, 'a> = Box::new(move |fcx, second| {
                    let parts = first.into_iter().chain(second).collect();
                    let pair = fcx.make(0, parts, both, span);
                    fcx.make(SOME, vec![pair], ty, span)
                });
                fcx.cases(other, [none, pair], None, span)
            });
            fcx.cases(value, [none, some], None, span)
        })
    }

    /// `Option<Result<T, E>>` as `Result<Option<T>, E>`
    pub(in crate::check) fn transpose_option(&mut self, call: Call<'_>, inner: Ty) -> Expr {
        let span = call.span;
        let Ty::Result(ok, err) = self.infer.shallow(&inner) else {
            return self.no_such_method(call);
        };
        let ty = result_of(ok.clone().option(), (*err).clone());
        let none = self.make(NONE, Vec::new(), ok.clone().option(), span);
        let none = self.make(OK, vec![none], ty.clone(), span);
        let some: Case<'_, 'a> = Box::new(move |fcx, payload| {
            let value = payload.unwrap_or_else(|| Expr::error(span));
            let bad = fcx.wrap(ERR, ty.clone(), span);
            let good: Case<'_, 'a> = Box::new(move |fcx, payload| {
                let parts = payload.into_iter().collect();
                let some = fcx.make(SOME, parts, ok.option(), span);
                fcx.make(OK, vec![some], ty, span)
            });
            fcx.cases(value, [good, bad], None, span)
        });
        self.cases(call.receiver, [constant(none), some], None, span)
    }

    /// `Result<Option<T>, E>` as `Option<Result<T, E>>`
    pub(in crate::check) fn transpose_result(&mut self, call: Call<'_>, ok: Ty, err: Ty) -> Expr {
        let span = call.span;
        let Ty::Option(inner) = self.infer.shallow(&ok) else {
            return self.no_such_method(call);
        };
        let result = result_of(*inner, err);
        let ty = result.clone().option();
        let some = |variant: u32| -> Case<'_, 'a> {
            let (result, ty) = (result.clone(), ty.clone());
            Box::new(move |fcx, payload| {
                let made = fcx.make(variant, payload.into_iter().collect(), result, span);
                fcx.make(SOME, vec![made], ty, span)
            })
        };
        let (good, bad) = (some(OK), some(ERR));
        let none = self.wrap(NONE, ty.clone(), span);
        let ok: Case<'_, 'a> = Box::new(move |fcx, payload| {
            let value = payload.unwrap_or_else(|| Expr::error(span));
            fcx.cases(value, [none, good], None, span)
        });
        self.cases(call.receiver, [ok, bad], None, span)
    }

    /// `Option<(A, B)>` as `(Option<A>, Option<B>)`
    pub(in crate::check) fn unzip(&mut self, call: Call<'_>, inner: Ty) -> Expr {
        let span = call.span;
        let Ty::Tuple(parts) = self.infer.shallow(&inner) else {
            return self.no_such_method(call);
        };
        if parts.len() != 2 {
            return self.no_such_method(call);
        }
        let options: Vec<Ty> = parts.iter().map(|ty| ty.clone().option()).collect();
        let ty = Ty::Tuple(options.clone());
        let nones = options.iter();
        let nones = nones.map(|ty| self.make(NONE, Vec::new(), ty.clone(), span));
        let nones = self.make(0, nones.collect(), ty.clone(), span);
        let both: Case<'_, 'a> = Box::new(move |fcx, payload| {
            let value = payload.unwrap_or_else(|| Expr::error(span));
            let local = fcx.temp("both", inner, span);
            let first = Expr::bind(local, value);
            let parts = parts.into_iter().zip(options).zip(0..);
            let parts = parts.map(|((part, option), n)| {
                let whole = fcx.read(local, span);
                let part = Expr::op(Op::Part(n), vec![whole], part, span);
                fcx.make(SOME, vec![part], option, span)
            });
            let pair = fcx.make(0, parts.collect(), ty.clone(), span);
            Expr::block(vec![first, pair], ty, span)
        });
        self.cases(call.receiver, [constant(nones), both], None, span)
    }

    /// `Result<Result<T, E>, E>` as `Result<T, E>`
    pub(in crate::check) fn flatten_result(&mut self, call: Call<'_>, ok: Ty) -> Expr {
        let span = call.span;
        if !matches!(self.infer.shallow(&ok), Ty::Result(..)) {
            return self.no_such_method(call);
        }
        let bad = self.wrap(ERR, ok, span);
        self.cases(call.receiver, [payload(), bad], None, span)
    }
}
