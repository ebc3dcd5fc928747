//! Code that several places of the guest program share: a record has what differs between them, and
//! names the code to go on with.
//!
//! Parameters are where [`threaded_convention`] puts them, whatever the code, and the size of the
//! frame is set by the code that is jumped to. Source: "Two-level Just-in-Time Compilation with One
//! Interpreter and One Engine" (2022), where threaded code calls its handlers.

use crate::asm::instructions::*;
use crate::asm::operands::{Gpr, Mem};
use crate::locations::as_gpr;
use crate::lower::state::Lower;
use crate::registers::threaded_convention;
use verdigris_ops::Ty;
use verdigris_trace::{Arg, OptimisedOp};

/// A word of a record.
pub(crate) fn record_word(record: Gpr, n: usize) -> Mem {
    Mem::At(record, 8 * n as i32)
}

impl Lower<'_> {
    /// Loads a word of a record.
    pub(super) fn hole(&mut self, op: OptimisedOp<'_>) {
        let result = op.result().expect("a hole has a result");
        let n = op.args().constant(1).expect("a checked hole has a number");
        let regs = &mut self.work.regs;
        let word = record_word(regs.gpr(op.arg(0)), n.word() as usize);
        if self.links.trace.types[result] == Ty::Float {
            let reg = regs.define_xmm(result);
            regs.asm.reg_rm(&MOVSD_LOAD, reg.0, word);
        } else {
            let reg = regs.define_gpr(result);
            regs.asm.reg_rm(&MOV, reg.0, word);
        }
    }

    /// Goes on in the code that the record names.
    pub(super) fn thread(&mut self, args: &[Arg]) {
        let types = args.iter().map(|&arg| self.links.trace.ty(arg));
        let convention = threaded_convention(types);
        let slots = convention.iter().filter(|loc| loc.is_slot());
        let deepest = slots.map(|slot| 8 * (slot.slot_number() + 1)).max();
        self.frame.at_least(deepest.unwrap_or(0));
        let work = &mut *self.work;
        for (&arg, &to) in args.iter().zip(&convention) {
            work.moves.add(work.regs.place(arg), to);
        }
        work.moves.emit(&mut work.regs.asm);
        let record = as_gpr(convention[0]);
        (work.regs.asm).only_rm(&JUMP, 4, record_word(record, 0));
    }
}
