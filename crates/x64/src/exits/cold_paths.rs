//! Emits the cold paths.

use crate::asm::instructions::*;
use crate::asm::operands::{cond, regs};
use crate::exits::ColdWork;
use crate::line_table::Mark;
use crate::lower::floats::saturate;
use crate::lower::portal::{call_runner, finish_left_call};
use crate::lower::state::Lower;
use crate::regalloc::moves::store;
use crate::registers::SCRATCH;
use crate::trampolines::stack_word;

impl Lower<'_> {
    /// Emits all cold paths.
    pub(crate) fn cold_paths(&mut self) {
        // Some lead to the exit for exhausted memory, which is added then.
        let mut n = 0;
        while let Some(&path) = self.work.cold.list.get(n) {
            let mark = Mark::here(self.asm());
            self.asm().bind(path.enter);
            if self.cold_path(path.work) {
                self.asm().jump(path.back);
            }
            let work = &mut *self.work;
            work.lines.add_cold_path(mark, n, &mut work.regs.asm);
            n += 1;
        }
    }

    /// Returns whether the path goes back.
    fn cold_path(&mut self, path: ColdWork) -> bool {
        let handlers = self.links.handlers;
        let asm = &mut self.work.regs.asm;
        match path {
            ColdWork::Alloc {
                object,
                size,
                class_word,
                keeps_doubles,
            } => {
                asm.push_imm(class_word);
                asm.push_imm(size as i32);
                asm.call_out(match keeps_doubles {
                    true => handlers.alloc,
                    false => handlers.alloc_without_doubles,
                });
                self.or_exhausted();
                self.asm().reg_rm(&MOV, object.0, SCRATCH);
            }
            ColdWork::Saturate(reg, x) => saturate(asm, reg, x),
            ColdWork::Room { len, stride, stub } => {
                asm.push(len);
                asm.push_imm(stride as i32);
                asm.call_out(handlers.room);
                asm.rm_reg(&TEST, SCRATCH, SCRATCH.0);
                asm.jump_if(cond::E, stub);
            }
            ColdWork::Reclaim(object) => {
                asm.push(object);
                asm.call_out(handlers.reclaim);
                self.or_exhausted();
            }
            ColdWork::Invalidate(place) => {
                asm.reg_rm(&LEA, SCRATCH.0, place);
                asm.push(SCRATCH);
                asm.call_out(handlers.invalidate);
            }
            ColdWork::InvalidateConstant(address) => {
                asm.mov_imm(SCRATCH, address);
                asm.push(SCRATCH);
                asm.call_out(handlers.invalidate);
            }
            ColdWork::OutOfMemory => {
                asm.jump_out(handlers.out_of_memory);
                return false;
            }
            ColdWork::Runner {
                target,
                invoke,
                results,
            } => call_runner(asm, target, invoke, results),
            ColdWork::Left => finish_left_call(asm),
            ColdWork::Invoke {
                target,
                invoke,
                arguments: (first, len),
            } => {
                let arguments = &self.work.cold.arguments[first as usize..][..len as usize];
                for (n, &place) in arguments.iter().enumerate() {
                    store(asm, place, stack_word(n));
                }
                // The arguments lie where the stack ends now.
                asm.reg_rm(&MOV, SCRATCH.0, regs::RSP);
                asm.push(SCRATCH);
                for address in [target, invoke] {
                    asm.mov_imm(SCRATCH, address as u64);
                    asm.push(SCRATCH);
                }
                asm.call_out(handlers.invoke);
            }
        }
        true
    }
}
