//! What the declaration of a type says, as text. In: a struct or enum as rustc gives it to the
//! attribute, when conditions above it have been evaluated. Out: a constant beside it,
//! `__vd_text_Name`. Invariant: `crates/front/src/glue/declared.rs` makes the same text of what the
//! translator has read; the linker compares the two.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;
use syn::punctuated::Punctuated;
use syn::{Fields, Token, Variant, Visibility};

/// The constant of a struct.
pub fn of_struct(vis: &Visibility, name: &Ident, fields: &Fields) -> TokenStream {
    constant(vis, name, &format!("struct {name}{}", listed(fields)))
}

/// The constant of an enum.
pub fn of_enum(
    vis: &Visibility,
    name: &Ident,
    variants: &Punctuated<Variant, Token![,]>,
) -> TokenStream {
    let variants = variants.iter().map(|v| {
        let number = v.discriminant.as_ref();
        let number = number.map_or(String::new(), |(_, n)| format!("={}", written(n)));
        format!("{}{}{number}", v.ident, listed(&v.fields))
    });
    let variants: Vec<String> = variants.collect();
    constant(vis, name, &format!("enum {name}{{{}}}", variants.join(",")))
}

fn listed(fields: &Fields) -> String {
    let field = |f: &syn::Field| match &f.ident {
        Some(name) => format!("{name}:{}", written(&f.ty)),
        None => written(&f.ty),
    };
    let list: Vec<String> = fields.iter().map(field).collect();
    let list = list.join(",");
    match fields {
        Fields::Named(_) => format!("{{{list}}}"),
        Fields::Unnamed(_) => format!("({list})"),
        Fields::Unit => String::new(),
    }
}

/// Tokens without blanks: rustc puts them elsewhere than the translator.
fn written(tokens: &impl ToTokens) -> String {
    let text = tokens.to_token_stream().to_string();
    text.split_whitespace().collect()
}

fn constant(vis: &Visibility, name: &Ident, text: &str) -> TokenStream {
    let vis = crate::visibility::glue_visibility(vis);
    let constant = format_ident!("__vd_text_{}", name.unraw(), span = Span::call_site());
    quote! {
        #[doc(hidden)]
        #[allow(non_upper_case_globals, dead_code)]
        #vis const #constant: &str = #text;
    }
}
