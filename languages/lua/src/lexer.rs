//! Source text to tokens. In: bytes. Out: one token after the other, each with its line. Invariant:
//! a token's text is complete; what cannot be one is an error that says near what.
//!
//! Source: Lua 5.4 reference manual, section 3.1.

use crate::number::{self, Number};

/// A token.
#[derive(Clone, PartialEq, Debug)]
pub enum Token {
    /// A name.
    Name(String),
    /// A reserved word.
    Word(&'static str),
    /// An operator or other sign.
    Sign(&'static str),
    /// A string, without its quotes.
    Text(Vec<u8>),
    /// An integer.
    Int(i64),
    /// A float.
    Float(f64),
    /// The end of the text.
    End,
}

/// A fault in a text, and its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SyntaxError {
    /// The line; 0 if it is not the text's fault.
    pub line: u32,
    /// The message.
    pub message: String,
}

impl SyntaxError {
    /// The system refuses the memory that the text would take.
    pub fn no_memory() -> SyntaxError {
        SyntaxError {
            line: 0,
            message: "not enough memory".to_owned(),
        }
    }

    /// The error as messages show it.
    pub fn in_file(&self, file: &str) -> String {
        match self.line {
            0 => self.message.clone(),
            line => format!("{file}:{line}: {}", self.message),
        }
    }
}

/// The reserved words.
const WORDS: [&str; 22] = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
    "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
];

/// The signs; a longer one stands before those that it begins with.
const SIGNS: [&str; 33] = [
    "...", "<<", ">>", "//", "==", "~=", "<=", ">=", "::", "..", "+", "-", "*", "/", "%", "^", "#",
    "&", "~", "|", "<", ">", "=", "(", ")", "{", "}", "[", "]", ";", ":", ",", ".",
];

/// The text of a file without what may stand in front of a program: a mark of the encoding, and a
/// first line that begins with `#`, of which the end remains.
pub fn program_of(file: &[u8]) -> &[u8] {
    let text = file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file);
    if text.first() != Some(&b'#') {
        return text;
    }
    let end = text.iter().position(|&byte| byte == b'\n');
    &text[end.unwrap_or(text.len())..]
}

/// Reads tokens off a text.
pub struct Lexer<'a> {
    text: &'a [u8],
    at: usize,
    /// The line of what comes next.
    pub line: u32,
    start: usize,
}

impl<'a> Lexer<'a> {
    /// A lexer for a text.
    pub fn new(text: &'a [u8]) -> Lexer<'a> {
        Lexer {
            text,
            at: 0,
            line: 1,
            start: 0,
        }
    }

    /// The last token as it stands in the text.
    pub fn raw(&self) -> &'a [u8] {
        &self.text[self.start..self.at]
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.text.get(self.at + ahead).copied().unwrap_or(0)
    }

    /// An error near what is being read.
    pub fn error<T>(&self, message: &str) -> Result<T, SyntaxError> {
        let near = String::from_utf8_lossy(&self.text[self.start..self.at.min(self.text.len())]);
        let near = if near.is_empty() {
            "<eof>".into()
        } else {
            format!("'{near}'")
        };
        Err(SyntaxError {
            line: self.line,
            message: format!("{message} near {near}"),
        })
    }

    /// The next token.
    ///
    /// # Errors
    /// If there is none.
    pub fn token(&mut self) -> Result<Token, SyntaxError> {
        self.space()?;
        self.start = self.at;
        let Some(&byte) = self.text.get(self.at) else {
            return Ok(Token::End);
        };
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => Ok(self.name()),
            b'0'..=b'9' => self.number(),
            b'.' if self.peek(1).is_ascii_digit() => self.number(),
            b'"' | b'\'' => self.quoted(byte),
            b'[' if matches!(self.peek(1), b'[' | b'=') => match self.long_bracket("string")? {
                Some(text) => Ok(Token::Text(text)),
                None => {
                    self.at += 1;
                    if self.peek(0) == b'=' {
                        while self.peek(0) == b'=' {
                            self.at += 1;
                        }
                        return self.error("invalid long string delimiter");
                    }
                    Ok(Token::Sign("["))
                }
            },
            _ => {
                let rest = &self.text[self.at..];
                let sign = SIGNS.iter().find(|sign| rest.starts_with(sign.as_bytes()));
                match sign {
                    Some(sign) => {
                        self.at += sign.len();
                        Ok(Token::Sign(sign))
                    }
                    None => {
                        self.at += 1;
                        if byte.is_ascii_graphic() {
                            return self.error("unexpected symbol");
                        }
                        Err(SyntaxError {
                            line: self.line,
                            message: format!("unexpected symbol near '<\\{byte}>'"),
                        })
                    }
                }
            }
        }
    }

    /// Passes white space and comments.
    fn space(&mut self) -> Result<(), SyntaxError> {
        while self.at < self.text.len() {
            match self.peek(0) {
                b'\n' => {
                    self.line += 1;
                    self.at += 1;
                }
                b' ' | b'\t' | b'\r' | 11 | 12 => self.at += 1,
                b'-' if self.peek(1) == b'-' => {
                    self.start = self.at;
                    self.at += 2;
                    if self.peek(0) == b'[' && self.long_bracket("comment")?.is_some() {
                        continue;
                    }
                    while self.at < self.text.len() && self.peek(0) != b'\n' {
                        self.at += 1;
                    }
                }
                _ => break,
            }
        }
        Ok(())
    }

    fn name(&mut self) -> Token {
        while matches!(self.peek(0), b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'0'..=b'9') {
            self.at += 1;
        }
        let name = String::from_utf8_lossy(&self.text[self.start..self.at]).into_owned();
        match WORDS.iter().find(|word| **word == name) {
            Some(word) => Token::Word(word),
            None => Token::Name(name),
        }
    }

    fn number(&mut self) -> Result<Token, SyntaxError> {
        let hexadecimal = self.peek(0) == b'0' && (self.peek(1) | 32) == b'x';
        let exponent = if hexadecimal { b'p' } else { b'e' };
        loop {
            let byte = self.peek(0);
            if (byte | 32) == exponent && matches!(self.peek(1), b'+' | b'-') {
                self.at += 2;
            } else if byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'_' {
                self.at += 1;
            } else {
                break;
            }
        }
        match number::unsigned(&self.text[self.start..self.at]) {
            Some(Number::Int(value)) => Ok(Token::Int(value)),
            Some(Number::Float(value)) => Ok(Token::Float(value)),
            None => self.error("malformed number"),
        }
    }

    /// The text between long brackets, if some begin here.
    fn long_bracket(&mut self, what: &str) -> Result<Option<Vec<u8>>, SyntaxError> {
        let mut level = 0;
        while self.peek(1 + level) == b'=' {
            level += 1;
        }
        if self.peek(1 + level) != b'[' {
            return Ok(None);
        }
        let first_line = self.line;
        self.at += level + 2;
        if self.peek(0) == b'\r' {
            self.at += 1;
        }
        if self.peek(0) == b'\n' {
            self.at += 1;
            self.line += 1;
        }
        let mut text = Vec::new();
        loop {
            let Some(&byte) = self.text.get(self.at) else {
                self.start = self.at;
                return self.error(&format!(
                    "unfinished long {what} (starting at line {first_line})"
                ));
            };
            if byte == b']'
                && (0..level).all(|n| self.peek(1 + n) == b'=')
                && self.peek(1 + level) == b']'
            {
                self.at += level + 2;
                return Ok(Some(text));
            }
            if byte == b'\r' && self.peek(1) == b'\n' {
                self.at += 1;
                continue;
            }
            if byte == b'\n' {
                self.line += 1;
            }
            text.push(byte);
            self.at += 1;
        }
    }

    fn quoted(&mut self, quote: u8) -> Result<Token, SyntaxError> {
        self.at += 1;
        let mut text = Vec::new();
        loop {
            let Some(&byte) = self.text.get(self.at) else {
                self.start = self.at;
                return self.error("unfinished string");
            };
            self.at += 1;
            match byte {
                b'\n' => {
                    self.at -= 1;
                    return self.error("unfinished string");
                }
                b'\\' => self.escape(&mut text)?,
                _ if byte == quote => return Ok(Token::Text(text)),
                _ => text.push(byte),
            }
        }
    }

    fn escape(&mut self, text: &mut Vec<u8>) -> Result<(), SyntaxError> {
        let Some(&byte) = self.text.get(self.at) else {
            self.start = self.at;
            return self.error("unfinished string");
        };
        self.at += 1;
        match byte {
            b'n' => text.push(b'\n'),
            b't' => text.push(b'\t'),
            b'r' => text.push(b'\r'),
            b'a' => text.push(7),
            b'b' => text.push(8),
            b'f' => text.push(12),
            b'v' => text.push(11),
            b'\\' | b'"' | b'\'' => text.push(byte),
            b'\n' => {
                self.line += 1;
                text.push(b'\n');
            }
            b'x' => {
                let mut value = 0;
                for _ in 0..2 {
                    let Some(digit) = (self.peek(0) as char).to_digit(16) else {
                        self.at += 1;
                        return self.error("hexadecimal digit expected");
                    };
                    value = value * 16 + digit as u8;
                    self.at += 1;
                }
                text.push(value);
            }
            b'z' => {
                while matches!(self.peek(0), b' ' | b'\t'..=b'\r') && self.at < self.text.len() {
                    self.line += u32::from(self.peek(0) == b'\n');
                    self.at += 1;
                }
            }
            b'0'..=b'9' => {
                let mut value = u32::from(byte - b'0');
                for _ in 0..2 {
                    if self.peek(0).is_ascii_digit() {
                        value = value * 10 + u32::from(self.peek(0) - b'0');
                        self.at += 1;
                    }
                }
                let Ok(value) = u8::try_from(value) else {
                    self.at += 1;
                    return self.error("decimal escape too large");
                };
                text.push(value);
            }
            b'u' => self.code_point(text)?,
            _ => return self.error("invalid escape sequence"),
        }
        Ok(())
    }

    /// `\u{XXX}`: the code point in UTF-8, which goes up to 2^31 here.
    fn code_point(&mut self, text: &mut Vec<u8>) -> Result<(), SyntaxError> {
        if self.peek(0) != b'{' {
            self.at += 1;
            return self.error("missing '{'");
        }
        self.at += 1;
        let mut value: u32 = 0;
        let first = self.at;
        while let Some(digit) = (self.peek(0) as char).to_digit(16) {
            if value >= 1 << 27 {
                self.at += 1;
                return self.error("UTF-8 value too large");
            }
            value = value * 16 + digit;
            self.at += 1;
        }
        if self.at == first {
            self.at += 1;
            return self.error("hexadecimal digit expected");
        }
        if self.peek(0) != b'}' {
            self.at += 1;
            return self.error("missing '}'");
        }
        self.at += 1;
        utf8(value, text);
        Ok(())
    }
}

/// A number below 2^31 in the original form of UTF-8, which has up to six bytes.
pub fn utf8(value: u32, text: &mut impl Extend<u8>) {
    if value < 0x80 {
        text.extend([value as u8]);
        return;
    }
    let mut count = 2;
    while count < 6 && value >> (5 * count + 1) != 0 {
        count += 1;
    }
    let mark = !(0xffu32 >> count) as u8;
    text.extend([mark | (value >> (6 * (count - 1))) as u8]);
    for n in (0..count - 1).rev() {
        text.extend([0x80 | (value >> (6 * n)) as u8 & 0x3f]);
    }
}
