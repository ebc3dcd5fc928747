//! The visibility of glue.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Visibility;

/// The visibility of the glue beside an item: other crates can name that of public ones.
pub fn glue_visibility(vis: &Visibility) -> TokenStream {
    match vis {
        Visibility::Public(_) => quote!(pub),
        _ => quote!(pub(crate)),
    }
}
