//! A set of 64-bit words, by interval and by known bits.
//!
//! Invariant: a bound admits at least one word; `lo` and `hi` are words that it admits, and every
//! bit on which all words between them agree is known, so that equal sets are equal bounds.

use verdigris_ops::SlotLayout;
use verdigris_trace::Const;

const SIGN: u64 = 1 << 63;

/// A set of 64-bit words, by interval and by bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct IntBound {
    /// The least word, as a signed number.
    pub lo: i64,
    /// The greatest word.
    pub hi: i64,
    /// Bits that are 0 in every word.
    pub zeros: u64,
    /// Bits that are 1 in every word.
    pub ones: u64,
}

impl IntBound {
    /// Every word.
    pub const TOP: IntBound = IntBound {
        lo: i64::MIN,
        hi: i64::MAX,
        zeros: 0,
        ones: 0,
    };

    /// 0 and 1.
    pub const BOOL: IntBound = IntBound {
        lo: 0,
        hi: 1,
        zeros: !1,
        ones: 0,
    };

    /// The integers that are not negative.
    pub const NATURAL: IntBound = IntBound {
        lo: 0,
        hi: i64::MAX,
        zeros: SIGN,
        ones: 0,
    };

    /// One word.
    pub fn constant(word: i64) -> IntBound {
        IntBound {
            lo: word,
            hi: word,
            zeros: !(word as u64),
            ones: word as u64,
        }
    }

    /// The bound of a constant: every word if it is no integer.
    pub fn of_const(c: Const) -> IntBound {
        match c {
            Const::Int(word) => IntBound::constant(word),
            Const::Ref(_) | Const::Float(_) => IntBound::TOP,
        }
    }

    /// The bound of a load with this layout.
    pub fn of_layout(layout: SlotLayout) -> IntBound {
        match u32::from(layout.size) * 8 {
            bits @ 1..64 if layout.signed => {
                IntBound::interval(-1 << (bits - 1), (1 << (bits - 1)) - 1)
            }
            bits @ 1..64 => IntBound::interval(0, (1 << bits) - 1),
            _ => IntBound::TOP,
        }
    }

    /// The words from `lo` to `hi` that have these bits; `None` if there is none. The interval cuts
    /// off what the bits exclude, and then tells the bits its common prefix; that loses no end, so
    /// one round is enough.
    pub fn new(lo: i64, hi: i64, zeros: u64, ones: u64) -> Option<IntBound> {
        if zeros & ones != 0 {
            return None;
        }
        let lo = least_from(lo, zeros, ones)?;
        // The greatest word up to `hi` is the complement of the least complement from `!hi`.
        let hi = !least_from(!hi, ones, zeros)?;
        if lo > hi {
            return None;
        }
        let prefix = match (lo ^ hi).leading_zeros() {
            64 => u64::MAX,
            same => !(u64::MAX >> same),
        };
        Some(IntBound {
            lo,
            hi,
            zeros: zeros | !lo as u64 & prefix,
            ones: ones | lo as u64 & prefix,
        })
    }

    /// The words of a non-empty interval.
    pub fn interval(lo: i64, hi: i64) -> IntBound {
        IntBound::new(lo, hi, 0, 0).expect("the interval is not empty")
    }

    /// The words with these bits, which do not contradict each other.
    pub fn bits(zeros: u64, ones: u64) -> IntBound {
        IntBound::new(i64::MIN, i64::MAX, zeros, ones).expect("a bit is 0 or 1")
    }

    /// The words that numbers of this interval wrap to, as one interval if they do not straddle the
    /// end of the signed words.
    pub fn wrapped(lo: i128, hi: i128) -> IntBound {
        let window = |n: i128| (n - i128::from(i64::MIN)) >> 64;
        if window(lo) != window(hi) {
            return IntBound::TOP;
        }
        IntBound::interval(lo as i64, hi as i64)
    }

    /// The words of an interval of unsigned numbers.
    pub fn unsigned(lo: u64, hi: u64) -> IntBound {
        IntBound::wrapped(i128::from(lo), i128::from(hi))
    }

    /// The least and the greatest word as unsigned numbers.
    pub fn unsigned_ends(self) -> (u64, u64) {
        if self.sign_is_known() {
            return (self.lo as u64, self.hi as u64);
        }
        (self.ones, !self.zeros)
    }

    /// Whether all words have the same sign.
    pub fn sign_is_known(self) -> bool {
        (self.lo < 0) == (self.hi < 0)
    }

    /// Bits that are known.
    pub fn known(self) -> u64 {
        self.zeros | self.ones
    }

    /// The only word, if there is one.
    pub fn as_word(self) -> Option<i64> {
        (self.lo == self.hi).then_some(self.lo)
    }

    /// Whether this word is one of them.
    pub fn contains(self, word: i64) -> bool {
        let bits = word as u64;
        self.lo <= word && word <= self.hi && bits & self.zeros == 0 && !bits & self.ones == 0
    }

    /// Whether every word of this bound is one of the other's.
    pub fn is_within(self, other: IntBound) -> bool {
        self.lo >= other.lo
            && self.hi <= other.hi
            && other.zeros & !self.zeros == 0
            && other.ones & !self.ones == 0
    }

    /// Known to be 0 or 1.
    pub fn is_boolean(self) -> bool {
        self.is_within(IntBound::BOOL)
    }

    /// The words of both; `None` if there is none.
    pub fn meet(self, other: IntBound) -> Option<IntBound> {
        IntBound::new(
            self.lo.max(other.lo),
            self.hi.min(other.hi),
            self.zeros | other.zeros,
            self.ones | other.ones,
        )
    }

    /// The words of both, of two bounds that are known to hold for one word.
    pub fn and(self, other: IntBound) -> IntBound {
        // Code behind a contradiction never runs: any bound is right there.
        self.meet(other).unwrap_or(self)
    }

    /// The words of either, and what cannot be told from them.
    pub fn join(self, other: IntBound) -> IntBound {
        IntBound::new(
            self.lo.min(other.lo),
            self.hi.max(other.hi),
            self.zeros & other.zeros,
            self.ones & other.ones,
        )
        .expect("a union is not empty")
    }

    /// All words but this one, if that can be said.
    pub fn without(self, word: i64) -> Option<IntBound> {
        let (lo, hi) = match word {
            _ if self.lo == self.hi && self.lo == word => return None,
            _ if word == self.lo => (self.lo + 1, self.hi),
            _ if word == self.hi => (self.lo, self.hi - 1),
            _ => return Some(self),
        };
        IntBound::new(lo, hi, self.zeros, self.ones)
    }

    /// The bound of a loop-carried value that was assumed to be in `self` and turned out to be in
    /// `other`: admits both, and gives up what is not stable, so that repeating it ends soon. A
    /// side stays where a mask or a narrow type put it; from the bits, only the low ones (multiples
    /// of a power of two) survive a change.
    pub fn widen(self, other: IntBound) -> IntBound {
        if other.is_within(self) {
            return self;
        }
        let lo = match other.lo {
            lo if lo >= self.lo => self.lo,
            0.. => 0,
            lo if is_landmark(!lo) => lo,
            _ => i64::MIN,
        };
        let hi = match other.hi {
            hi if hi <= self.hi => self.hi,
            ..0 => -1,
            hi if is_landmark(hi) => hi,
            _ => i64::MAX,
        };
        let (zeros, ones) = (self.zeros & other.zeros, self.ones & other.ones);
        let lost = self.known() & !(zeros | ones);
        let low = (lost & lost.wrapping_neg()).wrapping_sub(1);
        IntBound::new(lo, hi, zeros & low, ones & low).expect("admits what both admit")
    }
}

/// 2^k - 1 for some k > 2: the greatest number of a narrow type or mask.
fn is_landmark(n: i64) -> bool {
    n >= 7 && n & n.wrapping_add(1) == 0
}

/// The least word from `from` up, as signed numbers, that has these bits.
pub(super) fn least_from(from: i64, zeros: u64, ones: u64) -> Option<i64> {
    // With the sign bit flipped, signed words are ordered as unsigned ones.
    let (x, zeros, ones) = (
        from as u64 ^ SIGN,
        zeros & !SIGN | ones & SIGN,
        ones & !SIGN | zeros & SIGN,
    );
    let wrong = x & zeros | !x & ones;
    if wrong == 0 {
        return Some(from);
    }
    let top = SIGN >> wrong.leading_zeros();
    // Where a 1 is missing, setting it makes the word greater. Where a 1 is too much, the number
    // has to be raised at the next bit above that is 0 and free; what lies below the raised bit is
    // as small as it can be.
    let raised = if x & top == 0 {
        top
    } else {
        let free = !x & !zeros & !(top | (top - 1));
        free & free.wrapping_neg()
    };
    if raised == 0 {
        return None;
    }
    let below = raised - 1;
    Some(((x & !below | raised | ones & below) ^ SIGN) as i64)
}
