//! `#[gc]`. In: a struct. Out: the struct with a fixed layout, its class descriptor through
//! `verdigris::rt::gc_class!`, and the function `__vd_class_Name` that the translated program names. Invariant: no
//! `unsafe` is written into the user's crate.

use crate::diag::Errors;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Attribute, Fields, Generics, ItemStruct};

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

fn check(attr: &TokenStream, item: &ItemStruct) -> syn::Result<()> {
    let mut errors = Errors::default();
    if !attr.is_empty() {
        errors.at(attr, "#[gc] takes no arguments");
    }
    no_generics(&item.generics, "a #[gc] struct", &mut errors);
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
    }
    errors.finish(())
}

/// Reports generic parameters and `where` clauses.
pub fn no_generics(generics: &Generics, what: &str, errors: &mut Errors) {
    for param in &generics.params {
        errors.at(
            param,
            format_args!("{what} cannot be generic: write one for each type it is used with"),
        );
    }
    if let Some(clause) = &generics.where_clause {
        errors.at(clause, format_args!("{what} cannot have a `where` clause"));
    }
}

/// A macro sees a field with its condition unevaluated, so it would describe fields that are not there.
fn no_cfg(attr: &Attribute, errors: &mut Errors) {
    if attr.path().is_ident("cfg") || attr.path().is_ident("cfg_attr") {
        errors.at(
            attr,
            "a field of a #[gc] struct cannot depend on the configuration: \
             make two structs, each with #[cfg] above its #[gc]",
        );
    }
}

fn emit(item: &ItemStruct) -> TokenStream {
    let name = &item.ident;
    let glue = format_ident!("__vd_class_{}", name, span = name.span());
    let fields = item.fields.iter().map(|f| {
        let (name, ty) = (&f.ident, &f.ty);
        quote!(#name: #ty)
    });
    quote! {
        #[repr(C)]
        #item
        ::verdigris::rt::gc_class! { #name { #(#fields),* } }
        #[doc(hidden)]
        #[allow(non_snake_case, dead_code)]
        pub(crate) fn #glue() -> &'static ::verdigris::rt::ClassDescr {
            <#name as ::verdigris::rt::GcClass>::descr()
        }
    }
}
