//! Loads and stores of fields and items, and the write barrier.

use crate::asm::instructions::*;
use crate::asm::operands::{Alu, Gpr, Mem, Shift, cond};
use crate::exits::ColdWork;
use crate::liveness::Pos;
use crate::locations::{Loc, as_xmm, gpr_loc};
use crate::lower::addresses::{field, is_word_load, item, read_place};
use crate::lower::flags::int_condition;
use crate::lower::links::{Outcome, unsupported};
use crate::lower::state::Lower;
use crate::regalloc::RegAlloc;
use crate::registers::{CONTEXT, SCRATCH};
use std::mem::offset_of;
use verdigris_heap::{CARD_SHIFT, Context, WATCH_GROUPS, Watches};
use verdigris_ops::{DataOp, SlotLayout, Ty};
use verdigris_trace::{Arg, Opcode, OptimisedOp, OptimisedOps, ValRef};

impl<'a> Lower<'a> {
    /// Compiles an operation that writes.
    pub(super) fn write(&mut self, data: DataOp, op: OptimisedOp<'_>) -> Outcome {
        use DataOp::*;
        match data {
            SetFieldI | SetFieldR | SetFieldF | SetFieldW => {
                let (mem, layout) = field(&mut self.work.regs, self.links.descrs, op);
                store(self.regs(), op.arg(1), mem, layout);
                if matches!(data, SetFieldR | SetFieldW) {
                    self.field_barrier(op.arg(0), op.arg(1));
                }
            }
            SetItemI | SetItemR | SetItemF | SetItemW => {
                let (mem, layout) = item(&mut self.work.regs, self.links.descrs, op);
                store(self.regs(), op.arg(2), mem, layout);
                if matches!(data, SetItemR | SetItemW)
                    && !self.links.descrs.classes[op.class()].has_registers
                {
                    self.item_barrier(op.arg(0), op.arg(2), mem);
                }
            }
            Invalidate => self.invalidate(op),
            Reclaim => self.reclaim(op.arg(0)),
            FillItemsI | FillItemsR | FillItemsF | FillItemsW => self.fill_items(op),
            _ => return unsupported(data),
        }
        Ok(())
    }

    /// Prepares a load of a whole word that only the next operation needs as an operand in memory
    /// of that operation, which is compiled next. Returns which one it is.
    pub(super) fn read_into(&mut self, ops: OptimisedOps<'a>, n: usize) -> Option<usize> {
        let op = ops.at(n);
        let result = op.result()?;
        if !is_word_load(self.links.descrs, op) {
            return None;
        }
        let regs = &mut self.work.regs;
        let mut behind = ops.skip_to(n + 1).iter();
        let next = n + 1 + behind.position(|op| !regs.values.is_nothing(op))?;
        let user = ops.at(next);
        let is_it = |v: ValRef| regs.canon(v) == result;
        let uses = (user.args().iter()).filter(|arg| arg.as_ref().is_some_and(is_it));
        let fits = regs.values.map[result].death == next as Pos + 1
            && uses.count() == 1
            && takes_memory(user.opcode())
            && !user.fail_args().iter().any(|&v| is_it(v))
            && !user.result().is_some_and(|v| regs.is_defined(v));
        if !fits {
            return None;
        }
        let (mem, _) = read_place(regs, self.links.descrs, op);
        regs.unloaded = Some((result, mem));
        regs.values.advance(user.args());
        regs.pos = next as Pos + 1;
        Some(next)
    }

    /// Compiles a load.
    pub(super) fn read(&mut self, op: OptimisedOp<'_>, result: ValRef) {
        let (mem, layout) = read_place(&mut self.work.regs, self.links.descrs, op);
        let is_float = match self.links.trace.types[result] {
            Ty::Float => true,
            Ty::Ref => false,
            _ => layout.size == 8 && self.work.regs.values.map[result].wants_xmm,
        };
        if is_float {
            let regs = self.regs();
            let reg = regs.define_xmm(result);
            return regs.asm.reg_rm(&MOVSD_LOAD, reg.0, mem);
        }
        let reg = loaded_to(self.regs(), op.arg(0), mem, result);
        let asm = &mut self.work.regs.asm;
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

    /// Behind a store to a quasi-immutable field: tells the runtime, if code may assume what it
    /// held.
    fn invalidate(&mut self, op: OptimisedOp<'_>) {
        let (enter, back) = self.asm().new_labels();
        let counts = offset_of!(Context, watches) + offset_of!(Watches, counts);
        let work = match self.regs().known(op.arg(0)) {
            Some(object) => {
                let offset = self.links.descrs.fields[op.field()].layout.offset;
                let address = object + u64::from(offset);
                let group = address / 8 % WATCH_GROUPS as u64;
                let count = Mem::At(CONTEXT, (counts + 4 * group as usize) as i32);
                self.asm().alu_imm_d(Alu::Cmp, count, 0);
                ColdWork::InvalidateConstant(address)
            }
            None => {
                let (place, _) = field(&mut self.work.regs, self.links.descrs, op);
                let asm = self.asm();
                asm.reg_rm(&LEA, SCRATCH.0, place);
                asm.shift(Shift::Right, 3, SCRATCH);
                asm.alu_imm_d(Alu::And, SCRATCH, WATCH_GROUPS as i32 - 1);
                let count = Mem::Indexed(CONTEXT, SCRATCH, 2, counts as i32);
                asm.alu_imm_d(Alu::Cmp, count, 0);
                ColdWork::Invalidate(place)
            }
        };
        self.regs().scratch = None;
        self.asm().jump_if(cond::NE, enter);
        self.asm().bind(back);
        self.work.cold.add((enter, back), work);
    }

    /// The write barrier behind a store to a field: it marks the card in which the object starts,
    /// which stands for the whole object.
    fn field_barrier(&mut self, object: Arg, value: Arg) {
        if self.work.barriers.wants_field(object, value) {
            let start = self.regs().gpr(object);
            mark_card(self.regs(), Mem::At(start, 0));
        }
    }

    /// The write barrier behind a store to an item.
    fn item_barrier(&mut self, object: Arg, value: Arg, place: Mem) {
        if self.work.barriers.needs(object, value) {
            mark_card(self.regs(), place);
        }
    }
}

/// The register for a loaded value: that of the object if the object dies.
fn loaded_to(regs: &mut RegAlloc, object: Arg, mem: Mem, result: ValRef) -> Gpr {
    let hint = regs.values.map[result].hint;
    let wanted = hint.is_some() && hint.is_gpr() && regs.is_free(hint);
    let base = match mem {
        Mem::At(base, _) | Mem::Indexed(base, ..) => Some(base),
        Mem::Data(_) => None,
    };
    if let Some(base) = base
        && !wanted
        && regs.known(object).is_none()
        && regs.dies(object)
    {
        regs.vacate(gpr_loc(base));
        regs.put(result, gpr_loc(base));
        return base;
    }
    regs.define_gpr(result)
}

/// Stores a value, as wide as its layout.
pub(super) fn store(regs: &mut RegAlloc, val: Arg, mem: Mem, layout: SlotLayout) {
    if let Some(word) = regs.known(val) {
        let short = i32::try_from(word as i64);
        return match (layout.size, short) {
            (0, _) => {}
            (1, _) => regs.asm.rm_imm(&MOV_IMM_B, 0, mem, word as i32, 1),
            (2, _) => regs.asm.rm_imm(&MOV_IMM_W, 0, mem, word as i32, 2),
            (4, _) => regs.asm.rm_imm(&MOV_IMM_D, 0, mem, word as i32, 4),
            (_, Ok(short)) => regs.asm.rm_imm(&MOV_IMM, 0, mem, short, 4),
            (_, Err(_)) => {
                let reg = regs.gpr(val);
                regs.asm.rm_reg(&MOV_STORE, mem, reg.0);
            }
        };
    }
    let value = regs.values.map[regs.canon(val.as_ref().expect("it is no constant"))];
    let in_vector = value.xmm.is_some() && value.gpr == Loc::NONE;
    if layout.size == 8 && in_vector {
        return regs.asm.rm_reg(&MOVSD_STORE, mem, as_xmm(value.xmm).0);
    }
    let reg = regs.gpr(val);
    match layout.size {
        0 => {}
        1 => regs.asm.rm_reg(&MOV_STORE_B, mem, reg.0),
        2 => regs.asm.rm_reg(&MOV_STORE_W, mem, reg.0),
        4 => regs.asm.rm_reg(&MOV_STORE_D, mem, reg.0),
        _ => regs.asm.rm_reg(&MOV_STORE, mem, reg.0),
    }
}

fn mark_card(regs: &mut RegAlloc, place: Mem) {
    regs.scratch = None;
    let asm = &mut regs.asm;
    match place {
        Mem::At(base, 0) => asm.reg_rm(&MOV, SCRATCH.0, base),
        _ => asm.reg_rm(&LEA, SCRATCH.0, place),
    }
    regs.asm.shift(Shift::Right, CARD_SHIFT as u8, SCRATCH);
    let asm = &mut regs.asm;
    let cards = offset_of!(Context, cards) as i32;
    asm.reg_rm(&ADD, SCRATCH.0, Mem::At(CONTEXT, cards));
    asm.rm_imm(&MOV_IMM_B, 0, Mem::At(SCRATCH, 0), 1, 1);
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
