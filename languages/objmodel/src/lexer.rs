//! Text to tokens. In: the text of a program. Out: its tokens with their places, the last one
//! [`Token::End`]; or the first character that begins no token. Invariant: a place counts lines and
//! characters from 1.

use std::fmt;

/// A place in the text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord)]
pub struct Pos {
    /// The line, from 1; 0 where there is none.
    pub line: u32,
    /// The character in the line, from 1.
    pub column: u32,
}

impl fmt::Display for Pos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// A fault in a program, and its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Where.
    pub pos: Pos,
    /// What.
    pub message: String,
}

impl Fault {
    /// A fault at a place.
    pub fn new(pos: Pos, message: impl Into<String>) -> Fault {
        let message = message.into();
        Fault { pos, message }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.pos, self.message)
    }
}

/// A token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Token {
    /// A digit sequence. As large as the negative of the smallest integer, which only a minus sign
    /// makes valid.
    Int(u64),
    /// The text between double quotes.
    Text(String),
    /// A word that is no keyword.
    Name(String),
    /// A keyword, an operator or a bracket.
    Mark(&'static str),
    /// The end of the program.
    End,
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Int(value) => write!(f, "`{value}`"),
            Token::Text(_) => f.write_str("a text"),
            Token::Name(name) => write!(f, "`{name}`"),
            Token::Mark(mark) => write!(f, "`{mark}`"),
            Token::End => f.write_str("the end of the program"),
        }
    }
}

/// Words that cannot be names.
const KEYWORDS: &[&str] = &[
    "and", "args", "break", "class", "continue", "def", "else", "if", "new", "nil", "not", "or",
    "print", "return", "self", "while",
];

/// Operators and brackets, each before those that it starts with.
const MARKS: &[&str] = &[
    "==", "!=", "<=", ">=", "<", ">", "=", "+", "-", "*", "/", "%", "(", ")", "{", "}", ",", ";",
    ".",
];

/// The tokens of a program.
///
/// # Errors
/// The first thing that is no token.
pub fn tokens(source: &str) -> Result<Vec<(Pos, Token)>, Fault> {
    let mut lexer = Lexer {
        rest: source,
        pos: Pos { line: 1, column: 1 },
    };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_blanks();
        let pos = lexer.pos;
        let token = lexer.token()?;
        let last = token == Token::End;
        tokens.push((pos, token));
        if last {
            return Ok(tokens);
        }
    }
}

struct Lexer<'a> {
    rest: &'a str,
    pos: Pos,
}

impl<'a> Lexer<'a> {
    /// Takes characters while they satisfy a condition.
    fn take_while(&mut self, condition: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !condition(c));
        self.take(end.unwrap_or(self.rest.len()))
    }

    /// Takes this many bytes.
    fn take(&mut self, len: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(len);
        for c in taken.chars() {
            if c == '\n' {
                self.pos.line = self.pos.line.saturating_add(1);
                self.pos.column = 1;
            } else {
                self.pos.column = self.pos.column.saturating_add(1);
            }
        }
        self.rest = rest;
        taken
    }

    /// White space, and comments from `#` to the end of the line.
    fn skip_blanks(&mut self) {
        loop {
            self.take_while(char::is_whitespace);
            if !self.rest.starts_with('#') {
                return;
            }
            self.take_while(|c| c != '\n');
        }
    }

    fn token(&mut self) -> Result<Token, Fault> {
        match self.rest.chars().next() {
            None => Ok(Token::End),
            Some(c) if c.is_ascii_digit() => self.number(),
            Some(c) if is_word(c) => {
                let word = self.take_while(is_word);
                let keyword = KEYWORDS.iter().find(|&&keyword| keyword == word);
                Ok(keyword.map_or_else(|| Token::Name(word.to_string()), |k| Token::Mark(k)))
            }
            Some('"') => self.text(),
            Some(c) => match MARKS.iter().find(|mark| self.rest.starts_with(**mark)) {
                Some(mark) => {
                    self.take(mark.len());
                    Ok(Token::Mark(mark))
                }
                None => Err(self.stray(c)),
            },
        }
    }

    fn stray(&self, c: char) -> Fault {
        let hint = match c {
            '!' => " (negation is `not`)",
            '&' => " (conjunction is `and`)",
            '|' => " (disjunction is `or`)",
            '\'' => " (texts stand in double quotes)",
            _ => "",
        };
        Fault::new(self.pos, format!("{c:?} begins nothing{hint}"))
    }

    fn number(&mut self) -> Result<Token, Fault> {
        let pos = self.pos;
        let word = self.take_while(is_word);
        if let Some(bad) = word.chars().find(|c| !c.is_ascii_digit()) {
            let message = format!("`{word}` is not a number: there is {bad:?} in it");
            return Err(Fault::new(pos, message));
        }
        match word.parse() {
            Ok(value) if value <= i64::MIN.unsigned_abs() => Ok(Token::Int(value)),
            _ => Err(Fault::new(pos, format!("{word} does not fit in 64 bits"))),
        }
    }

    fn text(&mut self) -> Result<Token, Fault> {
        let pos = self.pos;
        self.take(1);
        let text = self.take_while(|c| c != '"' && c != '\n').to_string();
        if !self.rest.starts_with('"') {
            let message = "the text that begins here has no closing `\"` in its line";
            return Err(Fault::new(pos, message));
        }
        self.take(1);
        Ok(Token::Text(text))
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(source: &str, expected: Expect) {
        let shown = match tokens(source) {
            Ok(tokens) => {
                let line = |(pos, token): &(Pos, Token)| format!("{pos} {token}\n");
                tokens.iter().map(line).collect()
            }
            Err(fault) => format!("{fault}\n"),
        };
        expected.assert_eq(&shown);
    }

    #[test]
    fn words_numbers_texts_and_marks() {
        check(
            "class größe{ # c\n  x1 <= 42;\"a b\"",
            expect![[r#"
                1:1 `class`
                1:7 `größe`
                1:12 `{`
                2:3 `x1`
                2:6 `<=`
                2:9 `42`
                2:11 `;`
                2:12 a text
                2:17 the end of the program
            "#]],
        );
    }

    #[test]
    fn faults() {
        check(
            "\n  ?",
            expect![[r#"
            2:3: '?' begins nothing
        "#]],
        );
        check(
            "x = !y",
            expect![[r#"
            1:5: '!' begins nothing (negation is `not`)
        "#]],
        );
        check(
            "12ab",
            expect![[r#"
            1:1: `12ab` is not a number: there is 'a' in it
        "#]],
        );
        check(
            "9223372036854775809",
            expect![[r#"
            1:1: 9223372036854775809 does not fit in 64 bits
        "#]],
        );
        check(
            "print \"abc\n",
            expect![[r#"
            1:7: the text that begins here has no closing `"` in its line
        "#]],
        );
    }
}
