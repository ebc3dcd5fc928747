//! `#[conditional_call]`, `#[elidable_promote]`, `#[loop_invariant]` and `#[look_inside_iff]`. In:
//! a function or method. Out: the same function (`#[conditional_call]`: with the test of its
//! condition), and the sibling `__vd_fn_name` that describes how to call it. Invariant: natively
//! nothing but the function itself is ever run; what the hints mean only the translator knows.

use crate::diag::Errors;
use crate::function::{associated, check_signature, glue, parse_fn};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{FnArg, Pat, Path, Signature, Token};

/// Expands `#[elidable_promote]`: as `#[elidable]`; which parameters are promoted only the
/// translator wants to know.
pub fn expand_promote(attr: TokenStream, item: TokenStream) -> syn::Result<TokenStream> {
    let what = "elidable_promote";
    let item = parse_fn(what, item)?;
    let mut errors = Errors::default();
    let mut attr_self = TokenStream::new();
    for name in named(attr, &mut errors) {
        if name == "Self" {
            attr_self = quote!(Self);
        } else if !item.sig.inputs.iter().any(|input| names(input, &name)) {
            let message =
                format!("`{name}` is no parameter: name those that are promoted, or none for all");
            errors.at(&name, message);
        }
    }
    let associated = associated(what, attr_self, &item, &mut errors);
    plain_params(what, &item.sig, &mut errors);
    check_signature(what, &item.sig, &mut errors);
    errors.finish(())?;
    let glue = glue(&item.vis, &item.sig, associated);
    Ok(quote!(#item #glue))
}

/// The names in `#[elidable_promote(a, self, Self)]`.
fn named(attr: TokenStream, errors: &mut Errors) -> Vec<Ident> {
    let list = Punctuated::<Ident, Token![,]>::parse_separated_nonempty_with;
    if attr.is_empty() {
        return Vec::new();
    }
    let parser = |input: syn::parse::ParseStream<'_>| list(input, Ident::parse_any);
    match parser.parse2(attr.clone()) {
        Ok(names) => names.into_iter().collect(),
        Err(_) => {
            let message = "write #[elidable_promote], or #[elidable_promote(a, b)] with the parameters that are promoted";
            errors.at(attr, message);
            Vec::new()
        }
    }
}

/// Whether a parameter has this name.
fn names(input: &FnArg, name: &Ident) -> bool {
    match input {
        FnArg::Receiver(_) => name == "self",
        FnArg::Typed(arg) => matches!(&*arg.pat, Pat::Ident(p) if p.ident == *name),
    }
}

/// Expands `#[loop_invariant]`: a function that can be called and takes nothing.
pub fn expand_loop_invariant(attr: TokenStream, item: TokenStream) -> syn::Result<TokenStream> {
    let what = "loop_invariant";
    let item = parse_fn(what, item)?;
    let mut errors = Errors::default();
    let associated = associated(what, attr, &item, &mut errors);
    if !item.sig.inputs.is_empty() {
        let message = "a #[loop_invariant] function takes no parameters: what depends on some is #[readonly] or #[elidable]";
        errors.at(&item.sig.inputs, message);
    }
    check_signature(what, &item.sig, &mut errors);
    errors.finish(())?;
    let glue = glue(&item.vis, &item.sig, associated);
    Ok(quote!(#item #glue))
}

/// Expands `#[conditional_call]`: a function that returns at once if its first argument is false.
pub fn expand_conditional(attr: TokenStream, item: TokenStream) -> syn::Result<TokenStream> {
    let what = "conditional_call";
    let mut item = parse_fn(what, item)?;
    let mut errors = Errors::default();
    if !attr.is_empty() {
        errors.at(&attr, "#[conditional_call] takes no arguments");
    }
    let condition = match item.sig.inputs.first() {
        Some(FnArg::Typed(arg)) => match (&*arg.pat, &*arg.ty) {
            (Pat::Ident(name), syn::Type::Path(ty)) if ty.path.is_ident("bool") => {
                Some(name.ident.clone())
            }
            _ => None,
        },
        _ => None,
    };
    let Some(condition) = condition else {
        let message = "a #[conditional_call] function has a `bool` as its first parameter, and does nothing if that is false";
        errors.at(&item.sig, message);
        return errors.finish(TokenStream::new());
    };
    if let syn::ReturnType::Type(_, ty) = &item.sig.output {
        let message =
            "a #[conditional_call] function has no result: there is none if it is not called";
        errors.at(ty, message);
    }
    check_signature(what, &item.sig, &mut errors);
    errors.finish(())?;
    let glue = glue(&item.vis, &item.sig, false);
    let body = &item.block;
    item.block = syn::parse_quote!({
        if !#condition {
            return;
        }
        #body
    });
    Ok(quote!(#item #glue))
}

/// Expands `#[look_inside_iff(predicate)]`: a function that can be called, and a check that the
/// predicate takes what it takes.
pub fn expand_look_inside(attr: TokenStream, item: TokenStream) -> syn::Result<TokenStream> {
    let what = "look_inside_iff";
    let item = parse_fn(what, item)?;
    let mut errors = Errors::default();
    let predicate = syn::parse2::<Path>(attr.clone());
    if predicate.is_err() {
        let message = "write #[look_inside_iff(predicate)], with a function that takes the same parameters and returns a bool";
        match attr.is_empty() {
            true => errors.at(&item.sig.ident, message),
            false => errors.at(&attr, message),
        }
    }
    let of_self = predicate
        .as_ref()
        .ok()
        .and_then(|path| path.segments.first());
    let attr_self = match of_self.is_some_and(|first| first.ident == "Self") {
        true => quote!(Self),
        false => TokenStream::new(),
    };
    let associated = associated(what, attr_self, &item, &mut errors);
    plain_params(what, &item.sig, &mut errors);
    check_signature(what, &item.sig, &mut errors);
    errors.finish(())?;
    let (glue, check) = (
        glue(&item.vis, &item.sig, associated),
        check_predicate(&predicate?, &item.sig),
    );
    Ok(quote!(#item #glue #check))
}

/// A function that is never called: rustc checks it.
fn check_predicate(predicate: &Path, sig: &Signature) -> TokenStream {
    let name = format_ident!("__vd_iff_{}", sig.ident, span = Span::call_site());
    let mut params = Vec::new();
    let mut args = Vec::new();
    for input in &sig.inputs {
        match input {
            FnArg::Receiver(receiver) => {
                params.push(quote!(#receiver));
                let token = &receiver.self_token;
                args.push(quote!(#token));
            }
            FnArg::Typed(arg) => {
                let ty = &arg.ty;
                if let Pat::Ident(p) = &*arg.pat {
                    let ident = &p.ident;
                    params.push(quote!(#ident: #ty));
                    args.push(quote!(#ident));
                }
            }
        }
    }
    quote! {
        #[doc(hidden)]
        #[allow(non_snake_case, dead_code, clippy::all)]
        fn #name(#(#params),*) -> bool {
            #predicate(#(#args),*)
        }
    }
}

/// Reports parameters that are patterns: they have to be handed on.
fn plain_params(what: &str, sig: &Signature, errors: &mut Errors) {
    for input in &sig.inputs {
        if let FnArg::Typed(arg) = input
            && !matches!(&*arg.pat, Pat::Ident(p) if p.subpat.is_none() && p.by_ref.is_none())
        {
            let message = format!(
                "a parameter of an #[{what}] function is a name: take it apart in the body"
            );
            errors.at(&arg.pat, message);
        }
    }
}
