//! Calls of the portal by compiled code. In: a call of the runner with constant greens. Out: a
//! direct call of the code for these greens, as soon as and as long as there is any, else the
//! runner. Invariant: whatever way the call takes, its results are those of the portal, and a panic
//! in it waits in the context for the guard behind the call.
//!
//! Both ways take the arguments from the end of this frame, so that they are stored once. A callee
//! that leaves its code otherwise than by its end is finished by the engine, in a call from here.
//! Source: RPython's `call_assembler`.

use crate::asm::{Mem, cond, regs};
use crate::enter::finish_call;
use crate::file::{CONTEXT, SCRATCH, as_gpr, gpr_loc, xmm_loc};
use crate::glue::exit_word;
use crate::lower::Lower;
use crate::names::*;
use crate::slow::{Path, Slow, stack_word};
use std::mem::offset_of;
use verdigris_backend::direct_callee;
use verdigris_heap::Context;
use verdigris_ops::{FnInfo, Ty};
use verdigris_trace::OptimisedOp;

impl Lower<'_> {
    /// The word with the address of a callee's code, and the number of its greens, if the call can
    /// go there directly.
    pub(crate) fn callee(&self, info: &FnInfo, op: OptimisedOp<'_>) -> Option<(u64, usize)> {
        direct_callee(self.links.callees?, info, op.args())
    }

    /// Calls the portal from its merge point on.
    pub(crate) fn call_portal(
        &mut self,
        info: &FnInfo,
        op: OptimisedOp<'_>,
        word: u64,
        greens: usize,
    ) {
        self.arguments_in_memory(op.args());
        self.file().before_call();
        let (runner, back) = self.slow_labels();
        let left = self.work.file.asm.new_label();
        self.address(word as usize);
        let asm = &mut self.work.file.asm;
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
        self.work.slow.push(Slow {
            enter: runner,
            back,
            path: Path::Runner {
                target: info.target,
                invoke: info.invoke,
                results: info.ret.len() as u32,
            },
        });
        self.work.slow.push(Slow {
            enter: left,
            back,
            path: Path::Left,
        });
        self.file().after_call();
        if let Some(result) = op.result() {
            match info.ret[0] {
                Ty::Float => {
                    let file = self.file();
                    let reg = file.take_xmm(Some(result));
                    file.asm.reg_rm(&MOVQ_TO_XMM, reg.0, regs::RDX);
                    file.put(result, xmm_loc(reg));
                }
                _ => self.result_in(result, gpr_loc(regs::RDX)),
            }
        }
        self.further_results(op, offset_of!(Context, exits));
    }

    /// The callee has no code, or the stack no room: the runner is called, and its results go where
    /// those of code are.
    pub(crate) fn runner(&mut self, target: usize, invoke: usize, results: u32) {
        let asm = &mut self.work.file.asm;
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

    /// The callee has left its code: the engine finishes the call.
    pub(crate) fn left(&mut self) {
        let asm = &mut self.work.file.asm;
        asm.reg_rm(&MOV, regs::RDI.0, CONTEXT);
        asm.reg_rm(&MOV, regs::RSI.0, regs::RAX);
        asm.mov_imm(regs::RAX, finish_call as *const () as u64);
        asm.only_rm(&CALL, 2, regs::RAX);
        asm.reg_rm(&MOV, as_gpr(gpr_loc(regs::RDX)).0, exit_word(0));
    }
}
