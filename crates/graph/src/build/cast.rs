//! `as`, with rustc's result for every operand: casts from float to integer saturate, and NaN gives
//! 0.

use super::arith::range;
use super::ssa::Builder;
use crate::ir::{GraphConst, Val};
use verdigris_front::tast::{IntTy, Type};
use verdigris_ops::{DataOp, Ty};

const TWO_TO_63: f64 = 9_223_372_036_854_775_808.0;

fn float(value: f64) -> Val {
    Val::Const(GraphConst::Float(value.to_bits()))
}

/// Whether every value of `from` is one of `to` with the same word.
fn includes(to: IntTy, from: IntTy) -> bool {
    match (to.signed(), from.signed()) {
        (true, false) => to.bits() > from.bits() || to.bits() == 64,
        (false, true) => to.bits() == 64,
        _ => to.bits() >= from.bits(),
    }
}

impl Builder<'_> {
    /// `value as to`
    pub fn cast(&mut self, from: &Type, to: &Type, value: Val) -> Val {
        match (from, to) {
            (Type::Int(from), Type::Int(to)) if !includes(*to, *from) => self.wrap(*to, value),
            (Type::Char, Type::Int(to)) if !includes(*to, IntTy::U32) => self.wrap(*to, value),
            (Type::Int(from), Type::F64) => self.int_to_float(*from, value),
            (Type::F64, Type::Int(to)) => self.float_to_int(*to, value),
            _ => value,
        }
    }

    fn int_to_float(&mut self, from: IntTy, value: Val) -> Val {
        if from.signed() || from.bits() < 64 {
            return self.pure(DataOp::IntToFloat, &[value]);
        }
        let (small, large) = (self.block(), self.block());
        let join = self.join(&[Ty::Float]);
        let negative = self.pure(DataOp::IntLt, &[value, Val::int(0)]);
        self.branch(negative, large, small);

        self.enter_sealed(small);
        let result = self.pure(DataOp::IntToFloat, &[value]);
        self.goto_join(&join, vec![result]);

        // Halved with the lost bit kept as a sticky one, so that the conversion rounds as that of
        // the whole.
        self.enter_sealed(large);
        let shifted = self.pure(DataOp::UintShr, &[value, Val::int(1)]);
        let lowest = self.pure(DataOp::IntAnd, &[value, Val::int(1)]);
        let half = self.pure(DataOp::IntOr, &[shifted, lowest]);
        let half = self.pure(DataOp::IntToFloat, &[half]);
        let result = self.pure(DataOp::FloatAdd, &[half, half]);
        self.goto_join(&join, vec![result]);
        self.enter_join(&join)[0]
    }

    fn float_to_int(&mut self, to: IntTy, value: Val) -> Val {
        match (to.signed(), to.bits()) {
            (true, 64) => self.pure(DataOp::FloatToInt, &[value]),
            (false, 64) => self.float_to_u64(value),
            _ => {
                let word = self.pure(DataOp::FloatToInt, &[value]);
                let (lowest, highest) = range(to);
                let word = self.clamp(word, DataOp::IntLt, lowest);
                self.clamp(word, DataOp::IntGt, highest)
            }
        }
    }

    /// `bound` if `exceeds(word, bound)`, else the word.
    fn clamp(&mut self, word: Val, exceeds: DataOp, bound: i64) -> Val {
        let (inside, outside) = (self.block(), self.block());
        let join = self.join(&[Ty::Int]);
        let cond = self.pure(exceeds, &[word, Val::int(bound)]);
        self.branch(cond, outside, inside);
        self.enter_sealed(outside);
        self.goto_join(&join, vec![Val::int(bound)]);
        self.enter_sealed(inside);
        self.goto_join(&join, vec![word]);
        self.enter_join(&join)[0]
    }

    fn float_to_u64(&mut self, value: Val) -> Val {
        let (small, large) = (self.block(), self.block());
        let join = self.join(&[Ty::Int]);
        let cond = self.pure(DataOp::FloatGe, &[value, float(TWO_TO_63)]);
        self.branch(cond, large, small);

        self.enter_sealed(small);
        let word = self.pure(DataOp::FloatToInt, &[value]);
        let word = self.clamp(word, DataOp::IntLt, 0);
        self.goto_join(&join, vec![word]);

        self.enter_sealed(large);
        let (fits, too_large) = (self.block(), self.block());
        let cond = self.pure(DataOp::FloatGe, &[value, float(2.0 * TWO_TO_63)]);
        self.branch(cond, too_large, fits);
        self.enter_sealed(too_large);
        self.goto_join(&join, vec![Val::int(-1)]);
        self.enter_sealed(fits);
        let rest = self.pure(DataOp::FloatSub, &[value, float(TWO_TO_63)]);
        let word = self.pure(DataOp::FloatToInt, &[rest]);
        let word = self.pure(DataOp::IntXor, &[word, Val::int(i64::MIN)]);
        self.goto_join(&join, vec![word]);
        self.enter_join(&join)[0]
    }
}
