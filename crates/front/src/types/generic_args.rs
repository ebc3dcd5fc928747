//! The arguments of generic items.
//!
//! In: the generics of an item, arguments as they are written, what is known of the types of a
//! call. Out: types for the parameters, or a complaint. Invariant: the source of a generic item has
//! been checked by rustc, so that bounds are never proved here.

use crate::cx::Cx;
use crate::cx::sources::Env;
use crate::items::TypeKey;
use crate::source::diag::DiagCode;
use crate::source::syntax::name_of;
use crate::tast::Span;
use crate::types::generics::*;
use crate::types::infer::{Infer, VarKind};
use crate::types::substs::Subst;
use crate::types::ty::Ty;

impl Cx {
    /// The arguments of a generic item `of` some module: those that are written in `env`, then
    /// defaults; or, if none are written and `holes` may be, those. None after a complaint.
    pub fn generic_args(
        &mut self,
        (what, generics): (&str, &Generics),
        written: Option<&syn::PathSegment>,
        (env, of): (Env, Env),
        mut infer: Option<&mut Infer>,
        (holes, at): (bool, Span),
    ) -> Option<Vec<Ty>> {
        let written = written.map_or(Vec::new(), arguments);
        if written.len() > generics.params.len() {
            let message = format!(
                "{what} has {} generic parameters, and {} are given",
                generics.params.len(),
                written.len()
            );
            self.err(DiagCode::BadGenerics, at, &[&message]);
            return None;
        }
        let mut args: Vec<(String, Ty)> = Vec::new();
        for (n, param) in generics.params.iter().enumerate() {
            let ty = match (written.get(n), &param.default, infer.as_deref_mut()) {
                (Some(arg), _, infer) => self.generic_arg(arg, (param, of), env, infer),
                (None, _, Some(infer)) if written.is_empty() && holes => {
                    infer.var(VarKind::General, at)
                }
                (None, Some(default), infer) => {
                    let subst = Subst {
                        args: args.clone(),
                        this: None,
                        around: Vec::new(),
                    };
                    let subst = self.interned.substs.intern(subst);
                    self.generic_arg(default, (param, of), Env { subst, ..of }, infer)
                }
                (None, None, _) => {
                    let message = format!(
                        "the generic parameter `{}` of {what} is not given",
                        param.name
                    );
                    self.err(DiagCode::BadGenerics, at, &[&message]);
                    return None;
                }
            };
            if matches!(ty, Ty::Error | Ty::Never) {
                return None;
            }
            args.push((param.name.clone(), ty));
        }
        Some(args.into_iter().map(|a| a.1).collect())
    }

    /// What is written in `env` for a parameter of an item `of` some module.
    pub fn generic_arg(
        &mut self,
        arg: &syn::GenericArgument,
        (param, of): (&Param, Env),
        env: Env,
        infer: Option<&mut Infer>,
    ) -> Ty {
        match (&param.of, arg) {
            (None, syn::GenericArgument::Type(ty)) => self.lower_arg(ty, env, infer),
            (Some(of_type), arg) => {
                let value = match arg {
                    syn::GenericArgument::Const(value) => value.clone(),
                    syn::GenericArgument::Type(syn::Type::Infer(hole)) => {
                        let at = self.span(env.module, hole);
                        return infer.map_or(Ty::Error, |i| i.var(VarKind::General, at));
                    }
                    // A constant's name looks like that of a type.
                    syn::GenericArgument::Type(syn::Type::Path(path)) => {
                        syn::Expr::Path(syn::ExprPath {
                            attrs: Vec::new(),
                            qself: path.qself.clone(),
                            path: path.path.clone(),
                        })
                    }
                    arg => {
                        let at = self.span(env.module, arg);
                        let message = "the argument of a `const` parameter is a constant";
                        self.err(DiagCode::BadGenerics, at, &[message]);
                        return Ty::Error;
                    }
                };
                let ty = self.lower(of_type, of, None);
                self.const_arg(&value, env, ty)
            }
            (None, arg) => {
                let at = self.span(env.module, arg);
                let message = format!("the generic parameter `{}` is a type", param.name);
                self.err(DiagCode::BadGenerics, at, &[&message]);
                Ty::Error
            }
        }
    }

    /// What a constant of this type is as a generic argument.
    pub fn const_arg(&mut self, value: &syn::Expr, env: Env, ty: Ty) -> Ty {
        match value {
            syn::Expr::Block(e) if e.block.stmts.len() == 1 => {
                if let [syn::Stmt::Expr(value, None)] = e.block.stmts.as_slice() {
                    return self.const_arg(value, env, ty);
                }
            }
            syn::Expr::Path(e) => {
                let name = e.path.get_ident().map(name_of);
                let known =
                    name.and_then(|name| self.interned.substs.get(env.subst).get(&name).cloned());
                if let Some(known) = known {
                    return known;
                }
            }
            _ => {}
        }
        match self.const_of_type(value, env, &ty) {
            Some(value) => Ty::Const(Box::new(ty), value),
            None => Ty::Error,
        }
    }

    /// A substitution for the parameters of one item.
    pub fn subst(&mut self, generics: &Generics, args: &[Ty], this: Option<Ty>) -> SubstId {
        if generics.is_empty() && this.is_none() {
            return SubstId::EMPTY;
        }
        let names = generics.params.iter().map(|p| p.name.clone());
        let args = names.zip(args.iter().cloned()).collect();
        self.interned.substs.intern(Subst {
            args,
            this,
            around: Vec::new(),
        })
    }

    /// Counts how deep instances of one item contain each other; complains if that does not end.
    pub fn nest(&mut self, key: TypeKey, at: Span) -> bool {
        /// Instances of one generic type inside each other.
        const MAX_NESTED: usize = 16;
        let nested = self.interned.nested.iter().filter(|k| **k == key).count();
        if nested < MAX_NESTED {
            self.interned.nested.push(key);
            return true;
        }
        let path = self.krate.key_path(key);
        let message = format!("`{path}` contains ever larger instances of itself");
        self.err(DiagCode::EndlessInstances, at, &[&message]);
        false
    }
}

/// The arguments that a path's segment has, other than lifetimes.
fn arguments(segment: &syn::PathSegment) -> Vec<&syn::GenericArgument> {
    let syn::PathArguments::AngleBracketed(args) = &segment.arguments else {
        return Vec::new();
    };
    let of_value = |arg: &&syn::GenericArgument| {
        matches!(
            arg,
            syn::GenericArgument::Type(_) | syn::GenericArgument::Const(_)
        )
    };
    args.args.iter().filter(of_value).collect()
}
