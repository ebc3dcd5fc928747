//! Where syntax begins and ends, found without writing it out.
//!
//! In: a node of the parser that no macro has put together. Out: its first token and its last.
//! Invariant: what is between them is the span that the parser's own [`Spanned`] has, which makes
//! the tokens of the whole node to look at two of them: for each expression those of all inside of
//! it.

use proc_macro2::Span;
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, Member, Pat, Path, PathArguments, RangeLimits, Stmt, Type};

/// The first and the last token of a node; none where that takes the tokens.
type Ends = Option<(Span, Span)>;

/// What has a place.
pub(crate) trait Extent: Spanned {
    /// Its first and its last token, if they are found quickly.
    fn ends(&self) -> Ends {
        None
    }
}

/// From a node's first token to its last, as the parser joins them.
pub(crate) fn joined(first: Span, last: Span) -> Span {
    first.join(last).unwrap_or(first)
}

impl<T: Extent + ToTokens> Extent for &T {
    fn ends(&self) -> Ends {
        (**self).ends()
    }
}

impl<T: Extent + ToTokens> Extent for Box<T> {
    fn ends(&self) -> Ends {
        (**self).ends()
    }
}

// Nodes that are short, or whose place is rarely asked for.
impl Extent for Attribute {}
impl Extent for syn::BinOp {}
impl Extent for syn::ExprCall {}
impl Extent for syn::ExprIndex {}
impl Extent for syn::FieldsUnnamed {}
impl Extent for syn::GenericArgument {}
impl Extent for syn::PatIdent {}
impl Extent for syn::Receiver {}
impl Extent for syn::TypeInfer {}
impl Extent for syn::TypeReference {}
impl Extent for syn::Variant {}
impl Extent for syn::token::For {}
impl Extent for syn::token::Loop {}
impl Extent for syn::token::While {}

fn one(token: Span) -> Ends {
    Some((token, token))
}

/// From the first token of one node to the last of another.
fn between(first: &impl Extent, last: &impl Extent) -> Ends {
    Some((first.ends()?.0, last.ends()?.1))
}

/// From the first token of a node to a token.
fn up_to(first: &impl Extent, last: Span) -> Ends {
    Some((first.ends()?.0, last))
}

/// From a token to the last one of a node.
fn from(first: Span, last: &impl Extent) -> Ends {
    Some((first, last.ends()?.1))
}

/// The same of a node that may be missing.
fn from_maybe<T: Extent>(first: Span, last: Option<&T>) -> Ends {
    last.map_or(one(first), |last| from(first, last))
}

impl Extent for syn::Ident {
    fn ends(&self) -> Ends {
        one(self.span())
    }
}

impl Extent for syn::Lit {
    fn ends(&self) -> Ends {
        one(self.span())
    }
}

impl Extent for syn::Block {
    fn ends(&self) -> Ends {
        one(self.brace_token.span.join())
    }
}

impl Extent for Path {
    fn ends(&self) -> Ends {
        let first = match self.leading_colon {
            Some(colon) => colon.spans[0],
            None => self.segments.first()?.ident.span(),
        };
        let last = self.segments.last()?;
        match &last.arguments {
            PathArguments::None => Some((first, last.ident.span())),
            PathArguments::AngleBracketed(args) => Some((first, args.gt_token.span)),
            PathArguments::Parenthesized(_) => None,
        }
    }
}

impl Extent for syn::ExprPath {
    fn ends(&self) -> Ends {
        let plain = self.attrs.is_empty() && self.qself.is_none();
        plain.then(|| self.path.ends())?
    }
}

impl Extent for Member {
    fn ends(&self) -> Ends {
        match self {
            Member::Named(name) => one(name.span()),
            Member::Unnamed(index) => one(index.span),
        }
    }
}

impl Extent for syn::Macro {
    fn ends(&self) -> Ends {
        up_to(&self.path, self.delimiter.span().join())
    }
}

impl Extent for Expr {
    fn ends(&self) -> Ends {
        if !attributes(self)?.is_empty() {
            return None;
        }
        match self {
            Expr::Array(e) => one(e.bracket_token.span.join()),
            Expr::Assign(e) => between(&e.left, &e.right),
            Expr::Binary(e) => between(&e.left, &e.right),
            Expr::Block(e) if e.label.is_none() => e.block.ends(),
            Expr::Break(e) if e.label.is_none() => from_maybe(e.break_token.span, e.expr.as_ref()),
            Expr::Call(e) => up_to(&e.func, e.paren_token.span.join()),
            Expr::Cast(e) => between(&e.expr, &e.ty),
            Expr::Continue(e) if e.label.is_none() => one(e.continue_token.span),
            Expr::Field(e) => between(&e.base, &e.member),
            Expr::ForLoop(e) if e.label.is_none() => from(e.for_token.span, &e.body),
            Expr::Group(e) => one(e.group_token.span),
            Expr::If(e) => match &e.else_branch {
                Some((_, other)) => from(e.if_token.span, other),
                None => from(e.if_token.span, &e.then_branch),
            },
            Expr::Index(e) => up_to(&e.expr, e.bracket_token.span.join()),
            Expr::Let(e) => from(e.let_token.span, &e.expr),
            Expr::Lit(e) => e.lit.ends(),
            Expr::Loop(e) if e.label.is_none() => from(e.loop_token.span, &e.body),
            Expr::Macro(e) => e.mac.ends(),
            Expr::Match(e) => Some((e.match_token.span, e.brace_token.span.join())),
            Expr::MethodCall(e) => up_to(&e.receiver, e.paren_token.span.join()),
            Expr::Paren(e) => one(e.paren_token.span.join()),
            Expr::Path(e) => e.ends(),
            Expr::Range(e) => {
                let (first, last) = match &e.limits {
                    RangeLimits::HalfOpen(dots) => (dots.spans[0], dots.spans[1]),
                    RangeLimits::Closed(dots) => (dots.spans[0], dots.spans[2]),
                };
                let first = e.start.as_ref().map_or(one(first), Extent::ends)?.0;
                let last = e.end.as_ref().map_or(one(last), Extent::ends)?.1;
                Some((first, last))
            }
            Expr::Reference(e) => from(e.and_token.spans[0], &e.expr),
            Expr::Repeat(e) => one(e.bracket_token.span.join()),
            Expr::Return(e) => from_maybe(e.return_token.span, e.expr.as_ref()),
            Expr::Struct(e) if e.qself.is_none() => up_to(&e.path, e.brace_token.span.join()),
            Expr::Try(e) => up_to(&e.expr, e.question_token.spans[0]),
            Expr::Tuple(e) => one(e.paren_token.span.join()),
            Expr::Unary(e) => {
                let first = match &e.op {
                    syn::UnOp::Deref(op) => op.spans[0],
                    syn::UnOp::Not(op) => op.spans[0],
                    syn::UnOp::Neg(op) => op.spans[0],
                    _ => return None,
                };
                from(first, &e.expr)
            }
            Expr::While(e) if e.label.is_none() => from(e.while_token.span, &e.body),
            _ => None,
        }
    }
}

/// The attributes of an expression of one of the kinds whose ends are found quickly.
fn attributes(expr: &Expr) -> Option<&[Attribute]> {
    Some(match expr {
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
        Expr::Group(e) => &e.attrs,
        Expr::If(e) => &e.attrs,
        Expr::Index(e) => &e.attrs,
        Expr::Let(e) => &e.attrs,
        Expr::Lit(e) => &e.attrs,
        Expr::Loop(e) => &e.attrs,
        Expr::Macro(e) => &e.attrs,
        Expr::Match(e) => &e.attrs,
        Expr::MethodCall(e) => &e.attrs,
        Expr::Paren(e) => &e.attrs,
        Expr::Path(_) => &[],
        Expr::Range(e) => &e.attrs,
        Expr::Reference(e) => &e.attrs,
        Expr::Repeat(e) => &e.attrs,
        Expr::Return(e) => &e.attrs,
        Expr::Struct(e) => &e.attrs,
        Expr::Try(e) => &e.attrs,
        Expr::Tuple(e) => &e.attrs,
        Expr::Unary(e) => &e.attrs,
        Expr::While(e) => &e.attrs,
        _ => return None,
    })
}

impl Extent for Pat {
    fn ends(&self) -> Ends {
        match self {
            Pat::Ident(p) if p.attrs.is_empty() => {
                let name = p.ident.span();
                let by = p.by_ref.map(|by| by.span);
                let first = by.or(p.mutability.map(|m| m.span)).unwrap_or(name);
                match &p.subpat {
                    Some((_, inner)) => from(first, inner),
                    None => Some((first, name)),
                }
            }
            Pat::Lit(p) if p.attrs.is_empty() => p.lit.ends(),
            Pat::Or(p) if p.attrs.is_empty() && p.leading_vert.is_none() => {
                between(p.cases.first()?, p.cases.last()?)
            }
            Pat::Paren(p) if p.attrs.is_empty() => one(p.paren_token.span.join()),
            Pat::Path(p) => p.ends(),
            Pat::Reference(p) if p.attrs.is_empty() => from(p.and_token.spans[0], &p.pat),
            Pat::Struct(p) if p.attrs.is_empty() && p.qself.is_none() => {
                up_to(&p.path, p.brace_token.span.join())
            }
            Pat::Tuple(p) if p.attrs.is_empty() => one(p.paren_token.span.join()),
            Pat::TupleStruct(p) if p.attrs.is_empty() && p.qself.is_none() => {
                up_to(&p.path, p.paren_token.span.join())
            }
            Pat::Wild(p) if p.attrs.is_empty() => one(p.underscore_token.spans[0]),
            _ => None,
        }
    }
}

impl Extent for Type {
    fn ends(&self) -> Ends {
        match self {
            Type::Array(t) => one(t.bracket_token.span.join()),
            Type::Group(t) => one(t.group_token.span),
            Type::Paren(t) => one(t.paren_token.span.join()),
            Type::Path(t) if t.qself.is_none() => t.path.ends(),
            Type::Reference(t) => from(t.and_token.spans[0], &t.elem),
            Type::Slice(t) => one(t.bracket_token.span.join()),
            Type::Tuple(t) => one(t.paren_token.span.join()),
            _ => None,
        }
    }
}

impl Extent for syn::FnArg {
    fn ends(&self) -> Ends {
        match self {
            syn::FnArg::Typed(arg) if arg.attrs.is_empty() => between(&arg.pat, &arg.ty),
            _ => None,
        }
    }
}

impl Extent for Stmt {
    fn ends(&self) -> Ends {
        match self {
            Stmt::Expr(expr, None) => expr.ends(),
            Stmt::Expr(expr, Some(semi)) => up_to(expr, semi.spans[0]),
            Stmt::Local(local) => local.ends(),
            _ => None,
        }
    }
}

impl Extent for syn::Local {
    fn ends(&self) -> Ends {
        let plain = self.attrs.is_empty();
        plain.then_some((self.let_token.span, self.semi_token.spans[0]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole_of(node: &impl Extent) -> Span {
        let ends = node.ends();
        ends.map_or_else(|| node.span(), |(first, last)| joined(first, last))
    }

    fn agree<T: Extent + syn::parse::Parse>(texts: &[&str]) {
        for text in texts {
            let node: T = syn::parse_str(text).expect(text);
            let (quick, whole) = (whole_of(&node).byte_range(), node.span().byte_range());
            assert_eq!(quick, whole, "{text}");
            assert_eq!(quick, 0..text.len(), "{text}");
        }
    }

    #[test]
    fn expressions_are_where_their_tokens_are() {
        agree::<Expr>(&[
            "a",
            "::a::b::<T>",
            "<T as A>::b",
            "f::<fn(u8) -> u8>()",
            "-1.5",
            "\"ä\"",
            "[1, 2]",
            "[0; 4]",
            "a.0 = b.c",
            "a += b",
            "{ a }",
            "'a: { b }",
            "break",
            "break a",
            "break 'a b",
            "continue",
            "continue 'a",
            "f(a)(b)",
            "a as u8",
            "a as fn(u8) -> u8",
            "a.b.c",
            "for a in b { c }",
            "'a: for b in c { d }",
            "if a { b }",
            "if a { b } else if let c = d { e }",
            "if a { b } else { c }",
            "a[b]",
            "loop { a }",
            "m!(a)",
            "m![a]",
            "m! { a }",
            "match a { _ => b }",
            "a.b::<C>(d).e()",
            "(a)",
            "a..b",
            "a..",
            "..=b",
            "..",
            "&a",
            "&mut *a",
            "return",
            "return a",
            "S { a, ..b }",
            "a?",
            "(a, b)",
            "!a",
            "while a { b }",
            "|a| b",
            "move || -> u8 { a }",
            "unsafe{ a }",
            "#[a] b",
        ]);
    }

    #[test]
    fn other_nodes_are_where_their_tokens_are() {
        agree::<Type>(&[
            "a::B<C>",
            "&'a mut T",
            "[T; 4]",
            "[T]",
            "(A, B)",
            "(A)",
            "fn(A) -> B",
        ]);
        agree::<Type>(&["dyn A + B", "impl A", "!", "_", "<A as B>::C"]);
        agree::<syn::Block>(&["{ a; b }", "{}"]);
        agree::<syn::FnArg>(&["a: B", "mut a: &B", "&self", "#[a] b: C"]);
        agree::<Stmt>(&[
            "a;",
            "let a = b;",
            "let A(b) = c else { d };",
            "fn f() {}",
            "m! { a }",
        ]);
        for text in [
            "a",
            "ref mut a @ B",
            "1",
            "-1",
            "A | B",
            "| A",
            "(A)",
            "A::B",
            "&A",
        ] {
            pattern(text);
        }
        for text in [
            "A { b, .. }",
            "(a, _)",
            "A(b, ..)",
            "[a, ..]",
            "1..=2",
            "..",
            "_",
        ] {
            pattern(text);
        }
    }

    fn pattern(text: &str) {
        let parser = syn::Pat::parse_multi_with_leading_vert;
        let pat = syn::parse::Parser::parse_str(parser, text).expect(text);
        assert_eq!(
            whole_of(&pat).byte_range(),
            pat.span().byte_range(),
            "{text}"
        );
    }
}
