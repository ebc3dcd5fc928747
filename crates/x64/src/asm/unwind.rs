//! Unwind rules of compiled code, for the journal.
//!
//! The frame of a trace is the same everywhere, whatever its size: it hangs on the frame pointer,
//! above which the entry has pushed the callee-saved registers.

use crate::asm::Asm;
use crate::asm::operands::{Gpr, regs};
use crate::registers::CALLEE_SAVED;
use std::fmt::Write;
use verdigris_backend::journal::UnwindRule;

/// The bytes from the frame pointer of a trace to where its frame begins: the callee-saved
/// registers and the return address.
pub(crate) const ABOVE: u32 = 8 * (CALLEE_SAVED.len() as u32 + 1);

/// The number of a register in DWARF. Source: the System V ABI for AMD64, figure 3.36.
pub(crate) fn dwarf(reg: Gpr) -> u16 {
    const LOW: [u16; 8] = [0, 2, 1, 3, 7, 6, 4, 5];
    match LOW.get(usize::from(reg.0)) {
        Some(&number) => number,
        None => u16::from(reg.0),
    }
}

/// The rule that the frame begins so far above a register.
pub(crate) fn begins(reg: Gpr, above: u32) -> UnwindRule {
    let register = dwarf(reg);
    UnwindRule::Begins { register, above }
}

/// The rules in all code of traces: a callee-saved register lies where the entry has pushed it, the
/// first one below the return address.
pub(crate) fn trace_rules() -> impl Iterator<Item = UnwindRule> {
    let saved = CALLEE_SAVED
        .iter()
        .zip(2..)
        .map(|(&reg, words)| UnwindRule::Saved {
            register: dwarf(reg),
            below: 8 * words,
        });
    std::iter::once(begins(regs::RBP, ABOVE)).chain(saved)
}

impl Asm {
    /// From here on this rule holds.
    pub(crate) fn unwind_rule(&mut self, rule: UnwindRule) {
        let here = self.here();
        self.unwind.push((here, rule));
        self.note(|out| match rule {
            UnwindRule::Begins { register, above } => {
                write!(out, "; begins {above} above r{register}")
            }
            UnwindRule::Saved { register, below } => {
                write!(out, "; r{register} is saved {below} below")
            }
            UnwindRule::Kept { register } => write!(out, "; r{register} is kept"),
        });
    }

    /// Code that is called begins here, with all registers as the caller has them.
    pub(crate) fn is_called(&mut self) {
        self.unwind_rule(begins(regs::RSP, 8));
        for reg in CALLEE_SAVED {
            let register = dwarf(reg);
            self.unwind_rule(UnwindRule::Kept { register });
        }
    }

    /// Code that a trace jumps to begins here, and has its frame.
    pub(crate) fn is_in_trace(&mut self) {
        trace_rules().for_each(|rule| self.unwind_rule(rule));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_have_the_numbers_of_the_abi() {
        let named = [
            (regs::RAX, 0),
            (regs::RDX, 1),
            (regs::RCX, 2),
            (regs::RBX, 3),
            (regs::RSI, 4),
            (regs::RDI, 5),
            (regs::RBP, 6),
            (regs::RSP, 7),
            (regs::R8, 8),
            (regs::R15, 15),
        ];
        for (reg, number) in named {
            assert_eq!(dwarf(reg), number);
        }
    }

    #[test]
    fn a_trace_has_the_frame_that_its_entry_has_pushed() {
        let frame: Vec<UnwindRule> = trace_rules().collect();
        let saved = |register, below| UnwindRule::Saved { register, below };
        let rbp = UnwindRule::Begins {
            register: 6,
            above: 56,
        };
        assert_eq!(frame[0], rbp);
        // The frame pointer was pushed last, so it lies where it points to.
        assert_eq!(frame[1], saved(15, 16));
        assert_eq!(frame[6], saved(6, 56));
    }
}
