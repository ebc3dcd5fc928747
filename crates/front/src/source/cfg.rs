//! `#[cfg(..)]`: which items exist.
//!
//! In: attributes. Out: whether rustc would keep what they are on. Invariant: in a build script the
//! answer is rustc's, because cargo passes every `cfg` value in the environment (`CARGO_CFG_*`,
//! `CARGO_FEATURE_*`), and what the build script itself prints (`cargo::rustc-cfg`) it tells the
//! translator; who asks for anything else there is undecided. Elsewhere unknown values are unset.
//! `cfg(test)` never holds: tests are not part of the interpreter. `cfg(debug_assertions)` never
//! holds either: traced code means what the release build means.

use rustc_hash::FxHashMap;
use std::cell::RefCell;
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprLit, Lit, Meta, Token};

/// What is known of a condition of the crate's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cfg {
    /// `#[cfg(name)]` holds.
    Set,
    /// It does not, and neither does `#[cfg(name = "..")]`.
    Unset,
    /// `#[cfg(name = "value")]` holds for these values, and for no others.
    Values(Vec<String>),
}

thread_local! {
    /// What has been declared for the crate that this thread reads.
    static DECLARED: RefCell<FxHashMap<String, Cfg>> = RefCell::default();
}

/// Declares the conditions of the crate that this thread reads from now on.
pub(crate) fn declare(cfgs: &[(&str, Cfg)]) {
    let cfgs = cfgs
        .iter()
        .map(|(name, cfg)| ((*name).to_owned(), cfg.clone()));
    DECLARED.with_borrow_mut(|declared| *declared = cfgs.collect());
}

fn declared(name: &str) -> Option<Cfg> {
    DECLARED.with_borrow(|declared| declared.get(name).cloned())
}

/// Conditions that rustc and cargo decide, so that they do not hold if cargo has not said so.
const KNOWN: &[&str] = &[
    "clippy",
    "debug_assertions",
    "doc",
    "docsrs",
    "doctest",
    "feature",
    "fmt_debug",
    "miri",
    "overflow_checks",
    "panic",
    "proc_macro",
    "relocation_model",
    "rustfmt",
    "sanitize",
    "test",
    "true",
    "false",
    "ub_checks",
    "unix",
    "windows",
];

/// The undecided conditions in an attribute, with their places. None outside of build scripts,
/// where no conditions are decided.
pub(crate) fn undecided(attr: &Attribute) -> Vec<(String, proc_macro2::Span)> {
    let mut found = Vec::new();
    let is_build = std::env::var_os("CARGO_CFG_TARGET_ARCH").is_some();
    let is_told = DECLARED.with_borrow(|declared| !declared.is_empty());
    if (is_build || is_told)
        && let Some(meta) = crate::source::syntax::condition(attr)
    {
        asked(&meta, &mut found);
    }
    found
}

fn asked(meta: &Meta, found: &mut Vec<(String, proc_macro2::Span)>) {
    if let Meta::List(list) = meta {
        let inner = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
        inner.into_iter().flatten().for_each(|m| asked(&m, found));
        return;
    }
    let Some(name) = meta.path().get_ident() else {
        return;
    };
    let text = name.to_string();
    let is_known = KNOWN.contains(&text.as_str())
        || text.starts_with("target_")
        || declared(&text).is_some()
        || std::env::var_os(format!("CARGO_CFG_{}", shout(&text))).is_some();
    if !is_known {
        found.push((text, name.span()));
    }
}

/// Whether the attributes keep their item.
pub(crate) fn enabled(attrs: &[Attribute]) -> bool {
    attrs.iter().all(|a| enabled_by(&a.meta))
}

fn enabled_by(meta: &Meta) -> bool {
    match meta {
        Meta::List(list) if list.path.is_ident("cfg") => {
            list.parse_args::<Meta>().is_ok_and(|meta| holds(&meta))
        }
        Meta::List(list) if list.path.is_ident("cfg_attr") => {
            conditional(list).iter().all(enabled_by)
        }
        _ => true,
    }
}

/// What `cfg_attr` stands for.
fn conditional(list: &syn::MetaList) -> Vec<Meta> {
    let inner = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
    let mut inner = inner.map_or(Vec::new(), |inner| inner.into_iter().collect());
    match inner.is_empty() {
        false if holds(&inner.remove(0)) => inner,
        _ => Vec::new(),
    }
}

/// The attributes with those in place of every `cfg_attr` that it stands for.
pub(crate) fn expand(attrs: Vec<Attribute>) -> Vec<Attribute> {
    let mut out = Vec::new();
    for attr in attrs {
        match &attr.meta {
            Meta::List(list) if list.path.is_ident("cfg_attr") => {
                let inner = conditional(list).into_iter().map(|meta| Attribute {
                    meta,
                    ..attr.clone()
                });
                out.extend(expand(inner.collect()));
            }
            _ => out.push(attr),
        }
    }
    out
}

/// Whether a predicate, or what is in an attribute, asks for what one crate is compiled with and
/// without.
pub(crate) fn varies(tokens: &proc_macro2::TokenStream) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        proc_macro2::TokenTree::Group(group) => varies(&group.stream()),
        proc_macro2::TokenTree::Ident(ident) => ident == "debug_assertions" || ident == "test",
        _ => false,
    })
}

/// Whether the attributes of an expression keep it, where it is a statement or one of several.
pub(crate) fn keeps(expr: &Expr) -> bool {
    let attrs = match expr {
        Expr::Array(e) => &e.attrs,
        Expr::Assign(e) => &e.attrs,
        Expr::Binary(e) => &e.attrs,
        Expr::Block(e) => &e.attrs,
        Expr::Break(e) => &e.attrs,
        Expr::Call(e) => &e.attrs,
        Expr::Cast(e) => &e.attrs,
        Expr::Continue(e) => &e.attrs,
        Expr::Field(e) => &e.attrs,
        Expr::ForLoop(e) => &e.attrs,
        Expr::If(e) => &e.attrs,
        Expr::Index(e) => &e.attrs,
        Expr::Lit(e) => &e.attrs,
        Expr::Loop(e) => &e.attrs,
        Expr::Macro(e) => &e.attrs,
        Expr::Match(e) => &e.attrs,
        Expr::MethodCall(e) => &e.attrs,
        Expr::Paren(e) => &e.attrs,
        Expr::Path(e) => &e.attrs,
        Expr::Reference(e) => &e.attrs,
        Expr::Return(e) => &e.attrs,
        Expr::Struct(e) => &e.attrs,
        Expr::Try(e) => &e.attrs,
        Expr::Tuple(e) => &e.attrs,
        Expr::Unary(e) => &e.attrs,
        Expr::Unsafe(e) => &e.attrs,
        Expr::While(e) => &e.attrs,
        _ => return true,
    };
    enabled(attrs)
}

/// Whether one predicate holds.
pub(crate) fn holds(meta: &Meta) -> bool {
    match meta {
        Meta::Path(path) => path.get_ident().is_some_and(|id| flag(&id.to_string())),
        Meta::NameValue(pair) => match (&pair.value, pair.path.get_ident()) {
            (
                Expr::Lit(ExprLit {
                    lit: Lit::Str(value),
                    ..
                }),
                Some(key),
            ) => has_value(&key.to_string(), &value.value()),
            _ => false,
        },
        Meta::List(list) => {
            let inner = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
            let Ok(inner) = inner else { return false };
            match list.path.get_ident().map(ToString::to_string).as_deref() {
                Some("not") => !inner.iter().any(holds),
                Some("all") => inner.iter().all(holds),
                Some("any") => inner.iter().any(holds),
                _ => false,
            }
        }
    }
}

fn flag(name: &str) -> bool {
    match name {
        "test" | "debug_assertions" => false,
        "true" => true,
        _ => match declared(name) {
            Some(cfg) => cfg == Cfg::Set,
            None => std::env::var_os(format!("CARGO_CFG_{}", shout(name))).is_some(),
        },
    }
}

fn has_value(key: &str, value: &str) -> bool {
    if key == "feature" {
        return std::env::var_os(format!("CARGO_FEATURE_{}", shout(value))).is_some();
    }
    match declared(key) {
        Some(Cfg::Values(values)) => return values.iter().any(|v| v == value),
        Some(_) => return false,
        None => {}
    }
    // Cargo joins several values of one key with commas.
    std::env::var(format!("CARGO_CFG_{}", shout(key)))
        .is_ok_and(|values| values.split(',').any(|v| v == value))
}

fn shout(name: &str) -> String {
    name.to_uppercase().replace('-', "_")
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    #[test]
    fn predicates() {
        let check = |meta: Meta| holds(&meta);
        assert!(!check(parse_quote!(test)));
        assert!(check(parse_quote!(not(test))));
        assert!(check(parse_quote!(any(test, all()))));
        assert!(!check(parse_quote!(all(test, not(test)))));
        assert!(!check(parse_quote!(feature = "surely-not-there")));
        assert!(!check(parse_quote!(nonsense(1))));
    }
}
