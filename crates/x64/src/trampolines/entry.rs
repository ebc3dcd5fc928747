//! Entries, by which Rust enters labels.

use crate::asm::Asm;
use crate::asm::instructions::*;
use crate::asm::operands::{Mem, regs};
use crate::code::LabelCode;
use crate::locations::{Loc, as_gpr, as_xmm, slot_mem};
use crate::registers::{CONTEXT, SCRATCH};
use crate::trampolines::{note, place, prologue};
use verdigris_backend::BackendError;
use verdigris_backend::arena::{CodeArena, CodeBlock};
use verdigris_backend::journal::CodeKind;

/// Makes the function that enters a label.
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
    let frames = asm.unwind.len();
    let piece = place(arena, &mut asm, 0, frames)?;
    note(arena, CodeKind::Entry, &piece, asm.code, asm.unwind);
    Ok(piece)
}
