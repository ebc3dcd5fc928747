//! `unsafe { record_exact_class::<C>(object) }`: the one hint that needs an `unsafe` block. In: the
//! block, the call. Out: an assertion about the object's class, which compiled code believes.
//! Invariant: no other `unsafe` code is translated.

use crate::check::fcx::FnCx;
use crate::check::hir::{Expr, Op};
use crate::check::terms::CallAt;
use crate::items::{Builtin, Def, Ns};
use crate::source::diag::DiagCode;
use crate::source::syntax::plain;
use crate::tast::Intrinsic;
use crate::types::ty::Ty;

impl FnCx<'_> {
    /// The call of `record_exact_class` that an `unsafe` block consists of.
    pub(in crate::check) fn hint_in<'e>(&self, block: &'e syn::Block) -> Option<&'e syn::Expr> {
        let [syn::Stmt::Expr(expr, _)] = &block.stmts[..] else {
            return None;
        };
        let syn::Expr::Call(call) = expr else {
            return None;
        };
        let syn::Expr::Path(path) = &*call.func else {
            return None;
        };
        let path = plain(&path.path);
        let krate = &self.cx.krate;
        let found = krate.resolve(self.site.env.module, path.global, &path.segs, Ns::Values);
        let is_hint = matches!(found, Some((Def::Builtin(Builtin::RecordExactClass), _)));
        is_hint.then_some(expr)
    }

    /// `record_exact_class::<C>(object)`: an assertion that compiled code believes.
    pub(in crate::check) fn record_exact_class(
        &mut self,
        class: Option<&syn::AngleBracketedGenericArguments>,
        args: &[&syn::Expr],
        at: CallAt,
    ) -> Expr {
        let name = "record_exact_class";
        let Some(syn::GenericArgument::Type(ty)) = class.and_then(|list| list.args.first()) else {
            let help =
                "write `record_exact_class::<C>(object)`, with the struct that the object is";
            let what = "`record_exact_class` without a class";
            return self.bad(DiagCode::UnsupportedWithHelp, at.callee, &[what, help]);
        };
        let [object] = args else {
            self.arity(name, 1, args.len(), at.call);
            return self.give_up(args, at.call);
        };
        let object = self.expr(object, None);
        let class = match (
            self.cx.gc_of(ty, self.site.env),
            self.infer.shallow(&object.ty),
        ) {
            (Ty::Gc(class), Ty::Object(_)) => class,
            (Ty::Error, _) | (_, Ty::Error) => return Expr::error(at.call),
            (_, other) => {
                let what = format!("the class of a `{}`", self.show(&other));
                let help = "it has but one; the hint is for the types of `#[object]`";
                return self.bad(DiagCode::UnsupportedWithHelp, at.call, &[&what, help]);
            }
        };
        let class_text = match self.put_together(ty) {
            true => written(ty),
            false => self.cx.text(self.cx.span(self.site.env.module, ty)),
        };
        let message = format!("{name}: the object is not a `{class_text}`");
        let has = Op::Intrinsic(Intrinsic::HasClass(class));
        let has = Expr::op(has, vec![object], Ty::Bool, at.call);
        let fail = Expr::panic(&message, at.call);
        Expr::if_else(has, Expr::unit(at.call), fail, Ty::Unit, at.call)
    }
}

/// A type as it is written.
fn written(ty: &syn::Type) -> String {
    quote::ToTokens::to_token_stream(ty)
        .to_string()
        .replace(' ', "")
}
