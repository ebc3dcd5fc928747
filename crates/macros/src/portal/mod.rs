//! `#[portal]`. In: the function with the interpreter's loop. Out: the function in which
//! `merge_point!` and `can_enter_jit!` are ordinary Rust, and its `__vd_fn_name`. Invariant: the
//! body does what it did before, and at the back edges that `can_enter_jit!` marks, compiled code
//! may run in between.
//!
//! The loop `loop { merge_point!(..); BODY }` becomes
//!
//! ```text
//! 'header: loop {
//!     'enter: { { BODY } continue 'header; }
//!     match can_enter(&mut frame, (greens), (reds)) { .. }
//! }
//! ```
//!
//! where `can_enter_jit!()` in BODY is `break 'enter`. So the call of the JIT stands once, outside
//! the body's scopes: a variable that the body shadows is still the one that the merge point means.
//!
//! If the loop is a statement of the body, the function can also be entered at its merge point
//! ([`start`]), and its first arrival there is a pass of its own (`enter_function`).

mod engine_options;
mod merge_points;
mod rewrite;
mod scope;
mod start;

use crate::diag::Errors;
use crate::function;
use engine_options::ChosenOption;
use merge_points::{Points, Var};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use scope::{BindingKind, frame};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Expr, ExprPath, FnArg, ItemFn, MetaNameValue, Stmt, Token};

/// What the interpreter can decide for greens while a trace is recorded, by functions that return a
/// `bool`.
const POLICIES: [&str; 2] = ["can_never_inline", "should_unroll_one_iteration"];

/// Expands `#[portal]`.
pub fn expand(attr: TokenStream, item: TokenStream) -> syn::Result<TokenStream> {
    let mut item = function::parse_fn("portal", item)?;
    let mut errors = Errors::default();
    let asked = check(attr, &item, &mut errors);
    let points = merge_points::find(&item, &mut errors);
    let points = errors.finish(points)?;
    let points = points.expect("a portal without a merge point has been reported");
    let split = start::split(&item, &points);
    let checks = asked.iter().map(|asked| asked.check(&points.greens));
    let passed = enter(&points, &quote!(can_enter));
    rewrite::rewrite(&mut item, &points, quote!(#(#checks)* #passed));
    let glue = function::glue(&item.vis, &item.sig, false);
    // Without a mark, the first pass through the loop is counted like the others.
    let first = match points.marked {
        true => enter(&points, &quote!(enter_function)),
        false => TokenStream::new(),
    };
    let with = asked.iter().map(|asked| asked.with(points.greens.len()));
    let portal = start::portal(&item, with);
    let item = match split {
        Some(at) => start::expand(item, at, &points, &first, &portal),
        None => start::only_called(item, &portal),
    };
    Ok(quote!(#item #glue))
}

/// The function without its body, for when there are errors in it.
pub fn fallback(item: TokenStream) -> TokenStream {
    let Ok(mut item) = syn::parse2::<ItemFn>(item.clone()) else {
        return item;
    };
    item.block.stmts = vec![Stmt::Expr(
        syn::Expr::Verbatim(quote!(::core::unreachable!())),
        None,
    )];
    quote!(#[allow(unused_variables, unused_mut)] #item)
}

/// The function as a user reads it, for when the translator has found mistakes in the crate: rustc
/// checks the body, and nothing asks whether the variables of the merge point are words.
pub fn plain(item: TokenStream) -> TokenStream {
    let Ok(mut item) = syn::parse2::<ItemFn>(item.clone()) else {
        return item;
    };
    rewrite::without_hints(&mut item);
    quote!(#[allow(unused, unreachable_code)] #item)
}

/// Reports what is wrong with the attribute and the signature. Answers what the engine asks.
fn check(attr: TokenStream, item: &ItemFn, errors: &mut Errors) -> Vec<ChosenOption> {
    let asked = check_options(attr, errors);
    function::check_signature("portal", &item.sig, errors);
    if let Some(FnArg::Receiver(receiver)) = item.sig.inputs.first() {
        errors.at(
            receiver,
            "a portal is a function outside any `impl`: pass this as an ordinary parameter",
        );
    }
    if let Some(token) = &item.sig.constness {
        errors.at(token, "a portal cannot be const");
    }
    asked
}

/// Reports options that there are not; which functions can be named only the translator and rustc
/// know. Answers what the engine asks.
fn check_options(attr: TokenStream, errors: &mut Errors) -> Vec<ChosenOption> {
    let list = Punctuated::<MetaNameValue, Token![,]>::parse_terminated;
    let options = match list.parse2(attr.clone()) {
        Ok(options) => options,
        Err(_) => {
            let message = "write #[portal], or #[portal(can_never_inline = function)] with a function of the greens";
            errors.at(attr, message);
            return Vec::new();
        }
    };
    let mut seen: Vec<&syn::Path> = Vec::new();
    let mut asked = Vec::new();
    for option in &options {
        let path = &option.path;
        let asks = engine_options::ALL
            .into_iter()
            .find(|asks| path.is_ident(asks.name));
        if asks.is_none() && !POLICIES.iter().any(|name| path.is_ident(name)) {
            let [first, last] = engine_options::ALL.map(|asks| asks.name);
            let policies = POLICIES.join(", ");
            errors.at(
                path,
                format_args!("the options of #[portal] are {policies}, {first} and {last}"),
            );
        }
        if seen.contains(&path) {
            errors.at(path, "this option is there twice");
        }
        seen.push(path);
        match &option.value {
            Expr::Path(function) => {
                asked.extend(asks.map(|asks| ChosenOption::new(asks, function.clone())));
            }
            value => {
                let returned = asks.map_or("bool", |asks| asks.returned);
                errors.at(
                    value,
                    format_args!("name a function that takes the greens and returns a {returned}"),
                );
            }
        }
    }
    asked
}

/// The statement that may run compiled code, by way of a function of `rt`. Falls through to a state
/// of the merge point.
fn enter(points: &Points, way: &TokenStream) -> TokenStream {
    let greens = state(&points.greens);
    let reds = state(&points.reds);
    let (green_pats, green_stores) = reload(&points.greens, "green");
    let (red_pats, red_stores) = reload(&points.reds, "red");
    let frame = frame();
    quote! {
        #[allow(unused_assignments, unused_variables)]
        match ::verdigris::rt::#way(&mut #frame, #greens, #reds) {
            ::verdigris::rt::Entered::Interpret => {}
            ::verdigris::rt::Entered::Resume(#green_pats, #red_pats) => {
                #(#green_stores)*
                #(#red_stores)*
            }
            ::verdigris::rt::Entered::Return(value) => return value,
        }
    }
}

/// The variables as nested pairs `(a, (b, ()))`. Each one goes through `parts` at its own place in
/// the user's source, so that rustc reports there a variable that is not made of words or not
/// assigned yet.
fn state(vars: &[Var]) -> TokenStream {
    vars.iter().rev().fold(quote!(()), |rest, var| {
        let name = &var.name;
        let span = expansion_at(name.span());
        let value = match var.kind {
            BindingKind::Fixed | BindingKind::Mutable => {
                quote_spanned!(span=> ::verdigris::rt::parts(#name))
            }
            BindingKind::Shared => quote_spanned!(span=> ::verdigris::rt::address(&*#name)),
            BindingKind::Unique => quote_spanned!(span=> ::verdigris::rt::address_mut(&mut *#name)),
        };
        quote_spanned!(span=> (#value, #rest))
    })
}

/// The pattern that takes the new values of the variables that can change, and the assignments.
fn reload(vars: &[Var], prefix: &str) -> (TokenStream, Vec<TokenStream>) {
    let mut pattern = quote!(());
    let mut stores = Vec::new();
    for (n, var) in vars.iter().enumerate().rev() {
        if var.kind == BindingKind::Mutable {
            let name = &var.name;
            let value = format_ident!("{}{}", prefix, n, span = Span::mixed_site());
            pattern = quote!((#value, #pattern));
            stores.push(quote!(#name = #value;));
        } else {
            pattern = quote!((_, #pattern));
        }
    }
    stores.reverse();
    (pattern, stores)
}

/// The place of a token, as part of the expansion.
fn expansion_at(span: Span) -> Span {
    Span::call_site().located_at(span)
}
