//! `#[object(Name)]`. In: an enum with one `Gc<Class>` per variant. Out: the enum, and the thin
//! pointer `Name` with its conversions and `kind()`, through `verdigris::rt::gc_object!`.
//! Invariant: a variant stands for exactly one class and a class for exactly one variant.

use crate::diag::{Errors, no_generics};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use std::collections::HashMap;
use syn::{Fields, GenericArgument, Ident, ItemEnum, PathArguments, Type, Variant};

/// Expands `#[object(Name)]`.
pub fn expand(attr: TokenStream, item: TokenStream) -> syn::Result<TokenStream> {
    let item: ItemEnum = syn::parse2(item).map_err(|e| {
        syn::Error::new(
            e.span(),
            "#[object(Name)] declares a closed set of classes: write it on an enum",
        )
    })?;
    let mut errors = Errors::default();
    let name = object_name(attr, &item, &mut errors);
    no_generics(&item.generics, "an #[object] enum", &mut errors);
    let classes = classes(&item, &mut errors);
    let name = errors.finish(name)?;
    Ok(emit(&name, &item, &classes))
}

fn object_name(attr: TokenStream, item: &ItemEnum, errors: &mut Errors) -> Ident {
    match syn::parse2::<Ident>(attr) {
        Ok(name) if name == item.ident => {
            errors.at(
                &name,
                "this is the enum's own name: the pointer type needs another one, \
                 as in `#[object(Obj)] enum ObjKind`",
            );
            name
        }
        Ok(name) => name,
        Err(e) => {
            errors.at_span(
                e.span(),
                "give the pointer type's name: `#[object(Obj)] enum ObjKind`",
            );
            item.ident.clone()
        }
    }
}

/// The variants with their classes.
fn classes<'a>(item: &'a ItemEnum, errors: &mut Errors) -> Vec<(&'a Ident, &'a Type)> {
    if item.variants.is_empty() {
        errors.at(&item.ident, "an #[object] enum needs at least one variant");
    }
    let mut seen: HashMap<String, &Ident> = HashMap::new();
    let mut classes = Vec::new();
    for variant in &item.variants {
        let Some(class) = class_of(variant) else {
            errors.at(
                variant,
                "each variant of an #[object] enum holds one class: `Variant(Gc<Class>)`",
            );
            continue;
        };
        let text = class.to_token_stream().to_string();
        if let Some(first) = seen.insert(text, &variant.ident) {
            errors.at(
                class,
                format_args!(
                    "this is the class of `{first}` already: each class needs one variant"
                ),
            );
        }
        classes.push((&variant.ident, class));
    }
    classes
}

/// `Class` of `Variant(Gc<Class>)`.
fn class_of(variant: &Variant) -> Option<&Type> {
    let Fields::Unnamed(fields) = &variant.fields else {
        return None;
    };
    let (1, Some(field), None) = (
        fields.unnamed.len(),
        fields.unnamed.first(),
        &variant.discriminant,
    ) else {
        return None;
    };
    let Type::Path(path) = &field.ty else {
        return None;
    };
    let last = path.path.segments.last()?;
    let PathArguments::AngleBracketed(args) = &last.arguments else {
        return None;
    };
    match (last.ident == "Gc", args.args.len(), args.args.first()?) {
        (true, 1, GenericArgument::Type(class)) => Some(class),
        _ => None,
    }
}

fn emit(name: &Ident, item: &ItemEnum, classes: &[(&Ident, &Type)]) -> TokenStream {
    let (vis, kind) = (&item.vis, &item.ident);
    let derive = (!derives_copy(item)).then(|| quote!(#[derive(Clone, Copy)]));
    let doc = format!("A reference to an object of one of the classes of [`{kind}`].");
    let variants = classes.iter().map(|(v, class)| quote!(#v(#class)));
    let text = crate::text::of_enum(vis, kind, &item.variants);
    // A variant whose object has nothing to read is ordinary here, and its field can still not be
    // left out.
    quote! {
        #derive
        #[allow(dead_code)]
        #item
        #text
        ::verdigris::rt::gc_object! {
            #[doc = #doc]
            #vis #name, #kind { #(#variants),* }
        }
    }
}

/// Whether the user has written `#[derive(Copy)]`.
fn derives_copy(item: &ItemEnum) -> bool {
    let mut found = false;
    for attr in item.attrs.iter().filter(|a| a.path().is_ident("derive")) {
        // A malformed derive is for rustc to report.
        let _ = attr.parse_nested_meta(|meta| {
            found |= meta.path.segments.last().is_some_and(|s| s.ident == "Copy");
            Ok(())
        });
    }
    found
}
