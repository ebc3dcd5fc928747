//! The handlers that all code of a backend shares.

use crate::asm::Asm;
use crate::asm::instructions::*;
use crate::asm::operands::{Mem, regs};
use crate::asm::unwind::begins;
use crate::registers::{CALLER_SAVED, CONTEXT, SCRATCH};
use crate::trampolines::{FINISHED, Handlers, OUT_OF_MEMORY, epilogue, exit_word};
use verdigris_backend::BackendError;
use verdigris_backend::arena::CodeArena;
use verdigris_backend::journal;
use verdigris_heap::{vd_alloc_array, vd_alloc_slow, vd_has_room, vd_invalidate, vd_reclaim};

/// An argument of a function that a handler calls.
enum Arg {
    Context,
    /// Pushed by the caller; the last one is 0.
    Pushed(usize),
}

/// Makes the handlers. `exit` is the address of the function that guards leave through
/// ([`crate::enter::leave`]), `registry` its last argument.
///
/// # Errors
/// If there is no memory.
pub(crate) fn handlers(
    arena: &CodeArena,
    registry: u64,
    exit: u64,
) -> Result<Handlers, BackendError> {
    use Arg::{Context as Ctx, Pushed};
    let mut asm = Asm::default();
    // It comes first, so that readers of the journal can tell it from the others.
    let exit_at = asm.here();
    asm.is_called();
    leave(&mut asm, registry, exit);
    let finish = asm.here();
    asm.is_in_trace();
    asm.reg_rm(&MOV, regs::RDX.0, exit_word(0));
    asm.mov_imm(regs::RAX, FINISHED);
    epilogue(&mut asm);
    let out_of_memory = asm.here();
    asm.is_in_trace();
    asm.mov_imm(regs::RAX, OUT_OF_MEMORY);
    epilogue(&mut asm);
    let address = |function: *const ()| Some(function as usize);
    let alloc_without_doubles = asm.here();
    let slow = address(vd_alloc_slow as *const ());
    keep_and_call(&mut asm, slow, 2, &[Ctx, Pushed(0), Pushed(1)], 0);
    let mut keeping = |function: Option<usize>, pushed, args: &[Arg]| {
        let here = asm.here();
        keep_and_call(&mut asm, function, pushed, args, 16);
        here
    };
    let alloc = keeping(
        address(vd_alloc_slow as *const ()),
        2,
        &[Ctx, Pushed(0), Pushed(1)],
    );
    let array = keeping(
        address(vd_alloc_array as *const ()),
        3,
        &[Ctx, Pushed(0), Pushed(1), Pushed(2)],
    );
    let room = keeping(
        address(vd_has_room as *const ()),
        2,
        &[Ctx, Pushed(0), Pushed(1)],
    );
    let reclaim = keeping(address(vd_reclaim as *const ()), 1, &[Ctx, Pushed(0)]);
    let invalidate = keeping(address(vd_invalidate as *const ()), 1, &[Ctx, Pushed(0)]);
    let invoke = keeping(None, 3, &[Pushed(1), Pushed(2)]);
    asm.finish();
    // There is room for unwind rules in any case, since the engine may ask for a journal later.
    let piece = arena.take(asm.code.len(), 0, journal::room(asm.unwind.len()))?;
    piece.write(0, &asm.code);
    let at = |offset: u32| piece.address() + offset as usize;
    Ok(Handlers {
        exit: at(exit_at),
        finish: at(finish),
        out_of_memory: at(out_of_memory),
        alloc: at(alloc),
        alloc_without_doubles: at(alloc_without_doubles),
        array: at(array),
        room: at(room),
        reclaim: at(reclaim),
        invalidate: at(invalidate),
        invoke: at(invoke),
        piece,
        code: asm.code,
        unwind: asm.unwind,
    })
}

/// Saves all registers below the stub's address, and lets Rust write the exit buffer.
fn leave(asm: &mut Asm, registry: u64, exit: u64) {
    // The return address makes the stack pointer odd.
    const SAVED: i32 = 8 * (32 + 1);
    asm.reg_rm(&LEA, regs::RSP.0, Mem::At(regs::RSP, -SAVED));
    asm.unwind_rule(begins(regs::RSP, 8 + SAVED as u32));
    for n in 0..16 {
        asm.rm_reg(&MOV_STORE, Mem::At(regs::RSP, 8 * n), n as u8);
        asm.rm_reg(&MOVSD_STORE, Mem::At(regs::RSP, 8 * (16 + n)), n as u8);
    }
    asm.reg_rm(&MOV, regs::RDI.0, CONTEXT);
    asm.reg_rm(&MOV, regs::RSI.0, regs::RSP);
    asm.reg_rm(&MOV, regs::RDX.0, Mem::At(regs::RSP, SAVED));
    asm.mov_imm(regs::RCX, registry);
    asm.mov_imm(regs::RAX, exit);
    asm.only_rm(&CALL, 2, regs::RAX);
    asm.is_in_trace();
    epilogue(asm);
}

/// Calls a function, or the address that was pushed last, and preserves the general registers and
/// the first `vectors` vector registers. The result is in the scratch register.
fn keep_and_call(
    asm: &mut Asm,
    function: Option<usize>,
    pushed: usize,
    args: &[Arg],
    vectors: usize,
) {
    let saved = CALLER_SAVED.len() + vectors;
    // The pushed words, the return address and the saved registers are an even number of words.
    let words = saved + (saved + pushed + 1) % 2;
    let size = 8 * words as i32;
    asm.is_called();
    asm.reg_rm(&LEA, regs::RSP.0, Mem::At(regs::RSP, -size));
    asm.unwind_rule(begins(regs::RSP, 8 + size as u32));
    let at = |n: usize| Mem::At(regs::RSP, 8 * n as i32);
    for (n, reg) in CALLER_SAVED.into_iter().enumerate() {
        asm.rm_reg(&MOV_STORE, at(n), reg.0);
    }
    for n in 0..vectors {
        asm.rm_reg(&MOVSD_STORE, at(CALLER_SAVED.len() + n), n as u8);
    }
    let order = [regs::RDI, regs::RSI, regs::RDX, regs::RCX];
    for (arg, reg) in args.iter().zip(order) {
        match arg {
            Arg::Context => asm.reg_rm(&MOV, reg.0, CONTEXT),
            Arg::Pushed(n) => asm.reg_rm(&MOV, reg.0, at(words + 1 + n)),
        }
    }
    match function {
        Some(function) => asm.mov_imm(regs::RAX, function as u64),
        None => asm.reg_rm(&MOV, regs::RAX.0, at(words + 1)),
    }
    asm.only_rm(&CALL, 2, regs::RAX);
    asm.reg_rm(&MOV, SCRATCH.0, regs::RAX);
    for (n, reg) in CALLER_SAVED.into_iter().enumerate() {
        asm.reg_rm(&MOV, reg.0, at(n));
    }
    for n in 0..vectors {
        asm.reg_rm(&MOVSD_LOAD, n as u8, at(CALLER_SAVED.len() + n));
    }
    asm.reg_rm(&LEA, regs::RSP.0, Mem::At(regs::RSP, size));
    asm.unwind_rule(begins(regs::RSP, 8));
    asm.ret(8 * pushed as u16);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trampolines::tests::check;
    use expect_test::expect;

    #[test]
    fn a_handler_finds_its_way_back_past_what_it_has_saved() {
        let make = |asm: &mut Asm| keep_and_call(asm, Some(1), 1, &[Arg::Context], 0);
        check(
            make,
            expect![[r#"
            ; begins 8 above r7
            ; r15 is kept
            ; r14 is kept
            ; r13 is kept
            ; r12 is kept
            ; r3 is kept
            ; r6 is kept
              lea rsp, qword [rsp - 0x40]
            ; begins 72 above r7
              mov qword [rsp], rax
              mov qword [rsp + 0x8], rcx
              mov qword [rsp + 0x10], rdx
              mov qword [rsp + 0x18], rsi
              mov qword [rsp + 0x20], rdi
              mov qword [rsp + 0x28], r8
              mov qword [rsp + 0x30], r9
              mov qword [rsp + 0x38], r10
              mov rdi, r15
              mov rax, 0x1
              call rax
              mov r11, rax
              mov rax, qword [rsp]
              mov rcx, qword [rsp + 0x8]
              mov rdx, qword [rsp + 0x10]
              mov rsi, qword [rsp + 0x18]
              mov rdi, qword [rsp + 0x20]
              mov r8, qword [rsp + 0x28]
              mov r9, qword [rsp + 0x30]
              mov r10, qword [rsp + 0x38]
              lea rsp, qword [rsp + 0x40]
            ; begins 8 above r7
              ret 8
        "#]],
        );
    }
}
