//! Definitions: what a `macro_rules!` says.
//!
//! In: the tokens between its braces. Out: its rules, each a pattern and a body; or why there are
//! none. Invariant: all of the tokens have been read, or the macro has no rules and a call of it no
//! expansion.

use crate::expand::matcher::Pattern;
use crate::tast::Span;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::rc::Rc;

/// A macro of the crate.
pub(super) struct Def {
    pub name: String,
    pub defined: Span,
    /// What is between its braces.
    pub extent: Span,
    pub rules: Result<Rc<Vec<(Pattern, TokenStream)>>, String>,
    /// Whether it is defined in a function.
    pub local: bool,
}

/// Reads the rules of a macro.
pub(super) fn rules(tokens: TokenStream) -> Result<Vec<(Pattern, TokenStream)>, String> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut rest = &tokens[..];
    let mut rules = Vec::new();
    while let [
        TokenTree::Group(pattern),
        TokenTree::Punct(_),
        TokenTree::Punct(_),
        TokenTree::Group(body),
        more @ ..,
    ] = rest
    {
        rules.push((Pattern::parse(pattern.stream())?, body.stream()));
        rest = match more {
            [TokenTree::Punct(semicolon), more @ ..] if semicolon.as_char() == ';' => more,
            more => more,
        };
    }
    match rest.is_empty() && tokens.iter().all(|t| !is_bare(t)) {
        true => Ok(rules),
        false => Err("its rules cannot be read".to_owned()),
    }
}

fn is_bare(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::None)
}
