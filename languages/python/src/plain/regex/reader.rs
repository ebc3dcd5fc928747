//! Reading a pattern or a template. In: characters. Out: tokens, which are characters and escaped
//! characters, and mistakes with their places. Invariant: a backslash at the end is noticed when
//! the token before it has been read.

use super::failure::{Failure, Parsed, syntax};

/// What a pattern is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Token {
    /// A character.
    Plain(u32),
    /// A character behind a backslash.
    Escaped(u32),
}

impl Token {
    /// Whether it is this character.
    pub fn is(self, c: char) -> bool {
        self == Token::Plain(u32::from(c))
    }

    /// The token as it is written.
    pub fn written(self) -> String {
        match self {
            Token::Plain(c) => shown(c).to_string(),
            Token::Escaped(c) => format!("\\{}", shown(c)),
        }
    }

    /// How many characters it has.
    pub fn width(self) -> usize {
        match self {
            Token::Plain(_) => 1,
            Token::Escaped(_) => 2,
        }
    }
}

/// A character for messages and names.
pub fn shown(c: u32) -> char {
    char::from_u32(c).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// Whether a character is a decimal digit of ASCII.
pub fn is_digit(c: u32) -> bool {
    (u32::from('0')..=u32::from('9')).contains(&c)
}

/// Whether a character is an octal digit.
pub fn is_octal(c: u32) -> bool {
    (u32::from('0')..=u32::from('7')).contains(&c)
}

/// Whether a character is a hexadecimal digit.
pub fn is_hex(c: u32) -> bool {
    char::from_u32(c).is_some_and(|c| c.is_ascii_hexdigit())
}

/// Whether a character is a letter of ASCII.
pub fn is_letter(c: u32) -> bool {
    char::from_u32(c).is_some_and(|c| c.is_ascii_alphabetic())
}

/// Whether a name can be that of a group.
pub fn is_identifier(name: &str) -> bool {
    let is_first = |c: char| c == '_' || c.is_alphabetic();
    let mut characters = name.chars();
    characters.next().is_some_and(is_first)
        && characters.all(|c| is_first(c) || c.is_alphanumeric())
}

/// A reader of characters.
pub struct Reader<'a> {
    characters: &'a [u32],
    at: usize,
}

impl<'a> Reader<'a> {
    /// A reader from the beginning.
    ///
    /// # Errors
    /// If a backslash alone is all there is.
    pub fn new(characters: &'a [u32]) -> Parsed<Reader<'a>> {
        let mut reader = Reader { characters, at: 0 };
        reader.advance(0)?;
        Ok(reader)
    }

    /// The next token.
    pub fn peek(&self) -> Option<Token> {
        let &c = self.characters.get(self.at)?;
        Some(match self.characters.get(self.at + 1) {
            Some(&next) if c == u32::from('\\') => Token::Escaped(next),
            _ => Token::Plain(c),
        })
    }

    /// The next token if it is a plain character.
    pub fn peek_plain(&self) -> Option<u32> {
        match self.peek() {
            Some(Token::Plain(c)) => Some(c),
            _ => None,
        }
    }

    /// Reads the next token.
    ///
    /// # Errors
    /// If a backslash alone follows it.
    pub fn take(&mut self) -> Parsed<Option<Token>> {
        let Some(token) = self.peek() else {
            return Ok(None);
        };
        self.advance(token.width())?;
        Ok(Some(token))
    }

    /// Reads this character if it is next.
    ///
    /// # Errors
    /// As [`Reader::take`].
    pub fn eat(&mut self, c: char) -> Parsed<bool> {
        let is_next = self.peek().is_some_and(|token| token.is(c));
        if is_next {
            self.advance(1)?;
        }
        Ok(is_next)
    }

    fn advance(&mut self, by: usize) -> Parsed<()> {
        self.at += by;
        let last = self.characters.len().checked_sub(1);
        if last == Some(self.at) && self.characters[self.at] == u32::from('\\') {
            return Err(syntax("bad escape (end of pattern)", self.at));
        }
        Ok(())
    }

    /// Where the next token is.
    pub fn place(&self) -> usize {
        self.at
    }

    /// Goes back to a place where it has been.
    pub fn go_back(&mut self, place: usize) {
        self.at = place;
    }

    /// A mistake so many characters before the next token.
    pub fn mistake(&self, message: impl Into<String>, back: usize) -> Failure {
        syntax(message, self.at - back)
    }

    /// At most so many characters of a kind.
    ///
    /// # Errors
    /// As [`Reader::take`].
    pub fn some_of(&mut self, most: usize, is_wanted: fn(u32) -> bool) -> Parsed<String> {
        let mut found = String::new();
        while found.len() < most {
            match self.peek_plain() {
                Some(c) if is_wanted(c) => found.push(shown(c)),
                _ => break,
            }
            self.advance(1)?;
        }
        Ok(found)
    }

    /// What stands before a character, which is read too: a name of this kind.
    ///
    /// # Errors
    /// If there is no such character, or nothing before it.
    pub fn until(&mut self, end: char, kind: &str) -> Parsed<String> {
        let mut found = String::new();
        let start = self.at;
        loop {
            let Some(token) = self.take()? else {
                if found.is_empty() {
                    return Err(self.mistake(format!("missing {kind}"), 0));
                }
                let message = format!("missing {end}, unterminated name");
                return Err(syntax(message, start));
            };
            if token.is(end) {
                if found.is_empty() {
                    return Err(self.mistake(format!("missing {kind}"), 1));
                }
                return Ok(found);
            }
            found += &token.written();
        }
    }
}
