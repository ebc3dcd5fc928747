//! Slow paths: what is rarely executed, behind the code that goes through. In: what to do, with the
//! registers that it is about. Out: code that goes back with every register as it was, but for a
//! result. Invariant: a slow path changes no place of a value, since handlers save all registers
//! where the collector sees them.

use crate::asm::{Gpr, Label, Mem, Xmm, cond, regs};
use crate::file::SCRATCH;
use crate::lower::Lower;
use crate::moves::store;
use crate::names::*;

/// A slow path.
pub(crate) struct Slow {
    pub(crate) enter: Label,
    pub(crate) back: Label,
    pub(crate) path: Path,
}

/// What is done in it.
#[derive(Clone, Copy)]
pub(crate) enum Path {
    /// An object that the bump allocator cannot serve.
    Alloc {
        object: Gpr,
        size: u32,
        class_word: i32,
        /// Whether doubles are in registers.
        keeps_doubles: bool,
    },
    /// A double that fits no integer.
    Saturate(Gpr, Xmm),
    /// Asks whether there is room for an array, and fails a guard otherwise.
    Room { len: Gpr, stride: u32, stub: Label },
    /// Lets suspended code give an object back.
    Reclaim(Gpr),
    /// Leaves: the heap is used up.
    OutOfMemory,
    /// A call with its arguments in the frame, of this function by its thunk.
    Invoke {
        target: usize,
        invoke: usize,
        /// Where its arguments are noted, and how many there are.
        stores: (u32, u32),
    },
    /// A call of the portal for which there is no code.
    Runner {
        target: usize,
        invoke: usize,
        results: u32,
    },
    /// The rest of a call whose code has been left.
    Left,
}

impl Lower<'_> {
    pub(crate) fn slow_labels(&mut self) -> (Label, Label) {
        let asm = &mut self.work.file.asm;
        (asm.new_label(), asm.new_label())
    }

    /// Where code goes when there is no memory.
    pub(crate) fn out_of_memory(&mut self) -> Label {
        let known = (self.work.slow.iter()).find(|slow| matches!(slow.path, Path::OutOfMemory));
        if let Some(slow) = known {
            return slow.enter;
        }
        let (enter, back) = self.slow_labels();
        let path = Path::OutOfMemory;
        self.work.slow.push(Slow { enter, back, path });
        enter
    }

    /// Makes the slow paths.
    pub(crate) fn slow_paths(&mut self) {
        // Some lead to the exit for exhausted memory, which is added then.
        let mut n = 0;
        while let Some(slow) = self.work.slow.get(n) {
            let (enter, back, path) = (slow.enter, slow.back, slow.path);
            let mark = self.work.mark();
            self.work.file.asm.bind(enter);
            if self.slow_path(path) {
                self.work.file.asm.jump(back);
            }
            self.work.originate_slow(mark, n);
            n += 1;
        }
    }

    /// Answers whether the path goes back.
    fn slow_path(&mut self, path: Path) -> bool {
        let handlers = self.links.handlers;
        let asm = &mut self.work.file.asm;
        match path {
            Path::Alloc {
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
                let asm = &mut self.work.file.asm;
                asm.reg_rm(&MOV, object.0, SCRATCH);
            }
            Path::Saturate(reg, x) => self.saturate(reg, x),
            Path::Room { len, stride, stub } => {
                asm.push(len);
                asm.push_imm(stride as i32);
                asm.call_out(handlers.room);
                asm.rm_reg(&TEST, SCRATCH, SCRATCH.0);
                asm.jump_if(cond::E, stub);
            }
            Path::Reclaim(object) => {
                asm.push(object);
                asm.call_out(handlers.reclaim);
                self.or_exhausted();
            }
            Path::OutOfMemory => {
                asm.jump_out(handlers.out_of_memory);
                return false;
            }
            Path::Runner {
                target,
                invoke,
                results,
            } => self.runner(target, invoke, results),
            Path::Left => self.left(),
            Path::Invoke {
                target,
                invoke,
                stores: (first, len),
            } => {
                for n in 0..len {
                    let place = self.work.stores[(first + n) as usize];
                    store(asm, place, stack_word(n as usize));
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

/// The memory at the end of the stack.
pub(crate) fn stack_word(n: usize) -> Mem {
    Mem::At(regs::RSP, 8 * n as i32)
}
