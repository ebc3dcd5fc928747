//! The methods of `Option`, `Result`, `bool` and `Ordering`.
//!
//! In: a receiver, a name, arguments. Out: what the function of a text ([`crate::std_model`]) does,
//! inlined; for what no text can say, tests of the variant, and panics with the message of the
//! standard library. Invariants: what a method does is written with the same operations that the
//! user could have written, so a known variant makes the branch vanish; what goes wrong is shown
//! where the user calls the method.

use crate::check::expr::aggregate::{ERR, OK, SOME};
use crate::check::fcx::FnCx;
use crate::check::hir::Kind;
use crate::check::hir::{Arm, Expr, Op, Pat, PatKind};
use crate::check::terms::{Args, CallAt, Callee, Place};
use crate::items::{Def, Ns};
use crate::source::diag::DiagCode;
use crate::tast::{Intrinsic, Span};
use crate::types::ty::{ByRef, Ty};

/// A method call on a value of such a type.
pub(in crate::check) struct Call<'e> {
    pub receiver: Expr,
    /// Where the receiver is, if it is in a local.
    pub place: Option<Place>,
    pub name: String,
    pub args: Args<'e>,
    pub span: Span,
    /// The method's name.
    pub at: Span,
}

impl FnCx<'_> {
    /// A method of an `Option`.
    pub(in crate::check) fn option_method(&mut self, call: Call<'_>, expect: Option<&Ty>) -> Expr {
        match (call.name.as_str(), call.args.as_slice()) {
            ("is_some", []) => self.test(Intrinsic::IsSecond, call.receiver),
            ("is_none", []) => self.test(Intrinsic::IsFirst, call.receiver),
            ("clone" | "copied" | "cloned" | "as_ref", []) => call.receiver,
            ("unwrap", []) => self.or_panic(call, "called `Option::unwrap()` on a `None` value"),
            ("expect", [message]) => match literal_text(message) {
                Some(text) => self.or_panic(call, &text),
                None => self.computed_message(&call),
            },
            _ => self.method_of_text("option", call, expect),
        }
    }

    /// A method of a `Result`.
    pub(in crate::check) fn result_method(&mut self, call: Call<'_>, expect: Option<&Ty>) -> Expr {
        match (call.name.as_str(), call.args.as_slice()) {
            ("is_ok", []) => self.test(Intrinsic::IsFirst, call.receiver),
            ("is_err", []) => self.test(Intrinsic::IsSecond, call.receiver),
            ("clone" | "copied" | "cloned" | "as_ref", []) => call.receiver,
            ("unwrap" | "expect", _) => self.unwrap_result(call, OK),
            ("unwrap_err" | "expect_err", _) => self.unwrap_result(call, ERR),
            _ => self.method_of_text("result", call, expect),
        }
    }

    /// A method that is a function of a text, inlined.
    pub(in crate::check) fn method_of_text(
        &mut self,
        text: &'static str,
        call: Call<'_>,
        expect: Option<&Ty>,
    ) -> Expr {
        self.cx.krate.read_text(text);
        let module = self.cx.krate.text(text);
        let function = module.and_then(|module| {
            let items = &self.cx.krate.modules[module].items;
            items.get(Ns::Values, &call.name).cloned()
        });
        let Some(Def::Fn(item)) = function else {
            return self.no_such_method(call);
        };
        let Some((inst, sig)) = self.open_call(Callee::plain(item), None, call.at) else {
            return self.give_up(&call.args, call.span);
        };
        if sig.by_ref[0] == ByRef::Mut && call.place.is_none() {
            // What is not in a variable cannot be looked at afterwards.
            return self.no_such_method(call);
        }
        if !self.arity(&call.name, sig.params.len() - 1, call.args.len(), call.span) {
            return self.give_up(&call.args, call.span);
        }
        let receiver = self.coerce(call.receiver, &sig.params[0]);
        if let Some(expect) = expect {
            self.infer.try_unify(&sig.ret, expect);
            self.settle();
        }
        let closures = self.closures_of(item);
        let receiver = Some((receiver, call.place));
        self.call_inlined(
            (inst, &sig),
            &closures,
            receiver,
            &call.args,
            CallAt::new(call.span, call.at),
        )
    }

    pub(in crate::check) fn no_such_method(&mut self, call: Call<'_>) -> Expr {
        let shown = self.show(&call.receiver.ty);
        let help = "write a `match`, or `if let`";
        self.err(DiagCode::NoMethod, call.at, &[&call.name, &shown, help]);
        self.give_up(&call.args, call.span)
    }

    fn test(&mut self, op: Intrinsic, receiver: Expr) -> Expr {
        let span = receiver.span;
        Expr::op(Op::Intrinsic(op), vec![receiver], Ty::Bool, span)
    }

    /// `unwrap` and `expect` of an option.
    fn or_panic(&mut self, call: Call<'_>, message: &str) -> Expr {
        let panic = Expr::panic(message, call.span);
        self.payload_or(call.receiver, SOME, call.span, |_, _| panic)
    }

    /// `unwrap`, `expect`, `unwrap_err`, `expect_err` of a result: the message shows the payload of
    /// the other variant.
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
        self.payload_or(call.receiver, variant, span, |fcx, other| match other {
            Some(other) => fcx.panic_showing(&text, other, span),
            None => Expr::error(span),
        })
    }

    /// The payload of a variant, or a panic, which gets the payload of the other variant.
    fn payload_or(
        &mut self,
        value: Expr,
        variant: u32,
        span: Span,
        panic: impl FnOnce(&mut Self, Option<Expr>) -> Expr,
    ) -> Expr {
        let whole = value.ty.clone();
        let (found, read) = self.payload(&whole, variant, span);
        let (other, shown) = self.payload(&whole, 1 - variant, span);
        let Some(read) = read else {
            return Expr::error(span);
        };
        let ty = read.ty.clone();
        let diverges = self.diverges;
        let panic = panic(self, shown);
        self.diverges = diverges;
        let arm = |pat, body| Arm {
            pat,
            guard: None,
            body,
        };
        let arms = vec![arm(found, read), arm(other, panic)];
        Expr::new(Kind::Match(Box::new(value), arms), ty, span)
    }

    /// A pattern for a variant, and its payload, if it has one.
    fn payload(&mut self, whole: &Ty, variant: u32, span: Span) -> (Pat, Option<Expr>) {
        let pat = |kind| Pat { kind, span };
        match self.variant_fields(whole, variant).pop() {
            None => (pat(PatKind::Wild), None),
            Some(ty) => {
                let local = self.temp("some", ty, span);
                let bind = pat(PatKind::Bind(local, None));
                let read = self.read(local, span);
                (pat(PatKind::Variant(variant, vec![bind])), Some(read))
            }
        }
    }

    fn computed_message(&mut self, call: &Call<'_>) -> Expr {
        let what = format!("`{}` with a message that is not a literal", call.name);
        let help = "write a `match`, or `unwrap_or_else(|_| panic!(\"..\"))` with a format string";
        self.bad(DiagCode::UnsupportedWithHelp, call.at, &[&what, help])
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
