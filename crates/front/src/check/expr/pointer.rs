//! Functions as values.
//!
//! In: the path of a function, a closure where a function pointer is wanted, a call of a value.
//! Out: the function's number ([`crate::glue::pointers`]), or the call of the function that chooses
//! by number. Invariants: the type of a pointer has no holes when it gets its number; a closure
//! that becomes a function uses nothing of the function around it.

use crate::check::call::generic::key_head;
use crate::check::call::ref_impls::Around;
use crate::check::expr::path::{Head, Val};
use crate::check::fcx::FnCx;
use crate::check::hir::{Expr, Kind, Op};
use crate::check::terms::{CallAt, Callee, Found, Member};
use crate::cx::sources::Target;
use crate::items::{Assoc, Def, FnAttrs, FnItem};
use crate::names::written::prim_ty;
use crate::source::diag::{DiagCode, Diagnostic};
use crate::source::syntax::{name_of, turbofish};
use crate::tast::Span;
use crate::types::generics::Inst;
use crate::types::ty::{Sig, Ty};
use std::rc::Rc;
use syn::visit::Visit;

impl FnCx<'_> {
    /// A path as a function pointer; none if it does not mean a function.
    pub(in crate::check) fn function_path(
        &mut self,
        value: &Val,
        path: &syn::Path,
        expect: Option<&Ty>,
        span: Span,
    ) -> Option<Expr> {
        let callee = match value {
            Val::Def(Def::Fn(id)) => Callee::plain(*id),
            Val::Assoc(head, name) => {
                let member = self.function_member(head, name, span)?;
                let Assoc::Fn(item) = member.assoc else {
                    return None;
                };
                Callee {
                    subst: member.subst,
                    by: member.by,
                    ..Callee::plain(item)
                }
            }
            _ => return None,
        };
        let turbofish = turbofish(path);
        Some(self.function(
            Callee {
                turbofish,
                ..callee
            },
            expect,
            span,
        ))
    }

    /// What `T::name` means, if that is a member of a type of the crate or of a trait.
    fn function_member(&mut self, head: &Head, name: &str, at: Span) -> Option<Member> {
        let found = match head {
            Head::Key(key, args) => match self.find_assoc(*key, args, name, at) {
                Some((assoc, subst)) => {
                    return Some(Member {
                        assoc,
                        subst,
                        by: None,
                    });
                }
                None => {
                    let head = key_head(&self.cx.krate, *key);
                    let infer = Some(&mut self.infer);
                    let ty = self.cx.instance_with(head, args.clone(), infer, at);
                    self.any_member(&ty, &Around::default(), name, at)
                }
            },
            Head::Bound(ty) | Head::Ty(ty) => self.any_member(ty, &Around::default(), name, at),
            Head::As(ty, key, args) => {
                self.member_of(key, (ty, args), &Around::default(), name, at)
            }
            Head::Prim(prim) => {
                let ty = prim_ty(prim)?;
                match self.is_own_member(&ty, name) {
                    true => return None,
                    false => self.any_member(&ty, &Around::default(), name, at),
                }
            }
            _ => return None,
        };
        match found {
            Found::One(member) => Some(member),
            Found::None | Found::Several(_) => None,
        }
    }

    /// A function of the crate as a value.
    fn function(&mut self, callee: Callee<'_>, expect: Option<&Ty>, span: Span) -> Expr {
        let Some((inst, sig)) = self.open_call(callee, None, span) else {
            return Expr::error(span);
        };
        self.note_value(Callee {
            subst: inst.subst,
            ..callee
        });
        if let Some(expect) = expect.map(|ty| self.infer.shallow(ty))
            && matches!(expect, Ty::Fn(_))
        {
            self.infer.try_unify(&Ty::Fn(sig), &expect);
            self.settle();
        }
        let Some(inst) = self.closed(inst) else {
            let name = &self.cx.krate.fns[callee.item].name;
            let help = format!("write the types, as in `{name}::<i64>`");
            let d = Diagnostic::new(DiagCode::Annotate, span, &["function pointer"]);
            self.cx.report(d.help(help));
            return Expr::error(span);
        };
        let sig = self.cx.signature(inst);
        self.number_of_function(inst, sig, span)
    }

    fn number_of_function(&mut self, inst: Inst, sig: Rc<Sig>, span: Span) -> Expr {
        let target = self.cx.target(inst, self.func, span);
        let wrong = sig.params.contains(&Ty::Error) || sig.ret == Ty::Error;
        if target == Target::Error || wrong {
            return Expr::error(span);
        }
        let number = self.cx.pointer_to(&sig, target, span);
        Expr::new(Kind::Value(number), Ty::Fn(sig), span)
    }

    /// The types of a function pointer, if they are known.
    fn known_sig(&mut self, sig: &Sig, span: Span) -> Option<Rc<Sig>> {
        self.settle();
        let ty = self.infer.deep(&Ty::Fn(Rc::new(sig.clone())));
        match ty {
            Ty::Fn(sig) if !Ty::Fn(sig.clone()).has_holes() => Some(sig),
            _ => {
                self.err(DiagCode::Annotate, span, &["function pointer"]);
                None
            }
        }
    }

    /// A call of a value.
    pub(in crate::check) fn call_value(
        &mut self,
        callee: Expr,
        args: &[&syn::Expr],
        at: CallAt,
    ) -> Expr {
        let sig = match self.infer.shallow(&callee.ty) {
            Ty::Fn(sig) => self.known_sig(&sig, at.callee),
            Ty::Error | Ty::Never => None,
            _ => {
                self.err(DiagCode::NotAFunction, at.callee, &[]);
                None
            }
        };
        let Some(sig) = sig else {
            return self.give_up(args, at.call);
        };
        if !self.arity(
            "the function pointer",
            sig.params.len(),
            args.len(),
            at.call,
        ) {
            self.give_up(args, at.call);
            return Expr::new(Kind::Error, sig.ret.clone(), at.call);
        }
        let (mut operands, lent) = self.operands(&sig, None, args);
        operands.insert(0, callee);
        let func = self.cx.pointer_caller(&sig, at.callee);
        if let Some(caller) = self.func {
            self.cx.queue.calls.push((caller, func, at.callee));
        }
        self.returned(Op::Call(func, lent), &sig, operands, at.call)
    }

    /// A closure where a function pointer is wanted: a function of its own.
    pub(in crate::check) fn closure_pointer(
        &mut self,
        closure: &syn::ExprClosure,
        sig: &Sig,
        span: Span,
    ) -> Expr {
        if closure.asyncness.is_some() {
            return self.bad(DiagCode::Unsupported, span, &["an `async` closure"]);
        }
        let Some(sig) = self.known_sig(sig, span) else {
            return Expr::error(span);
        };
        let count = closure.inputs.len();
        if !self.arity("the closure", sig.params.len(), count, span) {
            return Expr::error(span);
        }
        if let Some(ident) = self.captured(closure) {
            let at = self.span(&ident);
            let what = format!("a function pointer to a closure that uses `{ident}`");
            let help = "pass it as an argument: only closures that use nothing of the function around them are function pointers";
            return self.bad(DiagCode::UnsupportedWithHelp, at, &[&what, help]);
        }
        let item = self.closure_item(closure, &sig, span);
        let inst = Inst {
            item: self.cx.krate.fns.push(Rc::new(item)),
            subst: self.site.env.subst,
        };
        self.cx.interned.sigs.insert(inst, sig.clone());
        self.note_value(Callee {
            subst: inst.subst,
            ..Callee::plain(inst.item)
        });
        self.number_of_function(inst, sig, span)
    }

    /// The function that a closure is.
    fn closure_item(&mut self, closure: &syn::ExprClosure, sig: &Sig, span: Span) -> FnItem {
        let mut declared: syn::Signature = syn::parse_quote!(fn closure());
        for (input, (ty, by_ref)) in closure
            .inputs
            .iter()
            .zip(sig.params.iter().zip(&sig.by_ref))
        {
            let mut pat = input;
            if let syn::Pat::Type(typed) = input {
                let at = self.span(input);
                let infer = Some(&mut self.infer);
                let (annotated, passed) =
                    self.cx.param_ty_of(&typed.ty, false, self.site.env, infer);
                if self.equate(ty, &annotated, at) && *by_ref != passed {
                    let shown = self.show(ty);
                    let words = [by_ref.show(&shown), passed.show(&shown)];
                    self.err(DiagCode::Mismatch, at, &[&words[0], &words[1]]);
                }
                pat = &typed.pat;
            }
            declared.inputs.push(syn::parse_quote!(#pat: _));
        }
        if let syn::ReturnType::Type(_, ty) = &closure.output {
            let annotated = self.cx.lower(ty, self.site.env, Some(&mut self.infer));
            self.equate(&sig.ret, &annotated, span);
        }
        let around = self.func.map(|func| self.cx.queue.func_items[func].item);
        let unroll_safe = around.is_some_and(|id| self.cx.krate.fns[id].attrs.unroll_safe);
        FnItem {
            name: crate::callees::CLOSURE.to_owned(),
            module: self.site.env.module,
            owner: self.site.env.owner,
            of_trait: None,
            span,
            attrs: FnAttrs {
                unroll_safe,
                ..FnAttrs::default()
            },
            reads: None,
            writes: None,
            native_only: None,
            advice: None,
            policies: Vec::new(),
            generics: Default::default(),
            sig: declared,
            body: match &*closure.body {
                syn::Expr::Block(e) if e.label.is_none() => e.block.clone(),
                body => syn::Block {
                    brace_token: Default::default(),
                    stmts: vec![syn::Stmt::Expr(body.clone(), None)],
                },
            },
        }
    }

    /// A name in a closure that means a local of the function around it.
    fn captured(&self, closure: &syn::ExprClosure) -> Option<syn::Ident> {
        let mut names = Names::default();
        names.visit_expr_closure(closure);
        let own: Vec<String> = names.bound.iter().map(name_of).collect();
        names.used.into_iter().find(|ident| {
            let name = name_of(ident);
            !own.contains(&name) && self.lookup(&name).is_some()
        })
    }
}

/// The names that a closure uses, and those that it declares.
#[derive(Default)]
struct Names {
    used: Vec<syn::Ident>,
    bound: Vec<syn::Ident>,
}

impl<'ast> Visit<'ast> for Names {
    fn visit_expr_path(&mut self, e: &'ast syn::ExprPath) {
        if e.qself.is_none() {
            self.used.extend(e.path.get_ident().cloned());
        }
    }

    fn visit_pat_ident(&mut self, p: &'ast syn::PatIdent) {
        self.bound.push(p.ident.clone());
        syn::visit::visit_pat_ident(self, p);
    }
}
