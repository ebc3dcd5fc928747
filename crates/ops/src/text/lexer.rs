//! Splits a line into tokens.

use super::token::{TextError, Token};

pub(super) fn lex_line(
    line: &str,
    number: u32,
    out: &mut Vec<(Token, u32)>,
) -> Result<(), TextError> {
    let chars: Vec<char> = line.chars().collect();
    let fail = |message: String| TextError {
        line: number,
        message,
    };
    let mut at = 0;
    while at < chars.len() {
        let c = chars[at];
        let next = chars.get(at + 1).copied().unwrap_or(' ');
        if c.is_whitespace() {
            at += 1;
            continue;
        }
        if c == '/' && next == '/' {
            break;
        }
        let (token, end) = if c.is_alphabetic() || c == '_' {
            let end = word_end(&chars, at);
            (Token::Word(chars[at..end].iter().collect()), end)
        } else if c.is_ascii_digit() || (c == '-' && next.is_ascii_digit()) {
            number_token(&chars, at).map_err(fail)?
        } else if c == '"' || c == '`' {
            quoted(&chars, at).map_err(fail)?
        } else {
            (Token::Punct(c), at + 1)
        };
        out.push((token, number));
        at = end;
    }
    Ok(())
}

/// Letters, digits and `_`; `::` and `.` and `#` between them; a balanced `<...>` directly behind
/// them.
fn word_end(chars: &[char], start: usize) -> usize {
    let is_word = |i: usize| {
        chars
            .get(i)
            .is_some_and(|c| c.is_alphanumeric() || *c == '_')
    };
    let mut at = start;
    loop {
        while is_word(at) {
            at += 1;
        }
        match chars.get(at) {
            Some('<') => match balanced(chars, at) {
                Some(end) => at = end,
                None => return at,
            },
            Some('.' | '#') if is_word(at + 1) => at += 1,
            Some(':') if chars.get(at + 1) == Some(&':') && is_word(at + 2) => at += 2,
            _ => return at,
        }
    }
}

fn balanced(chars: &[char], start: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (i, c) in chars.iter().enumerate().skip(start) {
        match c {
            '<' => depth += 1,
            '>' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(i + 1);
        }
    }
    None
}

fn number_token(chars: &[char], start: usize) -> Result<(Token, usize), String> {
    if chars[start] == '0' && chars.get(start + 1) == Some(&'f') {
        let end = (start + 18).min(chars.len());
        let digits: String = chars[start + 2..end].iter().collect();
        let bits = u64::from_str_radix(&digits, 16)
            .ok()
            .filter(|_| digits.len() == 16);
        return bits
            .map(|bits| (Token::Float(bits), end))
            .ok_or_else(|| "`0f` must be followed by sixteen hexadecimal digits".to_string());
    }
    let digit = |i: usize| chars.get(i).is_some_and(char::is_ascii_digit);
    let mut end = start + 1;
    while digit(end) {
        end += 1;
    }
    let mut is_float = false;
    if chars.get(end) == Some(&'.') && digit(end + 1) {
        is_float = true;
        end += 1;
        while digit(end) {
            end += 1;
        }
    }
    if chars.get(end) == Some(&'e') {
        let sign = usize::from(chars.get(end + 1) == Some(&'-'));
        if digit(end + 1 + sign) {
            is_float = true;
            end += 1 + sign;
            while digit(end) {
                end += 1;
            }
        }
    }
    let text: String = chars[start..end].iter().collect();
    if is_float {
        let value: f64 = text.parse().map_err(|_| format!("bad float `{text}`"))?;
        return Ok((Token::Float(value.to_bits()), end));
    }
    let value = text
        .parse()
        .map_err(|_| format!("`{text}` does not fit in 64 bits"))?;
    Ok((Token::Int(value), end))
}

/// A string as `{:?}` of Rust's strings writes it, or a name in backticks.
fn quoted(chars: &[char], start: usize) -> Result<(Token, usize), String> {
    let quote = chars[start];
    let mut text = String::new();
    let mut at = start + 1;
    loop {
        match chars.get(at) {
            None => return Err(format!("missing {quote} at the end of the line")),
            Some('\\') => {
                let (c, end) = escape(chars, at + 1)?;
                text.push(c);
                at = end;
            }
            Some(c) if *c == quote => {
                let token = if quote == '"' {
                    Token::Str(text)
                } else {
                    Token::Word(text)
                };
                return Ok((token, at + 1));
            }
            Some(c) => {
                text.push(*c);
                at += 1;
            }
        }
    }
}

fn escape(chars: &[char], at: usize) -> Result<(char, usize), String> {
    match chars.get(at) {
        Some('n') => Ok(('\n', at + 1)),
        Some('r') => Ok(('\r', at + 1)),
        Some('t') => Ok(('\t', at + 1)),
        Some('0') => Ok(('\0', at + 1)),
        Some('u') if chars.get(at + 1) == Some(&'{') => {
            let digits: String = chars[at + 2..].iter().take_while(|c| **c != '}').collect();
            let c = u32::from_str_radix(&digits, 16)
                .ok()
                .and_then(char::from_u32)
                .ok_or_else(|| format!("bad escape \\u{{{digits}}}"))?;
            Ok((c, at + 3 + digits.len()))
        }
        Some(c) => Ok((*c, at + 1)),
        None => Err("a backslash ends the line".to_string()),
    }
}
