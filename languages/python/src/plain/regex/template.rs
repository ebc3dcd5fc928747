//! Templates of replacements. In: characters, the groups of a program. Out: literals and groups.
//! Invariant: groups are those of the program.

use super::escape::{octal, of_letter};
use super::failure::{Failure, Parsed};
use super::first::encoded;
use super::program::Program;
use super::reader::{Reader, Token, is_digit, is_identifier, is_letter, is_octal, shown};

/// A part of a replacement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Piece {
    /// These bytes.
    Literal(Vec<u8>),
    /// What a group has captured.
    Group(usize),
}

/// What a template is made of.
///
/// # Errors
/// What is wrong with it.
pub fn parse(
    characters: &[u32],
    program: &Program,
    quote: fn(&str) -> String,
) -> Parsed<Vec<Piece>> {
    let mut parser = Parser {
        reader: Reader::new(characters)?,
        program,
        quote,
        pieces: Vec::new(),
    };
    while let Some(token) = parser.reader.take()? {
        match token {
            Token::Plain(c) => parser.literal(c),
            Token::Escaped(c) => parser.escaped(c)?,
        }
    }
    Ok(parser.pieces)
}

struct Parser<'a> {
    reader: Reader<'a>,
    program: &'a Program,
    quote: fn(&str) -> String,
    pieces: Vec<Piece>,
}

impl Parser<'_> {
    fn literal(&mut self, c: u32) {
        let bytes = encoded(c, self.program.is_text);
        match self.pieces.last_mut() {
            Some(Piece::Literal(before)) => before.extend(bytes),
            _ => self.pieces.push(Piece::Literal(bytes)),
        }
    }

    fn group(&mut self, group: usize, back: usize) -> Parsed<()> {
        if group > self.program.groups {
            let message = format!("invalid group reference {group}");
            return Err(self.reader.mistake(message, back));
        }
        self.pieces.push(Piece::Group(group));
        Ok(())
    }

    fn octal(&mut self, digits: &str) -> Parsed<()> {
        let found =
            octal(digits).map_err(|message| self.reader.mistake(message, digits.len() + 1))?;
        self.literal(found);
        Ok(())
    }

    fn escaped(&mut self, c: u32) -> Parsed<()> {
        match shown(c) {
            'g' => self.named(),
            '0' => {
                let digits = String::from("0") + &self.reader.some_of(2, is_octal)?;
                self.octal(&digits)
            }
            '1'..='9' => {
                let mut digits = shown(c).to_string() + &self.reader.some_of(1, is_digit)?;
                let is_octal_next = self.reader.peek_plain().is_some_and(is_octal);
                if digits.len() == 2 && digits.bytes().all(|d| is_octal(d.into())) && is_octal_next
                {
                    digits += &self.reader.some_of(1, is_octal)?;
                    return self.octal(&digits);
                }
                let group = digits.parse().unwrap_or(usize::MAX);
                self.group(group, digits.len())
            }
            _ => {
                match of_letter(c) {
                    Some(found) => self.literal(found),
                    None if is_letter(c) => {
                        let message = format!("bad escape {}", Token::Escaped(c).written());
                        return Err(self.reader.mistake(message, 2));
                    }
                    None => {
                        self.literal(u32::from('\\'));
                        self.literal(c);
                    }
                }
                Ok(())
            }
        }
    }

    /// `\g<name>`
    fn named(&mut self) -> Parsed<()> {
        if !self.reader.eat('<')? {
            return Err(self.reader.mistake("missing <", 0));
        }
        let name = self.reader.until('>', "group name")?;
        let back = name.chars().count() + 1;
        if is_identifier(&name) {
            let mut names = self.program.names.iter();
            let Some((_, group)) = names.find(|(known, _)| *known == name) else {
                let message = format!("unknown group name {}", (self.quote)(&name));
                return Err(Failure::NoGroup(message));
            };
            self.pieces.push(Piece::Group(*group));
            return Ok(());
        }
        let digits = name.trim().strip_prefix('+').unwrap_or(name.trim());
        if digits.is_empty() || !digits.bytes().all(|d| d.is_ascii_digit()) {
            let message = format!("bad character in group name {}", (self.quote)(&name));
            return Err(self.reader.mistake(message, back));
        }
        match digits.parse() {
            Ok(group) => self.group(group, back),
            Err(_) => {
                let message = format!("invalid group reference {digits}");
                Err(self.reader.mistake(message, back))
            }
        }
    }
}
