//! Code around compiled traces. In: nothing, or a label's contract. Out: *handlers*, which all code
//! of a backend shares: the exit of guards, the ends, and calls of the runtime that keep all
//! registers; and *entries*, functions of the C calling convention that load a label's parameters
//! from memory and go there.
//!
//! An entry takes the context and the address of the parameters; the code gives back in `rax` how
//! it was left (see `enter`), and in `rdx` the first word of a result. Invariants: registers that
//! the caller wants back lie above the frame pointer; behind the entry's frame is set, the stack
//! pointer is a multiple of 16.

use crate::asm::{Asm, Gpr, Mem, regs};
use crate::file::{CONTEXT, SCRATCH, as_gpr, as_xmm, slot_mem};
use crate::frames::{ABOVE, begins, dwarf};
use crate::names::*;
use crate::unit::LabelCode;
use crate::values::Loc;
use std::mem::offset_of;
use verdigris_backend::BackendError;
use verdigris_backend::arena::{CodeArena, CodeBlock};
use verdigris_backend::journal::{self, CodeKind, MachineCode, UnwindRule};
use verdigris_heap::{
    Context, vd_alloc_array, vd_alloc_slow, vd_has_room, vd_invalidate, vd_reclaim,
};

/// Registers that the caller wants back, in the order in which they are pushed; the frame pointer
/// comes last.
pub(crate) const KEPT: [Gpr; 6] = [
    regs::R15,
    regs::R14,
    regs::R13,
    regs::R12,
    regs::RBX,
    regs::RBP,
];

/// Registers that a called function may change.
const CHANGED: [Gpr; 8] = [
    regs::RAX,
    regs::RCX,
    regs::RDX,
    regs::RSI,
    regs::RDI,
    regs::R8,
    regs::R9,
    Gpr(10),
];

/// What [`crate::enter::leave`] says of how code was left.
pub(crate) const FINISHED: u64 = 0;
/// The same.
pub(crate) const OUT_OF_MEMORY: u64 = 1;
/// Guards count from here.
pub(crate) const FIRST_GUARD: u64 = 2;

/// Where word `n` of the exit buffer is.
pub(crate) fn exit_word(n: usize) -> Mem {
    Mem::At(CONTEXT, (offset_of!(Context, exits) + 8 * n) as i32)
}

/// Addresses of code that all traces share.
pub(crate) struct Handlers {
    pub(crate) piece: CodeBlock,
    /// For the journal.
    code: Vec<u8>,
    frames: Vec<(u32, UnwindRule)>,
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

/// An argument of a function that a handler calls.
enum Arg {
    Context,
    /// Pushed by the caller; the last one is 0.
    Pushed(usize),
}

impl Handlers {
    /// `registry` is what [`crate::enter::leave`] wants to know.
    ///
    /// # Errors
    /// If there is no memory.
    pub(crate) fn new(arena: &CodeArena, registry: u64) -> Result<Handlers, BackendError> {
        use Arg::{Context as Ctx, Pushed};
        let mut asm = Asm::default();
        // It comes first, so that whoever reads the journal can tell it from the others.
        let exit = asm.here();
        asm.is_called();
        leave(&mut asm, registry);
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
        // Whether the engine will ask for a journal is not known yet, so there is room behind the
        // code in any case.
        let piece = arena.take(asm.code.len(), 0, journal::room(asm.frames.len()))?;
        piece.write(0, &asm.code);
        let at = |offset: u32| piece.address() + offset as usize;
        Ok(Handlers {
            exit: at(exit),
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
            frames: asm.frames,
        })
    }

    /// Writes the handlers in the arena's journal.
    pub(crate) fn note(&self, arena: &CodeArena) {
        let (code, frames) = (self.code.clone(), self.frames.clone());
        note(
            arena,
            CodeKind::Shared("handlers"),
            &self.piece,
            code,
            frames,
        );
    }
}

/// Saves all registers below the stub's address, and lets Rust write the exit buffer.
fn leave(asm: &mut Asm, registry: u64) {
    // The return address makes the stack pointer odd.
    const SAVED: i32 = 8 * (32 + 1);
    asm.reg_rm(&LEA, regs::RSP.0, Mem::At(regs::RSP, -SAVED));
    asm.frame(begins(regs::RSP, 8 + SAVED as u32));
    for n in 0..16 {
        asm.rm_reg(&MOV_STORE, Mem::At(regs::RSP, 8 * n), n as u8);
        asm.rm_reg(&MOVSD_STORE, Mem::At(regs::RSP, 8 * (16 + n)), n as u8);
    }
    asm.reg_rm(&MOV, regs::RDI.0, CONTEXT);
    asm.reg_rm(&MOV, regs::RSI.0, regs::RSP);
    asm.reg_rm(&MOV, regs::RDX.0, Mem::At(regs::RSP, SAVED));
    asm.mov_imm(regs::RCX, registry);
    asm.mov_imm(regs::RAX, crate::enter::leave as *const () as u64);
    asm.only_rm(&CALL, 2, regs::RAX);
    asm.is_in_trace();
    epilogue(asm);
}

/// Makes the frame of a trace, but for its size.
fn prologue(asm: &mut Asm) {
    asm.is_called();
    for (&reg, words) in KEPT.iter().zip(2..) {
        asm.push(reg);
        asm.frame(begins(regs::RSP, 8 * words));
        let (register, below) = (dwarf(reg), 8 * words);
        asm.frame(UnwindRule::Saved { register, below });
    }
    asm.reg_rm(&MOV, regs::RBP.0, regs::RSP);
    asm.frame(begins(regs::RBP, ABOVE));
}

/// Ends it, and returns to the caller of the entry.
fn epilogue(asm: &mut Asm) {
    asm.reg_rm(&MOV, regs::RSP.0, regs::RBP);
    asm.frame(begins(regs::RSP, ABOVE));
    for (&reg, words) in KEPT.iter().rev().zip(1..) {
        asm.pop(reg);
        asm.frame(begins(regs::RSP, ABOVE - 8 * words));
        let register = dwarf(reg);
        asm.frame(UnwindRule::Kept { register });
    }
    asm.ret(0);
}

/// Calls a function, or the address that was pushed last, with every register kept, of the vector
/// registers so many; its answer is in the scratch register.
fn keep_and_call(
    asm: &mut Asm,
    function: Option<usize>,
    pushed: usize,
    args: &[Arg],
    vectors: usize,
) {
    let saved = CHANGED.len() + vectors;
    // What was pushed, the return address, and what is saved are an even number of words.
    let words = saved + (saved + pushed + 1) % 2;
    let size = 8 * words as i32;
    asm.is_called();
    asm.reg_rm(&LEA, regs::RSP.0, Mem::At(regs::RSP, -size));
    asm.frame(begins(regs::RSP, 8 + size as u32));
    let at = |n: usize| Mem::At(regs::RSP, 8 * n as i32);
    for (n, reg) in CHANGED.into_iter().enumerate() {
        asm.rm_reg(&MOV_STORE, at(n), reg.0);
    }
    for n in 0..vectors {
        asm.rm_reg(&MOVSD_STORE, at(CHANGED.len() + n), n as u8);
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
    for (n, reg) in CHANGED.into_iter().enumerate() {
        asm.reg_rm(&MOV, reg.0, at(n));
    }
    for n in 0..vectors {
        asm.reg_rm(&MOVSD_LOAD, n as u8, at(CHANGED.len() + n));
    }
    asm.reg_rm(&LEA, regs::RSP.0, Mem::At(regs::RSP, size));
    asm.frame(begins(regs::RSP, 8));
    asm.ret(8 * pushed as u16);
}

/// A function that enters a label.
///
/// # Errors
/// If there is no memory, or none close enough.
pub(crate) fn entry(arena: &CodeArena, label: &LabelCode) -> Result<CodeBlock, BackendError> {
    let mut asm = Asm::default();
    prologue(&mut asm);
    let frame = label.unit.frame as i32;
    asm.reg_rm(&LEA, regs::RSP.0, Mem::At(regs::RBP, -frame));
    asm.reg_rm(&MOV, CONTEXT.0, regs::RDI);
    let mut last = None;
    for (n, &loc) in label.contract.iter().enumerate() {
        let from = Mem::At(regs::RSI, 8 * n as i32);
        if loc == Loc(u16::from(regs::RSI.0)) {
            last = Some(from);
        } else if loc.is_slot() {
            asm.reg_rm(&MOV, SCRATCH.0, from);
            asm.rm_reg(&MOV_STORE, slot_mem(loc), SCRATCH.0);
        } else if loc.is_gpr() {
            asm.reg_rm(&MOV, as_gpr(loc).0, from);
        } else if loc.is_xmm() {
            asm.reg_rm(&MOVSD_LOAD, as_xmm(loc).0, from);
        }
    }
    if let Some(from) = last {
        asm.reg_rm(&MOV, regs::RSI.0, from);
    }
    asm.jump_out(label.address());
    asm.finish();
    let frames = asm.frames.len();
    let piece = place(arena, &mut asm, 0, frames)?;
    note(arena, CodeKind::Entry, &piece, asm.code, asm.frames);
    Ok(piece)
}

/// Puts finished code into memory, with the distances to what lies outside. Its frame changes so
/// often.
///
/// # Errors
/// If there is no memory, or none close enough.
pub(crate) fn place(
    arena: &CodeArena,
    asm: &mut Asm,
    hot: u32,
    frames: usize,
) -> Result<CodeBlock, BackendError> {
    let room = if arena.keeps_journal() {
        journal::room(frames)
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

/// Writes code around traces in the arena's journal.
fn note(
    arena: &CodeArena,
    what: CodeKind,
    piece: &CodeBlock,
    bytes: Vec<u8>,
    frames: Vec<(u32, UnwindRule)>,
) {
    arena.note(|| MachineCode {
        what,
        address: piece.address(),
        bytes,
        room: journal::room(frames.len()),
        frames,
        below: None,
        ops: Vec::new(),
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    /// Code with what is noted of its frame. Registers have DWARF's numbers there.
    fn check(make: impl FnOnce(&mut Asm), expected: Expect) {
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
