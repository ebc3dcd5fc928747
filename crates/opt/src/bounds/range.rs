//! Bounds under assumptions: what is known for sure, and what is known if the label's bounds hold.
//!
//! One run over a loop's body tells which assumptions were used: the others are dropped, and a jump
//! to the label need not satisfy them (see `peel`).
//!
//! Invariant: `assumed` is within `sure`; it holds whenever the assumptions in `needs` hold, `sure`
//! holds always.

use super::int_bound::IntBound;

/// How many bounds a label may assume.
pub(crate) const MAX_ASSUMPTIONS: usize = 64;

/// A set of a label's assumptions about integers, by their number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Needs(pub u64);

impl Needs {
    /// All that a label may assume.
    pub const ALL: Needs = Needs(u64::MAX);

    /// One assumption.
    pub fn one(number: usize) -> Needs {
        assert!(number < MAX_ASSUMPTIONS, "the state's bounds are limited");
        Needs(1 << number)
    }

    /// Those of both.
    pub fn and(self, other: Needs) -> Needs {
        Needs(self.0 | other.0)
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether all of them are among these.
    pub fn are_among(self, others: Needs) -> bool {
        self.0 & !others.0 == 0
    }
}

/// The bounds of an integer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Range {
    /// Holds whatever jumped to the label.
    pub sure: IntBound,
    /// Holds if the assumptions do.
    pub assumed: IntBound,
    /// The assumptions behind `assumed`.
    pub needs: Needs,
}

impl Range {
    /// Nothing.
    pub const TOP: Range = Range::sure(IntBound::TOP);

    /// Known without assumptions.
    pub const fn sure(bound: IntBound) -> Range {
        Range {
            sure: bound,
            assumed: bound,
            needs: Needs(0),
        }
    }

    /// A bound that a label assumes.
    pub fn assumption(bound: IntBound, number: usize) -> Range {
        Range {
            sure: IntBound::TOP,
            assumed: bound,
            needs: Needs::one(number),
        }
    }

    /// The operation on bounds as one on ranges.
    pub fn lift<const N: usize>(
        ranges: [Range; N],
        f: impl Fn([IntBound; N]) -> IntBound,
    ) -> Range {
        let sure = f(ranges.map(|r| r.sure));
        let needs = ranges.iter().fold(Needs(0), |all, r| all.and(r.needs));
        if needs.is_empty() {
            return Range::sure(sure);
        }
        Range::under(sure, f(ranges.map(|r| r.assumed)), needs)
    }

    /// This, and something more that is known.
    pub fn and(self, more: Range) -> Range {
        let sure = self.sure.and(more.sure);
        if self.needs.and(more.needs).is_empty() {
            return Range::sure(sure);
        }
        // Which assumptions matter depends on which of the two ranges makes the result narrower.
        let assumed = self.assumed.and(more.assumed);
        let needs = match () {
            () if assumed == self.assumed.and(more.sure) => self.needs,
            () if assumed == self.sure.and(more.assumed) => more.needs,
            () => self.needs.and(more.needs),
        };
        Range::under(sure, assumed, needs)
    }

    fn under(sure: IntBound, assumed: IntBound, needs: Needs) -> Range {
        let assumed = sure.and(assumed);
        if assumed == sure {
            return Range::sure(sure);
        }
        Range {
            sure,
            assumed,
            needs,
        }
    }
}
