//! Virtualizable places: what compiled code keeps to itself across calls that are not looked into.
//!
//! In: calls that may read and write anything, and `reclaim` in front of accesses. Out: calls
//! around which delayed stores stay delayed and knowledge stays valid, with a `guard_not_forced`
//! behind them that says what is kept; and few `reclaim`s. Invariants: an object's virtualizable
//! places are touched only behind a `reclaim` of it; code that touches one during the call reclaims
//! the object first, so the guard holds if no such place has been written. That an object is
//! reclaimed stays true as long as the activation lives: no activation around it can run before it
//! is left. Source: RPython's virtualizables and virtual references.
//!
//! A call whose effects are known needs none of this: the places that it reads are stored in front
//! of it, and no others.

use crate::node::{Node, NodeId};
use crate::pure::PureKey;
use crate::section::{Cx, Section};
use smallvec::smallvec;
use verdigris_ops::{DataOp, Effects, Places, Ty};
use verdigris_trace::{Descr, Opcode};

impl Section {
    /// Whether the virtualizable places are kept across a call.
    pub fn keeps_across(cx: &Cx<'_>, effects: &Effects) -> bool {
        cx.passes.virtualizable && effects.reads == Places::All && cx.host.keeps_virtualizables()
    }

    /// Behind a call across which virtualizable places are kept: remarks for its guard which objects
    /// they belong to.
    pub fn note_kept(&mut self, cx: &Cx<'_>) {
        let nodes = &self.nodes;
        // An object that has no value here cannot be named.
        self.heap
            .retain(|place, base| !(place.is_virtualizable(cx.descrs) && nodes.is_phantom(base)));
        let mut kept: Vec<NodeId> = Vec::new();
        for (place, entry) in self.heap.entries() {
            let base = self.nodes.find(entry.base);
            if place.is_virtualizable(cx.descrs) && !kept.contains(&base) {
                kept.push(base);
            }
        }
        self.kept = kept;
    }

    /// In front of an access to a virtualizable place.
    pub fn reclaim(&mut self, cx: &mut Cx<'_>, object: NodeId) {
        let object = self.nodes.find(object);
        let fresh = match self.nodes.get(object) {
            Node::Virtual(_) => return,
            Node::Real(r) => r.fresh,
            Node::Const(_) | Node::Forward(_) => false,
        };
        let key = reclaimed(object);
        if cx.passes.pure && self.known_result(&key).is_some() {
            return;
        }
        if !fresh || !cx.passes.virtualizable {
            let val = self.force(cx, object);
            self.out
                .push(Opcode::Data(DataOp::Reclaim), &[val], Descr::None);
        }
        if cx.passes.pure {
            let done = self.constant(Ty::Int, 0);
            self.pure.insert(key, done, None);
        }
    }
}

/// Under which key it is known that an object has been reclaimed.
pub(crate) fn reclaimed(object: NodeId) -> PureKey {
    PureKey {
        opcode: Opcode::Data(DataOp::Reclaim),
        descr: Descr::None,
        args: smallvec![object],
    }
}
