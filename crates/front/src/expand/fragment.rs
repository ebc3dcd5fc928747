//! Fragments: what `$name:kind` of a macro matches.
//!
//! In: the kind, and the tokens that are left. Out: how many of them the fragment is; that no
//! fragment of the kind begins here; or why there should be one and is none. Invariant: whether one
//! begins is decided by rustc's rule, which looks at one token, and never by trying to parse: rustc
//! does not try the next rule of a macro once a fragment has begun.

use crate::expand::tokens::{Tok, first, is_keyword};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use syn::parse::{ParseStream, Parser};

/// What a fragment is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Ident,
    Lifetime,
    Tt,
    Literal,
    Expr,
    Expr2021,
    Ty,
    Pat,
    PatParam,
    Path,
    Block,
    Stmt,
    Item,
    Vis,
    Meta,
}

impl Kind {
    pub fn of(name: &str) -> Option<Kind> {
        Some(match name {
            "ident" => Kind::Ident,
            "lifetime" => Kind::Lifetime,
            "tt" => Kind::Tt,
            "literal" => Kind::Literal,
            "expr" => Kind::Expr,
            "expr_2021" => Kind::Expr2021,
            "ty" => Kind::Ty,
            "pat" => Kind::Pat,
            "pat_param" => Kind::PatParam,
            "path" => Kind::Path,
            "block" => Kind::Block,
            "stmt" => Kind::Stmt,
            "item" => Kind::Item,
            "vis" => Kind::Vis,
            "meta" => Kind::Meta,
            _ => return None,
        })
    }

    /// Whether a fragment begins with these tokens.
    pub fn begins(self, tokens: &[TokenTree]) -> bool {
        let Some((tok, _)) = first(tokens) else {
            return false;
        };
        // What an outer macro has matched is a fragment of whatever kind it is parsed as.
        if let Some(inner) = grouped(tokens) {
            return match self {
                Kind::Tt | Kind::Item | Kind::Stmt | Kind::Vis => true,
                Kind::Ident | Kind::Lifetime => false,
                _ => self.begins(&inner),
            };
        }
        match self {
            Kind::Ident => matches!(&tok, Tok::Ident(name) if name != "_"),
            Kind::Lifetime => matches!(tok, Tok::Lifetime(_)),
            Kind::Tt | Kind::Item | Kind::Stmt => true,
            Kind::Literal => is_literal(tokens),
            Kind::Expr => begins_expr(&tok, true),
            Kind::Expr2021 => begins_expr(&tok, false),
            Kind::Ty => begins_type(&tok),
            Kind::Pat | Kind::PatParam => begins_pattern(&tok, self == Kind::Pat),
            Kind::Path | Kind::Meta => {
                matches!(&tok, Tok::Ident(_)) || tok == Tok::Punct("::".to_owned())
            }
            Kind::Block => tok == Tok::Group(Delimiter::Brace),
            Kind::Vis => {
                matches!(&tok, Tok::Ident(_))
                    || tok == Tok::Punct(",".to_owned())
                    || begins_type(&tok)
            }
        }
    }

    /// How many of the tokens the fragment is that begins with them.
    pub fn extent(self, tokens: &[TokenTree]) -> syn::Result<usize> {
        match self {
            Kind::Ident | Kind::Block => Ok(1),
            Kind::Lifetime => Ok(2),
            Kind::Tt => Ok(first(tokens).map_or(1, |(_, len)| len)),
            _ if grouped(tokens).is_some() && self.is_opaque(tokens) => Ok(1),
            Kind::Literal => parsed::<syn::Lit>(tokens, |input| {
                input.parse::<Option<syn::Token![-]>>()?;
                input.parse()
            }),
            Kind::Expr | Kind::Expr2021 => {
                if matches!(first(tokens), Some((Tok::Ident(word), _)) if word == "_") {
                    return Ok(1);
                }
                parsed::<syn::Expr>(tokens, syn::parse::Parse::parse)
            }
            Kind::Ty => parsed(tokens, syn::Type::without_plus),
            Kind::Pat => parsed(tokens, syn::Pat::parse_multi_with_leading_vert),
            Kind::PatParam => parsed(tokens, syn::Pat::parse_single),
            Kind::Path => parsed::<syn::Path>(tokens, type_path),
            // Whether it is an item is tried, however long that is.
            Kind::Stmt => taken(tokens, one_stmt),
            Kind::Item => taken::<syn::Item>(tokens, syn::parse::Parse::parse),
            Kind::Vis => parsed::<syn::Visibility>(tokens, syn::parse::Parse::parse),
            Kind::Meta => parsed::<syn::Meta>(tokens, syn::parse::Parse::parse),
        }
    }

    /// Whether a group that an outer macro has made is taken as it is.
    fn is_opaque(self, tokens: &[TokenTree]) -> bool {
        // `$e + 1` is one expression, if `$e` is one.
        !matches!(self, Kind::Expr | Kind::Expr2021 | Kind::Ty | Kind::Path) || tokens.len() == 1
    }

    /// Whether a macro that is given the fragment sees its tokens.
    fn is_seen(self) -> bool {
        matches!(self, Kind::Ident | Kind::Lifetime | Kind::Tt)
    }

    /// What stands for the fragment in an expansion.
    pub fn wrapped(self, tokens: Vec<TokenTree>) -> TokenStream {
        let is_group =
            matches!(&tokens[..], [TokenTree::Group(g)] if g.delimiter() == Delimiter::None);
        if self.is_seen() || is_group {
            return tokens.into_iter().collect();
        }
        let span = crate::expand::tokens::span_of_tokens(&tokens);
        let mut tokens = tokens;
        if self == Kind::Stmt
            && let Some(TokenTree::Ident(word)) = tokens.first()
            && word == "let"
        {
            // To rustc it is a whole statement, whether a semicolon follows or not.
            let mut end = proc_macro2::Punct::new(';', proc_macro2::Spacing::Alone);
            end.set_span(tokens[tokens.len() - 1].span());
            tokens.push(end.into());
        }
        let mut group = Group::new(Delimiter::None, tokens.into_iter().collect());
        if let Some(span) = span {
            group.set_span(span);
        }
        TokenTree::Group(group).into()
    }
}

/// An expansion in which fragments that are whole statements or items are no groups: where these
/// stand, the parser knows none. What is given to another macro stays as it is.
pub(super) fn opened(tokens: TokenStream) -> TokenStream {
    let mut out = Vec::new();
    let mut behind_bang = false;
    for token in tokens {
        let is_argument = std::mem::replace(
            &mut behind_bang,
            matches!(&token, TokenTree::Punct(p) if p.as_char() == '!'),
        );
        match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
                match is_statement(&group) {
                    true => out.extend(opened(group.stream())),
                    false => out.push(TokenTree::Group(group)),
                }
            }
            TokenTree::Group(group) if !is_argument => {
                let inner = opened(group.stream());
                out.push(crate::expand::tokens::regrouped(&group, inner).into());
            }
            token => out.push(token),
        }
    }
    out.into_iter().collect()
}

/// Whether a group is a declaration or an item.
fn is_statement(group: &Group) -> bool {
    match group.stream().into_iter().next() {
        Some(TokenTree::Ident(word)) if word == "let" => true,
        Some(TokenTree::Ident(word)) => {
            const WORDS: &[&str] = &[
                "async", "const", "enum", "extern", "fn", "impl", "mod", "pub", "static", "struct",
                "trait", "type", "union", "unsafe", "use",
            ];
            WORDS.iter().any(|w| word == w) && syn::parse2::<syn::Item>(group.stream()).is_ok()
        }
        Some(TokenTree::Punct(p)) if p.as_char() == '#' => {
            syn::parse2::<syn::Item>(group.stream()).is_ok()
        }
        _ => false,
    }
}

/// The tokens in a group without delimiters.
fn grouped(tokens: &[TokenTree]) -> Option<Vec<TokenTree>> {
    match tokens.first()? {
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
            Some(group.stream().into_iter().collect())
        }
        _ => None,
    }
}

/// How many of the tokens a parser takes that looks no further ahead than [`AHEAD`]. It is given
/// few at first: a call may have very many, and each fragment of it would be parsed with all that
/// are left.
fn parsed<T>(
    tokens: &[TokenTree],
    parse: impl Fn(ParseStream<'_>) -> syn::Result<T>,
) -> syn::Result<usize> {
    let mut window = FEW;
    while window < tokens.len() {
        match taken(&tokens[..window], &parse) {
            Ok(len) if len + AHEAD <= window => return Ok(len),
            _ => window *= 2,
        }
    }
    taken(tokens, parse)
}

/// How many tokens a parser is given at first.
const FEW: usize = 64;
/// More tokens than parsers look at behind those that they take: `syn` shows them three.
const AHEAD: usize = 8;

/// How many of the tokens a parser takes.
fn taken<T>(
    tokens: &[TokenTree],
    parse: impl FnOnce(ParseStream<'_>) -> syn::Result<T>,
) -> syn::Result<usize> {
    let left = |input: ParseStream<'_>| {
        parse(input)?;
        Ok(input.parse::<TokenStream>()?.into_iter().count())
    };
    let left = left.parse2(tokens.iter().cloned().collect())?;
    Ok(tokens.len().saturating_sub(left))
}

/// A path as in types.
fn type_path(input: ParseStream<'_>) -> syn::Result<syn::Path> {
    match input.call(syn::Type::without_plus)? {
        syn::Type::Path(ty) if ty.qself.is_none() => Ok(ty.path),
        ty => Err(syn::Error::new_spanned(ty, "expected a path")),
    }
}

/// A statement without the semicolon behind it.
fn one_stmt(input: ParseStream<'_>) -> syn::Result<()> {
    if input.peek(syn::Token![let]) {
        // `let` of the parser wants its semicolon.
        input.parse::<syn::Token![let]>()?;
        syn::Pat::parse_multi_with_leading_vert(input)?;
        if input.parse::<Option<syn::Token![:]>>()?.is_some() {
            input.parse::<syn::Type>()?;
        }
        if input.parse::<Option<syn::Token![=]>>()?.is_some() {
            input.parse::<syn::Expr>()?;
            if input.parse::<Option<syn::Token![else]>>()?.is_some() {
                input.parse::<syn::Block>()?;
            }
        }
        return Ok(());
    }
    let ahead = input.fork();
    if ahead
        .parse::<syn::Item>()
        .is_ok_and(|item| !matches!(item, syn::Item::Verbatim(_) | syn::Item::Macro(_)))
    {
        input.parse::<syn::Item>()?;
        return Ok(());
    }
    input.parse::<syn::Expr>().map(drop)
}

fn is_literal(tokens: &[TokenTree]) -> bool {
    let word = |t: Option<&TokenTree>| match t {
        Some(TokenTree::Literal(_)) => true,
        Some(TokenTree::Ident(word)) => word == "true" || word == "false",
        _ => false,
    };
    let minus = matches!(&tokens[0], TokenTree::Punct(p) if p.as_char() == '-');
    word(tokens.first()) || minus && matches!(tokens.get(1), Some(TokenTree::Literal(_)))
}

fn begins_expr(tok: &Tok, newest: bool) -> bool {
    const WORDS: &[&str] = &[
        "async", "do", "box", "break", "const", "continue", "false", "for", "gen", "if", "loop",
        "match", "move", "return", "static", "true", "try", "unsafe", "while", "yield", "self",
        "Self", "super", "crate",
    ];
    match tok {
        Tok::Ident(word) if word == "_" || word == "const" => newest,
        Tok::Ident(word) => WORDS.contains(&word.as_str()) || !is_keyword(word),
        Tok::Punct(p) => matches!(
            p.as_str(),
            "!" | "-"
                | "*"
                | "|"
                | "||"
                | "&"
                | "&&"
                | ".."
                | "..."
                | "..="
                | "<"
                | "<<"
                | "::"
                | "#"
        ),
        Tok::Group(Delimiter::None) => false,
        Tok::Literal(_) | Tok::Lifetime(_) | Tok::Group(_) => true,
    }
}

fn begins_type(tok: &Tok) -> bool {
    const WORDS: &[&str] = &[
        "_", "for", "impl", "fn", "unsafe", "extern", "typeof", "dyn", "self", "Self", "super",
        "crate",
    ];
    match tok {
        Tok::Ident(word) => WORDS.contains(&word.as_str()) || !is_keyword(word),
        Tok::Punct(p) => matches!(p.as_str(), "!" | "*" | "&" | "&&" | "?" | "<" | "<<" | "::"),
        Tok::Lifetime(_) => true,
        Tok::Group(d) => matches!(d, Delimiter::Parenthesis | Delimiter::Bracket),
        Tok::Literal(_) => false,
    }
}

fn begins_pattern(tok: &Tok, alternatives: bool) -> bool {
    match tok {
        Tok::Ident(_) | Tok::Literal(_) => true,
        Tok::Punct(p) => match p.as_str() {
            "&" | "&&" | "-" | ".." | "..." | "::" | "<" | "<<" => true,
            "|" => alternatives,
            _ => false,
        },
        Tok::Group(d) => matches!(d, Delimiter::Parenthesis | Delimiter::Bracket),
        Tok::Lifetime(_) => false,
    }
}
