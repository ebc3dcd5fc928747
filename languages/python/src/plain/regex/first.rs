//! With which bytes a match of a part of a pattern can begin. In: a node. Out: a set of bytes, and
//! whether the part may match nothing. Invariant: the set may be too large, never too small.

use super::set::Set;
use super::tree::{NO_LIMIT, Node};

/// The bytes with which characters beyond ASCII begin.
const LEADS: std::ops::RangeInclusive<u8> = 0xc2..=0xf4;

/// The bytes with which something can begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct First {
    /// The bytes, as bits.
    pub bits: [u64; 4],
    /// Whether it may match without a byte.
    pub is_open: bool,
}

impl First {
    /// What begins with nothing yet.
    pub const NOTHING: First = First {
        bits: [0; 4],
        is_open: true,
    };

    /// What never matches.
    const NEVER: First = First {
        bits: [0; 4],
        is_open: false,
    };

    /// What may begin with anything, or nothing.
    pub const ANYTHING: First = First {
        bits: [u64::MAX; 4],
        is_open: true,
    };

    fn add(&mut self, byte: u8) {
        self.bits[usize::from(byte >> 6)] |= 1 << (byte & 63);
    }

    /// What begins as one or the other does.
    #[must_use]
    pub fn or(self, other: First) -> First {
        let mut bits = self.bits;
        bits.iter_mut().zip(other.bits).for_each(|(a, b)| *a |= b);
        First {
            bits,
            is_open: self.is_open || other.is_open,
        }
    }

    /// One with another behind it.
    #[must_use]
    pub fn then(self, other: First) -> First {
        if !self.is_open {
            return self;
        }
        First {
            is_open: other.is_open,
            ..self.or(other)
        }
    }

    /// Whether the next byte tells one from the other.
    pub fn excludes(self, other: First) -> bool {
        let mut pairs = self.bits.iter().zip(other.bits);
        !self.is_open && !other.is_open && pairs.all(|(&a, b)| a & b == 0)
    }

    /// The bytes.
    pub fn bytes(self) -> impl Iterator<Item = u8> {
        (0..=255).filter(move |&byte| has(&self.bits, byte))
    }
}

/// Whether a byte is in a set.
#[inline]
pub fn has(bits: &[u64; 4], byte: u8) -> bool {
    bits[usize::from(byte >> 6)] >> (byte & 63) & 1 != 0
}

/// A character as it lies in a text or in bytes; nothing of one that cannot be there.
pub fn encoded(c: u32, is_text: bool) -> Vec<u8> {
    match (is_text, char::from_u32(c)) {
        (true, Some(c)) => c.encode_utf8(&mut [0; 4]).as_bytes().to_vec(),
        (true, None) => Vec::new(),
        (false, _) => u8::try_from(c).into_iter().collect(),
    }
}

/// With what a set can begin.
fn of_set(set: &Set, is_text: bool) -> First {
    let mut first = First::NEVER;
    if !is_text {
        first.bits = set.bits();
        return first;
    }
    first.bits[..2].copy_from_slice(&set.bits()[..2]);
    if set.goes_beyond_ascii() {
        LEADS.for_each(|byte| first.add(byte));
    }
    first
}

/// With what a part can begin.
pub fn of(node: &Node, is_text: bool) -> First {
    match node {
        Node::Char(c) => {
            let mut first = First::NEVER;
            if let Some(&byte) = encoded(*c, is_text).first() {
                first.add(byte);
            }
            first
        }
        Node::Set(set) => of_set(set, is_text),
        Node::Any { .. } => First {
            is_open: false,
            ..First::ANYTHING
        },
        Node::Assert(_) | Node::Look { .. } => First::NOTHING,
        Node::Never => First::NEVER,
        Node::Back { .. } => First::ANYTHING,
        Node::Seq(parts) => {
            let mut first = First::NOTHING;
            for part in parts {
                if !first.is_open {
                    break;
                }
                first = first.then(of(part, is_text));
            }
            first
        }
        Node::Alt(parts) => {
            let all = parts.iter().map(|part| of(part, is_text));
            all.fold(First::NEVER, First::or)
        }
        Node::Group { body, .. } | Node::Plain(body) | Node::Atomic(body) => of(body, is_text),
        Node::Repeat {
            body, least, most, ..
        } => match (least, most) {
            (_, 0) => First::NOTHING,
            (0, 1..=NO_LIMIT) => of(body, is_text).or(First::NOTHING),
            _ => of(body, is_text),
        },
        Node::Cond { yes, no, .. } => {
            let no = no.as_ref().map_or(First::NOTHING, |no| of(no, is_text));
            of(yes, is_text).or(no)
        }
    }
}
