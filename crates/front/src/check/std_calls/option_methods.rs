//! The methods of `Option` and `Result`.
//!
//! In: a receiver, a name, arguments. Out: matches and constructions. Invariants: what a method does is written with the
//! same operations that the user could have written, so a known variant makes the branch vanish; values among the
//! arguments are evaluated whatever the receiver is, closures where Rust calls them.

use crate::check::expr::aggregate::{ERR, NONE, OK, SOME};
use crate::check::fcx::{FnCx, Join};
use crate::check::hir::{Arm, Expr, Kind, Op, Pat, PatKind};
use crate::check::terms::Place;
use crate::source::diag::Code;
use crate::tast::{Intrinsic, Span};
use crate::types::infer::VarKind;
use crate::types::ty::Ty;

/// What to do with the payload of a variant, if it has one.
pub(in crate::check) type Case<'c, 'a> = Box<dyn FnOnce(&mut FnCx<'a>, Option<Expr>) -> Expr + 'c>;

/// A method call on an `Option` or `Result`.
pub(in crate::check) struct Call<'e> {
    pub receiver: Expr,
    /// Where the receiver is, if it is in a local.
    pub place: Option<Place>,
    pub name: String,
    pub args: Vec<&'e syn::Expr>,
    pub span: Span,
    /// The method's name.
    pub at: Span,
}

impl<'a> FnCx<'a> {
    /// A method of an `Option` with this payload.
    pub(in crate::check) fn option_method(
        &mut self,
        call: Call<'_>,
        inner: Ty,
        expect: Option<&Ty>,
    ) -> Expr {
        let span = call.span;
        let args = call.args.clone();
        match (call.name.as_str(), args.as_slice()) {
            ("is_some", []) => self.test(Intrinsic::IsSecond, call.receiver),
            ("is_none", []) => self.test(Intrinsic::IsFirst, call.receiver),
            ("clone" | "copied" | "cloned" | "as_ref", []) => call.receiver,
            ("unwrap", []) => {
                self.or_panic(call, SOME, "called `Option::unwrap()` on a `None` value")
            }
            ("expect", [message]) if let Some(text) = literal_text(message) => {
                self.or_panic(call, SOME, &text)
            }
            ("expect", [_]) => self.computed_message(&call),
            ("is_none_or", [f]) => self.is_and(call.receiver, SOME, f, true, span),
            ("ok_or", [error]) => self.with_value(call, error, None, |fcx, value, error| {
                let ty = result_of(inner, error.ty.clone());
                let ok = fcx.wrap(OK, ty.clone(), span);
                let err = fcx.make(ERR, vec![error], ty, span);
                fcx.cases(value, [constant(err), ok], None, span)
            }),
            ("ok_or_else", [f]) => {
                let err_ty = self.infer.var(VarKind::Diverging, span);
                let ty = result_of(inner, err_ty.clone());
                let error = self.called(f, Some(err_ty), Some((ERR, ty.clone())), span);
                let ok = self.wrap(OK, ty, span);
                self.cases(call.receiver, [error, ok], None, span)
            }
            ("filter", [f]) => self.filter(call.receiver, inner, f, span),
            ("xor", [other]) => self.xor(call, inner, other),
            ("zip", [other]) => self.zip(call, inner, other),
            ("flatten", []) => {
                let none = self.make(NONE, Vec::new(), inner, span);
                self.cases(call.receiver, [constant(none), payload()], None, span)
            }
            ("transpose", []) => self.transpose_option(call, inner),
            ("unzip", []) => self.unzip(call, inner),
            (name, _) if CHANGES.contains(&name) => self.change(call, inner),
            _ => self.common_method(call, (SOME, inner), (NONE, None), expect),
        }
    }

    /// A method of a `Result` with these payloads.
    pub(in crate::check) fn result_method(
        &mut self,
        call: Call<'_>,
        (ok, err): (Ty, Ty),
        expect: Option<&Ty>,
    ) -> Expr {
        let span = call.span;
        let args = call.args.clone();
        match (call.name.as_str(), args.as_slice()) {
            ("is_ok", []) => self.test(Intrinsic::IsFirst, call.receiver),
            ("is_err", []) => self.test(Intrinsic::IsSecond, call.receiver),
            ("clone" | "copied" | "cloned" | "as_ref", []) => call.receiver,
            ("ok", []) => self.half(call.receiver, OK, ok, span),
            ("err", []) => self.half(call.receiver, ERR, err, span),
            ("is_ok_and", [f]) => self.is_and(call.receiver, OK, f, false, span),
            ("is_err_and", [f]) => self.is_and(call.receiver, ERR, f, false, span),
            ("map_err", [f]) => {
                let error = self.infer.var(VarKind::Diverging, span);
                let ty = result_of(ok, error.clone());
                let keep = self.wrap(OK, ty.clone(), span);
                let map = self.called(f, Some(error), Some((ERR, ty)), span);
                self.cases(call.receiver, [keep, map], None, span)
            }
            ("unwrap" | "expect", _) => self.unwrap_result(call, OK),
            ("unwrap_err" | "expect_err", _) => self.unwrap_result(call, ERR),
            ("inspect_err", [f]) => self.inspect(call, ERR, f),
            ("flatten", []) => self.flatten_result(call, ok),
            ("transpose", []) => self.transpose_result(call, ok, err),
            _ => self.common_method(call, (OK, ok), (ERR, Some(err)), expect),
        }
    }

    /// The methods that both have: `good` is the variant that they are about, with its payload, `bad` the other one.
    fn common_method(
        &mut self,
        call: Call<'_>,
        (good, inner): (u32, Ty),
        (bad, error): (u32, Option<Ty>),
        expect: Option<&Ty>,
    ) -> Expr {
        let span = call.span;
        let whole = self.infer.shallow(&call.receiver.ty);
        // The same type with another payload of the good variant.
        let with = |payload: Ty| match &error {
            None => payload.option(),
            Some(error) => result_of(payload, error.clone()),
        };
        let args = call.args.clone();
        match (call.name.as_str(), args.as_slice()) {
            ("inspect", [f]) => self.inspect(call, good, f),
            ("is_some_and", [f]) if good == SOME => {
                self.is_and(call.receiver, good, f, false, span)
            }
            ("unwrap_or", [other]) => {
                let ty = inner.clone();
                self.with_value(call, other, Some(&ty), |fcx, value, other| {
                    fcx.split_cases(value, good, payload(), constant(other), Some(inner), span)
                })
            }
            ("unwrap_or_else", [f]) => {
                let other = self.called(f, Some(inner.clone()), None, span);
                self.split_cases(call.receiver, good, payload(), other, Some(inner), span)
            }
            ("unwrap_or_default", []) => match self.default_of(&inner, span) {
                Some(other) => {
                    let other = constant(other);
                    self.split_cases(call.receiver, good, payload(), other, Some(inner), span)
                }
                None => self.no_such_method(call),
            },
            ("map", [f]) => {
                let new = self.infer.var(VarKind::Diverging, span);
                let ty = with(new.clone());
                let keep = self.wrap(bad, ty.clone(), span);
                let map = self.called(f, Some(new), Some((good, ty.clone())), span);
                self.split_cases(call.receiver, good, map, keep, Some(ty), span)
            }
            ("map_or", [other, f]) => self.with_value(call, other, expect, |fcx, value, other| {
                let ty = other.ty.clone();
                let map = fcx.called(f, Some(ty.clone()), None, span);
                fcx.split_cases(value, good, map, constant(other), Some(ty), span)
            }),
            ("map_or_else", [other, f]) => {
                let given = expect.cloned();
                let ty = given.unwrap_or_else(|| self.infer.var(VarKind::Diverging, span));
                let other = self.called(other, Some(ty.clone()), None, span);
                let map = self.called(f, Some(ty.clone()), None, span);
                self.split_cases(call.receiver, good, map, other, Some(ty), span)
            }
            ("and_then", [f]) => {
                let new = self.infer.var(VarKind::Diverging, span);
                let ty = with(new);
                let keep = self.wrap(bad, ty.clone(), span);
                let then = self.called(f, Some(ty.clone()), None, span);
                self.split_cases(call.receiver, good, then, keep, Some(ty), span)
            }
            ("and", [other]) => {
                let ty = with(self.hole(span));
                self.with_value(call, other, Some(&ty.clone()), |fcx, value, other| {
                    let keep = fcx.wrap(bad, ty.clone(), span);
                    fcx.split_cases(value, good, constant(other), keep, Some(ty), span)
                })
            }
            ("or", [other]) => {
                let ty = self.or_type(&whole, &inner, span);
                self.with_value(call, other, Some(&ty.clone()), |fcx, value, other| {
                    let keep = fcx.wrap(good, ty.clone(), span);
                    fcx.split_cases(value, good, keep, constant(other), Some(ty), span)
                })
            }
            ("or_else", [f]) => {
                let ty = self.or_type(&whole, &inner, span);
                let keep = self.wrap(good, ty.clone(), span);
                let other = self.called(f, Some(ty.clone()), None, span);
                self.split_cases(call.receiver, good, keep, other, Some(ty), span)
            }
            _ => self.no_such_method(call),
        }
    }

    /// What `or` gives: the error of a result may have another type.
    fn or_type(&mut self, whole: &Ty, inner: &Ty, span: Span) -> Ty {
        match whole {
            Ty::Result(..) => {
                let error = self.infer.var(VarKind::Diverging, span);
                result_of(inner.clone(), error)
            }
            whole => whole.clone(),
        }
    }

    pub(in crate::check) fn no_such_method(&mut self, call: Call<'_>) -> Expr {
        let shown = self.show(&call.receiver.ty);
        let help = "write a `match`, or `if let`";
        self.err(Code::NoMethod, call.at, &[&call.name, &shown, help]);
        let values = call
            .args
            .iter()
            .filter(|a| !matches!(a, syn::Expr::Closure(_)));
        let values: Vec<&syn::Expr> = values.copied().collect();
        self.give_up(&values, call.span)
    }

    fn test(&mut self, op: Intrinsic, receiver: Expr) -> Expr {
        let span = receiver.span;
        Expr::op(Op::Intrinsic(op), vec![receiver], Ty::Bool, span)
    }

    /// `match value { .. }` with one case for each of the two variants, in their order.
    pub(in crate::check) fn cases<'c>(
        &mut self,
        value: Expr,
        [first, second]: [Case<'c, 'a>; 2],
        expect: Option<Ty>,
        span: Span,
    ) -> Expr {
        self.ordered_cases(value, [(0, first), (1, second)], expect, span)
    }

    /// As [`FnCx::cases`], with the numbers of the variants.
    fn ordered_cases<'c>(
        &mut self,
        value: Expr,
        cases: [(u32, Case<'c, 'a>); 2],
        expect: Option<Ty>,
        span: Span,
    ) -> Expr {
        let whole = value.ty.clone();
        let mut join = Join::new(expect.as_ref());
        let before = self.diverges;
        let mut arms = Vec::new();
        for (variant, case) in cases {
            self.diverges = before;
            let field = self.variant_fields(&whole, variant).pop();
            let (mut kind, mut read) = (PatKind::Wild, None);
            if let Some(ty) = field {
                let local = self.temp("some", ty, span);
                read = Some(self.read(local, span));
                let bind = PatKind::Bind(local, None);
                kind = PatKind::Variant(variant, vec![Pat { kind: bind, span }]);
            }
            // `_` comes last.
            let last = !arms.is_empty();
            if read.is_none() && !last {
                kind = PatKind::Variant(variant, Vec::new());
            }
            let body = case(self, read);
            let body = join.add(self, body);
            arms.push(Arm {
                pat: Pat { kind, span },
                guard: None,
                body,
            });
        }
        self.diverges = before;
        let ty = join.finish(&[&arms[0].body, &arms[1].body]);
        Expr::new(Kind::Match(Box::new(value), arms), ty, span)
    }

    /// As [`FnCx::cases`], the case of the variant `good` first.
    fn split_cases<'c>(
        &mut self,
        value: Expr,
        good: u32,
        first: Case<'c, 'a>,
        other: Case<'c, 'a>,
        expect: Option<Ty>,
        span: Span,
    ) -> Expr {
        let cases = [(good, first), (1 - good, other)];
        self.ordered_cases(value, cases, expect, span)
    }

    /// A case that makes a value of this variant of its payload.
    pub(in crate::check) fn wrap<'c>(&self, variant: u32, ty: Ty, span: Span) -> Case<'c, 'a> {
        Box::new(move |fcx, payload| fcx.make(variant, payload.into_iter().collect(), ty, span))
    }

    /// A case that calls a closure with the payload; `into` is the variant of which the result is the payload.
    pub(in crate::check) fn called<'c>(
        &self,
        f: &'c syn::Expr,
        ret: Option<Ty>,
        into: Option<(u32, Ty)>,
        span: Span,
    ) -> Case<'c, 'a> {
        Box::new(move |fcx, payload| {
            let value = fcx.apply(f, payload.into_iter().collect(), ret.as_ref());
            let value = match &ret {
                Some(ret) => fcx.coerce(value, ret),
                None => value,
            };
            match into {
                Some((variant, ty)) if value.ty != Ty::Never => {
                    fcx.make(variant, vec![value], ty, span)
                }
                _ => value,
            }
        })
    }

    /// Evaluates the receiver, then an argument, then what is made of both.
    pub(in crate::check) fn with_value(
        &mut self,
        call: Call<'_>,
        arg: &syn::Expr,
        expect: Option<&Ty>,
        make: impl FnOnce(&mut Self, Expr, Expr) -> Expr,
    ) -> Expr {
        let span = call.span;
        let mut arg = self.expr(arg, expect);
        if let Some(ty) = expect {
            arg = self.coerce(arg, ty);
        }
        let arg_ty = match self.infer.shallow(&arg.ty) {
            Ty::Error => return Expr::error(span),
            // It is never given.
            Ty::Never => expect.cloned().unwrap_or(Ty::Unit),
            ty => ty,
        };
        let value = self.temp("value", call.receiver.ty.clone(), span);
        let other = self.temp("other", arg_ty, span);
        let (first, second) = (self.read(value, span), self.read(other, span));
        let made = make(self, first, second);
        let ty = made.ty.clone();
        let list = vec![
            Expr::bind(value, call.receiver),
            Expr::bind(other, arg),
            made,
        ];
        Expr::block(list, ty, span)
    }

    /// `unwrap` and `expect` of an option.
    fn or_panic(&mut self, call: Call<'_>, variant: u32, message: &str) -> Expr {
        let panic = constant(Expr::panic(message, call.span));
        self.split_cases(call.receiver, variant, payload(), panic, None, call.span)
    }

    /// `unwrap`, `expect`, `unwrap_err`, `expect_err` of a result: the message shows the payload of the other variant.
    fn unwrap_result(&mut self, call: Call<'_>, variant: u32) -> Expr {
        let name = match variant {
            OK => "an `Err`",
            _ => "an `Ok`",
        };
        let text = match (call.name.as_str(), call.args.as_slice()) {
            ("unwrap" | "unwrap_err", []) => {
                format!("called `Result::{}()` on {name} value", call.name)
            }
            ("expect" | "expect_err", [message]) => match literal_text(message) {
                Some(text) => text,
                None => return self.computed_message(&call),
            },
            _ => return self.no_such_method(call),
        };
        let span = call.span;
        let shown: Case<'_, 'a> = Box::new(move |fcx, payload| match payload {
            Some(payload) => fcx.panic_showing(&text, payload, span),
            None => Expr::error(span),
        });
        self.split_cases(call.receiver, variant, payload(), shown, None, span)
    }

    fn computed_message(&mut self, call: &Call<'_>) -> Expr {
        let what = format!("`{}` with a message that is not a literal", call.name);
        let help = "write a `match`, or `unwrap_or_else(|_| panic!(\"..\"))` with a format string";
        self.bad(Code::UnsupportedWithHelp, call.at, &[&what, help])
    }

    /// `inspect(f)`, `inspect_err(f)`: the closure sees the payload of a variant.
    fn inspect(&mut self, call: Call<'_>, variant: u32, f: &syn::Expr) -> Expr {
        let (span, ty) = (call.span, self.infer.shallow(&call.receiver.ty));
        let whole = ty.clone();
        let look: Case<'_, 'a> = Box::new(move |fcx, payload| {
            let value = payload.unwrap_or_else(|| Expr::error(span));
            let local = fcx.temp("seen", value.ty.clone(), span);
            let first = Expr::bind(local, value);
            let seen = fcx.read(local, span);
            let look = fcx.apply(f, vec![seen], Some(&Ty::Unit));
            let look = fcx.coerce(look, &Ty::Unit);
            let kept = fcx.read(local, span);
            let made = fcx.make(variant, vec![kept], whole.clone(), span);
            Expr::block(vec![first, look, made], whole, span)
        });
        let keep = self.wrap(1 - variant, ty.clone(), span);
        self.split_cases(call.receiver, variant, look, keep, Some(ty), span)
    }

    /// `is_some_and` and its like: what a closure says of the payload of a variant, else `other`.
    fn is_and(
        &mut self,
        value: Expr,
        variant: u32,
        f: &syn::Expr,
        other: bool,
        span: Span,
    ) -> Expr {
        let other = constant(Expr::new(Kind::Value(i64::from(other)), Ty::Bool, span));
        let test = self.called(f, Some(Ty::Bool), None, span);
        self.split_cases(value, variant, test, other, Some(Ty::Bool), span)
    }

    /// One variant of a result as an option.
    fn half(&mut self, value: Expr, variant: u32, inner: Ty, span: Span) -> Expr {
        let ty = inner.option();
        let none = constant(self.make(NONE, Vec::new(), ty.clone(), span));
        let some = self.wrap(SOME, ty, span);
        self.split_cases(value, variant, some, none, None, span)
    }

    /// `option.filter(f)`
    fn filter(&mut self, value: Expr, inner: Ty, f: &syn::Expr, span: Span) -> Expr {
        let ty = inner.clone().option();
        let none = self.wrap(NONE, ty.clone(), span);
        let keep: Case<'_, 'a> = Box::new(move |fcx, payload| {
            let value = payload.unwrap_or_else(|| Expr::error(span));
            let local = fcx.temp("kept", inner, span);
            let (asked, kept) = (fcx.read(local, span), fcx.read(local, span));
            let first = Expr::bind(local, value);
            let test = fcx.apply(f, vec![asked], Some(&Ty::Bool));
            let test = fcx.coerce(test, &Ty::Bool);
            let some = fcx.make(SOME, vec![kept], ty.clone(), span);
            let none = fcx.make(NONE, Vec::new(), ty.clone(), span);
            let choice = Expr::if_else(test, some, none, ty.clone(), span);
            Expr::block(vec![first, choice], ty, span)
        });
        self.cases(value, [none, keep], None, span)
    }
}

pub(in crate::check) fn result_of(ok: Ty, err: Ty) -> Ty {
    Ty::Result(Box::new(ok), Box::new(err))
}

/// A case whose value is known; the payload is not wanted.
pub(in crate::check) fn constant<'c, 'a>(value: Expr) -> Case<'c, 'a> {
    Box::new(move |_, _| value)
}

/// A case whose value is the payload.
pub(in crate::check) fn payload<'c, 'a>() -> Case<'c, 'a> {
    Box::new(|_, payload| payload.expect("a variant with a payload"))
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

/// Their names.
pub(in crate::check) const CHANGES: &[&str] = &[
    "get_or_insert",
    "get_or_insert_default",
    "get_or_insert_with",
    "insert",
    "replace",
    "take",
    "take_if",
];
