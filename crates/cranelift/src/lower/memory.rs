//! Loads and stores of fields and items. Addresses of objects stay in registers or on the machine
//! stack, which the collector scans.

use crate::compiler::{WORD, trusted};
use crate::lower::state::Lower;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use verdigris_heap::{ARRAY_LEN_OFFSET, vd_invalidate};
use verdigris_ops::{DataOp, SlotLayout, Ty};
use verdigris_trace::{Arg, Const, Opcode, OptimisedOp};

/// Where an array's length is.
pub(crate) const LENGTH: i32 = ARRAY_LEN_OFFSET as i32;
/// A word.
const WHOLE: SlotLayout = SlotLayout {
    offset: 0,
    size: 8,
    signed: true,
    stride: 0,
};

/// Where a field or an item is: behind `base` and, if there is an index, that many strides.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub(crate) base: Value,
    pub(crate) index: Option<(Value, u32)>,
    pub(crate) offset: i32,
    pub(crate) layout: SlotLayout,
}

impl Lower<'_, '_> {
    /// Lowers an operation on the heap. Returns its value.
    pub(crate) fn memory(&mut self, data: DataOp, op: OptimisedOp<'_>) -> Option<Value> {
        use DataOp::*;
        match data {
            GetFieldI | GetFieldR | GetFieldF | GetFieldW | GetItemI | GetItemR | GetItemF
            | GetItemW | ArrayLen => {
                let place = self.read_place(op);
                Some(self.load(data.ret(), place))
            }
            SetFieldI | SetFieldR | SetFieldF | SetFieldW => {
                let place = self.field(op);
                let value = self.stored(op.arg(1));
                self.store(value, place);
                if matches!(data, SetFieldR | SetFieldW) {
                    self.field_barrier(op.arg(0), op.arg(1));
                }
                None
            }
            SetItemI | SetItemR | SetItemF | SetItemW => {
                let place = self.item(op);
                let value = self.stored(op.arg(2));
                self.store(value, place);
                if matches!(data, SetItemR | SetItemW)
                    && !self.links.descrs.classes[op.class()].has_registers
                {
                    self.item_barrier(op.arg(0), op.arg(2), &place);
                }
                None
            }
            Invalidate => {
                self.invalidate(op);
                None
            }
            FillItemsI | FillItemsR | FillItemsF | FillItemsW => {
                self.fill_items(op);
                None
            }
            HasClass => Some(self.has_class(op)),
            Reclaim => {
                self.reclaim(op.arg(0));
                None
            }
            _ => Some(self.allocate(data, op)),
        }
    }

    /// Whether an object has a class.
    fn has_class(&mut self, op: OptimisedOp<'_>) -> Value {
        let expected = i64::from(self.links.descrs.classes[op.class()].word);
        let object = self.value(op.arg(0));
        let word = self.b.ins().load(types::I32, trusted(), object, 0);
        let same = self.b.ins().icmp_imm_s(IntCC::Equal, word, expected);
        self.b.ins().uextend(WORD, same)
    }

    /// Invalidates compiled code that assumes what a field held that has been written.
    fn invalidate(&mut self, op: OptimisedOp<'_>) {
        let place = self.field(op);
        let offset = i64::from(place.offset);
        let field = self.b.ins().iadd_imm_s(place.base, offset);
        let context = self.context();
        self.call_runtime(vd_invalidate as *const () as usize, &[context, field]);
    }

    /// The value of a store. A constant address takes a long instruction, so those of stores in a
    /// row are made once.
    pub(crate) fn stored(&mut self, value: Arg) -> Value {
        if let Some(float) = self.float_of_word(value) {
            return float;
        }
        let Arg::Const(Const::Ref(address)) = value else {
            return self.value(value);
        };
        if let Some(&(_, known)) = self.addresses.iter().find(|known| known.0 == address) {
            return known;
        }
        let value = self.address(address);
        self.addresses.push((address, value));
        value
    }

    /// The place that a load reads.
    fn read_place(&mut self, op: OptimisedOp<'_>) -> Place {
        use DataOp::*;
        match op.opcode() {
            Opcode::Data(GetFieldI | GetFieldR | GetFieldF | GetFieldW) => self.field(op),
            Opcode::Data(GetItemI | GetItemR | GetItemF | GetItemW) => self.item(op),
            _ => Place {
                base: self.value(op.arg(0)),
                index: None,
                offset: LENGTH,
                layout: WHOLE,
            },
        }
    }

    fn field(&mut self, op: OptimisedOp<'_>) -> Place {
        let layout = self.links.descrs.fields[op.field()].layout;
        Place {
            base: self.value(op.arg(0)),
            index: None,
            offset: layout.offset as i32,
            layout,
        }
    }

    fn item(&mut self, op: OptimisedOp<'_>) -> Place {
        let class = op.class();
        let (_, layout, _) = self.links.descrs.item(class);
        let start = i64::from(self.links.descrs.classes[class].size + layout.offset);
        let base = self.value(op.arg(0));
        let constant = match op.arg(1).as_const() {
            Some(Const::Int(index)) => constant_offset(start, index, layout),
            _ => None,
        };
        let (index, offset) = match constant {
            Some(offset) => (None, offset),
            None => (Some((self.value(op.arg(1)), layout.stride)), start as i32),
        };
        Place {
            base,
            index,
            offset,
            layout,
        }
    }

    /// The address that a place's offset counts from.
    pub(crate) fn origin(&mut self, place: &Place) -> Value {
        let Some(of @ (index, stride)) = place.index else {
            return place.base;
        };
        let known = self.distances.0.iter().find(|d| d.0 == of);
        let distance = match (known, stride) {
            (Some(&(_, distance)), _) => distance,
            (None, 0) => self.int(0),
            (None, 1) => index,
            (None, stride) => {
                let distance = match stride.is_power_of_two() {
                    true => {
                        let shift = i64::from(stride.trailing_zeros());
                        self.b.ins().ishl_imm_s(index, shift)
                    }
                    false => self.b.ins().imul_imm_s(index, i64::from(stride)),
                };
                self.distances.remember(of, distance);
                distance
            }
        };
        self.b.ins().iadd(place.base, distance)
    }

    fn load(&mut self, ty: Option<Ty>, place: Place) -> Value {
        let (base, offset) = (self.origin(&place), place.offset);
        let b = self.b.ins();
        match (ty, place.layout.size, place.layout.signed) {
            (_, 0, _) => b.iconst(WORD, 0),
            (Some(Ty::Float), ..) => b.load(types::F64, trusted(), base, offset),
            (_, 1, true) => b.sload8(WORD, trusted(), base, offset),
            (_, 1, false) => b.uload8(WORD, trusted(), base, offset),
            (_, 2, true) => b.sload16(WORD, trusted(), base, offset),
            (_, 2, false) => b.uload16(WORD, trusted(), base, offset),
            (_, 4, true) => b.sload32(trusted(), base, offset),
            (_, 4, false) => b.uload32(trusted(), base, offset),
            _ => b.load(WORD, trusted(), base, offset),
        }
    }

    pub(crate) fn store(&mut self, value: Value, place: Place) {
        let (base, offset) = (self.origin(&place), place.offset);
        let b = self.b.ins();
        match place.layout.size {
            0 => return,
            1 => b.istore8(trusted(), value, base, offset),
            2 => b.istore16(trusted(), value, base, offset),
            4 => b.istore32(trusted(), value, base, offset),
            _ => b.store(trusted(), value, base, offset),
        };
    }

    /// Calls a function of the runtime from words to a word.
    pub(crate) fn call_runtime(&mut self, address: usize, args: &[Value]) -> Value {
        let signature = self.runtime_signature(args.len());
        let callee = self.address(address as u64);
        let call = self.b.ins().call_indirect(signature, callee, args);
        self.b.inst_results(call)[0]
    }
}

/// The offset of item `index`, if it fits in an instruction.
fn constant_offset(start: i64, index: i64, layout: SlotLayout) -> Option<i32> {
    let distance = index.checked_mul(i64::from(layout.stride))?;
    i32::try_from(distance.checked_add(start)?).ok()
}
