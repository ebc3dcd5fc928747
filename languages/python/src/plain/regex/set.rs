//! Sets of characters. In: ranges and kinds of characters. Out: whether a character is in one.
//! Invariant: the bits say all of the first 256 characters, kinds and negation included.

use super::case::{self, Fold};
use crate::plain::unicode;

/// A kind of characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Digits: `\d`
    Digit,
    /// White space: `\s`
    Space,
    /// What words are made of: `\w`
    Word,
}

/// The characters of a kind that are of ASCII.
fn of_ascii(kind: Kind) -> &'static [(u32, u32)] {
    match kind {
        Kind::Digit => &[(0x30, 0x39)],
        Kind::Space => &[(0x9, 0xd), (0x20, 0x20)],
        Kind::Word => &[(0x30, 0x39), (0x41, 0x5a), (0x5f, 0x5f), (0x61, 0x7a)],
    }
}

/// The greatest character.
pub const MAX: u32 = 0x10_ffff;

/// Whether a character of Unicode is of a kind.
pub fn is_of(kind: Kind, c: u32) -> bool {
    let Some(c) = char::from_u32(c) else {
        return false;
    };
    match kind {
        Kind::Digit => unicode::is_decimal(c),
        Kind::Space => c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c),
        Kind::Word => {
            c == '_' || unicode::is_letter(c) || unicode::is_numeric(c) || unicode::is_digit(c)
        }
    }
}

/// Whether a character of a text or of bytes is part of a word.
pub fn is_word(c: u32, is_ascii: bool) -> bool {
    match char::from_u32(c) {
        Some(known) if known.is_ascii() => known == '_' || known.is_ascii_alphanumeric(),
        _ => !is_ascii && is_of(Kind::Word, c),
    }
}

/// A set of characters.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Set {
    bits: [u64; 4],
    ranges: Vec<(u32, u32)>,
    kinds: Vec<(Kind, bool)>,
    is_negated: bool,
}

impl Set {
    /// Adds characters from the first up to the last.
    pub fn add_range(&mut self, first: u32, last: u32) {
        self.ranges.push((first, last));
    }

    /// Adds a kind of characters, or all that are not of it.
    pub fn add_kind(&mut self, kind: Kind, is_negated: bool, is_ascii: bool) {
        if !is_ascii {
            self.kinds.push((kind, is_negated));
            return;
        }
        if !is_negated {
            self.ranges.extend(of_ascii(kind));
            return;
        }
        let mut from = 0;
        for &(first, last) in of_ascii(kind) {
            self.ranges.push((from, first - 1));
            from = last + 1;
        }
        self.ranges.push((from, MAX));
    }

    /// The set when all has been added.
    #[must_use]
    pub fn finished(mut self, is_negated: bool, fold: Fold) -> Set {
        let more = case::same_as_ranges(&self.ranges, fold);
        self.ranges.extend(more.into_iter().map(|c| (c, c)));
        self.ranges.sort_unstable();
        let mut merged: Vec<(u32, u32)> = Vec::with_capacity(self.ranges.len());
        for &(first, last) in &self.ranges {
            match merged.last_mut() {
                Some(before) if first <= before.1.saturating_add(1) => {
                    before.1 = before.1.max(last);
                }
                _ => merged.push((first, last)),
            }
        }
        self.ranges = merged;
        self.is_negated = is_negated;
        for c in 0..256 {
            if self.looked_up(c) {
                self.bits[c as usize / 64] |= 1 << (c % 64);
            }
        }
        self
    }

    /// The set of one character and those that are the same.
    pub fn of_char(c: u32, fold: Fold) -> Option<Set> {
        let others = case::same_as(c, fold);
        if others.is_empty() {
            return None;
        }
        let mut set = Set::default();
        set.add_range(c, c);
        others.into_iter().for_each(|c| set.add_range(c, c));
        Some(set.finished(false, Fold::No))
    }

    fn looked_up(&self, c: u32) -> bool {
        let before = self.ranges.partition_point(|&(first, _)| first <= c);
        let is_in = before > 0 && c <= self.ranges[before - 1].1;
        let is_kind = |&(kind, is_negated): &(Kind, bool)| is_of(kind, c) != is_negated;
        (is_in || self.kinds.iter().any(is_kind)) != self.is_negated
    }

    /// Whether a character is in it.
    #[inline]
    pub fn has(&self, c: u32) -> bool {
        if c < 256 {
            return self.has_byte(c as u8);
        }
        self.looked_up(c)
    }

    /// Whether one of the first 256 characters is in it.
    #[inline]
    pub fn has_byte(&self, c: u8) -> bool {
        self.bits[usize::from(c >> 6)] >> (c & 63) & 1 != 0
    }

    /// The first 256 characters as bits.
    pub fn bits(&self) -> [u64; 4] {
        self.bits
    }

    /// Whether a character beyond ASCII may be in it.
    pub fn goes_beyond_ascii(&self) -> bool {
        self.bits[2] | self.bits[3] != 0
            || self.is_negated
            || !self.kinds.is_empty()
            || self.ranges.last().is_some_and(|&(_, last)| last > 0x7f)
    }

    /// The set for people.
    pub fn written(&self) -> String {
        let mut made = String::from(if self.is_negated { "[^" } else { "[" });
        let one = |c: u32| match char::from_u32(c) {
            Some(c) if c.is_ascii_graphic() => c.to_string(),
            _ => format!("\\x{c:02x}"),
        };
        for &(first, last) in &self.ranges {
            made += &one(first);
            if last > first {
                made += "-";
                made += &one(last);
            }
        }
        for (kind, is_negated) in &self.kinds {
            let letter = match kind {
                Kind::Digit => 'd',
                Kind::Space => 's',
                Kind::Word => 'w',
            };
            made.push('\\');
            made.push(if *is_negated {
                letter.to_ascii_uppercase()
            } else {
                letter
            });
        }
        made + "]"
    }
}
