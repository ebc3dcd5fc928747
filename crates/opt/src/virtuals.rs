//! Allocation removal: objects stay virtual until they escape.
//!
//! In: `new`, `new_array`, `new_array_fill`. Out: virtual nodes; an allocation and stores ("lifting") where one escapes.
//! Invariant: no emitted operation, and no object in the heap, refers to a virtual.
//! Source: "Allocation Removal by Partial Evaluation in a Tracing JIT" (2011), sections 4 and 5.

use crate::heap::{Entry, Place};
use crate::node::{Contents, Node, NodeId, Virtual};
use crate::pure::PureKey;
use crate::sabotage::Sabotage;
use crate::section::{Cx, Section, real};
use smallvec::{SmallVec, smallvec};
use verdigris_ops::{ClassId, DataOp, Ty};
use verdigris_trace::{Op, Opcode, Val};

/// Longer arrays are allocated: each item of a virtual costs a value in every guard.
const MAX_VIRTUAL_ITEMS: u64 = 64;

impl Section {
    /// An allocation.
    pub fn alloc(&mut self, cx: &mut Cx<'_>, data: DataOp, op: &Op) -> NodeId {
        let args = self.arg_nodes(op);
        let class = ClassId::from_u32(op.descr);
        if cx.passes.virtuals
            && let Some(contents) = self.virtual_contents(cx, data, class, &args)
        {
            return self.nodes.add(Node::Virtual(Virtual { class, contents }));
        }
        let vals: SmallVec<[Val; 3]> = args.iter().map(|&n| self.force(cx, n)).collect();
        let mut emitted = Op::new(Opcode::Data(data), &vals);
        emitted.descr = op.descr;
        let n = self.emit_def(emitted, Ty::Ref);
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

    fn virtual_contents(
        &mut self,
        cx: &Cx<'_>,
        data: DataOp,
        class: ClassId,
        args: &[NodeId],
    ) -> Option<Contents> {
        if data == DataOp::New {
            return Some(Contents::Struct(Vec::new()));
        }
        let len = self.nodes.as_const(args[0])?.word();
        let (ty, layout, _) = cx.descrs.item(class);
        // Items of several words are accessed by several classes; such an array is not taken apart.
        if len > MAX_VIRTUAL_ITEMS || u32::from(layout.size) != layout.stride {
            return None;
        }
        let fill = match args.get(1) {
            Some(&n) => n,
            None => self.constant(ty, 0),
        };
        Some(Contents::Array(vec![fill; len as usize]))
    }

    fn know_length(&mut self, class: ClassId, array: NodeId, len: NodeId) {
        let key = PureKey {
            opcode: Opcode::Data(DataOp::ArrayLen),
            descr: class.as_u32(),
            args: smallvec![array],
        };
        self.pure.insert(key, len, None);
    }

    /// The emitted value of a node, which is allocated first if it is virtual.
    pub fn force(&mut self, cx: &mut Cx<'_>, n: NodeId) -> Val {
        let n = self.force_node(cx, n);
        self.val(n)
    }

    /// The node itself, not virtual any more.
    pub fn force_node(&mut self, cx: &mut Cx<'_>, n: NodeId) -> NodeId {
        let n = self.nodes.find(n);
        let Some(v) = self.nodes.as_virtual(n).cloned() else {
            return n;
        };
        let len = match &v.contents {
            Contents::Struct(_) => None,
            Contents::Array(items) => Some(self.constant(Ty::Int, items.len() as u64)),
        };
        self.allocate(n, v.class, len);
        // The node is real from here on, so that contents may refer back to it.
        match v.contents {
            Contents::Struct(mut fields) => {
                // In the order of the class, whatever the order of the stores was.
                fields.sort_by_key(|&(field, _)| field);
                if Sabotage::ForgetField.is_on() {
                    fields.pop();
                }
                for (field, value) in fields {
                    let info = &cx.descrs.fields[field];
                    let store = Initial {
                        load: DataOp::get_field(info.ty),
                        store: DataOp::set_field(info.ty),
                        descr: field.as_u32(),
                        index: None,
                        place: (!info.immutable).then_some(Place::Field(field)),
                    };
                    self.initialise(cx, n, store, value);
                }
            }
            Contents::Array(items) => {
                let (ty, _, immutable) = cx.descrs.item(v.class);
                for (i, value) in items.into_iter().enumerate() {
                    let store = Initial {
                        load: DataOp::get_item(ty),
                        store: DataOp::set_item(ty),
                        descr: v.class.as_u32(),
                        index: Some(self.constant(Ty::Int, i as u64)),
                        place: (!immutable).then_some(Place::Item(v.class, i as u32)),
                    };
                    self.initialise(cx, n, store, value);
                }
            }
        }
        n
    }

    fn allocate(&mut self, n: NodeId, class: ClassId, len: Option<NodeId>) {
        let mut op = match len {
            None => Op::new(Opcode::Data(DataOp::New), &[]),
            Some(len) => Op::new(Opcode::Data(DataOp::NewArray), &[self.val(len)]),
        };
        op.descr = class.as_u32();
        let val = self.types.push(Ty::Ref);
        op.result = Some(val);
        let mut object = real(val, Ty::Ref, self.next_seq());
        object.class = Some(class);
        object.nonnull = true;
        object.fresh = true;
        self.out.push(op);
        *self.nodes.get_mut(n) = Node::Real(object);
        if let Some(len) = len {
            self.know_length(class, n, len);
        }
    }

    /// Stores one field or item of an object that has just been allocated; fresh memory is zero.
    fn initialise(&mut self, cx: &mut Cx<'_>, object: NodeId, store: Initial, value: NodeId) {
        let mut args: SmallVec<[NodeId; 3]> = smallvec![object];
        args.extend(store.index);
        let key = PureKey {
            opcode: Opcode::Data(store.load),
            descr: store.descr,
            args: args.clone(),
        };
        if !self.nodes.is_zero(value) {
            args.push(value);
            let vals: SmallVec<[Val; 3]> = args.iter().map(|&n| self.force(cx, n)).collect();
            let mut op = Op::new(Opcode::Data(store.store), &vals);
            op.descr = store.descr;
            self.out.push(op);
        }
        if !cx.passes.heap {
            return;
        }
        match store.place {
            None => self.pure.insert(key, value, None),
            Some(place) => {
                let entry = Entry {
                    base: object,
                    value,
                    delayed: false,
                    known: true,
                    fact: None,
                };
                self.heap.add(place, entry);
            }
        }
    }
}

/// How one field or item of a lifted object is stored, and what is known behind it.
struct Initial {
    load: DataOp,
    store: DataOp,
    descr: u32,
    index: Option<NodeId>,
    /// The place, if it can change.
    place: Option<Place>,
}
