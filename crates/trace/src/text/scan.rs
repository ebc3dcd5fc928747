//! The scanner of the text form. White space, line breaks and `//` comments separate tokens.

use crate::value::Const;
use std::fmt;

/// Why a text is not a trace (or a table of descriptors), and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceParseError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// The message.
    pub message: String,
}

impl fmt::Display for TraceParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for TraceParseError {}

/// The result of parsing something.
pub(super) type Parsed<T> = Result<T, TraceParseError>;

/// A place in a text.
pub(super) struct Scanner<'a> {
    text: &'a str,
    pos: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Scanner { text, pos: 0 }
    }

    /// An error at the next token.
    pub(super) fn fail<T>(&mut self, message: impl Into<String>) -> Parsed<T> {
        self.skip();
        Err(self.error_at(self.pos, message))
    }

    /// An error at a place that [`Scanner::here`] gave.
    pub(super) fn error_at(&self, pos: usize, message: impl Into<String>) -> TraceParseError {
        let before = &self.text[..pos];
        TraceParseError {
            line: before.matches('\n').count() + 1,
            column: pos - before.rfind('\n').map_or(0, |n| n + 1) + 1,
            message: message.into(),
        }
    }

    /// The place of the next token.
    pub(super) fn here(&mut self) -> usize {
        self.skip();
        self.pos
    }

    /// Goes back to a place that [`Scanner::here`] gave.
    pub(super) fn back_to(&mut self, pos: usize) {
        self.pos = pos;
    }

    fn rest(&self) -> &'a str {
        &self.text[self.pos..]
    }

    fn skip(&mut self) {
        loop {
            self.pos = self.text.len() - self.rest().trim_start().len();
            if !self.rest().starts_with("//") {
                return;
            }
            self.pos += self.rest().find('\n').unwrap_or(self.rest().len());
        }
    }

    /// Whether nothing is left.
    pub(super) fn at_end(&mut self) -> bool {
        self.skip();
        self.rest().is_empty()
    }

    /// The first character of the next token.
    pub(super) fn peek(&mut self) -> Option<char> {
        self.skip();
        self.rest().chars().next()
    }

    /// Takes this punctuation if it comes next.
    pub(super) fn eat(&mut self, token: &str) -> bool {
        self.skip();
        let found = self.rest().starts_with(token);
        if found {
            self.pos += token.len();
        }
        found
    }

    /// Takes this punctuation, which must come next.
    pub(super) fn expect(&mut self, token: &str) -> Parsed<()> {
        if self.eat(token) {
            return Ok(());
        }
        let found = self.describe();
        self.fail(format!("expected `{token}`, found {found}"))
    }

    /// The next token, for messages.
    pub(super) fn describe(&mut self) -> String {
        self.skip();
        match self.rest().split_whitespace().next() {
            Some(word) => format!("`{word}`"),
            None => "the end of the text".to_owned(),
        }
    }

    fn take_while(&mut self, mut accept: impl FnMut(char) -> bool) -> &'a str {
        let rest = self.rest();
        let len = rest.find(|c| !accept(c)).unwrap_or(rest.len());
        self.pos += len;
        &rest[..len]
    }

    /// A word of letters, digits and `_`; empty if none comes next.
    pub(super) fn peek_word(&mut self) -> &'a str {
        let start = self.here();
        let word = self.take_while(is_word);
        self.pos = start;
        word
    }

    /// A word of letters, digits and `_`.
    pub(super) fn word(&mut self, what: &str) -> Parsed<&'a str> {
        self.skip();
        let word = self.take_while(is_word);
        if word.is_empty() {
            let found = self.describe();
            return self.fail(format!("expected {what}, found {found}"));
        }
        Ok(word)
    }

    /// The name of a class, field or function as [`verdigris_ops::text::name`] writes it: words
    /// joined by `::`, `.` or `#`, with anything between balanced `<` and `>`; or anything in
    /// backticks.
    pub(super) fn name(&mut self, what: &str) -> Parsed<String> {
        let start = self.here();
        if self.eat("`") {
            return self.quoted(start);
        }
        loop {
            self.take_while(is_word);
            if self.rest().starts_with("::") {
                self.pos += 2;
            } else if self.rest().starts_with(['.', '#']) {
                self.pos += 1;
            } else if self.rest().starts_with('<') {
                self.angles()?;
            } else {
                break;
            }
        }
        if self.pos == start {
            let found = self.describe();
            return self.fail(format!("expected {what}, found {found}"));
        }
        Ok(self.text[start..self.pos].to_owned())
    }

    /// The rest of a name in backticks; a backslash makes the next character a plain one.
    fn quoted(&mut self, start: usize) -> Parsed<String> {
        let mut name = String::new();
        let mut chars = self.rest().char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                '`' => {
                    self.pos += at + 1;
                    return Ok(name);
                }
                '\\' => name.extend(chars.next().map(|(_, c)| c)),
                _ => name.push(c),
            }
        }
        Err(self.error_at(start, "this name is never closed"))
    }

    /// Skips from `<` to its `>`; the `>` of `->` closes nothing.
    fn angles(&mut self) -> Parsed<()> {
        let start = self.pos;
        let (mut depth, mut before) = (0, ' ');
        for (at, c) in self.rest().char_indices() {
            match c {
                '<' => depth += 1,
                '>' if before != '-' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                self.pos = start + at + 1;
                return Ok(());
            }
            before = c;
        }
        Err(self.error_at(start, "this `<` is never closed"))
    }

    /// A number without sign, dot or exponent.
    pub(super) fn index(&mut self, what: &str) -> Parsed<u32> {
        let start = self.here();
        let word = self.take_while(|c| c.is_ascii_digit());
        word.parse().map_err(|_| {
            self.pos = start;
            let found = self.describe();
            self.error_at(start, format!("expected {what}, found {found}"))
        })
    }

    /// An integer or float literal, if one comes next.
    pub(super) fn number(&mut self) -> Parsed<Option<Const>> {
        let start = self.here();
        let mut before = ' ';
        let literal = self.take_while(|c| {
            let exponent_sign = c == '-' && (before == 'e' || before == ' ');
            before = c;
            c.is_ascii_digit() || c == '.' || c == 'e' || exponent_sign
        });
        let float = |v: f64| Ok(Some(Const::Float(v.to_bits())));
        if literal == "-" && self.eat("inf") {
            return float(f64::NEG_INFINITY);
        }
        if !literal.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
            self.pos = start;
            return Ok(None);
        }
        if let Ok(v) = literal.parse::<i64>() {
            return Ok(Some(Const::Int(v)));
        }
        match literal.parse::<f64>() {
            Ok(v) if literal.contains(['.', 'e']) => float(v),
            _ => Err(self.error_at(start, format!("`{literal}` is not a 64-bit number"))),
        }
    }

    /// A hexadecimal number behind `0x`.
    pub(super) fn hex(&mut self) -> Parsed<u64> {
        let start = self.here();
        let found = self.eat("0x");
        let digits = self.take_while(|c| c.is_ascii_hexdigit());
        match u64::from_str_radix(digits, 16) {
            Ok(v) if found => Ok(v),
            _ => Err(self.error_at(start, "expected a 64-bit number behind `0x`")),
        }
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
