//! What items have beside their contents: attributes, visibilities, names.
//!
//! In: syntax. Out: what the walk asks about it. Invariant: an attribute is known by its last segment, as a user may write its path.

use super::name_of;
use crate::cfg;
use syn::{Attribute, Item, Visibility};

/// Whether an attribute is ours: `#[name]`, `#[verdigris::name]`.
pub(super) fn is(attr: &Attribute, name: &str) -> bool {
    attr.path().segments.last().is_some_and(|s| s.ident == name)
}

pub(crate) fn has(attrs: &[Attribute], name: &str) -> bool {
    attrs.iter().any(|a| is(a, name))
}

/// How many attributes say how a function is called; they exclude each other.
pub(super) fn exclusive(attrs: &[Attribute]) -> usize {
    const NAMES: [&str; 8] = [
        "portal",
        "opaque",
        "conditional_call",
        "readonly",
        "loop_invariant",
        "elidable",
        "elidable_promote",
        "look_inside_iff",
    ];
    NAMES.iter().filter(|name| has(attrs, name)).count()
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

/// The attributes of an item.
pub(crate) fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(i) => &i.attrs,
        Item::Enum(i) => &i.attrs,
        Item::ExternCrate(i) => &i.attrs,
        Item::Fn(i) => &i.attrs,
        Item::ForeignMod(i) => &i.attrs,
        Item::Impl(i) => &i.attrs,
        Item::Macro(i) => &i.attrs,
        Item::Mod(i) => &i.attrs,
        Item::Static(i) => &i.attrs,
        Item::Struct(i) => &i.attrs,
        Item::Trait(i) => &i.attrs,
        Item::TraitAlias(i) => &i.attrs,
        Item::Type(i) => &i.attrs,
        Item::Union(i) => &i.attrs,
        Item::Use(i) => &i.attrs,
        _ => &[],
    }
}

/// The same, to be changed.
pub(crate) fn attributes_mut(item: &mut Item) -> &mut [Attribute] {
    match item {
        Item::Const(i) => &mut i.attrs,
        Item::Enum(i) => &mut i.attrs,
        Item::ExternCrate(i) => &mut i.attrs,
        Item::Fn(i) => &mut i.attrs,
        Item::ForeignMod(i) => &mut i.attrs,
        Item::Impl(i) => &mut i.attrs,
        Item::Macro(i) => &mut i.attrs,
        Item::Mod(i) => &mut i.attrs,
        Item::Static(i) => &mut i.attrs,
        Item::Struct(i) => &mut i.attrs,
        Item::Trait(i) => &mut i.attrs,
        Item::TraitAlias(i) => &mut i.attrs,
        Item::Type(i) => &mut i.attrs,
        Item::Union(i) => &mut i.attrs,
        Item::Use(i) => &mut i.attrs,
        _ => &mut [],
    }
}

/// The value of `#[path = ".."]`.
pub(crate) fn path_attribute(attrs: &[Attribute]) -> Option<String> {
    let attr = attrs.iter().find(|a| a.path().is_ident("path"))?;
    let syn::Meta::NameValue(pair) = &attr.meta else {
        return None;
    };
    match &pair.value {
        syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Str(path),
            ..
        }) => Some(path.value()),
        _ => None,
    }
}

/// What `#[portal(name = path, ..)]` says; what it cannot say, its macro complains about.
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
