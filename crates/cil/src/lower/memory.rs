//! Loads and stores of fields and items by addresses, and the write barrier.

use crate::code::Kind;
use crate::instructions::*;
use crate::locals::kind_of;
use crate::lower::state::{Kinds, Lower};
use std::mem::offset_of;
use verdigris_heap::{
    ARRAY_LEN_OFFSET, CARD_SHIFT, Context, Header, KEPT_BIT, vd_fill_array, vd_fill_old_array,
    vd_invalidate, vd_reclaim,
};
use verdigris_ops::{DataOp, SlotLayout, Ty};
use verdigris_trace::{Arg, Const, OptimisedOp};

impl<'m> Lower<'m> {
    /// Lowers an operation on the heap.
    pub(super) fn heap(&mut self, data: DataOp, op: OptimisedOp<'m>) {
        use DataOp::*;
        match data {
            GetFieldI | GetFieldR | GetFieldF | GetFieldW => {
                let layout = self.descrs().fields[op.field()].layout;
                self.field_address(op);
                self.load(self.ty_of_result(op), layout);
                self.result(op);
            }
            GetItemI | GetItemR | GetItemF | GetItemW => {
                let (_, layout, _) = self.descrs().item(op.class());
                self.item_address(op);
                self.load(self.ty_of_result(op), layout);
                self.result(op);
            }
            ArrayLen => {
                self.value(op.arg(0));
                self.offset(ARRAY_LEN_OFFSET);
                self.code.op(LDIND_I8);
                self.result(op);
            }
            SetFieldI | SetFieldR | SetFieldF | SetFieldW => {
                let layout = self.descrs().fields[op.field()].layout;
                self.field_address(op);
                self.store(op.arg(1), layout);
                if matches!(data, SetFieldR | SetFieldW)
                    && self.barriers.wants_field(op.arg(0), op.arg(1))
                {
                    self.mark_card(|lower| lower.value(op.arg(0)));
                }
            }
            SetItemI | SetItemR | SetItemF | SetItemW => {
                let (_, layout, _) = self.descrs().item(op.class());
                self.item_address(op);
                self.store(op.arg(2), layout);
                let has_registers = self.descrs().classes[op.class()].has_registers;
                if matches!(data, SetItemR | SetItemW)
                    && !has_registers
                    && self.barriers.needs(op.arg(0), op.arg(2))
                {
                    self.mark_card(|lower| lower.item_address(op));
                }
            }
            FillItemsI | FillItemsR | FillItemsF | FillItemsW => self.fill_items(op),
            Invalidate => {
                self.code.op(LDARG_1);
                self.field_address(op);
                self.call_runtime(vd_invalidate as *const () as usize, 2);
                self.code.op(POP);
            }
            HasClass => {
                self.class_word(op.arg(0));
                self.code.short(self.descrs().classes[op.class()].word);
                self.code.ops(&[CEQ, CONV_U8]);
                self.result(op);
            }
            Reclaim => self.reclaim(op.arg(0)),
            New => self.new_struct(op),
            _ => self.new_array(op),
        }
    }

    fn ty_of_result(&self, op: OptimisedOp<'m>) -> Ty {
        self.method.ty(op.result().expect("a load has a result"))
    }

    /// Pushes the word that says what an object's class is.
    pub(super) fn class_word(&mut self, object: Arg) {
        self.value(object);
        self.offset(offset_of!(Header, class));
        self.code.op(LDIND_I4);
    }

    /// A word of a record.
    pub(super) fn hole(&mut self, op: OptimisedOp<'m>) {
        let number = op.args().constant(1).expect("a checked hole has a number");
        self.value(op.arg(0));
        self.code.op(CONV_I);
        self.offset(8 * number.word() as usize);
        self.code.op(match kind_of(self.ty_of_result(op)) {
            Kind::Float => LDIND_R8,
            Kind::Address => LDIND_I,
            Kind::Int | Kind::Short => LDIND_I8,
        });
        self.result(op);
    }

    /// Pushes the address of a field.
    fn field_address(&mut self, op: OptimisedOp<'m>) {
        self.value(op.arg(0));
        self.offset(self.descrs().fields[op.field()].layout.offset as usize);
    }

    /// Pushes the address of an item.
    fn item_address(&mut self, op: OptimisedOp<'m>) {
        let class = op.class();
        let (_, layout, _) = self.descrs().item(class);
        let start = (self.descrs().classes[class].size + layout.offset) as usize;
        self.value(op.arg(0));
        let constant = match op.arg(1).as_const() {
            Some(Const::Int(index)) => constant_offset(start, index, layout),
            _ => None,
        };
        if let Some(offset) = constant {
            return self.offset(offset);
        }
        self.value(op.arg(1));
        if layout.stride != 1 {
            self.code.int(i64::from(layout.stride));
            self.code.op(MUL);
        }
        self.code.ops(&[CONV_I, ADD]);
        self.offset(start);
    }

    /// Loads from the address on the stack.
    fn load(&mut self, ty: Ty, layout: SlotLayout) {
        let code = &mut self.code;
        match (ty, layout.size, layout.signed) {
            (_, 0, _) => {
                code.op(POP);
                code.int(0);
            }
            (Ty::Float, ..) => code.op(LDIND_R8),
            (Ty::Ref, ..) => code.op(LDIND_I),
            (_, 1, true) => code.ops(&[LDIND_I1, CONV_I8]),
            (_, 1, false) => code.ops(&[LDIND_U1, CONV_U8]),
            (_, 2, true) => code.ops(&[LDIND_I2, CONV_I8]),
            (_, 2, false) => code.ops(&[LDIND_U2, CONV_U8]),
            (_, 4, true) => code.ops(&[LDIND_I4, CONV_I8]),
            (_, 4, false) => code.ops(&[LDIND_U4, CONV_U8]),
            _ => code.op(LDIND_I8),
        }
    }

    /// Stores a value at the address on the stack.
    fn store(&mut self, value: Arg, layout: SlotLayout) {
        if layout.size == 0 {
            return self.code.op(POP);
        }
        self.value(value);
        let kind = kind_of(self.ty(value));
        self.code.ops(match (kind, layout.size) {
            (Kind::Float, _) => &[STIND_R8],
            (Kind::Address, _) => &[STIND_I],
            (_, 1) => &[CONV_I4, STIND_I1],
            (_, 2) => &[CONV_I4, STIND_I2],
            (_, 4) => &[CONV_I4, STIND_I4],
            _ => &[STIND_I8],
        });
    }

    /// Marks the card of the address that is pushed.
    fn mark_card(&mut self, push: impl FnOnce(&mut Self)) {
        self.context_place(offset_of!(Context, cards));
        self.code.op(LDIND_I);
        push(self);
        self.code.short(CARD_SHIFT as i32);
        self.code.ops(&[SHR_UN, ADD]);
        self.code.short(1);
        self.code.op(STIND_I1);
    }

    /// Stores a value in every item.
    fn fill_items(&mut self, op: OptimisedOp<'m>) {
        let class = op.class();
        let (_, layout, _) = self.descrs().item(class);
        let start = self.descrs().classes[class].size + layout.offset;
        self.value(op.arg(0));
        for number in [start, u32::from(layout.size), layout.stride] {
            self.address(u64::from(number));
        }
        self.word(op.arg(1));
        self.code.op(CONV_I);
        // Something may have been collected since the array was made.
        let fill = match self.barriers.is_young(op.arg(0)) {
            true => vd_fill_array as *const () as usize,
            false => vd_fill_old_array as *const () as usize,
        };
        self.call_runtime(fill, 5);
        self.code.op(POP);
    }

    /// Makes suspended code give back what it keeps of this object.
    fn reclaim(&mut self, object: Arg) {
        let done = self.code.label();
        let exhausted = self.out_of_memory();
        self.value(object);
        self.offset(offset_of!(Header, bits));
        self.code.op(LDIND_U4);
        self.code.short(KEPT_BIT as i32);
        self.code.op(AND);
        self.code.branch(BRFALSE, done);
        self.code.op(LDARG_1);
        self.value(object);
        self.call_runtime(vd_reclaim as *const () as usize, 2);
        self.code.branch(BRFALSE, exhausted);
        self.code.bind(done);
    }

    /// Calls a function of the runtime from words, which are on the stack as addresses, to a word.
    pub(super) fn call_runtime(&mut self, address: usize, params: usize) {
        let params: Kinds = std::iter::repeat_n(Kind::Address, params).collect();
        self.call_address(address, &params, Some(Kind::Address));
    }
}

/// The distance of an item, if it fits in an instruction.
fn constant_offset(start: usize, index: i64, layout: SlotLayout) -> Option<usize> {
    let distance = index.checked_mul(i64::from(layout.stride))?;
    let offset = distance.checked_add(start as i64)?;
    usize::try_from(i32::try_from(offset).ok()?).ok()
}
