//! Allocations: the cursor of the bump allocator moved inline with a cold path, or a call of the
//! runtime.
//!
//! Memory between the context's cursor and limit is zero, so a new object needs its header only,
//! which is written before anything that may collect. Objects with nothing between them that may
//! collect or leave are allocated at once. Source: RPython's rewriting of `new` for its nursery.

use crate::asm::instructions::*;
use crate::asm::operands::{Alu, Gpr, Mem, cond};
use crate::exits::{ColdWork, StubAction};
use crate::lower::addresses::LENGTH;
use crate::lower::memory::store;
use crate::lower::state::Lower;
use crate::registers::{CONTEXT, SCRATCH};
use smallvec::SmallVec;
use std::mem::offset_of;
use verdigris_backend::groups::{MOST_STORES, constant_len, group};
use verdigris_heap::{Context, Header, KEPT_BIT, vd_fill_array, vd_fill_old_array};
use verdigris_ops::DataOp;
use verdigris_trace::{Arg, Opcode, OptimisedOp, OptimisedOps, ValRef};

/// How many objects are allocated at once at most: each needs a register.
const MOST_AT_ONCE: usize = 6;

impl Lower<'_> {
    /// Allocates an object that is too large for the inline path, or may be.
    pub(super) fn allocate(&mut self, data: DataOp, op: OptimisedOp<'_>, result: ValRef) {
        self.regs().scratch = None;
        let class = op.class();
        let info = &self.links.descrs.classes[class];
        let handlers = self.links.handlers;
        if data == DataOp::New {
            let asm = self.asm();
            asm.push_imm(info.word);
            asm.push_imm(info.size.next_multiple_of(8) as i32);
            asm.call_out(handlers.alloc);
        } else {
            let (_, layout, _) = self.links.descrs.item(class);
            let len = self.regs().gpr(op.arg(0));
            let asm = self.asm();
            asm.push(len);
            asm.push_imm(layout.stride as i32);
            asm.push_imm(info.word);
            asm.call_out(handlers.array);
        }
        self.or_exhausted();
        let regs = self.regs();
        let reg = regs.define_gpr(result);
        regs.asm.reg_rm(&MOV, reg.0, SCRATCH);
        self.work.barriers.collected();
        self.work.barriers.made(result);
    }

    /// Leaves if the scratch register, which holds the result of a handler, is 0.
    pub(crate) fn or_exhausted(&mut self) {
        let asm = &mut self.work.regs.asm;
        let exhausted = self.work.cold.out_of_memory(asm);
        asm.rm_reg(&TEST, SCRATCH, SCRATCH.0);
        asm.jump_if(cond::E, exhausted);
    }

    /// Allocates the objects of the first of these operations and of those behind it, if the first
    /// makes a small one.
    pub(super) fn reserve(&mut self, ops: OptimisedOps<'_>) {
        let Some(first) = ops.at(0).result() else {
            return;
        };
        let Opcode::Data(data @ (DataOp::New | DataOp::NewArray)) = ops.at(0).opcode() else {
            return;
        };
        if let (Some(len), DataOp::NewArray) = (constant_len(ops.at(0)), data) {
            self.small_array = (0..=MOST_STORES)
                .contains(&len)
                .then_some((first, len as u32));
        }
        if self.work.regs.is_defined(first) {
            return;
        }
        let group = group(self.links.descrs, ops, MOST_AT_ONCE);
        if group.is_empty() {
            self.small_array = None;
            return;
        }
        let objects: SmallVec<[Gpr; 4]> = (group.iter())
            .map(|&(result, _)| self.regs().define_gpr(result))
            .collect();
        let sizes: u32 = group.iter().map(|(_, shape)| shape.size).sum();
        self.bump(objects[0], sizes, group[0].1.class_word);
        self.work.barriers.collected();
        let asm = &mut self.work.regs.asm;
        let mut offset = 0;
        for (n, (&(result, shape), &object)) in group.iter().zip(&objects).enumerate() {
            if n > 0 {
                let place = Mem::At(objects[0], offset);
                asm.reg_rm(&LEA, object.0, place);
                asm.rm_imm(&MOV_IMM_D, 0, place, shape.class_word, 4);
            }
            if let Some(len) = shape.len {
                let place = Mem::At(objects[0], offset + LENGTH);
                asm.rm_imm(&MOV_IMM, 0, place, len as i32, 4);
            }
            offset += shape.size as i32;
            self.work.barriers.made(result);
        }
        self.regs().end_operation(std::iter::empty());
    }

    /// Moves the cursor by `size` bytes and writes the header of the first object.
    fn bump(&mut self, object: Gpr, size: u32, class_word: i32) {
        self.regs().scratch = None;
        let cursor = Mem::At(CONTEXT, offset_of!(Context, cursor) as i32);
        let limit = Mem::At(CONTEXT, offset_of!(Context, limit) as i32);
        let (enter, back) = self.asm().new_labels();
        let keeps_doubles = self.work.regs.has_doubles();
        let asm = self.asm();
        asm.reg_rm(&MOV, object.0, cursor);
        asm.reg_rm(&LEA, SCRATCH.0, Mem::At(object, size as i32));
        asm.reg_rm(&CMP, SCRATCH.0, limit);
        asm.jump_if(cond::A, enter);
        asm.rm_reg(&MOV_STORE, cursor, SCRATCH.0);
        asm.rm_imm(&MOV_IMM_D, 0, Mem::At(object, 0), class_word, 4);
        asm.bind(back);
        self.work.cold.add(
            (enter, back),
            ColdWork::Alloc {
                object,
                size,
                class_word,
                keeps_doubles,
            },
        );
    }

    /// Leaves if there is no room for an array of this length. A small array is made without
    /// asking the runtime, which may collect.
    pub(super) fn guard_room(&mut self, op: OptimisedOp<'_>) {
        let class = op.class();
        let unasked = self.links.descrs.unasked_len(class);
        let stride = self.links.descrs.item(class).1.stride;
        let len = self.regs().gpr(op.arg(0));
        self.regs().scratch = None;
        let (enter, back) = self.asm().new_labels();
        let stub = self.asm().new_label();
        let asm = self.asm();
        asm.alu_imm(Alu::Cmp, len, unasked as i32);
        asm.jump_if(cond::A, enter);
        asm.bind(back);
        self.work
            .cold
            .add((enter, back), ColdWork::Room { len, stride, stub });
        // The branch to the stub is in the cold path, which changes no place of a value.
        let forced = self.test_forced(stub);
        self.add_exit(op, &[], stub, StubAction::Nothing, forced);
        self.work.barriers.collected();
    }

    /// Makes suspended code give back what it keeps of this object.
    pub(super) fn reclaim(&mut self, object: Arg) {
        self.regs().scratch = None;
        let object = self.regs().gpr(object);
        let (enter, back) = self.asm().new_labels();
        let asm = self.asm();
        let bits = Mem::At(object, offset_of!(Header, bits) as i32);
        asm.rm_imm(&TEST_IMM_D, 0, bits, KEPT_BIT as i32, 4);
        asm.jump_if(cond::NE, enter);
        asm.bind(back);
        self.work.cold.add((enter, back), ColdWork::Reclaim(object));
    }

    /// Stores a value in every item, by one store each if the array is small and has just been
    /// made.
    pub(super) fn fill_items(&mut self, op: OptimisedOp<'_>) {
        let class = op.class();
        let (_, layout, _) = self.links.descrs.item(class);
        let start = self.links.descrs.classes[class].size + layout.offset;
        let small = (self.small_array).filter(|small| op.arg(0).as_ref() == Some(small.0));
        if let Some((_, len)) = small {
            let array = self.regs().gpr(op.arg(0));
            let value = op.arg(1);
            let word = self.work.regs.known(value);
            let is_long = word.is_some_and(|w| i32::try_from(w as i64).is_err());
            let made_once = (is_long && layout.size == 8).then(|| self.regs().gpr(value));
            for n in 0..len {
                let place = Mem::At(array, (start + n * layout.stride) as i32);
                match made_once {
                    Some(reg) => self.work.regs.asm.rm_reg(&MOV_STORE, place, reg.0),
                    None => store(self.regs(), value, place, layout),
                }
            }
            return;
        }
        let fill = match self.work.barriers.is_young(op.arg(0)) {
            true => vd_fill_array as *const () as usize,
            false => vd_fill_old_array as *const () as usize,
        };
        let value = op.arg(1);
        let args = [
            op.arg(0),
            Arg::int(i64::from(start)),
            Arg::int(i64::from(layout.size)),
            Arg::int(i64::from(layout.stride)),
            value,
        ];
        self.call_runtime(fill, &args);
    }
}
