//! Comparisons: which are decided by bounds, and what a known outcome says about the operands.
//!
//! Invariant: what is taught is within what was known, and loses no word for which the relation
//! holds.

use super::int_bound::IntBound;
use verdigris_ops::DataOp;

/// A relation between two integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Relation {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    UintLt,
    UintLe,
    UintGt,
    UintGe,
}

use Relation::*;

impl Relation {
    /// The relation that an operation tests.
    pub fn of_op(op: DataOp) -> Option<Relation> {
        Some(match op {
            DataOp::IntEq => Eq,
            DataOp::IntNe => Ne,
            DataOp::IntLt => Lt,
            DataOp::IntLe => Le,
            DataOp::IntGt => Gt,
            DataOp::IntGe => Ge,
            DataOp::UintLt => UintLt,
            DataOp::UintLe => UintLe,
            DataOp::UintGt => UintGt,
            DataOp::UintGe => UintGe,
            _ => return None,
        })
    }

    /// Holds exactly when this one does not.
    pub fn opposite(self) -> Relation {
        match self {
            Eq => Ne,
            Ne => Eq,
            Lt => Ge,
            Le => Gt,
            Gt => Le,
            Ge => Lt,
            UintLt => UintGe,
            UintLe => UintGt,
            UintGt => UintLe,
            UintGe => UintLt,
        }
    }

    /// The same with the sides exchanged.
    pub fn swapped(self) -> Relation {
        match self {
            Eq => Eq,
            Ne => Ne,
            Lt => Gt,
            Le => Ge,
            Gt => Lt,
            Ge => Le,
            UintLt => UintGt,
            UintLe => UintGe,
            UintGt => UintLt,
            UintGe => UintLe,
        }
    }

    /// The relation that is the same for operands that are not negative.
    pub fn signed(self) -> Relation {
        match self {
            UintLt => Lt,
            UintLe => Le,
            UintGt => Gt,
            UintGe => Ge,
            signed => signed,
        }
    }

    /// Whether it compares unsigned numbers.
    pub fn is_unsigned(self) -> bool {
        self.signed() != self
    }

    /// Whether it holds for all words of these bounds (`true`), or for none.
    pub fn decided(self, a: IntBound, b: IntBound) -> Option<bool> {
        if self.surely(a, b) {
            return Some(true);
        }
        self.opposite().surely(a, b).then_some(false)
    }

    fn surely(self, a: IntBound, b: IntBound) -> bool {
        match self {
            Eq => a.as_word().is_some() && a.as_word() == b.as_word(),
            Ne => a.meet(b).is_none(),
            Lt => a.hi < b.lo,
            Le => a.hi <= b.lo,
            UintLt => a.unsigned_ends().1 < b.unsigned_ends().0,
            UintLe => a.unsigned_ends().1 <= b.unsigned_ends().0,
            Gt | Ge | UintGt | UintGe => self.swapped().surely(b, a),
        }
    }
}

/// The bound of the left side if the relation holds.
pub(crate) fn taught(relation: Relation, a: IntBound, b: IntBound) -> IntBound {
    let below = |hi: Option<i64>| hi.map(|hi| IntBound::interval(i64::MIN, hi));
    let above = |lo: Option<i64>| lo.map(|lo| IntBound::interval(lo, i64::MAX));
    let (least, greatest) = b.unsigned_ends();
    let limit = match relation {
        Eq => Some(b),
        Ne => return b.as_word().and_then(|w| a.without(w)).unwrap_or(a),
        Lt => below(b.hi.checked_sub(1)),
        Le => below(Some(b.hi)),
        Gt => above(b.lo.checked_add(1)),
        Ge => above(Some(b.lo)),
        UintLt => greatest.checked_sub(1).map(|hi| unsigned(a, 0, hi)),
        UintLe => Some(unsigned(a, 0, greatest)),
        UintGt => least.checked_add(1).map(|lo| unsigned(a, lo, u64::MAX)),
        UintGe => Some(unsigned(a, least, u64::MAX)),
    };
    limit.map_or(a, |limit| a.and(limit))
}

/// The words of an interval of unsigned numbers that this bound can have: both ends of the signed
/// words where it has both signs, so that one interval has to admit everything between.
fn unsigned(a: IntBound, lo: u64, hi: u64) -> IntBound {
    let half = |part: IntBound| {
        let part = a.meet(part)?;
        let (lo, hi) = (lo.max(part.lo as u64), hi.min(part.hi as u64));
        (lo <= hi).then(|| IntBound::interval(lo as i64, hi as i64))
    };
    let natural = half(IntBound::NATURAL);
    let negative = half(IntBound::interval(i64::MIN, -1));
    match (natural, negative) {
        (Some(x), Some(y)) => x.join(y),
        (Some(x), None) | (None, Some(x)) => x,
        (None, None) => a,
    }
}
