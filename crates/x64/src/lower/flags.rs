//! Truth values in the flags.

use crate::asm::Asm;
use crate::asm::instructions::{AND, MOVZX_B, OR, set};
use crate::asm::operands::{Cond, Label, cond};
use crate::regalloc::RegAlloc;
use verdigris_ops::DataOp;
use verdigris_trace::{Arg, Const, Opcode, OptimisedOp, ValRef};

/// The condition under which a truth value in the flags is true.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Flags {
    pub(crate) cond: Cond,
    /// Whether doubles were compared for equality: under the parity condition they are not equal,
    /// whatever `cond` says.
    pub(crate) unordered: bool,
}

impl From<Cond> for Flags {
    fn from(cond: Cond) -> Flags {
        Flags {
            cond,
            unordered: false,
        }
    }
}

impl Flags {
    pub(crate) fn not(self) -> Flags {
        Flags {
            cond: self.cond.not(),
            ..self
        }
    }

    /// Jumps if the value is as `when` says.
    pub(crate) fn branch(self, when: bool, to: Label, asm: &mut Asm) {
        let condition = if when { self.cond } else { self.cond.not() };
        if !self.unordered {
            return asm.jump_if(condition, to);
        }
        // Doubles are equal if `e` holds and `p` does not; `ne` is the opposite.
        let on_unordered = (self.cond == cond::NE) == when;
        if on_unordered {
            asm.jump_if(cond::P, to);
            asm.jump_if(condition, to);
        } else {
            let over = asm.skip_if(cond::P);
            asm.jump_if(condition, to);
            asm.land(over);
        }
    }

    /// Makes a word of the value.
    pub(crate) fn materialise(self, result: ValRef, regs: &mut RegAlloc) {
        let reg = regs.define_gpr(result);
        regs.asm.only_rm(&set(self.cond), 0, reg);
        regs.asm.reg_rm(&MOVZX_B, reg.0, reg);
        if self.unordered {
            // `e` also holds for doubles that cannot be compared.
            let (parity, which) = match self.cond {
                cond::E => (cond::NP, &AND),
                _ => (cond::P, &OR),
            };
            assert!(
                !regs.asm.keeps_flags,
                "equality of doubles is not kept in the flags"
            );
            let other = regs.take_gpr(None);
            regs.asm.only_rm(&set(parity), 0, other);
            regs.asm.reg_rm(&MOVZX_B, other.0, other);
            regs.asm.reg_rm(which, reg.0, other);
        }
    }
}

/// The condition of a comparison of integers or references.
pub(crate) fn int_condition(data: DataOp) -> Option<Cond> {
    use DataOp::*;
    Some(match data {
        IntEq | PtrEq => cond::E,
        IntNe | PtrNe => cond::NE,
        IntLt => cond::L,
        IntLe => cond::LE,
        IntGt => cond::G,
        IntGe => cond::GE,
        UintLt => cond::B,
        UintLe => cond::BE,
        UintGt => cond::A,
        UintGe => cond::AE,
        _ => return None,
    })
}

/// Whether the result of an operation is a truth value, which its code leaves in the flags.
pub(crate) fn is_truth(data: DataOp) -> bool {
    use DataOp::*;
    int_condition(data).is_some()
        || matches!(
            data,
            IntIsZero
                | IntIsTrue
                | HasClass
                | IntAddOverflows
                | IntSubOverflows
                | IntMulOverflows
                | UintMulOverflows
                | FloatEq
                | FloatNe
                | FloatLt
                | FloatLe
                | FloatGt
                | FloatGe
        )
}

/// For a guard on a truth value: whether it leaves when the value is true.
pub(crate) fn leaves_when_true(guard: OptimisedOp<'_>) -> Option<bool> {
    match (guard.opcode(), guard.args().get(1)) {
        (Opcode::GuardTrue, _) => Some(false),
        (Opcode::GuardFalse, _) => Some(true),
        (Opcode::GuardValue, Some(Arg::Const(Const::Int(n @ 0..=1)))) => Some(n == 0),
        _ => None,
    }
}
