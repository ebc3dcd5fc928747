//! Fields and items. In: an operation with its descriptor. Out: loads and stores with the address
//! computed in the instruction. Invariant: a place is as wide as its field; no register holds an
//! address within an object for longer than an operation but the scratch register, which holds
//! distances.

use crate::asm::{Gpr, Mem};
use crate::compare::int_condition;
use crate::file::{CONTEXT, SCRATCH, as_xmm, gpr_loc, xmm_loc};
use crate::lower::{Lower, Outcome, unsupported};
use crate::names::*;
use crate::values::{Loc, Pos};
use std::mem::offset_of;
use verdigris_heap::{ARRAY_LEN_OFFSET, CARD_SHIFT, Context};
use verdigris_ops::{ClassId, DataOp, Descrs, SlotLayout, Ty};
use verdigris_trace::{Arg, Opcode, OptimisedOp, OptimisedOps, ValRef};

/// Where an array's length is.
pub(crate) const LENGTH: i32 = ARRAY_LEN_OFFSET as i32;

/// A word.
const WHOLE: SlotLayout = SlotLayout {
    offset: 0,
    size: 8,
    signed: true,
    stride: 0,
};

pub(crate) fn class_of(op: OptimisedOp<'_>) -> ClassId {
    op.class()
}

impl<'a> Lower<'a> {
    /// An operation that writes.
    pub(crate) fn write(&mut self, data: DataOp, op: OptimisedOp<'_>) -> Outcome {
        use DataOp::*;
        match data {
            SetFieldI | SetFieldR | SetFieldF | SetFieldW => {
                let (mem, layout) = self.field(op);
                self.store(op.arg(1), mem, layout);
                if matches!(data, SetFieldR | SetFieldW) {
                    self.field_barrier(op.arg(0), op.arg(1));
                }
            }
            SetItemI | SetItemR | SetItemF | SetItemW => {
                let (mem, layout) = self.item(op);
                self.store(op.arg(2), mem, layout);
                if matches!(data, SetItemR | SetItemW)
                    && !self.links.descrs.classes[class_of(op)].has_registers
                {
                    self.item_barrier(op.arg(0), op.arg(2), mem);
                }
            }
            Invalidate => {
                let (mem, _) = self.field(op);
                self.distance = None;
                let invalidate = self.links.handlers.invalidate;
                let asm = &mut self.file().asm;
                asm.reg_rm(&LEA, SCRATCH.0, mem);
                asm.push(SCRATCH);
                asm.call_out(invalidate);
            }
            Reclaim => self.reclaim(op.arg(0)),
            FillItemsI | FillItemsR | FillItemsF | FillItemsW => self.fill_items(op),
            _ => return unsupported(data),
        }
        Ok(())
    }

    /// What a load reads.
    fn read_place(&mut self, op: OptimisedOp<'_>) -> (Mem, SlotLayout) {
        use DataOp::*;
        match op.opcode() {
            Opcode::Data(GetFieldI | GetFieldR | GetFieldF | GetFieldW) => self.field(op),
            Opcode::Data(GetItemI | GetItemR | GetItemF | GetItemW) => self.item(op),
            _ => (Mem::At(self.file().gpr(op.arg(0)), LENGTH), WHOLE),
        }
    }

    /// A load of a whole word that only the operation behind it needs, as an operand that may lie
    /// in memory: both are done at once. Gives the last operation that has been done.
    pub(crate) fn read_into(&mut self, ops: OptimisedOps<'a>, n: usize) -> Outcome<Option<usize>> {
        let op = ops.at(n);
        let Some(result) = op.result().filter(|_| is_word_load(self.links.descrs, op)) else {
            return Ok(None);
        };
        let behind = ops
            .skip_to(n + 1)
            .iter()
            .position(|op| !self.work.file.values.is_nothing(op));
        let Some(user) = behind.map(|k| n + 1 + k) else {
            return Ok(None);
        };
        let file = &self.work.file;
        let is_it = |v: ValRef| file.canon(v) == result;
        let uses = (ops.at(user).args().iter()).filter(|arg| arg.as_ref().is_some_and(is_it));
        let fits = file.values.map[result].death == user as Pos + 1
            && uses.count() == 1
            && takes_memory(ops.at(user).opcode())
            && !ops.at(user).fail_args().iter().any(|&v| is_it(v))
            && !ops.at(user).result().is_some_and(|v| file.is_defined(v));
        if !fits {
            return Ok(None);
        }
        let (mem, _) = self.read_place(op);
        let file = self.file();
        file.unloaded = Some((result, mem));
        file.values.advance(ops.at(user).args());
        file.pos = user as Pos + 1;
        let last = self.operation(ops, user);
        self.file().unloaded = None;
        last.map(Some)
    }

    /// A load.
    pub(crate) fn read(&mut self, op: OptimisedOp<'_>, result: ValRef) {
        let (mem, layout) = self.read_place(op);
        let is_float = match self.links.trace.types[result] {
            Ty::Float => true,
            Ty::Ref => false,
            _ => layout.size == 8 && self.work.file.values.map[result].wants_xmm,
        };
        if is_float {
            let file = self.file();
            let reg = file.take_xmm(Some(result));
            file.asm.reg_rm(&MOVSD_LOAD, reg.0, mem);
            return file.put(result, xmm_loc(reg));
        }
        let reg = self.loaded_to(op.arg(0), mem, result);
        let asm = &mut self.work.file.asm;
        match (layout.size, layout.signed) {
            (0, _) => asm.mov_imm(reg, 0),
            (1, true) => asm.reg_rm(&MOVSX_B, reg.0, mem),
            (1, false) => asm.reg_rm(&MOVZX_B, reg.0, mem),
            (2, true) => asm.reg_rm(&MOVSX_W, reg.0, mem),
            (2, false) => asm.reg_rm(&MOVZX_W, reg.0, mem),
            (4, true) => asm.reg_rm(&MOVSXD, reg.0, mem),
            (4, false) => asm.reg_rm(&MOV_D, reg.0, mem),
            _ => asm.reg_rm(&MOV, reg.0, mem),
        }
    }

    /// The register for what is loaded: that of the object if the object is not needed any more.
    fn loaded_to(&mut self, object: Arg, mem: Mem, result: ValRef) -> Gpr {
        let file = self.file();
        let hint = file.values.map[result].hint;
        let wanted = hint.is_some() && hint.is_gpr() && file.is_free(hint);
        let base = match mem {
            Mem::At(base, _) | Mem::Indexed(base, ..) => Some(base),
            Mem::Data(_) => None,
        };
        if let Some(base) = base
            && !wanted
            && file.known(object).is_none()
            && file.dies(object)
        {
            file.vacate(gpr_loc(base));
            file.put(result, gpr_loc(base));
            return base;
        }
        file.define_gpr(result)
    }

    /// Stores a value.
    pub(crate) fn store(&mut self, val: Arg, mem: Mem, layout: SlotLayout) {
        let file = self.file();
        if let Some(word) = file.known(val) {
            let short = i32::try_from(word as i64);
            return match (layout.size, short) {
                (0, _) => {}
                (1, _) => file.asm.rm_imm(&MOV_IMM_B, 0, mem, word as i32, 1),
                (2, _) => file.asm.rm_imm(&MOV_IMM_W, 0, mem, word as i32, 2),
                (4, _) => file.asm.rm_imm(&MOV_IMM_D, 0, mem, word as i32, 4),
                (_, Ok(short)) => file.asm.rm_imm(&MOV_IMM, 0, mem, short, 4),
                (_, Err(_)) => {
                    let reg = file.gpr(val);
                    file.asm.rm_reg(&MOV_STORE, mem, reg.0);
                }
            };
        }
        let value = file.values.map[file.canon(val.as_ref().expect("it is no constant"))];
        let in_vector = value.xmm.is_some() && value.gpr == Loc::NONE;
        if layout.size == 8 && in_vector {
            return (file.asm).rm_reg(&MOVSD_STORE, mem, as_xmm(value.xmm).0);
        }
        let reg = file.gpr(val);
        match layout.size {
            0 => {}
            1 => file.asm.rm_reg(&MOV_STORE_B, mem, reg.0),
            2 => file.asm.rm_reg(&MOV_STORE_W, mem, reg.0),
            4 => file.asm.rm_reg(&MOV_STORE_D, mem, reg.0),
            _ => file.asm.rm_reg(&MOV_STORE, mem, reg.0),
        }
    }

    fn field(&mut self, op: OptimisedOp<'_>) -> (Mem, SlotLayout) {
        let layout = self.links.descrs.fields[op.field()].layout;
        let base = self.file().gpr(op.arg(0));
        (Mem::At(base, layout.offset as i32), layout)
    }

    fn item(&mut self, op: OptimisedOp<'_>) -> (Mem, SlotLayout) {
        let class = class_of(op);
        let (_, layout, _) = self.links.descrs.item(class);
        let start = self.links.descrs.classes[class].size + layout.offset;
        let base = self.file().gpr(op.arg(0));
        let index = op.arg(1);
        let constant = match self.file().known(index) {
            Some(word) => constant_offset(i64::from(start), word as i64, layout),
            None => None,
        };
        let mem = match constant {
            Some(offset) => Mem::At(base, offset),
            None => self.indexed(base, index, layout.stride, start as i32),
        };
        (mem, layout)
    }

    /// The place so many strides behind the start.
    fn indexed(&mut self, base: Gpr, index: Arg, stride: u32, start: i32) -> Mem {
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
            let index = self.file().gpr(index);
            return Mem::Indexed(base, index, scale, start);
        }
        let name = index.as_ref().map(|v| (self.work.file.canon(v), factor));
        if name.is_none() || self.distance != name {
            let index = self.file().gpr(index);
            let asm = &mut self.work.file.asm;
            match factor {
                2 => asm.reg_rm(&LEA, SCRATCH.0, Mem::Indexed(index, index, 0, 0)),
                3 | 5 | 9 => {
                    let scale = (factor - 1).trailing_zeros() as u8;
                    asm.reg_rm(&LEA, SCRATCH.0, Mem::Indexed(index, index, scale, 0));
                }
                _ => asm.imul_imm(SCRATCH, index.into(), factor as i32),
            }
            self.distance = name;
        }
        Mem::Indexed(base, SCRATCH, scale, start)
    }

    /// What follows a store to a field. The object is looked at as a whole if the card is dirty
    /// that it starts in.
    fn field_barrier(&mut self, object: Arg, value: Arg) {
        if self.work.barriers.wants_field(object, value) {
            let start = self.file().gpr(object);
            self.mark_card(Mem::At(start, 0));
        }
    }

    /// What follows a store to an item.
    fn item_barrier(&mut self, object: Arg, value: Arg, place: Mem) {
        if self.work.barriers.needs(object, value) {
            self.mark_card(place);
        }
    }

    fn mark_card(&mut self, place: Mem) {
        self.distance = None;
        let asm = &mut self.work.file.asm;
        match place {
            Mem::At(base, 0) => asm.reg_rm(&MOV, SCRATCH.0, base),
            _ => asm.reg_rm(&LEA, SCRATCH.0, place),
        }
        self.shift_reg(5, CARD_SHIFT as u8, SCRATCH);
        let asm = &mut self.work.file.asm;
        let cards = offset_of!(Context, cards) as i32;
        asm.reg_rm(&ADD, SCRATCH.0, Mem::At(CONTEXT, cards));
        asm.rm_imm(&MOV_IMM_B, 0, Mem::At(SCRATCH, 0), 1, 1);
    }
}

/// Whether an operation loads 64 bits as they are.
fn is_word_load(descrs: &Descrs, op: OptimisedOp<'_>) -> bool {
    use DataOp::*;
    let size = match op.opcode() {
        Opcode::Data(GetFieldI | GetFieldR | GetFieldF | GetFieldW) => {
            descrs.fields[op.field()].layout.size
        }
        Opcode::Data(GetItemI | GetItemR | GetItemF | GetItemW) => descrs.item(class_of(op)).1.size,
        Opcode::Data(ArrayLen) => WHOLE.size,
        _ => 0,
    };
    size == WHOLE.size
}

/// Whether an operation can take an operand from memory.
fn takes_memory(opcode: Opcode) -> bool {
    use DataOp::*;
    match opcode {
        Opcode::GuardValue | Opcode::GuardTrue | Opcode::GuardFalse => true,
        Opcode::Data(data) => {
            int_condition(data).is_some()
                || matches!(
                    data,
                    IntAdd
                        | IntSub
                        | IntMul
                        | IntAnd
                        | IntOr
                        | IntXor
                        | IntIsZero
                        | IntIsTrue
                        | IntToFloat
                        | FloatAdd
                        | FloatSub
                        | FloatMul
                        | FloatDiv
                        | FloatEq
                        | FloatNe
                        | FloatLt
                        | FloatLe
                        | FloatGt
                        | FloatGe
                )
        }
        _ => false,
    }
}

/// The offset of item `index`, if it fits in an instruction.
fn constant_offset(start: i64, index: i64, layout: SlotLayout) -> Option<i32> {
    let distance = index.checked_mul(i64::from(layout.stride))?;
    i32::try_from(distance.checked_add(start)?).ok()
}
