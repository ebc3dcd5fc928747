//! Calls of the portal by compiled code: a direct call of the code for these greens while there is
//! any, else a call of the runner.
//!
//! Both take the arguments from the end of this frame, so that they are stored once. The engine
//! finishes the call if the callee leaves its code otherwise than by its end. Source: RPython's
//! `call_assembler`.

use crate::asm::Asm;
use crate::asm::instructions::*;
use crate::asm::operands::{Mem, cond, regs};
use crate::enter::finish_call;
use crate::exits::ColdWork;
use crate::locations::gpr_loc;
use crate::lower::state::Lower;
use crate::registers::{CONTEXT, SCRATCH};
use crate::trampolines::{exit_word, stack_word};
use std::mem::offset_of;
use verdigris_backend::direct_callee;
use verdigris_heap::Context;
use verdigris_ops::{FnInfo, Ty};
use verdigris_trace::OptimisedOp;

impl Lower<'_> {
    /// The address of the word with a callee's code, and the number of its greens, if the call can
    /// go there directly.
    pub(super) fn callee(&self, info: &FnInfo, op: OptimisedOp<'_>) -> Option<(u64, usize)> {
        direct_callee(self.links.callees?, info, op.args())
    }

    /// Calls the portal from its merge point on.
    pub(super) fn call_portal(
        &mut self,
        info: &FnInfo,
        op: OptimisedOp<'_>,
        word: u64,
        greens: usize,
    ) {
        self.arguments_in_memory(op.args());
        self.regs().before_call();
        let (runner, back) = self.asm().new_labels();
        let left = self.asm().new_label();
        self.regs().load_scratch(word as usize);
        let asm = self.asm();
        asm.reg_rm(&MOV, regs::RAX.0, Mem::At(SCRATCH, 0));
        asm.rm_reg(&TEST, regs::RAX, regs::RAX.0);
        asm.jump_if(cond::E, runner);
        let limit = offset_of!(Context, stack_limit) as i32;
        asm.reg_rm(&CMP, regs::RSP.0, Mem::At(CONTEXT, limit));
        asm.jump_if(cond::BE, runner);
        asm.reg_rm(&MOV, regs::RDI.0, CONTEXT);
        asm.reg_rm(&LEA, regs::RSI.0, stack_word(greens));
        asm.only_rm(&CALL, 2, regs::RAX);
        asm.rm_reg(&TEST, regs::RAX, regs::RAX.0);
        asm.jump_if(cond::NE, left);
        asm.bind(back);
        let runner_call = ColdWork::Runner {
            target: info.target,
            invoke: info.invoke,
            results: info.ret.len() as u32,
        };
        self.work.cold.add((runner, back), runner_call);
        self.work.cold.add((left, back), ColdWork::Left);
        self.regs().after_call();
        if let Some(result) = op.result() {
            match info.ret[0] {
                Ty::Float => {
                    let regs = self.regs();
                    let reg = regs.define_xmm(result);
                    regs.asm.reg_rm(&MOVQ_TO_XMM, reg.0, regs::RDX);
                }
                _ => self.regs().take_result(result, gpr_loc(regs::RDX)),
            }
        }
        self.further_results(op, offset_of!(Context, exits));
    }
}

/// Calls the runner, and puts its results where those of code are.
pub(crate) fn call_runner(asm: &mut Asm, target: usize, invoke: usize, results: u32) {
    asm.mov_imm(regs::RDI, target as u64);
    asm.reg_rm(&MOV, regs::RSI.0, regs::RSP);
    asm.mov_imm(regs::RAX, invoke as u64);
    asm.only_rm(&CALL, 2, regs::RAX);
    asm.reg_rm(&MOV, regs::RDX.0, regs::RAX);
    for n in 1..results as usize {
        let from = (offset_of!(Context, results) + 8 * n) as i32;
        asm.reg_rm(&MOV, regs::RAX.0, Mem::At(CONTEXT, from));
        asm.rm_reg(&MOV_STORE, exit_word(n), regs::RAX.0);
    }
}

/// Lets the engine finish a call whose code has been left.
pub(crate) fn finish_left_call(asm: &mut Asm) {
    asm.reg_rm(&MOV, regs::RDI.0, CONTEXT);
    asm.reg_rm(&MOV, regs::RSI.0, regs::RAX);
    asm.mov_imm(regs::RAX, finish_call as *const () as u64);
    asm.only_rm(&CALL, 2, regs::RAX);
    asm.reg_rm(&MOV, regs::RDX.0, exit_word(0));
}
