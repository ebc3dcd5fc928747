//! What stands behind a backslash in a pattern. In: the character behind it. Out: a node, or a
//! member of a set. Invariant: a letter of ASCII that means nothing is a mistake.

use super::failure::{Failure, Parsed};
use super::flags;
use super::parse::{Member, Parser};
use super::reader::{Token, is_digit, is_hex, is_letter, is_octal, shown};
use super::set::{Kind, Set};
use super::tree::{Assert, Node};

/// The greatest number of a character in octal.
const MAX_OCTAL: u32 = 0o377;

/// The character that a letter stands for.
pub fn of_letter(c: u32) -> Option<u32> {
    Some(match shown(c) {
        'a' => 0x7,
        'b' => 0x8,
        'f' => 0xc,
        'n' => 0xa,
        'r' => 0xd,
        't' => 0x9,
        'v' => 0xb,
        '\\' => u32::from('\\'),
        _ => return None,
    })
}

fn kind_of(c: u32) -> Option<(Kind, bool)> {
    Some(match shown(c) {
        'd' => (Kind::Digit, false),
        'D' => (Kind::Digit, true),
        's' => (Kind::Space, false),
        'S' => (Kind::Space, true),
        'w' => (Kind::Word, false),
        'W' => (Kind::Word, true),
        _ => return None,
    })
}

/// A character by its number in octal.
///
/// # Errors
/// If it is too large, with what has been written.
pub fn octal(digits: &str) -> Result<u32, String> {
    match u32::from_str_radix(digits, 8) {
        Ok(number) if number <= MAX_OCTAL => Ok(number),
        _ => Err(format!(
            "octal escape value \\{digits} outside of range 0-0o377"
        )),
    }
}

impl Parser<'_> {
    /// A mistake in an escape that is written so.
    fn bad(&self, written: &str) -> Failure {
        let message = format!("bad escape {written}");
        self.reader.mistake(message, written.chars().count())
    }

    /// Characters by their numbers or names, which mean the same everywhere.
    fn numbered(&mut self, c: u32) -> Parsed<Option<u32>> {
        let digits = match shown(c) {
            'x' => 2,
            'u' if self.is_text => 4,
            'U' if self.is_text => 8,
            'N' if self.is_text => {
                if !self.reader.eat('{')? {
                    return Err(self.reader.mistake("missing {", 0));
                }
                let name = self.reader.until('}', "character name")?;
                let Some(found) = (self.named)(&name) else {
                    let message = format!("undefined character name {}", (self.quote)(&name));
                    return Err(self.reader.mistake(message, name.chars().count() + 4));
                };
                return Ok(Some(u32::from(found)));
            }
            _ => return Ok(None),
        };
        let found = self.reader.some_of(digits, is_hex)?;
        let written = format!("\\{}{found}", shown(c));
        if found.len() != digits {
            let message = format!("incomplete escape {written}");
            return Err(self.reader.mistake(message, written.len()));
        }
        match u32::from_str_radix(&found, 16) {
            Ok(number) if number <= super::set::MAX => Ok(Some(number)),
            _ => Err(self.bad(&written)),
        }
    }

    fn octal(&self, digits: &str) -> Parsed<u32> {
        octal(digits).map_err(|message| self.reader.mistake(message, digits.len() + 1))
    }

    /// An escape in a set.
    pub(super) fn set_escape(&mut self, c: u32) -> Parsed<Member> {
        if let Some((kind, is_other)) = kind_of(c) {
            return Ok(Member::Kind(kind, is_other));
        }
        if let Some(found) = of_letter(c) {
            return Ok(Member::Char(found));
        }
        if let Some(found) = self.numbered(c)? {
            return Ok(Member::Char(found));
        }
        if is_octal(c) {
            let digits = shown(c).to_string() + &self.reader.some_of(2, is_octal)?;
            return Ok(Member::Char(self.octal(&digits)?));
        }
        if is_digit(c) || is_letter(c) {
            return Err(self.bad(&Token::Escaped(c).written()));
        }
        Ok(Member::Char(c))
    }

    /// An escape outside of sets.
    pub(super) fn escape(&mut self, c: u32, flags: u32) -> Parsed<Node> {
        let is_ascii = self.is_ascii(flags);
        if let Some((kind, is_other)) = kind_of(c) {
            let mut set = Set::default();
            set.add_kind(kind, is_other, is_ascii);
            let set = set.finished(false, super::case::Fold::No);
            return Ok(Node::Set(Box::new(set)));
        }
        let boundary = |is_negative| Assert::Boundary {
            is_negative,
            is_ascii,
        };
        let place = match shown(c) {
            'A' => Some(Assert::TextStart),
            'Z' => Some(Assert::TextEnd),
            'b' => Some(boundary(false)),
            'B' => Some(boundary(true)),
            _ => None,
        };
        if let Some(assert) = place {
            return Ok(Node::Assert(assert));
        }
        if let Some(found) = of_letter(c) {
            return Ok(self.character(found, flags));
        }
        if let Some(found) = self.numbered(c)? {
            return Ok(self.character(found, flags));
        }
        if c == u32::from('0') {
            let digits = self.reader.some_of(2, is_octal)?;
            let found = u32::from_str_radix(&digits, 8).unwrap_or(0);
            return Ok(self.character(found, flags));
        }
        if is_digit(c) {
            return self.back(c, flags);
        }
        if is_letter(c) {
            return Err(self.bad(&Token::Escaped(c).written()));
        }
        Ok(self.character(c, flags))
    }

    /// A group by its number, or a character by three octal digits.
    fn back(&mut self, c: u32, flags: u32) -> Parsed<Node> {
        let mut digits = shown(c).to_string() + &self.reader.some_of(1, is_digit)?;
        let is_octal_next = self.reader.peek_plain().is_some_and(is_octal);
        if digits.len() == 2 && digits.bytes().all(|d| is_octal(d.into())) && is_octal_next {
            digits += &self.reader.some_of(1, is_octal)?;
            let found = self.octal(&digits)?;
            return Ok(self.character(found, flags));
        }
        let group: usize = digits.parse().unwrap_or(usize::MAX);
        if group >= self.widths.len() {
            let message = format!("invalid group reference {group}");
            return Err(self.reader.mistake(message, digits.len()));
        }
        self.back_to(group, digits.len() + 1, flags)
    }

    /// What a group that is there has captured; a mistake is so many characters back.
    pub(super) fn back_to(&self, group: usize, back: usize, flags: u32) -> Parsed<Node> {
        if self.widths[group].is_none() {
            let message = "cannot refer to an open group";
            return Err(self.reader.mistake(message, back));
        }
        self.check_behind(group)?;
        // A reference ignores less than other parts: it compares small letters alone.
        let fold = match flags & flags::IGNORECASE {
            0 => super::case::Fold::No,
            _ => self.fold(flags),
        };
        Ok(Node::Back { group, fold })
    }

    /// Whether what looks behind may name this group.
    pub(super) fn check_behind(&self, group: usize) -> Parsed<()> {
        let Some(groups) = self.behind else {
            return Ok(());
        };
        let message = match self.widths.get(group) {
            None | Some(None) => "cannot refer to an open group",
            Some(_) if group >= groups => {
                "cannot refer to group defined in the same lookbehind subpattern"
            }
            Some(_) => return Ok(()),
        };
        Err(self.reader.mistake(message, 0))
    }
}
