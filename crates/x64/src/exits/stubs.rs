//! The stubs, which failing guards branch to: each undoes what the branch needs undone, and calls
//! the exit handler or goes to a label of its trace.

use crate::asm::instructions::*;
use crate::asm::operands::{Alu, Mem, RmImm};
use crate::exits::{ExitTarget, StubAction};
use crate::line_table::Mark;
use crate::locations::slot_mem;
use crate::lower::state::Lower;
use crate::registers::{CONTEXT, SCRATCH};
use std::mem::offset_of;
use verdigris_heap::Context;

impl Lower<'_> {
    /// Emits all stubs.
    pub(crate) fn stubs(&mut self) {
        for (n, stub) in std::mem::take(&mut self.work.exits.stubs)
            .into_iter()
            .enumerate()
        {
            if let (StubAction::Nothing, ExitTarget::Side(side)) = (stub.action, stub.target)
                && self.is_in_place(side)
            {
                let target = self.labels.list[side.label].label;
                self.asm().alias(stub.label, target);
                continue;
            }
            let asm = self.asm();
            let mark = Mark::here(asm);
            asm.bind(stub.label);
            if let Some(address) = stub.forced {
                asm.mov_imm(SCRATCH, address as u64);
                asm.rm_imm(&MOV_IMM, 0, Mem::At(SCRATCH, 0), 0, 4);
            }
            match stub.action {
                StubAction::Nothing => {}
                StubAction::Undo(true, reg, RmImm::Imm(word)) => {
                    asm.alu_imm(Alu::Add, reg, word as i32);
                }
                StubAction::Undo(false, reg, RmImm::Imm(word)) => {
                    asm.alu_imm(Alu::Sub, reg, word as i32);
                }
                StubAction::Undo(true, reg, RmImm::Rm(rm)) => asm.reg_rm(&ADD, reg.0, rm),
                StubAction::Undo(false, reg, RmImm::Rm(rm)) => asm.reg_rm(&SUB, reg.0, rm),
                StubAction::State(state) => {
                    let at = offset_of!(Context, resumed) as i32;
                    asm.reg_rm(&MOV, SCRATCH.0, slot_mem(state));
                    asm.rm_reg(&MOV_STORE, Mem::At(CONTEXT, at), SCRATCH.0);
                }
            }
            match stub.target {
                ExitTarget::Out(guard) => {
                    let asm = &mut self.work.regs.asm;
                    asm.call_out(self.links.handlers.exit);
                    self.work.exits.guards.guards[guard].end = asm.here();
                }
                ExitTarget::Side(side) => self.go_to_side(side),
            }
            let work = &mut *self.work;
            work.lines.add_stub(mark, n, &mut work.regs.asm);
        }
    }
}
