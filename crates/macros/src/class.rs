//! `#[gc]`. In: a struct. Out: the struct with a fixed layout, its class descriptor through
//! `verdigris::rt::gc_class!`, and the function `__vd_class_Name` that the translated program
//! names, with the struct's type parameters if it has any. Invariant: no `unsafe` is written into
//! the user's crate.

use crate::diag::Errors;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Attribute, Fields, GenericParam, Generics, ItemStruct};

/// Expands `#[gc]`.
pub fn expand(attr: TokenStream, item: TokenStream) -> syn::Result<TokenStream> {
    let item: ItemStruct = syn::parse2(item).map_err(|e| {
        syn::Error::new(
            e.span(),
            "#[gc] makes a struct a heap class: write it on a struct",
        )
    })?;
    check(&attr, &item)?;
    Ok(emit(&item))
}

/// The struct without its descriptor, for when the translator has found mistakes in it: what is
/// wrong with a field's type is said, and rustc need not say it of the descriptor.
pub fn mistaken(item: TokenStream) -> TokenStream {
    let Ok(item) = syn::parse2::<ItemStruct>(item.clone()) else {
        return item;
    };
    let name = &item.ident;
    let bounds = bounds(&item.generics);
    let names = item.generics.type_params().map(|p| &p.ident);
    quote! {
        #item
        ::verdigris::rt::gc_class! { mistaken [#(#bounds),*] #name [#(#names),*] }
    }
}

fn check(attr: &TokenStream, item: &ItemStruct) -> syn::Result<()> {
    let mut errors = Errors::default();
    if !attr.is_empty() {
        errors.at(attr, "#[gc] takes no arguments");
    }
    only_types(&item.generics, &mut errors);
    for attr in &item.attrs {
        if attr.path().is_ident("repr") {
            errors.at(
                attr,
                "#[gc] decides the layout itself: remove this attribute",
            );
        }
    }
    if let Fields::Unnamed(fields) = &item.fields {
        errors.at(
            fields,
            "the fields of a #[gc] struct need names: write `struct Name { field: Type }`",
        );
    }
    for field in &item.fields {
        field.attrs.iter().for_each(|a| no_cfg(a, &mut errors));
        field.attrs.iter().for_each(|a| no_mark(a, &mut errors));
    }
    errors.finish(())
}

/// Reports generic parameters that are not types. What is true of the types stands in their bounds:
/// the field types of a recursive class cannot be asked about in a `where` clause.
fn only_types(generics: &Generics, errors: &mut Errors) {
    for param in &generics.params {
        match param {
            GenericParam::Type(_) => {}
            GenericParam::Lifetime(_) => errors.at(
                param,
                "objects of the heap live as long as they are reachable and cannot hold borrowed data: \
                 only types can be parameters of a #[gc] struct",
            ),
            GenericParam::Const(_) => errors.at(
                param,
                "only types can be parameters of a #[gc] struct: make the constant a field",
            ),
        }
    }
    if let Some(clause) = &generics.where_clause {
        errors.at(
            clause,
            "a #[gc] struct cannot have a `where` clause: write the bounds behind the parameters, as in \
             `struct Node<T: Stored>`",
        );
    }
}

/// A macro sees a field with its condition unevaluated, so it would describe fields that are not
/// there.
fn no_cfg(attr: &Attribute, errors: &mut Errors) {
    if attr.path().is_ident("cfg") || attr.path().is_ident("cfg_attr") {
        errors.at(
            attr,
            "a field of a #[gc] struct cannot depend on the configuration: \
             make two structs, each with #[cfg] above its #[gc]",
        );
    }
}

/// What RPython says by a mark on the field's name is a type here, which no code can access without
/// the JIT's knowledge.
fn no_mark(attr: &Attribute, errors: &mut Errors) {
    for (name, means, ty) in [
        ("quasi_immutable", "quasi-immutable", "Quasi"),
        ("virtualizable", "virtualizable", "Virtualizable"),
    ] {
        if attr.path().is_ident(name) {
            let message = format!(
                "a {means} field has the type `{ty}<..>`: write that instead of the attribute"
            );
            errors.at(attr, &message);
        }
    }
}

fn emit(item: &ItemStruct) -> TokenStream {
    let name = &item.ident;
    let glue = format_ident!("__vd_class_{}", name, span = name.span());
    let vis = crate::visibility::glue_visibility(&item.vis);
    let fields = item.fields.iter().map(|f| {
        let (name, ty) = (&f.ident, &f.ty);
        quote!(#name: #ty)
    });
    let fields = quote!({ #(#fields),* });
    let bounds = bounds(&item.generics);
    let text = crate::text::of_struct(&item.vis, name, &item.fields);
    let (generics, args, _) = item.generics.split_for_impl();
    let class = match item.generics.params.is_empty() {
        true => quote!(::verdigris::rt::gc_class! { #name #fields }),
        false => {
            let names = item.generics.type_params().map(|p| &p.ident);
            quote!(
                ::verdigris::rt::gc_class! { generic [#(#bounds),*] #name [#(#names),*] #fields }
            )
        }
    };
    quote! {
        #[repr(C)]
        #item
        #class
        #text
        #[doc(hidden)]
        #[allow(non_snake_case, dead_code)]
        #vis fn #glue #generics () -> &'static ::verdigris::rt::ClassDescr {
            ::verdigris::rt::struct_class::<#name #args>()
        }
    }
}

/// The parameters with their bounds, without their defaults.
fn bounds(generics: &Generics) -> Vec<TokenStream> {
    let param = |p: &syn::TypeParam| {
        let (name, bounds) = (&p.ident, &p.bounds);
        quote!(#name: #bounds)
    };
    generics.type_params().map(param).collect()
}
