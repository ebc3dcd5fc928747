//! References where traits are implemented for a type and for references to it.
//!
//! In: what the source says of the references around a type (a receiver's, an operand's, that of a
//! path), and what a call gives a generic function. Out: which of several implementations is meant,
//! and, for the instance of a generic function, how many references are around what its parameters
//! stand for. Invariants: the translator's types have no references, so instances differ by
//! [`Subst::around`](crate::types::substs::Subst) only where a trait that a parameter is bound by
//! is implemented for references at all; where the source does not say it, nothing is said, and
//! what it would decide is refused.

use crate::check::fcx::FnCx;
use crate::check::terms::Turbofish;
use crate::cx::sources::RefKind;
use crate::cx::sources::refs_of;
use crate::items::*;
use crate::source::syntax::{name_of, plain};
use crate::types::ty::Ty;

/// The references around the type that a trait is implemented for, and around the trait's argument,
/// as far as the source says it.
#[derive(Clone, Default)]
pub(in crate::check) struct Around {
    pub this: Option<Vec<RefKind>>,
    pub arg: Option<Vec<RefKind>>,
}

impl FnCx<'_> {
    /// The references around the value of an expression.
    pub(in crate::check) fn around(&self, expr: &syn::Expr) -> Option<Vec<RefKind>> {
        let form = self.source_type(expr)?;
        (!form.class).then_some(form.refs)
    }

    /// The references around the operands of an operator.
    pub(in crate::check) fn around_operands(&self, left: &syn::Expr, right: &syn::Expr) -> Around {
        Around {
            this: self.around(left),
            arg: self.around(right),
        }
    }

    /// The references around a type that is written here.
    pub(in crate::check) fn around_type(&self, ty: &syn::Type) -> Option<Vec<RefKind>> {
        let form = self.source_type_of_type(ty)?;
        (!form.class).then_some(form.refs)
    }

    /// The references around the type that a path is a member of, and around the argument of the
    /// trait: `T::f`, `<&T as Trait<A>>::f`.
    pub(in crate::check) fn around_head(&self, path: &syn::ExprPath) -> Around {
        if let Some(qself) = &path.qself {
            let this = self.around_type(&qself.ty);
            let of_trait = path.path.segments.iter().take(qself.position).next_back();
            let args = of_trait.map_or(Vec::new(), crate::source::syntax::type_args);
            let arg = match args.first() {
                Some(ty) => self.around_type(ty),
                None => this.clone(),
            };
            return Around { this, arg };
        }
        let mut ty = path.path.clone();
        ty.segments.pop();
        let Some(last) = ty.segments.pop() else {
            return Around::default();
        };
        ty.segments.push(last.into_value());
        Around {
            this: self.around_type(&syn::parse_quote!(#ty)),
            arg: None,
        }
    }

    /// The references around the type whose method of a trait a path means: `Trait::f(&x)`.
    pub(in crate::check) fn around_receiver(
        &self,
        key: &TraitKey,
        name: &str,
        receiver: &syn::Expr,
    ) -> Option<Vec<RefKind>> {
        let krate = &self.cx.krate;
        let of_trait = match key {
            TraitKey::User(id) => *id,
            TraitKey::Std(name) => krate.std_trait(name)?,
        };
        let Some(TraitMember::Fn(item, _)) = krate.traits[of_trait].members.get(name) else {
            return None;
        };
        let taken = refs_of(&krate.fns[*item].sig.receiver()?.ty).0;
        let given = self.around(receiver)?;
        // A `&mut` may be given for a `&`.
        given.get(taken.len()..).map(<[RefKind]>::to_vec)
    }

    /// The implementations for a type behind exactly these references.
    pub(in crate::check) fn with_references(
        &self,
        impls: Vec<ImplId>,
        ty: &Ty,
        around: &Around,
    ) -> Vec<ImplId> {
        if impls.len() < 2 {
            return impls;
        }
        let krate = &self.cx.krate;
        let fits = |id: ImplId, (own, any): (Vec<RefKind>, bool), given: &[RefKind]| {
            let inner = given.strip_prefix(own.as_slice());
            inner.is_some_and(|inner| {
                inner.is_empty() || any && self.is_for_reference(id, ty, inner, 0)
            })
        };
        let mut impls = impls;
        if let Some(this) = &around.this {
            impls.retain(|id| fits(*id, krate.impl_refs(*id), this));
        }
        if let Some(arg) = &around.arg {
            impls.retain(|id| match krate.argument_layers(*id) {
                Some((own, true)) => arg.starts_with(&own),
                Some((own, false)) => own == *arg,
                None => true,
            });
        }
        impls
    }

    /// The references around what the parameters of a generic function stand for in this call,
    /// where that may decide which implementation is meant.
    pub(in crate::check) fn around_params(
        &self,
        item: FnItemId,
        turbofish: Turbofish<'_>,
        (skip, args): (usize, &[&syn::Expr]),
    ) -> Vec<(String, Vec<RefKind>)> {
        let krate = &self.cx.krate;
        let item = &krate.fns[item];
        let mut found = Vec::new();
        for (n, param) in item.generics.params.iter().enumerate() {
            let of_param = item.generics.bounds.iter().filter(|b| b.0 == param.name);
            let mut keys = of_param.filter_map(|b| krate.trait_key(item.module, &plain(&b.1)));
            if !keys.any(|key| krate.is_for_references(&key)) {
                continue;
            }
            let written = turbofish.and_then(|list| {
                let types = list.args.iter().filter_map(|arg| match arg {
                    syn::GenericArgument::Type(ty) => Some(ty),
                    _ => None,
                });
                types.into_iter().nth(n)
            });
            let around = match written.filter(|ty| !matches!(ty, syn::Type::Infer(_))) {
                Some(ty) => self.around_type(ty),
                None => self.around_argument(item, &param.name, (skip, args)),
            };
            found.extend(around.map(|around| (param.name.clone(), around)));
        }
        found
    }

    /// The references around what a parameter stands for, by the first argument whose type is the
    /// parameter or a reference to it.
    fn around_argument(
        &self,
        item: &FnItem,
        param: &str,
        (skip, args): (usize, &[&syn::Expr]),
    ) -> Option<Vec<RefKind>> {
        let inputs = item.sig.inputs.iter().skip(skip);
        let typed = inputs.zip(args).filter_map(|(input, arg)| match input {
            syn::FnArg::Typed(input) => Some((&*input.ty, *arg)),
            syn::FnArg::Receiver(_) => None,
        });
        for (ty, arg) in typed {
            let (refs, inner) = refs_of(ty);
            let is_param = matches!(inner, syn::Type::Path(p) if p.path.is_ident(param));
            if is_param {
                // A `&mut` may be given for a `&`.
                let given = self.around(arg)?;
                return given.get(refs.len()..).map(<[RefKind]>::to_vec);
            }
        }
        None
    }

    /// The references around a parameter, or around `Self`, if they are known in this instance.
    pub(in crate::check) fn around_param(&self, name: &str) -> Option<Vec<RefKind>> {
        let subst = self.cx.interned.substs.get(self.site.env.subst);
        let known = subst.around.iter().rev();
        let mut known = known.filter(|known| known.0 == name);
        known.next().map(|known| known.1.clone())
    }
}

impl Crate {
    /// Whether a trait, or one that it is a subtrait of, is implemented for references.
    pub(in crate::check) fn is_for_references(&self, key: &TraitKey) -> bool {
        self.lent_traits.contains(key)
            || match key {
                TraitKey::User(id) => {
                    let item = &self.traits[*id];
                    let supers = item.supers.iter().map(plain);
                    let mut supers = supers.filter_map(|path| self.trait_key(item.module, &path));
                    supers.any(|of| of != *key && self.is_for_references(&of))
                }
                TraitKey::Std(_) => false,
            }
    }

    /// The references around the argument of the trait that a block implements, which is the type
    /// itself if it is not written; and whether there may be more. None if the trait has no
    /// argument of which that is known.
    fn argument_layers(&self, id: ImplId) -> Option<(Vec<RefKind>, bool)> {
        let block = &self.impls[id];
        let segment = block.trait_args.as_ref()?;
        match crate::source::syntax::type_args(segment).first() {
            Some(ty) => {
                let (refs, inner) = refs_of(ty);
                let ident = match inner {
                    syn::Type::Path(p) => p.path.get_ident(),
                    _ => None,
                };
                match ident {
                    Some(ident) if ident == "Self" => {
                        let (own, any) = self.impl_refs(id);
                        Some((refs.into_iter().chain(own).collect(), any))
                    }
                    Some(ident) => Some((refs, block.generics.names(&name_of(ident)))),
                    None => Some((refs, false)),
                }
            }
            None => Some(self.impl_refs(id)),
        }
    }
}
