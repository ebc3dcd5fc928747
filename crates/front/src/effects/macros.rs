//! Macros in bodies. In: an invocation. Out: what its arguments do. Invariant: a macro that is not known to evaluate its
//! arguments as expressions, or whose name could mean something else here, is refused.

use super::body::Reader;
use crate::items::ModId;
use crate::known_names::LIST_MACROS;
use crate::resolve::plain;
use syn::Token;
use syn::parse::{ParseStream, Parser};
use syn::visit::Visit;

/// Reads the arguments of a macro.
pub(crate) fn read(reader: &mut Reader<'_>, module: ModId, mac: &syn::Macro) {
    let name = plain(&mac.path).segs.last().cloned().unwrap_or_default();
    let tokens = mac.tokens.clone();
    let args = match name.as_str() {
        _ if !reader.krate.is_known_macro(module, mac) => None,
        "matches" => matches_args.parse2(tokens).ok(),
        known if LIST_MACROS.contains(&known) => list_args.parse2(tokens).ok(),
        _ => None,
    };
    match args {
        Some(args) => args.read(reader),
        None => reader.refuse(format!("the macro `{name}!`")),
    }
}

/// The arguments of a macro.
struct Args {
    exprs: Vec<syn::Expr>,
    pat: Option<syn::Pat>,
}

impl Args {
    fn read(&self, reader: &mut Reader<'_>) {
        for e in &self.exprs {
            reader.bind(e);
        }
        if let Some(pat) = &self.pat {
            reader.bind_pat(pat);
            reader.visit_pat(pat);
        }
        for e in &self.exprs {
            match e {
                // A named argument, or a value that is borrowed.
                syn::Expr::Assign(named) => reader.visit_expr(&named.right),
                e => reader.visit_expr(e),
            }
        }
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
