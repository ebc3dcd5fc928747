//! Arithmetic with Rust's meaning, with checks as branches to panics.
//!
//! A value of a narrow integer type is always kept as the 64-bit word that it is sign- or
//! zero-extended to, so only operations that can leave the type's range are followed by an
//! extension. Arithmetic wraps, as in release.

use super::ssa::Builder;
use crate::ir::{GraphDescr, Val};
use verdigris_front::DiagCode;
use verdigris_front::tast::{BinOp, IntTy, Intrinsic, Type, UnOp};
use verdigris_ops::{DataOp, PanicKind, Ty};

/// The smallest and largest value of a type, as the words that hold them.
pub fn range(ty: IntTy) -> (i64, i64) {
    match (ty.signed(), ty.bits()) {
        (true, bits) => (i64::MIN >> (64 - bits), i64::MAX >> (64 - bits)),
        (false, bits) => (0, (u64::MAX >> (64 - bits)) as i64),
    }
}

impl Builder<'_> {
    /// Brings a word into the range of a type by dropping its upper bits.
    pub fn wrap(&mut self, ty: IntTy, value: Val) -> Val {
        match (ty.signed(), ty.bits()) {
            (_, 64) => value,
            (true, 8) => self.pure(DataOp::IntSext8, &[value]),
            (true, 16) => self.pure(DataOp::IntSext16, &[value]),
            (true, _) => self.pure(DataOp::IntSext32, &[value]),
            (false, _) => self.pure(DataOp::IntAnd, &[value, Val::int(range(ty).1)]),
        }
    }

    /// A binary operation on operands of type `ty`.
    pub fn binary(&mut self, op: BinOp, ty: &Type, a: Val, b: Val) -> Val {
        match ty {
            Type::Int(int) => self.int_binary(op, *int, a, b),
            Type::Bool | Type::Char => self.int_binary(op, IntTy::U64, a, b),
            Type::F64 => self.float_binary(op, a, b),
            _ => {
                let op = match op {
                    BinOp::Ne => DataOp::PtrNe,
                    _ => DataOp::PtrEq,
                };
                self.pure(op, &[a, b])
            }
        }
    }

    fn int_binary(&mut self, op: BinOp, ty: IntTy, a: Val, b: Val) -> Val {
        let signed = |yes, no| if ty.signed() { yes } else { no };
        match op {
            BinOp::Add => self.wrapping(DataOp::IntAdd, ty, a, b),
            BinOp::Sub => self.wrapping(DataOp::IntSub, ty, a, b),
            BinOp::Mul => self.wrapping(DataOp::IntMul, ty, a, b),
            BinOp::Shl => {
                let amount = self.shift_amount(ty, b);
                self.wrapping(DataOp::IntShl, ty, a, amount)
            }
            BinOp::Shr => {
                let amount = self.shift_amount(ty, b);
                self.pure(signed(DataOp::IntShr, DataOp::UintShr), &[a, amount])
            }
            BinOp::Div => {
                self.divisor_checks(
                    ty,
                    a,
                    b,
                    PanicKind::DivisionByZero,
                    PanicKind::DivisionOverflow,
                );
                self.pure(signed(DataOp::IntDiv, DataOp::UintDiv), &[a, b])
            }
            BinOp::Rem => {
                let (zero, overflow) = (PanicKind::RemainderByZero, PanicKind::RemainderOverflow);
                self.divisor_checks(ty, a, b, zero, overflow);
                self.pure(signed(DataOp::IntRem, DataOp::UintRem), &[a, b])
            }
            BinOp::And => self.pure(DataOp::IntAnd, &[a, b]),
            BinOp::Or => self.pure(DataOp::IntOr, &[a, b]),
            BinOp::Xor => self.pure(DataOp::IntXor, &[a, b]),
            BinOp::Eq => self.pure(DataOp::IntEq, &[a, b]),
            BinOp::Ne => self.pure(DataOp::IntNe, &[a, b]),
            BinOp::Lt => self.pure(signed(DataOp::IntLt, DataOp::UintLt), &[a, b]),
            BinOp::Le => self.pure(signed(DataOp::IntLe, DataOp::UintLe), &[a, b]),
            BinOp::Gt => self.pure(signed(DataOp::IntGt, DataOp::UintGt), &[a, b]),
            BinOp::Ge => self.pure(signed(DataOp::IntGe, DataOp::UintGe), &[a, b]),
        }
    }

    fn wrapping(&mut self, op: DataOp, ty: IntTy, a: Val, b: Val) -> Val {
        let word = self.pure(op, &[a, b]);
        self.wrap(ty, word)
    }

    /// The amount modulo the width; the operation itself takes it modulo 64.
    fn shift_amount(&mut self, ty: IntTy, amount: Val) -> Val {
        match ty.bits() {
            64 => amount,
            bits => self.pure(DataOp::IntAnd, &[amount, Val::int(i64::from(bits) - 1)]),
        }
    }

    fn divisor_checks(&mut self, ty: IntTy, a: Val, b: Val, zero: PanicKind, overflow: PanicKind) {
        self.zero_check(b, zero);
        if !ty.signed() {
            return;
        }
        let (safe, risky) = (self.block(), self.block());
        let minus_one = self.pure(DataOp::IntEq, &[b, Val::int(-1)]);
        self.branch(minus_one, risky, safe);
        self.enter_sealed(risky);
        let smallest = self.pure(DataOp::IntEq, &[a, Val::int(range(ty).0)]);
        self.check(smallest, true, overflow, Vec::new());
        self.goto(safe, Vec::new());
        self.enter_sealed(safe);
    }

    fn zero_check(&mut self, divisor: Val, kind: PanicKind) {
        let is_zero = self.pure(DataOp::IntEq, &[divisor, Val::int(0)]);
        self.check(is_zero, true, kind, Vec::new());
    }

    fn float_binary(&mut self, op: BinOp, a: Val, b: Val) -> Val {
        let op = match op {
            BinOp::Add => DataOp::FloatAdd,
            BinOp::Sub => DataOp::FloatSub,
            BinOp::Mul => DataOp::FloatMul,
            BinOp::Div => DataOp::FloatDiv,
            BinOp::Eq => DataOp::FloatEq,
            BinOp::Ne => DataOp::FloatNe,
            BinOp::Lt => DataOp::FloatLt,
            BinOp::Le => DataOp::FloatLe,
            BinOp::Gt => DataOp::FloatGt,
            BinOp::Ge => DataOp::FloatGe,
            BinOp::Rem | BinOp::And | BinOp::Or | BinOp::Xor | BinOp::Shl | BinOp::Shr => {
                let help = "move it into a function marked `#[elidable]`";
                self.complain(
                    DiagCode::UnsupportedWithHelp,
                    &["this operation on `f64`", help],
                );
                return a;
            }
        };
        self.pure(op, &[a, b])
    }

    /// A unary operation on an operand of type `ty`.
    pub fn unary(&mut self, op: UnOp, ty: &Type, a: Val) -> Val {
        match (op, ty) {
            (UnOp::Neg, Type::F64) => self.pure(DataOp::FloatNeg, &[a]),
            (UnOp::Not, Type::Bool) => self.pure(DataOp::IntIsZero, &[a]),
            (UnOp::Neg, Type::Int(int)) => {
                let word = self.pure(DataOp::IntNeg, &[a]);
                self.wrap(*int, word)
            }
            (UnOp::Not, Type::Int(int)) if !int.signed() && int.bits() < 64 => {
                self.pure(DataOp::IntXor, &[a, Val::int(range(*int).1)])
            }
            // The complement of a sign-extended word is sign-extended.
            _ => self.pure(DataOp::IntNot, &[a]),
        }
    }

    /// A method of a primitive type; `ty` is the receiver's.
    pub fn intrinsic(&mut self, method: Intrinsic, ty: &Type, args: &[Val]) -> Val {
        let int = match ty {
            Type::Int(int) => *int,
            _ => IntTy::I64,
        };
        match method {
            Intrinsic::WrappingDiv => self.wrapping_div(int, args[0], args[1]),
            Intrinsic::WrappingRem => self.wrapping_rem(int, args[0], args[1]),
            Intrinsic::Data(op) => self.pure(op, args),
            Intrinsic::HasClass(class) => {
                self.data(DataOp::HasClass, args, GraphDescr::Class(class))
            }
            Intrinsic::IntAbs => self.int_abs(int, args[0]),
            Intrinsic::InBounds => {
                let (index, len) = (args[0], args[1]);
                let inside = self.pure(DataOp::UintLt, &[index, len]);
                self.check(inside, false, PanicKind::IndexOutOfBounds, vec![index, len]);
                index
            }
            // The first component is the tag; an option of a reference is null for the first of its
            // variants.
            Intrinsic::IsSecond => match self.graph.ty(args[0]) {
                Ty::Ref => self.pure(DataOp::PtrNe, &[args[0], Val::NULL]),
                _ => args[0],
            },
            Intrinsic::IsFirst => match self.graph.ty(args[0]) {
                Ty::Ref => self.pure(DataOp::PtrEq, &[args[0], Val::NULL]),
                _ => self.pure(DataOp::IntIsZero, &[args[0]]),
            },
        }
    }

    /// `(x ^ s) - s`, where `s` is -1 for negative numbers and 0 for others.
    fn int_abs(&mut self, ty: IntTy, a: Val) -> Val {
        let sign = self.pure(DataOp::IntShr, &[a, Val::int(63)]);
        let flipped = self.pure(DataOp::IntXor, &[a, sign]);
        self.wrapping(DataOp::IntSub, ty, flipped, sign)
    }

    fn wrapping_div(&mut self, ty: IntTy, a: Val, b: Val) -> Val {
        self.zero_check(b, PanicKind::DivisionByZero);
        match (ty.signed(), ty.bits()) {
            (false, _) => self.pure(DataOp::UintDiv, &[a, b]),
            (true, 64) => self.unless_minus_one(b, DataOp::IntDiv, a, |builder| {
                builder.pure(DataOp::IntNeg, &[a])
            }),
            // The quotient of narrow operands always fits in a word.
            _ => self.wrapping(DataOp::IntDiv, ty, a, b),
        }
    }

    fn wrapping_rem(&mut self, ty: IntTy, a: Val, b: Val) -> Val {
        self.zero_check(b, PanicKind::RemainderByZero);
        match (ty.signed(), ty.bits()) {
            (false, _) => self.pure(DataOp::UintRem, &[a, b]),
            (true, 64) => self.unless_minus_one(b, DataOp::IntRem, a, |_| Val::int(0)),
            _ => self.pure(DataOp::IntRem, &[a, b]),
        }
    }

    /// `op(a, b)`, or `other` if `b` is -1.
    fn unless_minus_one(
        &mut self,
        b: Val,
        op: DataOp,
        a: Val,
        other: impl FnOnce(&mut Self) -> Val,
    ) -> Val {
        let (normal, special) = (self.block(), self.block());
        let join = self.join(op.ret().as_slice());
        let minus_one = self.pure(DataOp::IntEq, &[b, Val::int(-1)]);
        self.branch(minus_one, special, normal);
        self.enter_sealed(special);
        let value = other(self);
        self.goto_join(&join, vec![value]);
        self.enter_sealed(normal);
        let value = self.pure(op, &[a, b]);
        self.goto_join(&join, vec![value]);
        self.enter_join(&join)[0]
    }
}
