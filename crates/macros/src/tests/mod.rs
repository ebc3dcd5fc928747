//! Tests of the expansions. In: items as a user writes them. Out: the expansion pretty-printed, or
//! the errors with their places. `tests/ui/NAME.rs` holds the items that must fail,
//! `tests/ui/NAME.stderr` what the user sees.

mod items;
mod portals;
mod tiers;

use expect_test::{Expect, expect_file};
use proc_macro2::TokenStream;
use quote::ToTokens;
use std::fmt::Write;
use std::path::Path;
use syn::{Attribute, ImplItem, Item};

/// Expands the attribute of every item in the source, as rustc would.
fn expand_all(source: &str) -> syn::Result<String> {
    let file: syn::File = syn::parse_str(source)?;
    let mut out = TokenStream::new();
    let mut errors = crate::diag::Errors::default();
    for item in file.items {
        match expand_item(item) {
            Ok(tokens) => out.extend(tokens),
            Err(e) => errors.push(e),
        }
    }
    errors.finish(())?;
    Ok(prettyplease::unparse(&syn::parse2(out)?))
}

fn expand_item(mut item: Item) -> syn::Result<TokenStream> {
    let attrs = match &mut item {
        Item::Fn(item) => &mut item.attrs,
        Item::Struct(item) => &mut item.attrs,
        Item::Enum(item) => &mut item.attrs,
        Item::Impl(item) => return expand_impl(item),
        other => return Ok(other.to_token_stream()),
    };
    let attr = take_attr(attrs);
    apply(attr, item.to_token_stream())
}

fn expand_impl(item: &mut syn::ItemImpl) -> syn::Result<TokenStream> {
    let mut items = TokenStream::new();
    for inner in &mut item.items {
        let ImplItem::Fn(method) = inner else {
            continue;
        };
        let attr = take_attr(&mut method.attrs);
        items.extend(apply(attr, method.to_token_stream())?);
    }
    let ty = &item.self_ty;
    Ok(quote::quote!(impl #ty { #items }))
}

/// The first attribute of ours.
fn take_attr(attrs: &mut Vec<Attribute>) -> Option<Attribute> {
    let ours = [
        "gc",
        "object",
        "value",
        "opaque",
        "conditional_call",
        "elidable",
        "elidable_promote",
        "look_inside_iff",
        "loop_invariant",
        "readonly",
        "unroll_safe",
        "advice",
        "portal",
    ];
    let at = attrs
        .iter()
        .position(|a| ours.iter().any(|name| a.path().is_ident(name)))?;
    Some(attrs.remove(at))
}

fn apply(attr: Option<Attribute>, item: TokenStream) -> syn::Result<TokenStream> {
    let Some(attr) = attr else {
        return Ok(item);
    };
    let args = match &attr.meta {
        syn::Meta::List(list) => list.tokens.clone(),
        _ => TokenStream::new(),
    };
    match attr.path().get_ident().unwrap().to_string().as_str() {
        "gc" => crate::class::expand(args, item),
        "object" => crate::object::expand(args, item),
        "value" => crate::value::expand(args, item),
        "unroll_safe" => crate::function::expand_unroll_safe(args, item),
        "advice" => crate::function::expand_advice(args, item),
        "conditional_call" => crate::hints::expand_conditional(args, item),
        "elidable_promote" => crate::hints::expand_promote(args, item),
        "look_inside_iff" => crate::hints::expand_look_inside(args, item),
        "loop_invariant" => crate::hints::expand_loop_invariant(args, item),
        "portal" => crate::portal::expand(args, item),
        name => crate::function::expand(name, args, item),
    }
}

fn check(source: &str, expect: Expect) {
    match expand_all(source) {
        Ok(text) => expect.assert_eq(&text),
        Err(e) => panic!("{}", render(source, &e)),
    }
}

/// The errors as rustc shows them, without colours.
fn render(source: &str, error: &syn::Error) -> String {
    let lines: Vec<&str> = source.lines().collect();
    let mut out = String::new();
    for error in error.clone() {
        let (start, end) = (error.span().start(), error.span().end());
        let line = lines.get(start.line - 1).copied().unwrap_or("");
        let stop = if end.line == start.line {
            end.column
        } else {
            line.chars().count()
        };
        let width = stop.saturating_sub(start.column).max(1);
        writeln!(out, "error: {error}").unwrap();
        writeln!(out, "{:>4} | {line}", start.line).unwrap();
        writeln!(
            out,
            "     | {}{}",
            " ".repeat(start.column),
            "^".repeat(width)
        )
        .unwrap();
    }
    out
}

#[test]
fn mistakes_are_reported_at_their_tokens() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui");
    let mut sources: Vec<_> = std::fs::read_dir(&dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "rs"))
        .collect();
    sources.sort();
    assert!(!sources.is_empty(), "no tests in {}", dir.display());
    for path in sources {
        let source = std::fs::read_to_string(&path).unwrap();
        let Err(error) = expand_all(&source) else {
            panic!("{} has no errors", path.display());
        };
        expect_file![path.with_extension("stderr")].assert_eq(&render(&source, &error));
    }
}
