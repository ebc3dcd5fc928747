//! The write barrier: marks the card of a place where a reference may have been stored.

use crate::compiler::{WORD, trusted};
use crate::lower::memory::Place;
use crate::lower::state::Lower;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use std::mem::offset_of;
use verdigris_heap::{CARD_SHIFT, Context};
use verdigris_trace::Arg;

impl Lower<'_, '_> {
    /// The barrier behind a store to a field: it marks the card in which the object starts, which
    /// stands for the whole object.
    pub(crate) fn field_barrier(&mut self, object: Arg, value: Arg) {
        if self.barriers.wants_field(object, value) {
            let start = self.value(object);
            self.mark_card(start);
        }
    }

    /// The barrier behind a store to an item.
    pub(crate) fn item_barrier(&mut self, object: Arg, value: Arg, place: &Place) {
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
