//! Loads and stores: forwarding, and stores that are [delayed](super::delayed).
//!
//! A store makes unknown what other objects hold at slots that may be the same.

use crate::bounds::Range;
use crate::passes::delayed::rest_of_value;
use crate::passes::ranges;
use crate::section::{Cx, Section};
use crate::state::contents::MAX_WORDS;
use crate::state::gather::gather;
use crate::state::heap_table::{Entry, Written};
use crate::state::node::{Node, NodeId};
use crate::state::pure_table::PureKey;
use smallvec::SmallVec;
use verdigris_ops::{ClassId, DataOp, Descrs, HeapSlot, Ty};
use verdigris_trace::{Arg, Const, Descr, Opcode, RecordedOp};

/// The fields or items that a store writes to.
fn written(data: DataOp, descr: Descr) -> Written {
    use DataOp::*;
    match data {
        SetFieldI | SetFieldR | SetFieldF | SetFieldW => Written::Field(descr.field()),
        _ => Written::Items(descr.class()),
    }
}

impl Section {
    /// `getfield`, `getitem`, `arraylen`.
    pub fn load(&mut self, cx: &mut Cx<'_>, data: DataOp, op: RecordedOp<'_>) -> NodeId {
        let args = self.arg_nodes(op);
        self.load_nodes(cx, data, op.descr(), args)
    }

    /// A load from these nodes.
    pub fn load_nodes(
        &mut self,
        cx: &mut Cx<'_>,
        data: DataOp,
        descr: Descr,
        args: SmallVec<[NodeId; 3]>,
    ) -> NodeId {
        if let Some(n) = self.load_virtual(cx, data, descr, &args) {
            return n;
        }
        let Some(by) = self.tag_beside(cx, data, descr, &args) else {
            return self.load_real(cx, data, descr, args);
        };
        if self.is_zero_by_tag(by) {
            return self.constant(data.ret().expect("loads have results"), 0);
        }
        let value = self.load_real(cx, data, descr, args);
        self.relate_to_tag(by, value);
        value
    }

    /// A load from an object that is not virtual.
    fn load_real(
        &mut self,
        cx: &mut Cx<'_>,
        data: DataOp,
        descr: Descr,
        args: SmallVec<[NodeId; 3]>,
    ) -> NodeId {
        let base = args[0];
        if let Some(n) = self.load_assumed(cx, data, descr, base) {
            return n;
        }
        if is_immutable(cx.descrs, data, descr) {
            return self.load_immutable(cx, data, descr, args);
        }
        let Some(slot) = self.slot(data, descr, &args) else {
            return self.load_variable(cx, data, descr, args);
        };
        let known = self.lookup(slot, base);
        if let Some(entry) = known
            && !self.nodes.is_phantom(entry.value)
        {
            return self.nodes.find(entry.value);
        }
        self.flush_slot(cx, slot, base);
        let value = self.emit_load(cx, data, descr, &args);
        if let Some(entry) = known {
            self.materialise(entry.value, value);
            return self.nodes.find(entry.value);
        } else if cx.passes.heap {
            self.heap.add(
                slot,
                Entry {
                    base,
                    value,
                    delayed: false,
                    known: true,
                    fact: None,
                },
            );
        }
        value
    }

    /// `setfield`, `setitem`.
    pub fn store(&mut self, cx: &mut Cx<'_>, data: DataOp, op: RecordedOp<'_>) {
        let args = self.arg_nodes(op);
        let base = args[0];
        let value = *args.last().expect("a store has a value");
        if matches!(
            data,
            DataOp::FillItemsI | DataOp::FillItemsR | DataOp::FillItemsF | DataOp::FillItemsW
        ) {
            return self.fill_items(cx, data, op.descr(), &args);
        }
        if self.store_virtual(cx, data, op.descr(), &args, value) {
            return;
        }
        let base = self.force_node(cx, base);
        if let Some(by) = self.tag_beside(cx, data, op.descr(), &args) {
            self.relate_to_tag(by, value);
        }
        if is_immutable(cx.descrs, data, op.descr()) {
            // It initialises an existing object: no code has read the slot yet.
            self.make_rest(cx);
            self.emit_store(cx, data, op.descr(), &args);
            return;
        }
        self.forget_readers(cx.descrs, written(data, op.descr()));
        if let Written::Items(class) = written(data, op.descr()) {
            if cx.passes.heap && self.holds(class, base, args[1], value) {
                return;
            }
            self.forget_variable(class, base, Some(args[1]));
        }
        match self.slot(data, op.descr(), &args) {
            Some(slot) if cx.passes.heap => {
                self.delay(cx.descrs, slot, base, value);
                if rest_of_value(cx.trace, cx.descrs, cx.at).next().is_none() {
                    self.keep_limits(cx);
                }
            }
            Some(_) => {
                self.make_rest(cx);
                self.emit_store(cx, data, op.descr(), &args);
            }
            None => {
                let class = op.class();
                self.flush_array(cx, class, base, Some(args[1]));
                self.make_rest(cx);
                self.emit_store(cx, data, op.descr(), &args);
                self.invalidate_array(class, base, Some(args[1]));
                self.remember_variable(class, base, args[1], value);
            }
        }
    }

    /// `fill_items`.
    fn fill_items(&mut self, cx: &mut Cx<'_>, data: DataOp, descr: Descr, args: &[NodeId]) {
        let class = descr.class();
        let value = (!self.nodes.is_zero(args[1])).then_some(args[1]);
        if let Some(v) = self.nodes.as_virtual(args[0])
            && let Some(len) = v.contents.len()
        {
            if value.is_none() || v.contents.words().count() + len as usize <= MAX_WORDS {
                let Node::Virtual(v) = self.nodes.get_mut(args[0]) else {
                    unreachable!("it has been looked at");
                };
                for index in 0..len {
                    v.contents.set(HeapSlot::Item(class, index), value);
                }
                return;
            }
            let class = v.class;
            cx.remark_crowded(class);
        }
        let array = self.force_node(cx, args[0]);
        self.forget_readers(cx.descrs, written(data, descr));
        self.forget_variable(class, array, None);
        self.flush_array(cx, class, array, None);
        self.make_rest(cx);
        self.emit_store(cx, data, descr, args);
        self.invalidate_array(class, array, None);
    }

    /// Before a store that is not delayed: allocates what the following stores write into the other
    /// words of its value, so that they can follow at once.
    fn make_rest(&mut self, cx: &mut Cx<'_>) {
        let (trace, descrs) = (cx.trace, cx.descrs);
        for store in rest_of_value(trace, descrs, cx.at) {
            let value = self.node(store.args().last().expect("a store has a value"));
            self.force_node(cx, value);
        }
    }

    pub fn slot(&self, data: DataOp, descr: Descr, args: &[NodeId]) -> Option<HeapSlot> {
        use DataOp::*;
        match data {
            GetFieldI | GetFieldR | GetFieldF | GetFieldW | SetFieldI | SetFieldR | SetFieldF
            | SetFieldW => Some(HeapSlot::Field(descr.field())),
            _ => match self.nodes.as_const(args[1])? {
                Const::Int(i) => Some(HeapSlot::Item(descr.class(), u32::try_from(i).ok()?)),
                _ => None,
            },
        }
    }

    /// A load of a slot that never changes, or is assumed not to.
    pub fn load_immutable(
        &mut self,
        cx: &mut Cx<'_>,
        data: DataOp,
        descr: Descr,
        args: SmallVec<[NodeId; 3]>,
    ) -> NodeId {
        if cx.passes.fold
            && data.ret() != Some(Ty::Word)
            && let Some(words) = self.const_words(&args)
            && words[0] != 0
        {
            let word = cx.host.load(data, &words, descr);
            let known = self.constant(data.ret().expect("loads have results"), word);
            return self.known_load(cx, data, descr, &args, known);
        }
        let key = PureKey {
            opcode: Opcode::Data(data),
            descr,
            args,
        };
        if cx.passes.heap
            && let Some(n) = self.known_result(&key)
        {
            self.remember_constant_load(cx, data, descr, &key.args, n);
            return self.known_load(cx, data, descr, &key.args, n);
        }
        let n = self.emit_load(cx, data, descr, &key.args);
        let args = key.args.clone();
        if cx.passes.heap {
            self.enter_result(key, n);
        }
        self.remember_constant_load(cx, data, descr, &args, n);
        self.nodes.find(n)
    }

    /// The words of the arguments, if all are constant.
    pub fn const_words(&self, args: &[NodeId]) -> Option<SmallVec<[u64; 4]>> {
        let mut words = SmallVec::new();
        for &n in args {
            words.push(self.nodes.as_const(n)?.word());
        }
        Some(words)
    }

    /// The known contents of a slot; marks the fact that they come from as used.
    pub fn lookup(&mut self, slot: HeapSlot, base: NodeId) -> Option<Entry> {
        let entry = self.lookup_unmarked(slot, base)?;
        self.facts.rely_on(entry.fact);
        Some(entry)
    }

    /// The known contents of a slot.
    pub fn lookup_unmarked(&self, slot: HeapSlot, base: NodeId) -> Option<Entry> {
        let base = self.nodes.find(base);
        self.heap.find(slot, |b| self.nodes.find(b) == base)
    }

    pub fn emit_load(
        &mut self,
        cx: &mut Cx<'_>,
        data: DataOp,
        descr: Descr,
        args: &[NodeId],
    ) -> NodeId {
        let vals: SmallVec<[Arg; 3]> = gather(args.iter().map(|&n| self.force(cx, n)));
        let ty = data.ret().expect("loads have results");
        let n = self.emit_def(data, &vals, descr, ty);
        if cx.passes.bounds {
            let range = Range::sure(ranges::of_load(cx.descrs, data, descr));
            self.refine(n, |r| r.range = range);
        }
        n
    }

    pub(super) fn emit_store(
        &mut self,
        cx: &mut Cx<'_>,
        data: DataOp,
        descr: Descr,
        args: &[NodeId],
    ) {
        let vals = self.force_all_as(cx, args, data.params());
        self.code.trace.push(Opcode::Data(data), &vals, descr);
    }

    /// Forgets what a store to an array, at this index or at any, may have changed.
    fn invalidate_array(&mut self, class: ClassId, base: NodeId, index: Option<NodeId>) {
        for slot in self.heap.slots_of_array(class) {
            if !self.may_be_at(slot, index) {
                continue;
            }
            let nodes = &self.nodes;
            self.heap.retain_at(slot, |b| !nodes.may_alias(b, base));
        }
    }

    /// Whether an item may be at this index, or at any.
    pub(super) fn may_be_at(&mut self, item: HeapSlot, index: Option<NodeId>) -> bool {
        let (HeapSlot::Item(_, constant), Some(index)) = (item, index) else {
            return true;
        };
        let constant = self.constant(Ty::Int, u64::from(constant));
        self.may_be_same_index(constant, index)
    }

    fn load_virtual(
        &mut self,
        cx: &mut Cx<'_>,
        data: DataOp,
        descr: Descr,
        args: &[NodeId],
    ) -> Option<NodeId> {
        let v = self.nodes.as_virtual(args[0])?;
        if data == DataOp::ArrayLen {
            let len = v.contents.len()?;
            return Some(self.constant(Ty::Int, u64::from(len)));
        }
        let slot = self.slot(data, descr, args)?;
        if !v.contents.has(slot) {
            return None;
        }
        Some(match v.contents.get(slot) {
            Some(n) => self.nodes.find(n),
            None => self.new_word(cx.descrs, slot),
        })
    }

    /// The contents of a slot of a new object.
    pub fn new_word(&mut self, descrs: &Descrs, slot: HeapSlot) -> NodeId {
        self.zero_node(slot.ty(descrs))
    }

    /// A store into a virtual. False if the object must be real for it.
    fn store_virtual(
        &mut self,
        cx: &mut Cx<'_>,
        data: DataOp,
        descr: Descr,
        args: &[NodeId],
        value: NodeId,
    ) -> bool {
        if self.nodes.as_virtual(args[0]).is_none() {
            return false;
        }
        let Some(slot) = self.slot(data, descr, args) else {
            return false;
        };
        let value = (!self.nodes.is_zero(value)).then_some(value);
        let Node::Virtual(v) = self.nodes.get_mut(args[0]) else {
            unreachable!("it has been looked at");
        };
        if !v.contents.has(slot) {
            return false;
        }
        if value.is_some() && !v.contents.has_room(slot) {
            cx.remark_crowded(v.class);
            return false;
        }
        v.contents.set(slot, value);
        true
    }
}

/// Whether a load always gives the same: of an immutable field, an item of an immutable array, a
/// length.
pub(crate) fn is_immutable(descrs: &Descrs, data: DataOp, descr: Descr) -> bool {
    use DataOp::*;
    match data {
        ArrayLen => true,
        GetFieldI | GetFieldR | GetFieldF | GetFieldW | SetFieldI | SetFieldR | SetFieldF
        | SetFieldW => descrs.fields[descr.field()].immutable,
        _ => descrs.item(descr.class()).2,
    }
}
