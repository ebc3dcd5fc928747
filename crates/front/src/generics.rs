//! Generic parameters and what they stand for.
//!
//! In: the generics of an item, and types for them. Out: a [`Subst`], which says what the parameters' names and `Self` mean in
//! one instance of the item. Invariants: equal substitutions without holes have the same identity, so an instance is
//! found by hash; the source of a generic item has been checked by rustc, so that bounds are never proved here.

use crate::collect::name_of;
use crate::cx::{Cx, Env};
use crate::diag::Code;
use crate::infer::{Infer, Ty, VarKind};
use crate::items::{FnItemId, TypeKey};
use crate::tast::Span;
use cranelift_entity::{PrimaryMap, entity_impl};
use std::collections::HashMap;
use std::rc::Rc;

/// What the generic parameters in scope stand for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct SubstId(u32);
entity_impl!(SubstId, "subst");

impl SubstId {
    /// No parameters.
    pub const EMPTY: SubstId = SubstId(0);
}

/// A function with what its parameters stand for.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Inst {
    pub item: FnItemId,
    pub subst: SubstId,
}

impl Inst {
    /// A function that is not generic.
    pub fn plain(item: FnItemId) -> Inst {
        Inst {
            item,
            subst: SubstId::EMPTY,
        }
    }
}

/// A generic parameter, other than a lifetime.
#[derive(Clone)]
pub(crate) struct Param {
    pub name: String,
    pub default: Option<syn::GenericArgument>,
    /// The type of a `const` parameter.
    pub of: Option<syn::Type>,
}

/// The generic parameters of an item.
#[derive(Clone, Default)]
pub(crate) struct Generics {
    pub params: Vec<Param>,
    /// The traits that parameters implement.
    pub bounds: Vec<(String, syn::Path)>,
}

impl Generics {
    pub fn of(generics: &syn::Generics) -> Generics {
        let params = generics.params.iter().filter_map(|param| match param {
            syn::GenericParam::Type(p) => Some(Param {
                name: name_of(&p.ident),
                default: p.default.clone().map(syn::GenericArgument::Type),
                of: None,
            }),
            syn::GenericParam::Const(p) => Some(Param {
                name: name_of(&p.ident),
                default: p.default.clone().map(syn::GenericArgument::Const),
                of: Some(p.ty.clone()),
            }),
            syn::GenericParam::Lifetime(_) => None,
        });
        let inline = generics.type_params().flat_map(|param| {
            let name = name_of(&param.ident);
            param.bounds.iter().map(move |bound| (name.clone(), bound))
        });
        let clauses = generics.where_clause.iter().flat_map(|c| &c.predicates);
        let clauses = clauses.filter_map(|clause| match clause {
            syn::WherePredicate::Type(clause) => match &clause.bounded_ty {
                syn::Type::Path(path) => {
                    let name = name_of(path.path.get_ident()?);
                    Some(clause.bounds.iter().map(move |bound| (name.clone(), bound)))
                }
                _ => None,
            },
            _ => None,
        });
        let bounds = inline.chain(clauses.flatten());
        let bounds = bounds.filter_map(|(name, bound)| match bound {
            syn::TypeParamBound::Trait(bound) => Some((name, bound.path.clone())),
            _ => None,
        });
        Generics {
            params: params.collect(),
            bounds: bounds.collect(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.params.is_empty()
    }

    pub fn names(&self, name: &str) -> bool {
        self.params.iter().any(|p| p.name == name)
    }
}

/// Gives `impl Trait` parameters the generic parameters that they stand for.
pub(crate) fn name_impl_params(sig: &mut syn::Signature) {
    let mut new = Vec::new();
    for (n, input) in sig.inputs.iter_mut().enumerate() {
        let syn::FnArg::Typed(arg) = input else {
            continue;
        };
        let mut ty = &mut *arg.ty;
        while let syn::Type::Reference(inner) = ty {
            ty = &mut inner.elem;
        }
        if let syn::Type::ImplTrait(of) = ty {
            let name = syn::Ident::new(&format!("impl{n}"), syn::spanned::Spanned::span(of));
            let bounds = of.bounds.clone();
            new.push(syn::parse_quote!(#name: #bounds));
            *ty = syn::parse_quote!(#name);
        }
    }
    sig.generics.params.extend::<Vec<syn::GenericParam>>(new);
}

/// What parameters and `Self` mean.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub(crate) struct Subst {
    pub args: Vec<(String, Ty)>,
    /// `Self`; none where the `impl` block says it.
    pub this: Option<Ty>,
}

impl Subst {
    pub fn get(&self, name: &str) -> Option<&Ty> {
        self.args.iter().rev().find(|a| a.0 == name).map(|a| &a.1)
    }

    fn types(&self) -> impl Iterator<Item = &Ty> {
        self.args.iter().map(|a| &a.1).chain(&self.this)
    }

    /// Whether all of it is known.
    pub fn is_closed(&self) -> bool {
        !self.types().any(Ty::has_holes)
    }

    /// With what is known of the holes.
    pub fn deep(&self, infer: &Infer) -> Subst {
        Subst {
            args: self
                .args
                .iter()
                .map(|(name, ty)| (name.clone(), infer.deep(ty)))
                .collect(),
            this: self.this.as_ref().map(|ty| infer.deep(ty)),
        }
    }
}

/// The substitutions that have been asked for.
#[derive(Clone)]
pub(crate) struct Substs {
    all: PrimaryMap<SubstId, Rc<Subst>>,
    ids: HashMap<Rc<Subst>, SubstId>,
}

impl Substs {
    pub fn new() -> Substs {
        let mut substs = Substs {
            all: PrimaryMap::new(),
            ids: HashMap::new(),
        };
        substs.intern(Subst::default());
        substs
    }

    /// The identity of a substitution.
    pub fn intern(&mut self, subst: Subst) -> SubstId {
        if let Some(&id) = self.ids.get(&subst) {
            return id;
        }
        let subst = Rc::new(subst);
        let id = self.all.push(subst.clone());
        // Holes mean something in one function only.
        if subst.is_closed() {
            self.ids.insert(subst, id);
        }
        id
    }

    pub fn get(&self, id: SubstId) -> &Rc<Subst> {
        &self.all[id]
    }
}

impl Cx {
    /// The arguments of a generic item `of` some module: those that are written in `env`, then defaults; or, if none are
    /// written and `holes` may be, those. None after a complaint.
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
            self.err(Code::BadGenerics, at, &[&message]);
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
                    };
                    let subst = self.substs.intern(subst);
                    self.generic_arg(default, (param, of), Env { subst, ..of }, infer)
                }
                (None, None, _) => {
                    let message = format!(
                        "the generic parameter `{}` of {what} is not given",
                        param.name
                    );
                    self.err(Code::BadGenerics, at, &[&message]);
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
                        self.err(Code::BadGenerics, at, &[message]);
                        return Ty::Error;
                    }
                };
                let ty = self.lower(of_type, of, None);
                self.const_arg(&value, env, ty)
            }
            (None, arg) => {
                let at = self.span(env.module, arg);
                let message = format!("the generic parameter `{}` is a type", param.name);
                self.err(Code::BadGenerics, at, &[&message]);
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
                let known = name.and_then(|name| self.substs.get(env.subst).get(&name).cloned());
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
        self.substs.intern(Subst { args, this })
    }

    /// Counts how deep instances of one item contain each other; complains if that does not end.
    pub fn nest(&mut self, key: TypeKey, at: Span) -> bool {
        /// Instances of one generic type inside each other.
        const MAX_NESTED: usize = 16;
        let nested = self.nested.iter().filter(|k| **k == key).count();
        if nested < MAX_NESTED {
            self.nested.push(key);
            return true;
        }
        let path = self.krate.key_path(key);
        let message = format!("`{path}` contains ever larger instances of itself");
        self.err(Code::EndlessInstances, at, &[&message]);
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
