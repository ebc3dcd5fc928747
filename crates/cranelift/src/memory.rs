//! Lowers operations on the heap: fields, items, allocation. In: an operation with its descriptor. Out: loads, stores, and the
//! inline bump allocation with its slow path. Invariants: memory between the context's cursor and limit is zero, so a new
//! object needs its header only; the header is written before any call; object addresses stay in registers or on the
//! machine stack, which the collector scans.

use crate::compiler::WORD;
use crate::enter::alloc_array_fill;
use crate::exits::SlowPath;
use crate::glue::trusted;
use crate::lower::Lower;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use smallvec::SmallVec;
use std::mem::offset_of;
use verdigris_heap::{
    ARRAY_LEN_OFFSET, Context, SMALL_MAX, vd_alloc_array, vd_alloc_slow, vd_invalidate,
};
use verdigris_ops::{ClassId, DataOp, FieldId, Layout, Ty};
use verdigris_trace::{Const, Op, Opcode, Val};

/// Objects up to this size are allocated inline.
const INLINE: u64 = SMALL_MAX as u64;
/// Where an array's length is.
const LENGTH: i32 = ARRAY_LEN_OFFSET as i32;
/// A word.
const WHOLE: Layout = Layout {
    offset: 0,
    size: 8,
    signed: true,
    stride: 0,
};

/// How many distances are remembered.
const MAX_DISTANCES: usize = 4;

/// Where a field or an item is: behind `base` and, if there is an index, so many times the stride.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    base: Value,
    index: Option<(Value, u32)>,
    offset: i32,
    layout: Layout,
}

/// A load.
#[derive(Clone, Copy)]
pub(crate) struct Load {
    ty: Option<Ty>,
    place: Place,
}

/// The last distances computed: an index times a stride. The components of an item lie at the same.
#[derive(Default)]
pub(crate) struct Distances(SmallVec<[((Value, u32), Value); MAX_DISTANCES]>);

impl Distances {
    /// Forgets what the code that follows does not see.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    fn remember(&mut self, of: (Value, u32), distance: Value) {
        if self.0.len() == MAX_DISTANCES {
            self.0.remove(0);
        }
        self.0.push((of, distance));
    }
}

impl Lower<'_, '_> {
    /// Lowers an operation on the heap. Answers its value.
    pub(crate) fn memory(&mut self, data: DataOp, op: &Op) -> Option<Value> {
        use DataOp::*;
        match data {
            GetFieldI | GetFieldR | GetFieldF | GetItemI | GetItemR | GetItemF | ArrayLen => {
                let load = self.load_of(op);
                Some(self.load(load))
            }
            SetFieldI | SetFieldR | SetFieldF => {
                let place = self.field(op);
                let value = self.value(op.args[1]);
                self.store(value, place);
                self.write_barrier(op.args[0]);
                None
            }
            SetItemI | SetItemR | SetItemF => {
                let place = self.item(op);
                let value = self.value(op.args[2]);
                self.store(value, place);
                self.write_barrier(op.args[0]);
                None
            }
            Invalidate => {
                self.invalidate(op);
                None
            }
            Reclaim => {
                self.reclaim(op.args[0]);
                None
            }
            New => Some(self.new_struct(class_of(op))),
            NewArray => Some(self.new_array(class_of(op), op.args[0], None)),
            _ => Some(self.new_array(class_of(op), op.args[0], Some(op.args[1]))),
        }
    }

    /// Stops whoever assumes what a field held that has been written.
    fn invalidate(&mut self, op: &Op) {
        let place = self.field(op);
        let offset = i64::from(place.offset);
        let field = self.b.ins().iadd_imm_s(place.base, offset);
        let context = self.context();
        self.call_runtime(vd_invalidate as *const () as usize, &[context, field]);
    }

    /// What has to happen when a reference has been stored in an object: nothing, until the collector has generations.
    fn write_barrier(&mut self, _object: Val) {}

    /// What a load does, with its operands as values: it may be done here or in an exit.
    pub(crate) fn load_of(&mut self, op: &Op) -> Load {
        use DataOp::*;
        let Opcode::Data(data) = op.opcode else {
            unreachable!("loads are data operations")
        };
        let place = match data {
            GetFieldI | GetFieldR | GetFieldF => self.field(op),
            GetItemI | GetItemR | GetItemF => self.item(op),
            _ => Place {
                base: self.value(op.args[0]),
                index: None,
                offset: LENGTH,
                layout: WHOLE,
            },
        };
        let ty = data.ret();
        Load { ty, place }
    }

    fn field(&mut self, op: &Op) -> Place {
        let layout = self.links.descrs.fields[FieldId::from_u32(op.descr)].layout;
        Place {
            base: self.value(op.args[0]),
            index: None,
            offset: layout.offset as i32,
            layout,
        }
    }

    fn item(&mut self, op: &Op) -> Place {
        let class = class_of(op);
        let (_, layout, _) = self.links.descrs.item(class);
        let start = i64::from(self.links.descrs.classes[class].size + layout.offset);
        let base = self.value(op.args[0]);
        let constant = match op.args[1].as_const() {
            Some(Const::Int(index)) => constant_offset(start, index, layout),
            _ => None,
        };
        let (index, offset) = match constant {
            Some(offset) => (None, offset),
            None => (Some((self.value(op.args[1]), layout.stride)), start as i32),
        };
        Place {
            base,
            index,
            offset,
            layout,
        }
    }

    /// The address that a place's offset counts from.
    fn origin(&mut self, place: &Place) -> Value {
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

    pub(crate) fn load(&mut self, Load { ty, place }: Load) -> Value {
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

    fn store(&mut self, value: Value, place: Place) {
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

    fn new_struct(&mut self, class: ClassId) -> Value {
        let info = &self.links.descrs.classes[class];
        let size = u64::from(info.size).next_multiple_of(8);
        if size <= INLINE {
            return self.bump(size as u32, info.word);
        }
        let context = self.context();
        self.allocate_slowly(context, size as u32, info.word)
    }

    /// An array, with every item `fill` if there is one.
    fn new_array(&mut self, class: ClassId, len: Val, fill: Option<Val>) -> Value {
        let info = &self.links.descrs.classes[class];
        let (_, layout, _) = self.links.descrs.item(class);
        if let Some(Const::Int(len)) = len.as_const()
            && let Some(size) = small_array(info.size, len, layout)
        {
            let array = self.bump(size, info.word);
            let word = self.int(len);
            self.b.ins().store(trusted(), word, array, LENGTH);
            if let Some(fill) = fill {
                self.fill(array, info.size, len, layout, fill);
            }
            return array;
        }
        let (class_word, item_size) = (class_word(info.word), i64::from(layout.stride));
        let context = self.context();
        let class_word = self.int(class_word);
        let item_size = self.int(item_size);
        let len = self.value(len);
        let array = match fill {
            None => {
                let make = vd_alloc_array as *const () as usize;
                self.call_runtime(make, &[context, class_word, item_size, len])
            }
            Some(fill) => {
                let make = alloc_array_fill as *const () as usize;
                let fill = self.raw(fill);
                self.call_runtime(make, &[context, class_word, item_size, len, fill])
            }
        };
        self.or_exhausted(array)
    }

    fn fill(&mut self, array: Value, start: u32, len: i64, layout: Layout, fill: Val) {
        if fill.as_const().is_some_and(|c| c.word() == 0) {
            return;
        }
        let value = self.value(fill);
        for n in 0..len as u32 {
            let offset = start + n * layout.stride;
            self.store(
                value,
                Place {
                    base: array,
                    index: None,
                    offset: offset as i32,
                    layout,
                },
            );
        }
    }

    /// Allocates by moving the cursor; the slow path is a cold block.
    fn bump(&mut self, size: u32, class_word: i32) -> Value {
        let (cursor_at, limit_at) = (
            offset_of!(Context, cursor) as i32,
            offset_of!(Context, limit) as i32,
        );
        let context = self.context();
        let object = self.b.ins().load(WORD, trusted(), context, cursor_at);
        let limit = self.b.ins().load(WORD, trusted(), context, limit_at);
        let end = self.b.ins().iadd_imm_s(object, i64::from(size));
        let full = self.b.ins().icmp(IntCC::UnsignedGreaterThan, end, limit);
        let (fast, done) = (self.b.create_block(), self.b.create_block());
        let slow = self.cold_block();
        self.b.ins().brif(full, slow, &[], fast, &[]);
        self.b.switch_to_block(fast);
        let context = self.context();
        self.b.ins().store(trusted(), end, context, cursor_at);
        let word = self
            .b
            .ins()
            .iconst(types::I32, i64::from(class_word as u32));
        self.b.ins().store(trusted(), word, object, 0);
        self.b.ins().jump(done, &[object.into()]);
        self.exits.add_slow(SlowPath {
            block: slow,
            done,
            size,
            class_word,
        });
        self.b.switch_to_block(done);
        self.b.append_block_param(done, WORD)
    }

    /// Fills the slow path of [`Lower::bump`].
    pub(crate) fn slow_path(&mut self, path: &SlowPath) {
        self.b.switch_to_block(path.block);
        let context = self.context();
        let object = self.call_alloc_slow(context, path.size, path.class_word);
        let exhausted = self.out_of_memory();
        (self.b.ins()).brif(object, path.done, &[object.into()], exhausted, &[]);
    }

    fn allocate_slowly(&mut self, context: Value, size: u32, word: i32) -> Value {
        let object = self.call_alloc_slow(context, size, word);
        self.or_exhausted(object)
    }

    fn call_alloc_slow(&mut self, context: Value, size: u32, word: i32) -> Value {
        let size = self.int(i64::from(size));
        let word = self.int(class_word(word));
        self.call_runtime(vd_alloc_slow as *const () as usize, &[context, size, word])
    }

    /// Leaves if an allocation answered null.
    fn or_exhausted(&mut self, object: Value) -> Value {
        let go_on = self.b.create_block();
        let exhausted = self.out_of_memory();
        self.b.ins().brif(object, go_on, &[], exhausted, &[]);
        self.b.switch_to_block(go_on);
        object
    }

    /// Calls a function of the runtime that takes words and answers one.
    pub(crate) fn call_runtime(&mut self, address: usize, args: &[Value]) -> Value {
        let signature = self.runtime_signature(args.len());
        let callee = self.address(address as u64);
        let call = self.b.ins().call_indirect(signature, callee, args);
        self.b.inst_results(call)[0]
    }
}

fn class_of(op: &Op) -> ClassId {
    ClassId::from_u32(op.descr)
}

/// The class word as the runtime takes it.
fn class_word(word: i32) -> i64 {
    i64::from(word as u32)
}

/// The offset of item `index`, if it fits in an instruction.
fn constant_offset(start: i64, index: i64, layout: Layout) -> Option<i32> {
    let distance = index.checked_mul(i64::from(layout.stride))?;
    i32::try_from(distance.checked_add(start)?).ok()
}

/// The size of an array that is allocated inline.
fn small_array(start: u32, len: i64, layout: Layout) -> Option<u32> {
    let items = u64::try_from(len)
        .ok()?
        .checked_mul(u64::from(layout.stride))?;
    let size = items.checked_add(u64::from(start))?.next_multiple_of(8);
    (size <= INLINE).then_some(size as u32)
}
