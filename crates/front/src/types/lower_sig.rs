//! The types of functions: as declared, and as pointers to functions are written.
//!
//! In: syntax. Out: [`Sig`]; complaints about types that traced code cannot use. Invariant: a
//! parameter is passed in one of the ways of [`ByRef`], and a function and a pointer to it say so
//! alike.

use crate::cx::Cx;
use crate::cx::sources::Env;
use crate::items::*;
use crate::source::diag::{DiagCode, Diagnostic};
use crate::tast::Span;
use crate::types::generics::Inst;
use crate::types::infer::Infer;
use crate::types::lower_ty::is_unsized;
use crate::types::ty::{ByRef, Head, Sig, Ty};
use std::rc::Rc;

impl Cx {
    /// The types of a function; complains about them once.
    pub fn signature(&mut self, inst: Inst) -> Rc<Sig> {
        if let Some(sig) = self.interned.sigs.get(&inst) {
            return sig.clone();
        }
        let sig = Rc::new(self.open_signature(inst, None));
        self.interned.sigs.insert(inst, sig.clone());
        sig
    }

    /// Where the types of a function are written.
    pub fn fn_env(&self, inst: Inst) -> Env {
        let item = &self.krate.fns[inst.item];
        Env {
            module: item.module,
            owner: item.owner,
            subst: inst.subst,
        }
    }

    /// The types of a function whose parameters may stand for types with holes.
    pub fn open_signature(&mut self, inst: Inst, mut infer: Option<&mut Infer>) -> Sig {
        let item = self.krate.fns[inst.item].clone();
        let env = self.fn_env(inst);
        let mut params = Vec::new();
        let mut by_ref = Vec::new();
        // What is called takes all references as addresses.
        let attrs = &item.attrs;
        let called = attrs.opaque || attrs.elidable || attrs.readonly || attrs.portal;
        for input in &item.sig.inputs {
            let (ty, passed) = match input {
                syn::FnArg::Typed(arg) => {
                    self.param_ty_of(&arg.ty, called, env, infer.as_deref_mut())
                }
                // `&self` has the type `&Self` too.
                syn::FnArg::Receiver(receiver) => (
                    self.receiver_ty(receiver, env, infer.as_deref_mut()),
                    passed(&receiver.ty),
                ),
            };
            params.push(ty);
            by_ref.push(passed);
        }
        if let Some(bad) = params.iter().position(|p| *p == Ty::Never) {
            params[bad] = Ty::Error;
            let span = self.span(env.module, &item.sig.inputs[bad]);
            self.bad_type(span);
        }
        let ret = match &item.sig.output {
            syn::ReturnType::Default => Ty::Unit,
            syn::ReturnType::Type(_, ty) => match &**ty {
                // What is called returns no addresses.
                syn::Type::Reference(r) if !called && is_unsized(&r.elem) => {
                    self.foreign_ty(r, env)
                }
                ty => self.lower(ty, env, infer),
            },
        };
        Sig {
            params,
            by_ref,
            ret,
        }
    }

    /// The type of a parameter, and how it is passed. What is `called`, not traced, takes all
    /// references as addresses.
    pub fn param_ty_of(
        &mut self,
        ty: &syn::Type,
        called: bool,
        env: Env,
        infer: Option<&mut Infer>,
    ) -> (Ty, ByRef) {
        match ty {
            syn::Type::Reference(r) if called || self.is_foreign(&r.elem, env) => {
                (self.foreign_ty(r, env), ByRef::No)
            }
            ty => (self.param(ty, env, infer), passed(ty)),
        }
    }

    /// `fn(A, B) -> R`
    pub fn fn_ty(
        &mut self,
        ty: &syn::TypeBareFn,
        env: Env,
        mut infer: Option<&mut Infer>,
        span: Span,
    ) -> Ty {
        if ty.unsafety.is_some() || ty.abi.is_some() || ty.variadic.is_some() {
            return self.bad_type(span);
        }
        let (mut params, mut by_ref) = (Vec::new(), Vec::new());
        for input in &ty.inputs {
            let infer = infer.as_deref_mut();
            let (ty, passed) = self.param_ty_of(&input.ty, false, env, infer);
            params.push(ty);
            by_ref.push(passed);
        }
        let ret = match &ty.output {
            syn::ReturnType::Default => Ty::Unit,
            syn::ReturnType::Type(_, ty) => self.lower(ty, env, infer),
        };
        if ret == Ty::Error || params.iter().any(|p| matches!(p, Ty::Error | Ty::Never)) {
            return Ty::Error;
        }
        Ty::Fn(Rc::new(Sig {
            params,
            by_ref,
            ret,
        }))
    }

    /// The type of a parameter: `&Class` is the pointer to the object, as `&self` is.
    fn param(&mut self, ty: &syn::Type, env: Env, mut infer: Option<&mut Infer>) -> Ty {
        match ty {
            syn::Type::Reference(r) if r.mutability.is_none() && !is_unsized(&r.elem) => {
                let of = self.lower_arg(&r.elem, env, infer.as_deref_mut());
                match is_class(&of, infer.as_deref()) {
                    true => {
                        let span = self.span(env.module, ty);
                        self.instance_with(Head::Gc, vec![of], infer, span)
                    }
                    false => of,
                }
            }
            ty => self.lower(referent(ty), env, infer),
        }
    }

    /// The type of `self`: of a heap class, `&self` is the pointer to the object.
    fn receiver_ty(&mut self, receiver: &syn::Receiver, env: Env, infer: Option<&mut Infer>) -> Ty {
        let span = self.span(env.module, receiver);
        let target = env.owner.and_then(|o| self.krate.impls[o].target);
        let heap = match target {
            Some(TypeKey::Struct(s)) if self.krate.structs[s].gc => {
                Some("take `&self`, and make fields that change `Cell`s")
            }
            Some(TypeKey::Object(_)) => Some("take `self`, and make fields that change `Cell`s"),
            _ => None,
        };
        if let Some(help) = heap
            && matches!(&*receiver.ty, syn::Type::Reference(r) if r.mutability.is_some())
        {
            self.err(DiagCode::UnsupportedWithHelp, span, &["`&mut self`", help]);
            return Ty::Error;
        }
        if receiver.colon_token.is_some() {
            let ty = match &*receiver.ty {
                syn::Type::Reference(r) => &*r.elem,
                ty => return self.lower(ty, env, infer),
            };
            let is_self = matches!(ty, syn::Type::Path(p) if p.path.is_ident("Self"));
            if !is_self {
                return self.bad_type(span);
            }
        }
        match target {
            Some(TypeKey::Enum(e)) if self.krate.enums[e].object.is_some() => {
                let name = self.krate.object_name(e).to_owned();
                let help = format!("put the method in `impl {name}` and match `self.kind()`");
                self.err(
                    DiagCode::UnsupportedWithHelp,
                    span,
                    &["a method of the kind enum", &help],
                );
                return Ty::Error;
            }
            _ => {}
        }
        let this = self.self_ty(env, span);
        match is_class(&this, infer.as_deref()) {
            false => this,
            true if receiver.reference.is_some() || receiver.colon_token.is_some() => {
                self.instance_with(Head::Gc, vec![this], infer, span)
            }
            true => {
                let name = self.text(span);
                let d = Diagnostic::new(DiagCode::ByValueStruct, span, &[&name]);
                self.report(d.help("take `&self`"));
                Ty::Error
            }
        }
    }
}

/// How a parameter of a type is passed.
fn passed(ty: &syn::Type) -> ByRef {
    match ty {
        syn::Type::Reference(r) if r.mutability.is_some() => ByRef::Mut,
        syn::Type::Reference(_) => ByRef::Shared,
        _ => ByRef::No,
    }
}

/// What a type refers to if it is a reference, else the type itself.
fn referent(ty: &syn::Type) -> &syn::Type {
    match ty {
        syn::Type::Reference(r) if !is_unsized(&r.elem) => &r.elem,
        ty => ty,
    }
}

/// Whether a type is a `#[gc]` struct itself.
fn is_class(ty: &Ty, infer: Option<&Infer>) -> bool {
    match infer.map_or(ty.clone(), |infer| infer.shallow(ty)) {
        Ty::Class(_) => true,
        ty => infer
            .and_then(|i| i.parts(&ty))
            .is_some_and(|(head, _)| matches!(head, Head::Class(_))),
    }
}
