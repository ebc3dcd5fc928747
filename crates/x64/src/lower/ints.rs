//! Integer operations, which change an operand's register in place if the operand dies.

use crate::asm::instructions::*;
use crate::asm::operands::regs::{RAX, RDX};
use crate::asm::operands::{Alu, Gpr, Ins, Mem, Rm, RmImm, Shift};
use crate::locations::gpr_loc;
use crate::lower::division::divide;
use crate::regalloc::RegAlloc;
use verdigris_ops::DataOp;
use verdigris_trace::{Arg, ValRef};

/// Compiles a pure operation on integers. Returns false if it is none.
pub(super) fn int_op(regs: &mut RegAlloc, data: DataOp, args: &[Arg], result: ValRef) -> bool {
    use DataOp::*;
    match (data, args) {
        (IntAdd | IntSub | IntMul | IntAnd | IntOr | IntXor, &[x, y]) => {
            arithmetic(regs, data, x, y, result);
        }
        (IntShl | IntShr | UintShr, &[x, y]) => shift(regs, data, x, y, result),
        (IntDiv | IntRem | UintDiv | UintRem, &[x, y]) => divide(regs, data, x, y, result),
        (UintAtMost, &[x, y]) => at_most(regs, x, y, result),
        (IntNeg, &[x]) => negate(regs, 3, "neg", x, result),
        (IntNot, &[x]) => negate(regs, 2, "not", x, result),
        (IntSext8, &[x]) => unary(regs, &MOVSX_B, x, result),
        (IntSext16, &[x]) => unary(regs, &MOVSX_W, x, result),
        (IntSext32, &[x]) => unary(regs, &MOVSXD, x, result),
        (IntLeadingZeros, &[x]) => unary(regs, &LZCNT, x, result),
        (IntTrailingZeros, &[x]) => unary(regs, &TZCNT, x, result),
        (IntCountOnes, &[x]) => unary(regs, &POPCNT, x, result),
        (IntSwapBytes, &[x]) => {
            let reg = regs.in_place(result, x);
            regs.asm.bswap(reg);
        }
        _ => return false,
    }
    true
}

fn negate(regs: &mut RegAlloc, extension: u8, name: &'static str, x: Arg, result: ValRef) {
    let reg = regs.in_place(result, x);
    regs.asm.only_rm(&named(&UNARY, name), extension, reg);
}

/// `result = ins x`.
fn unary(regs: &mut RegAlloc, ins: &Ins, x: Arg, result: ValRef) {
    let rm = regs.rm(x);
    let reg = regs.take_gpr(Some(result));
    regs.asm.reg_rm(ins, reg.0, rm);
    regs.put(result, gpr_loc(reg));
}

pub(super) fn arithmetic(
    regs: &mut RegAlloc,
    data: DataOp,
    mut x: Arg,
    mut y: Arg,
    result: ValRef,
) {
    use DataOp::*;
    let commutes = data != IntSub;
    if commutes
        && (regs.known(x).is_some() || (regs.dies(y) && !regs.dies(x) && regs.known(y).is_none()))
    {
        std::mem::swap(&mut x, &mut y);
    }
    let mut operand = regs.source(y);
    let mut data = data;
    if let (IntSub, RmImm::Imm(word)) = (data, operand)
        && word as i64 != i64::from(i32::MIN)
    {
        (data, operand) = (IntAdd, RmImm::Imm(word.wrapping_neg()));
    }
    match (data, operand) {
        (IntAdd, _) if sum(regs, x, operand, result) => {}
        (IntMul, RmImm::Imm(word)) => times(regs, x, word, result),
        (_, RmImm::Imm(word)) => {
            let reg = regs.in_place(result, x);
            let which = match data {
                IntAdd => Alu::Add,
                IntOr => Alu::Or,
                IntAnd => Alu::And,
                IntSub => Alu::Sub,
                _ => Alu::Xor,
            };
            regs.asm.alu_imm(which, reg, word as i32);
            if is_logical(data) {
                regs.asm.tests(reg);
            }
        }
        (_, RmImm::Rm(rm)) => {
            let reg = regs.in_place(result, x);
            let ins = match data {
                IntAdd => &ADD,
                IntSub => &SUB,
                IntMul => &IMUL,
                IntAnd => &AND,
                IntOr => &OR,
                _ => &XOR,
            };
            regs.asm.reg_rm(ins, reg.0, rm);
            if is_logical(data) {
                regs.asm.tests(reg);
            }
        }
    }
}

/// A sum by one `lea`, if it goes to another register than its operands are in.
fn sum(regs: &mut RegAlloc, x: Arg, y: RmImm, result: ValRef) -> bool {
    let hint = regs.values.map[result].hint;
    let has_hint = hint.is_some() && hint.is_gpr();
    // A result that a label wants elsewhere leaves the operand's register to another value.
    let moves = has_hint && (regs.is_free(hint) || (!regs.is_in(x, hint) && regs.has_free()));
    if regs.known(x).is_some() || (regs.dies(x) && !moves) {
        return false;
    }
    let x = regs.gpr(x);
    let mem = match y {
        RmImm::Imm(word) => Mem::At(x, word as i32),
        RmImm::Rm(Rm::Reg(y)) => Mem::Indexed(x, Gpr(y), 0, 0),
        RmImm::Rm(_) => return false,
    };
    let reg = regs.define_gpr(result);
    regs.asm.reg_rm(&LEA, reg.0, mem);
    true
}

fn times(regs: &mut RegAlloc, x: Arg, factor: u64, result: ValRef) {
    if factor.is_power_of_two() {
        return shift_by(regs, Shift::Left, factor.trailing_zeros() as u8, x, result);
    }
    if let (3 | 5 | 9, None) = (factor, regs.known(x)) {
        let x = regs.gpr(x);
        let reg = regs.define_gpr(result);
        let scale = (factor - 1).trailing_zeros() as u8;
        return regs.asm.reg_rm(&LEA, reg.0, Mem::Indexed(x, x, scale, 0));
    }
    let from = regs.rm(x);
    let reg = regs.define_gpr(result);
    regs.asm.imul_imm(reg, from, factor as i32);
}

/// A shift by a constant.
pub(super) fn shift_by(regs: &mut RegAlloc, which: Shift, by: u8, x: Arg, result: ValRef) {
    let reg = regs.in_place(result, x);
    regs.asm.shift(which, by, reg);
}

fn shift(regs: &mut RegAlloc, data: DataOp, x: Arg, y: Arg, result: ValRef) {
    use DataOp::*;
    let (which, prefix, name) = match data {
        IntShl => (Shift::Left, 1, "shlx"),
        UintShr => (Shift::Right, 3, "shrx"),
        _ => (Shift::RightSigned, 2, "sarx"),
    };
    if let Some(by) = regs.known(y) {
        return shift_by(regs, which, (by & 63) as u8, x, result);
    }
    let by = regs.gpr(y);
    let from = regs.gpr(x);
    let to = regs.define_gpr(result);
    regs.asm.shift_by(prefix, name, to, from, by);
}

fn at_most(regs: &mut RegAlloc, x: Arg, y: Arg, result: ValRef) {
    let y = regs.gpr(y);
    let reg = regs.in_place(result, x);
    regs.asm.reg_rm(&CMP, reg.0, y);
    regs.asm.reg_rm(&CMOVA, reg.0, y);
}

/// Leaves the product of two values in `rdx` and `rax`.
pub(super) fn high(regs: &mut RegAlloc, signed: bool, x: Arg, y: Arg) {
    regs.take_this(RAX);
    regs.take_this(RDX);
    let y = regs.rm(y);
    load(regs, RAX, x);
    let (name, extension) = if signed { ("imul", 5) } else { ("mul", 4) };
    regs.asm.only_rm(&named(&UNARY, name), extension, y);
}

/// Puts a value in a register that has been taken.
pub(super) fn load(regs: &mut RegAlloc, reg: Gpr, x: Arg) {
    match regs.operand(x) {
        RmImm::Rm(rm) => regs.asm.reg_rm(&MOV, reg.0, rm),
        RmImm::Imm(word) => regs.asm.mov_imm(reg, word),
    }
}

/// Whether the flags after an operation say what a comparison of its result with 0 would.
fn is_logical(data: DataOp) -> bool {
    use DataOp::*;
    matches!(data, IntAnd | IntOr | IntXor)
}
