//! Generic parameters, and instances of items that have some.
//!
//! In: the generics of an item as they are written. Out: the names of the parameters, and
//! identities for what they stand for. Invariant: equal substitutions without holes have the same
//! identity.

use crate::items::ids::FnItemId;
use crate::source::syntax::name_of;
use cranelift_entity::entity_impl;

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
