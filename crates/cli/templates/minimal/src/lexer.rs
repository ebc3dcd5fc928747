//! Splits a text into tokens. In: the text. Out: tokens with their lines. Invariant: the last one
//! is [`Token::End`].

/// A piece of the text.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Token<'a> {
    /// An integer.
    Int(i64),
    /// A name or keyword.
    Name(&'a str),
    /// An operator or bracket.
    Symbol(&'static str),
    /// The end of the text.
    End,
}

/// Those with two characters are first, so that they are found first.
const SYMBOLS: [&str; 18] = [
    "<=", ">=", "==", "!=", "<", ">", "=", "+", "-", "*", "/", "%", "(", ")", "{", "}", ";", ",",
];

/// The tokens of a text, each with its line.
///
/// # Errors
/// With a message that begins with the line.
pub fn tokens(text: &str) -> Result<Vec<(Token<'_>, u32)>, String> {
    let mut tokens = Vec::new();
    let mut line = 1;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end_of = |goes_on: fn(char) -> bool| rest.find(|c| !goes_on(c)).unwrap_or(rest.len());
        let (token, len) = match first {
            '\n' => {
                line += 1;
                (None, 1)
            }
            '#' => (None, rest.find('\n').unwrap_or(rest.len())),
            c if c.is_whitespace() => (None, c.len_utf8()),
            c if c.is_ascii_digit() => {
                let len = end_of(|c| c.is_ascii_digit());
                let value = rest[..len].parse();
                let value = value.map_err(|_| format!("{line}: this integer is too large"))?;
                (Some(Token::Int(value)), len)
            }
            c if c.is_alphabetic() || c == '_' => {
                let len = end_of(|c| c.is_alphanumeric() || c == '_');
                (Some(Token::Name(&rest[..len])), len)
            }
            c => {
                let symbol = SYMBOLS.into_iter().find(|s| rest.starts_with(s));
                let symbol = symbol.ok_or_else(|| format!("{line}: `{c}` means nothing here"))?;
                (Some(Token::Symbol(symbol)), symbol.len())
            }
        };
        tokens.extend(token.map(|token| (token, line)));
        rest = &rest[len..];
    }
    tokens.push((Token::End, line));
    Ok(tokens)
}
