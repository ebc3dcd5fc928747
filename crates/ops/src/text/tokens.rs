//! A cursor over the tokens of a text.

use super::lexer::lex_line;
use super::token::{TextError, Token};
use crate::Ty;

/// A cursor over the tokens of a text.
#[derive(Clone, Debug)]
pub struct Tokens {
    tokens: Vec<(Token, u32)>,
    next: usize,
}

impl Tokens {
    /// Splits a text. `//` starts a comment.
    ///
    /// # Errors
    /// If a string, a name in backticks or a number is malformed.
    pub fn new(text: &str) -> Result<Tokens, TextError> {
        let mut tokens = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let number = number as u32 + 1;
            let before = tokens.len();
            lex_line(line, number, &mut tokens)?;
            if tokens.len() > before {
                tokens.push((Token::Newline, number));
            }
        }
        let last = tokens.last().map_or(1, |t| t.1);
        tokens.push((Token::End, last));
        Ok(Tokens { tokens, next: 0 })
    }

    /// The next token.
    pub fn peek(&self) -> &Token {
        &self.tokens[self.next].0
    }

    /// The token behind the next one.
    pub fn peek2(&self) -> &Token {
        &self.tokens[(self.next + 1).min(self.tokens.len() - 1)].0
    }

    /// The line of the next token.
    pub fn line(&self) -> u32 {
        self.tokens[self.next].1
    }

    /// Takes the next token; the end stays where it is.
    pub fn bump(&mut self) -> Token {
        let token = self.tokens[self.next].0.clone();
        self.next = (self.next + 1).min(self.tokens.len() - 1);
        token
    }

    /// An error at the next token.
    pub fn error<T>(&self, message: impl Into<String>) -> Result<T, TextError> {
        Err(TextError {
            line: self.line(),
            message: message.into(),
        })
    }

    /// Takes this character if it is next.
    pub fn eat(&mut self, c: char) -> bool {
        let found = *self.peek() == Token::Punct(c);
        if found {
            self.bump();
        }
        found
    }

    /// Takes this word if it is next.
    pub fn eat_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Token::Word(w) if w == word);
        if found {
            self.bump();
        }
        found
    }

    /// Takes this character.
    ///
    /// # Errors
    /// If something else is next.
    pub fn expect(&mut self, c: char) -> Result<(), TextError> {
        if self.eat(c) {
            Ok(())
        } else {
            self.error(format!("expected `{c}`, found {}", self.peek()))
        }
    }

    /// Takes this word.
    ///
    /// # Errors
    /// If something else is next.
    pub fn expect_word(&mut self, word: &str) -> Result<(), TextError> {
        if self.eat_word(word) {
            Ok(())
        } else {
            self.error(format!("expected `{word}`, found {}", self.peek()))
        }
    }

    /// Takes any word.
    ///
    /// # Errors
    /// If something else is next.
    pub fn word(&mut self, what: &str) -> Result<String, TextError> {
        match self.peek().clone() {
            Token::Word(w) => {
                self.bump();
                Ok(w)
            }
            other => self.error(format!("expected {what}, found {other}")),
        }
    }

    /// Takes an integer.
    ///
    /// # Errors
    /// If something else is next.
    pub fn int(&mut self, what: &str) -> Result<i64, TextError> {
        match *self.peek() {
            Token::Int(v) => {
                self.bump();
                Ok(v)
            }
            _ => self.error(format!("expected {what}, found {}", self.peek())),
        }
    }

    /// Takes the end of the line.
    ///
    /// # Errors
    /// If there is more on the line.
    pub fn newline(&mut self) -> Result<(), TextError> {
        match self.peek() {
            Token::Newline => {
                self.bump();
                Ok(())
            }
            Token::End => Ok(()),
            other => self.error(format!("expected the end of the line, found {other}")),
        }
    }

    /// Takes `-> type` or `-> (type, ..)`, if that is next.
    ///
    /// # Errors
    /// If there is no type behind the arrow.
    pub fn result_types(&mut self) -> Result<Vec<Ty>, TextError> {
        if !self.eat('-') {
            return Ok(Vec::new());
        }
        self.expect('>')?;
        if !self.eat('(') {
            return self.ty().map(|ty| vec![ty]);
        }
        let mut list = Vec::new();
        while !self.eat(')') {
            list.push(self.ty()?);
            self.eat(',');
        }
        Ok(list)
    }

    /// Takes `in "file"`, if that is next; the empty string if not.
    ///
    /// # Errors
    /// If there is no string behind `in`.
    pub fn source_file(&mut self) -> Result<String, TextError> {
        if !self.eat_word("in") {
            return Ok(String::new());
        }
        match self.bump() {
            Token::Str(file) => Ok(file),
            other => self.error(format!("expected a file, found {other}")),
        }
    }

    /// Takes `int`, `ref`, `float` or `word`.
    ///
    /// # Errors
    /// If something else is next.
    pub fn ty(&mut self) -> Result<Ty, TextError> {
        let line = self.line();
        match self.word("a type")?.as_str() {
            "int" => Ok(Ty::Int),
            "ref" => Ok(Ty::Ref),
            "float" => Ok(Ty::Float),
            "word" => Ok(Ty::Word),
            other => Err(TextError {
                line,
                message: format!("`{other}` is not a type (int, ref, float, word)"),
            }),
        }
    }

    /// The position, for [`Tokens::rewind`].
    pub fn mark(&self) -> usize {
        self.next
    }

    /// Goes back to a position.
    pub fn rewind(&mut self, mark: usize) {
        self.next = mark;
    }
}
