//! Terms, conditions and rules, as data.
//!
//! Invariant: the terms of a rule are a forest in one array, operands before the operations that
//! use them; a pattern has at most two operands per operation.

use verdigris_ops::DataOp;

/// How many terms a rule may have.
pub(crate) const MAX_TERMS: usize = 24;
/// How many variables, and how many constants, a rule may name: `x y z` and `C D E`.
pub(crate) const MAX_NAMES: usize = 3;
/// How many conditions a rule may have.
pub(crate) const MAX_CONDS: usize = 4;

/// A term of a rule.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct TermId(pub u8);

/// A node of a pattern, of a condition, or of what a rule makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Term {
    /// `x`: any value; the same value wherever it stands.
    Var(u8),
    /// `C`: any constant; the same constant wherever it stands.
    Const(u8),
    /// An integer.
    Number(i32),
    /// An integer that depends on the width of a word.
    Symbol(Symbol),
    /// A double that is also a `f32`: the bit pattern of that.
    Float(u32),
    /// An operation. One operand stands in both places. Without variables below, its value.
    Op(DataOp, [TermId; 2]),
    /// The number of zeros below the lowest one.
    Log2(TermId),
}

/// An integer that depends on the width of a word. Proofs run at a width of 8 as well, where "the
/// low 32 bits" are the low half, 4, and so on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Symbol {
    /// The least signed word.
    Min,
    /// The greatest signed word.
    Max,
    /// The number of bits.
    Width,
    /// The mask of what `int_sext8` keeps, or 16, or 32.
    Low(u8),
    /// The number of bits above that mask.
    Above(u8),
    /// Integers up to this one (2^53) are doubles.
    Exact,
}

impl Symbol {
    /// The value at a width, sign-extended.
    pub const fn at(self, width: u32) -> i64 {
        match self {
            Symbol::Min => -1 << (width - 1),
            Symbol::Max => !(-1 << (width - 1)),
            Symbol::Width => width as i64,
            Symbol::Low(bits) => !(-1 << (bits as u32 * width / 64)),
            Symbol::Above(bits) => (width - bits as u32 * width / 64) as i64,
            Symbol::Exact => 1 << 53,
        }
    }
}

/// A condition of a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cond {
    /// `a < b` and so on: a comparison that holds of the constants, or is known of the variables.
    Holds(DataOp, [TermId; 2]),
    /// `a + b fits`: the sum, difference or product of signed words is one.
    Fits(DataOp, [TermId; 2]),
    /// `C is 2^k`: one bit, which may be the sign.
    PowerOfTwo(TermId),
    /// `C has reciprocal`: a double whose reciprocal is one too, both normal.
    Reciprocal(TermId),
    /// `x differs from y`: never the same object.
    Differs([TermId; 2]),
    /// `no op`: the result of that operation on the same operands is not known. A matter of cost,
    /// not of truth.
    Unknown(DataOp),
}

/// A rule: what matches `before` is `after`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rule {
    /// Its name.
    pub name: &'static str,
    /// The line of the table.
    pub text: &'static str,
    /// All its terms.
    pub terms: [Term; MAX_TERMS],
    /// How many there are.
    pub len: u8,
    /// For each term, whether it has no variable below.
    pub constant: u32,
    /// The pattern.
    pub before: TermId,
    /// The conditions.
    pub conds: [Option<Cond>; MAX_CONDS],
    /// The replacement.
    pub after: TermId,
}

impl Rule {
    /// A term.
    pub const fn term(&self, t: TermId) -> Term {
        self.terms[t.0 as usize]
    }

    /// Whether a term's value follows from the constants.
    pub const fn is_constant(&self, t: TermId) -> bool {
        self.constant >> t.0 & 1 != 0
    }

    /// The operation and operands of the pattern.
    pub const fn root(&self) -> (DataOp, [TermId; 2]) {
        match self.term(self.before) {
            Term::Op(op, operands) => (op, operands),
            _ => panic!("a pattern is an operation"),
        }
    }

    /// The conditions.
    pub fn conds(&self) -> impl Iterator<Item = Cond> + '_ {
        self.conds.iter().flatten().copied()
    }
}
