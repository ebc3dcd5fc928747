//! The write barrier's instructions. In: a store, and what
//! [`Barriers`](verdigris_backend::barriers::Barriers) knows. Out: a byte written in the card of
//! the place, if a reference may have been stored there.

use crate::compiler::WORD;
use crate::glue::trusted;
use crate::lower::Lower;
use crate::memory::Place;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use std::mem::offset_of;
use verdigris_heap::{CARD_SHIFT, Context};
use verdigris_trace::Arg;

impl Lower<'_, '_> {
    /// What follows a store to a field. The object is looked at as a whole if the card is dirty
    /// that it starts in.
    pub(crate) fn field_barrier(&mut self, object: Arg, value: Arg) {
        if self.barriers.wants_field(object, value) {
            let start = self.value(object);
            self.mark_card(start);
        }
    }

    /// What follows a store to an item.
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
