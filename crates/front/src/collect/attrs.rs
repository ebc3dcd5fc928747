//! What items have beside their contents: attributes, visibilities, names.
//!
//! In: syntax. Out: what the walk asks about it. Invariant: an attribute is known by its last
//! segment, as a user may write its path.

use crate::source::cfg;
use crate::source::known_names::{ADVICE, OUR_ATTRIBUTES, OurAttribute};
use crate::source::syntax::name_of;
use syn::{Attribute, Item, Visibility};

/// Whether an attribute is ours: `#[name]`, `#[verdigris::name]`.
pub(super) fn is(attr: &Attribute, name: &str) -> bool {
    attr.path().segments.last().is_some_and(|s| s.ident == name)
}

pub(crate) fn has(attrs: &[Attribute], name: &str) -> bool {
    attrs.iter().any(|a| is(a, name))
}

/// The attributes that say how a function is called; they exclude each other.
pub(super) fn exclusive(attrs: &[Attribute]) -> Vec<&'static OurAttribute> {
    let ours = OUR_ATTRIBUTES.iter();
    ours.filter(|a| a.exclusive && has(attrs, a.name)).collect()
}

/// What `#[derive(..)]` lists.
pub(super) fn derives(attrs: &[Attribute]) -> Vec<String> {
    let derives = attrs.iter().filter(|a| a.path().is_ident("derive"));
    let lists = derives.filter_map(|a| match &a.meta {
        syn::Meta::List(list) => Some(list.tokens.to_string()),
        _ => None,
    });
    let mut words = Vec::new();
    for list in lists {
        let split = list.split(|c: char| !c.is_alphanumeric());
        words.extend(split.filter(|w| !w.is_empty()).map(str::to_owned));
    }
    words
}

/// Leaves out the parameters that are not there in this configuration.
pub(super) fn drop_disabled(sig: &mut syn::Signature) {
    let there = |input: &syn::FnArg| match input {
        syn::FnArg::Receiver(r) => cfg::enabled(&r.attrs),
        syn::FnArg::Typed(arg) => cfg::enabled(&arg.attrs),
    };
    if !sig.inputs.iter().all(there) {
        let inputs = std::mem::take(&mut sig.inputs);
        sig.inputs = inputs.into_iter().filter(there).collect();
    }
}

/// The visibility and the name of an item that has both.
pub(super) fn declared(item: &Item) -> Option<(&Visibility, String)> {
    let (vis, name) = match item {
        Item::Const(i) => (&i.vis, &i.ident),
        Item::Enum(i) => (&i.vis, &i.ident),
        Item::Fn(i) => (&i.vis, &i.sig.ident),
        Item::Mod(i) => (&i.vis, &i.ident),
        Item::Static(i) => (&i.vis, &i.ident),
        Item::Struct(i) => (&i.vis, &i.ident),
        Item::Trait(i) => (&i.vis, &i.ident),
        Item::Type(i) => (&i.vis, &i.ident),
        _ => return None,
    };
    Some((vis, name_of(name)))
}

/// What `#[portal(name = path, ..)]` says of what is traced; what it cannot say, its macro
/// complains about.
pub(super) fn policies_of(attrs: &[syn::Attribute]) -> Vec<(String, syn::ExprPath)> {
    type Pairs = syn::punctuated::Punctuated<syn::MetaNameValue, syn::Token![,]>;
    let lists = attrs.iter().filter(|a| is(a, "portal"));
    let pairs = lists.filter_map(|a| a.parse_args_with(Pairs::parse_terminated).ok());
    let named = pairs.flatten().filter_map(|pair| match pair.value {
        syn::Expr::Path(path) => Some((name_of(pair.path.get_ident()?), path)),
        _ => None,
    });
    named.collect()
}

/// What `#[advice("..")]` says. What is not written as it should be says nothing, for the macro
/// complains about it.
pub(super) fn advice(attrs: &[Attribute]) -> Option<String> {
    let ours = attrs.iter().find(|attr| is(attr, ADVICE))?;
    let words = ours.parse_args::<syn::LitStr>().ok()?.value();
    Some(words.trim().to_owned())
}

/// What the documentation of a function of the library says behind "for native code only", where
/// that ends a sentence, or continues with what to do in traced code.
pub(super) fn native_only(attrs: &[Attribute]) -> Option<String> {
    let docs = attrs.iter().filter_map(|attr| match &attr.meta {
        syn::Meta::NameValue(meta) if meta.path.is_ident("doc") => match &meta.value {
            syn::Expr::Lit(syn::ExprLit {
                lit: syn::Lit::Str(line),
                ..
            }) => Some(line.value()),
            _ => None,
        },
        _ => None,
    });
    let text = docs.map(|line| line.trim().to_owned()).collect::<Vec<_>>();
    let text = text.join(" ");
    let (_, rest) = text.split_once("for native code only")?;
    let instead = rest.strip_prefix("; in traced code ")?;
    Some(
        instead
            .split_once(". ")
            .map_or(instead, |(first, _)| first)
            .trim_end_matches('.')
            .to_owned(),
    )
}
