//! Pure operations, with the meaning of [`verdigris_ops::eval`] wherever the operation's
//! precondition holds. What CIL has no instruction for is a call of a function of this crate.

use crate::code::Kind;
use crate::functions;
use crate::instructions::*;
use crate::lower::compare::comparison;
use crate::lower::state::Lower;
use verdigris_ops::DataOp;
use verdigris_trace::{Arg, Const, OptimisedOp};

impl<'m> Lower<'m> {
    /// Lowers a pure operation.
    pub(super) fn pure(&mut self, data: DataOp, op: OptimisedOp<'m>) {
        use DataOp::*;
        match data {
            UintAtMost => return self.at_most(op),
            FloatToInt => return self.float_to_int(op),
            IntShl => self.shift(op, SHL),
            IntShr => self.shift(op, SHR),
            UintShr => self.shift(op, SHR_UN),
            IntAddOverflows | IntSubOverflows => self.overflows(data, op),
            IntMulOverflows => self.call_words(op, functions::INT_MUL_OVERFLOWS),
            UintMulOverflows => self.call_words(op, functions::UINT_MUL_OVERFLOWS),
            IntIsZero | IntIsTrue => {
                self.value(op.arg(0));
                self.code.int(0);
                self.code.op(if data == IntIsZero { CEQ } else { CGT_UN });
                self.code.op(CONV_U8);
            }
            _ => match op.args().len() {
                1 => self.unary(data, op),
                _ => self.binary(data, op),
            },
        }
        self.result(op);
    }

    fn unary(&mut self, data: DataOp, op: OptimisedOp<'m>) {
        use DataOp::*;
        if matches!(data, FloatBits | WordFromFloat) {
            return self.word(op.arg(0));
        }
        self.value(op.arg(0));
        let code = &mut self.code;
        match data {
            IntNeg | FloatNeg => code.op(NEG),
            IntNot => code.op(NOT),
            IntSext8 => code.ops(&[CONV_I1, CONV_I8]),
            IntSext16 => code.ops(&[CONV_I2, CONV_I8]),
            IntSext32 => code.ops(&[CONV_I4, CONV_I8]),
            IntToFloat => code.op(CONV_R8),
            WordFromInt | IntFromWord => {}
            WordFromRef => code.op(CONV_U8),
            RefFromWord => code.op(CONV_I),
            FloatFromBits | FloatFromWord => self.bits_to_float(),
            IntLeadingZeros => self.call_int(functions::INT_LEADING_ZEROS),
            IntTrailingZeros => self.call_int(functions::INT_TRAILING_ZEROS),
            IntCountOnes => self.call_int(functions::INT_COUNT_ONES),
            IntSwapBytes => self.call_int(functions::INT_SWAP_BYTES),
            FloatAbs => self.call_float(functions::FLOAT_ABS),
            FloatSqrt => self.call_float(functions::FLOAT_SQRT),
            FloatFloor => self.call_float(functions::FLOAT_FLOOR),
            FloatCeil => self.call_float(functions::FLOAT_CEIL),
            FloatTrunc => self.call_float(functions::FLOAT_TRUNC),
            FloatNearest => self.call_float(functions::FLOAT_NEAREST),
            _ => unreachable!("{data} has two arguments"),
        }
    }

    fn binary(&mut self, data: DataOp, op: OptimisedOp<'m>) {
        use DataOp::*;
        self.value(op.arg(0));
        self.value(op.arg(1));
        if let Some(comparison) = comparison(data) {
            return comparison.emit_value(&mut self.code);
        }
        self.code.op(match data {
            IntAdd | FloatAdd => ADD,
            IntSub | FloatSub => SUB,
            IntMul | FloatMul => MUL,
            IntDiv | FloatDiv => DIV,
            IntRem => REM,
            UintDiv => DIV_UN,
            UintRem => REM_UN,
            IntAnd => AND,
            IntOr => OR,
            IntXor => XOR,
            _ => unreachable!("{data} has one argument"),
        });
    }

    fn shift(&mut self, op: OptimisedOp<'m>, shift: Op) {
        self.value(op.arg(0));
        match op.args().constant(1) {
            Some(amount) => self.code.short((amount.word() & 63) as i32),
            None => {
                self.value(op.arg(1));
                self.code.int(63);
                self.code.ops(&[AND, CONV_I4]);
            }
        }
        self.code.op(shift);
    }

    /// Whether a sum or a difference overflows: its sign is wrong.
    fn overflows(&mut self, data: DataOp, op: OptimisedOp<'m>) {
        let [x, y] = [op.arg(0), op.arg(1)];
        let (wrapping, is_sum) = match data {
            DataOp::IntAddOverflows => (ADD, true),
            _ => (SUB, false),
        };
        let constant = |arg: Arg| match arg.as_const() {
            Some(Const::Int(constant)) => Some(constant),
            _ => None,
        };
        // With a constant, the result lies on the wrong side of the other operand.
        let moved = match (constant(x), constant(y)) {
            (_, Some(c)) => Some((x, (c >= 0) == is_sum)),
            (Some(c), _) if is_sum => Some((y, c >= 0)),
            _ => None,
        };
        self.value(x);
        self.value(y);
        self.code.op(wrapping);
        if let Some((operand, up)) = moved {
            self.value(operand);
            self.code.ops(&[if up { CLT } else { CGT }, CONV_U8]);
            return;
        }
        let result = self.locals.take(Kind::Int);
        self.code.variable(STLOC, result);
        self.value(x);
        self.code.variable(LDLOC, result);
        self.code.op(XOR);
        self.value(y);
        match is_sum {
            true => self.code.variable(LDLOC, result),
            false => self.value(x),
        }
        self.code.ops(&[XOR, AND]);
        self.code.short(63);
        self.code.op(SHR_UN);
        self.locals.give_back(result);
    }

    /// The smaller of two unsigned words.
    fn at_most(&mut self, op: OptimisedOp<'m>) {
        let Some(result) = self.result_local(op) else {
            return;
        };
        let done = self.code.label();
        self.value(op.arg(0));
        self.code.op(DUP);
        self.code.variable(STLOC, result);
        self.value(op.arg(1));
        self.code.branch(BLE_UN, done);
        self.value(op.arg(1));
        self.code.variable(STLOC, result);
        self.code.bind(done);
    }

    /// The instruction gives the least integer for all that does not fit.
    fn float_to_int(&mut self, op: OptimisedOp<'m>) {
        let Some(result) = self.result_local(op) else {
            return;
        };
        let done = self.code.label();
        self.value(op.arg(0));
        self.code.ops(&[CONV_I8, DUP]);
        self.code.variable(STLOC, result);
        self.code.int(i64::MIN);
        self.code.branch(BNE_UN, done);
        self.value(op.arg(0));
        let function = functions::FLOAT_TO_INT as *const () as usize;
        self.call_address(function, &[Kind::Float], Some(Kind::Int));
        self.code.variable(STLOC, result);
        self.code.bind(done);
    }

    fn call_int(&mut self, function: extern "C" fn(i64) -> i64) {
        let function = function as *const () as usize;
        self.call_address(function, &[Kind::Int], Some(Kind::Int));
    }

    fn call_float(&mut self, function: extern "C" fn(f64) -> f64) {
        let function = function as *const () as usize;
        self.call_address(function, &[Kind::Float], Some(Kind::Float));
    }

    fn call_words(&mut self, op: OptimisedOp<'m>, function: extern "C" fn(i64, i64) -> i64) {
        self.value(op.arg(0));
        self.value(op.arg(1));
        let function = function as *const () as usize;
        self.call_address(function, &[Kind::Int; 2], Some(Kind::Int));
    }
}
