//! Flags that stand in a pattern. In: the characters behind `(?`. Out: bits that are turned on and
//! off. Invariant: those of the whole pattern are noted in the parser.

use super::failure::Parsed;
use super::flags::{KINDS, LOCALE, UNICODE, WHOLE, of_letter};
use super::parse::Parser;
use super::reader::Token;

/// What flags in a pattern mean.
pub enum Inline {
    /// They are for the whole pattern.
    Whole,
    /// They turn bits on and off in a group.
    Group(u32, u32),
}

impl Parser<'_> {
    /// Flags, whose first letter has been read.
    pub(super) fn inline_flags(&mut self, first: u32) -> Parsed<Inline> {
        let (mut on, mut off) = (0, 0);
        let mut letter = first;
        if first != u32::from('-') {
            loop {
                let flag = of_letter(letter).unwrap_or(0);
                let cannot = match (self.is_text, flag) {
                    (true, LOCALE) => Some("'L' flag with a str pattern"),
                    (false, UNICODE) => Some("'u' flag with a bytes pattern"),
                    _ => None,
                };
                if let Some(what) = cannot {
                    let message = format!("bad inline flags: cannot use {what}");
                    return Err(self.reader.mistake(message, 0));
                }
                on |= flag;
                if flag & KINDS != 0 && on & KINDS != flag {
                    let message = "bad inline flags: flags 'a', 'u' and 'L' are incompatible";
                    return Err(self.reader.mistake(message, 0));
                }
                letter = self.flag_or(&[')', '-', ':'], "missing -, : or )")?;
                if of_letter(letter).is_none() {
                    break;
                }
            }
        }
        if letter == u32::from(')') {
            self.flags |= on;
            return Ok(Inline::Whole);
        }
        if on & WHOLE != 0 {
            let message = "bad inline flags: cannot turn on global flag";
            return Err(self.reader.mistake(message, 1));
        }
        if letter == u32::from('-') {
            letter = self.flag_or(&[], "missing flag")?;
            loop {
                let flag = of_letter(letter).unwrap_or(0);
                if flag & KINDS != 0 {
                    let message = "bad inline flags: cannot turn off flags 'a', 'u' and 'L'";
                    return Err(self.reader.mistake(message, 0));
                }
                off |= flag;
                letter = self.flag_or(&[':'], "missing :")?;
                if letter == u32::from(':') {
                    break;
                }
            }
        }
        if off & WHOLE != 0 {
            let message = "bad inline flags: cannot turn off global flag";
            return Err(self.reader.mistake(message, 1));
        }
        if on & off != 0 {
            let message = "bad inline flags: flag turned on and off";
            return Err(self.reader.mistake(message, 1));
        }
        Ok(Inline::Group(on, off))
    }

    /// The letter of a flag, or one of these characters.
    fn flag_or(&mut self, others: &[char], missing: &str) -> Parsed<u32> {
        let Some(token) = self.reader.take()? else {
            return Err(self.reader.mistake(missing, 0));
        };
        let (letter, len) = match token {
            Token::Plain(c) => (c, 1),
            Token::Escaped(_) => (u32::from('\\'), 2),
        };
        let found = char::from_u32(letter);
        let is_known = token == Token::Plain(letter)
            && (of_letter(letter).is_some() || found.is_some_and(|c| others.contains(&c)));
        if is_known {
            return Ok(letter);
        }
        let is_letter = len == 1 && found.is_some_and(char::is_alphabetic);
        let message = if is_letter { "unknown flag" } else { missing };
        Err(self.reader.mistake(message, len))
    }
}
