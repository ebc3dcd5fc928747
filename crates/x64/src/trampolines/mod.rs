//! Code around compiled traces: *handlers*, which all traces share (exits, and calls of the runtime
//! that preserve all registers), and *entries*, functions of the C convention that load a label's
//! parameters and go there.
//!
//! An entry takes the context and the address of the parameters. Code returns in `rax` how it was
//! left ([`FINISHED`] and so on), and in `rdx` the first word of a result. The caller's registers
//! lie above the frame pointer; behind the entry's frame the stack pointer is a multiple of 16.

pub(crate) mod entry;
pub(crate) mod handlers;

use crate::asm::Asm;
use crate::asm::instructions::*;
use crate::asm::operands::{Mem, regs};
use crate::asm::unwind::{ABOVE, begins, dwarf};
use crate::registers::{CALLEE_SAVED, CONTEXT};
use std::mem::offset_of;
use verdigris_backend::BackendError;
use verdigris_backend::arena::{CodeArena, CodeBlock};
use verdigris_backend::journal::{self, CodeKind, MachineCode, UnwindRule};
use verdigris_heap::Context;

/// Compiled code was left at its end.
pub(crate) const FINISHED: u64 = 0;
/// Compiled code was left because the heap is exhausted.
pub(crate) const OUT_OF_MEMORY: u64 = 1;
/// Compiled code was left by the guard whose number is so much less.
pub(crate) const FIRST_GUARD: u64 = 2;

/// Word `n` of the exit buffer.
pub(crate) fn exit_word(n: usize) -> Mem {
    Mem::At(CONTEXT, (offset_of!(Context, exits) + 8 * n) as i32)
}

/// Word `n` at the end of the stack.
pub(crate) fn stack_word(n: usize) -> Mem {
    Mem::At(regs::RSP, 8 * n as i32)
}

/// Addresses of code that all traces share.
pub(crate) struct Handlers {
    pub(crate) piece: CodeBlock,
    /// For the journal.
    code: Vec<u8>,
    unwind: Vec<(u32, UnwindRule)>,
    /// Called at the end of a stub: leaves through the guard whose stub it is.
    pub(crate) exit: usize,
    pub(crate) finish: usize,
    pub(crate) out_of_memory: usize,
    /// `(class word, size)`: an object.
    pub(crate) alloc: usize,
    /// The same, while no double is in a register.
    pub(crate) alloc_without_doubles: usize,
    /// `(length, stride, class word)`: an array.
    pub(crate) array: usize,
    /// `(length, stride)`: whether there is room.
    pub(crate) room: usize,
    /// `(object)`: whether there was memory.
    pub(crate) reclaim: usize,
    /// `(address)`.
    pub(crate) invalidate: usize,
    /// `(arguments, target, function)`: calls `function(target, arguments)`.
    pub(crate) invoke: usize,
}

impl Handlers {
    /// Notes the handlers in the arena's journal.
    pub(crate) fn note(&self, arena: &CodeArena) {
        let (code, unwind) = (self.code.clone(), self.unwind.clone());
        note(
            arena,
            CodeKind::Shared("handlers"),
            &self.piece,
            code,
            unwind,
        );
    }
}

/// Makes the frame of a trace except for its size.
pub(crate) fn prologue(asm: &mut Asm) {
    asm.is_called();
    for (&reg, words) in CALLEE_SAVED.iter().zip(2..) {
        asm.push(reg);
        asm.unwind_rule(begins(regs::RSP, 8 * words));
        let (register, below) = (dwarf(reg), 8 * words);
        asm.unwind_rule(UnwindRule::Saved { register, below });
    }
    asm.reg_rm(&MOV, regs::RBP.0, regs::RSP);
    asm.unwind_rule(begins(regs::RBP, ABOVE));
}

/// Ends the frame of a trace, and returns to the caller of the entry.
pub(crate) fn epilogue(asm: &mut Asm) {
    asm.reg_rm(&MOV, regs::RSP.0, regs::RBP);
    asm.unwind_rule(begins(regs::RSP, ABOVE));
    for (&reg, words) in CALLEE_SAVED.iter().rev().zip(1..) {
        asm.pop(reg);
        asm.unwind_rule(begins(regs::RSP, ABOVE - 8 * words));
        let register = dwarf(reg);
        asm.unwind_rule(UnwindRule::Kept { register });
    }
    asm.ret(0);
}

/// Places finished code, with the distances to addresses outside. `rules` is the number of its
/// unwind rules.
///
/// # Errors
/// If there is no memory, or none close enough.
pub(crate) fn place(
    arena: &CodeArena,
    asm: &mut Asm,
    hot: u32,
    rules: usize,
) -> Result<CodeBlock, BackendError> {
    let room = if arena.keeps_journal() {
        journal::room(rules)
    } else {
        0
    };
    let piece = arena.take(asm.code.len(), hot as usize, room)?;
    for &(at, address) in &asm.outside {
        let here = piece.address() + at as usize + 4;
        let distance = i32::try_from(address as i64 - here as i64)
            .map_err(|_| BackendError("code lies too far apart".to_owned()))?;
        asm.code[at as usize..][..4].copy_from_slice(&distance.to_le_bytes());
    }
    piece.write(0, &asm.code);
    Ok(piece)
}

/// Notes code around traces in the arena's journal.
pub(crate) fn note(
    arena: &CodeArena,
    what: CodeKind,
    piece: &CodeBlock,
    bytes: Vec<u8>,
    unwind: Vec<(u32, UnwindRule)>,
) {
    arena.note(|| MachineCode {
        what,
        address: piece.address(),
        bytes,
        room: journal::room(unwind.len()),
        frames: unwind,
        below: None,
        ops: Vec::new(),
    });
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    /// Checks code with its unwind rules, in which registers have DWARF's numbers.
    pub(crate) fn check(make: impl FnOnce(&mut Asm), expected: Expect) {
        let mut asm = Asm::default();
        asm.clear(true);
        make(&mut asm);
        expected.assert_eq(&asm.text.unwrap());
    }

    #[test]
    fn what_the_end_pops_is_the_callers_again() {
        check(
            epilogue,
            expect![[r#"
              mov rsp, rbp
            ; begins 56 above r7
              pop rbp
            ; begins 48 above r7
            ; r6 is kept
              pop rbx
            ; begins 40 above r7
            ; r3 is kept
              pop r12
            ; begins 32 above r7
            ; r12 is kept
              pop r13
            ; begins 24 above r7
            ; r13 is kept
              pop r14
            ; begins 16 above r7
            ; r14 is kept
              pop r15
            ; begins 8 above r7
            ; r15 is kept
              ret 0
        "#]],
        );
    }

    #[test]
    fn the_beginning_says_what_it_pushes() {
        check(
            prologue,
            expect![[r#"
            ; begins 8 above r7
            ; r15 is kept
            ; r14 is kept
            ; r13 is kept
            ; r12 is kept
            ; r3 is kept
            ; r6 is kept
              push r15
            ; begins 16 above r7
            ; r15 is saved 16 below
              push r14
            ; begins 24 above r7
            ; r14 is saved 24 below
              push r13
            ; begins 32 above r7
            ; r13 is saved 32 below
              push r12
            ; begins 40 above r7
            ; r12 is saved 40 below
              push rbx
            ; begins 48 above r7
            ; r3 is saved 48 below
              push rbp
            ; begins 56 above r7
            ; r6 is saved 56 below
              mov rbp, rsp
            ; begins 56 above r6
        "#]],
        );
    }
}
