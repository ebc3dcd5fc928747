//! Closures: what is written in place as an argument, and what `let` gives a name to.
//!
//! In: a closure or the path of a function, and values for its parameters. Out: the body, with
//! variables for the parameters, where the call is. Invariants: names in the body mean what they
//! mean where the closure is written; `return` and `?` leave the closure, which is a block for
//! them; a closure is nowhere a value.
//!
//! Captured variables are simply used: a closure that captures by reference keeps everybody else
//! from changing them. A `move` closure has copies, which are the variables themselves as long as
//! neither changes: so it must not assign them, and `let` can give it no name, as they could change
//! between two calls.

use crate::check::fcx::{FnCx, Frame};
use crate::check::hir::{Expr, Kind};
use crate::check::terms::{Name, Named, OwnBody, Place, Subject};
use crate::source::diag::DiagCode;
use crate::source::syntax::name_of;
use crate::tast::{LocalId, Span};
use crate::types::infer::VarKind;
use crate::types::ty::Ty;
use cranelift_entity::EntityRef;
use std::cell::RefCell;
use std::rc::Rc;
use syn::spanned::Spanned;

/// How many calls of closures with names a function can have when all are inlined: they can call
/// each other.
const MAX_CALLS: u32 = 256;

impl FnCx<'_> {
    /// What a function gives for these values.
    fn applied(
        &mut self,
        callee: &syn::Expr,
        args: Vec<Expr>,
        ret: Option<&Ty>,
        span: Span,
    ) -> Expr {
        self.scoped(|fcx| {
            let mut list = Vec::new();
            let mut names = syn::punctuated::Punctuated::new();
            for (n, arg) in args.into_iter().enumerate() {
                let name = format!("__vd_arg{n}");
                let local = fcx.declare(name.clone(), arg.ty.clone(), span);
                list.push(Expr::bind(local, arg));
                let ident = syn::Ident::new(&name, callee.span());
                names.push(syn::Expr::Path(syn::ExprPath {
                    attrs: Vec::new(),
                    qself: None,
                    path: ident.into(),
                }));
            }
            let call = syn::ExprCall {
                attrs: Vec::new(),
                func: Box::new(callee.clone()),
                paren_token: Default::default(),
                args: names,
            };
            let value = fcx.call_expr(&call, ret, span);
            let ty = value.ty.clone();
            list.push(value);
            Expr::block(list, ty, span)
        })
    }

    /// A closure's body with its parameters bound.
    fn inline(
        &mut self,
        closure: &syn::ExprClosure,
        args: Vec<Expr>,
        (params, ret): (&[Ty], &Ty),
        span: Span,
    ) -> Expr {
        if closure.asyncness.is_some() {
            return self.bad(DiagCode::Unsupported, span, &["an `async` closure"]);
        }
        if !self.arity("the closure", closure.inputs.len(), args.len(), span) {
            return Expr::error(span);
        }
        if let syn::ReturnType::Type(_, ty) = &closure.output {
            let annotated = self.cx.lower(ty, self.site.env, Some(&mut self.infer));
            self.equate(ret, &annotated, span);
        }
        self.body_of_its_own(ret, span, |fcx, list| {
            for ((input, arg), ty) in closure.inputs.iter().zip(args).zip(params) {
                let first = fcx.closure_param(input, arg, ty);
                list.push(first);
            }
            fcx.expr(&closure.body, Some(ret))
        })
    }

    /// What `return` and `?` leave with a value of this type, and nothing else does; what comes
    /// before its value goes into the list.
    pub(in crate::check) fn body_of_its_own(
        &mut self,
        ret: &Ty,
        span: Span,
        check: impl FnOnce(&mut Self, &mut Vec<Expr>) -> Expr,
    ) -> Expr {
        let block = self.new_loop();
        let own = OwnBody { block, left: false };
        let outer = self.closure.replace(own);
        let outer_ret = std::mem::replace(&mut self.ret, ret.clone());
        let frames: Vec<Frame> = std::mem::take(&mut self.frames);
        let before = std::mem::replace(&mut self.diverges, false);
        let mut list = Vec::new();
        let body = self.scoped(|fcx| {
            let body = check(fcx, &mut list);
            fcx.coerce(body, ret)
        });
        self.diverges = before;
        self.frames = frames;
        self.ret = outer_ret;
        let left = self.closure.is_some_and(|c| c.left);
        self.closure = outer;
        let ty = match body.ty {
            Ty::Never if !left => Ty::Never,
            _ => ret.clone(),
        };
        list.push(body);
        let body = Expr::block(list, ty.clone(), span);
        if !left {
            return body;
        }
        let kind = Kind::Loop {
            id: block,
            body: Box::new(body),
            once: true,
        };
        Expr::new(kind, ty, span)
    }

    fn closure_param(&mut self, input: &syn::Pat, arg: Expr, ty: &Ty) -> Expr {
        let span = self.span(input);
        let arg = self.coerce(arg, ty);
        let (pat, annotated) = match input {
            syn::Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            pat => (pat, None),
        };
        if let Some(annotated) = annotated {
            let annotated = self
                .cx
                .lower(annotated, self.site.env, Some(&mut self.infer));
            self.equate(&annotated, ty, span);
        }
        if let syn::Pat::Ident(p) = pat
            && p.by_ref.is_none()
            && p.subpat.is_none()
        {
            let local = self.declare(name_of(&p.ident), ty.clone(), span);
            return Expr::bind(local, arg);
        }
        let temp = self.temp("arg", ty.clone(), span);
        let subject = Subject {
            value: arg,
            place: Some(Place::of(temp)),
            borrowed: crate::check::terms::Borrowed::No,
        };
        self.destructure(pat, subject, span)
    }

    /// `let name = |..| ..;`
    pub(in crate::check) fn let_closure(
        &mut self,
        name: String,
        closure: &syn::ExprClosure,
        span: Span,
    ) {
        if closure.capture.is_some() {
            let help = "leave out `move`, or write the closure where it is called";
            let what = "a `move` closure in a variable";
            self.err(DiagCode::UnsupportedWithHelp, span, &[what, help]);
        }
        let params = closure.inputs.iter().map(|_| self.hole(span)).collect();
        let named = Named {
            callee: syn::Expr::Closure(closure.clone()),
            site: Rc::new(RefCell::new(Some(self.site.clone()))),
            params,
            ret: self.infer.var(VarKind::Diverging, span),
        };
        let local = self.declare(name, Ty::Unit, span);
        self.locals[local].name_is = Name::Closure(Rc::new(named));
    }

    /// A call of a closure that has a name.
    pub(in crate::check) fn call_closure(
        &mut self,
        named: &Named,
        args: &[&syn::Expr],
        span: Span,
    ) -> Expr {
        if !self.may_inline(span) {
            return self.give_up(args, span);
        }
        if !self.arity("the closure", named.params.len(), args.len(), span) {
            return self.give_up(args, span);
        }
        let mut values = Vec::new();
        for (arg, ty) in args.iter().zip(&named.params) {
            values.push(self.coerced(arg, ty));
        }
        let Some(site) = named.site.take() else {
            // Rust has no such closure, but a mistake in the source must not be lost.
            let help = "make it a function, which can be marked";
            let what = "a closure that calls itself";
            return self.bad(DiagCode::UnsupportedWithHelp, span, &[what, help]);
        };
        let here = std::mem::replace(&mut self.site, site);
        let around = self.site.frozen;
        let value = match &named.callee {
            syn::Expr::Closure(closure) => {
                let types = (named.params.as_slice(), &named.ret);
                if closure.capture.is_some() {
                    self.site.frozen = Some(LocalId::new(self.locals.len()));
                }
                self.noted_once(closure, |fcx| fcx.inline(closure, values, types, span))
            }
            callee => {
                let at = self.span(callee);
                let value = self.quietly(|fcx| fcx.applied(callee, values, Some(&named.ret), at));
                self.coerce(value, &named.ret)
            }
        };
        // What is behind the closure may change variables again.
        self.site.frozen = around;
        let site = std::mem::replace(&mut self.site, here);
        named.site.replace(Some(site));
        value
    }

    /// Whether one more call can be inlined into this function.
    pub(in crate::check) fn may_inline(&mut self, span: Span) -> bool {
        if self.cx.krate.is_text(self.site.env.module) {
            return true;
        }
        self.inlined_calls += 1;
        if self.inlined_calls == MAX_CALLS + 1 {
            let help = "make it a function: each call of a closure is inlined";
            let what = "so many calls of closures in one function";
            self.err(DiagCode::UnsupportedWithHelp, span, &[what, help]);
        }
        self.inlined_calls <= MAX_CALLS
    }

    /// Leaves the function, or the closure that this is in, with a value.
    pub(in crate::check) fn leave_with(&mut self, value: Option<Expr>, span: Span) -> Expr {
        let value = value.map(Box::new);
        let kind = match &mut self.closure {
            Some(around) => {
                around.left = true;
                Kind::Break(around.block, value)
            }
            None => Kind::Return(value),
        };
        Expr::new(kind, Ty::Never, span)
    }
}
