//! Operations on doubles: scalar instructions of SSE, one of whose operands may lie in memory.

use crate::asm::Asm;
use crate::asm::instructions::*;
use crate::asm::operands::{Alu, Gpr, Ins, Mem, Rm, Xmm, cond};
use crate::exits::ColdWork;
use crate::locations::gpr_loc;
use crate::lower::state::Lower;
use crate::regalloc::RegAlloc;
use crate::registers::SCRATCH_XMM;
use verdigris_ops::DataOp;
use verdigris_trace::{Arg, ValRef};

const SIGN: u64 = 1 << 63;

/// Compiles a pure operation whose operand or result is a double, but for comparisons and
/// conversions to integers. Returns false if it is none.
pub(super) fn float_op(regs: &mut RegAlloc, data: DataOp, args: &[Arg], result: ValRef) -> bool {
    use DataOp::*;
    match (data, args) {
        (FloatAdd | FloatSub | FloatMul | FloatDiv, &[x, y]) => {
            arithmetic(regs, data, x, y, result);
        }
        (FloatNeg, &[x]) => with_mask(regs, &XORPS, SIGN, x, result),
        (FloatAbs, &[x]) => with_mask(regs, &ANDPS, !SIGN, x, result),
        (FloatSqrt, &[x]) => {
            let x = regs.xmm(x);
            let reg = regs.define_xmm(result);
            regs.asm.reg_rm(&SQRTSD, reg.0, x);
        }
        (FloatFloor | FloatCeil | FloatTrunc | FloatNearest, &[x]) => {
            // The low bits are the direction; 8 keeps the flag for inexact results as it is.
            let mode = match data {
                FloatNearest => 8,
                FloatFloor => 9,
                FloatCeil => 10,
                _ => 11,
            };
            let x = regs.xmm(x);
            let reg = regs.define_xmm(result);
            regs.asm.reg_rm_byte(&ROUNDSD, reg.0, x, mode);
        }
        (IntToFloat, &[x]) => {
            let rm = regs.rm(x);
            let reg = regs.define_xmm(result);
            // The instruction keeps the upper half, so it would wait for the last writer.
            regs.asm.reg_rm(&XORPS, reg.0, reg);
            regs.asm.reg_rm(&CVTSI2SD, reg.0, rm);
        }
        _ => return false,
    }
    true
}

fn arithmetic(regs: &mut RegAlloc, data: DataOp, mut x: Arg, mut y: Arg, result: ValRef) {
    use DataOp::*;
    if matches!(data, FloatAdd | FloatMul)
        && regs.known(y).is_none()
        && (regs.known(x).is_some() || (regs.dies(y) && !regs.dies(x)))
    {
        std::mem::swap(&mut x, &mut y);
    }
    let y = regs.float_operand(y);
    let reg = regs.in_place_xmm(result, x);
    let ins = match data {
        FloatAdd => &ADDSD,
        FloatSub => &SUBSD,
        FloatMul => &MULSD,
        _ => &DIVSD,
    };
    regs.asm.reg_rm(ins, reg.0, y);
}

/// Combines the bits of a double with a mask.
fn with_mask(regs: &mut RegAlloc, ins: &Ins, mask: u64, x: Arg, result: ValRef) {
    let reg = regs.in_place_xmm(result, x);
    regs.load_float(SCRATCH_XMM, mask);
    regs.asm.reg_rm(ins, reg.0, SCRATCH_XMM);
}

impl Lower<'_> {
    /// Converts a double to an integer. The instruction gives the least integer for a double that
    /// fits none, which a cold path handles.
    pub(super) fn truncate(&mut self, x: Arg, result: ValRef) {
        let regs = self.regs();
        let x = regs.xmm(x);
        let reg = regs.take_gpr(Some(result));
        let asm = &mut regs.asm;
        asm.reg_rm(&CVTTSD2SI, reg.0, x);
        // Of all integers only the least overflows when 1 is subtracted.
        asm.alu_imm(Alu::Cmp, reg, 1);
        let (enter, back) = asm.new_labels();
        asm.jump_if(cond::O, enter);
        asm.bind(back);
        regs.put(result, gpr_loc(reg));
        (self.work.cold).add((enter, back), ColdWork::Saturate(reg, x));
    }
}

/// Makes the integer for a double that fits none.
pub(crate) fn saturate(asm: &mut Asm, reg: Gpr, x: Xmm) {
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
