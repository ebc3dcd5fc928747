//! Allocations. In: an operation that makes an object, and what follows it. Out: the cursor moved
//! inline, with a slow path, or a call of the runtime. Invariants: memory between the context's
//! cursor and limit is zero, so a new object needs its header only; headers are written before
//! anything that may collect; each object's own address is in a register or slot as long as it is
//! needed.
//!
//! Allocations with nothing between them that may collect or leave are done at once. Source:
//! RPython's rewriting of `new` for its nursery.

use crate::asm::{Gpr, Mem, cond};
use crate::file::{CONTEXT, SCRATCH};
use crate::guards::First;
use crate::lower::Lower;
use crate::memory::{LENGTH, class_of};
use crate::names::*;
use crate::slow::{Path, Slow};
use smallvec::SmallVec;
use std::mem::offset_of;
use verdigris_backend::groups::{constant_len, group};
use verdigris_heap::{Context, Header, KEPT_BIT, vd_fill_array, vd_fill_old_array};
use verdigris_ops::DataOp;
use verdigris_trace::{Arg, Opcode, OptimisedOp, OptimisedOps, ValRef};

/// Objects that are made at once at most: each needs a register.
const MOST_AT_ONCE: usize = 6;

impl Lower<'_> {
    /// An object that is too large for the inline path or may be.
    pub(crate) fn allocate(&mut self, data: DataOp, op: OptimisedOp<'_>, result: ValRef) {
        self.distance = None;
        let class = class_of(op);
        let info = &self.links.descrs.classes[class];
        let handlers = self.links.handlers;
        if data == DataOp::New {
            let asm = &mut self.work.file.asm;
            asm.push_imm(info.word);
            asm.push_imm(info.size.next_multiple_of(8) as i32);
            asm.call_out(handlers.alloc);
        } else {
            let (_, layout, _) = self.links.descrs.item(class);
            let len = self.file().gpr(op.arg(0));
            let asm = &mut self.work.file.asm;
            asm.push(len);
            asm.push_imm(layout.stride as i32);
            asm.push_imm(info.word);
            asm.call_out(handlers.array);
        }
        self.or_exhausted();
        let file = self.file();
        let reg = file.define_gpr(result);
        file.asm.reg_rm(&MOV, reg.0, SCRATCH);
        self.work.barriers.collected();
        self.work.barriers.made(result);
    }

    /// Leaves if the scratch register, in which a handler has answered, is 0.
    pub(crate) fn or_exhausted(&mut self) {
        let exhausted = self.out_of_memory();
        let asm = &mut self.work.file.asm;
        asm.rm_reg(&TEST, SCRATCH, SCRATCH.0);
        asm.jump_if(cond::E, exhausted);
    }

    /// Allocates what the first of these operations makes, if that is a small object, with what
    /// those behind it make.
    pub(crate) fn reserve(&mut self, ops: OptimisedOps<'_>) {
        let Some(first) = ops.at(0).result() else {
            return;
        };
        let Opcode::Data(data @ (DataOp::New | DataOp::NewArray)) = ops.at(0).opcode() else {
            return;
        };
        if let (Some(len), DataOp::NewArray) = (constant_len(ops.at(0)), data) {
            self.small_array = Some((first, len as u32));
        }
        if self.work.file.is_defined(first) {
            return;
        }
        let group = group(self.links.descrs, ops, MOST_AT_ONCE);
        if group.is_empty() {
            self.small_array = None;
            return;
        }
        let objects: SmallVec<[Gpr; 4]> = (group.iter())
            .map(|&(result, _)| self.file().define_gpr(result))
            .collect();
        let sizes: u32 = group.iter().map(|(_, shape)| shape.size).sum();
        self.bump(objects[0], sizes, group[0].1.class_word);
        self.work.barriers.collected();
        let asm = &mut self.work.file.asm;
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
        self.file().end_operation(std::iter::empty());
    }

    /// Moves the cursor by so many bytes. The first object has its header.
    fn bump(&mut self, object: Gpr, size: u32, class_word: i32) {
        self.distance = None;
        let cursor = Mem::At(CONTEXT, offset_of!(Context, cursor) as i32);
        let limit = Mem::At(CONTEXT, offset_of!(Context, limit) as i32);
        let (enter, back) = self.slow_labels();
        let keeps_doubles = self.work.file.has_doubles();
        let asm = &mut self.work.file.asm;
        asm.reg_rm(&MOV, object.0, cursor);
        asm.reg_rm(&LEA, SCRATCH.0, Mem::At(object, size as i32));
        asm.reg_rm(&CMP, SCRATCH.0, limit);
        asm.jump_if(cond::A, enter);
        asm.rm_reg(&MOV_STORE, cursor, SCRATCH.0);
        asm.rm_imm(&MOV_IMM_D, 0, Mem::At(object, 0), class_word, 4);
        asm.bind(back);
        self.work.slow.push(Slow {
            enter,
            back,
            path: Path::Alloc {
                object,
                size,
                class_word,
                keeps_doubles,
            },
        });
    }

    /// Leaves if there is no room for an array with so many items. The runtime knows, and collects
    /// if need be; for a small array it is not asked.
    pub(crate) fn guard_room(&mut self, op: OptimisedOp<'_>) -> crate::lower::Outcome {
        let class = class_of(op);
        let unasked = self.links.descrs.unasked_len(class);
        let stride = self.links.descrs.item(class).1.stride;
        let len = self.file().gpr(op.arg(0));
        self.distance = None;
        let (enter, back) = self.slow_labels();
        let stub = self.work.file.asm.new_label();
        self.alu_imm_q(7, len, unasked as i32);
        self.work.file.asm.jump_if(cond::A, enter);
        self.work.file.asm.bind(back);
        self.work.slow.push(Slow {
            enter,
            back,
            path: Path::Room { len, stride, stub },
        });
        self.leave_from_elsewhere(op, stub);
        self.work.barriers.collected();
        Ok(())
    }

    /// Notes a guard whose branch is in a slow path, which changes no place.
    fn leave_from_elsewhere(&mut self, op: OptimisedOp<'_>, stub: crate::asm::Label) {
        let forced = self.test_forced(stub);
        self.note_exit(op, &[], stub, First::Nothing, forced);
    }

    /// If suspended code keeps something of this object, it has to give it back.
    pub(crate) fn reclaim(&mut self, object: Arg) {
        self.distance = None;
        let object = self.file().gpr(object);
        let (enter, back) = self.slow_labels();
        let asm = &mut self.work.file.asm;
        let bits = Mem::At(object, offset_of!(Header, bits) as i32);
        asm.rm_imm(&TEST_IMM_D, 0, bits, KEPT_BIT as i32, 4);
        asm.jump_if(cond::NE, enter);
        asm.bind(back);
        self.work.slow.push(Slow {
            enter,
            back,
            path: Path::Reclaim(object),
        });
    }

    /// Stores a value in every item: one store each if the array has just been made and is small.
    pub(crate) fn fill_items(&mut self, op: OptimisedOp<'_>) {
        let class = class_of(op);
        let (_, layout, _) = self.links.descrs.item(class);
        let start = self.links.descrs.classes[class].size + layout.offset;
        let small = (self.small_array).filter(|small| op.arg(0).as_ref() == Some(small.0));
        if let Some((_, len)) = small {
            let array = self.file().gpr(op.arg(0));
            let value = op.arg(1);
            let word = self.work.file.known(value);
            let is_long = word.is_some_and(|w| i32::try_from(w as i64).is_err());
            let made_once = (is_long && layout.size == 8).then(|| self.file().gpr(value));
            for n in 0..len {
                let place = Mem::At(array, (start + n * layout.stride) as i32);
                match made_once {
                    Some(reg) => self.work.file.asm.rm_reg(&MOV_STORE, place, reg.0),
                    None => self.store(value, place, layout),
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
