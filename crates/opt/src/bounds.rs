//! What is known of an integer: an interval of signed words, and bits that are known to be 0 or 1.
//!
//! In: facts about operands. Out: facts about results ([`IntBound::of_op`]) and, from the outcome of a comparison, about
//! operands. Invariant: every operation here over-approximates: if each operand is one of the words its bound admits, so is
//! the result. The two halves tell each other what they know, so the interval of a bound that admits anything is never
//! wider than its bits allow.

use verdigris_ops::DataOp;
use verdigris_trace::Const;

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

    /// One word.
    pub fn constant(word: i64) -> IntBound {
        IntBound {
            lo: word,
            hi: word,
            zeros: !(word as u64),
            ones: word as u64,
        }
    }

    /// What is known of a constant: nothing if it is no integer.
    pub fn of_const(c: Const) -> IntBound {
        match c {
            Const::Int(word) => IntBound::constant(word),
            Const::Ref(_) | Const::Float(_) => IntBound::TOP,
        }
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

    /// The bound of a loop-carried value that was assumed to be in `self` and turned out to be in `other`: admits both, and
    /// gives up whole sides, so that repeating it ends soon.
    pub fn widen(self, other: IntBound) -> IntBound {
        if other.is_within(self) {
            return self;
        }
        IntBound {
            lo: match other.lo {
                lo if lo >= self.lo => self.lo,
                0.. => 0,
                _ => i64::MIN,
            },
            hi: match other.hi {
                hi if hi <= self.hi => self.hi,
                _ => i64::MAX,
            },
            zeros: self.zeros & other.zeros,
            ones: self.ones & other.ones,
        }
    }

    /// What an operation's result can be, given what its operands can be.
    pub fn of_op(op: DataOp, _args: &[IntBound]) -> IntBound {
        if crate::simplify::gives_boolean(op) {
            return IntBound::BOOL;
        }
        IntBound::TOP
    }
}
