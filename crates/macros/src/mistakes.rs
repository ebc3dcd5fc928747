//! The translator's mistakes. In: the file `verdigris.mistakes` that the build script has written
//! if there are any (its format is described there), and the tokens of an item. Out: a
//! `compile_error!` at the tokens of each mistake. Invariant: an attribute shows the mistakes that
//! the file has for it, wherever their tokens have gone.

use proc_macro2::{Delimiter, Group, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::quote_spanned;
use std::path::PathBuf;

/// A line and a column.
type Place = (usize, usize);

/// One mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The file, and where the attribute is that shows it; none if `include_jit!` does.
    attribute: Option<(PathBuf, Place)>,
    first: Place,
    last: Place,
    text: String,
}

impl Mistake {
    fn parse(line: &str) -> Option<Mistake> {
        let fields: Vec<&str> = line.split('\t').collect();
        let [path, numbers @ .., text] = fields.as_slice() else {
            return None;
        };
        let numbers: Vec<usize> = numbers
            .iter()
            .map(|n| n.parse().ok())
            .collect::<Option<_>>()?;
        let [attr_line, attr_column, line, column, end_line, end_column] = *numbers else {
            return None;
        };
        Some(Mistake {
            attribute: (!path.is_empty()).then(|| (path.into(), (attr_line, attr_column))),
            first: (line, column),
            last: (end_line, end_column),
            text: unescape(text),
        })
    }

    /// Whether the span begins within the mistake.
    pub fn covers(&self, span: Span) -> bool {
        (self.first..self.last).contains(&start(span))
    }
}

fn unescape(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some(other) => out.push(other),
                None => {}
            },
            c => out.push(c),
        }
    }
    out
}

/// The mistakes of the crate that is being compiled.
pub fn read() -> Vec<Mistake> {
    let Some(out) = std::env::var_os("OUT_DIR") else {
        return Vec::new();
    };
    match std::fs::read_to_string(PathBuf::from(out).join("verdigris.mistakes")) {
        Ok(text) => parse(&text),
        Err(_) => Vec::new(),
    }
}

fn parse(text: &str) -> Vec<Mistake> {
    let all: Option<Vec<Mistake>> = text.lines().map(Mistake::parse).collect();
    all.unwrap_or_else(|| {
        let text = "`verdigris-build` and `verdigris` are of different versions";
        Mistake::parse(&format!("\t0\t0\t0\t0\t0\t0\t{text}"))
            .into_iter()
            .collect()
    })
}

/// The mistakes for the attribute at a span.
pub fn of(attribute: Span, mistakes: &[Mistake]) -> Vec<Mistake> {
    if mistakes.is_empty() {
        return Vec::new();
    }
    let path = attribute.local_file().and_then(|p| p.canonicalize().ok());
    let here = |m: &&Mistake| {
        let place = m
            .attribute
            .as_ref()
            .map(|(file, place)| (Some(file), *place));
        place == Some((path.as_ref(), start(attribute)))
    };
    mistakes.iter().filter(here).cloned().collect()
}

/// Errors at those of the item's tokens that the mistakes are about.
pub fn at_tokens(mistakes: &[Mistake], item: &TokenStream) -> TokenStream {
    if mistakes.is_empty() {
        return TokenStream::new();
    }
    let mut spans = Vec::new();
    flatten(item.clone(), &mut spans);
    let errors = mistakes.iter().map(|mistake| {
        let mut tokens = spans.iter().filter(|span| mistake.covers(**span));
        let first = tokens.next().copied().unwrap_or_else(Span::call_site);
        let last = tokens.next_back().copied().unwrap_or(first);
        error(&mistake.text, first, last)
    });
    errors.collect()
}

/// Errors for what no attribute shows, at the call of the macro.
pub fn elsewhere(mistakes: &[Mistake]) -> TokenStream {
    let others = mistakes.iter().filter(|m| m.attribute.is_none());
    let here = Span::call_site();
    others.map(|m| error(&m.text, here, here)).collect()
}

/// `compile_error!` for the source from one span to another: rustc underlines a macro from its
/// first token to its last.
fn error(text: &str, first: Span, last: Span) -> TokenStream {
    let path = quote_spanned!(first=> ::core::compile_error);
    let mut bang = Punct::new('!', Spacing::Alone);
    bang.set_span(first);
    let mut message = proc_macro2::Literal::string(text);
    message.set_span(last);
    let mut group = Group::new(Delimiter::Brace, TokenTree::from(message).into());
    group.set_span(last);
    path.into_iter()
        .chain([TokenTree::from(bang), TokenTree::from(group)])
        .collect()
}

/// The spans of all tokens, in order.
fn flatten(tokens: TokenStream, spans: &mut Vec<Span>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                spans.push(group.span_open());
                flatten(group.stream(), spans);
                spans.push(group.span_close());
            }
            token => spans.push(token.span()),
        }
    }
}

fn start(span: Span) -> Place {
    let start = span.start();
    (start.line, start.column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_read_and_found_in_the_item() {
        let text = "/a/b.rs\t3\t0\t1\t9\t1\t14\tVD0034: x\\ny \\\\n\\tz\n\t0\t0\t0\t0\t0\t0\tall\n";
        let [first, all] = parse(text).try_into().expect("two of them");
        assert_eq!(first.attribute, Some(("/a/b.rs".into(), (3, 0))));
        assert_eq!(first.text, "VD0034: x\ny \\n\tz");
        let item: TokenStream = "fn f() { (g)(1) }".parse().expect("lexes");
        let shown: TokenStream = at_tokens(std::slice::from_ref(&first), &item);
        let spans: Vec<Span> = shown.into_iter().map(|t| t.span()).collect();
        let (begin, end) = (start(spans[0]), start(spans[spans.len() - 1]));
        assert_eq!((begin, end), ((1, 9), (1, 13)));
        let others = elsewhere(&[first, all]);
        assert_eq!(others.to_string(), ":: core :: compile_error ! { \"all\" }");
    }

    #[test]
    fn a_file_of_another_version_is_a_mistake() {
        let found = parse("something else\n");
        assert!(found[0].text.contains("different versions"));
        assert!(of(Span::call_site(), &found).is_empty());
        assert!(!elsewhere(&found).is_empty());
    }
}
