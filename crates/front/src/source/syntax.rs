//! Questions about syntax trees that need nothing but the tree.
//!
//! In: nodes of the parser. Out: names, attributes, and nodes inside. Invariant: nothing here knows
//! what a name means.

use syn::punctuated::Punctuated;
use syn::{Attribute, Item, Macro, Meta, Stmt, Token};

/// A path in a `use`, or any other path without generics.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PlainPath {
    /// Starts with `::`.
    pub global: bool,
    pub segs: Vec<String>,
}

/// The name without `r#`.
pub(crate) fn name_of(ident: &syn::Ident) -> String {
    let mut name = ident.to_string();
    if name.starts_with("r#") {
        name.drain(.."r#".len());
    }
    name
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

/// The condition of an attribute.
pub(crate) fn condition(attr: &Attribute) -> Option<Meta> {
    let Meta::List(list) = &attr.meta else {
        return None;
    };
    let list_of = Punctuated::<Meta, Token![,]>::parse_terminated;
    match list.path.get_ident()?.to_string().as_str() {
        "cfg" => list.parse_args().ok(),
        "cfg_attr" => list.parse_args_with(list_of).ok()?.into_iter().next(),
        _ => None,
    }
}

/// Whether this is the macro of that name.
pub(crate) fn is_macro(mac: &Macro, name: &str) -> bool {
    mac.path.segments.last().is_some_and(|s| s.ident == name)
}

/// The macro that a statement is.
pub(crate) fn stmt_macro(stmt: &Stmt) -> Option<&Macro> {
    match stmt {
        Stmt::Macro(stmt) => Some(&stmt.mac),
        Stmt::Expr(syn::Expr::Macro(e), _) => Some(&e.mac),
        _ => None,
    }
}

/// `&x` as `x`, where a reference is only how the argument is passed.
pub(crate) fn strip_ref(expr: &syn::Expr) -> &syn::Expr {
    match expr {
        syn::Expr::Reference(r) if r.mutability.is_none() => &r.expr,
        _ => expr,
    }
}

/// What is behind a `*`.
pub(crate) fn deref(expr: &syn::Expr) -> Option<&syn::Expr> {
    match expr {
        syn::Expr::Paren(e) => deref(&e.expr),
        syn::Expr::Unary(e) if matches!(e.op, syn::UnOp::Deref(_)) => Some(&e.expr),
        _ => None,
    }
}

/// The name of a field as it is written.
pub(crate) fn member_name(member: &syn::Member) -> String {
    match member {
        syn::Member::Named(ident) => name_of(ident),
        syn::Member::Unnamed(index) => index.index.to_string(),
    }
}

/// An expression without parentheses around it.
pub(crate) fn bare(mut expr: &syn::Expr) -> &syn::Expr {
    loop {
        match expr {
            syn::Expr::Paren(e) => expr = &e.expr,
            syn::Expr::Group(e) => expr = &e.expr,
            expr => return expr,
        }
    }
}

/// The arguments between `<` and `>` at the end of a path.
pub(crate) fn turbofish(path: &syn::Path) -> Option<&syn::AngleBracketedGenericArguments> {
    match &path.segments.last()?.arguments {
        syn::PathArguments::AngleBracketed(args) => Some(args),
        _ => None,
    }
}

/// A path without its generics.
pub(crate) fn plain(path: &syn::Path) -> PlainPath {
    PlainPath {
        global: path.leading_colon.is_some(),
        segs: path.segments.iter().map(|s| name_of(&s.ident)).collect(),
    }
}

/// The type arguments of a path segment.
pub(crate) fn type_args(segment: &syn::PathSegment) -> Vec<&syn::Type> {
    match &segment.arguments {
        syn::PathArguments::AngleBracketed(args) => args
            .args
            .iter()
            .filter_map(|a| match a {
                syn::GenericArgument::Type(t) => Some(t),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}
