//! Allocations: the cursor of the bump allocator is moved in line, and a call of the runtime is
//! behind the blocks.
//!
//! Memory between the context's cursor and limit is zero, so a new object needs its header only,
//! which is written before anything that may collect. Objects are allocated one by one: of a group
//! that is allocated at once, Mono might keep the addresses as sums with the address of the first,
//! where the collector would not find them.

use crate::code::Kind;
use crate::instructions::*;
use crate::locals::Local;
use crate::lower::state::{Lower, SlowAllocation};
use std::mem::offset_of;
use verdigris_backend::groups::shape;
use verdigris_heap::{ARRAY_LEN_OFFSET, Context, Header, vd_alloc_array, vd_alloc_slow};
use verdigris_trace::OptimisedOp;

impl<'m> Lower<'m> {
    /// An object with fields.
    pub(super) fn new_struct(&mut self, op: OptimisedOp<'m>) {
        let object = self.locals.take(Kind::Address);
        if !self.small(op, object) {
            let info = &self.descrs().classes[op.class()];
            let (size, word) = (info.size.next_multiple_of(8), info.word);
            self.allocate_slowly(size, word, object);
        }
        self.made(op, object);
    }

    /// An array.
    pub(super) fn new_array(&mut self, op: OptimisedOp<'m>) {
        let object = self.locals.take(Kind::Address);
        if !self.small(op, object) {
            let class = op.class();
            let word = self.descrs().classes[class].word;
            let (_, layout, _) = self.descrs().item(class);
            self.code.op(LDARG_1);
            self.address(u64::from(word as u32));
            self.address(u64::from(layout.stride));
            self.word(op.arg(0));
            self.code.op(CONV_I);
            self.call_runtime(vd_alloc_array as *const () as usize, 4);
            self.or_exhausted(object);
        }
        self.made(op, object);
    }

    fn made(&mut self, op: OptimisedOp<'m>, object: Local) {
        let result = op.result().expect("an allocation has a result");
        self.barriers.collected();
        self.barriers.made(result);
        match self.uses.is_used(result) {
            true => self.locals.place(result, object),
            false => self.locals.give_back(object),
        }
    }

    /// Allocates in line, if the object is small and its size is constant.
    fn small(&mut self, op: OptimisedOp<'m>, object: Local) -> bool {
        let Some(shape) = shape(self.descrs(), op) else {
            return false;
        };
        let (slow, done) = (self.code.label(), self.code.label());
        let end = self.locals.take(Kind::Address);
        self.context_place(offset_of!(Context, cursor));
        self.code.ops(&[LDIND_I, DUP]);
        self.code.variable(STLOC, object);
        self.offset(shape.size as usize);
        self.code.op(DUP);
        self.code.variable(STLOC, end);
        self.context_place(offset_of!(Context, limit));
        self.code.op(LDIND_I);
        self.code.branch(BGT_UN, slow);
        self.context_place(offset_of!(Context, cursor));
        self.code.variable(LDLOC, end);
        self.code.op(STIND_I);
        self.code.variable(LDLOC, object);
        self.offset(offset_of!(Header, class));
        self.code.short(shape.class_word);
        self.code.op(STIND_I4);
        self.code.bind(done);
        if let Some(len) = shape.len {
            self.code.variable(LDLOC, object);
            self.offset(ARRAY_LEN_OFFSET);
            self.code.int(len);
            self.code.op(STIND_I8);
        }
        self.locals.give_back(end);
        self.slow_allocations.push(SlowAllocation {
            label: slow,
            done,
            object,
            size: shape.size,
            class_word: shape.class_word,
        });
        true
    }

    fn allocate_slowly(&mut self, size: u32, class_word: i32, object: Local) {
        self.code.op(LDARG_1);
        self.address(u64::from(size));
        self.address(u64::from(class_word as u32));
        self.call_runtime(vd_alloc_slow as *const () as usize, 3);
        self.or_exhausted(object);
    }

    /// Writes an allocation by the runtime.
    pub(super) fn slow_allocation(&mut self, slow: &SlowAllocation) {
        self.code.bind(slow.label);
        self.allocate_slowly(slow.size, slow.class_word, slow.object);
        self.code.branch(BR, slow.done);
    }

    /// The object on the stack is put in its variable, if there is one.
    fn or_exhausted(&mut self, object: Local) {
        let exhausted = self.out_of_memory();
        self.code.op(DUP);
        self.code.variable(STLOC, object);
        self.code.branch(BRFALSE, exhausted);
    }
}
