//! Collects errors. In: messages with the tokens they are about. Out: one [`syn::Error`] that holds
//! them all, or the value that was built. Invariant: a macro reports everything it can see in one
//! run, never the first error alone.

use crate::mistakes::{at_tokens, of, read};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Generics;

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

/// As [`or_else_with`], for an item that can stand as it is written.
pub fn or_else(result: syn::Result<TokenStream>, item: TokenStream) -> TokenStream {
    or_else_with(result, item.clone(), item)
}

/// As [`or_else`], for an attribute whose glue nothing needs in a crate in which the translator has
/// found mistakes: the item stands as it is written then, so that rustc does not say once more,
/// about the glue, what the mistakes say about the item.
pub fn or_plain(result: syn::Result<TokenStream>, item: TokenStream) -> TokenStream {
    or_else(in_place_of_glue(result, item.clone()), item)
}

/// As [`or_plain`], for the portal, about which the translator says all that the macro could say,
/// too: where it has found mistakes, the macro has nothing to add.
pub fn of_portal(
    result: syn::Result<TokenStream>,
    item: TokenStream,
    fallback: TokenStream,
    plain: TokenStream,
) -> TokenStream {
    let result = match of(Span::call_site(), &read()).is_empty() {
        true => in_place_of_glue(result, plain),
        false => Ok(plain),
    };
    or_else_with(result, item, fallback)
}

/// As [`or_else`], for a class: `mistaken` stands for it if the translator has found mistakes in
/// it.
pub fn of_class(
    result: syn::Result<TokenStream>,
    item: TokenStream,
    mistaken: TokenStream,
) -> TokenStream {
    let result = match of(Span::call_site(), &read()).is_empty() {
        true => result,
        false => result.map(|_| mistaken),
    };
    or_else(result, item)
}

fn in_place_of_glue(
    result: syn::Result<TokenStream>,
    plain: TokenStream,
) -> syn::Result<TokenStream> {
    match read().is_empty() {
        true => result,
        false => result.map(|_| plain),
    }
}

/// The expansion, or the errors together with something that keeps the rest of the crate
/// meaningful, so that the user sees our errors alone and not what follows from them. Then the
/// translator's mistakes in the item.
pub fn or_else_with(
    result: syn::Result<TokenStream>,
    item: TokenStream,
    fallback: TokenStream,
) -> TokenStream {
    let ours = of(Span::call_site(), &read());
    let shown = at_tokens(&ours, &item);
    match result {
        Ok(tokens) => quote!(#tokens #shown),
        Err(error) => {
            let known = |e: &syn::Error| ours.iter().any(|m| m.covers(e.span()));
            let errors = error.into_iter().filter(|e| !known(e));
            let errors = errors.map(syn::Error::into_compile_error);
            quote!(#(#errors)* #fallback #shown)
        }
    }
}

/// A check that a type is made of words, whose failure points at `at` in the user's source. The
/// tokens keep the context of the expansion so that no lint looks at them.
pub fn assert_parts(at: &syn::Type, ty: &impl ToTokens) -> TokenStream {
    let span = Span::call_site().located_at(syn::spanned::Spanned::span(at));
    quote_spanned!(span=> ::verdigris::rt::assert_parts::<#ty>();)
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
