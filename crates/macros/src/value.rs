//! `#[value]`. In: a struct or enum that is held by value. Out: the item, and through
//! `verdigris::rt::gc_value!` the way to its components and back, so that it can be at the merge
//! point and in `Cell`s on the heap. Invariant: variants and fields are listed in declaration
//! order, which is how the translator numbers them.

use crate::diag::{Errors, no_generics};
use crate::text;
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::{Attribute, Data, DeriveInput, Fields, Member};

/// Expands `#[value]`.
pub fn expand(attr: TokenStream, item: TokenStream) -> syn::Result<TokenStream> {
    let item: DeriveInput = syn::parse2(item).map_err(|e| {
        syn::Error::new(
            e.span(),
            "#[value] is for types that are held by value: write it on a struct or an enum",
        )
    })?;
    let mut errors = Errors::default();
    if !attr.is_empty() {
        errors.at(attr, "#[value] takes no arguments");
    }
    no_generics(&item.generics, "a #[value] type", &mut errors);
    let variants = variants(&item, &mut errors);
    let variants = errors.finish(variants)?;
    let repr = representation(&item);
    let exact = repr.as_ref().map(|_| quote!(exact));
    let given = repr.flatten();
    let name = &item.ident;
    let text = match &item.data {
        Data::Struct(data) => text::of_struct(&item.vis, name, &data.fields),
        Data::Enum(data) => text::of_enum(&item.vis, name, &data.variants),
        Data::Union(_) => TokenStream::new(),
    };
    let tagged = variants.len() > 1;
    let variants = variants.iter().enumerate().map(|(n, (path, fields))| {
        let index = n as u64;
        let shape = shape(path, fields);
        let parts = fields.iter().enumerate().map(|(n, field)| {
            let (name, ty) = (binding(n), &field.ty);
            quote!(#name: #ty)
        });
        quote!(#index => (#shape) { #(#parts),* })
    });
    Ok(quote! {
        #given
        #item
        ::verdigris::rt::gc_value! { #exact #name, #tagged { #(#variants)* } }
        #text
    })
}

/// The representation that makes a type lie in memory as compiled code wants it: the attribute,
/// unless it is there already. None if the author has chosen another, or numbers of his own for the
/// variants, or if the type is an enum with one variant: then values are converted when they go to
/// the heap. The translator decides in the same way (`crates/front/src/types/adt.rs`).
fn representation(item: &DeriveInput) -> Option<Option<TokenStream>> {
    let own = item.attrs.iter().find(|attr| attr.path().is_ident("repr"));
    if let Some(own) = own {
        let is_c = own.parse_args::<syn::Ident>().is_ok_and(|repr| repr == "C");
        return (is_c && matches!(item.data, Data::Struct(_))).then_some(None);
    }
    match &item.data {
        Data::Struct(_) => Some(Some(quote!(#[repr(C)]))),
        Data::Enum(data) => {
            let numbered = data.variants.iter().any(|v| v.discriminant.is_some());
            let repr = match data.variants.len() {
                _ if data.variants.iter().any(|v| !v.fields.is_empty()) => quote!(u64),
                ..=0x100 => quote!(u8),
                0x101..=0x1_0000 => quote!(u16),
                _ => quote!(u32),
            };
            (!numbered && data.variants.len() > 1).then(|| Some(quote!(#[repr(#repr)])))
        }
        Data::Union(_) => None,
    }
}

/// The variants, each with its path and its fields.
fn variants<'a>(item: &'a DeriveInput, errors: &mut Errors) -> Vec<(TokenStream, &'a Fields)> {
    let name = &item.ident;
    let variants: Vec<(TokenStream, &Fields)> = match &item.data {
        Data::Struct(data) => vec![(quote!(#name), &data.fields)],
        Data::Enum(data) => {
            if data.variants.is_empty() {
                errors.at(name, "a #[value] enum needs at least one variant");
            }
            for variant in &data.variants {
                variant.attrs.iter().for_each(|a| no_cfg(a, errors));
            }
            let path = |v: &'a syn::Variant| {
                let variant = &v.ident;
                (quote!(#name::#variant), &v.fields)
            };
            data.variants.iter().map(path).collect()
        }
        Data::Union(_) => {
            errors.at(name, "a union cannot be a #[value]: write an enum");
            Vec::new()
        }
    };
    let fields = variants.iter().flat_map(|v| v.1);
    for attr in fields.flat_map(|f| &f.attrs) {
        no_cfg(attr, errors);
    }
    variants
}

/// A macro sees a variant or field with its condition unevaluated, so it would describe some that
/// are not there.
fn no_cfg(attr: &Attribute, errors: &mut Errors) {
    if attr.path().is_ident("cfg") || attr.path().is_ident("cfg_attr") {
        errors.at(
            attr,
            "a variant or field of a #[value] type cannot depend on the configuration: \
             make two types, each with #[cfg] above its #[value]",
        );
    }
}

/// `Value::Int { 0: part0 }`: a pattern, and an expression too.
fn shape(path: &TokenStream, fields: &Fields) -> TokenStream {
    let members = fields.members().enumerate().map(|(n, member)| {
        let name = binding(n);
        match member {
            Member::Named(field) => quote!(#field: #name),
            Member::Unnamed(index) => quote!(#index: #name),
        }
    });
    quote!(#path { #(#members),* })
}

fn binding(n: usize) -> syn::Ident {
    format_ident!("part{}", n, span = Span::mixed_site())
}
