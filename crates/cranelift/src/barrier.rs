//! The write barrier: which stores it is behind, and its instructions. In: the operations of a section, one after the other. Out: a byte written
//! in the card of a place, if a reference may have been stored there. Invariant: when memory is collected, the card of each old object's place is
//! dirty that holds a young object and was written since the last collection.
//!
//! It is left out where nothing can be missed: behind stores of null and of numbers; of constants, which are pinned for longer than it takes them
//! to be old; and in objects that have been made since anything could be collected. The optimiser knows other objects as new, which may have
//! survived a collection meanwhile; so this is decided here, when it is clear which allocations are done at once.
//! Source: card marking as in "A Fast Write Barrier for Generational Garbage Collectors" (Hölzle, 1993).

use crate::alloc::stays;
use crate::compiler::WORD;
use crate::glue::trusted;
use crate::lower::Lower;
use crate::memory::Place;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use rustc_hash::FxHashSet;
use std::mem::offset_of;
use verdigris_heap::{CARD_SHIFT, Context};
use verdigris_ops::DataOp;
use verdigris_trace::{Op, Opcode, Val, ValRef};

/// What is known at a place in a section.
#[derive(Default)]
pub(crate) struct Barriers {
    /// Objects made since anything could be collected.
    young: FxHashSet<ValRef>,
    /// Objects whose cards are dirty since.
    dirty: FxHashSet<ValRef>,
    /// Words that are numbers.
    numbers: FxHashSet<ValRef>,
}

impl Barriers {
    /// Learns from the operation that comes next.
    pub(crate) fn pass(&mut self, op: &Op) {
        match op.opcode {
            Opcode::Data(DataOp::WordFromInt | DataOp::WordFromFloat) => {
                self.numbers.extend(op.result)
            }
            // Allocations tell when they are done.
            Opcode::Data(DataOp::New | DataOp::NewArray) | Opcode::MergePoint => {}
            Opcode::Data(data) if stays(data) => {}
            opcode if opcode.is_guard() => {}
            _ => self.collected(),
        }
    }

    /// Something may have been collected.
    pub(crate) fn collected(&mut self) {
        self.young.clear();
        self.dirty.clear();
    }

    /// An object has been made, and nothing can have been collected since.
    pub(crate) fn made(&mut self, object: ValRef) {
        self.young.insert(object);
    }

    /// Whether an object has been made since anything could be collected.
    pub(crate) fn is_young(&self, object: Val) -> bool {
        object.as_ref().is_some_and(|v| self.young.contains(&v))
    }

    /// Whether a collection of the young generation has to know of a store.
    fn needs(&self, object: Val, value: Val) -> bool {
        let refers = value.as_ref().is_some_and(|v| !self.numbers.contains(&v));
        refers && !self.is_young(object) && !crate::sabotage::skips_barriers()
    }
}

impl Lower<'_, '_> {
    /// What follows a store to a field. The object is looked at as a whole if the card is dirty that it starts in.
    pub(crate) fn field_barrier(&mut self, object: Val, value: Val) {
        if !self.barriers.needs(object, value) {
            return;
        }
        if object
            .as_ref()
            .is_none_or(|v| self.barriers.dirty.insert(v))
        {
            let start = self.value(object);
            self.mark_card(start);
        }
    }

    /// What follows a store to an item.
    pub(crate) fn item_barrier(&mut self, object: Val, value: Val, place: &Place) {
        if self.barriers.needs(object, value) {
            let item = self.origin(place);
            let item = self.b.ins().iadd_imm_s(item, i64::from(place.offset));
            self.mark_card(item);
        }
    }

    fn mark_card(&mut self, address: Value) {
        let context = self.context();
        let offset = offset_of!(Context, cards) as i32;
        let cards = self.b.ins().load(WORD, trusted(), context, offset);
        let card = self.b.ins().ushr_imm_s(address, i64::from(CARD_SHIFT));
        let card = self.b.ins().iadd(cards, card);
        let dirty = self.b.ins().iconst(types::I8, 1);
        self.b.ins().store(trusted(), dirty, card, 0);
    }
}
