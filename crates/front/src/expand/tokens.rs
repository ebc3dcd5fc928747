//! Tokens as macros see them, and the marks that keep names of macros apart from names of their
//! callers.
//!
//! In: token trees of the parser. Out: tokens as rustc counts them (`>>=` is one), and identifiers
//! with and without marks. Invariant: a mark is a suffix that no source text contains, so that two
//! names with different marks are different names; the look-up of items takes the marks off.
//!
//! A name is marked where an expansion takes it from the body of a macro: `x` in the body of the
//! third expansion is `xꙮ3`. If the macro was defined in a function, the mark also says which macro
//! it is, since its free names may be variables around the definition: `xꙮ3ꙮm7`.

use proc_macro2::{Delimiter, Group, Ident, Spacing, Span, TokenStream, TokenTree};

/// Begins a mark. It is a letter, so that names with marks are identifiers, and not one that
/// anybody writes.
pub(crate) const MARK: char = 'ꙮ';
/// Stands behind [`MARK`] in the part of a mark that names a macro of a function.
const MACRO: char = 'm';

/// An expansion's mark.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    pub expansion: usize,
    /// The macro, if it was defined in a function.
    pub local: Option<usize>,
}

/// What a name is without the mark put on last, and the macro of a function that this mark names;
/// none if it has no mark.
pub(crate) fn unmarked_once(name: &str) -> Option<(&str, Option<usize>)> {
    let at = name.rfind(MARK)?;
    let digits = &name[at + MARK.len_utf8()..];
    match digits.strip_prefix(MACRO) {
        Some(number) => {
            let (rest, _) = unmarked_once(&name[..at])?;
            Some((rest, number.parse().ok()))
        }
        None => Some((&name[..at], None)),
    }
}

/// The name as it was written.
pub(crate) fn unmarked(name: &str) -> &str {
    name.split(MARK).next().unwrap_or(name)
}

/// The identifier as it was written.
pub(super) fn plain_ident(ident: &Ident) -> Ident {
    let text = ident.to_string();
    if !text.contains(MARK) {
        return ident.clone();
    }
    ident_of(unmarked(&text), ident.span())
}

/// An identifier of a text that may be a raw one.
fn ident_of(text: &str, span: Span) -> Ident {
    match text.strip_prefix("r#") {
        Some(raw) => Ident::new_raw(raw, span),
        None => Ident::new(text, span),
    }
}

/// The same identifier with a mark more.
pub(super) fn marked(ident: &Ident, mark: Mark, span: Span) -> Ident {
    let mut text = format!("{ident}{MARK}{}", mark.expansion);
    if let Some(local) = mark.local {
        text += &format!("{MARK}{MACRO}{local}");
    }
    ident_of(&text, span)
}

/// All tokens without marks; groups without delimiters are taken out of their groups if `flat`.
pub(super) fn plain_tokens(tokens: TokenStream, flat: bool) -> TokenStream {
    let plain = |token| match token {
        TokenTree::Ident(ident) => TokenStream::from(TokenTree::Ident(plain_ident(&ident))),
        TokenTree::Group(group) => {
            let inner = plain_tokens(group.stream(), flat);
            match group.delimiter() {
                Delimiter::None if flat => inner,
                _ => TokenTree::Group(regrouped(&group, inner)).into(),
            }
        }
        token => token.into(),
    };
    tokens.into_iter().flat_map(plain).collect()
}

/// A group with other tokens in it.
pub(super) fn regrouped(group: &Group, inner: TokenStream) -> Group {
    let mut new = Group::new(group.delimiter(), inner);
    new.set_span(group.span());
    new
}

/// The place from the first to the last token.
pub(super) fn span_of_tokens(tokens: &[TokenTree]) -> Option<Span> {
    let (first, last) = (tokens.first()?.span(), tokens.last()?.span());
    Some(first.join(last).unwrap_or(first))
}

/// A token as rustc counts them; the caller looks into groups.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Tok {
    Ident(String),
    Lifetime(String),
    Literal(String),
    Punct(String),
    Group(Delimiter),
}

/// Operators of several characters, the longest first.
const OPERATORS: &[&str] = &[
    "<<=", ">>=", "...", "..=", "==", "!=", "<=", ">=", "&&", "||", "+=", "-=", "*=", "/=", "%=",
    "^=", "&=", "|=", "<<", ">>", "->", "=>", "<-", "::", "..",
];

/// The first token of some trees, without marks, and how many of the trees it is.
pub(super) fn first(tokens: &[TokenTree]) -> Option<(Tok, usize)> {
    Some(match tokens.first()? {
        TokenTree::Ident(ident) => (Tok::Ident(unmarked(&ident.to_string()).to_owned()), 1),
        TokenTree::Literal(literal) => (Tok::Literal(literal.to_string()), 1),
        TokenTree::Group(group) => (Tok::Group(group.delimiter()), 1),
        TokenTree::Punct(punct) => {
            if let ('\'', Some(TokenTree::Ident(name))) = (punct.as_char(), tokens.get(1)) {
                let name = name.to_string();
                return Some((Tok::Lifetime(unmarked(&name).to_owned()), 2));
            }
            let run = joint_run(tokens);
            let operator = OPERATORS.iter().find(|op| run.starts_with(**op));
            match operator {
                Some(op) => (Tok::Punct((*op).to_owned()), op.len()),
                None => (Tok::Punct(punct.as_char().to_string()), 1),
            }
        }
    })
}

/// Up to three characters of punctuation that stand together.
fn joint_run(tokens: &[TokenTree]) -> String {
    let mut run = String::new();
    for token in tokens.iter().take(3) {
        let TokenTree::Punct(punct) = token else {
            break;
        };
        run.push(punct.as_char());
        if punct.spacing() == Spacing::Alone {
            break;
        }
    }
    run
}

/// Words that are no names of variables or labels.
const KEYWORDS: &[&str] = &[
    "_", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue",
    "crate", "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if",
    "impl", "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub",
    "ref", "return", "self", "Self", "static", "struct", "super", "trait", "true", "try", "type",
    "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

pub(super) fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}

/// Whether an identifier at this place of a macro's body can be a name, and gets a mark.
pub(super) fn takes_mark(
    ident: &str,
    before: Option<&TokenTree>,
    after: Option<&TokenTree>,
) -> bool {
    let follows = |c| matches!(after, Some(TokenTree::Punct(p)) if p.as_char() == c);
    match unmarked(ident) {
        "macro_rules" => !follows('!'),
        "union" | "safe" | "auto" => !matches!(after, Some(TokenTree::Ident(_))),
        "raw" => !matches!(before, Some(TokenTree::Punct(p)) if p.as_char() == '&'),
        word => !is_keyword(word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::str::FromStr;

    #[test]
    fn tokens_are_counted_as_rustc_does() {
        let trees: Vec<TokenTree> = TokenStream::from_str("a >>= 'l .. b = = x :: <")
            .unwrap()
            .into_iter()
            .collect();
        let mut rest = &trees[..];
        let mut shown = Vec::new();
        while let Some((tok, len)) = first(rest) {
            shown.push(match tok {
                Tok::Ident(t) | Tok::Literal(t) | Tok::Punct(t) => t,
                Tok::Lifetime(t) => format!("'{t}"),
                Tok::Group(_) => "group".to_owned(),
            });
            rest = &rest[len..];
        }
        assert_eq!(
            shown,
            ["a", ">>=", "'l", "..", "b", "=", "=", "x", "::", "<"]
        );
    }

    #[test]
    fn marks_come_off_in_the_order_they_were_put_on() {
        let ident = Ident::new("x", Span::call_site());
        let mark = |expansion, local| Mark { expansion, local };
        let once = marked(&ident, mark(3, None), Span::call_site());
        let twice = marked(&once, mark(4, Some(7)), Span::call_site()).to_string();
        assert_eq!(unmarked_once(&twice), Some((&*once.to_string(), Some(7))));
        assert_eq!(unmarked_once(&once.to_string()), Some(("x", None)));
        assert_eq!(unmarked_once("x"), None);
        assert_eq!(unmarked(&twice), "x");
        let raw = marked(
            &Ident::new_raw("type", Span::call_site()),
            mark(1, None),
            Span::call_site(),
        );
        assert_eq!(plain_ident(&raw).to_string(), "r#type");
    }
}
