//! The two sides of a rule on given words, at full width. In: a rule and a word for each of its
//! names. Out: whether the conditions hold, and what the sides give. Invariant: the meaning of
//! operations is that of `eval`.

use super::super::conditions::has_reciprocal;
use super::super::pattern::{Cond, Rule, Term, TermId};
use super::{Name, Rng};
use verdigris_ops::{DataOp, Ty, eval};

/// Words for the names of a rule.
pub(super) struct Words<'a> {
    pub rule: &'a Rule,
    pub names: &'a [Name],
    pub words: &'a [u64],
}

impl Words<'_> {
    /// The value of a term.
    pub fn value(&self, t: TermId) -> u64 {
        match self.rule.term(t) {
            Term::Number(n) => n as u64,
            Term::Symbol(symbol) => symbol.at(64) as u64,
            Term::Float(bits) => f64::from(f32::from_bits(bits)).to_bits(),
            Term::Log2(of) => u64::from(self.value(of).trailing_zeros()),
            Term::Op(op, [a, b]) => {
                eval(op, &[self.value(a), self.value(b)]).expect("a pure operation")
            }
            name => {
                let at = self.names.iter().position(|n| n.term == name);
                self.words[at.expect("a name of the rule")]
            }
        }
    }

    /// Whether the conditions hold of these words.
    pub fn conditions_hold(&self) -> bool {
        self.rule.conds().all(|cond| self.holds(cond))
    }

    /// Whether a condition holds of these words.
    pub fn holds(&self, cond: Cond) -> bool {
        match cond {
            Cond::Holds(op, [a, b]) => eval(op, &[self.value(a), self.value(b)]) == Some(1),
            Cond::Fits(op, [a, b]) => {
                let check = match op {
                    DataOp::IntAdd => DataOp::IntAddOverflows,
                    DataOp::IntSub => DataOp::IntSubOverflows,
                    DataOp::IntMul => DataOp::IntMulOverflows,
                    _ => panic!("{}: {op} fits?", self.rule.text),
                };
                eval(check, &[self.value(a), self.value(b)]) == Some(0)
            }
            Cond::PowerOfTwo(t) => self.value(t).is_power_of_two(),
            Cond::Reciprocal(t) => has_reciprocal(f64::from_bits(self.value(t))),
            Cond::Differs([a, b]) => self.value(a) != self.value(b),
            Cond::Unknown(_) => true,
        }
    }

    /// Whether the sides are equal. A signalling NaN may be made quiet by one of them.
    pub fn sides_are_equal(&self) -> bool {
        let sides = [self.value(self.rule.before), self.value(self.rule.after)];
        let signals = |word: u64| f64::from_bits(word).is_nan() && word & QUIET == 0;
        let float = |name: &Name| name.ty == Ty::Float;
        let relevant = self.names.iter().zip(self.words);
        let any_signals = relevant
            .filter(|(name, _)| float(name))
            .any(|(_, &w)| signals(w));
        if any_signals && sides.iter().all(|&side| f64::from_bits(side).is_nan()) {
            return sides[0] | QUIET == sides[1] | QUIET;
        }
        sides[0] == sides[1]
    }
}

const QUIET: u64 = 1 << 51;

/// Integers at which something changes.
pub(super) const INTS: [i64; 40] = {
    const M: i64 = i64::MAX;
    const MIN: i64 = i64::MIN;
    [
        0,
        1,
        -1,
        2,
        -2,
        3,
        -3,
        5,
        7,
        8,
        -8,
        10,
        15,
        16,
        31,
        32,
        48,
        56,
        61,
        62,
        63,
        64,
        65,
        127,
        -128,
        128,
        255,
        256,
        65535,
        -32768,
        0x7FFF_FFFF,
        0xFFFF_FFFF,
        -0x8000_0000,
        1 << 53,
        1 << 62,
        -1 << 62,
        M,
        M - 1,
        MIN,
        MIN + 1,
    ]
};

/// Doubles at which something changes, as bits. The last two are signalling NaNs.
pub(super) const FLOATS: [u64; 40] = {
    const SIGN: u64 = 1 << 63;
    const ONE: u64 = 1.0f64.to_bits();
    const LEAST: u64 = f64::MIN_POSITIVE.to_bits();
    const MAX: u64 = f64::MAX.to_bits();
    const INF: u64 = f64::INFINITY.to_bits();
    const NAN: u64 = INF | QUIET;
    [
        0,
        SIGN,
        1,
        SIGN | 1,
        2,
        LEAST - 1,
        SIGN | (LEAST - 1),
        LEAST,
        SIGN | LEAST,
        LEAST + 1,
        2 * LEAST,
        ONE,
        SIGN | ONE,
        ONE - 1,
        ONE + 1,
        SIGN | (ONE + 1),
        2.0f64.to_bits(),
        (-2.0f64).to_bits(),
        0.5f64.to_bits(),
        (-0.5f64).to_bits(),
        3.0f64.to_bits(),
        0.1f64.to_bits(),
        1024.0f64.to_bits(),
        (-1024.0f64).to_bits(),
        9007199254740992.0f64.to_bits(),
        (-9007199254740992.0f64).to_bits(),
        9223372036854775808.0f64.to_bits(),
        (-9223372036854775808.0f64).to_bits(),
        1e300f64.to_bits(),
        (-7.25f64).to_bits(),
        MAX,
        SIGN | MAX,
        MAX - 1,
        INF,
        SIGN | INF,
        NAN,
        SIGN | NAN,
        SIGN | NAN | 77,
        INF | 5,
        SIGN | INF | 5,
    ]
};

/// Words of a type: edges, then some that are near edges or random.
pub(super) fn candidate(rng: &mut Rng, ty: Ty) -> u64 {
    let random = rng.word();
    match (ty, random % 4) {
        (Ty::Float, 0..=2) => rng.pick(&FLOATS),
        (Ty::Float, _) => rng.word(),
        (_, 0) => rng.pick(&INTS) as u64,
        (_, 1) => (rng.pick(&INTS) as u64).wrapping_add(rng.word() % 5),
        (_, 2) => (rng.word() as i64 >> (random >> 8 & 63)) as u64,
        _ => rng.word(),
    }
}

/// The edges of a type.
pub(super) fn edges(ty: Ty) -> Vec<u64> {
    match ty {
        Ty::Int => INTS.iter().map(|&n| n as u64).collect(),
        Ty::Float => FLOATS.to_vec(),
        Ty::Ref => vec![0, 8, 16],
        Ty::Word => unreachable!("no rule is about words"),
    }
}
