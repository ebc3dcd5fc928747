//! Collects errors. In: messages with the tokens they are about. Out: one [`syn::Error`] that holds them all, or the
//! value that was built. Invariant: a macro reports everything it can see in one run, never the first error alone.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

/// The errors found so far.
#[derive(Default)]
pub struct Errors(Option<syn::Error>);

impl Errors {
    /// Adds an error at the given tokens.
    pub fn at(&mut self, tokens: impl ToTokens, message: impl std::fmt::Display) {
        self.push(syn::Error::new_spanned(tokens, message));
    }

    /// Adds an error at a span.
    pub fn at_span(&mut self, span: Span, message: impl std::fmt::Display) {
        self.push(syn::Error::new(span, message));
    }

    /// Adds an error.
    pub fn push(&mut self, error: syn::Error) {
        match &mut self.0 {
            Some(all) => all.combine(error),
            none => *none = Some(error),
        }
    }

    /// The value, if there was no error.
    pub fn finish<T>(self, value: T) -> syn::Result<T> {
        match self.0 {
            None => Ok(value),
            Some(error) => Err(error),
        }
    }
}

/// The expansion, or the errors together with something that keeps the rest of the crate meaningful, so that the
/// user sees our errors alone and not what follows from them.
pub fn or_else(result: syn::Result<TokenStream>, fallback: TokenStream) -> TokenStream {
    result.unwrap_or_else(|error| {
        let errors = error.into_compile_error();
        quote!(#errors #fallback)
    })
}

/// A check that the type is a word, whose failure points at the type in the user's source. The tokens keep the
/// context of the expansion so that no lint looks at them.
pub fn assert_word(ty: &syn::Type) -> TokenStream {
    let span = Span::call_site().located_at(syn::spanned::Spanned::span(ty));
    quote_spanned!(span=> ::verdigris::rt::assert_word::<#ty>();)
}
