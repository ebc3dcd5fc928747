//! The arguments of the macros that a called function may use.
//!
//! In: a call of a macro of the standard library. Out: the expressions in it, and the pattern of
//! `matches!`. Invariant: what has no arguments here may do anything.

use crate::source::known_names::LIST_MACROS;
use crate::source::syntax::plain;
use syn::Token;
use syn::parse::{ParseStream, Parser};

/// The arguments of a macro.
pub(super) struct Args {
    pub exprs: Vec<syn::Expr>,
    pub pat: Option<syn::Pat>,
}

/// The last word of a macro's path.
pub(super) fn name(mac: &syn::Macro) -> String {
    plain(&mac.path).segs.last().cloned().unwrap_or_default()
}

/// The arguments of a macro of the standard library; none if they cannot be read.
pub(super) fn arguments(mac: &syn::Macro) -> Option<Args> {
    let tokens = mac.tokens.clone();
    match name(mac).as_str() {
        "matches" => matches_args.parse2(tokens).ok(),
        known if LIST_MACROS.contains(&known) => list_args.parse2(tokens).ok(),
        _ => None,
    }
}

/// Expressions between commas, or the value and the length of `vec!`.
fn list_args(input: ParseStream<'_>) -> syn::Result<Args> {
    let mut exprs = Vec::new();
    while !input.is_empty() {
        exprs.push(input.parse()?);
        if input.is_empty() {
            break;
        }
        if input.peek(Token![;]) {
            input.parse::<Token![;]>()?;
        } else {
            input.parse::<Token![,]>()?;
        }
    }
    Ok(Args { exprs, pat: None })
}

/// A value, a pattern, and maybe a condition.
fn matches_args(input: ParseStream<'_>) -> syn::Result<Args> {
    let mut exprs = vec![input.parse()?];
    input.parse::<Token![,]>()?;
    let pat = syn::Pat::parse_multi_with_leading_vert(input)?;
    if input.peek(Token![if]) {
        input.parse::<Token![if]>()?;
        exprs.push(input.parse()?);
    }
    if !input.is_empty() {
        input.parse::<Token![,]>()?;
    }
    Ok(Args {
        exprs,
        pat: Some(pat),
    })
}
