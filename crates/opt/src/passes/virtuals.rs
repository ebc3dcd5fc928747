//! Allocation removal: objects stay virtual until they escape, and are allocated there.
//!
//! Invariant: no emitted operation, and no object in the heap, refers to a virtual. Zero words of a
//! virtual cost nothing ([`crate::state::contents`]).
//!
//! Source: "Allocation Removal by Partial Evaluation in a Tracing JIT" (2011), sections 4 and 5.

use crate::sabotage::Sabotage;
use crate::section::{Cx, Section};
use crate::state::contents::Contents;
use crate::state::gather::gather;
use crate::state::heap_table::Entry;
use crate::state::node::{Node, NodeId, Real, Virtual};
use crate::state::pure_table::PureKey;
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use verdigris_ops::{ClassId, DataOp, HeapSlot, Ty};
use verdigris_trace::{Arg, Descr, Opcode, RecordedOp};

/// An array is allocated filled with one value if that many more items hold it than not.
const MANY_ALIKE: usize = 16;

/// A step of allocating an object and its contents.
enum Making {
    /// Allocate it, if it is virtual.
    Object(NodeId),
    /// Store its contents, which exist.
    Contents(Made),
}

/// An object that has been allocated.
struct Made {
    n: NodeId,
    class: ClassId,
    /// Its contents.
    words: Vec<(HeapSlot, NodeId)>,
    /// The value that fills all items.
    fill: Option<NodeId>,
}

impl Section {
    /// An allocation.
    pub fn alloc(&mut self, cx: &mut Cx<'_>, data: DataOp, op: RecordedOp<'_>) -> NodeId {
        let args = self.arg_nodes(op);
        let class = op.class();
        if cx.passes.virtuals
            && let Some(contents) = self.virtual_contents(data, &args)
        {
            return self.nodes.add(Node::Virtual(Virtual { class, contents }));
        }
        let vals: SmallVec<[Arg; 3]> = gather(args.iter().map(|&n| self.force(cx, n)));
        let n = self.emit_def(data, &vals, op.descr(), Ty::Ref);
        self.refine(n, |r| {
            r.class = Some(class);
            r.nonnull = true;
            r.fresh = true;
        });
        if data != DataOp::New && cx.passes.heap {
            self.know_length(class, n, args[0]);
        }
        n
    }

    /// The contents of a new object, if it can be virtual.
    fn virtual_contents(&self, data: DataOp, args: &[NodeId]) -> Option<Contents<NodeId>> {
        if data == DataOp::New {
            return Some(Contents::zeros(None));
        }
        let len = self.nodes.as_const(args[0])?.word();
        let len = u32::try_from(len).ok()?;
        Some(Contents::zeros(Some(len)))
    }

    fn know_length(&mut self, class: ClassId, array: NodeId, len: NodeId) {
        let key = PureKey {
            opcode: Opcode::Data(DataOp::ArrayLen),
            descr: class.into(),
            args: smallvec![array],
        };
        self.pure.insert(key, len, None);
    }

    /// The emitted value of a node; allocates it first if it is virtual.
    pub fn force(&mut self, cx: &mut Cx<'_>, n: NodeId) -> Arg {
        let n = self.force_node(cx, n);
        self.val(n)
    }

    /// Allocates a node if it is virtual, and returns it.
    pub fn force_node(&mut self, cx: &mut Cx<'_>, n: NodeId) -> NodeId {
        let n = self.nodes.find(n);
        if self.nodes.as_virtual(n).is_none() {
            return n;
        }
        // A list, not recursion: a chain of objects can be longer than the native stack is deep.
        let mut todo = vec![Making::Object(n)];
        while let Some(next) = todo.pop() {
            match next {
                Making::Object(n) => self.make(n, &mut todo),
                Making::Contents(object) => self.fill_made(cx, object),
            }
        }
        n
    }

    /// Allocates an object, if it is virtual, and schedules its contents.
    fn make(&mut self, n: NodeId, todo: &mut Vec<Making>) {
        let n = self.nodes.find(n);
        let Some(v) = self.nodes.as_virtual(n).cloned() else {
            return;
        };
        let mut words: Vec<(HeapSlot, NodeId)> = v.contents.words().collect();
        if Sabotage::ForgetField.is_on() {
            words.pop();
        }
        let fill = self.common_item(v.class, &v.contents);
        self.allocate(n, v.class, v.contents.len());
        // The node is real from here on, so contents may refer back to it. All of them exist before
        // the first is stored: no collection sees half a value of several words.
        let values: Vec<NodeId> = words.iter().map(|w| w.1).collect();
        let class = v.class;
        todo.push(Making::Contents(Made {
            n,
            class,
            words,
            fill,
        }));
        todo.extend(values.into_iter().rev().map(Making::Object));
    }

    /// Stores the contents of an object that has just been allocated.
    fn fill_made(&mut self, cx: &mut Cx<'_>, object: Made) {
        let Made {
            n,
            class,
            words,
            fill,
        } = object;
        if let Some(fill) = fill {
            let data = DataOp::fill_items(cx.descrs.item(class).0);
            let vals = self.force_all_as(cx, &[n, fill], data.params());
            self.code
                .trace
                .push(Opcode::Data(data), &vals, class.into());
        }
        for (slot, value) in words {
            let own = matches!(slot, HeapSlot::Item(item, _) if item == class);
            let there = match fill {
                Some(fill) if own => self.nodes.find(value) == fill,
                _ => self.nodes.is_zero(value),
            };
            self.initialise(cx, n, slot, value, there);
        }
    }

    /// The value to fill an array with, if better than zero: no item is zero, and many have it.
    fn common_item(&self, class: ClassId, contents: &Contents<NodeId>) -> Option<NodeId> {
        let len = contents.len()? as usize;
        let own = contents
            .words()
            .filter(|w| matches!(w.0, HeapSlot::Item(c, _) if c == class));
        let values: Vec<NodeId> = own.map(|w| self.nodes.find(w.1)).collect();
        if len < MANY_ALIKE || values.len() < len {
            return None;
        }
        let mut counts: FxHashMap<NodeId, usize> = FxHashMap::default();
        for &value in &values {
            *counts.entry(value).or_default() += 1;
        }
        let is_common = |n: &&NodeId| counts[*n] * 2 >= len + MANY_ALIKE;
        let common = values.iter().find(is_common).copied();
        common.filter(|&n| self.nodes.as_virtual(n).is_none() && !self.nodes.is_zero(n))
    }

    fn allocate(&mut self, n: NodeId, class: ClassId, len: Option<u32>) {
        let len = len.map(|len| self.constant(Ty::Int, u64::from(len)));
        let data = match len {
            None => DataOp::New,
            Some(_) => DataOp::NewArray,
        };
        let args: SmallVec<[Arg; 2]> = gather(len.iter().map(|&n| self.val(n)));
        let seq = self.next_seq();
        let opcode = Opcode::Data(data);
        let val = self
            .code
            .trace
            .push_def(opcode, &args, class.into(), Ty::Ref);
        let mut object = Real::new(val, Ty::Ref, seq);
        object.class = Some(class);
        object.nonnull = true;
        object.fresh = true;
        self.nodes.allocated(n, object);
        if let Some(len) = len {
            self.know_length(class, n, len);
        }
    }

    /// Stores one word of an object that has just been allocated, unless it is already `there`.
    fn initialise(
        &mut self,
        cx: &mut Cx<'_>,
        object: NodeId,
        slot: HeapSlot,
        value: NodeId,
        there: bool,
    ) {
        let (ty, descr, index, immutable) = match slot {
            HeapSlot::Field(field) => {
                let info = &cx.descrs.fields[field];
                (info.ty, Descr::Field(field), None, info.immutable)
            }
            HeapSlot::Item(class, index) => {
                let (ty, _, immutable) = cx.descrs.item(class);
                (ty, Descr::Class(class), Some(index), immutable)
            }
        };
        let (load, store) = match index {
            None => (DataOp::get_field(ty), DataOp::set_field(ty)),
            Some(_) => (DataOp::get_item(ty), DataOp::set_item(ty)),
        };
        let mut args: SmallVec<[NodeId; 3]> = smallvec![object];
        args.extend(index.map(|i| self.constant(Ty::Int, u64::from(i))));
        let key = PureKey {
            opcode: Opcode::Data(load),
            descr,
            args: args.clone(),
        };
        if !there {
            args.push(value);
            let vals = self.force_all_as(cx, &args, store.params());
            self.code.trace.push(Opcode::Data(store), &vals, descr);
        }
        if !cx.passes.heap {
            return;
        }
        if immutable {
            self.pure.insert(key, value, None);
            return;
        }
        let entry = Entry {
            base: object,
            value,
            delayed: false,
            known: true,
            fact: None,
        };
        self.heap.add(slot, entry);
    }
}
