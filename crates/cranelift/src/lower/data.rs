//! Pure data operations, with the meaning of [`verdigris_ops::eval`] wherever the operation's
//! precondition holds.

use crate::compiler::{WORD, trusted_cast};
use crate::lower::state::{Lower, Slot};
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, Type, Value, types};
use verdigris_ops::DataOp;
use verdigris_trace::{Arg, Const, OptimisedOp};

impl Lower<'_, '_> {
    /// Lowers a data operation. Returns its value.
    pub(crate) fn data(&mut self, data: DataOp, op: OptimisedOp<'_>) -> Option<Slot> {
        if !data.is_pure() {
            return self.memory(data, op).map(Slot::word);
        }
        Some(match op.args().list()[..] {
            [x] => self.unary(data, x),
            [x, y] => self.binary(data, x, y),
            _ => unreachable!("pure operations have one or two arguments"),
        })
    }

    fn unary(&mut self, data: DataOp, x: Arg) -> Slot {
        use DataOp::*;
        match data {
            IntIsZero => return Slot::bit(self.is_zero(x)),
            IntIsTrue => return Slot::bit(self.is_true(x)),
            // The double is moved when an operation needs the word.
            WordFromFloat => return Slot::float(self.value(x)),
            FloatFromWord => return Slot::word(self.double_of(x)),
            _ => {}
        }
        let x = self.value(x);
        Slot::word(match data {
            IntNeg => self.b.ins().ineg(x),
            IntNot => self.b.ins().bnot(x),
            IntSext8 => self.sign_extend(types::I8, x),
            IntSext16 => self.sign_extend(types::I16, x),
            IntSext32 => self.sign_extend(types::I32, x),
            FloatNeg => self.b.ins().fneg(x),
            IntLeadingZeros => self.b.ins().clz(x),
            IntTrailingZeros => self.b.ins().ctz(x),
            IntCountOnes => self.b.ins().popcnt(x),
            IntSwapBytes => self.b.ins().bswap(x),
            FloatAbs => self.b.ins().fabs(x),
            FloatSqrt => self.b.ins().sqrt(x),
            FloatFloor => self.b.ins().floor(x),
            FloatCeil => self.b.ins().ceil(x),
            FloatTrunc => self.b.ins().trunc(x),
            FloatNearest => self.b.ins().nearest(x),
            IntToFloat => self.b.ins().fcvt_from_sint(types::F64, x),
            FloatToInt => self.b.ins().fcvt_to_sint_sat(WORD, x),
            WordFromInt | WordFromRef | IntFromWord | RefFromWord => x,
            FloatBits => self.b.ins().bitcast(WORD, trusted_cast(), x),
            FloatFromBits => self.b.ins().bitcast(types::F64, trusted_cast(), x),
            _ => unreachable!("{data} has two arguments"),
        })
    }

    fn sign_extend(&mut self, from: Type, x: Value) -> Value {
        let low = self.b.ins().ireduce(from, x);
        self.b.ins().sextend(WORD, low)
    }

    fn is_zero(&mut self, x: Arg) -> Value {
        match self.bit(x) {
            Some(bit) => self.invert(bit),
            None => {
                let x = self.value(x);
                self.b.ins().icmp_imm_s(IntCC::Equal, x, 0)
            }
        }
    }

    fn is_true(&mut self, x: Arg) -> Value {
        self.bit(x).unwrap_or_else(|| {
            let x = self.value(x);
            self.b.ins().icmp_imm_s(IntCC::NotEqual, x, 0)
        })
    }

    fn binary(&mut self, data: DataOp, x: Arg, y: Arg) -> Slot {
        use DataOp::*;
        if let Some(value) = self.paired(data, [x, y]) {
            return Slot::word(value);
        }
        match data {
            IntAddOverflows | IntSubOverflows | IntMulOverflows => {
                return Slot::bit(self.overflows(data, x, y));
            }
            UintMulOverflows => {
                let (left, right) = (self.value(x), self.value(y));
                let (product, bit) = self.b.ins().umul_overflow(left, right);
                self.remember_pair(IntMul, [x, y], product);
                return Slot::bit(bit);
            }
            _ => {}
        }
        let (left, right) = (self.value(x), self.value(y));
        if let Some(cond) = int_condition(data) {
            return Slot::bit(self.b.ins().icmp(cond, left, right));
        }
        if let Some(cond) = float_condition(data) {
            return Slot::bit(self.b.ins().fcmp(cond, left, right));
        }
        let b = self.b.ins();
        Slot::word(match data {
            UintAtMost => b.umin(left, right),
            IntAdd => b.iadd(left, right),
            IntSub => b.isub(left, right),
            IntMul => b.imul(left, right),
            IntDiv => b.sdiv(left, right),
            IntRem => b.srem(left, right),
            UintDiv => b.udiv(left, right),
            UintRem => b.urem(left, right),
            IntAnd => b.band(left, right),
            IntOr => b.bor(left, right),
            IntXor => b.bxor(left, right),
            IntShl => b.ishl(left, right),
            IntShr => b.sshr(left, right),
            UintShr => b.ushr(left, right),
            FloatAdd => b.fadd(left, right),
            FloatSub => b.fsub(left, right),
            FloatMul => b.fmul(left, right),
            FloatDiv => b.fdiv(left, right),
            _ => unreachable!("{data} has one argument"),
        })
    }

    /// Whether a sum, difference or product overflows. The result itself is remembered: an
    /// operation that computes it usually follows. With a constant, comparing the result with the
    /// other operand is cheaper than the overflow flag, which Cranelift does not branch on.
    fn overflows(&mut self, data: DataOp, x: Arg, y: Arg) -> Value {
        use DataOp::*;
        let (plain, left, right) = match data {
            IntAddOverflows => (IntAdd, x, y),
            IntSubOverflows => (IntSub, x, y),
            _ => (IntMul, x, y),
        };
        let constant = |v: Arg| match v.as_const() {
            Some(Const::Int(c)) => Some(c),
            _ => None,
        };
        let (l, r) = (self.value(left), self.value(right));
        let (result, bit) = match (plain, constant(left), constant(right)) {
            (IntAdd, _, Some(c)) => {
                let sum = self.b.ins().iadd(l, r);
                (sum, self.compare_moved(sum, l, c >= 0))
            }
            (IntAdd, Some(c), _) => {
                let sum = self.b.ins().iadd(l, r);
                (sum, self.compare_moved(sum, r, c >= 0))
            }
            (IntSub, _, Some(c)) => {
                let difference = self.b.ins().isub(l, r);
                (difference, self.compare_moved(difference, l, c < 0))
            }
            (IntAdd, ..) => self.b.ins().sadd_overflow(l, r),
            (IntSub, ..) => self.b.ins().ssub_overflow(l, r),
            _ => self.b.ins().smul_overflow(l, r),
        };
        self.remember_pair(plain, [x, y], result);
        self.checked = Some((bit, plain, [x, y], result));
        bit
    }

    /// Whether a result that must lie on one side of the operand lies on the other.
    fn compare_moved(&mut self, result: Value, operand: Value, up: bool) -> Value {
        let wrong = if up {
            IntCC::SignedLessThan
        } else {
            IntCC::SignedGreaterThan
        };
        self.b.ins().icmp(wrong, result, operand)
    }
}

fn int_condition(data: DataOp) -> Option<IntCC> {
    use DataOp::*;
    Some(match data {
        IntEq | PtrEq => IntCC::Equal,
        IntNe | PtrNe => IntCC::NotEqual,
        IntLt => IntCC::SignedLessThan,
        IntLe => IntCC::SignedLessThanOrEqual,
        IntGt => IntCC::SignedGreaterThan,
        IntGe => IntCC::SignedGreaterThanOrEqual,
        UintLt => IntCC::UnsignedLessThan,
        UintLe => IntCC::UnsignedLessThanOrEqual,
        UintGt => IntCC::UnsignedGreaterThan,
        UintGe => IntCC::UnsignedGreaterThanOrEqual,
        _ => return None,
    })
}

fn float_condition(data: DataOp) -> Option<FloatCC> {
    use DataOp::*;
    Some(match data {
        FloatEq => FloatCC::Equal,
        FloatNe => FloatCC::NotEqual,
        FloatLt => FloatCC::LessThan,
        FloatLe => FloatCC::LessThanOrEqual,
        FloatGt => FloatCC::GreaterThan,
        FloatGe => FloatCC::GreaterThanOrEqual,
        _ => return None,
    })
}
