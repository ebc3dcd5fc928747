//! Doubles. In: an operation and its operands. Out: scalar instructions of SSE, one of whose
//! operands may lie in memory. Invariant: the same as [`verdigris_ops::eval`], NaNs and conversions
//! that do not fit included.

use crate::asm::{Gpr, Mem, Rm, Xmm, cond};
use crate::file::{Operand, SCRATCH_XMM, gpr_loc, xmm_loc};
use crate::lower::{Lower, Outcome, unsupported};
use crate::names::*;
use crate::slow::{Path, Slow};
use verdigris_ops::DataOp;
use verdigris_trace::{Arg, OptimisedOp, ValRef};

const SIGN: u64 = 1 << 63;

impl Lower<'_> {
    /// An operation on doubles.
    pub(crate) fn float(&mut self, data: DataOp, op: OptimisedOp<'_>, result: ValRef) -> Outcome {
        use DataOp::*;
        match (data, &op.args().list()[..]) {
            (FloatAdd | FloatSub | FloatMul | FloatDiv, &[x, y]) => {
                self.float_arithmetic(data, x, y, result);
            }
            (FloatNeg, &[x]) => self.with_mask(&XORPS, SIGN, x, result),
            (FloatAbs, &[x]) => self.with_mask(&ANDPS, !SIGN, x, result),
            (FloatSqrt, &[x]) => {
                let file = self.file();
                let x = file.xmm(x);
                let reg = file.take_xmm(Some(result));
                file.asm.reg_rm(&SQRTSD, reg.0, x);
                file.put(result, xmm_loc(reg));
            }
            (FloatFloor | FloatCeil | FloatTrunc | FloatNearest, &[x]) => {
                // The low bits say how; 8 keeps the flag for inexact results as it is.
                let mode = match data {
                    FloatNearest => 8,
                    FloatFloor => 9,
                    FloatCeil => 10,
                    _ => 11,
                };
                let file = self.file();
                let x = file.xmm(x);
                let reg = file.take_xmm(Some(result));
                file.asm.reg_rm_byte(&ROUNDSD, reg.0, x, mode);
                file.put(result, xmm_loc(reg));
            }
            (IntToFloat, &[x]) => {
                let file = self.file();
                let rm = match file.operand(x) {
                    Operand::Rm(rm) => rm,
                    Operand::Imm(_) => file.gpr(x).into(),
                };
                let reg = file.define_xmm(result);
                // The instruction keeps the upper half, and would wait for what was in it.
                file.asm.reg_rm(&XORPS, reg.0, reg);
                file.asm.reg_rm(&CVTSI2SD, reg.0, rm);
            }
            (FloatToInt, &[x]) => self.truncate(x, result),
            _ => return unsupported(data),
        }
        Ok(())
    }

    fn float_arithmetic(&mut self, data: DataOp, mut x: Arg, mut y: Arg, result: ValRef) {
        use DataOp::*;
        let file = self.file();
        let is_const = |file: &crate::file::File, v| file.known(v).is_some();
        if matches!(data, FloatAdd | FloatMul)
            && !is_const(file, y)
            && (is_const(file, x) || (file.dies(y) && !file.dies(x)))
        {
            std::mem::swap(&mut x, &mut y);
        }
        let y = file.float_operand(y);
        let reg = file.in_place_xmm(result, x);
        let ins = match data {
            FloatAdd => &ADDSD,
            FloatSub => &SUBSD,
            FloatMul => &MULSD,
            _ => &DIVSD,
        };
        file.asm.reg_rm(ins, reg.0, y);
    }

    /// Combines the bits of a double with a mask.
    fn with_mask(&mut self, ins: &crate::asm::Ins, mask: u64, x: Arg, result: ValRef) {
        let file = self.file();
        let reg = file.in_place_xmm(result, x);
        file.load_float(SCRATCH_XMM, mask);
        file.asm.reg_rm(ins, reg.0, SCRATCH_XMM);
    }

    /// The instruction gives the least integer for whatever does not fit, which a slow path looks
    /// at.
    fn truncate(&mut self, x: Arg, result: ValRef) {
        let file = self.file();
        let x = file.xmm(x);
        let reg = file.take_gpr(Some(result));
        file.asm.reg_rm(&CVTTSD2SI, reg.0, x);
        file.put(result, gpr_loc(reg));
        // Only the least integer is less by one than none.
        self.alu_imm_q(7, reg, 1);
        let (enter, back) = self.slow_labels();
        let asm = &mut self.work.file.asm;
        asm.jump_if(cond::O, enter);
        asm.bind(back);
        self.work.slow.push(Slow {
            enter,
            back,
            path: Path::Saturate(reg, x),
        });
    }

    /// The integer for a double that fits none.
    pub(crate) fn saturate(&mut self, reg: Gpr, x: Xmm) {
        let asm = &mut self.work.file.asm;
        asm.reg_rm(&UCOMISD, x.0, x);
        asm.keeps_flags = true;
        asm.mov_imm(reg, 0);
        asm.keeps_flags = false;
        let is_nan = asm.skip_if(cond::P);
        let zero = asm.constant(0);
        asm.reg_rm(&UCOMISD, x.0, Rm::Mem(Mem::Data(zero)));
        asm.mov_imm(reg, i64::MIN as u64);
        let is_small = asm.skip_if(cond::B);
        asm.mov_imm(reg, i64::MAX as u64);
        asm.land(is_small);
        asm.land(is_nan);
    }
}
