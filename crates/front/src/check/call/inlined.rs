//! Calls of functions that take closures: the body stands where the call is.
//!
//! In: a call of a generic function with parameters whose types implement `Fn`, `FnMut` or
//! `FnOnce`. Out: its body, with variables for its parameters; a parameter that is a closure is a
//! name for it, and each call of it a copy of its body. Invariants: names, types and macros in the
//! body mean what they mean where it is written, and so do those in the closures; `return` and `?`
//! leave the body; what is lent to the function is assigned back behind the body, as behind a call.
//!
//! What the function's type parameters stand for may be found out while its body is checked, where
//! a function that is called would need to know it before: the types of closures are those of the
//! values that are passed to them.

use crate::check::expr::path::Val;
use crate::check::fcx::FnCx;
use crate::check::hir::Expr;
use crate::check::terms::{Args, CallAt, InlineSite, Inlined, Name, Named, Place};
use crate::items::*;
use crate::source::diag::DiagCode;
use crate::source::syntax::{bare, plain};
use crate::tast::{LocalId, Span};
use crate::types::generics::Inst;
use crate::types::infer::VarKind;
use crate::types::ty::{ByRef, Sig, Ty};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// What the parameters of functions that are closures take and give, by their numbers.
pub(in crate::check) type Closures = FxHashMap<usize, syn::ParenthesizedGenericArguments>;

/// An argument that has been looked at.
enum Passed {
    /// A value.
    Value(Expr),
    /// A closure or the path of a function.
    Closure(Rc<Named>),
}

/// The arguments of a call.
struct Arguments {
    /// The receiver too.
    passed: Vec<Passed>,
    /// What is lent, with the numbers of the parameters.
    lent: Vec<(usize, Place)>,
    /// What is done behind the call.
    after: Vec<Expr>,
}

/// The place of a call, whose names the closures among its arguments see; it is there while the
/// body is checked.
type Here = Rc<RefCell<Option<InlineSite>>>;

impl FnCx<'_> {
    /// Which of a function's parameters are closures.
    pub(in crate::check) fn closures_of(&self, item: FnItemId) -> Closures {
        let item = &self.cx.krate.fns[item];
        let mut closures = Closures::default();
        for (name, bound) in &item.generics.bounds {
            let Some(syn::PathArguments::Parenthesized(of)) =
                bound.segments.last().map(|s| &s.arguments)
            else {
                continue;
            };
            let key = self.cx.krate.trait_key(item.module, &plain(bound));
            let is_fn = |key| matches!(key, TraitKey::Std(name) if ["Fn", "FnMut", "FnOnce"].contains(&name.as_str()));
            if !key.is_some_and(is_fn) {
                continue;
            }
            for (n, input) in item.sig.inputs.iter().enumerate() {
                if let syn::FnArg::Typed(arg) = input
                    && names(&arg.ty, name)
                {
                    closures.insert(n, of.clone());
                }
            }
        }
        closures
    }

    /// A call of a function that takes closures, which has as many parameters as the call has
    /// arguments.
    pub(in crate::check) fn call_inlined(
        &mut self,
        (inst, sig): (Inst, &Sig),
        closures: &Closures,
        receiver: Option<(Expr, Option<Place>)>,
        args: &Args<'_>,
        at: CallAt,
    ) -> Expr {
        if !self.can_be_inlined(inst.item, at.callee) {
            return self.give_up(args, at.call);
        }
        let here = Here::default();
        let arguments = self.pass((inst, sig), closures, receiver, args, (&here, at.callee));
        let inside = self.inside(inst, at.call);
        *here.borrow_mut() = Some(std::mem::replace(&mut self.site, inside));
        let (params, value) = self.inlined_body((inst.item, sig), arguments.passed, at.call);
        if let Some(here) = here.take() {
            self.site = here;
        }
        let mut behind = self.assign_back(&arguments.lent, &params, at.call);
        behind.extend(arguments.after);
        self.and_then(value, behind, at.call)
    }

    /// Checks the arguments, in their order.
    fn pass(
        &mut self,
        (inst, sig): (Inst, &Sig),
        closures: &Closures,
        receiver: Option<(Expr, Option<Place>)>,
        args: &Args<'_>,
        (here, at): (&Here, Span),
    ) -> Arguments {
        let outer = std::mem::take(&mut self.after);
        let skip = usize::from(receiver.is_some());
        let (mut passed, mut lent) = (Vec::new(), Vec::new());
        if let Some((receiver, place)) = receiver {
            let mut receiver = self.coerce(receiver, &sig.params[0]);
            if sig.by_ref[0] == ByRef::Mut {
                let (value, place) = self.lend_receiver(receiver, place);
                lent.push((0, place));
                receiver = value;
            }
            passed.push(Passed::Value(receiver));
        }
        let mut moved = None;
        for (arg, number) in args.iter().zip(skip..) {
            if let Some(shape) = closures.get(&number) {
                moved = moved.or_else(|| is_moved(arg).then(|| self.span(*arg)));
                let types = self.types_of_closure(inst, shape, at);
                passed.push(self.closure_argument(arg, types, &sig.params[number], here));
                continue;
            }
            if let Some(at) = moved
                && !is_simple(arg)
            {
                let help = "give the value a name with `let` before";
                let what = "a `move` closure before an argument that is computed";
                self.err(DiagCode::UnsupportedWithHelp, at, &[what, help]);
            }
            let (ty, by_ref) = (&sig.params[number], sig.by_ref[number]);
            let (value, place) = self.argument(arg, ty, by_ref);
            lent.extend(place.map(|place| (number, place)));
            passed.push(Passed::Value(value));
        }
        Arguments {
            passed,
            lent,
            after: std::mem::replace(&mut self.after, outer),
        }
    }

    /// The site of the function's body, for what its parameters stand for by now.
    fn inside(&mut self, inst: Inst, span: Span) -> InlineSite {
        let subst = self.cx.interned.substs.get(inst.subst).deep(&self.infer);
        let subst = self.cx.interned.substs.intern(subst);
        let is_text = (self.cx.krate).is_text(self.cx.krate.fns[inst.item].module);
        InlineSite {
            inlined: Some(Rc::new(Inlined {
                item: inst.item,
                outer: self.site.inlined.clone(),
            })),
            called_at: is_text.then_some(self.site.called_at.unwrap_or(span)),
            quiet: 1,
            ..InlineSite::new(self.cx.fn_env(Inst { subst, ..inst }))
        }
    }

    /// The body, behind what gives the parameters their values; and the parameters.
    fn inlined_body(
        &mut self,
        (id, sig): (FnItemId, &Sig),
        passed: Vec<Passed>,
        span: Span,
    ) -> (Vec<LocalId>, Expr) {
        let item = self.cx.krate.fns[id].clone();
        let mut params = Vec::new();
        let value = self.body_of_its_own(&sig.ret, span, |fcx, list| {
            let (locals, takes_apart) = fcx.params(id, sig);
            for (local, passed) in locals.iter().zip(passed) {
                match passed {
                    Passed::Value(value) => list.push(Expr::bind(*local, value)),
                    Passed::Closure(named) => fcx.locals[*local].name_is = Name::Closure(named),
                }
            }
            list.extend(takes_apart);
            params = locals;
            fcx.block(&item.body, Some(&sig.ret))
        });
        if let Some(at) = self.site.first_loop.get()
            && !item.attrs.unroll_safe
        {
            self.loops(id, at);
        }
        (params, value)
    }

    /// What assigns back what has been lent.
    fn assign_back(
        &mut self,
        lent: &[(usize, Place)],
        params: &[LocalId],
        span: Span,
    ) -> Vec<Expr> {
        let mut list = Vec::new();
        for (number, place) in lent {
            if let Some(param) = params.get(*number) {
                let ty = self.locals[*param].ty.clone();
                let value = Expr::local(*param, ty, span);
                list.push(self.write_place(place.clone(), value, span));
            }
        }
        list
    }

    /// Whether a function that takes closures is one that can be inlined; else there is a
    /// complaint.
    fn can_be_inlined(&mut self, id: FnItemId, at: Span) -> bool {
        let item = self.cx.krate.fns[id].clone();
        let attrs = &item.attrs;
        let called = attrs.portal || attrs.opaque || attrs.elidable || attrs.hint.is_some();
        let what = format!(
            "`{}`, which takes a closure and is called, not traced,",
            item.name
        );
        let help = "a function that is called gets words and references: pass values, or leave out its attribute";
        if called {
            self.err(DiagCode::UnsupportedWithHelp, at, &[&what, help]);
            return false;
        }
        let mut around = self.site.inlined.as_deref();
        while let Some(inlined) = around {
            if inlined.item == id {
                let what = format!("`{}`, which takes a closure and calls itself,", item.name);
                let help = "a function that takes a closure is inlined where it is called: write a loop, or pass a function pointer (`fn(..)`)";
                self.err(DiagCode::UnsupportedWithHelp, at, &[&what, help]);
                return false;
            }
            around = inlined.outer.as_deref();
        }
        self.cx.krate.is_text(item.module) || self.may_inline(at)
    }

    /// The types of a closure's parameters and of its result, as the function that takes it says.
    fn types_of_closure(
        &mut self,
        inst: Inst,
        shape: &syn::ParenthesizedGenericArguments,
        at: Span,
    ) -> (Vec<Ty>, Ty) {
        let env = self.cx.fn_env(inst);
        let mut params = Vec::new();
        for input in &shape.inputs {
            let infer = Some(&mut self.infer);
            params.push(self.cx.param_ty_of(input, false, env, infer).0);
        }
        let ret = match &shape.output {
            syn::ReturnType::Default => Ty::Unit,
            syn::ReturnType::Type(_, ty) => self.cx.lower(ty, env, Some(&mut self.infer)),
        };
        if self.infer.hole(&ret).is_some() {
            // If the closure never returns, any type will do.
            let any = self.infer.var(VarKind::Diverging, at);
            self.infer.unify(&ret, &any);
        }
        (params, ret)
    }

    /// An argument for a parameter that is a closure, and what the type of the parameter is.
    fn closure_argument(
        &mut self,
        arg: &syn::Expr,
        types: (Vec<Ty>, Ty),
        of_param: &Ty,
        here: &Here,
    ) -> Passed {
        let passed = self.passed_closure(arg, types, here);
        let ty = match &passed {
            Passed::Value(value) => value.ty.clone(),
            // A closure has no value, nor a type.
            Passed::Closure(_) => Ty::Unit,
        };
        self.infer.try_unify(of_param, &ty);
        passed
    }

    /// A closure, a function, or the value of a function pointer.
    fn passed_closure(
        &mut self,
        arg: &syn::Expr,
        (params, ret): (Vec<Ty>, Ty),
        here: &Here,
    ) -> Passed {
        let mut callee = bare(arg);
        while let syn::Expr::Reference(inner) = callee {
            callee = bare(&inner.expr);
        }
        let is_callee = match callee {
            syn::Expr::Closure(_) => true,
            syn::Expr::Path(path) => match self.value(path) {
                Val::Local(local) => match &self.locals[local].name_is {
                    Name::Closure(named) => {
                        let named = named.clone();
                        return match self.same_types(&named, (&params, &ret), arg) {
                            true => Passed::Closure(named),
                            false => Passed::Value(Expr::error(self.span(arg))),
                        };
                    }
                    _ => false,
                },
                Val::Def(Def::Const(_) | Def::Static(_)) | Val::Error => false,
                _ => true,
            },
            _ => false,
        };
        if !is_callee {
            let value = self.expr(callee, None);
            let ty = self.infer.shallow(&value.ty);
            return Passed::Value(match ty {
                Ty::Fn(_) | Ty::Error | Ty::Never => value,
                _ => self.bad(DiagCode::NotAFunction, value.span, &[]),
            });
        }
        if let syn::Expr::Closure(closure) = callee {
            let span = self.span(callee);
            if !self.arity("the closure", closure.inputs.len(), params.len(), span) {
                return Passed::Value(Expr::error(span));
            }
        }
        Passed::Closure(Rc::new(Named {
            callee: callee.clone(),
            site: here.clone(),
            params,
            ret,
        }))
    }

    /// Whether a closure that has a name takes and gives what the function says; else there is a
    /// complaint.
    fn same_types(&mut self, named: &Named, (params, ret): (&[Ty], &Ty), arg: &syn::Expr) -> bool {
        let span = self.span(arg);
        let mut same = self.arity("the closure", named.params.len(), params.len(), span);
        for (closure, function) in named.params.iter().zip(params) {
            same = same && self.equate(function, closure, span);
        }
        same && self.equate(ret, &named.ret, span)
    }
}

/// Whether a type is a parameter with this name, or a reference to one.
fn names(ty: &syn::Type, name: &str) -> bool {
    match ty {
        syn::Type::Reference(r) => names(&r.elem, name),
        syn::Type::Paren(t) => names(&t.elem, name),
        syn::Type::Path(p) => p.qself.is_none() && p.path.is_ident(name),
        _ => false,
    }
}

/// Whether an argument is a `move` closure.
fn is_moved(arg: &syn::Expr) -> bool {
    match bare(arg) {
        syn::Expr::Closure(closure) => closure.capture.is_some(),
        syn::Expr::Reference(e) => is_moved(&e.expr),
        _ => false,
    }
}

/// Whether an expression changes nothing.
fn is_simple(expr: &syn::Expr) -> bool {
    match bare(expr) {
        syn::Expr::Lit(_) | syn::Expr::Path(_) | syn::Expr::Closure(_) => true,
        syn::Expr::Reference(e) => is_simple(&e.expr),
        syn::Expr::Field(e) => is_simple(&e.base),
        syn::Expr::Unary(e) => is_simple(&e.expr),
        _ => false,
    }
}
