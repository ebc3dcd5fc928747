//! The two sides of a rule at a width of 8, for all words of one name at once. In: a rule and words
//! for the other names. Out: the first word on which the sides differ. Invariant: operations mean
//! what `eval` says, with 8 for 64 (and so 4 for 32, 2 for 16, 1 for 8); that `eval` and these
//! agree where the width does not show is a test.

use super::super::pattern::{Cond, MAX_TERMS, Rule, Term, TermId};
use super::Name;
use verdigris_ops::DataOp;

const WIDTH: u32 = 8;
/// A word for each word of the first name.
pub(super) type Lanes = [u8; 256];

/// The values of the terms of a rule.
pub(super) struct Narrow<'a> {
    rule: &'a Rule,
    names: &'a [Name],
    lanes: Box<[Lanes; MAX_TERMS]>,
    /// Terms that are the same for all words of the first name.
    uniform: [bool; MAX_TERMS],
    /// For how many words the conditions held.
    pub held: u64,
}

impl<'a> Narrow<'a> {
    pub fn new(rule: &'a Rule, names: &'a [Name]) -> Narrow<'a> {
        let mut this = Narrow {
            rule,
            names,
            lanes: Box::new([[0; 256]; MAX_TERMS]),
            uniform: [true; MAX_TERMS],
            held: 0,
        };
        for t in 0..rule.len as usize {
            this.uniform[t] = match rule.terms[t] {
                Term::Op(_, [a, b]) => this.is_uniform(a) && this.is_uniform(b),
                Term::Log2(a) => this.is_uniform(a),
                name => names[0].term != name,
            };
        }
        this
    }

    fn is_uniform(&self, t: TermId) -> bool {
        self.uniform[t.0 as usize]
    }

    /// The word of the first name for which the conditions hold and the sides differ.
    pub fn counterexample(&mut self, others: [u8; 2]) -> Option<u8> {
        for t in 0..self.rule.len {
            self.compute(TermId(t), others);
        }
        let mut holds = [true; 256];
        for cond in self.rule.conds() {
            if !self.restrict(cond, &mut holds) {
                return None;
            }
        }
        self.held += holds.iter().filter(|&&held| held).count() as u64;
        let [before, after] = [self.rule.before, self.rule.after].map(|t| self.lanes(t));
        (0..256)
            .find(|&i| holds[i] && before[i] != after[i])
            .map(|i| i as u8)
    }

    fn lanes(&self, t: TermId) -> &Lanes {
        &self.lanes[t.0 as usize]
    }

    fn compute(&mut self, t: TermId, others: [u8; 2]) {
        let lanes = match self.rule.term(t) {
            Term::Number(n) => [n as u8; 256],
            Term::Symbol(symbol) => [symbol.at(WIDTH) as u8; 256],
            Term::Float(_) => panic!("{}: doubles have one width", self.rule.text),
            Term::Log2(of) => self.lanes(of).map(|word| word.trailing_zeros() as u8),
            Term::Op(op, [a, b]) if self.is_uniform(t) => {
                let mut one = [0];
                eval(op, &[self.lanes(a)[0]], &[self.lanes(b)[0]], &mut one);
                [one[0]; 256]
            }
            Term::Op(op, [a, b]) => {
                let mut out = [0; 256];
                eval(op, self.lanes(a), self.lanes(b), &mut out);
                out
            }
            name => match self.names.iter().position(|n| n.term == name) {
                Some(0) => std::array::from_fn(|i| i as u8),
                Some(n) => [others[n - 1]; 256],
                None => panic!("{}: a name without a type", self.rule.text),
            },
        };
        self.lanes[t.0 as usize] = lanes;
    }

    /// Forgets the words for which a condition does not hold; whether any are left is told when it
    /// is cheap.
    fn restrict(&self, cond: Cond, holds: &mut [bool; 256]) -> bool {
        let mut each = |a: TermId, b: TermId, holds_of: &dyn Fn(u8, u8) -> bool| {
            let (x, y) = (self.lanes(a), self.lanes(b));
            if self.is_uniform(a) && self.is_uniform(b) {
                return holds_of(x[0], y[0]);
            }
            for i in 0..256 {
                holds[i] &= holds_of(x[i], y[i]);
            }
            true
        };
        match cond {
            Cond::Holds(op, [a, b]) => each(a, b, &|x, y| {
                let mut one = [0];
                eval(op, &[x], &[y], &mut one);
                one[0] != 0
            }),
            Cond::Fits(DataOp::IntAdd, [a, b]) => {
                each(a, b, &|x, y| (x as i8).checked_add(y as i8).is_some())
            }
            Cond::Fits(DataOp::IntSub, [a, b]) => {
                each(a, b, &|x, y| (x as i8).checked_sub(y as i8).is_some())
            }
            Cond::Fits(_, [a, b]) => each(a, b, &|x, y| (x as i8).checked_mul(y as i8).is_some()),
            Cond::PowerOfTwo(a) => each(a, a, &|x, _| x.is_power_of_two()),
            Cond::Differs([a, b]) => each(a, b, &|x, y| x != y),
            Cond::Unknown(_) => true,
            Cond::Reciprocal(_) => panic!("{}: doubles have one width", self.rule.text),
        }
    }
}

/// `eval` at a width of 8, for several words.
pub(super) fn eval<const N: usize>(op: DataOp, a: &[u8; N], b: &[u8; N], out: &mut [u8; N]) {
    use DataOp::*;
    macro_rules! each {
        (|$x:ident, $y:ident| $f:expr) => {
            for i in 0..N {
                let ($x, $y) = (a[i], b[i]);
                out[i] = $f as u8;
            }
        };
    }
    macro_rules! signed {
        (|$x:ident, $y:ident| $f:expr) => {
            each!(|$x, $y| {
                let ($x, $y) = ($x as i8, $y as i8);
                $f
            })
        };
    }
    match op {
        IntAdd => each!(|x, y| x.wrapping_add(y)),
        IntSub => each!(|x, y| x.wrapping_sub(y)),
        IntMul => each!(|x, y| x.wrapping_mul(y)),
        IntDiv => signed!(|x, y| if y == 0 { 0 } else { x.wrapping_div(y) }),
        IntRem => signed!(|x, y| if y == 0 { 0 } else { x.wrapping_rem(y) }),
        UintDiv => each!(|x, y| x.checked_div(y).unwrap_or(0)),
        UintRem => each!(|x, y| x.checked_rem(y).unwrap_or(0)),
        IntAnd => each!(|x, y| x & y),
        IntOr => each!(|x, y| x | y),
        IntXor => each!(|x, y| x ^ y),
        IntShl => each!(|x, y| x << (y & 7)),
        IntShr => signed!(|x, y| x >> (y & 7)),
        UintShr => each!(|x, y| x >> (y & 7)),
        IntNeg => each!(|x, _y| x.wrapping_neg()),
        IntNot => each!(|x, _y| !x),
        IntSext8 => signed!(|x, _y| x << 7 >> 7),
        IntSext16 => signed!(|x, _y| x << 6 >> 6),
        IntSext32 => signed!(|x, _y| x << 4 >> 4),
        IntEq | PtrEq => each!(|x, y| x == y),
        IntNe | PtrNe => each!(|x, y| x != y),
        IntLt => signed!(|x, y| x < y),
        IntLe => signed!(|x, y| x <= y),
        IntGt => signed!(|x, y| x > y),
        IntGe => signed!(|x, y| x >= y),
        UintLt => each!(|x, y| x < y),
        UintLe => each!(|x, y| x <= y),
        UintGt => each!(|x, y| x > y),
        UintGe => each!(|x, y| x >= y),
        IntIsZero => each!(|x, _y| x == 0),
        IntIsTrue => each!(|x, _y| x != 0),
        IntAddOverflows => signed!(|x, y| x.checked_add(y).is_none()),
        IntSubOverflows => signed!(|x, y| x.checked_sub(y).is_none()),
        IntMulOverflows => signed!(|x, y| x.checked_mul(y).is_none()),
        UintAtMost => each!(|x, y| x.min(y)),
        UintMulOverflows => each!(|x, y| x.checked_mul(y).is_none()),
        IntLeadingZeros => each!(|x, _y| x.leading_zeros()),
        IntTrailingZeros => each!(|x, _y| x.trailing_zeros()),
        IntCountOnes => each!(|x, _y| x.count_ones()),
        IntSwapBytes => each!(|x, _y| x.swap_bytes()),
        _ => panic!("{op} is not about integers"),
    }
}

/// Where a result does not depend on the width, both evaluators give it.
#[test]
fn both_evaluators_agree_on_small_words() {
    use verdigris_ops::eval as wide;
    for &op in DataOp::ALL {
        let narrow = matches!(op, DataOp::IntSext8 | DataOp::IntSext16 | DataOp::IntSext32);
        let mut types = op.params().iter().copied().chain(op.ret());
        if !op.is_pure() || types.any(|ty| ty != verdigris_ops::Ty::Int) {
            continue;
        }
        // These depend on the width for all or most words.
        let of_width = matches!(
            op,
            DataOp::IntLeadingZeros
                | DataOp::IntTrailingZeros
                | DataOp::IntCountOnes
                | DataOp::IntSwapBytes
        );
        if of_width {
            continue;
        }
        for (x, y) in (-5i8..=5).flat_map(|x| (-5i8..=5).map(move |y| (x, y))) {
            // Shift amounts are modulo the width, and a logical shift brings in zeros at the top.
            let unsigned = op == DataOp::UintShr || op == DataOp::UintDiv || op == DataOp::UintRem;
            if unsigned && (x < 0 || y < 0)
                || op == DataOp::IntShl && y < 0
                || op == DataOp::IntShr && y < 0
            {
                continue;
            }
            if narrow && !(-1..=0).contains(&x) {
                continue;
            }
            let mut out = [0];
            eval(op, &[x as u8], &[y as u8], &mut out);
            let full = wide(op, &[x as u64, y as u64]).expect("pure");
            assert_eq!(out[0], full as u8, "{op}({x}, {y})");
        }
    }
}
