//! Integer operations. In: an operation and its operands. Out: instructions that change an
//! operand's register in place if no operation needs the operand any more, constants as parts of
//! instructions. Invariant: the same as [`verdigris_ops::eval`] wherever the operation's
//! precondition holds.

use crate::asm::{Gpr, Ins, Mem, Rm, regs};
use crate::file::{Operand, SCRATCH, gpr_loc};
use crate::lower::{Lower, Outcome};
use crate::names::*;
use verdigris_backend::magic::{signed_magic, unsigned_magic};
use verdigris_ops::DataOp;
use verdigris_trace::{Arg, OptimisedOps, ValRef};

impl<'a> Lower<'a> {
    /// A data operation. Gives the last operation that has been done.
    pub(crate) fn data(&mut self, data: DataOp, ops: OptimisedOps<'a>, n: usize) -> Outcome<usize> {
        use DataOp::*;
        let op = ops.at(n);
        match data {
            IntIsZero | IntIsTrue | HasClass | IntAddOverflows | IntSubOverflows
            | IntMulOverflows | UintMulOverflows | FloatEq | FloatNe | FloatLt | FloatLe
            | FloatGt | FloatGe => return self.truth(data, ops, n),
            _ if crate::compare::int_condition(data).is_some() => {
                return self.truth(data, ops, n);
            }
            _ => {}
        }
        let Some(result) = op.result() else {
            return self.write(data, op).map(|()| n);
        };
        match (data, &op.args().list()[..]) {
            (IntAdd | IntSub | IntMul | IntAnd | IntOr | IntXor, &[x, y]) => {
                self.arithmetic(data, x, y, result);
            }
            (IntShl | IntShr | UintShr, &[x, y]) => self.shift(data, x, y, result),
            (IntDiv | IntRem | UintDiv | UintRem, &[x, y]) => self.divide(data, x, y, result),
            (UintAtMost, &[x, y]) => self.at_most(x, y, result),
            (IntNeg | IntNot, &[x]) => {
                let reg = self.file().in_place(result, x);
                let (extension, name) = if data == IntNeg {
                    (3, "neg")
                } else {
                    (2, "not")
                };
                (self.file().asm).only_rm(&named(&UNARY, name), extension, reg);
            }
            (IntSext8, &[x]) => self.unary(&MOVSX_B, x, result),
            (IntSext16, &[x]) => self.unary(&MOVSX_W, x, result),
            (IntSext32, &[x]) => self.unary(&MOVSXD, x, result),
            (IntLeadingZeros, &[x]) => self.unary(&LZCNT, x, result),
            (IntTrailingZeros, &[x]) => self.unary(&TZCNT, x, result),
            (IntCountOnes, &[x]) => self.unary(&POPCNT, x, result),
            (IntSwapBytes, &[x]) => {
                let reg = self.file().in_place(result, x);
                self.file().asm.bswap(reg);
            }
            (New | NewArray, _) => self.allocate(data, op, result),
            _ if data.is_pure() => self.float(data, op, result)?,
            _ => self.read(op, result),
        }
        Ok(n)
    }

    /// `result = ins x`.
    fn unary(&mut self, ins: &Ins, x: Arg, result: ValRef) {
        let file = self.file();
        let rm = match file.operand(x) {
            Operand::Rm(rm) => rm,
            Operand::Imm(_) => file.gpr(x).into(),
        };
        let reg = file.take_gpr(Some(result));
        file.asm.reg_rm(ins, reg.0, rm);
        file.put(result, gpr_loc(reg));
    }

    fn arithmetic(&mut self, data: DataOp, mut x: Arg, mut y: Arg, result: ValRef) {
        use DataOp::*;
        let file = self.file();
        let commutes = data != IntSub;
        let is_known = |file: &crate::file::File, v| file.known(v).is_some();
        if commutes && (is_known(file, x) || (file.dies(y) && !file.dies(x) && !is_known(file, y)))
        {
            std::mem::swap(&mut x, &mut y);
        }
        let mut operand = file.source(y);
        let mut data = data;
        if let (IntSub, Operand::Imm(word)) = (data, operand)
            && word as i64 != i64::from(i32::MIN)
        {
            (data, operand) = (IntAdd, Operand::Imm(word.wrapping_neg()));
        }
        match (data, operand) {
            (IntAdd, _) if self.sum(x, operand, result) => {}
            (IntMul, Operand::Imm(word)) => self.times(x, word, result),
            (_, Operand::Imm(word)) => {
                let reg = self.file().in_place(result, x);
                let which = match data {
                    IntAdd => 0,
                    IntOr => 1,
                    IntAnd => 4,
                    IntSub => 5,
                    _ => 6,
                };
                self.alu_imm_q(which, reg, word as i32);
                if is_logical(data) {
                    self.file().asm.tests(reg);
                }
            }
            (_, Operand::Rm(rm)) => {
                let reg = self.file().in_place(result, x);
                let ins = match data {
                    IntAdd => &ADD,
                    IntSub => &SUB,
                    IntMul => &IMUL,
                    IntAnd => &AND,
                    IntOr => &OR,
                    _ => &XOR,
                };
                self.file().asm.reg_rm(ins, reg.0, rm);
                if is_logical(data) {
                    self.file().asm.tests(reg);
                }
            }
        }
    }

    /// A sum in another register than its operands are in, by one instruction.
    fn sum(&mut self, x: Arg, y: Operand, result: ValRef) -> bool {
        let file = self.file();
        let hint = file.values.map[result].hint;
        let has_hint = hint.is_some() && hint.is_gpr();
        // What goes elsewhere in the end leaves the operand's register alone: another value may
        // have to go there.
        let moves = has_hint && (file.is_free(hint) || (!file.is_in(x, hint) && file.has_free()));
        if file.known(x).is_some() || (file.dies(x) && !moves) {
            return false;
        }
        let x = file.gpr(x);
        let mem = match y {
            Operand::Imm(word) => Mem::At(x, word as i32),
            Operand::Rm(Rm::Reg(y)) => Mem::Indexed(x, Gpr(y), 0, 0),
            Operand::Rm(_) => return false,
        };
        let reg = file.define_gpr(result);
        file.asm.reg_rm(&LEA, reg.0, mem);
        true
    }

    fn times(&mut self, x: Arg, factor: u64, result: ValRef) {
        let file = self.file();
        if factor.is_power_of_two() {
            return self.shift_by(4, factor.trailing_zeros() as u8, x, result);
        }
        if let (3 | 5 | 9, None) = (factor, file.known(x)) {
            let x = file.gpr(x);
            let reg = file.define_gpr(result);
            let scale = (factor - 1).trailing_zeros() as u8;
            return file.asm.reg_rm(&LEA, reg.0, Mem::Indexed(x, x, scale, 0));
        }
        let from = match file.operand(x) {
            Operand::Rm(rm) => rm,
            Operand::Imm(_) => file.gpr(x).into(),
        };
        let reg = file.define_gpr(result);
        file.asm.imul_imm(reg, from, factor as i32);
    }

    /// A shift by a constant: 4 is left, 5 right, 7 right with the sign.
    fn shift_by(&mut self, which: u8, by: u8, x: Arg, result: ValRef) {
        let reg = self.file().in_place(result, x);
        self.shift_reg(which, by, reg);
    }

    pub(crate) fn shift_reg(&mut self, which: u8, by: u8, reg: Gpr) {
        let name = ["shl", "shr", "", "sar"][usize::from(which - 4)];
        let asm = &mut self.work.file.asm;
        match by {
            0 => {}
            1 => asm.only_rm(&named(&SHIFT_ONE, name), which, reg),
            _ => asm.rm_imm(&named(&SHIFT_IMM, name), which, reg, i32::from(by), 1),
        }
    }

    fn shift(&mut self, data: DataOp, x: Arg, y: Arg, result: ValRef) {
        use DataOp::*;
        let (which, prefix, name) = match data {
            IntShl => (4, 1, "shlx"),
            UintShr => (5, 3, "shrx"),
            _ => (7, 2, "sarx"),
        };
        if let Some(by) = self.file().known(y) {
            return self.shift_by(which, (by & 63) as u8, x, result);
        }
        let file = self.file();
        let by = file.gpr(y);
        let from = file.gpr(x);
        let to = file.define_gpr(result);
        file.asm.shift_by(prefix, name, to, from, by);
    }

    fn at_most(&mut self, x: Arg, y: Arg, result: ValRef) {
        let file = self.file();
        let y = file.gpr(y);
        let reg = file.in_place(result, x);
        file.asm.reg_rm(&CMP, reg.0, y);
        file.asm.reg_rm(&CMOVA, reg.0, y);
    }

    /// An unsigned product with the flag for its overflow.
    pub(crate) fn wide_product(&mut self, x: Arg, y: Arg, result: Option<ValRef>) {
        self.high(4, x, y);
        if let Some(result) = result {
            self.file().put(result, gpr_loc(regs::RAX));
        }
    }

    /// The product of two values in `rdx` and `rax`, unsigned (4) or signed (5).
    fn high(&mut self, which: u8, x: Arg, y: Arg) {
        let file = self.file();
        file.take_this(regs::RAX);
        file.take_this(regs::RDX);
        let y = match file.operand(y) {
            Operand::Rm(rm) => rm,
            Operand::Imm(_) => file.gpr(y).into(),
        };
        self.load(regs::RAX, x);
        let name = if which == 4 { "mul" } else { "imul" };
        (self.file().asm).only_rm(&named(&UNARY, name), which, y);
    }

    /// Puts a value in a register that has been taken.
    fn load(&mut self, reg: Gpr, x: Arg) {
        let file = self.file();
        match file.operand(x) {
            Operand::Rm(rm) => file.asm.reg_rm(&MOV, reg.0, rm),
            Operand::Imm(word) => file.asm.mov_imm(reg, word),
        }
    }

    fn divide(&mut self, data: DataOp, x: Arg, y: Arg, result: ValRef) {
        use DataOp::*;
        if let Some(divisor) = self.file().known(y)
            && divisor != 0
            && self.file().known(x).is_none()
            && self.divide_by_constant(data, x, divisor as i64, result)
        {
            return;
        }
        let file = self.file();
        file.take_this(regs::RAX);
        file.take_this(regs::RDX);
        let y = match file.operand(y) {
            Operand::Rm(rm) => rm,
            Operand::Imm(_) => file.gpr(y).into(),
        };
        self.load(regs::RAX, x);
        let asm = &mut self.file().asm;
        if matches!(data, IntDiv | IntRem) {
            asm.cqo();
            asm.only_rm(&named(&UNARY, "idiv"), 7, y);
        } else {
            asm.mov_imm(regs::RDX, 0);
            asm.only_rm(&named(&UNARY, "div"), 6, y);
        }
        let reg = match data {
            IntDiv | UintDiv => regs::RAX,
            _ => regs::RDX,
        };
        self.file().put(result, gpr_loc(reg));
    }

    /// A quotient or remainder by multiplying and shifting, if there is a way.
    fn divide_by_constant(&mut self, data: DataOp, x: Arg, divisor: i64, result: ValRef) -> bool {
        use DataOp::*;
        let wants_rest = matches!(data, IntRem | UintRem);
        if matches!(data, UintDiv | UintRem) {
            let unsigned = divisor as u64;
            if unsigned.is_power_of_two() {
                if wants_rest {
                    let mask = Arg::int((unsigned - 1) as i64);
                    self.arithmetic(IntAnd, x, mask, result);
                } else {
                    self.shift_by(5, unsigned.trailing_zeros() as u8, x, result);
                }
                return true;
            }
            let Some((multiplier, shift, wide)) = unsigned_magic(unsigned) else {
                return false;
            };
            self.high(4, x, Arg::int(multiplier as i64));
            let from = self.reread(x);
            if wide {
                let asm = &mut self.file().asm;
                asm.reg_rm(&MOV, regs::RAX.0, from);
                asm.reg_rm(&SUB, regs::RAX.0, regs::RDX);
                self.shift_reg(5, 1, regs::RAX);
                self.file().asm.reg_rm(&ADD, regs::RDX.0, regs::RAX);
                self.shift_reg(5, shift as u8 - 1, regs::RDX);
            } else {
                self.shift_reg(5, shift as u8, regs::RDX);
            }
            self.quotient_or_rest(wants_rest, from, divisor, result);
            return true;
        }
        let magnitude = divisor.unsigned_abs();
        if magnitude.is_power_of_two() {
            self.divide_by_power(wants_rest, x, divisor, result);
            return true;
        }
        let (multiplier, shift) = signed_magic(divisor);
        self.high(5, x, Arg::int(multiplier));
        let from = self.reread(x);
        let asm = &mut self.file().asm;
        // The multiplier does not fit in a signed word: it lacks 2^64, that is, one dividend.
        if divisor > 0 && multiplier < 0 {
            asm.reg_rm(&ADD, regs::RDX.0, from);
        } else if divisor < 0 && multiplier > 0 {
            asm.reg_rm(&SUB, regs::RDX.0, from);
        }
        self.shift_reg(7, shift as u8, regs::RDX);
        // The quotient was rounded down; negative ones need one more.
        self.file().asm.reg_rm(&MOV, regs::RAX.0, regs::RDX);
        self.shift_reg(5, 63, regs::RAX);
        self.file().asm.reg_rm(&ADD, regs::RDX.0, regs::RAX);
        self.quotient_or_rest(wants_rest, from, divisor, result);
        true
    }

    /// Where a dividend is after `rax` and `rdx` have been taken, in which it may have been.
    fn reread(&mut self, x: Arg) -> Rm {
        match self.file().operand(x) {
            Operand::Rm(rm) => rm,
            Operand::Imm(_) => unreachable!("a constant is divided otherwise"),
        }
    }

    /// From a quotient in `rdx`.
    fn quotient_or_rest(&mut self, wants_rest: bool, from: Rm, divisor: i64, result: ValRef) {
        if !wants_rest {
            return self.file().put(result, gpr_loc(regs::RDX));
        }
        let asm = &mut self.file().asm;
        match i32::try_from(divisor) {
            Ok(short) => asm.imul_imm(regs::RDX, regs::RDX.into(), short),
            Err(_) => {
                asm.mov_imm(SCRATCH, divisor as u64);
                asm.reg_rm(&IMUL, regs::RDX.0, SCRATCH);
                self.distance = None;
            }
        }
        let file = self.file();
        file.asm.reg_rm(&MOV, regs::RAX.0, from);
        file.asm.reg_rm(&SUB, regs::RAX.0, regs::RDX);
        file.put(result, gpr_loc(regs::RAX));
    }

    /// By plus or minus a power of two: negative dividends are moved up first, so that the quotient
    /// is rounded towards zero.
    fn divide_by_power(&mut self, wants_rest: bool, x: Arg, divisor: i64, result: ValRef) {
        let power = divisor.unsigned_abs().trailing_zeros() as u8;
        let from = self.file().gpr(x);
        let reg = self.file().define_gpr(result);
        if power == 0 && wants_rest {
            return self.file().asm.mov_imm(reg, 0);
        }
        self.file().asm.reg_rm(&MOV, reg.0, from);
        if power > 0 {
            self.shift_reg(7, power - 1, reg);
            self.shift_reg(5, 64 - power, reg);
            self.file().asm.reg_rm(&ADD, reg.0, from);
            self.shift_reg(7, power, reg);
        }
        if wants_rest {
            self.shift_reg(4, power, reg);
            let asm = &mut self.file().asm;
            asm.only_rm(&named(&UNARY, "neg"), 3, reg);
            asm.reg_rm(&ADD, reg.0, from);
        } else if divisor < 0 {
            (self.file().asm).only_rm(&named(&UNARY, "neg"), 3, reg);
        }
    }
}

/// Whether the flags after an operation say what a comparison of its result with 0 would.
fn is_logical(data: DataOp) -> bool {
    use DataOp::*;
    matches!(data, IntAnd | IntOr | IntXor)
}
