//! Abstract values: what is known of each value of the recorded trace at the current point.
//!
//! Invariant: a node only gains knowledge. A virtual that escapes becomes real, a real value that a
//! guard pins becomes a constant (through a forward), and every holder of the [`NodeId`] sees it.

use super::contents::Contents;
use crate::bounds::{IntBound, Needs, Range};
use cranelift_entity::packed_option::ReservedValue;
use cranelift_entity::{SecondaryMap, entity_impl};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::cell::Cell;
use verdigris_ops::{ClassId, DataOp, Ty};
use verdigris_trace::{Const, ValRef};

/// Its index among a section's abstract values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(crate) struct NodeId(u32);
entity_impl!(NodeId);

/// An abstract value.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    /// A known constant.
    Const(Const),
    /// A value that the emitted code computes.
    Real(Real),
    /// An object that has not been allocated.
    Virtual(Virtual),
    /// The same value as another node.
    Forward(NodeId),
}

/// A value that the emitted code computes.
#[derive(Clone, Debug)]
pub(crate) struct Real {
    /// The emitted value.
    pub val: ValRef,
    /// Its type.
    pub ty: Ty,
    /// The object's class, if a guard or an allocation has shown it.
    pub class: Option<ClassId>,
    /// Known not to be null.
    pub nonnull: bool,
    /// The bounds of an integer.
    pub range: Range,
    /// How many guards had been emitted when a guard last taught something about the integer.
    pub taught: u32,
    /// Position of the definition in the section, for aliasing.
    pub seq: u32,
    /// Whether the definition allocated the object.
    pub fresh: bool,
    /// The pure operation that computed it. Rules look through it, and a guard on a comparison
    /// teaches its operands.
    pub def: Option<(DataOp, SmallVec<[NodeId; 2]>)>,
}

impl Real {
    /// A value of which nothing is known.
    pub fn new(val: ValRef, ty: Ty, seq: u32) -> Real {
        Real {
            val,
            ty,
            class: None,
            nonnull: false,
            range: Range::TOP,
            taught: 0,
            seq,
            fresh: false,
            def: None,
        }
    }

    /// Whether only facts about the value are known: the guard did not pass it to the bridge.
    pub fn is_phantom(&self) -> bool {
        self.val.is_reserved_value()
    }
}

/// An object that has not been allocated.
#[derive(Clone, Debug)]
pub(crate) struct Virtual {
    /// Its class.
    pub class: ClassId,
    /// Its contents.
    pub contents: Contents<NodeId>,
}

/// All nodes of a section.
#[derive(Clone, Default)]
pub(crate) struct Nodes {
    nodes: Vec<Node>,
    consts: FxHashMap<Const, NodeId>,
    /// The outermost frame of exits that mentions a node, plus 1.
    listed: SecondaryMap<NodeId, u32>,
    /// How many outer frames of the last exit mention only nodes that have not changed since.
    settled: usize,
    /// The label's bounds that have been used.
    used_bounds: Cell<Needs>,
}

impl Nodes {
    /// A new node.
    pub fn add(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        NodeId(self.nodes.len() as u32 - 1)
    }

    /// Makes room for so many nodes more.
    pub fn reserve(&mut self, nodes: usize) {
        self.nodes.reserve(nodes);
    }

    /// The node of a constant.
    pub fn constant(&mut self, c: Const) -> NodeId {
        if let Some(&n) = self.consts.get(&c) {
            return n;
        }
        let n = self.add(Node::Const(c));
        self.consts.insert(c, n);
        n
    }

    /// The representative of a node.
    pub fn find(&self, mut n: NodeId) -> NodeId {
        while let Node::Forward(to) = self.nodes[n.0 as usize] {
            n = to;
        }
        n
    }

    /// The value of a node (never a forward).
    pub fn get(&self, n: NodeId) -> &Node {
        &self.nodes[self.find(n).0 as usize]
    }

    /// The same, to be refined.
    pub fn get_mut(&mut self, n: NodeId) -> &mut Node {
        let n = self.find(n);
        &mut self.nodes[n.0 as usize]
    }

    /// Makes `n` the same as `to`.
    pub fn forward(&mut self, n: NodeId, to: NodeId) {
        let (n, to) = (self.find(n), self.find(to));
        if n != to {
            self.become_other(n, Node::Forward(to));
        }
    }

    /// Makes a virtual that is being allocated this value.
    pub fn allocated(&mut self, n: NodeId, object: Real) {
        let n = self.find(n);
        self.become_other(n, Node::Real(object));
    }

    fn become_other(&mut self, n: NodeId, node: Node) {
        self.nodes[n.0 as usize] = node;
        // Frames that mention it must be described again.
        if let Some(frame) = self.listed[n].checked_sub(1) {
            self.settled = self.settled.min(frame as usize);
        }
    }

    /// Records that a frame of an exit mentions a node.
    pub fn list(&mut self, n: NodeId, frame: usize) {
        let frame = frame as u32 + 1;
        let listed = &mut self.listed[n];
        if *listed == 0 || frame < *listed {
            *listed = frame;
        }
    }

    /// How many outer frames of the last exit can be reused.
    pub fn settled_frames(&self) -> usize {
        self.settled
    }

    /// All frames of an exit have been described.
    pub fn settle_frames(&mut self) {
        self.settled = usize::MAX;
    }

    /// The constant, if it is one.
    pub fn as_const(&self, n: NodeId) -> Option<Const> {
        match self.get(n) {
            Node::Const(c) => Some(*c),
            _ => None,
        }
    }

    /// The virtual, if it is one.
    pub fn as_virtual(&self, n: NodeId) -> Option<&Virtual> {
        match self.get(n) {
            Node::Virtual(v) => Some(v),
            _ => None,
        }
    }

    /// Known of, but without a value (see [`Real::is_phantom`]).
    pub fn is_phantom(&self, n: NodeId) -> bool {
        matches!(self.get(n), Node::Real(r) if r.is_phantom())
    }

    /// Whether it is a constant whose word is zero, like fresh memory.
    pub fn is_zero(&self, n: NodeId) -> bool {
        self.as_const(n).is_some_and(|c| c.word() == 0)
    }

    /// Known not to be null.
    pub fn is_nonnull(&self, n: NodeId) -> bool {
        match self.get(n) {
            Node::Const(c) => c.word() != 0,
            Node::Real(r) => r.nonnull,
            Node::Virtual(_) => true,
            Node::Forward(_) => false,
        }
    }

    /// The range of an integer. A caller that decides by `assumed` must call [`Nodes::rely_on`].
    pub fn range(&self, n: NodeId) -> Range {
        match self.get(n) {
            Node::Const(c) => Range::sure(IntBound::of_const(*c)),
            Node::Real(r) => r.range,
            _ => Range::TOP,
        }
    }

    /// Whether a property, which tighter bounds keep, holds of an integer.
    pub fn holds(&self, n: NodeId, property: impl Fn(IntBound) -> bool) -> bool {
        let range = self.range(n);
        if property(range.sure) {
            return true;
        }
        let holds = !range.needs.is_empty() && property(range.assumed);
        if holds {
            self.rely_on(range.needs);
        }
        holds
    }

    /// Marks assumptions of the label as used: it must keep them.
    pub fn rely_on(&self, needs: Needs) {
        self.used_bounds.set(self.used_bounds.get().and(needs));
    }

    /// The used assumptions of the label.
    pub fn used_bounds(&self) -> Needs {
        self.used_bounds.get()
    }

    /// Known to be 0 or 1.
    pub fn is_boolean(&self, n: NodeId) -> bool {
        self.holds(n, IntBound::is_boolean)
    }

    /// The assumptions by which an integer is known not to be negative, if it is.
    pub fn natural(&self, n: NodeId) -> Option<Needs> {
        let range = self.range(n);
        match range.sure.lo {
            0.. => Some(Needs::default()),
            _ => (range.assumed.lo >= 0).then_some(range.needs),
        }
    }

    /// The pure operation that computed a value, if it is known.
    pub fn def(&self, n: NodeId) -> Option<(DataOp, &[NodeId])> {
        match self.get(n) {
            Node::Real(r) => r.def.as_ref().map(|(op, args)| (*op, &args[..])),
            _ => None,
        }
    }

    /// The type.
    pub fn ty(&self, n: NodeId) -> Ty {
        match self.get(n) {
            Node::Const(c) => c.ty(),
            Node::Real(r) => r.ty,
            _ => Ty::Ref,
        }
    }

    /// Known to be different references: an object and null, or two objects.
    pub fn are_distinct(&self, a: NodeId, b: NodeId) -> bool {
        match (self.is_zero(a), self.is_zero(b)) {
            (true, true) => false,
            (true, false) => self.is_nonnull(b),
            (false, true) => self.is_nonnull(a),
            (false, false) => !self.may_alias(a, b),
        }
    }

    /// Whether two references may be the same object. A fresh object is not what existed before it.
    pub fn may_alias(&self, a: NodeId, b: NodeId) -> bool {
        if self.find(a) == self.find(b) {
            return true;
        }
        match (self.get(a), self.get(b)) {
            (Node::Const(x), Node::Const(y)) => x == y,
            (Node::Virtual(_), _) | (_, Node::Virtual(_)) => false,
            (Node::Real(x), Node::Real(y)) => {
                !(x.fresh && (y.fresh || y.seq < x.seq) || y.fresh && x.seq < y.seq)
            }
            (Node::Real(x), Node::Const(_)) | (Node::Const(_), Node::Real(x)) => !x.fresh,
            _ => true,
        }
    }
}
