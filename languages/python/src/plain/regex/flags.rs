//! The flags of patterns: their bits, and those that stand in a pattern. In: the characters behind
//! `(?`. Out: bits that are turned on and off. Invariant: the bits are those of CPython's `re`.

use super::failure::{Failure, Parsed};
use super::parse::Parser;
use super::reader::Token;

/// `T`: has no meaning.
pub const TEMPLATE: u32 = 1;
/// `I`: case does not matter.
pub const IGNORECASE: u32 = 2;
/// `L`: letters are those of the locale, which is that of C here.
pub const LOCALE: u32 = 4;
/// `M`: `^` and `$` are about lines.
pub const MULTILINE: u32 = 8;
/// `S`: `.` is any character.
pub const DOTALL: u32 = 16;
/// `U`: letters are those of Unicode.
pub const UNICODE: u32 = 32;
/// `X`: white space and comments count for nothing.
pub const VERBOSE: u32 = 64;
/// `DEBUG`: the pattern is shown.
pub const DEBUG: u32 = 128;
/// `A`: letters are those of ASCII.
pub const ASCII: u32 = 256;

const KINDS: u32 = ASCII | LOCALE | UNICODE;
const WHOLE: u32 = DEBUG | TEMPLATE;

/// The bit of a letter.
pub fn of_letter(letter: u32) -> Option<u32> {
    Some(match char::from_u32(letter)? {
        'i' => IGNORECASE,
        'L' => LOCALE,
        'm' => MULTILINE,
        's' => DOTALL,
        'x' => VERBOSE,
        'a' => ASCII,
        't' => TEMPLATE,
        'u' => UNICODE,
        _ => return None,
    })
}

/// What flags in a pattern mean.
pub enum Inline {
    /// They are for the whole pattern.
    Whole,
    /// They turn bits on and off in a group.
    Group(u32, u32),
}

/// The flags with some turned on and off.
pub fn combined(flags: u32, on: u32, off: u32) -> u32 {
    let kept = if on & KINDS == 0 {
        flags
    } else {
        flags & !KINDS
    };
    (kept | on) & !off
}

/// The flags of a whole pattern.
///
/// # Errors
/// That some do not go together.
pub fn completed(flags: u32, is_text: bool) -> Parsed<u32> {
    let refuse = |message| Err(Failure::Flags(message));
    if is_text {
        if flags & LOCALE != 0 {
            return refuse("cannot use LOCALE flag with a str pattern");
        }
        if flags & ASCII != 0 && flags & UNICODE != 0 {
            return refuse("ASCII and UNICODE flags are incompatible");
        }
        return Ok(if flags & ASCII == 0 {
            flags | UNICODE
        } else {
            flags
        });
    }
    if flags & UNICODE != 0 {
        return refuse("cannot use UNICODE flag with a bytes pattern");
    }
    if flags & ASCII != 0 && flags & LOCALE != 0 {
        return refuse("ASCII and LOCALE flags are incompatible");
    }
    Ok(flags)
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
