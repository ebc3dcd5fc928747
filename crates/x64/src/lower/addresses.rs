//! Addresses of fields and items, computed as far as possible in the instruction that uses them.
//!
//! No register but the scratch register holds an address or a distance within an object for longer
//! than an operation.

use crate::asm::instructions::LEA;
use crate::asm::operands::{Gpr, Mem};
use crate::regalloc::RegAlloc;
use crate::registers::SCRATCH;
use verdigris_heap::ARRAY_LEN_OFFSET;
use verdigris_ops::{DataOp, Descrs, SlotLayout};
use verdigris_trace::{Arg, Opcode, OptimisedOp};

/// The offset of an array's length.
pub(super) const LENGTH: i32 = ARRAY_LEN_OFFSET as i32;

/// The layout of a word.
const WHOLE: SlotLayout = SlotLayout {
    offset: 0,
    size: 8,
    signed: true,
    stride: 0,
};

/// The memory that a load reads.
pub(super) fn read_place(
    regs: &mut RegAlloc,
    descrs: &Descrs,
    op: OptimisedOp<'_>,
) -> (Mem, SlotLayout) {
    use DataOp::*;
    match op.opcode() {
        Opcode::Data(GetFieldI | GetFieldR | GetFieldF | GetFieldW) => field(regs, descrs, op),
        Opcode::Data(GetItemI | GetItemR | GetItemF | GetItemW) => item(regs, descrs, op),
        _ => (Mem::At(regs.gpr(op.arg(0)), LENGTH), WHOLE),
    }
}

/// The memory of a field.
pub(super) fn field(
    regs: &mut RegAlloc,
    descrs: &Descrs,
    op: OptimisedOp<'_>,
) -> (Mem, SlotLayout) {
    let layout = descrs.fields[op.field()].layout;
    let base = regs.gpr(op.arg(0));
    (Mem::At(base, layout.offset as i32), layout)
}

/// The memory of an item.
pub(super) fn item(regs: &mut RegAlloc, descrs: &Descrs, op: OptimisedOp<'_>) -> (Mem, SlotLayout) {
    let class = op.class();
    let (_, layout, _) = descrs.item(class);
    let start = descrs.classes[class].size + layout.offset;
    let base = regs.gpr(op.arg(0));
    let index = op.arg(1);
    let constant = match regs.known(index) {
        Some(word) => constant_offset(i64::from(start), word as i64, layout),
        None => None,
    };
    let mem = match constant {
        Some(offset) => Mem::At(base, offset),
        None => indexed(regs, base, index, layout.stride, start as i32),
    };
    (mem, layout)
}

/// The memory `index` strides behind the start.
fn indexed(regs: &mut RegAlloc, base: Gpr, index: Arg, stride: u32, start: i32) -> Mem {
    let (factor, scale) = match stride {
        0 => return Mem::At(base, start),
        1 | 2 | 4 | 8 => (1, stride.trailing_zeros()),
        _ => {
            let scale = stride.trailing_zeros().min(3);
            (stride >> scale, scale)
        }
    };
    let scale = scale as u8;
    if factor == 1 {
        let index = regs.gpr(index);
        return Mem::Indexed(base, index, scale, start);
    }
    let name = index.as_ref().map(|v| (regs.canon(v), factor));
    if name.is_none() || regs.scratch != name {
        let index = regs.gpr(index);
        let asm = &mut regs.asm;
        match factor {
            2 => asm.reg_rm(&LEA, SCRATCH.0, Mem::Indexed(index, index, 0, 0)),
            3 | 5 | 9 => {
                let scale = (factor - 1).trailing_zeros() as u8;
                asm.reg_rm(&LEA, SCRATCH.0, Mem::Indexed(index, index, scale, 0));
            }
            _ => asm.imul_imm(SCRATCH, index.into(), factor as i32),
        }
        regs.scratch = name;
    }
    Mem::Indexed(base, SCRATCH, scale, start)
}

/// Whether an operation loads 64 bits as they are.
pub(super) fn is_word_load(descrs: &Descrs, op: OptimisedOp<'_>) -> bool {
    use DataOp::*;
    let size = match op.opcode() {
        Opcode::Data(GetFieldI | GetFieldR | GetFieldF | GetFieldW) => {
            descrs.fields[op.field()].layout.size
        }
        Opcode::Data(GetItemI | GetItemR | GetItemF | GetItemW) => descrs.item(op.class()).1.size,
        Opcode::Data(ArrayLen) => WHOLE.size,
        _ => 0,
    };
    size == WHOLE.size
}

/// The offset of item `index`, if it fits in an instruction.
fn constant_offset(start: i64, index: i64, layout: SlotLayout) -> Option<i32> {
    let distance = index.checked_mul(i64::from(layout.stride))?;
    i32::try_from(distance.checked_add(start)?).ok()
}
