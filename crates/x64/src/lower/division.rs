//! Quotients and remainders: by multiplying and shifting if the divisor is constant.

use crate::asm::instructions::*;
use crate::asm::operands::regs::{RAX, RDX};
use crate::asm::operands::{Rm, Shift};
use crate::locations::gpr_loc;
use crate::lower::ints::{arithmetic, high, load, shift_by};
use crate::lower::magic::{signed_magic, unsigned_magic};
use crate::regalloc::RegAlloc;
use crate::registers::SCRATCH;
use verdigris_ops::DataOp;
use verdigris_trace::{Arg, ValRef};

/// A quotient or remainder.
pub(super) fn divide(regs: &mut RegAlloc, data: DataOp, x: Arg, y: Arg, result: ValRef) {
    use DataOp::*;
    if let Some(divisor) = regs.known(y)
        && divisor != 0
        && regs.known(x).is_none()
        && divide_by_constant(regs, data, x, divisor as i64, result)
    {
        return;
    }
    regs.take_this(RAX);
    regs.take_this(RDX);
    let y = regs.rm(y);
    load(regs, RAX, x);
    let asm = &mut regs.asm;
    if matches!(data, IntDiv | IntRem) {
        asm.cqo();
        asm.only_rm(&named(&UNARY, "idiv"), 7, y);
    } else {
        asm.mov_imm(RDX, 0);
        asm.only_rm(&named(&UNARY, "div"), 6, y);
    }
    let reg = match data {
        IntDiv | UintDiv => RAX,
        _ => RDX,
    };
    regs.put(result, gpr_loc(reg));
}

/// A quotient or remainder by multiplying and shifting. Returns false if there is no such way.
fn divide_by_constant(
    regs: &mut RegAlloc,
    data: DataOp,
    x: Arg,
    divisor: i64,
    result: ValRef,
) -> bool {
    use DataOp::*;
    let wants_remainder = matches!(data, IntRem | UintRem);
    if matches!(data, UintDiv | UintRem) {
        let unsigned = divisor as u64;
        if unsigned.is_power_of_two() {
            if wants_remainder {
                let mask = Arg::int((unsigned - 1) as i64);
                arithmetic(regs, IntAnd, x, mask, result);
            } else {
                shift_by(
                    regs,
                    Shift::Right,
                    unsigned.trailing_zeros() as u8,
                    x,
                    result,
                );
            }
            return true;
        }
        let Some((multiplier, shift, wide)) = unsigned_magic(unsigned) else {
            return false;
        };
        high(regs, false, x, Arg::int(multiplier as i64));
        let from = regs.rm(x);
        if wide {
            let asm = &mut regs.asm;
            asm.reg_rm(&MOV, RAX.0, from);
            asm.reg_rm(&SUB, RAX.0, RDX);
            regs.asm.shift(Shift::Right, 1, RAX);
            regs.asm.reg_rm(&ADD, RDX.0, RAX);
            regs.asm.shift(Shift::Right, shift as u8 - 1, RDX);
        } else {
            regs.asm.shift(Shift::Right, shift as u8, RDX);
        }
        quotient_or_remainder(regs, wants_remainder, from, divisor, result);
        return true;
    }
    let magnitude = divisor.unsigned_abs();
    if magnitude.is_power_of_two() {
        divide_by_power(regs, wants_remainder, x, divisor, result);
        return true;
    }
    let (multiplier, shift) = signed_magic(divisor);
    high(regs, true, x, Arg::int(multiplier));
    let from = regs.rm(x);
    let asm = &mut regs.asm;
    // The multiplier does not fit in a signed word: it lacks 2^64, that is, one dividend.
    if divisor > 0 && multiplier < 0 {
        asm.reg_rm(&ADD, RDX.0, from);
    } else if divisor < 0 && multiplier > 0 {
        asm.reg_rm(&SUB, RDX.0, from);
    }
    regs.asm.shift(Shift::RightSigned, shift as u8, RDX);
    // The quotient was rounded down; negative ones need one more.
    regs.asm.reg_rm(&MOV, RAX.0, RDX);
    regs.asm.shift(Shift::Right, 63, RAX);
    regs.asm.reg_rm(&ADD, RDX.0, RAX);
    quotient_or_remainder(regs, wants_remainder, from, divisor, result);
    true
}

/// Makes the result from a quotient in `rdx`.
fn quotient_or_remainder(
    regs: &mut RegAlloc,
    wants_remainder: bool,
    from: Rm,
    divisor: i64,
    result: ValRef,
) {
    if !wants_remainder {
        return regs.put(result, gpr_loc(RDX));
    }
    let asm = &mut regs.asm;
    match i32::try_from(divisor) {
        Ok(short) => asm.imul_imm(RDX, RDX.into(), short),
        Err(_) => {
            asm.mov_imm(SCRATCH, divisor as u64);
            asm.reg_rm(&IMUL, RDX.0, SCRATCH);
            regs.scratch = None;
        }
    }
    regs.asm.reg_rm(&MOV, RAX.0, from);
    regs.asm.reg_rm(&SUB, RAX.0, RDX);
    regs.put(result, gpr_loc(RAX));
}

/// Divides by plus or minus a power of two. Negative dividends are moved up first, so that the
/// quotient is rounded towards zero.
fn divide_by_power(
    regs: &mut RegAlloc,
    wants_remainder: bool,
    x: Arg,
    divisor: i64,
    result: ValRef,
) {
    let power = divisor.unsigned_abs().trailing_zeros() as u8;
    let from = regs.gpr(x);
    let reg = regs.define_gpr(result);
    if power == 0 && wants_remainder {
        return regs.asm.mov_imm(reg, 0);
    }
    regs.asm.reg_rm(&MOV, reg.0, from);
    if power > 0 {
        regs.asm.shift(Shift::RightSigned, power - 1, reg);
        regs.asm.shift(Shift::Right, 64 - power, reg);
        regs.asm.reg_rm(&ADD, reg.0, from);
        regs.asm.shift(Shift::RightSigned, power, reg);
    }
    if wants_remainder {
        regs.asm.shift(Shift::Left, power, reg);
        let asm = &mut regs.asm;
        asm.only_rm(&named(&UNARY, "neg"), 3, reg);
        asm.reg_rm(&ADD, reg.0, from);
    } else if divisor < 0 {
        regs.asm.only_rm(&named(&UNARY, "neg"), 3, reg);
    }
}
