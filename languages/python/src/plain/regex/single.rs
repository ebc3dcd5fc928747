//! Characters, one after the other: steps forward and back, and repeated ones in tight loops. In: a
//! program, a text, a place. Out: another place. Invariant: in a wide text, places are always where
//! a character begins; in others, each byte is a character.

use super::first::has;
use super::program::{Item, Program, Rest};
use super::tree::NO_LIMIT;
use memchr::{memchr, memchr2, memrchr};

/// The character at a place, and how many bytes it has.
#[inline]
pub fn decoded(text: &[u8], at: usize) -> Option<(u32, usize)> {
    let first = u32::from(*text.get(at)?);
    let rest = |n: usize| u32::from(text.get(at + n).copied().unwrap_or(0x80) & 0x3f);
    Some(match first {
        0..0xc0 => (first, 1),
        0xc0..0xe0 => ((first & 0x1f) << 6 | rest(1), 2),
        0xe0..0xf0 => ((first & 0xf) << 12 | rest(1) << 6 | rest(2), 3),
        _ => (
            (first & 0x7) << 18 | rest(1) << 12 | rest(2) << 6 | rest(3),
            4,
        ),
    })
}

/// Whether a byte continues a character.
#[inline]
pub fn is_inner(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}

/// A text of which places are asked for, and the program that asks.
#[derive(Clone, Copy)]
pub struct Subject<'a, const WIDE: bool> {
    /// The program.
    pub program: &'a Program,
    /// The text, up to where it counts.
    pub text: &'a [u8],
}

impl<const WIDE: bool> Subject<'_, WIDE> {
    /// The place behind the character at a place.
    #[inline]
    pub fn next(&self, at: usize) -> usize {
        if !WIDE {
            return at + 1;
        }
        let mut at = at + 1;
        while self.text.get(at).copied().is_some_and(is_inner) {
            at += 1;
        }
        at
    }

    /// The place of the character before a place that is not the first.
    #[inline]
    pub fn before(&self, at: usize) -> usize {
        let mut at = at - 1;
        if WIDE {
            while at > 0 && is_inner(self.text[at]) {
                at -= 1;
            }
        }
        at
    }

    /// The place so many characters back.
    pub fn back(&self, at: usize, count: usize) -> Option<usize> {
        if !WIDE {
            return at.checked_sub(count);
        }
        let mut at = at;
        for _ in 0..count {
            if at == 0 {
                return None;
            }
            at = self.before(at);
        }
        Some(at)
    }

    /// The character at a place.
    #[inline]
    pub fn at(&self, at: usize) -> Option<u32> {
        if WIDE {
            return decoded(self.text, at).map(|(c, _)| c);
        }
        self.text.get(at).map(|&byte| u32::from(byte))
    }

    /// The place behind a character of a set.
    #[inline]
    pub fn behind_set(&self, set: u32, at: usize) -> Option<usize> {
        let byte = *self.text.get(at)?;
        let set = &self.program.sets[set as usize];
        if !WIDE || byte < 0x80 {
            return set.has_byte(byte).then_some(at + 1);
        }
        let (c, width) = decoded(self.text, at)?;
        set.has(c).then_some(at + width)
    }

    /// The place behind bytes.
    #[inline]
    pub fn behind_literal(&self, literal: u32, at: usize) -> Option<usize> {
        let literal = self.program.literals[literal as usize].as_slice();
        let rest = self.text.get(at..)?;
        rest.starts_with(literal).then(|| at + literal.len())
    }

    /// The place behind any character but the end of a line, or any at all.
    #[inline]
    pub fn behind_any(&self, at: usize, with_newline: bool) -> Option<usize> {
        let byte = *self.text.get(at)?;
        (with_newline || byte != b'\n').then(|| self.next(at))
    }

    #[inline]
    fn behind(&self, item: Item, at: usize) -> Option<usize> {
        match item {
            Item::Byte(byte) => (self.text.get(at) == Some(&byte)).then_some(at + 1),
            Item::Literal(literal) => self.behind_literal(literal, at),
            Item::Set(set) => self.behind_set(set, at),
            Item::Any => self.behind_any(at, false),
            Item::All => self.behind_any(at, true),
        }
    }

    /// The place behind so many of them.
    #[inline]
    pub fn behind_exactly(&self, item: Item, at: usize, count: u32) -> Option<usize> {
        let mut at = at;
        for _ in 0..count {
            at = self.behind(item, at)?;
        }
        Some(at)
    }

    /// The place behind as many as there are, at most so many.
    #[inline]
    pub fn behind_most(&self, item: Item, at: usize, most: usize) -> usize {
        let len = self.text.len();
        match item {
            // A limit in bytes is one in characters.
            Item::All if !WIDE || most >= len - at => at + most.min(len - at),
            Item::Any if !WIDE || most >= len - at => {
                let rest = &self.text[at..at + most.min(len - at)];
                at + memchr(b'\n', rest).unwrap_or(rest.len())
            }
            Item::Byte(byte) => {
                let rest = &self.text[at..at + most.min(len - at)];
                let other = rest.iter().position(|&found| found != byte);
                at + other.unwrap_or(rest.len())
            }
            Item::Set(number) => {
                let set = &self.program.sets[number as usize];
                let rest = &self.text[at..at + most.min(len - at)];
                let is_other = |&byte: &u8| !set.has_byte(byte) || (WIDE && byte >= 0x80);
                let near = rest.iter().position(is_other).unwrap_or(rest.len());
                if !WIDE {
                    return at + near;
                }
                let mut left = most - near;
                let mut at = at + near;
                while left > 0
                    && let Some(behind) = self.behind_set(number, at)
                {
                    at = behind;
                    left -= 1;
                }
                at
            }
            _ => {
                let (mut at, mut left) = (at, most);
                while left > 0
                    && let Some(behind) = self.behind(item, at)
                {
                    at = behind;
                    left -= 1;
                }
                at
            }
        }
    }

    /// The last place from one down to the least at which what follows can begin.
    #[inline]
    pub fn last_before(&self, rest: Rest, least: usize, at: usize) -> Option<usize> {
        let places = |text| self.text.get(least..at + 1).unwrap_or(text);
        let all = &self.text[least..];
        let found = match rest {
            Rest::Anything => return Some(at),
            Rest::Byte(byte) => memrchr(byte, places(all)),
            Rest::Bytes(bytes) => {
                let bits = &self.program.bytes[bytes as usize];
                let is_first = |&byte: &u8| has(bits, byte) && !(WIDE && is_inner(byte));
                places(all).iter().rposition(is_first)
            }
        };
        found.map(|found| least + found)
    }

    /// The first place from one on, behind characters of a kind, at which what follows can begin;
    /// and how many more of so many may be passed then.
    #[inline]
    pub fn first_before(
        &self,
        item: Item,
        rest: Rest,
        at: usize,
        left: u32,
    ) -> Option<(usize, u32)> {
        match (item, rest) {
            (_, Rest::Anything) => return Some((at, left)),
            (Item::All, Rest::Byte(byte)) if left == NO_LIMIT => {
                let found = memchr(byte, &self.text[at..])?;
                return Some((at + found, left));
            }
            (Item::Any, Rest::Byte(byte)) if left == NO_LIMIT => {
                let found = at + memchr2(byte, b'\n', &self.text[at..])?;
                return (self.text[found] == byte).then_some((found, left));
            }
            _ => {}
        }
        let (mut at, mut left) = (at, left);
        loop {
            let &byte = self.text.get(at)?;
            let can_begin = match rest {
                Rest::Anything => true,
                Rest::Byte(wanted) => byte == wanted,
                Rest::Bytes(bytes) => has(&self.program.bytes[bytes as usize], byte),
            };
            if can_begin {
                return Some((at, left));
            }
            if left == 0 {
                return None;
            }
            at = self.behind(item, at)?;
            left -= u32::from(left != NO_LIMIT);
        }
    }
}
