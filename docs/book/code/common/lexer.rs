//! Splits a text into tokens. In: the text. Out: tokens with their lines. Invariant: the last one
//! is [`Token::End`].

/// A piece of the text.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Token<'a> {
    /// An integer.
    Int(i64),
    /// A number with a point.
    Float(f64),
    /// A text, without its quotes.
    Text(&'a str),
    /// A name or keyword.
    Name(&'a str),
    /// An operator or bracket.
    Symbol(&'static str),
    /// The end.
    End,
}

/// Those with two characters are first, so that they are found first.
const SYMBOLS: [&str; 18] = [
    "<=", ">=", "==", "!=", "<", ">", "=", "+", "-", "*", "/", "%", "(", ")", "{", "}", ",", ".",
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
        let (token, len) = match first {
            '\n' => {
                line += 1;
                (None, 1)
            }
            '#' => (None, rest.find('\n').unwrap_or(rest.len())),
            '"' => {
                let text = rest[1..].split(['"', '\n']).next().unwrap_or_default();
                if !rest[1 + text.len()..].starts_with('"') {
                    return Err(format!("{line}: this text has no end in its line"));
                }
                (Some(Token::Text(text)), text.len() + 2)
            }
            c if c.is_whitespace() => (None, c.len_utf8()),
            c if c.is_ascii_digit() => number(rest).map_err(|e| format!("{line}: {e}"))?,
            c if c.is_alphabetic() || c == '_' => {
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
                let name = &rest[..end.unwrap_or(rest.len())];
                (Some(Token::Name(name)), name.len())
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

/// A number, and how long it is.
fn number(text: &str) -> Result<(Option<Token<'_>>, usize), String> {
    let digits = |from: usize| {
        let end = text[from..].find(|c: char| !c.is_ascii_digit());
        end.map_or(text.len(), |len| from + len)
    };
    let len = digits(0);
    let behind = text[len..].as_bytes();
    if behind.first() == Some(&b'.') && behind.get(1).is_some_and(u8::is_ascii_digit) {
        let len = digits(len + 1);
        let value = text[..len].parse().expect("digits, a point, digits");
        return Ok((Some(Token::Float(value)), len));
    }
    match text[..len].parse() {
        Ok(value) => Ok((Some(Token::Int(value)), len)),
        Err(_) => Err("this integer is too large".to_string()),
    }
}
