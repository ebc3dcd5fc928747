//! Decides the conditions of rules: on constants by their words, on variables by their bounds.
//!
//! Invariant: what is known holds for every word that the bounds admit.

use super::pattern::{Cond, Rule, Term, TermId};
use crate::bounds::IntBound;
use verdigris_ops::{DataOp, eval};

/// The words of a rule's constants.
pub(super) trait Names {
    /// The word of `C`, `D` or `E`.
    fn word(&self, constant: u8) -> u64;
}

/// The value of a term without variables.
pub(super) fn value(rule: &Rule, names: &impl Names, t: TermId) -> u64 {
    match rule.term(t) {
        Term::Var(_) => unreachable!("a constant term has no variables"),
        Term::Const(c) => names.word(c),
        Term::Number(n) => n as u64,
        Term::Symbol(symbol) => symbol.at(64) as u64,
        Term::Float(bits) => f64::from(f32::from_bits(bits)).to_bits(),
        Term::Log2(of) => u64::from(value(rule, names, of).trailing_zeros()),
        Term::Op(op, [a, b]) => {
            let args = [value(rule, names, a), value(rule, names, b)];
            eval(op, &args).expect("rules are about pure operations")
        }
    }
}

/// Whether a condition is known to hold of integers in these bounds.
pub(super) fn holds(rule: &Rule, names: &impl Names, cond: Cond, bounds: &[IntBound]) -> bool {
    let bound = |t| bound_of(rule, names, t, bounds);
    match cond {
        Cond::Holds(op, [a, b]) if rule.is_constant(a) && rule.is_constant(b) => {
            let args = [value(rule, names, a), value(rule, names, b)];
            eval(op, &args) == Some(1)
        }
        Cond::Holds(op, [a, b]) => compares(op, bound(a), bound(b)),
        Cond::Fits(op, [a, b]) => fits(op, bound(a), bound(b)),
        Cond::PowerOfTwo(t) => value(rule, names, t).is_power_of_two(),
        Cond::Reciprocal(t) => has_reciprocal(f64::from_bits(value(rule, names, t))),
        Cond::Differs(_) | Cond::Unknown(_) => unreachable!("not about words"),
    }
}

/// A power of two, or minus one, whose reciprocal is a normal number: then quotient and product are
/// the same real number, rounded once.
pub(super) fn has_reciprocal(x: f64) -> bool {
    const FRACTION: u64 = (1 << 52) - 1;
    x.is_normal() && x.to_bits() & FRACTION == 0 && (1.0 / x).is_normal()
}

/// The variables of a term, as bits.
pub(super) const fn variables(rule: &Rule, t: TermId) -> u8 {
    match rule.term(t) {
        Term::Var(v) => 1 << v,
        Term::Op(_, [a, b]) if !rule.is_constant(t) => variables(rule, a) | variables(rule, b),
        _ => 0,
    }
}

/// The bound of a side of a condition: a constant, a variable, or bits of those.
fn bound_of(rule: &Rule, names: &impl Names, t: TermId, bounds: &[IntBound]) -> IntBound {
    if rule.is_constant(t) {
        return IntBound::constant(value(rule, names, t) as i64);
    }
    let bound = |t| bound_of(rule, names, t, bounds);
    match rule.term(t) {
        Term::Var(v) => bounds[v as usize],
        Term::Op(DataOp::IntNot, [a, _]) => {
            let a = bound(a);
            of_bits(a.ones, a.zeros)
        }
        Term::Op(DataOp::IntAnd, [a, b]) => {
            let (a, b) = (bound(a), bound(b));
            of_bits(a.zeros | b.zeros, a.ones & b.ones)
        }
        other => unreachable!("no condition on {other:?} in: {}", rule.text),
    }
}

fn of_bits(zeros: u64, ones: u64) -> IntBound {
    const SIGN: u64 = 1 << 63;
    IntBound {
        lo: (ones | SIGN & !zeros) as i64,
        hi: (!zeros & !(SIGN & !ones)) as i64,
        zeros,
        ones,
    }
}

/// The least and the greatest unsigned word.
fn unsigned(b: IntBound) -> (u64, u64) {
    if (b.lo < 0) == (b.hi < 0) {
        return (b.lo as u64, b.hi as u64);
    }
    (b.ones, !b.zeros)
}

fn compares(op: DataOp, a: IntBound, b: IntBound) -> bool {
    let (least, greatest) = (unsigned(a), unsigned(b));
    match op {
        DataOp::IntEq => a.lo == a.hi && b.lo == b.hi && a.lo == b.lo,
        DataOp::IntNe => {
            a.hi < b.lo || b.hi < a.lo || a.ones & b.zeros != 0 || a.zeros & b.ones != 0
        }
        DataOp::IntLt => a.hi < b.lo,
        DataOp::IntLe => a.hi <= b.lo,
        DataOp::IntGt => a.lo > b.hi,
        DataOp::IntGe => a.lo >= b.hi,
        DataOp::UintLt => least.1 < greatest.0,
        DataOp::UintLe => least.1 <= greatest.0,
        DataOp::UintGt => least.0 > greatest.1,
        DataOp::UintGe => least.0 >= greatest.1,
        _ => unreachable!("{op} is no condition"),
    }
}

fn fits(op: DataOp, a: IntBound, b: IntBound) -> bool {
    let number = |op: DataOp, x: i64, y: i64| {
        let (x, y) = (i128::from(x), i128::from(y));
        match op {
            DataOp::IntAdd => x + y,
            DataOp::IntSub => x - y,
            DataOp::IntMul => x * y,
            _ => unreachable!("{op} is not asked whether it fits"),
        }
    };
    // Each is monotone, up or down, in each operand: its extremes are at corners.
    [(a.lo, b.lo), (a.lo, b.hi), (a.hi, b.lo), (a.hi, b.hi)]
        .into_iter()
        .all(|(x, y)| i64::try_from(number(op, x, y)).is_ok())
}
