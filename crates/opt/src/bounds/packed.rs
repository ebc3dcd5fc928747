//! Bounds at rest. In: a bound. Out: as few bytes as it takes, mostly one. Invariant: what is unpacked is what was packed.

use super::IntBound;
use serde::{Deserialize, Serialize};

/// A bound, by what is special about it.
#[derive(Serialize, Deserialize)]
pub(crate) enum Packed {
    /// Nothing is known.
    Top,
    /// It is not negative.
    Natural,
    /// 0 or 1.
    Boolean,
    /// One word.
    Word(i64),
    /// The words between two.
    Interval(i64, i64),
    /// The least, the greatest, the bits that are 0, and those that are 1.
    Any(i64, i64, u64, u64),
}

impl From<IntBound> for Packed {
    fn from(bound: IntBound) -> Packed {
        let IntBound {
            lo,
            hi,
            zeros,
            ones,
        } = bound;
        match bound {
            IntBound::TOP => Packed::Top,
            IntBound::NATURAL => Packed::Natural,
            IntBound::BOOL => Packed::Boolean,
            _ if lo == hi => Packed::Word(lo),
            _ if bound == IntBound::interval(lo, hi) => Packed::Interval(lo, hi),
            _ => Packed::Any(lo, hi, zeros, ones),
        }
    }
}

impl From<Packed> for IntBound {
    fn from(packed: Packed) -> IntBound {
        match packed {
            Packed::Top => IntBound::TOP,
            Packed::Natural => IntBound::NATURAL,
            Packed::Boolean => IntBound::BOOL,
            Packed::Word(word) => IntBound::constant(word),
            Packed::Interval(lo, hi) => IntBound::interval(lo, hi),
            Packed::Any(lo, hi, zeros, ones) => IntBound {
                lo,
                hi,
                zeros,
                ones,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{IntBound, Packed};

    #[test]
    fn bounds_are_unpacked_as_they_were() {
        let odd = IntBound {
            lo: 3,
            hi: 9,
            zeros: !0xf,
            ones: 1,
        };
        let some = [-1, 0, 1, 2, 255, i64::MAX];
        let intervals = some.iter().flat_map(|&lo| some.map(|hi| (lo, hi)));
        let intervals = intervals.filter(|(lo, hi)| lo <= hi);
        let intervals = intervals.map(|(lo, hi)| IntBound::interval(lo, hi));
        for bound in intervals.chain([odd, IntBound::TOP, IntBound::NATURAL, IntBound::BOOL]) {
            assert_eq!(IntBound::from(Packed::from(bound)), bound);
        }
    }
}
