//! Unwind rules and the operations of instructions, from Cranelift's tables, for the journal and
//! the log. Whether they are wanted changes no instruction.
//!
//! An operation is a source location to Cranelift. Cranelift describes frames where they are made,
//! not where they are left: an unwinder that looks in the last instructions of a function is
//! misled.

use cranelift_codegen::Final;
use cranelift_codegen::MachBufferFinalized;
use cranelift_codegen::ir::SourceLoc;
use cranelift_codegen::isa::unwind::UnwindInst;
use std::fmt::Write;
use verdigris_backend::journal::UnwindRule;

/// The frame pointer, the stack pointer, and the register of the return address if calls leave it
/// in one, as DWARF numbers them.
const NUMBERS: (u16, u16, Option<u16>) = if cfg!(target_arch = "x86_64") {
    (6, 7, None)
} else if cfg!(target_arch = "aarch64") {
    (29, 31, Some(30))
} else {
    (8, 2, Some(1))
};

/// The source location that stands for an operation.
pub(crate) fn origin(op: u32) -> SourceLoc {
    SourceLoc::new(op)
}

/// The operations of the code, by the offset where each begins.
pub(crate) fn ops(buffer: &MachBufferFinalized<Final>) -> Vec<(u32, u32)> {
    let places = buffer.get_srclocs_sorted().iter();
    let known = places.filter(|place| !place.loc.is_default());
    let mut ops: Vec<(u32, u32)> = known.map(|place| (place.start, place.loc.bits())).collect();
    ops.dedup_by_key(|&mut (_, op)| op);
    ops
}

/// The unwind rules of the code, by offset.
pub(crate) fn frames(buffer: &MachBufferFinalized<Final>) -> Vec<(u32, UnwindRule)> {
    let (frame_pointer, stack_pointer, link) = NUMBERS;
    let saved = |register, below| UnwindRule::Saved { register, below };
    let begins = |register, above| UnwindRule::Begins { register, above };
    let mut frames = Vec::new();
    // From the beginning of the frame down to where registers are saved.
    let mut bottom = 0;
    for (offset, change) in &buffer.unwind_info {
        let mut note = |frame| frames.push((*offset, frame));
        match *change {
            UnwindInst::PushFrameRegs {
                offset_upward_to_caller_sp: above,
            } => {
                note(begins(stack_pointer, above));
                note(saved(frame_pointer, above));
                if let Some(link) = link {
                    note(saved(link, above - 8));
                }
            }
            UnwindInst::DefineNewFrame {
                offset_upward_to_caller_sp: above,
                offset_downward_to_clobbers: below,
            } => {
                note(begins(frame_pointer, above));
                bottom = above + below;
            }
            UnwindInst::SaveReg {
                clobber_offset,
                reg,
            } => {
                // The class of general registers comes first. Neither type is named outside of
                // Cranelift.
                let register = dwarf(reg.hw_enc(), reg.class() as u8 == 0);
                note(saved(register, bottom - clobber_offset));
            }
            // With a frame pointer the size of the frame does not matter; the others are about
            // convention or signed addresses.
            UnwindInst::StackAlloc { .. }
            | UnwindInst::RegStackOffset { .. }
            | UnwindInst::Aarch64SetPointerAuth { .. } => {}
        }
    }
    frames
}

/// The number in DWARF of a general register, or of one of another class.
fn dwarf(number: u8, is_general: bool) -> u16 {
    // Of the general registers of x86-64 the first eight are in an order of their own.
    const X64: [u16; 8] = [0, 2, 1, 3, 7, 6, 4, 5];
    const OTHERS: u16 = if cfg!(target_arch = "x86_64") {
        17
    } else if cfg!(target_arch = "aarch64") {
        64
    } else {
        32
    };
    match X64.get(usize::from(number)) {
        _ if !is_general => OTHERS + u16::from(number),
        Some(&other) if cfg!(target_arch = "x86_64") => other,
        _ => u16::from(number),
    }
}

/// Writes a table of operations, by offset in the code.
pub(crate) fn list(text: &mut String, lines: &[String], ops: &[(u32, u32)]) {
    for &(offset, op) in ops {
        let line = lines.get(op as usize).map_or("", String::as_str);
        let _ = writeln!(text, "; {offset:#06x}: {line}");
    }
}
