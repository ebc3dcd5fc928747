//! The two ways into a portal: a call, and its merge point. In: the rewritten portal. Out: the
//! portal, which only calls `__vd_from_name`, and that function, which either does what stands
//! before the loop or takes a state of the merge point, and goes on with the loop. Invariant: what
//! stands in and behind the loop knows no variables but those of the merge point.
//!
//! Traced code that has inlined a call of the portal goes on in native code by the second way, when
//! it is left or when the callee is better compiled alone.

use super::merge_points::{Points, Var, merge_point_of};
use super::scope::{BindingKind, PortalScope};
use super::{Ident, ItemFn, Span, TokenStream};
use proc_macro2::TokenTree;
use quote::{ToTokens, format_ident, quote};
use std::collections::HashSet;
use syn::{Expr, FnArg, Pat, Stmt, Type};

/// Where the loop of the merge point is in the body, if native code can begin there.
pub fn split(item: &ItemFn, points: &Points) -> Option<usize> {
    let stmts = &item.block.stmts;
    let at = stmts.iter().position(is_loop)?;
    let mut scope = PortalScope::of_params(&item.sig);
    for stmt in &stmts[..at] {
        if let Stmt::Local(local) = stmt {
            scope.declare(&local.pat);
        }
    }
    let state: HashSet<&Ident> = vars(points).map(|var| &var.name).collect();
    let lost: HashSet<&Ident> = scope.names().filter(|name| !state.contains(name)).collect();
    let used = |stmt: &Stmt| mentions(stmt.to_token_stream(), &lost);
    (!stmts[at..].iter().any(used)).then_some(at)
}

/// Whether this statement is the merge point's loop, or a variable for what the loop gives.
fn is_loop(stmt: &Stmt) -> bool {
    let expr = match stmt {
        Stmt::Expr(expr, _) => Some(expr),
        Stmt::Local(local) => local.init.as_ref().map(|init| &*init.expr),
        _ => None,
    };
    matches!(expr, Some(Expr::Loop(node)) if merge_point_of(node).is_some())
}

/// Whether one of the names is among the tokens, whatever it means there.
fn mentions(tokens: TokenStream, names: &HashSet<&Ident>) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(name) => names.contains(&name),
        TokenTree::Group(group) => mentions(group.stream(), names),
        _ => false,
    })
}

fn vars(points: &Points) -> impl Iterator<Item = &Var> {
    points.greens.iter().chain(&points.reds)
}

/// The portal's name without what makes an identifier of a keyword.
fn plain_name(item: &ItemFn) -> String {
    let name = item.sig.ident.to_string();
    name.strip_prefix("r#").unwrap_or(&name).to_owned()
}

/// The name of the function that is entered in either way.
fn from_name(item: &ItemFn) -> Ident {
    format_ident!(
        "__vd_from_{}",
        plain_name(item),
        span = item.sig.ident.span()
    )
}

/// The name of what tells the portal from others.
fn portal_name(item: &ItemFn) -> Ident {
    format_ident!("__vd_portal_{}", plain_name(item), span = Span::call_site())
}

/// The declaration of what tells the portal from others, `with` the functions that the engine asks
/// about greens.
pub fn portal(item: &ItemFn, with: impl Iterator<Item = TokenStream>) -> TokenStream {
    let (name, plain) = (portal_name(item), plain_name(item));
    let vis = crate::visibility::glue_visibility(&item.vis);
    quote! {
        #[doc(hidden)]
        #[allow(non_upper_case_globals, dead_code)]
        #vis static #name: ::verdigris::rt::Portal =
            ::verdigris::rt::Portal::new(::core::concat!(::core::module_path!(), "::", #plain)) #(#with)*;
    }
}

/// A portal that can only be called. `portal` is its declaration.
pub fn only_called(mut item: ItemFn, portal: &TokenStream) -> TokenStream {
    let name = portal_name(&item);
    let frame = super::scope::frame();
    let check = syn::parse_quote!(::verdigris::rt::enter_portal(&#name););
    let declared = syn::parse_quote!(let mut #frame = ::verdigris::rt::PortalFrame::new(););
    item.block.stmts.splice(0..0, [check, declared]);
    let descr = descr(&item, &quote!(::core::option::Option::None));
    quote!(#item #portal #descr)
}

/// A portal with both ways. `enter` is the statement for the first arrival at the merge point,
/// `portal` its declaration.
pub fn expand(
    item: ItemFn,
    at: usize,
    points: &Points,
    enter: &TokenStream,
    portal: &TokenStream,
) -> TokenStream {
    let descr = descr(&item, &{
        let from = from_name(&item);
        quote!(::core::option::Option::Some(|state| #from(::verdigris::rt::Start::At(state))))
    });
    let called = called(&item);
    let from = from(item, at, points, enter);
    quote!(#called #from #portal #descr)
}

/// The portal itself.
fn called(item: &ItemFn) -> TokenStream {
    let mut outer = item.clone();
    let from = from_name(item);
    let mut args: Vec<Ident> = Vec::new();
    for (n, input) in outer.sig.inputs.iter_mut().enumerate() {
        if let FnArg::Typed(arg) = input {
            let name = match &*arg.pat {
                Pat::Ident(pat) => pat.ident.clone(),
                _ => format_ident!("arg{}", n, span = Span::mixed_site()),
            };
            *arg.pat = syn::parse_quote!(#name);
            args.push(name);
        }
    }
    let call = quote!(#from(::verdigris::rt::Start::Call((#(#args,)*))));
    // Here, since the other function's frame is large.
    outer.block = syn::parse_quote!({
        if ::verdigris::rt::is_within_code() {
            return ::verdigris::rt::interpret_within(move || #call);
        }
        #call
    });
    outer.into_token_stream()
}

/// The function that is entered in either way.
fn from(item: ItemFn, at: usize, points: &Points, enter: &TokenStream) -> TokenStream {
    let name = from_name(&item);
    let portal = portal_name(&item);
    let (generics, output) = (&item.sig.generics, &item.sig.output);
    let (mut pats, mut types) = (Vec::new(), Vec::new());
    for input in &item.sig.inputs {
        if let FnArg::Typed(arg) = input {
            pats.push(&arg.pat);
            types.push(&arg.ty);
        }
    }
    let (before, rest) = item.block.stmts.split_at(at);
    // Items are visible in the whole body.
    let (items, before): (Vec<&Stmt>, Vec<&Stmt>) = before
        .iter()
        .partition(|stmt| matches!(stmt, Stmt::Item(_)));
    let names: Vec<&Ident> = vars(points).map(|var| &var.name).collect();
    let declared = vars(points).map(|var| {
        let name = &var.name;
        match var.kind {
            BindingKind::Mutable => quote!(mut #name),
            _ => quote!(#name),
        }
    });
    let Loaded {
        lent,
        greens,
        reds,
        values,
    } = loaded(&item, points);
    let frame = super::scope::frame();
    quote! {
        #[doc(hidden)]
        #[allow(non_snake_case)]
        fn #name #generics (start: ::verdigris::rt::Start<(#(#types,)*)>) #output {
            ::verdigris::rt::enter_portal(&#portal);
            let mut #frame = ::verdigris::rt::PortalFrame::new();
            #(#items)*
            #(#lent)*
            #[allow(unused_mut)]
            let (#(#declared,)*) = match start {
                ::verdigris::rt::Start::Call((#(#pats,)*)) => {
                    #(#before)*
                    (#(#names,)*)
                }
                ::verdigris::rt::Start::At(state) => {
                    let (#greens, #reds) = state.load();
                    (#(#values,)*)
                }
            };
            #enter
            #(#rest)*
        }
    }
}

/// How the variables are made of a state.
#[derive(Default)]
struct Loaded {
    /// Declarations of what references refer to.
    lent: Vec<TokenStream>,
    /// The patterns for the words.
    greens: TokenStream,
    reds: TokenStream,
    /// The values, in the order of the variables.
    values: Vec<TokenStream>,
}

fn loaded(item: &ItemFn, points: &Points) -> Loaded {
    let mut all = Loaded::default();
    all.greens = load(item, &points.greens, "green", &mut all);
    all.reds = load(item, &points.reds, "red", &mut all);
    all
}

fn load(item: &ItemFn, vars: &[Var], prefix: &str, all: &mut Loaded) -> TokenStream {
    let mut names = Vec::new();
    for (n, var) in vars.iter().enumerate() {
        let name = format_ident!("{}{}", prefix, n, span = Span::mixed_site());
        let lent = match var.kind {
            BindingKind::Shared => Some(quote!(::verdigris::rt::BorrowedArg)),
            BindingKind::Unique => Some(quote!(::verdigris::rt::BorrowedArgMut)),
            BindingKind::Fixed | BindingKind::Mutable => None,
        };
        all.values.push(match lent.zip(referent(item, &var.name)) {
            Some((lent, ty)) => {
                let place = format_ident!("lent_{}", name, span = Span::mixed_site());
                all.lent.push(quote! {
                    #[allow(unused_mut)]
                    let mut #place: #lent<#ty>;
                });
                quote!({
                    #place = #name;
                    #place.get()
                })
            }
            None => quote!(#name),
        });
        names.push(name);
    }
    names
        .iter()
        .rev()
        .fold(quote!(()), |rest, name| quote!((#name, #rest)))
}

/// What a parameter that is a reference refers to.
fn referent<'a>(item: &'a ItemFn, name: &Ident) -> Option<&'a Type> {
    item.sig.inputs.iter().find_map(|input| match input {
        FnArg::Typed(arg) => match (&*arg.pat, &*arg.ty) {
            (Pat::Ident(pat), Type::Reference(reference)) if pat.ident == *name => {
                Some(&*reference.elem)
            }
            _ => None,
        },
        FnArg::Receiver(_) => None,
    })
}

/// The descriptor of the second way.
fn descr(item: &ItemFn, from: &TokenStream) -> TokenStream {
    let name = from_name(item);
    let glue = format_ident!("__vd_fn_{}", name, span = Span::call_site());
    let vis = crate::visibility::glue_visibility(&item.vis);
    let text = name.to_string();
    let result = match &item.sig.output {
        syn::ReturnType::Default => quote!(()),
        syn::ReturnType::Type(_, ty) => quote!(#ty),
    };
    quote! {
        #[doc(hidden)]
        #[allow(non_snake_case, dead_code)]
        #vis fn #glue() -> ::verdigris::rt::FnDescr {
            ::verdigris::rt::FnDescr::runner::<#result>(#text, #from)
        }
    }
}
