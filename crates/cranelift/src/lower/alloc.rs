//! Allocations: inline bump allocation with a cold path, or a call of the runtime.
//!
//! Memory between the context's cursor and limit is zero, so a new object needs its header only,
//! which is written before anything that may collect. Objects with nothing between them that may
//! collect or leave are allocated at once. Source: RPython's rewriting of `new` for its nursery.

use crate::compiler::{WORD, trusted};
use crate::lower::memory::{LENGTH, Place};
use crate::lower::state::{Goes, Lower, SlowPath};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use smallvec::SmallVec;
use std::mem::offset_of;
use verdigris_backend::groups::{MOST_STORES, constant_len, group};
use verdigris_heap::{
    Context, vd_alloc_array, vd_alloc_slow, vd_fill_array, vd_fill_old_array, vd_has_room,
};
use verdigris_ops::{ClassId, DataOp};
use verdigris_trace::{Arg, OptimisedOp, OptimisedOps};

impl Lower<'_, '_> {
    /// Lowers an operation that makes an object.
    pub(crate) fn allocate(&mut self, data: DataOp, op: OptimisedOp<'_>) -> Value {
        let result = op.result().expect("an allocation has a result");
        if let Some(at) = self.reserved.iter().position(|known| known.0 == result) {
            let (_, object) = self.reserved.swap_remove(at);
            if let (DataOp::NewArray, Some(len)) = (data, constant_len(op)) {
                self.small_array = (len <= MOST_STORES).then_some((result, len as u32));
            }
            return object;
        }
        let object = match data {
            DataOp::New => self.new_struct(op.class()),
            _ => self.new_array(op.class(), op.arg(0)),
        };
        self.barriers.collected();
        self.barriers.made(result);
        object
    }

    /// Allocates the objects of the first of these operations and of those behind it, if the first
    /// makes a small one.
    pub(crate) fn reserve(&mut self, ops: OptimisedOps<'_>) {
        let first = ops.first().and_then(|op| op.result());
        if first.is_none_or(|first| self.reserved.iter().any(|known| known.0 == first)) {
            return;
        }
        let group = group(self.links.descrs, ops, usize::MAX);
        let Some(&(_, first)) = group.first() else {
            return;
        };
        let sizes = group.iter().map(|(_, shape)| shape.size).collect();
        let objects = self.bump(sizes, first.class_word);
        self.barriers.collected();
        for (n, (&(result, shape), &object)) in group.iter().zip(&objects).enumerate() {
            if n > 0 {
                self.write_header(object, shape.class_word);
            }
            if let Some(len) = shape.len {
                let len = self.int(len);
                self.b.ins().store(trusted(), len, object, LENGTH);
            }
            self.reserved.push((result, object));
            self.barriers.made(result);
        }
    }

    fn write_header(&mut self, object: Value, class_word: i32) {
        let word = i64::from(class_word as u32);
        let word = self.b.ins().iconst(types::I32, word);
        self.b.ins().store(trusted(), word, object, 0);
    }

    /// An object that is too large for the inline path.
    fn new_struct(&mut self, class: ClassId) -> Value {
        let info = &self.links.descrs.classes[class];
        let (size, class_word) = (info.size.next_multiple_of(8), info.word);
        let context = self.context();
        let object = self.call_alloc_slow(context, size, class_word);
        self.or_exhausted(object)
    }

    /// An array that is too large for the inline path or may be.
    fn new_array(&mut self, class: ClassId, len: Arg) -> Value {
        let info = &self.links.descrs.classes[class];
        let (_, layout, _) = self.links.descrs.item(class);
        let context = self.context();
        let class_word = self.int(class_word(info.word));
        let item_size = self.int(i64::from(layout.stride));
        let len = self.value(len);
        let make = vd_alloc_array as *const () as usize;
        let array = self.call_runtime(make, &[context, class_word, item_size, len]);
        self.or_exhausted(array)
    }

    /// Leaves if there is no room for an array of this length. A small array is made without asking
    /// the runtime, which may collect.
    pub(crate) fn guard_room(&mut self, goes: Goes, op: OptimisedOp<'_>) {
        let class = op.class();
        let unasked = self.links.descrs.unasked_len(class) as i64;
        let stride = self.links.descrs.item(class).1.stride;
        // Whatever the guard needs is computed in front of the branch, since what follows needs it
        // too.
        let len = self.value(op.arg(0));
        let args = self.exit_args(op.fail_args(), None, None);
        let (asks, join) = (self.cold_block(), self.b.create_block());
        if self.links.forced {
            // The guard has to be able to fail whatever the length is.
            self.b.ins().jump(asks, &[]);
        } else {
            let is_small = (self.b.ins()).icmp_imm_u(IntCC::UnsignedLessThanOrEqual, len, unasked);
            self.b.ins().brif(is_small, join, &[], asks, &[]);
        }
        self.b.switch_to_block(asks);
        let context = self.context();
        let stride = self.int(i64::from(stride));
        let room = self.call_runtime(vd_has_room as *const () as usize, &[context, stride, len]);
        self.leave_if(room, false, goes, args);
        let going_on = self.b.current_block().expect("code is being added");
        self.b.set_cold_block(going_on);
        self.b.ins().jump(join, &[]);
        self.b.switch_to_block(join);
        self.barriers.collected();
    }

    /// Stores a value in every item: one store each if the array has just been made and is small.
    pub(crate) fn fill_items(&mut self, op: OptimisedOp<'_>) {
        let class = op.class();
        let (_, layout, _) = self.links.descrs.item(class);
        let start = self.links.descrs.classes[class].size + layout.offset;
        let array = self.value(op.arg(0));
        let small = (self.small_array).filter(|small| op.arg(0).as_ref() == Some(small.0));
        let Some((_, len)) = small else {
            let start = self.int(i64::from(start));
            let size = self.int(i64::from(layout.size));
            let stride = self.int(i64::from(layout.stride));
            let value = self.raw(op.arg(1));
            // Something may have been collected since the array was made.
            let fill = match self.barriers.is_young(op.arg(0)) {
                true => vd_fill_array as *const () as usize,
                false => vd_fill_old_array as *const () as usize,
            };
            self.call_runtime(fill, &[array, start, size, stride, value]);
            return;
        };
        let value = self.stored(op.arg(1));
        for n in 0..len {
            let place = Place {
                base: array,
                index: None,
                offset: (start + n * layout.stride) as i32,
                layout,
            };
            self.store(value, place);
        }
    }

    /// Allocates objects of these sizes by moving the cursor; the slow path is a cold block.
    /// Returns their addresses. The first has its header.
    ///
    /// The addresses are parameters of the block in which both ways meet, so that each is in a
    /// register or a place of its own, where the collector finds it: a sum with the address of the
    /// first would be made again wherever it is needed.
    fn bump(&mut self, sizes: SmallVec<[u32; 4]>, class_word: i32) -> SmallVec<[Value; 4]> {
        let (cursor_at, limit_at) = (
            offset_of!(Context, cursor) as i32,
            offset_of!(Context, limit) as i32,
        );
        let context = self.context();
        let object = self.b.ins().load(WORD, trusted(), context, cursor_at);
        let limit = self.b.ins().load(WORD, trusted(), context, limit_at);
        let total = i64::from(sizes.iter().sum::<u32>());
        let end = self.b.ins().iadd_imm_s(object, total);
        let full = self.b.ins().icmp(IntCC::UnsignedGreaterThan, end, limit);
        let (fast, done) = (self.b.create_block(), self.b.create_block());
        let slow = self.cold_block();
        self.b.ins().brif(full, slow, &[], fast, &[]);
        self.b.switch_to_block(fast);
        let context = self.context();
        self.b.ins().store(trusted(), end, context, cursor_at);
        self.write_header(object, class_word);
        let objects = self.in_a_row(object, &sizes);
        self.jump_with(done, &objects);
        self.b.switch_to_block(done);
        let objects = (sizes.iter())
            .map(|_| self.b.append_block_param(done, WORD))
            .collect();
        self.exits.add_slow(SlowPath {
            block: slow,
            origin: self.origin,
            done,
            sizes,
            class_word,
        });
        objects
    }

    /// The addresses of objects of these sizes, from the first on.
    fn in_a_row(&mut self, first: Value, sizes: &[u32]) -> SmallVec<[Value; 4]> {
        let mut offset = 0;
        let mut next = |size: u32| {
            let object = match offset {
                0 => first,
                _ => self.b.ins().iadd_imm_s(first, offset),
            };
            offset += i64::from(size);
            object
        };
        sizes.iter().map(|&size| next(size)).collect()
    }

    /// Fills the slow path of [`Lower::bump`].
    pub(crate) fn slow_path(&mut self, path: &SlowPath) {
        self.b.switch_to_block(path.block);
        let context = self.context();
        let total = path.sizes.iter().sum();
        let object = self.call_alloc_slow(context, total, path.class_word);
        let object = self.or_exhausted(object);
        let objects = self.in_a_row(object, &path.sizes);
        self.jump_with(path.done, &objects);
    }

    fn call_alloc_slow(&mut self, context: Value, size: u32, word: i32) -> Value {
        let size = self.int(i64::from(size));
        let word = self.int(class_word(word));
        self.call_runtime(vd_alloc_slow as *const () as usize, &[context, size, word])
    }

    /// Leaves if an allocation has returned null.
    fn or_exhausted(&mut self, object: Value) -> Value {
        let go_on = self.b.create_block();
        let exhausted = self.out_of_memory();
        self.b.ins().brif(object, go_on, &[], exhausted, &[]);
        self.b.switch_to_block(go_on);
        object
    }
}

/// The class word as the runtime takes it.
fn class_word(word: i32) -> i64 {
    i64::from(word as u32)
}
